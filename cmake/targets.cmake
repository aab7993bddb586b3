# One target per folder. Sources are globbed, and looked at again on every build: a game, an agent or a subcommand is a
# folder or a file one drops in, and no list has to be edited for it.

# dealer_sources(OUT FOLDER [REGEX]): OUT becomes the sources of FOLDER whose path matches REGEX.
function(dealer_sources out folder)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cc)
  if(ARGC GREATER 2)
    list(FILTER files INCLUDE REGEX ${ARGV2})
  endif()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# The most sources of a batch, and the fewest for which a batch ends with a folder.
set(DEALER_BATCH_SIZE 14)
set(DEALER_BATCH_FOLDER_SIZE 5)

# dealer_batches(OUT NAME files…): OUT becomes files that include these, some ten of a folder each, so that headers and
# templates are compiled once a batch and not once a source: half of the time. They name the sources as #include does,
# without the path of this checkout: compiler caches are shared by clones. A source with definitions of its own stays out.
function(dealer_batches out name)
  if(NOT DEALER_BATCHES)
    set(${out} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(result "")
  set(batch "")
  set(folder "")
  set(batches 0)
  foreach(file ${ARGN} "")
    get_filename_component(file_folder "${file}" DIRECTORY)
    list(LENGTH batch length)
    set(full OFF)
    if(length GREATER_EQUAL DEALER_BATCH_SIZE OR (NOT file_folder STREQUAL folder AND length GREATER_EQUAL DEALER_BATCH_FOLDER_SIZE))
      set(full ON)
    endif()
    if(length GREATER 0 AND (full OR file STREQUAL ""))
      math(EXPR batches "${batches} + 1")
      set(path ${PROJECT_BINARY_DIR}/batches/${name}_${batches}.cc)
      list(TRANSFORM batch REPLACE "^${PROJECT_SOURCE_DIR}/(.*)$" "#include \"\\1\"\n")
      string(JOIN "" text ${batch})
      file(CONFIGURE OUTPUT ${path} CONTENT "${text}" @ONLY)
      list(APPEND result ${path})
      set(batch "")
    endif()
    set(folder "${file_folder}")
    if(file STREQUAL "")
      break()
    endif()
    get_source_file_property(definitions ${file} COMPILE_DEFINITIONS)
    get_source_file_property(alone ${file} SKIP_UNITY_BUILD_INCLUSION)
    if(definitions OR alone OR NOT file MATCHES "^${PROJECT_SOURCE_DIR}/.*\\.cc$")
      list(APPEND result ${file})
    else()
      list(APPEND batch ${file})
    endif()
  endforeach()
  set(${out} ${result} PARENT_SCOPE)
endfunction()

# dealer_private(TARGET): what every target of ours compiles with and no user of it needs.
function(dealer_private target)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:dealer_private_flags>)
  target_include_directories(${target} SYSTEM PRIVATE ${PROJECT_SOURCE_DIR}/third_party)
endfunction()

# dealer_precompile(TARGET KIND header…): the standard library's headers and these, precompiled once for all targets of a
# kind, which must have the same flags. Saves a second a source. The libraries have none: others compile them, too, and
# ccache takes what is compiled with the same command for the same.
function(dealer_precompile target kind)
  if(NOT DEALER_PRECOMPILE)
    return()
  endif()
  get_property(owner GLOBAL PROPERTY dealer_precompiled_${kind})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    set_property(GLOBAL PROPERTY dealer_precompiled_${kind} ${target})
    set(headers algorithm array atomic cmath cstdint filesystem functional map memory mutex numeric optional set span
                string string_view unordered_map utility variant vector ${ARGN})
    list(TRANSFORM headers REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:<\\1$<ANGLE-R>>")
    target_precompile_headers(${target} PRIVATE ${headers})
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # False alarms in strings, which it keeps to itself when headers are not precompiled.
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overread)
  endif()
endfunction()
# dealer_library(FOLDER SOURCES files… LINK targets…): library dealer_FOLDER, also called dealers_choice::FOLDER;
# headers alone where there are no sources.
function(dealer_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  set(target dealer_${name})
  if(ARG_SOURCES)
    set(scope PUBLIC)
    dealer_batches(sources ${name} ${ARG_SOURCES})
    add_library(${target} STATIC ${sources})
    dealer_private(${target})
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(dealers_choice::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_link_libraries(${target} ${scope} ${ARG_LINK} dealer_flags)
  target_include_directories(
    ${target} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/dealers_choice>)
endfunction()

# dealer_torch_objects(TARGET files…): compiles the few sources that include libtorch (20 s of headers) in one batch, apart
# from the rest, which never sees libtorch's include path.
function(dealer_torch_objects target)
  set(DEALER_BATCH_FOLDER_SIZE ${DEALER_BATCH_SIZE})
  dealer_batches(sources ${target} ${ARGN})
  add_library(${target} OBJECT ${sources})
  dealer_private(${target})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE dealer_agents dealer_libtorch spdlog::spdlog)
endfunction()
