# Games, their agents and their tables in the terminal are registered in their own folders. A static library drops what
# nobody names; so each of the libraries has a source, written here, that names them all.

# dealer_registrations(OUT FILE EACH ALL TYPE HEADER): appends to OUT a source that defines `void ALL(TYPE& all)`, which
# HEADER declares. It calls `void EACH(TYPE& all)` of every folder in which there is such a FILE; "@folder@" in EACH is the
# name of the folder.
function(dealer_registrations out file each all type header)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})
  set(declarations "")
  set(calls "")
  foreach(path ${files})
    get_filename_component(folder ${path} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    string(CONFIGURE "${each}" function @ONLY)
    string(REGEX MATCH "^(.*)::([a-z_]+)$" function ${function})
    string(APPEND declarations "namespace ${CMAKE_MATCH_1} {\nvoid ${CMAKE_MATCH_2}(${type}& all);\n}\n")
    string(APPEND calls "  ${function}(all);\n")
  endforeach()
  string(REGEX REPLACE ".*::" "" name ${all})
  set(path ${PROJECT_BINARY_DIR}/registrations/${name}.cc)
  set(text "#include \"${header}\"\n\n${declarations}\nvoid ${all}(${type}& all) {\n${calls}}\n")
  file(CONFIGURE OUTPUT ${path} CONTENT "${text}" @ONLY)
  set(${out} ${${out}} ${path} PARENT_SCOPE)
endfunction()
