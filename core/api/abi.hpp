#pragma once
/// The C exports of core.wasm: bytes of JSON in, bytes of JSON out.
///
///   page, Node ──request──► gpuplan_allocate(n), copy ──► gpuplan_call ──► gpuplan::call (core/api/call.hpp)
///   page, Node ◄─response── gpuplan_response .. + length ◄──────┘
///
/// One instance of the module serves one caller at a time; web/core/loader.ts is the other side.
#include <cstddef>

#if defined(__wasm__)
#define GPUPLAN_EXPORT(symbol) __attribute__((used, export_name(#symbol)))
#else
#define GPUPLAN_EXPORT(symbol)
#endif

extern "C" {

/// Room for a request of `size` bytes; null when memory ran out. Give it back with gpuplan_free.
GPUPLAN_EXPORT(gpuplan_allocate) char* gpuplan_allocate(std::size_t size);
GPUPLAN_EXPORT(gpuplan_free) void gpuplan_free(char* bytes);

/// Answers one request of the protocol (UTF-8 JSON, not null-terminated); returns the length of the response in bytes.
GPUPLAN_EXPORT(gpuplan_call) std::size_t gpuplan_call(const char* request, std::size_t size);

/// The bytes of the last response, valid until the next gpuplan_call.
GPUPLAN_EXPORT(gpuplan_response) const char* gpuplan_response();

}
