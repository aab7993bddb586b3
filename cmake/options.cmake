# Flags shared by every target of the project.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# pip builds it below a project of its own (python/CMakeLists.txt).
if(PROJECT_IS_TOP_LEVEL OR SKBUILD)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()

  find_program(DEALER_CCACHE ccache)
  if(DEALER_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Without this sloppiness ccache never hits on a source that uses a precompiled header. With paths below this folder
    # taken as relative ones, a second clone finds what the first has compiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
        CCACHE_NOHASHDIR=true ${DEALER_CCACHE})
  endif()

  foreach(linker mold lld gold)
    find_program(DEALER_LINKER_${linker} ld.${linker})
    if(DEALER_LINKER_${linker})
      add_link_options(-fuse-ld=${linker})
      break()
    endif()
  endforeach()
endif()

# What the users of a library must compile with, too: templates over game states and Eigen types are compiled on both
# sides, and the vector instructions decide Eigen's alignment.
add_library(dealer_flags INTERFACE)
add_library(dealers_choice::flags ALIAS dealer_flags)
set_target_properties(dealer_flags PROPERTIES EXPORT_NAME flags)
if(DEALER_NATIVE)
  target_compile_options(dealer_flags INTERFACE -march=native)
endif()
if(DEALER_SANITIZE)
  target_compile_definitions(dealer_flags INTERFACE DEALER_SANITIZED=1)
  target_compile_options(
    dealer_flags INTERFACE -fsanitize=${DEALER_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(dealer_flags INTERFACE -fsanitize=${DEALER_SANITIZE})
endif()

# Ours alone. Position-independent code inlines nothing that a linker might replace, unless told that none will.
add_library(dealer_private_flags INTERFACE)
target_compile_options(
  dealer_private_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -fno-semantic-interposition)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms: overlapping copies in every `"text" + string` (GCC bug 105329), and its own AVX-512 intrinsics
  # (GCC bug 105593).
  target_compile_options(dealer_private_flags INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms: functions that return a reference to a static object.
  target_compile_options(dealer_private_flags INTERFACE -Wno-dangling-reference)
endif()
if(DEALER_BATCHES)
  # Classes named outside of the anonymous namespace have members of types inside, each in one source.
  target_compile_options(dealer_private_flags INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endif()
if(DEALER_SANITIZE STREQUAL "thread")
  # The sanitizer knows no fences; Asio's order of memory then is that of its locks.
  target_compile_definitions(dealer_private_flags INTERFACE BOOST_ASIO_DISABLE_FENCED_BLOCK=1)
endif()
if(DEALER_WERROR)
  target_compile_options(dealer_private_flags INTERFACE -Werror)
endif()
if(DEALER_NATIVE AND EXISTS /proc/cpuinfo)
  # "native" looks the same to ninja and ccache on every machine: with the processor's features in the command line,
  # a build folder or a cache taken to another machine is rebuilt there instead of dying of an illegal instruction.
  file(STRINGS /proc/cpuinfo features REGEX "^(flags|Features)" LIMIT_COUNT 1)
  string(MD5 features "${features}")
  string(SUBSTRING ${features} 0 8 features)
  target_compile_definitions(dealer_private_flags INTERFACE DEALER_CPU_${features})
endif()
