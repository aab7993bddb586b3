#pragma once

#include <string>
#include <string_view>
#include <vector>

// Text for a screen of so many columns. Escape sequences of colours take none.
namespace dealer::terminal {

// Columns of a line.
int columns(std::string_view line);
std::string pad_right(std::string line, int width);
std::string pad_left(std::string line, int width);

// The text with lines broken at blanks so that none is wider; a card is never broken, a word only where it is wider
// than a line, if it can be behind a comma. What goes on in a new line stands under the text it belongs to: behind the
// indent of its line or, where a line has two columns ("  hint   what the adviser would do"), under the second. 0: as
// it is.
std::string wrap(std::string_view text, int width);

// A list of items such as "you +40, rule 2 -40", of which none is broken as long as it fits into a line of its own.
std::string wrap_list(std::string_view text, int width);

// "41%"; "<1%" and ">99%" of what is not quite impossible or certain.
std::string percent(double share);

// "and so on" in the width: what is too long loses its middle, so that numbers at the end stay.
std::string shorten(const std::string& name, int width);

}  // namespace dealer::terminal
