#include "arena/report/page.h"

#include <algorithm>
#include <span>

#include "arena/report/text.h"

namespace dealer::studies {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --paper: #fbfaf7; --card: #ffffff; --ink: #1f2630; --quiet: #5b6673; --line: #dcdfe3;
  --first: #2563a8; --second: #b9571a; --good: #2c7a4b; --on: #ffffff; --felt: #e9eef3; --shadow: #1f263059 }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #12161b; --card: #1a2027; --ink: #e7ebef;
  --quiet: #9ca8b4; --line: #323b45; --first: #6aa9ee; --second: #ee9a5c; --good: #63c08a; --on: #0d1116; --felt: #242c35;
  --shadow: #000000b3 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI",
  "DejaVu Sans", sans-serif }
/* Specs of agents have no spaces. */
main { padding: 2rem 1.1rem 3rem; overflow-wrap: anywhere }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .4rem }
h3 { font-size: 1rem; margin: 1.6rem 0 .2rem }
li.tone0 { border-left-color: var(--line) } li.tone1 { border-left-color: var(--good) }
li.tone2 { border-left-color: #d9b13b } li.tone3 { border-left-color: #e07b28 } li.tone4 { border-left-color: #c62f2f }
li p { margin: .15rem 0 } li a { color: inherit }
pre { overflow-x: auto; font-size: .8rem; line-height: 1.35; margin: .4rem 0 }
h2 { font-size: 1.2rem; margin: 2.4rem 0 .5rem; padding-top: 1.1rem; border-top: 1px solid var(--line) }
p { margin: .5rem 0 } .lead, footer { color: var(--quiet) } footer { margin-top: 2.5rem; font-size: .875rem }
ul { margin: .6rem 0; padding: 0; list-style: none }
li { margin: .5rem 0; padding: .6rem .85rem; background: var(--card); border: 1px solid var(--line);
  border-left: .25rem solid var(--first); border-radius: .4rem }
figure { margin: 1rem 0; padding: .8rem .5rem .6rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .6rem; break-inside: avoid }
figure svg { display: block; width: 100%; max-width: 33rem; height: auto; margin: 0 auto }
figcaption { margin: .5rem .4rem 0; font-size: .9rem; color: var(--quiet) }
details { margin: .4rem .4rem 0; font-size: .9rem } summary { color: var(--first); cursor: pointer }
details.more { font-size: 1rem }
/* Wide tables leave the column of text; where they scroll, a shadow lies on the side that has more. */
.scroll { overflow-x: auto; --under: var(--paper); background:
  linear-gradient(to right, var(--under) 40%, transparent) -1px 0 / 2.5rem 100% no-repeat local,
  linear-gradient(to left, var(--under) 40%, transparent) calc(100% + 1px) 0 / 2.5rem 100% no-repeat local,
  linear-gradient(to right, var(--shadow), transparent) 0 0 / .9rem 100% no-repeat scroll,
  linear-gradient(to left, var(--shadow), transparent) 100% 0 / .9rem 100% no-repeat scroll }
figure .scroll, li .scroll { --under: var(--card) }
table { border-collapse: collapse; margin: .5rem 0; font-size: .85rem; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap;
  overflow-wrap: normal }
th:first-child { text-align: left } tbody th { font-weight: 600 }
thead th { color: var(--quiet); font-weight: 600; white-space: normal; vertical-align: bottom; min-width: 5.5rem }
th.text { text-align: left } td.text { white-space: normal; text-align: left; min-width: 18rem }
/* Choices may be long, and are told apart by their figures. */
li tbody th { white-space: normal; min-width: 6rem; overflow-wrap: anywhere }
li th, li td { padding: .25rem .4rem } li thead th { min-width: 0 }
svg text { font-family: inherit; font-size: 12.5px; fill: var(--ink) }
svg .quiet { fill: var(--quiet) } svg .small { font-size: 11px } svg .strong { font-weight: 600 }
svg .value { paint-order: stroke; stroke: var(--card); stroke-width: 3px } svg .large { font-size: 17px; font-weight: 600 } svg .on { fill: var(--on) }
svg line.second { stroke: var(--second); stroke-width: 2 }
svg .axis { stroke: var(--line); stroke-width: 1 } svg .mark { stroke: var(--quiet); stroke-width: 1.2; stroke-dasharray: 4 3 }
svg .first { fill: var(--first) } svg .second { fill: var(--second) } svg .good { fill: var(--good) }
svg .felt { fill: var(--felt) } svg .card { fill: var(--card); stroke: var(--ink); stroke-width: 1.2 }
svg .chip { fill: var(--card); stroke: var(--first); stroke-width: 3 } svg .whisker { stroke: var(--ink); stroke-width: 1.4 }
svg .curve { stroke: var(--first); stroke-width: 2 }
main > *, .wide > * { max-width: 43.8rem; margin-left: auto; margin-right: auto }
main > .wide { max-width: none }
main > .scroll, .wide > .scroll { width: fit-content; min-width: min(100%, 43.8rem); max-width: 100% }
main > details.more { margin: .4rem auto }
@media print { body { background: #fff; font-size: 10.5pt } main { padding: 0 } main > *, .wide > * { max-width: none } details { display: none }
  details.more { display: block } details.more::details-content { content-visibility: visible }
  .scroll { overflow: visible; background: none }
  h2 { break-after: avoid } li, figure { border-color: #bbb } }
)";

// The columns of sentences, which may wrap.
std::vector<bool> columns_of_text(const Cells& cells) {
  constexpr std::size_t kLongest = 48;
  std::vector<bool> text(cells.empty() ? 0 : cells.front().size());
  for (std::size_t row = 1; row < cells.size(); ++row)
    for (std::size_t c = 1; c < std::min(text.size(), cells[row].size()); ++c)
      if (cells[row][c].size() > kLongest) text[c] = true;
  return text;
}

void add_cells(std::string& out, const std::vector<std::string>& cells, bool heading, const std::vector<bool>& text) {
  out += "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool is_heading = heading || i == 0;
    out += is_heading ? (heading ? "<th scope=\"col\"" : "<th scope=\"row\"") : "<td";
    out += i < text.size() && text[i] ? " class=\"text\">" : ">";
    out += escape(cells[i]);
    out += is_heading ? "</th>" : "</td>";
  }
  out += "</tr>\n";
}

std::string table_of(const Cells& cells) {
  const std::vector<bool> text = columns_of_text(cells);
  std::string out = "<div class=\"scroll\"><table>\n<thead>";
  if (!cells.empty()) add_cells(out, cells.front(), true, text);
  out += "</thead>\n<tbody>\n";
  for (std::size_t row = 1; row < cells.size(); ++row) add_cells(out, cells[row], false, text);
  return out + "</tbody></table></div>\n";
}

// Escapes the text and keeps a figure and its interval on one line.
std::string running(std::string_view text) {
  constexpr std::string_view kApart = " ± ", kTogether = "\u00a0±\u00a0";
  std::string out = escape(text);
  for (std::size_t at = out.find(kApart); at != std::string::npos; at = out.find(kApart, at + kTogether.size()))
    out.replace(at, kApart.size(), kTogether);
  return out;
}

std::string list_of(std::span<const std::string> items) {
  std::string out = "<ul>\n";
  for (const std::string& item : items) {
    const std::size_t colon = item.find(": ");
    const std::size_t head = colon == std::string::npos ? 0 : colon + 1;
    out += "<li><strong>" + running(item.substr(0, head)) + "</strong>" + running(item.substr(head)) + "</li>\n";
  }
  return out + "</ul>\n";
}

std::string element(std::string_view name, std::string_view text) {
  std::string out = "<";
  out += name;
  out += '>';
  out += running(text);
  out += "</";
  // The closing tag has no attributes.
  out += name.substr(0, name.find(' '));
  return out + ">\n";
}

}  // namespace

Page::Page(std::string_view title, std::string_view lead) : title_(title) {
  body_ = element("h1", title) + element("p class=\"lead\"", lead);
}

void Page::heading(std::string_view text) { body_ += element("h2", text); }

void Page::paragraph(std::string_view text) {
  if (!text.empty()) body_ += element("p", text);
}

void Page::list(const std::vector<std::string>& items) { body_ += list_of(items); }

void Page::conclusions(const std::vector<std::string>& items) {
  constexpr std::size_t kShown = 6;
  const std::span<const std::string> all(items);
  const std::size_t shown = std::min(kShown, all.size());
  body_ += list_of(all.first(shown));
  if (shown == all.size()) return;
  body_ += "<details class=\"more\"><summary>… " + std::to_string(all.size() - shown) + " more</summary>\n" +
           list_of(all.subspan(shown)) + "</details>\n";
}

void Page::figure(std::string_view svg, std::string_view caption, const Cells& numbers) {
  body_ += "<figure>\n";
  body_ += svg;
  body_ += element("figcaption", caption);
  if (!numbers.empty()) body_ += "<details><summary>Numbers</summary>\n" + table_of(numbers) + "</details>\n";
  body_ += "</figure>\n";
}

void Page::table(const Cells& cells) { body_ += table_of(cells); }

void Page::subheading(std::string_view text) { body_ += element("h3", text); }

void Page::entries(const std::vector<Entry>& entries) {
  body_ += "<ul>\n";
  for (const Entry& entry : entries) {
    body_ += "<li class=\"tone" + std::to_string(entry.tone) + '"';
    if (!entry.id.empty()) body_ += " id=\"" + escape(entry.id) + '"';
    body_ += "><strong>";
    body_ += entry.link.empty() ? running(entry.title)
                                : "<a href=\"#" + escape(entry.link) + "\">" + running(entry.title) + "</a>";
    body_ += "</strong>\n" + element("p", entry.text);
    if (!entry.details.empty() || !entry.numbers.empty()) {
      body_ += "<details><summary>Position and choices</summary>\n";
      if (!entry.details.empty()) body_ += "<pre>" + escape(entry.details) + "</pre>\n";
      if (!entry.numbers.empty()) body_ += table_of(entry.numbers);
      body_ += "</details>\n";
    }
    body_ += "</li>\n";
  }
  body_ += "</ul>\n";
}

std::string Page::finish(std::string_view footer) const {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n";
  page += element("title", title_);
  page += "<style>";
  page += kStyle;
  page += "</style>\n</head>\n<body>\n<main>\n" + body_;
  page += element("footer", footer);
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace dealer::studies
