#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dealer::studies {

// Rows of cells, plain text; the first row and the first column are headings.
using Cells = std::vector<std::vector<std::string>>;

// A page of HTML that needs nothing else: style and pictures are in it, no reference to another file. It is XML, too.
// Light and dark, for wide and narrow screens and for paper. All text is plain and escaped here; pictures are SVG as
// Picture makes it.
class Page {
 public:
  Page(std::string_view title, std::string_view lead);

  void heading(std::string_view text);
  void paragraph(std::string_view text);  // nothing where it is empty
  // What stands before the first colon of an item is set off.
  void list(const std::vector<std::string>& items);
  // The same of what a report comes to, the most important first: a few of them, the rest in a part that opens.
  void conclusions(const std::vector<std::string>& items);
  // A picture with what it shows below, and its numbers in a table that opens; none where they stand beside it.
  void figure(std::string_view svg, std::string_view caption, const Cells& numbers);
  void table(const Cells& cells);
  void subheading(std::string_view text);
  // A list of cases, each with a coloured edge: tone 0 none, 1 good, 2 to 4 worse and worse.
  struct Entry {
    std::string id;    // where links lead; may be empty
    std::string link;  // the id that the title leads to; may be empty
    int tone = 0;
    std::string title, text;
    std::string details;  // as it is written, line by line, in a part that opens; may be empty
    Cells numbers;        // there, too
  };
  void entries(const std::vector<Entry>& entries);
  // Markup as it stands, well-formed XML: what no other part of a page can do. The page must read well without any
  // script that is in it. What is of the class "wide" is laid out as the page is: text in its column, tables as wide as
  // they need.
  void markup(std::string_view xml) { body_ += xml; }
  // The whole document.
  std::string finish(std::string_view footer) const;

 private:
  std::string title_;
  std::string body_;
};

}  // namespace dealer::studies
