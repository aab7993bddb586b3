#include "frontends/terminal/style.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace dealer::terminal::style_test {
namespace {

TEST(Style, PlainTextHasNoEscapes) {
  const Style plain;
  EXPECT_EQ(card_slot(parse_card("Td"), plain), "Td  ");
  EXPECT_EQ(card_slot(parse_card("Td"), plain, true), "Td* ");
  EXPECT_EQ(empty_slot(plain), "--  ");
  EXPECT_EQ(static_cast<int>(empty_slot(plain).size()), slot_width(plain));
  EXPECT_EQ(bold("x", plain) + dim("y", plain) + warning("z", plain), "xyz");
  EXPECT_EQ(signed_points(3, plain), "+3");
  EXPECT_EQ(signed_points(-2.5, plain), "-2.5");
  EXPECT_EQ(signed_points(0, plain), "0");
}

TEST(Style, ColoursTellSuitsAndMarksApart) {
  const Style color{.color = true, .symbols = false}, symbols{.color = true, .symbols = true};
  EXPECT_NE(card_slot(parse_card("As"), color).substr(0, 16), card_slot(parse_card("Ah"), color).substr(0, 16));
  EXPECT_NE(card_slot(parse_card("As"), color), card_slot(parse_card("As"), color, true));
  EXPECT_NE(card_slot(parse_card("As"), color).find(" As "), std::string::npos);
  EXPECT_NE(card_slot(parse_card("As"), symbols).find(" A\u2660 "), std::string::npos);
  EXPECT_TRUE(signed_points(-1, color).ends_with("-1\x1b[0m"));
}

// Sets a variable for one test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    const char* before = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    if (before != nullptr) before_ = before;
    if (value == nullptr)
      unsetenv(name);  // NOLINT(concurrency-mt-unsafe)
    else
      setenv(name, value, 1);  // NOLINT(concurrency-mt-unsafe)
  }
  ~Variable() {
    if (before_)
      setenv(name_, before_->c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    else
      unsetenv(name_);  // NOLINT(concurrency-mt-unsafe)
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(Style, APipeIsPlain) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_FALSE(style_for(ends[1]).color);
  EXPECT_FALSE(style_for(ends[1]).symbols);
  close(ends[0]);
  close(ends[1]);
}

TEST(Style, ATerminalHasColoursUnlessToldOtherwise) {
  int controller = -1, terminal = -1;
  ASSERT_EQ(openpty(&controller, &terminal, nullptr, nullptr, nullptr), 0);
  const Variable all("LC_ALL", "C.UTF-8"), term("TERM", "xterm"), colors("NO_COLOR", nullptr);
  EXPECT_TRUE(style_for(terminal).color);
  EXPECT_TRUE(style_for(terminal).symbols);
  {
    const Variable locale("LC_ALL", "C");
    EXPECT_TRUE(style_for(terminal).color);
    EXPECT_FALSE(style_for(terminal).symbols);
  }
  {
    const Variable no_color("NO_COLOR", "1");
    EXPECT_FALSE(style_for(terminal).color);
  }
  {
    const Variable empty("NO_COLOR", "");
    EXPECT_TRUE(style_for(terminal).color);
  }
  const Variable dumb("TERM", "dumb");
  EXPECT_FALSE(style_for(terminal).color);
  close(controller);
  close(terminal);
}

TEST(Style, IsAsWideAsTheTerminal) {
  int controller = -1, terminal = -1;
  winsize size{};
  size.ws_col = 50;
  ASSERT_EQ(openpty(&controller, &terminal, nullptr, nullptr, &size), 0);
  const Variable columns("COLUMNS", "132");
  EXPECT_EQ(style_for(terminal).width, 50);
  size.ws_col = 400;
  ASSERT_EQ(ioctl(terminal, TIOCSWINSZ, &size), 0);
  EXPECT_EQ(style_for(terminal).width, 120) << "longer lines are hard to read";
  size.ws_col = 5;
  ASSERT_EQ(ioctl(terminal, TIOCSWINSZ, &size), 0);
  EXPECT_EQ(style_for(terminal).width, 40) << "there is nothing to draw in less";
  close(controller);
  close(terminal);
}

TEST(Style, WithoutATerminalColumnsSaysHowWide) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const auto width = [&](const char* columns) {
    const Variable variable("COLUMNS", columns);
    return style_for(ends[1]).width;
  };
  EXPECT_EQ(width(nullptr), 80);
  EXPECT_EQ(width("64"), 64);
  for (const char* bad : {"", "0", "-7", "wide", "99999999999999999999"}) EXPECT_EQ(width(bad), 80) << bad;
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace dealer::terminal::style_test
