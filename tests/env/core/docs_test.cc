// Links between the documents lead somewhere.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

namespace dealer {
namespace {

namespace fs = std::filesystem;

TEST(Docs, LinksLeadToFiles) {
  const fs::path root = DEALER_SOURCE_DIR;
  std::vector<fs::path> pages = {root / "README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  const std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
  int links = 0;
  for (const fs::path& page : pages) {
    std::ifstream file(page);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (auto it = std::sregex_iterator(text.begin(), text.end(), link); it != std::sregex_iterator(); ++it, ++links)
      EXPECT_TRUE(fs::exists(page.parent_path() / (*it)[1].str())) << page << " links to " << (*it)[1];
  }
  EXPECT_GT(links, 40);
}

}  // namespace
}  // namespace dealer
