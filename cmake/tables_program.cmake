# tables_program.cc: a hash of what compiles the tables of rankings, so that tables kept on disk are used only by the
# program that compiled them (env/hands/tables_cache.h). Made anew when one of those sources changes, rewritten when it
# differs, and the only source compiled for it.
if(CMAKE_SCRIPT_MODE_FILE)
  set(parts "${DEALER_COMPILER}")
  foreach(file ${DEALER_SOURCES})
    file(SHA256 ${DEALER_SOURCE_DIR}/${file} hash)
    string(APPEND parts "\n${file} ${hash}")
  endforeach()
  string(SHA256 hash "${parts}")
  file(CONFIGURE OUTPUT ${DEALER_OUTPUT} @ONLY CONTENT [[
#include <string_view>

namespace dealer {

std::string_view tables_program() { return "@hash@"; }

}  // namespace dealer
]])
  return()
endif()

# Of all of these folders, since nobody would keep a list of those that take part.
set(files)
foreach(folder env/hands env/cards)
  file(GLOB_RECURSE more RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cc
       ${PROJECT_SOURCE_DIR}/${folder}/*.h)
  list(APPEND files ${more})
endforeach()
list(TRANSFORM files PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE paths)

# As they were written, generator expressions not evaluated: what makes them differ are these and the configuration.
set(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_SYSTEM_PROCESSOR} ${CMAKE_CXX_FLAGS}")
foreach(configuration ${CMAKE_BUILD_TYPE} ${CMAKE_CONFIGURATION_TYPES})
  string(TOUPPER ${configuration} configuration)
  string(APPEND compiler " ${CMAKE_CXX_FLAGS_${configuration}}")
endforeach()
foreach(property dealer_env:COMPILE_ dealer_flags:INTERFACE_COMPILE_ dealer_private_flags:INTERFACE_COMPILE_)
  string(REPLACE ":" ";" property ${property})
  list(POP_FRONT property target)
  foreach(kind OPTIONS DEFINITIONS)
    get_target_property(value ${target} ${property}${kind})
    string(APPEND compiler " ${value}")
  endforeach()
endforeach()
string(SHA256 compiler "${compiler}")

set(output ${PROJECT_BINARY_DIR}/generated/tables_program.cc)
add_custom_command(
  OUTPUT ${output}
  COMMAND ${CMAKE_COMMAND} -DDEALER_COMPILER=$<CONFIG>:${compiler} "-DDEALER_SOURCES=${files}"
          -DDEALER_SOURCE_DIR=${PROJECT_SOURCE_DIR} -DDEALER_OUTPUT=${output} -P ${CMAKE_CURRENT_LIST_FILE}
  DEPENDS ${paths} ${CMAKE_CURRENT_LIST_FILE}
  COMMENT "Hashing what compiles the tables of rankings"
  VERBATIM)
target_sources(dealer_env PRIVATE ${output})
