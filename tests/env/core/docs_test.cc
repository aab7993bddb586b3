// Links between the documents lead somewhere.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "tests/support/markdown.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace dealer::core_docs_test {
namespace {

namespace fs = std::filesystem;

TEST(Docs, LinksLeadToFiles) {
  const fs::path root = test::source_dir();
  const std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
  int links = 0;
  for (const std::string& name : test::markdown_pages(root)) {
    const fs::path page = root / name;
    const std::string text = test::read_bytes(page);
    for (auto it = std::sregex_iterator(text.begin(), text.end(), link); it != std::sregex_iterator(); ++it, ++links)
      EXPECT_TRUE(fs::exists(page.parent_path() / (*it)[1].str())) << page << " links to " << (*it)[1];
  }
  EXPECT_GT(links, 40);
}

// "## Games of `cli`" is reached by "#games-of-cli".
std::set<std::string> anchors(const fs::path& page) {
  std::set<std::string> names;
  std::ifstream file(page);
  bool fenced = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) fenced = !fenced;
    if (fenced || !line.starts_with('#')) continue;
    std::string name;
    for (const char c : line.substr(line.find(' ') + 1)) {
      const auto letter = static_cast<unsigned char>(c);
      if (c == ' ' || c == '-') name += '-';
      if (std::isalnum(letter) != 0 || c == '_' || letter >= 0x80) name += static_cast<char>(std::tolower(letter));
    }
    names.insert(name);
  }
  return names;
}

TEST(Docs, LinksIntoPagesLeadToHeadings) {
  const fs::path root = test::source_dir();
  const std::regex link(R"(\]\(([^)#: ]*)#([^)]+)\))");
  int links = 0;
  for (const std::string& name : test::markdown_pages(root)) {
    const std::string text = test::read_bytes(root / name);
    for (auto it = std::sregex_iterator(text.begin(), text.end(), link); it != std::sregex_iterator(); ++it, ++links) {
      const std::string file = (*it)[1];
      const fs::path page = file.empty() ? root / name : (root / name).parent_path() / file;
      EXPECT_EQ(anchors(page).count((*it)[2]), 1U) << name << " links to " << file << '#' << (*it)[2];
    }
  }
  EXPECT_GT(links, 15);
}

}  // namespace
}  // namespace dealer::core_docs_test
