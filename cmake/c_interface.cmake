# libdealers_choice: include/dealers_choice.h as one shared library, which needs nothing of ours beside it. Whoever links it
# gets the header alone, and no flag or package of the C++ libraries.
dealer_sources(sources frontends/c)
dealer_batches(sources c ${sources})
add_library(dealers_choice_c SHARED ${sources})
add_library(dealers_choice::c ALIAS dealers_choice_c)
dealer_private(dealers_choice_c)
target_link_libraries(dealers_choice_c PRIVATE dealer_arena)
target_include_directories(
  dealers_choice_c PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)

# The number that makes programs be compiled anew stands in the header.
file(STRINGS include/dealers_choice.h abi_version REGEX "^#define DC_ABI_VERSION ")
string(REGEX REPLACE "^#define DC_ABI_VERSION " "" abi_version "${abi_version}")
# The script names what is exported. gold would add templates of our static libraries all the same, whatever it is told:
# the linker that all systems have does not.
set(version_script ${PROJECT_SOURCE_DIR}/frontends/c/dealers_choice.map)
target_link_options(dealers_choice_c PRIVATE "LINKER:--version-script=${version_script}" "LINKER:--exclude-libs,ALL" -fuse-ld=bfd)
set_target_properties(
  dealers_choice_c
  PROPERTIES OUTPUT_NAME dealers_choice
             EXPORT_NAME c
             VERSION ${PROJECT_VERSION}
             SOVERSION ${abi_version}
             CXX_VISIBILITY_PRESET hidden
             VISIBILITY_INLINES_HIDDEN ON
             LINK_DEPENDS ${version_script}
             LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR})
