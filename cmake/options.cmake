# Options of a developer's build; all of them are off for a project that only uses gpuplan as a part.
option(GPUPLAN_TESTS "build the tests" ${PROJECT_IS_TOP_LEVEL})
option(GPUPLAN_DESKTOP "build the desktop app where SDL2 and Dear ImGui are there" ON)
option(GPUPLAN_PROBE "build the CUDA probe where CUDA is there" ON)
option(GPUPLAN_WERROR "treat warnings in our own code as errors" OFF)
option(GPUPLAN_BENCH "build the benchmark (needs Google Benchmark)" OFF)
option(GPUPLAN_FUZZ "build the fuzz targets (needs clang)" OFF)
option(GPUPLAN_TIDY "run clang-tidy while compiling" OFF)
set(GPUPLAN_SANITIZE "" CACHE STRING "sanitizers for our own code, for example address,undefined")

# One line for each part that this machine cannot build: what is left out and how to get it.
function(gpuplan_skip what how)
  message(STATUS "gpuplan: leaving out ${what}: ${how}")
endfunction()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers hit the cache only when ccache may trust their time stamps and macros.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()

# Answers must be byte-identical on every target: no fused multiply-add, no fast math.
add_library(gpuplan_options INTERFACE)
target_compile_options(gpuplan_options INTERFACE -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  $<$<BOOL:${GPUPLAN_WERROR}>:-Werror>
  # GCC 12 sees overlaps in std::string's own operator+ at -O3 that are not there (GCC bug 105651).
  $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict>)
if(GPUPLAN_SANITIZE)
  target_compile_options(gpuplan_options INTERFACE -fsanitize=${GPUPLAN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(gpuplan_options INTERFACE -fsanitize=${GPUPLAN_SANITIZE})
endif()
if(GPUPLAN_TIDY)
  find_program(CLANG_TIDY_PROGRAM clang-tidy REQUIRED)
  set(CMAKE_CXX_CLANG_TIDY ${CLANG_TIDY_PROGRAM} --quiet)
endif()

# Emscripten does not search /usr/include; a folder that holds nothing but nlohmann keeps the host's headers out.
find_path(NLOHMANN_DIR nlohmann/json.hpp PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
set(GPUPLAN_JSON_INCLUDE ${CMAKE_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${GPUPLAN_JSON_INCLUDE})
file(CREATE_LINK ${NLOHMANN_DIR}/nlohmann ${GPUPLAN_JSON_INCLUDE}/nlohmann SYMBOLIC)
