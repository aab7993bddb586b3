#include "cli/hands_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "cli/hands_text.h"

namespace dealer::cli {
namespace {

constexpr double kWidth = 940, kMargin = 24;
constexpr double kTop = 92, kRow = 32, kBar = 16;
constexpr double kCode = 74, kName = 84;                      // where the code ends and the name begins
constexpr double kLeft = 258, kRight = 644;                   // of the axis
constexpr double kCount = 758, kRatio = 832, kVerdict = 880;  // ends of columns, centre of the last
constexpr double kBelow = 92;                                 // axis and legend
constexpr double kMostLabels = 6;                             // on the axis
constexpr std::size_t kLongestName = 21, kLongestTitle = 60;

// Colours for light and for dark surroundings.
constexpr std::string_view kStyle = R"(<style>
  text { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; font-size: 13px; fill: #24292f }
  .paper { fill: #ffffff; stroke: #d0d7de } .grid { stroke: #e4e8ec } .quiet { fill: #57606a } .small { font-size: 11.5px }
  .title { font-size: 17px; font-weight: 600 } .code { font-weight: 600 } .figure { font-variant-numeric: tabular-nums }
  .base { fill: #dbe3ec } .step { fill: #4a7fc1 } .rail { stroke: #8c959f; stroke-dasharray: 2 3; fill: none }
  .X { fill: #bf8700 } .XX { fill: #d9622b } .XXX { fill: #cf222e } .badge { fill: #ffffff; font-weight: 700; font-size: 11px }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .paper { fill: #161b22; stroke: #30363d } .grid { stroke: #2a3038 } .quiet { fill: #9aa4af }
    .base { fill: #313a45 } .step { fill: #5d97dd } .rail { stroke: #7d8590 }
    .X { fill: #b98a1b } .XX { fill: #d9622b } .XXX { fill: #e5484d } .badge { fill: #ffffff }
  }
</style>
)";

std::string escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      escaped += c;
  }
  return escaped;
}

// Shortened by its middle; not within a character of several bytes.
std::string fit(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return escape(text);
  std::size_t head = longest / 2, tail = text.size() - (longest - head - 1);
  const auto inside = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U; };
  while (head > 0 && inside(head)) --head;
  while (tail < text.size() && inside(tail)) ++tail;
  return escape(text.substr(0, head)) + "…" + escape(text.substr(tail));
}

class Picture {
 public:
  Picture(const Census& census, const std::string& deck, const std::string& ranking)
      : census_(census), rows_(static_cast<double>(census.rows.size())) {
    for (const CensusRow& row : census.rows) decades_ = std::max(decades_, std::ceil(row.rarity.value_or(0)));
    height_ = kTop + rows_ * kRow + kBelow;
    add(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:g} {1:g}" width="{0:g}" height="{1:g}" role="img">)",
        kWidth, height_);
    svg_ += '\n';
    svg_ += kStyle;
    add("<title>{}: how rare the hands are</title>\n", escape(deck));
    add("<rect class=\"paper\" x=\"0.5\" y=\"0.5\" width=\"{:g}\" height=\"{:g}\" rx=\"8\"/>\n", kWidth - 1,
        height_ - 1);
    head(deck, ranking);
    axis();
    for (std::size_t i = 0; i < census.rows.size(); ++i) row(i);
    legend();
    svg_ += "</svg>\n";
  }

  std::string take() { return std::move(svg_); }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> pattern, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(svg_), pattern, std::forward<Arguments>(arguments)...);
  }
  void text(double x, double y, std::string_view look, std::string_view anchor, const std::string& what) {
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\" text-anchor=\"{}\">{}</text>\n", x, y, look, anchor, what);
  }
  double x(double rarity) const { return kLeft + (kRight - kLeft) * rarity / decades_; }
  // The weakest category is the lowest row.
  double y(std::size_t index) const { return kTop + (rows_ - 1 - static_cast<double>(index)) * kRow; }

  void head(const std::string& deck, const std::string& ranking) {
    text(kMargin, 36, "title", "start", fit(deck, kLongestTitle));
    text(kMargin, 58, "quiet", "start",
         fmt::format("{} hands of {}, ranking {}", census_.total, hand_size_text(census_.cards),
                     fit(ranking, kLongestTitle)));
    text(kCount, kTop - 12, "quiet small", "end", "hands");
    text(kRatio, kTop - 12, "quiet small", "end", "ratio");
    text(kVerdict, kTop - 12, "quiet small", "middle", "verdict");
  }

  void axis() {
    const double bottom = kTop + rows_ * kRow;
    const int every = decades_ > kMostLabels ? 2 : 1;
    for (int decade = 0; decade <= static_cast<int>(decades_); ++decade) {
      add("<line class=\"grid\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>\n", x(decade), kTop - 4,
          bottom + 2);
      if (decade % every != 0) continue;
      static constexpr std::string_view kOneIn[] = {"1", "10", "100", "1k", "10k", "100k", "1M", "10M", "100M", "1G"};
      const auto at = static_cast<std::size_t>(decade);
      const std::string one_in = at < std::size(kOneIn) ? std::string(kOneIn[at]) : fmt::format("1e{}", decade);
      text(x(decade), bottom + 18, "quiet small", "middle", fmt::format("1 in {}", one_in));
    }
  }

  void row(std::size_t index) {
    const CensusRow& row = census_.rows[index];
    const double top = y(index) + (kRow - kBar) / 2, middle = top + kBar / 2, base = middle + 4.5;
    text(kCode, base, "code", "end", fit(row.code, 6));
    text(kName, base, "quiet", "start", fit(row.name, kLongestName));
    text(kCount, base, "figure", "end", count_text(census_, row));
    if (!row.rarity) {
      text(kLeft + 8, base, "quiet small", "start", "no hand counts as this");
      return;
    }
    text(kRatio, base, "figure", "end", fmt::format("{:.2f}", *row.ratio));
    const double to = x(*row.rarity), from = std::min(x(before_), to), until = std::max(x(before_), to);
    add("<rect class=\"base\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:g}\" rx=\"2\"/>\n", kLeft, top,
        std::max(to - kLeft, 1.5), kBar);
    const std::string look = row.verdict.empty() ? "step" : row.verdict;
    // A step back is drawn thinner: it reaches from where the weaker category stands.
    const double thick = *row.ratio < 1 ? kBar / 2 : kBar;
    add("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:g}\" rx=\"2\"/>\n", look, from,
        middle - thick / 2, std::max(until - from, 2.0), thick);
    // The rail up to the next step.
    if (index + 1 < census_.rows.size())
      add("<path class=\"rail\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>\n", to, top, y(index + 1) + (kRow + kBar) / 2);
    if (!row.verdict.empty()) {
      const double width = 14 + 8 * static_cast<double>(row.verdict.size());
      add("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:g}\" height=\"18\" rx=\"9\"/>\n", look,
          kVerdict - width / 2, middle - 9, width);
      text(kVerdict, middle + 4, "badge", "middle", row.verdict);
    }
    before_ = *row.rarity;
  }

  void legend() {
    static constexpr std::pair<std::string_view, std::string_view> kEntries[] = {
        {"step", "a good step"},
        {"X", "X: nearly as common (below 1.1), or a step above 3"},
        {"XX", "XX: below 1.05"},
        {"XXX", "XXX: more common than the weaker one"}};
    const double line = height_ - 28;
    double at = kMargin;
    for (const auto& [look, meaning] : kEntries) {
      add("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\" rx=\"2\"/>\n", look, at, line - 10);
      text(at + 18, line, "quiet small", "start", std::string(meaning));
      at += 46 + 6.3 * static_cast<double>(meaning.size());
    }
  }

  const Census& census_;
  double rows_;
  double decades_ = 1;
  double height_ = 0;
  double before_ = 0;  // rarity of the row below
  std::string svg_;
};

}  // namespace

std::string census_svg(const Census& census, const std::string& deck, const std::string& ranking) {
  return Picture(census, deck, ranking).take();
}

}  // namespace dealer::cli
