# The catalogs, coefficients and texts travel inside the programs: tools/pack_assets makes one source file of them.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
file(GLOB_RECURSE GPUPLAN_ASSETS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/assets/*.json ${PROJECT_SOURCE_DIR}/assets/csv/sources.csv
     ${PROJECT_SOURCE_DIR}/tools/catalog/*.py)
set(GPUPLAN_ASSETS_CPP ${CMAKE_BINARY_DIR}/generated/embedded_assets.cpp)
if(EMSCRIPTEN)
  set(GPUPLAN_PACK_OPTIONS --without-sources)  # the page loads the texts of sources when somebody asks for them
endif()
add_custom_command(
  OUTPUT ${GPUPLAN_ASSETS_CPP}
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/pack_assets --out ${GPUPLAN_ASSETS_CPP} ${GPUPLAN_PACK_OPTIONS}
  DEPENDS ${GPUPLAN_ASSETS} ${PROJECT_SOURCE_DIR}/tools/pack_assets
  VERBATIM)
add_library(gpuplan_assets STATIC ${GPUPLAN_ASSETS_CPP})
target_include_directories(gpuplan_assets PUBLIC ${PROJECT_SOURCE_DIR})
