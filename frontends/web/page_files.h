#pragma once

#include <span>
#include <string_view>

namespace dealer::web {

// A file of the built page (frontends/web/page/dist), embedded by cmake/web_page.cmake.
struct PageFile {
  std::string_view path;  // "/index.html", "/assets/page-1a2b.js.gz"
  std::string_view bytes;
};
// Sorted by path.
std::span<const PageFile> page_files();

}  // namespace dealer::web
