#include "native/probe/cuda/check.hpp"

namespace gpuplan::probe {

Fault fault_of(cudaError_t e) {
  switch (e) {
    case cudaErrorMemoryAllocation: return Fault::out_of_memory;
    case cudaErrorNotSupported:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorUnsupportedPtxVersion: return Fault::unsupported;
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorECCUncorrectable:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorDevicesUnavailable:
    case cudaErrorUnknown: return Fault::lost;
    default: return Fault::failed;
  }
}

Trouble check(cudaError_t e, const char* what) {
  if (e == cudaSuccess) return {};
  if (fault_of(e) != Fault::lost) cudaGetLastError();  // forget an error that does not stick
  return Failure{fault_of(e), std::string(what) + ": " + cudaGetErrorString(e)};
}

Trouble check(cublasStatus_t s, const char* what) {
  if (s == CUBLAS_STATUS_SUCCESS) return {};
  const bool lacking = s == CUBLAS_STATUS_NOT_SUPPORTED || s == CUBLAS_STATUS_ARCH_MISMATCH;
  const Fault fault = s == CUBLAS_STATUS_ALLOC_FAILED ? Fault::out_of_memory : lacking ? Fault::unsupported : Fault::failed;
  return Failure{fault, std::string(what) + ": cuBLASLt status " + std::to_string(static_cast<int>(s))};
}

bool& device_hangs() {
  static bool hangs = false;
  return hangs;
}

}  // namespace gpuplan::probe
