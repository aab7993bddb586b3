# Puts the files of the web page into the program: a source whose assembler includes their bytes. The build of the page
# itself, frontends/web/page, needs Node; its result lies in the repository.
set(page ${PROJECT_SOURCE_DIR}/frontends/web/page/dist)
file(GLOB_RECURSE page_files CONFIGURE_DEPENDS RELATIVE ${page} ${page}/*)
list(SORT page_files)
set(bytes "")
set(names "")
set(list "")
set(n 0)
foreach(file IN LISTS page_files)
  string(APPEND bytes "asm(\".section .rodata\\n.balign 16\\ndealer_page_${n}:\\n.incbin \\\"${page}/${file}\\\"\\n"
         "dealer_page_${n}_end:\\n.byte 0\\n.previous\\n\");\n")
  string(APPEND names "extern const char page_${n}[] asm(\"dealer_page_${n}\"), page_${n}_end[] asm(\"dealer_page_${n}_end\");\n")
  string(APPEND list "    {\"/${file}\", {page_${n}, static_cast<std::size_t>(page_${n}_end - page_${n})}},\n")
  math(EXPR n "${n} + 1")
endforeach()
set(web_page ${PROJECT_BINARY_DIR}/generated/web_page.cc)
file(CONFIGURE OUTPUT ${web_page} @ONLY CONTENT [[
// Written by cmake/web_page.cmake.
#include "frontends/web/page_files.h"

#include <array>
#include <cstddef>

@bytes@
namespace dealer::web {
namespace {

extern "C" {
@names@}

}  // namespace

std::span<const PageFile> page_files() {
  static const std::array<PageFile, @n@> files = {{
@list@  }};
  return files;
}

}  // namespace dealer::web
]])
list(TRANSFORM page_files PREPEND ${page}/)
set_source_files_properties(${web_page} PROPERTIES OBJECT_DEPENDS "${page_files}" SKIP_UNITY_BUILD_INCLUSION ON)
