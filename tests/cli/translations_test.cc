// Japanese pages are up to date with the English ones. The first line of each names its English source pages and the
// CRC-32C of their bytes at that time:
//   <!-- Translated from docs/rules/ofc.md (CRC-32C 1a2b3c4d), docs/rules/decks.md (CRC-32C 5e6f7a8b) -->
// The page of the same name comes first; these two link to each other.

#include <fmt/format.h>

#include <filesystem>
#include <regex>

#include "env/core/crc32c.h"
#include "tests/support/markdown.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts.h"

namespace dealer::test::translations_test {
namespace {

bool is_japanese(const std::string& page) { return page.starts_with("docs/ja/") || page.ends_with(".ja.md"); }

std::string english_name(const std::string& japanese) {
  const std::string folder = "docs/ja/";
  return japanese.starts_with(folder) ? "docs/" + japanese.substr(folder.size()) : changed(japanese, ".ja.", ".");
}

bool links(const fs::path& root, const std::string& from, const std::string& to) {
  return contains(read_bytes(root / from),
                  "](" + fs::path(to).lexically_relative(fs::path(from).parent_path()).string() + ")");
}

// A line for each English page that has changed since, or for an error in the first line or the links.
Words faults(const fs::path& root, const std::string& japanese) {
  const std::string text = read_bytes(root / japanese), first = text.substr(0, text.find('\n'));
  const std::string english = english_name(japanese);
  if (!first.starts_with("<!-- Translated from " + english + " (CRC-32C "))
    return {japanese + ":1: expected '<!-- Translated from " + english + " (CRC-32C …) -->'"};
  Words lines;
  const std::regex source(R"((\S+) \(CRC-32C ([0-9a-f]*)\))");
  for (auto it = std::sregex_iterator(first.begin(), first.end(), source); it != std::sregex_iterator(); ++it) {
    const std::string page = (*it)[1];
    if (!fs::exists(root / page)) {
      lines.push_back(japanese + ":1: there is no page " + page);
      continue;
    }
    const std::string now = fmt::format("{:08x}", crc32c(read_bytes(root / page)));
    if ((*it)[2] != now)
      lines.push_back(japanese + ": " + page + " has changed since it was translated; its CRC-32C is now " + now);
  }
  if (!links(root, japanese, english)) lines.push_back(japanese + ": no link to " + english);
  if (!links(root, english, japanese)) lines.push_back(english + ": no link to " + japanese);
  return lines;
}

TEST(Translations, AreOfThePagesThereAre) {
  const fs::path root = source_dir();
  int pages = 0;
  for (const std::string& page : markdown_pages(root)) {
    if (!is_japanese(page)) continue;
    ++pages;
    for (const std::string& fault : faults(root, page)) ADD_FAILURE() << fault;
  }
  EXPECT_GE(pages, 6);
}

class MadeTranslations : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "docs/ja/rules");
    fs::create_directories(folder_ / "docs/rules");
    write_bytes(folder_ / "docs/decks.md", "123456789");
    write_bytes(folder_ / "docs/rules/go.md", kEnglish);
    write(kSource + ", docs/decks.md (CRC-32C e3069283) -->");
  }
  void write(const std::string& first) const {
    write_bytes(folder_ / kPage, first + "\n# 囲碁\n[English](../../rules/go.md)\n");
  }
  Words found() const { return faults(folder_.path(), kPage); }

  const std::string kPage = "docs/ja/rules/go.md", kEnglish = "# Go\n[日本語](../ja/rules/go.md)\n";
  const std::string kSource = fmt::format("<!-- Translated from docs/rules/go.md (CRC-32C {:08x})", crc32c(kEnglish));
  TempFolder folder_;
};

TEST_F(MadeTranslations, OfPagesThatAreAsTheyWereAreRight) { EXPECT_EQ(found(), Words{}); }

TEST_F(MadeTranslations, OfPagesThatChangedAreNamedWithTheNewChecksum) {
  write_bytes(folder_ / "docs/decks.md", "12345678");
  EXPECT_EQ(
      found(),
      Words{"docs/ja/rules/go.md: docs/decks.md has changed since it was translated; its CRC-32C is now 6087809a"});
  const std::string changed = kEnglish + "More.\n";
  write_bytes(folder_ / "docs/rules/go.md", changed);
  EXPECT_EQ(found().at(0),
            fmt::format("docs/ja/rules/go.md: docs/rules/go.md has changed since it was translated; its CRC-32C is now "
                        "{:08x}",
                        crc32c(changed)));
}

TEST_F(MadeTranslations, NameTheirPages) {
  const Words expected = {"docs/ja/rules/go.md:1: expected '<!-- Translated from docs/rules/go.md (CRC-32C …) -->'"};
  write("# 囲碁");
  EXPECT_EQ(found(), expected);
  write("<!-- Translated from docs/decks.md (CRC-32C e3069283) -->");
  EXPECT_EQ(found(), expected);
  write(kSource + ", docs/hands.md (CRC-32C e3069283) -->");
  EXPECT_EQ(found(), Words{"docs/ja/rules/go.md:1: there is no page docs/hands.md"});
}

TEST_F(MadeTranslations, AreLinkedBothWays) {
  write_bytes(folder_ / kPage, kSource + " -->\n# 囲碁\n");
  EXPECT_EQ(found(), Words{"docs/ja/rules/go.md: no link to docs/rules/go.md"});
  write(fmt::format("<!-- Translated from docs/rules/go.md (CRC-32C {:08x}) -->", crc32c("# Go\n")));
  write_bytes(folder_ / "docs/rules/go.md", "# Go\n");
  EXPECT_EQ(found(), Words{"docs/rules/go.md: no link to docs/ja/rules/go.md"});
}

}  // namespace
}  // namespace dealer::test::translations_test
