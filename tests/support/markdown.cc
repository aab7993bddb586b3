#include "tests/support/markdown.h"

#include <algorithm>
#include <fstream>
#include <utility>

namespace dealer::test {

namespace fs = std::filesystem;

MarkdownPage read_markdown(const fs::path& root, const std::string& name) {
  MarkdownPage page{name, {}, {}};
  std::ifstream file(root / name);
  std::string line, before;
  bool fenced = false;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.starts_with("```")) {
      fenced = !fenced;
      if (fenced) page.blocks.push_back({number + 1, line.substr(3), {}, std::exchange(before, "")});
      continue;
    }
    if (fenced) {
      page.blocks.back().lines.push_back(line);
      continue;
    }
    if (line.starts_with('#')) before.clear();
    before += line + '\n';
    const std::size_t column = line.starts_with("| ") ? line.find(" | ") : 0;
    for (std::size_t open = line.find('`'); open != std::string::npos;) {
      const std::size_t close = line.find('`', open + 1);
      if (close == std::string::npos) break;
      page.spans.push_back({number, line.substr(open + 1, close - open - 1), open < column});
      open = line.find('`', close + 1);
    }
  }
  return page;
}

std::vector<std::string> markdown_pages(const fs::path& root) {
  std::vector<std::string> names = {"README.ja.md", "README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") names.push_back(fs::relative(entry.path(), root).string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace dealer::test
