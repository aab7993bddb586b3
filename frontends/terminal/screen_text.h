#pragma once

#include <string>
#include <string_view>
#include <vector>

// Text for a screen of limited width. Escape sequences of colours take no columns.
namespace dealer::terminal {

// Width of a line in columns.
int columns(std::string_view line);
std::string pad_right(std::string line, int width);
std::string pad_left(std::string line, int width);

// The line without trailing blanks, and a newline.
std::string as_line(std::string line);

// Wraps text at blanks so that no line is wider; a card is never broken, a word only if it is wider than a
// line, then after a comma if possible. Continuation lines are aligned under their text: indented like their
// line or, in a line of two columns ("  hint   what the adviser would do"), under the second column. 0: no
// wrapping.
std::string wrap(std::string_view text, int width);

// Wraps a list of items such as "you +40, rule 2 -40" without breaking any item that fits into a line.
std::string wrap_list(std::string_view text, int width);

// "41%"; "<1%" and ">99%" for probabilities near but not equal to 0 and 1.
std::string percent(double share);

// Shortens a name to the width: removes the middle of a long one, so that numbers at the end stay.
std::string shorten(const std::string& name, int width);

}  // namespace dealer::terminal
