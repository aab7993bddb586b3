# Compiler and linker flags shared by every target of the project.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(DEALER_CCACHE ccache)
  if(DEALER_CCACHE)
    # Without this sloppiness ccache never hits on a translation unit that uses a precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${DEALER_CCACHE})
  endif()
endif()

# What a consumer's code must share with ours: templates over game states and Eigen types are compiled on both sides,
# and vector instructions change Eigen's alignment.
add_library(dealer_flags INTERFACE)
if(DEALER_NATIVE)
  target_compile_options(dealer_flags INTERFACE -march=native)
endif()
if(DEALER_SANITIZE)
  target_compile_options(dealer_flags INTERFACE -fsanitize=${DEALER_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(dealer_flags INTERFACE -fsanitize=${DEALER_SANITIZE})
endif()

# Ours alone. Without the last flag nothing that the linker could replace is inlined in position-independent code.
add_library(dealer_private_flags INTERFACE)
target_compile_options(dealer_private_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -fno-semantic-interposition)
if(DEALER_WERROR)
  target_compile_options(dealer_private_flags INTERFACE -Werror)
endif()

if(PROJECT_IS_TOP_LEVEL)
  foreach(linker mold lld gold)
    find_program(DEALER_LINKER_${linker} NAMES ld.${linker})
    if(DEALER_LINKER_${linker})
      add_link_options(-fuse-ld=${linker})
      break()
    endif()
  endforeach()
endif()
