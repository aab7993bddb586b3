#include <fmt/format.h>

#include "arena/report/grid.h"
#include "arena/studies/fantasyland/choices.h"
#include "arena/studies/fantasyland/report.h"

namespace dealer::studies::fantasyland {
namespace {

// "<QQ": short, for column headings.
std::vector<std::string> short_titles(const std::string& rank) {
  return {"none", "<" + rank + rank, "≥" + rank + rank, "2 pair", "trips", "more"};
}

void add_turns(Page& page, const Figure& rank) {
  const std::string name = rank.text(".name");
  const Grid numbers{rank, name, entries(cases()), entries(kStreets, "turn #", "*/turns/#")};
  add_heat(page,
           {rank,
            name,
            {{"first", "first"}, {"pair", "pair"}, {"second", "second"}},
            entries(kStreets, "#", "*/turns/#", 1, "count")},
           {.axis = "turn", .all_rows = true},
           fmt::format("{} {} in hand: how often it goes in front, by turn; below it the number of cases.",
                       name.find_first_of("ae") == 0 ? "An" : "A", name),
           cells_of(numbers));
}

void add_holdings(Page& page, const Figure& rank, std::string_view which) {
  const std::vector<std::string> titles = short_titles(rank.text("rank"));
  const Figure& table = rank[which][".later"];
  std::vector<Entry> rows, columns;
  for (const std::string& title : titles) {
    const std::string item = std::to_string(rows.size());
    rows.push_back({title, item});
    columns.push_back({title, "*/" + item, "count"});
  }
  Cells numbers = {{"back", "middle", "in front", "of"}};
  for (std::size_t back = 0; back < titles.size(); ++back)
    for (std::size_t middle = 0; middle < titles.size(); ++middle)
      if (const Figure& share = table[back][middle]; share.estimate().count > 0)
        numbers.push_back({titles[back], titles[middle], share.text(), fixed(share.estimate().count, 0)});
  add_heat(page, {table, "back", rows, columns}, {.axis = "the middle holds", .all_rows = true},
           fmt::format("The {} {}, turns 2 to 5: how often it goes in front, by the hands in middle and back.", which,
                       rank.text(".name")),
           numbers);
}

}  // namespace

void add_choices(Page& page, const Figure& f) {
  page.heading("In hand: in front?");
  page.paragraph(
      "How often a card goes in front in the turns in which it can but need not. First: the front has room for two "
      "cards and none of this rank yet. Pair: two are in hand, and both go in front. Second: one lies there already. A "
      "pair in the middle or back is below the rank (<) or not (≥); 'more' is a straight or better. Rows count as they "
      "lie before the turn.");
  const Figure& choices = f["choices"];
  Grid standings{choices,
                 "turns 2 to 5",
                 {},
                 {{"behind", "*/standings/behind"}, {"level", "*/standings/level"}, {"ahead", "*/standings/ahead"}}};
  for (std::size_t r = 0; r < choices.size(); ++r) {
    add_turns(page, choices[r]);
    for (const char* const which : {"first", "second"}) add_holdings(page, choices[r], which);
    for (const Named& of : cases())
      standings.rows.push_back(
          {fmt::format("{}: {}", choices[r].text(".name"), of.title), fmt::format("{}/{}", r, of.name)});
  }
  add_table(page, standings);
}

}  // namespace dealer::studies::fantasyland
