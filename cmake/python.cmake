# The Python module: target dealer_python, the package dealers_choice in the folder python of the build, as it will be
# imported. Python_EXECUTABLE chooses the Python; nanobind is that of its own packages.
set(quiet QUIET)
if(NOT DEALER_PYTHON STREQUAL "AUTO")
  set(quiet REQUIRED)
endif()
find_package(Python 3.9 ${quiet} COMPONENTS Interpreter Development.Module)
set(nanobind_ROOT "")
if(Python_FOUND)
  execute_process(
    COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
    OUTPUT_VARIABLE nanobind_ROOT
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT nanobind_ROOT)
  if(quiet STREQUAL "REQUIRED")
    message(FATAL_ERROR " ${Python_EXECUTABLE} has no nanobind: ${Python_EXECUTABLE} -m pip install 'nanobind>=2.5'")
  endif()
  return()
endif()
if(SKBUILD)
  # pip unpacks nanobind into another folder every time. Compiled is a copy that stays where it is, and as it is while its
  # files are the same: what has not changed is not compiled again.
  cmake_path(GET nanobind_ROOT PARENT_PATH nanobind_package)
  file(GLOB_RECURSE files RELATIVE ${nanobind_package} ${nanobind_package}/*)
  list(FILTER files EXCLUDE REGEX "__pycache__")
  foreach(file ${files})
    set(copy ${PROJECT_BINARY_DIR}/nanobind/${file})
    cmake_path(GET copy PARENT_PATH folder)
    file(MAKE_DIRECTORY ${folder})
    file(COPY_FILE ${nanobind_package}/${file} ${copy} ONLY_IF_DIFFERENT)
  endforeach()
  set(nanobind_ROOT ${PROJECT_BINARY_DIR}/nanobind/cmake)
endif()
find_package(nanobind CONFIG REQUIRED)
if(nanobind_VERSION VERSION_LESS 2.5)
  message(FATAL_ERROR " nanobind ${nanobind_VERSION} is too old: ${Python_EXECUTABLE} -m pip install 'nanobind>=2.5'")
endif()

dealer_sources(sources python/bindings)
nanobind_add_module(_core NB_STATIC NOMINSIZE PROTECT_STACK NB_SUPPRESS_WARNINGS ${sources})
dealer_private(_core)
target_link_libraries(_core PRIVATE dealer_arena)
set(package ${PROJECT_BINARY_DIR}/python/dealers_choice)
set_target_properties(_core PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${package})
file(MAKE_DIRECTORY ${package})
file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/dealers_choice/*.py
     ${PROJECT_SOURCE_DIR}/python/dealers_choice/py.typed)
foreach(file ${files})
  get_filename_component(name ${file} NAME)
  file(CREATE_LINK ${file} ${package}/${name} SYMBOLIC)
endforeach()
nanobind_add_stub(
  dealer_python
  MODULE _core
  OUTPUT ${package}/_core.pyi
  PYTHON_PATH $<TARGET_FILE_DIR:_core>
  PATTERN_FILE ${PROJECT_SOURCE_DIR}/python/stub_patterns.txt
  DEPENDS _core)

# What pip packs beside the Python files: the module finds its data in share/dealers_choice beside itself.
if(SKBUILD)
  install(TARGETS _core LIBRARY DESTINATION dealers_choice COMPONENT python)
  install(FILES ${package}/_core.pyi DESTINATION dealers_choice COMPONENT python)
  install(DIRECTORY configs models DESTINATION dealers_choice/share/dealers_choice COMPONENT python)
endif()
