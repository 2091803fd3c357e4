#pragma once
/// Quantities as types: a value carries its dimension, so adding bytes to seconds does not compile.
/// Everything inside the core is SI: bytes, flops, seconds, dollars, tokens, parameters. Convert at the edge with the literals.

namespace gpuplan {

/// A double with a dimension: exponents of byte, flop, second, dollar, token and parameter.
template <int Byte, int Flop, int Second, int Dollar, int Token, int Param>
struct Quantity {
  double value = 0.0;

  constexpr Quantity() = default;
  explicit constexpr Quantity(double v) : value(v) {}

  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity{a.value + b.value}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity{a.value - b.value}; }
  friend constexpr Quantity operator-(Quantity a) { return Quantity{-a.value}; }
  friend constexpr Quantity operator*(Quantity a, double b) { return Quantity{a.value * b}; }
  friend constexpr Quantity operator*(double a, Quantity b) { return Quantity{a * b.value}; }
  friend constexpr Quantity operator/(Quantity a, double b) { return Quantity{a.value / b}; }
  constexpr Quantity& operator+=(Quantity b) { value += b.value; return *this; }
  constexpr Quantity& operator-=(Quantity b) { value -= b.value; return *this; }
  constexpr Quantity& operator*=(double b) { value *= b; return *this; }
  friend constexpr bool operator==(Quantity a, Quantity b) { return a.value == b.value; }
  friend constexpr bool operator!=(Quantity a, Quantity b) { return a.value != b.value; }
  friend constexpr bool operator<(Quantity a, Quantity b) { return a.value < b.value; }
  friend constexpr bool operator>(Quantity a, Quantity b) { return a.value > b.value; }
  friend constexpr bool operator<=(Quantity a, Quantity b) { return a.value <= b.value; }
  friend constexpr bool operator>=(Quantity a, Quantity b) { return a.value >= b.value; }
};

namespace detail {
template <int B, int F, int S, int D, int T, int P>
constexpr auto dimensioned(double v) {
  if constexpr (B == 0 && F == 0 && S == 0 && D == 0 && T == 0 && P == 0) {
    return v;
  } else {
    return Quantity<B, F, S, D, T, P>{v};
  }
}
}  // namespace detail

template <int B, int F, int S, int D, int T, int P, int b, int f, int s, int d, int t, int p>
constexpr auto operator*(Quantity<B, F, S, D, T, P> x, Quantity<b, f, s, d, t, p> y) {
  return detail::dimensioned<B + b, F + f, S + s, D + d, T + t, P + p>(x.value * y.value);
}
template <int B, int F, int S, int D, int T, int P, int b, int f, int s, int d, int t, int p>
constexpr auto operator/(Quantity<B, F, S, D, T, P> x, Quantity<b, f, s, d, t, p> y) {
  return detail::dimensioned<B - b, F - f, S - s, D - d, T - t, P - p>(x.value / y.value);
}
template <int B, int F, int S, int D, int T, int P>
constexpr auto operator/(double x, Quantity<B, F, S, D, T, P> y) {
  return detail::dimensioned<-B, -F, -S, -D, -T, -P>(x / y.value);
}

using Bytes = Quantity<1, 0, 0, 0, 0, 0>;
using Flops = Quantity<0, 1, 0, 0, 0, 0>;
using Seconds = Quantity<0, 0, 1, 0, 0, 0>;
using Dollars = Quantity<0, 0, 0, 1, 0, 0>;
using Tokens = Quantity<0, 0, 0, 0, 1, 0>;
using Params = Quantity<0, 0, 0, 0, 0, 1>;
using BytesPerSecond = Quantity<1, 0, -1, 0, 0, 0>;
using FlopsPerSecond = Quantity<0, 1, -1, 0, 0, 0>;
using TokensPerSecond = Quantity<0, 0, -1, 0, 1, 0>;
using DollarsPerSecond = Quantity<0, 0, -1, 1, 0, 0>;
using DollarsPerToken = Quantity<0, 0, 0, 1, -1, 0>;
using BytesPerToken = Quantity<1, 0, 0, 0, -1, 0>;
using FlopsPerToken = Quantity<0, 1, 0, 0, -1, 0>;
using BytesPerParam = Quantity<1, 0, 0, 0, 0, -1>;

template <int B, int F, int S, int D, int T, int P>
constexpr Quantity<B, F, S, D, T, P> max(Quantity<B, F, S, D, T, P> a, Quantity<B, F, S, D, T, P> b) { return a < b ? b : a; }
template <int B, int F, int S, int D, int T, int P>
constexpr Quantity<B, F, S, D, T, P> min(Quantity<B, F, S, D, T, P> a, Quantity<B, F, S, D, T, P> b) { return b < a ? b : a; }

/// Literals for the edges. GB is 10^9 bytes, GiB is 2^30; Gbps counts bits.
namespace literals {
constexpr Bytes operator""_B(unsigned long long v) { return Bytes{static_cast<double>(v)}; }
constexpr Bytes operator""_KiB(unsigned long long v) { return Bytes{static_cast<double>(v) * 1024.0}; }
constexpr Bytes operator""_MiB(unsigned long long v) { return Bytes{static_cast<double>(v) * 1048576.0}; }
constexpr Bytes operator""_GiB(unsigned long long v) { return Bytes{static_cast<double>(v) * 1073741824.0}; }
constexpr Bytes operator""_GiB(long double v) { return Bytes{static_cast<double>(v) * 1073741824.0}; }
constexpr Bytes operator""_GB(unsigned long long v) { return Bytes{static_cast<double>(v) * 1e9}; }
constexpr Bytes operator""_GB(long double v) { return Bytes{static_cast<double>(v) * 1e9}; }
constexpr BytesPerSecond operator""_GBps(unsigned long long v) { return BytesPerSecond{static_cast<double>(v) * 1e9}; }
constexpr BytesPerSecond operator""_GBps(long double v) { return BytesPerSecond{static_cast<double>(v) * 1e9}; }
constexpr BytesPerSecond operator""_Gbps(unsigned long long v) { return BytesPerSecond{static_cast<double>(v) * 1e9 / 8.0}; }
constexpr FlopsPerSecond operator""_TFLOPS(unsigned long long v) { return FlopsPerSecond{static_cast<double>(v) * 1e12}; }
constexpr FlopsPerSecond operator""_TFLOPS(long double v) { return FlopsPerSecond{static_cast<double>(v) * 1e12}; }
constexpr Seconds operator""_us(unsigned long long v) { return Seconds{static_cast<double>(v) * 1e-6}; }
constexpr Seconds operator""_us(long double v) { return Seconds{static_cast<double>(v) * 1e-6}; }
constexpr Seconds operator""_h(unsigned long long v) { return Seconds{static_cast<double>(v) * 3600.0}; }
}  // namespace literals

}  // namespace gpuplan
