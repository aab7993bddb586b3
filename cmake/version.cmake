# dealer_version.h: the project's version and the git revision built. A target, since at configure time the revision
# would go stale; a file rewritten only when it differs and included by env/core/version.cc alone, so that it costs nothing.
if(CMAKE_SCRIPT_MODE_FILE)
  set(revision "")
  if(EXISTS ${DEALER_SOURCE_DIR}/.git)
    execute_process(
      COMMAND git --no-optional-locks describe --always --dirty=-modified --exclude *
      WORKING_DIRECTORY ${DEALER_SOURCE_DIR}
      OUTPUT_VARIABLE revision
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  file(CONFIGURE OUTPUT ${DEALER_VERSION_HEADER} @ONLY CONTENT [[
#pragma once

#define DEALER_VERSION "@DEALER_VERSION@"
#define DEALER_REVISION "@revision@"
]])
  return()
endif()

set(header ${PROJECT_BINARY_DIR}/generated/dealer_version.h)
add_custom_target(
  dealer_version_header
  COMMAND ${CMAKE_COMMAND} -DDEALER_VERSION=${PROJECT_VERSION} -DDEALER_SOURCE_DIR=${PROJECT_SOURCE_DIR}
          -DDEALER_VERSION_HEADER=${header} -P ${CMAKE_CURRENT_LIST_FILE}
  BYPRODUCTS ${header}
  COMMENT "Looking up the git revision"
  VERBATIM)
add_dependencies(dealer_env dealer_version_header)
target_include_directories(dealer_env PRIVATE ${PROJECT_BINARY_DIR}/generated)
