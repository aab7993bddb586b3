// The pictures of docs/images in browsers: Chromium keeps the blanks of a text only where the <text> itself says so
// (xml:space="preserve"), not where a group around it does. A text that loses its blanks is stretched to its
// textLength all the same: over the cards beside it.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "tests/cli/run_dealer.h"
#include "tests/support/well_formed.h"

namespace dealer::docs_images_test {
namespace {

const std::filesystem::path kImages = std::filesystem::path(test::source_dir()) / "docs/images";

// The first text of a picture that loses blanks or has a length that counts on them, or the first other element that
// says to keep them; or nothing.
std::string lost_blanks(const std::string& svg) {
  static const std::regex element(R"(<([a-z]+)([^>]*)>([^<]*))"), blanks("^\\s|\\s$|\\s\\s");
  for (auto it = std::sregex_iterator(svg.begin(), svg.end(), element); it != std::sregex_iterator(); ++it) {
    const std::smatch& match = *it;
    const bool text = match[1] == "text";
    const bool kept = test::contains(match[2], "xml:space=\"preserve\"");
    const std::string words = match[3];
    const bool needed = std::regex_search(words, blanks) || test::contains(match[2], "textLength");
    if (text ? needed && !kept : test::contains(match[2], "xml:space")) return match.str();
  }
  return {};
}

TEST(DocsImages, EveryTextKeepsItsBlanksItself) {
  int pictures = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kImages)) {
    if (entry.path().extension() != ".svg") continue;
    SCOPED_TRACE(entry.path().filename().string());
    ++pictures;
    EXPECT_EQ(lost_blanks(test::read_bytes(entry.path())), "");
  }
  EXPECT_GE(pictures, 10);
}

TEST(DocsImages, TheCheckFindsWhatChromiumTears) {
  const std::string kept = R"(<g><text xml:space="preserve" x="1">  a  b </text>
<text x="2">a b</text>
</g>)";
  EXPECT_EQ(lost_blanks(kept), "");
  EXPECT_EQ(lost_blanks(R"(<g xml:space="preserve"><text>a b</text></g>)"), R"(<g xml:space="preserve">)");
  EXPECT_EQ(lost_blanks("<g><text> a</text></g>"), "<text> a");
  EXPECT_EQ(lost_blanks("<g><text>a </text></g>"), "<text>a ");
  EXPECT_EQ(lost_blanks("<g><text>a  b</text></g>"), "<text>a  b");
  EXPECT_EQ(lost_blanks(R"(<text textLength="9">a</text>)"), R"(<text textLength="9">a)");
}

TEST(DocsImages, ScreensAreDrawnWithTheirBlanks) {
  const auto drawn = test::run_script("python3 '" + (kImages / "terminal_svg.py").string() + "' <in >out 2>err",
                                      "  front  \x1b[1;38;5;1;48;5;255m Qh \x1b[0m   <&>\nback\n");
  ASSERT_EQ(drawn.status, 0) << drawn.err;
  EXPECT_EQ(test::xml_fault(drawn.out), "");
  EXPECT_EQ(lost_blanks(drawn.out), "");
  for (const char* words : {">  front  </text>", "> Qh </text>", ">   &lt;&amp;&gt;</text>", ">back</text>"})
    EXPECT_TRUE(test::contains(drawn.out, words)) << words << '\n' << drawn.out;
}

// What the program itself draws.
TEST(DocsImages, PicturesOfDecksDoWithoutBlanks) {
  const test::TempFolder folder;
  const std::string file = (folder / "ladder.svg").string();
  ASSERT_EQ(test::run_here({"hands", "court_tarot_54", "--plot", file}).status, 0);
  const std::string svg = test::read_bytes(file);
  EXPECT_EQ(lost_blanks(svg), "");
  EXPECT_EQ(svg, test::read_bytes(kImages / "court_tarot_54.svg"));
}

}  // namespace
}  // namespace dealer::docs_images_test
