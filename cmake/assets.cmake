# The catalogs, coefficients and texts travel inside the programs: tools/pack_assets makes one source file of them.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
file(GLOB_RECURSE GPUPLAN_ASSETS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/assets/*.json ${PROJECT_SOURCE_DIR}/assets/csv/sources.csv
     ${PROJECT_SOURCE_DIR}/tools/catalog/*.py)

# gpuplan_embed(target options…): a library of the assets, packed with these options.
function(gpuplan_embed target)
  set(packed ${CMAKE_BINARY_DIR}/generated/${target}.cpp)
  add_custom_command(
    OUTPUT ${packed}
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/pack_assets --out ${packed} ${ARGN}
    DEPENDS ${GPUPLAN_ASSETS} ${PROJECT_SOURCE_DIR}/tools/pack_assets
    VERBATIM)
  add_library(${target} STATIC ${packed})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
endfunction()

if(EMSCRIPTEN)
  gpuplan_embed(gpuplan_assets --without-sources)  # the page loads the texts of sources when somebody asks for them
  gpuplan_embed(gpuplan_assets_first_page --without-sources --first-page)
else()
  gpuplan_embed(gpuplan_assets)
endif()
