#include "cli/hands_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "arena/output.h"
#include "arena/report/picture.h"

namespace dealer::cli {
namespace {

using Json = nlohmann::ordered_json;

Json count_json(const Census& census, const CensusRow& row) {
  if (row.weight % census.scale == 0) return row.weight / census.scale;
  return row.count;
}

std::string draw_percent(double share) { return fmt::format("{:.5f}%", 100 * share); }

std::string draw_interval(double width) {
  return std::isfinite(width) ? fmt::format("+-{:.5f}%", 100 * width) : std::string("unknown");
}

template <class Rows>
std::size_t widest(const Rows& rows, std::size_t at_least,
                   std::string std::decay_t<decltype(*std::declval<Rows>().begin())>::*field) {
  for (const auto& row : rows) at_least = std::max(at_least, (row.*field).size());
  return at_least;
}

// The legend of the verdicts in the table, a line each.
std::string verdict_legend(const Census& census) {
  std::string text;
  for (const char* verdict : {"X", "XX", "XXX"}) {
    const auto given = [&](const CensusRow& row) { return row.verdict == verdict; };
    if (std::any_of(census.rows.begin(), census.rows.end(), given))
      text += fmt::format("{}{:<3}  {}\n", text.empty() ? "\n" : "", verdict, verdict_meaning(verdict));
  }
  return text;
}

using studies::Picture;

constexpr double kWidth = 940, kMargin = 24;
constexpr double kTop = 92, kRow = 32, kBar = 16;
constexpr double kCode = 74, kName = 84;                      // where the code ends and the name begins
constexpr double kLeft = 258, kRight = 644;                   // ends of the axis
constexpr double kCount = 758, kRatio = 832, kVerdict = 880;  // ends of columns, centre of the last
constexpr double kBelow = 92;                                 // axis and legend
constexpr double kMostLabels = 6;                             // on the axis
constexpr std::size_t kLongestName = 21, kLongestTitle = 60;

// Colours for light and for dark backgrounds.
constexpr std::string_view kStyle = R"(
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
)";

// Shortened in its middle, never within a multi-byte character.
std::string fit(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return std::string(text);
  std::size_t head = longest / 2, tail = text.size() - (longest - head - 1);
  const auto inside = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U; };
  while (head > 0 && inside(head)) --head;
  while (tail < text.size() && inside(tail)) ++tail;
  return std::string(text.substr(0, head)) + "…" + std::string(text.substr(tail));
}

constexpr auto kStart = Picture::Anchor::kStart, kMiddle = Picture::Anchor::kMiddle, kEnd = Picture::Anchor::kEnd;

double decades_of(const Census& census) {
  double decades = 1;
  for (const CensusRow& row : census.rows) decades = std::max(decades, std::ceil(row.rarity.value_or(0)));
  return decades;
}

class CensusPicture {
 public:
  CensusPicture(const Census& census, const std::string& deck)
      : census_(census),
        rows_(static_cast<double>(census.rows.size())),
        decades_(decades_of(census)),
        height_(kTop + rows_ * kRow + kBelow),
        picture_(kWidth, height_, deck + ": how rare the hands are", kStyle) {
    picture_.rect(0.5, 0.5, kWidth - 1, height_ - 1, "paper", 1, 8);
  }

  std::string draw(const std::string& deck, const std::string& ranking) {
    head(deck, ranking);
    axis();
    for (std::size_t i = 0; i < census_.rows.size(); ++i) row(i);
    legend();
    return picture_.finish();
  }

 private:
  void text(double x, double y, std::string_view look, Picture::Anchor anchor, const std::string& what) {
    picture_.text(x, y, what, anchor, look);
  }
  double x(double rarity) const { return kLeft + (kRight - kLeft) * rarity / decades_; }
  // The weakest category is in the lowest row.
  double y(std::size_t index) const { return kTop + (rows_ - 1 - static_cast<double>(index)) * kRow; }

  void head(const std::string& deck, const std::string& ranking) {
    text(kMargin, 36, "title", kStart, fit(deck, kLongestTitle));
    text(kMargin, 58, "quiet", kStart,
         fmt::format("{} hands of {}, ranking {}", census_.total, hand_size_text(census_.cards),
                     fit(ranking, kLongestTitle)));
    text(kCount, kTop - 12, "quiet small", kEnd, "hands");
    text(kRatio, kTop - 12, "quiet small", kEnd, "ratio");
    text(kVerdict, kTop - 12, "quiet small", kMiddle, "verdict");
  }

  void axis() {
    const double bottom = kTop + rows_ * kRow;
    const int every = decades_ > kMostLabels ? 2 : 1;
    for (int decade = 0; decade <= static_cast<int>(decades_); ++decade) {
      picture_.line(x(decade), kTop - 4, x(decade), bottom + 2, "grid");
      if (decade % every != 0) continue;
      static constexpr std::string_view kOneIn[] = {"1", "10", "100", "1k", "10k", "100k", "1M", "10M", "100M", "1G"};
      const auto at = static_cast<std::size_t>(decade);
      const std::string one_in = at < std::size(kOneIn) ? std::string(kOneIn[at]) : fmt::format("1e{}", decade);
      text(x(decade), bottom + 18, "quiet small", kMiddle, fmt::format("1 in {}", one_in));
    }
  }

  void row(std::size_t index) {
    const CensusRow& row = census_.rows[index];
    const double top = y(index) + (kRow - kBar) / 2, middle = top + kBar / 2, base = middle + 4.5;
    text(kCode, base, "code", kEnd, fit(row.code, 6));
    text(kName, base, "quiet", kStart, fit(row.name, kLongestName));
    text(kCount, base, "figure", kEnd, count_text(census_, row));
    if (!row.rarity) {
      text(kLeft + 8, base, "quiet small", kStart, "no hand counts as this");
      return;
    }
    text(kRatio, base, "figure", kEnd, fmt::format("{:.2f}", *row.ratio));
    const double to = x(*row.rarity), from = std::min(x(before_), to), until = std::max(x(before_), to);
    picture_.rect(kLeft, top, std::max(to - kLeft, 1.5), kBar, "base", 1, 2);
    const std::string look = row.verdict.empty() ? "step" : row.verdict;
    // A backward step is drawn thinner, starting at the weaker category.
    const double thick = *row.ratio < 1 ? kBar / 2 : kBar;
    picture_.rect(from, middle - thick / 2, std::max(until - from, 2.0), thick, look, 1, 2);
    // The rail up to the next step.
    if (index + 1 < census_.rows.size()) picture_.line(to, top, to, y(index + 1) + (kRow + kBar) / 2, "rail");
    if (!row.verdict.empty()) {
      const double width = 14 + 8 * static_cast<double>(row.verdict.size());
      picture_.rect(kVerdict - width / 2, middle - 9, width, 18, look, 1, 9);
      text(kVerdict, middle + 4, "badge", kMiddle, row.verdict);
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
      picture_.rect(at, line - 10, 12, 12, look, 1, 2);
      text(at + 18, line, "quiet small", kStart, std::string(meaning));
      at += 46 + 6.3 * static_cast<double>(meaning.size());
    }
  }

  const Census& census_;
  double rows_, decades_, height_;
  double before_ = 0;  // rarity of the row below
  Picture picture_;
};

}  // namespace

std::string count_text(const Census& census, const CensusRow& row) {
  if (row.weight % census.scale == 0) return fmt::format("{}", row.weight / census.scale);
  return fmt::format("{:.3f}", row.count);
}

std::string census_table(const Census& census, const std::string& deck, const std::string& ranking) {
  std::string text =
      fmt::format("{}, ranking {}: {} hands of {}{}\n\n", deck, ranking, census.total, hand_size_text(census.cards),
                  census.scale > 1 ? ", means over all that can be in play" : "");
  const std::size_t code = widest(census.rows, 4, &CensusRow::code), name = widest(census.rows, 8, &CensusRow::name);
  std::size_t count = 5;
  for (const CensusRow& row : census.rows) count = std::max(count, count_text(census, row).size());
  text += fmt::format("{:<{}}  {:<{}}  {:>{}}  {:>6}  {:>7}  {}\n", "code", code, "category", name, "count", count,
                      "rarity", "ratio", "verdict");
  for (const CensusRow& row : census.rows) {
    std::string line =
        fmt::format("{:<{}}  {:<{}}  {:>{}}  {:>6}  {:>7}  {}", row.code, code, row.name, name, count_text(census, row),
                    count, row.rarity ? fmt::format("{:.3f}", *row.rarity) : "-",
                    row.ratio ? fmt::format("{:.2f}", *row.ratio) : "-", row.verdict);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text + verdict_legend(census);
}

Json census_json(const Census& census, const std::string& deck, const std::string& ranking) {
  Json categories = Json::array();
  for (const CensusRow& row : census.rows)
    categories.push_back({{"code", row.code},
                          {"count", count_json(census, row)},
                          {"rarity", number_or_null(row.rarity)},
                          {"ratio", number_or_null(row.ratio)},
                          {"verdict", row.verdict},
                          {"name", row.name}});
  return {{"deck", deck},
          {"hand_size", census.cards},
          {"total", census.total},
          {"categories", categories},
          {"ranking", ranking}};
}

std::string draw_table(const DrawOdds& odds) {
  const bool sampled = !odds.exact;
  const std::string goal = odds.at_least ? fmt::format("reach {} or better as often as possible",
                                                       odds.rows[static_cast<std::size_t>(*odds.at_least)].code)
                                         : std::string("make the hand as strong as possible");
  std::string text = fmt::format("\nafter one draw, discards chosen to {}{}:\n\n", goal,
                                 sampled ? fmt::format(" ({} at random)", odds.samples) : "");
  const std::size_t code = widest(odds.rows, 4, &DrawOdds::Row::code),
                    name = widest(odds.rows, 8, &DrawOdds::Row::name);
  text += fmt::format("{:<{}}  {:<{}}  {:>9}  {:>9}{}\n", "code", code, "category", name, "dealt", "drawn",
                      sampled ? "  95% interval" : "");
  for (const DrawOdds::Row& row : odds.rows)
    text += fmt::format("{:<{}}  {:<{}}  {:>9}  {:>9}{}\n", row.code, code, row.name, name,
                        draw_percent(row.dealt.mean), draw_percent(row.drawn.mean),
                        sampled ? fmt::format("  {:>12}", draw_interval(row.drawn.ci95)) : "");
  text += "\ncards discarded";
  for (std::size_t n = 0; n < odds.discarded.size(); ++n)
    text += fmt::format("{} {}: {:.2f}%", n == 0 ? "" : ",", n, 100 * odds.discarded[n].mean);
  text += fmt::format(
      "\n{}: {} as dealt, {} after the draw{}\n",
      odds.at_least ? "probability of this category or a stronger one" : "share of dealt hands beaten, ties half",
      draw_percent(odds.goal_dealt.mean), draw_percent(odds.goal.mean),
      sampled ? fmt::format(" ({})", draw_interval(odds.goal.ci95)) : "");
  return text;
}

Json draw_json(const DrawOdds& odds) {
  Json categories = Json::array();
  for (const DrawOdds::Row& row : odds.rows)
    categories.push_back({{"code", row.code},
                          {"dealt", row.dealt.mean},
                          {"drawn", row.drawn.mean},
                          {"ci95", number_or_null(row.drawn.ci95)}});
  Json discarded = Json::array();
  for (const Estimate& share : odds.discarded) discarded.push_back(share.mean);
  return {{"draws", 1},
          {"exact", odds.exact},
          {"samples", odds.samples},
          {"goal", odds.at_least ? odds.rows[static_cast<std::size_t>(*odds.at_least)].code : std::string("strength")},
          {"value_dealt", odds.goal_dealt.mean},
          {"value", odds.goal.mean},
          {"ci95", number_or_null(odds.goal.ci95)},
          {"discarded", discarded},
          {"categories", categories}};
}

std::string comparison_text(const HandComparison& comparison, const Evaluator& evaluator) {
  std::string text;
  for (const HandReading* hand : {&comparison.a, &comparison.b}) {
    const Category& category = evaluator.ranking().categories()[static_cast<std::size_t>(hand->category)];
    text += fmt::format("{}  {} ({})\n", evaluator.deck().to_string(hand->best), category.name, category.code);
  }
  return text + comparison.why + '\n';
}

Json comparison_json(const HandComparison& comparison, const Evaluator& evaluator) {
  const auto hand = [&](const HandReading& reading) {
    const Category& category = evaluator.ranking().categories()[static_cast<std::size_t>(reading.category)];
    Json jokers = Json::object();
    for (const auto& [joker, card] : reading.read_as) jokers[evaluator.deck().to_string(joker)] = card;
    return Json{{"code", category.code},
                {"value", reading.value},
                {"name", category.name},
                {"cards", evaluator.deck().to_string(reading.best)},
                {"jokers", jokers}};
  };
  return {{"a", hand(comparison.a)}, {"b", hand(comparison.b)}, {"result", comparison.result}, {"why", comparison.why}};
}

std::string census_svg(const Census& census, const std::string& deck, const std::string& ranking) {
  return CensusPicture(census, deck).draw(deck, ranking);
}

}  // namespace dealer::cli
