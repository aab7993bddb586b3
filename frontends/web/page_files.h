#pragma once

#include <span>
#include <string_view>

namespace dealer::web {

// A file of the page, as it was built (frontends/web/page/dist) and put into the program by cmake/web_page.cmake.
struct PageFile {
  std::string_view path;  // "/index.html", "/assets/page-1a2b.js.gz"
  std::string_view bytes;
};
// By path, sorted.
std::span<const PageFile> page_files();

}  // namespace dealer::web
