#include "native/probe/cuda/matmul.hpp"
#include "native/probe/cuda/works.hpp"

namespace gpuplan::probe {
namespace {

/// scores[q][k] = Q · Kᵀ, then out[q][d] = scores · V, for every sequence and head; keys and values rotate beyond the L2 cache.
class AttentionStreamWork : public StreamWork {
 public:
  AttentionStreamWork(Board& board, cublasLtHandle_t handle, const AttentionWork& work)
      : StreamWork(board), handle_(handle), w_(work), types_(types_of(work.type)), groups_(work.batch * work.heads) {}

  Trouble prepare() {
    if (Trouble t = fill(queries_, w_.queries * w_.head_dim, 1)) return t;
    if (Trouble t = scores_.allocate(bytes(w_.queries * w_.keys))) return t;
    if (Trouble t = out_.allocate(bytes(w_.queries * w_.head_dim))) return t;
    caches_.resize(static_cast<std::size_t>(board().rotation(2.0 * static_cast<double>(bytes(w_.keys * w_.head_dim)))));
    std::uint32_t seed = 2;
    for (Cache& c : caches_) {
      if (Trouble t = fill(c.keys, w_.keys * w_.head_dim, seed++)) return t;
      if (Trouble t = fill(c.values, w_.keys * w_.head_dim, seed++)) return t;
    }
    if (Trouble t = launched("random data")) return t;
    if (Trouble t = score_.prepare(handle_, types_, {w_.queries, w_.keys, w_.head_dim, groups_, false})) return t;
    return mix_.prepare(handle_, types_, {w_.queries, w_.head_dim, w_.keys, groups_, true});
  }

  Outcome<Done> verify() override {
    if (Trouble t = run_once()) return *t;
    const std::int64_t last = groups_ - 1, q = w_.queries - 1, k = w_.keys - 1, d = w_.head_dim - 1;
    const std::int64_t q0 = last * w_.queries * w_.head_dim, k0 = last * w_.keys * w_.head_dim, s0 = last * w_.queries * w_.keys;
    const Cache& c = caches_[0];
    const std::vector<DotCheck> checks{
        {queries_.get(), c.keys.get(), scores_.get(), q0 + q * w_.head_dim, k0 + k * w_.head_dim, s0 + q * w_.keys + k, w_.head_dim, 1, 1},
        {scores_.get(), c.values.get(), out_.get(), s0 + q * w_.keys, k0 + d, q0 + q * w_.head_dim + d, w_.keys, 1, w_.head_dim},
        {queries_.get(), c.keys.get(), scores_.get(), 0, 0, 0, w_.head_dim, 1, 1},
        {scores_.get(), c.values.get(), out_.get(), 0, 0, 0, w_.keys, 1, w_.head_dim}};
    return verify_dots(board(), checks, types_.operands, types_.tolerance);
  }

 protected:
  Trouble queue(int run) override {
    const Cache& c = caches_[static_cast<std::size_t>(run) % caches_.size()];
    if (Trouble t = score_.queue(queries_.get(), c.keys.get(), scores_.get(), board().stream)) return t;
    return mix_.queue(scores_.get(), c.values.get(), out_.get(), board().stream);
  }

 private:
  struct Cache { Buffer keys, values; };
  std::size_t bytes(std::int64_t per_group) const { return bytes_of(types_.operands, static_cast<std::size_t>(groups_ * per_group)); }
  Trouble fill(Buffer& b, std::int64_t per_group, std::uint32_t seed) {
    if (Trouble t = b.allocate(bytes(per_group))) return t;
    fill_random(b.get(), static_cast<std::size_t>(groups_ * per_group), types_.operands, seed, board().stream);
    return {};
  }

  cublasLtHandle_t handle_;
  AttentionWork w_;
  ProductTypes types_;
  std::int64_t groups_;
  Buffer queries_, scores_, out_;
  std::vector<Cache> caches_;
  Matmul score_, mix_;
};

}  // namespace

Outcome<std::unique_ptr<Prepared>> prepare_attention(Board& board, cublasLtHandle_t handle, const AttentionWork& work) {
  return prepared<AttentionStreamWork>(board, handle, work);
}

}  // namespace gpuplan::probe
