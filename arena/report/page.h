#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dealer::studies {

// Rows of cells, plain text; the first row and the first column are headings.
using Cells = std::vector<std::vector<std::string>>;

// A self-contained HTML page: style and pictures are embedded. It is valid XML, too. With light and
// dark styles, for wide and narrow screens and for print. All text is plain and escaped here;
// pictures are SVG from Picture.
class Page {
 public:
  Page(std::string_view title, std::string_view lead);

  void heading(std::string_view text);
  void paragraph(std::string_view text);  // nothing for an empty text
  // The text before the first colon of an item is emphasised.
  void list(const std::vector<std::string>& items);
  // The conclusions of a report, the most important first: a few of them, the rest in a collapsed section.
  void conclusions(const std::vector<std::string>& items);
  // A picture with a caption, and its numbers in a collapsed table; none if they are shown next to it.
  void figure(std::string_view svg, std::string_view caption, const Cells& numbers);
  void table(const Cells& cells);
  void subheading(std::string_view text);
  // A list of cases, each with a coloured edge: tone 0 none, 1 good, 2 to 4 increasingly bad.
  struct Entry {
    std::string id;    // anchor of the entry; may be empty
    std::string link;  // the id that the title links to; may be empty
    int tone = 0;
    std::string title, text;
    std::string details;  // preformatted text in a collapsed section; may be empty
    Cells numbers;        // in the same section
  };
  void entries(const std::vector<Entry>& entries);
  // Raw markup, well-formed XML, for content that no other function supports. The page must be
  // readable without any script in it. Elements of class "wide" follow the page layout: text in its
  // column, tables as wide as necessary.
  void markup(std::string_view xml) { body_ += xml; }
  // Returns the whole document.
  std::string finish(std::string_view footer) const;

 private:
  std::string title_;
  std::string body_;
};

}  // namespace dealer::studies
