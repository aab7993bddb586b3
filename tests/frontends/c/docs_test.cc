#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/frontends/c/c_support.h"
#include "tests/support/markdown.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

// What docs/c-interface.md shows are the programs in examples/c/, which the tests of the packages compile and run.
namespace dealer::c_docs_test {
namespace {

namespace fs = std::filesystem;

TEST(CInterfacePage, ShowsTheExamples) {
  const fs::path root = test::source_dir();
  std::vector<std::string> examples;
  for (const auto& entry : fs::directory_iterator(root / "examples/c"))
    examples.push_back(test::read_bytes(entry.path()));
  EXPECT_GE(examples.size(), 3U);
  int shown = 0;
  for (const test::CodeBlock& block : test::read_markdown(root, "docs/c-interface.md").blocks) {
    if (block.language != "c") continue;
    std::string text;
    for (const std::string& line : block.lines) text += line + '\n';
    EXPECT_TRUE(std::any_of(examples.begin(), examples.end(),
                            [&](const std::string& example) { return example.find(text) != std::string::npos; }))
        << "docs/c-interface.md:" << block.line;
    ++shown;
  }
  EXPECT_EQ(shown, 2);
}

// Every `DC_...` and `dc_...` of the page is in the header.
TEST(CInterfacePage, NamesWhatIsInTheHeader) {
  const fs::path root = test::source_dir();
  const std::string header = test::read_bytes(root / "include/dealers_choice.h");
  std::set<std::string> names;
  for (const test::CodeSpan& span : test::read_markdown(root, "docs/c-interface.md").spans) {
    std::string name = span.text.substr(0, span.text.find('('));
    if ((name.starts_with("dc_") || name.starts_with("DC_")) && name != "dc_" && !name.starts_with("dc_..."))
      names.insert(name);
  }
  EXPECT_GE(names.size(), 15U);
  for (const std::string& name : names) EXPECT_NE(header.find(name), std::string::npos) << name;
}

}  // namespace
}  // namespace dealer::c_docs_test
