#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dealer::test {

// A fenced block of a page.
struct CodeBlock {
  int line = 0;  // of its first line in the file, from 1
  std::string language;
  std::vector<std::string> lines;
  std::string before;  // the text between the block above, or the heading, and this one
};

// `code` in the text of a page, without the ticks.
struct CodeSpan {
  int line = 0;
  std::string text;
  bool first_in_row = false;  // in the first column of a table
};

struct MarkdownPage {
  std::string name;  // "docs/cli.md"
  std::vector<CodeBlock> blocks;
  std::vector<CodeSpan> spans;
};

MarkdownPage read_markdown(const std::filesystem::path& root, const std::string& name);

// README.md, README.ja.md and all below docs/, by name.
std::vector<std::string> markdown_pages(const std::filesystem::path& root);

}  // namespace dealer::test
