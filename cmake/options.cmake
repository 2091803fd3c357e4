option(GPUPLAN_TESTS "build the tests" ON)
option(GPUPLAN_WERROR "treat warnings in our own code as errors" OFF)
set(GPUPLAN_SANITIZE "" CACHE STRING "sanitizers for our own code, for example address,undefined")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# Answers must be byte-identical on every target: no fused multiply-add, no fast math.
add_library(gpuplan_options INTERFACE)
target_compile_options(gpuplan_options INTERFACE -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  $<$<BOOL:${GPUPLAN_WERROR}>:-Werror>)
if(GPUPLAN_SANITIZE)
  target_compile_options(gpuplan_options INTERFACE -fsanitize=${GPUPLAN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(gpuplan_options INTERFACE -fsanitize=${GPUPLAN_SANITIZE})
endif()

# Emscripten does not search /usr/include; a folder that holds nothing but nlohmann keeps the host's headers out.
find_path(NLOHMANN_DIR nlohmann/json.hpp PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
set(GPUPLAN_JSON_INCLUDE ${CMAKE_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${GPUPLAN_JSON_INCLUDE})
file(CREATE_LINK ${NLOHMANN_DIR}/nlohmann ${GPUPLAN_JSON_INCLUDE}/nlohmann SYMBOLIC)
