#include "arena/studies/fantasyland/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "arena/studies/fantasyland/hand.h"
#include "arena/studies/fantasyland/rivals.h"
#include "arena/studies/report/grid.h"
#include "arena/studies/report/parts.h"
#include "env/core/counted.h"

namespace dealer::studies::fantasyland {
namespace {

// Exact figures.
double exact(const Figure& f, std::string_view path) { return f.at(path).to_json().get<double>(); }
std::string points(const Figure& f, std::string_view path) { return fixed(exact(f, path), 2); }
// Also of shares of a millionth.
std::string share_text(const Figure& f, std::string_view path) {
  const double share = exact(f, path);
  return share >= 0.01 ? fixed(100 * share, 1) + "%" : fmt::format("{:.2g}%", 100 * share);
}
std::string rounded_percent(const Figure& f, std::string_view path, int digits = 0) {
  return fixed(100 * exact(f, path), digits) + "%";
}

// What the agent counts Fantasyland, where it tells.
std::optional<double> counted_by(const Figure& f) {
  return f["counts"].is_null() ? std::nullopt : std::optional(exact(f, "counts"));
}

void add_chain(Page& page, const Figure& f) {
  const Figure& chain = f["chain"];
  page.heading("What it is worth");
  page.paragraph(f.fill(
      "Points are those of the player in Fantasyland, with {.cards} cards, from the next hand on until nobody is "
      "there; "
      "of the normal hands after that nothing counts. By the chain: the mean points of a hand in each state, and how "
      "often one leads to the other. As counted: the mean of what followed on entering alone."));
  std::string caption =
      "What entering is worth: by the chain, the mean over who deals; as counted; and by the chain for who deals and "
      "who does not.";
  const std::optional<double> counted = counted_by(f);
  if (counted) caption += fmt::format(" The dashed line is what the agent counts, {}.", fixed(*counted, 2));
  add_dots(page,
           {chain,
            "",
            {{"by the chain", "value"},
             {"as counted", "direct"},
             {"one who deals", "values/dealer"},
             {"one who does not", "values/other"}},
            {{"points", "*"}}},
           "points", caption, counted);
  Cells states = cells_of({chain,
                           "in Fantasyland",
                           {{"one", "alone"},
                            {"one, who deals", "dealer"},
                            {"one, who does not", "other"},
                            {"both: for the dealer", "both"}},
                           {{"of all hands", "*/share"},
                            {"points a hand", "*/points"},
                            {"then nobody", "*/next/nobody"},
                            {"the same alone", "*/next/same"},
                            {"the other alone", "*/next/swapped"},
                            {"both", "*/next/both"}}});
  states.insert(states.begin() + 1, {"nobody", chain.text("normal"), "", "", "", "", ""});
  page.table(states);
}

void add_rates(Page& page, const Figure& f) {
  page.heading("How often");
  add_table(
      page,
      {f["play"],
       "a normal hand",
       {{"all", "normal"}, {"against a normal hand", "against_normal"}, {"against Fantasyland", "against_fantasyland"}},
       {{"enters", "*/entry"}, {"fouls", "*/foul"}, {"royalties", "*/royalties"}}});
  page.paragraph(f["play"].fill(
      "Who is in Fantasyland stays {stays} of the time, fouls {foul_there} and has {royalties_there} royalties a hand. "
      "A deal with all that follows lasts {hands} hands."));
}

// By what they count, the agent as it is among them.
std::vector<Entry> rivals_in_order(const Figure& f) {
  const std::optional<double> own = counted_by(f);
  std::vector<std::pair<double, Entry>> order;
  for (std::size_t r = 0; r < f["rivals"].size(); ++r) {
    const Figure& rival = f["rivals"][r];
    const bool is_own = rival["counts"].is_null();
    const double counts = is_own ? own.value_or(0) : exact(rival, "counts");
    order.push_back({counts,
                     {!is_own ? fmt::format("{:g}", counts)
                      : own   ? fmt::format("own ({})", fixed(*own, 1))
                              : "own",
                      std::to_string(r)}});
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Entry> entries;
  for (const auto& [counts, entry] : order) entries.push_back(entry);
  return entries;
}

void add_rivals(Page& page, const Figure& f) {
  page.heading("How much to chase it");
  if (f["rivals"].size() == 0) return page.paragraph("No values of Fantasyland were compared.");
  page.paragraph(f.fill(
      "The same agent, told to count Fantasyland as so many points: more makes it chase, less makes it safe. Each "
      "plays "
      "all others, both seatings of every deal, {.rival_hands} hands in all. Where the network values a board, the "
      "points count in proportion to the chance of Fantasyland that it predicts, so these are not players trained with "
      "that value."));
  Grid grid{f["rivals"],
            "counts",
            rivals_in_order(f),
            {{"points a hand", "*/score"},
             {"less than the best", "*/less_than_best"},
             {"enters", "*/entry"},
             {"fouls", "*/foul"},
             {"stays", "*/stays"}}};
  Cells cells = cells_of(grid);
  for (std::size_t r = 0; r < grid.rows.size(); ++r)
    if (&grid.of.at(grid.rows[r].path) == best_of(grid.of)) cells[r + 1][2] = "the best";
  grid.columns = {{"points", "*/score"}};
  add_dots(page, grid, "points a hand", "Points a hand against all others, by what a player counts Fantasyland.", 0,
           cells);
  grid.columns = {{"enters", "*/entry"}, {"fouls", "*/foul"}};
  add_dots(page, grid, "share of normal hands",
           "How often players enter Fantasyland and foul, by what they count Fantasyland.", {}, cells);
  page.paragraph(
      "Less than the best: which player that is the same scores tell, so these intervals are widened to hold together, "
      "whichever of them is the best (Bonferroni over all pairs).");
  grid.head = "points a hand";
  grid.columns.clear();
  for (const Entry& rival : grid.rows) grid.columns.push_back({"against " + rival.title, "*/against/" + rival.path});
  Cells matrix = cells_of(grid);
  for (std::size_t r = 1; r < matrix.size(); ++r) matrix[r][r].clear();
  page.table(matrix);
}

Cells tries_table(const Figure& of, std::string head, std::vector<Entry> rows) {
  return cells_of({of,
                   std::move(head),
                   std::move(rows),
                   {{"of normal hands", "*/share"},
                    {"enters", "*/entered"},
                    {"fouls", "*/foul"},
                    {"points of the hand", "*/hand"},
                    {"and of those after", "*/total"}}});
}

std::vector<Entry> fronts_of(const Figure& f) {
  std::vector<Entry> fronts;
  for (std::size_t k = 0; k < f["fronts"].size(); ++k)
    fronts.push_back({f["fronts"][k].text("front"), std::to_string(k)});
  return fronts;
}

void add_fronts(Page& page, const Figure& f) {
  page.heading("By front, by turn, behind and ahead");
  page.paragraph(
      "A front comes to enter in the turn in which it first holds such a pair or trips; the board may still foul. "
      "Points of the hand and those after it are the player's until nobody is in Fantasyland, whoever entered. Players "
      "choose when to try, so these figures tell what trying went with, not what it would bring elsewhere.");
  const std::vector<Entry> fronts = fronts_of(f);
  add_bars(page, {f["fronts"], "front with which a player entered", fronts, {{"of both", "*/total"}}},
           "Points of the hand that entered and of those that followed, by front.", {},
           cells_of({f["fronts"],
                     "front",
                     fronts,
                     {{"of all entries", "*/entries"},
                      {"boards with it foul", "*/foul"},
                      {"points of the hand", "*/hand"},
                      {"of those after", "*/after"},
                      {"of both", "*/total"}}}));
  page.paragraph(
      "All fronts lead to the same hand in Fantasyland, so what follows differs by chance alone: those figures leave "
      "out the entries with which the other entered, too.");
  const Figure& tries = f["tries"];
  std::vector<Entry> turns = entries(kStreets, "turn #", "turns/#");
  turns.push_back({"never", "never"});
  add_bars(page,
           {tries, "turn in which the front came to enter", entries(kStreets, "#", "turns/#"), {{"", "*/entered"}}},
           "How often the board then enters Fantasyland, by the turn in which its front came to.", {},
           tries_table(tries, "the front came to enter", turns));

  std::vector<Entry> numbers;
  for (const Entry& turn : entries(kStreets, "turn #", "*/turns/#")) {
    numbers.push_back({turn.title + ": enters", turn.path + "/entered"});
    numbers.push_back({"points", turn.path + "/total"});
  }
  add_heat(page, {f["fronts"], "front", fronts, entries(kStreets, "#", "*/turns/#/entered", 1, "count")},
           {.axis = "turn in which the front came to be so", .all_rows = true},
           "How often a front that comes to enter gets there, by front and turn; below it how many there were.",
           cells_of({f["fronts"], "front", fronts, numbers}));
  page.paragraph(
      "Behind and ahead: before the cards of that turn are placed, each row is compared with the other's as it lies; "
      "who leads in more rows is ahead. Turn 1 and hands against Fantasyland, where nothing is seen, are left out.");
  page.table(tries_table(tries, "when the front came to enter",
                         {{"behind", "standings/behind"},
                          {"level", "standings/level"},
                          {"ahead", "standings/ahead"},
                          {"the other's front does not enter yet", "other_open"},
                          {"the other's front enters, too", "other_tries"},
                          {"the other is in Fantasyland", "other_there"}}));
}

void add_listed(Page& page, const Figure& list, std::string_view title) {
  Cells cells = {{std::string(title), "front / middle / back", "value", "next best", "value", "fouls", "Fantasyland"}};
  for (std::size_t i = 0; i < list.size(); ++i)
    cells.push_back({list[i].text("cards"), list[i].text(".placement"), points(list[i], "points"),
                     list[i].text(".second"), points(list[i], "second_points"), rounded_percent(list[i], "foul"),
                     rounded_percent(list[i], "fantasyland")});
  page.table(cells);
}

void add_openings(Page& page, const Figure& f, const std::vector<OpeningAdvice>& advice) {
  page.heading("Openings");
  const Figure& chart = f["openings"];
  if (chart.is_null()) return page.paragraph("The openings were not rated.");
  page.paragraph(chart.fill(
      "What the agent makes of all {count} openings that differ by more than the names of suits, as the first to act. "
      "Values are what its hints show: the points it expects of this hand and the Fantasyland that follows, less its "
      "foul aversion. They are the network's predictions, not played out. The next best is no mirror image of the "
      "best."));
  page.markup(opening_search(advice));
  if (f.estimate("play/first_points").known())
    page.paragraph(fmt::format(
        "Over all deals the network expects {} points for the first to act, foul aversion left out; in self-play that "
        "player won {}.",
        points(chart, "points"), f.text("play/first_points")));
  Cells classes = {{"five cards", "of all deals", "value", "more than the next", "Fantasyland"}};
  for (std::size_t i = 0; i < chart["classes"].size(); ++i) {
    const Figure& of = chart["classes"][i];
    classes.push_back({of.text("cards"), share_text(of, "share"), points(of, "points"), points(of, "gap"),
                       rounded_percent(of, "fantasyland")});
  }
  page.table(classes);
  Cells ranks = {{"in the opening", "one: in front", "two: both in front", "two: one in front"}};
  for (std::size_t i = 0; i < chart["ranks"].size(); ++i) {
    const Figure& of = chart["ranks"][i];
    ranks.push_back({of.text(".name"), rounded_percent(of, "one", 1), rounded_percent(of, "two_both", 1),
                     rounded_percent(of, "two_one", 1)});
  }
  page.table(ranks);
  Cells shapes = {{"front – middle – back", "of all deals"}};
  for (std::size_t i = 0; i < chart["shapes"].size(); ++i) {
    const Figure& of = chart["shapes"][i];
    shapes.push_back({of.fill("{front} – {middle} – {back}"), share_text(of, "share")});
  }
  page.table(shapes);
  add_listed(page, chart["highest"], "highest values");
  add_listed(page, chart["lowest"], "lowest values");
}

}  // namespace

std::string report_of(const Subject& subject, const Figure& figures, const std::vector<OpeningAdvice>& advice) {
  Page page("Fantasyland: how much to chase it",
            fmt::format("{} against itself: {} of {} with the Fantasyland hands that follow. {}.", subject.agent,
                        counted(subject.deals, "deal"), subject.game, counted(subject.hands, "hand")));
  page.paragraph(subject.strength);
  page.conclusions(conclusions_of(figures));
  page.paragraph(about_intervals("a deal with all its hands"));
  add_chain(page, figures);
  add_rates(page, figures);
  add_rivals(page, figures);
  add_fronts(page, figures);
  add_choices(page, figures);
  add_openings(page, figures, advice);
  return page.finish(last_line(subject, "studies-fantasyland.md"));
}

}  // namespace dealer::studies::fantasyland
