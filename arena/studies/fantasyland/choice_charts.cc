#include "arena/studies/fantasyland/choice_charts.h"

#include <fmt/format.h>

#include "arena/studies/report/charts.h"
#include "arena/studies/report/parts.h"

namespace dealer::studies::fantasyland {
namespace {

HeatMap::Cell cell_of(const Estimate& share) {
  if (share.count == 0) return {0, "–", ""};
  return {share.value, fixed(100 * share.value, 0) + "%", fixed(share.count, 0)};
}

// "<QQ": short, for heads of columns.
std::string short_title(int holding, const std::string& rank) {
  switch (holding) {
    case kNothing:
      return "none";
    case kLowPair:
      return "<" + rank + rank;
    case kHighPair:
      return "≥" + rank + rank;
    case kTwoPair:
      return "2 pair";
    case kTrips:
      return "trips";
    default:
      return "more";
  }
}

void add_turns(Page& page, const std::string& name, const std::array<ChoiceFigures, kCases>& cases) {
  HeatMap map;
  map.what = fmt::format("{} {} in hand: how often it goes in front, by turn; below it how often there was the choice.",
                         name.find_first_of("ae") == 0 ? "An" : "A", name);
  map.column_axis = "turn";
  map.row_axis = name;
  Cells numbers = {{name}};
  for (std::size_t t = 0; t < kStreets; ++t) {
    map.columns.push_back(std::to_string(t + 1));
    numbers[0].push_back(fmt::format("turn {}", t + 1));
  }
  constexpr std::array<std::string_view, kCases> kShort = {"first", "pair", "second"};
  for (std::size_t c = 0; c < kCases; ++c) {
    map.rows.emplace_back(kShort[c]);
    map.cells.emplace_back();
    numbers.push_back({std::string(title_of(static_cast<Case>(c)))});
    for (const Estimate& share : cases[c].turns) {
      map.cells.back().push_back(cell_of(share));
      numbers.back().push_back(percent(share));
    }
  }
  page.figure(heat_map(map), map.what, numbers);
}

void add_holdings(Page& page, const std::string& name, const std::string& letter, Case which,
                  const ChoiceFigures& choice) {
  HeatMap map;
  map.what = fmt::format("The {} {}, turns 2 to 5: how often it goes in front, by what middle and back hold.",
                         which == kFirstCard ? "first" : "second", name);
  map.column_axis = "the middle holds";
  map.row_axis = "back";
  Cells numbers = {{"back", "middle", "in front", "of"}};
  for (int h = 0; h < kHoldings; ++h) map.rows.push_back(short_title(h, letter));
  map.columns = map.rows;
  for (std::size_t back = 0; back < kHoldings; ++back) {
    map.cells.emplace_back();
    for (std::size_t middle = 0; middle < kHoldings; ++middle) {
      const Estimate& share = choice.later[back][middle];
      map.cells.back().push_back(cell_of(share));
      if (share.count > 0)
        numbers.push_back({map.rows[back], map.columns[middle], percent(share), fixed(share.count, 0)});
    }
  }
  page.figure(heat_map(map), map.what, numbers);
}

}  // namespace

void add_choices(Page& page, const Figures& f) {
  page.heading("In hand: in front?");
  page.paragraph(
      "How often a card goes in front, of the turns in which it could and need not. First: the front has room for two "
      "and "
      "none of its rank yet. Pair: two are in hand, and both go there. Second: one lies there. A pair in the middle or "
      "back is below the rank (<) or not (≥); more: a straight or better. Rows count as they lie before the turn.");
  for (std::size_t r = 0; r < f.choices.size(); ++r) {
    const std::string name = f.fronts.rank_name(static_cast<int>(r)),
                      letter = f.fronts.rank_letter(static_cast<int>(r));
    add_turns(page, name, f.choices[r]);
    for (const Case which : {kFirstCard, kSecondCard}) add_holdings(page, name, letter, which, f.choices[r][which]);
  }
  Cells standings = {{"turns 2 to 5", "behind", "level", "ahead"}};
  for (std::size_t r = 0; r < f.choices.size(); ++r) {
    for (const Case which : {kFirstCard, kPairInHand, kSecondCard}) {
      standings.push_back({fmt::format("{}: {}", f.fronts.rank_name(static_cast<int>(r)), title_of(which))});
      for (const Estimate& share : f.choices[r][which].standings) standings.back().push_back(percent(share));
    }
  }
  page.table(standings);
}

}  // namespace dealer::studies::fantasyland
