#pragma once
/// The kinds of work on CUDA; each lies in a file of its own.
#include <memory>

#include "native/probe/cuda/stream_work.hpp"

namespace gpuplan::probe {

Outcome<std::unique_ptr<Prepared>> prepare_memory(Board&, const MemoryWork&);
Outcome<std::unique_ptr<Prepared>> prepare_gemm(Board&, cublasLtHandle_t, const GemmWork&);
Outcome<std::unique_ptr<Prepared>> prepare_attention(Board&, cublasLtHandle_t, const AttentionWork&);
Outcome<std::unique_ptr<Prepared>> prepare_dequantise(Board&, cublasLtHandle_t, const DequantiseWork&);
Outcome<std::unique_ptr<Prepared>> prepare_launch(Board&, const LaunchWork&);
Outcome<std::unique_ptr<Prepared>> prepare_host_copy(Board&, const HostCopyWork&);
Outcome<std::unique_ptr<Prepared>> prepare_peer_copy(Board&, const PeerCopyWork&);

/// Why a GPU of this compute capability (ten times, 89 = 8.9) has no products of the type, "" when it has.
std::string no_gemm(Arithmetic, int capability);

/// Makes a work of type W and its buffers.
template <class W, class... A>
Outcome<std::unique_ptr<Prepared>> prepared(A&&... arguments) {
  auto work = std::make_unique<W>(std::forward<A>(arguments)...);
  if (Trouble t = work->prepare()) return *t;
  return std::unique_ptr<Prepared>(std::move(work));
}

}  // namespace gpuplan::probe
