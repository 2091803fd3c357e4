# Toolchain file of the wasm preset: finds Emscripten's own toolchain file through em-config, so that Debian's package and an emsdk both work.
find_program(EM_CONFIG em-config)
if(NOT EM_CONFIG)
  message(FATAL_ERROR "gpuplan: core.wasm needs Emscripten: run tools/install-deps (Debian: apt-get install emscripten), or activate an emsdk")
endif()
execute_process(COMMAND ${EM_CONFIG} EMSCRIPTEN_ROOT OUTPUT_VARIABLE EMSCRIPTEN_ROOT_PATH OUTPUT_STRIP_TRAILING_WHITESPACE)
include(${EMSCRIPTEN_ROOT_PATH}/cmake/Modules/Platform/Emscripten.cmake)
