#include "arena/studies/fantasyland/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "arena/report/grid.h"
#include "arena/report/parts.h"
#include "arena/studies/fantasyland/hand.h"
#include "arena/studies/fantasyland/rivals.h"
#include "env/core/counted.h"

namespace dealer::studies::fantasyland {
namespace {

std::string points(const Figure& f, std::string_view path) { return fixed(f.number(path), 2); }
// Also for shares of a millionth.
std::string share_text(const Figure& f, std::string_view path) {
  const double share = f.number(path);
  return share >= 0.01 ? fixed(100 * share, 1) + "%" : fmt::format("{:.2g}%", 100 * share);
}
std::string rounded_percent(const Figure& f, std::string_view path, int digits = 0) {
  return fixed(100 * f.number(path), digits) + "%";
}

// The agent's own value of Fantasyland, if known.
std::optional<double> counted_by(const Figure& f) {
  return f["counts"].is_null() ? std::nullopt : std::optional(f.number("counts"));
}

// "14 cards", "14 to 17 cards"
std::string cards_text(const Figure& sizes) {
  const std::string least = sizes[0].text("cards"), most = sizes[-1].text("cards");
  return (least == most ? most : least + " to " + most) + " cards";
}

// The items of a list, by that member of theirs.
std::vector<Entry> entries_of(const Figure& list, std::string_view title) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < list.size(); ++i) entries.push_back({list[i].text(title), std::to_string(i)});
  return entries;
}

// For games whose Fantasyland hands have several numbers of cards.
void add_sizes(Page& page, const Figure& sizes) {
  if (sizes.size() < 2) return;
  add_table(page, {sizes,
                   "cards",
                   entries_of(sizes, "cards"),
                   {{"share of those who enter alone", "*/share"},
                    {"worth by the chain", "*/value"},
                    {"as counted", "*/direct"},
                    {"the agent assumes", "*/counts"}}});
}

void add_chain(Page& page, const Figure& f) {
  const Figure& chain = f["chain"];
  page.heading("What it is worth");
  page.paragraph(fmt::format(
      "Points are those of the player in Fantasyland, with {}, from the next hand on until nobody is there; "
      "the normal hands after that do not count. 'by the chain' is computed from the mean points of a hand "
      "in each state and the transition rates between the states; 'as counted' is the mean of what "
      "followed when one player entered alone.",
      cards_text(chain["sizes"])));
  std::string caption =
      "What entering is worth: by the chain, averaged over the dealer and the other player; as counted; and by the "
      "chain for each of them.";
  const std::optional<double> counted = chain["sizes"].size() == 1 ? counted_by(f) : std::nullopt;
  if (counted) caption += fmt::format(" The dashed line is the value that the agent assumes, {}.", fixed(*counted, 2));
  add_dots(page,
           {chain,
            "",
            {{"by the chain", "value"},
             {"as counted", "direct"},
             {"the dealer", "values/dealer"},
             {"the other player", "values/other"}},
            {{"points", "*"}}},
           "points", caption, counted);
  add_sizes(page, chain["sizes"]);
  Cells states = cells_of({chain,
                           "in Fantasyland",
                           {{"one player", "alone"},
                            {"the dealer", "dealer"},
                            {"the other player", "other"},
                            {"both: for the dealer", "both"}},
                           {{"share of hands", "*/share"},
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
  page.paragraph(
      f["play"].fill("A player in Fantasyland stays {stays} of the time, fouls {foul_there} and has {royalties_there} "
                     "royalties a hand. "
                     "A deal with the Fantasyland hands that follow lasts {hands} hands."));
}

// Sorted by assumed value, including the unchanged agent.
std::vector<Entry> rivals_in_order(const Figure& f) {
  const std::optional<double> own = counted_by(f);
  std::vector<std::pair<double, Entry>> order;
  for (std::size_t r = 0; r < f["rivals"].size(); ++r) {
    const Figure& rival = f["rivals"][r];
    const bool is_own = rival["counts"].is_null();
    const double counts = is_own ? own.value_or(0) : rival.number("counts");
    order.push_back({counts,
                     {!is_own ? fmt::format("{:g}", counts)
                      : own   ? fmt::format("own ({})", fixed(*own, 1))
                              : "own",
                      std::to_string(r)}});
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Entry> entries;
  entries.reserve(order.size());
  for (const auto& [counts, entry] : order) entries.push_back(entry);
  return entries;
}

void add_rivals(Page& page, const Figure& f) {
  page.heading("How hard to chase it");
  if (f["rivals"].size() == 0) return page.paragraph("No values of Fantasyland were compared.");
  page.paragraph(
      f.fill("Each player is the agent with another assumed value of Fantasyland: a higher value makes it chase, a "
             "lower one makes it play safe. Each plays all others in both seatings of every deal, {.rival_hands} hands "
             "in all. The network adds the assumed value times the predicted probability of Fantasyland, so these are "
             "not players trained with that value."));
  Grid grid{f["rivals"],
            "assumed value",
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
  add_dots(page, grid, "points a hand", "Points a hand against all others, by assumed value of Fantasyland.", 0, cells);
  grid.columns = {{"enters", "*/entry"}, {"fouls", "*/foul"}};
  add_dots(page, grid, "share of normal hands",
           "How often players enter Fantasyland and foul, by assumed value of Fantasyland.", {}, cells);
  page.paragraph(
      "The best player is determined from the same scores, so the intervals of the differences to it are widened to "
      "hold for every possible best player (Bonferroni over all pairs).");
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
                   {{"share of normal hands", "*/share"},
                    {"enters", "*/entered"},
                    {"fouls", "*/foul"},
                    {"points of the hand", "*/hand"},
                    {"with the hands after it", "*/total"}}});
}

void add_fronts(Page& page, const Figure& f) {
  page.heading("By front, by street, behind and ahead");
  page.paragraph(
      "A front qualifies on the street on which it first holds a sufficient pair or trips; the board may still foul. "
      "The points of the hand and of those after it are the player's own until nobody is in Fantasyland, whoever "
      "entered. "
      "Players choose when to try, so these figures do not prove what trying would bring in other positions.");
  const std::vector<Entry> fronts = entries_of(f["fronts"], "front");
  add_bars(page, {f["fronts"], "front with which a player entered", fronts, {{"both", "*/total"}}},
           "Points of the hand that entered and of those that followed, by front.", {},
           cells_of({f["fronts"],
                     "front",
                     fronts,
                     {{"share of entries", "*/entries"},
                      {"boards with it foul", "*/foul"},
                      {"points of the hand", "*/hand"},
                      {"points after it", "*/after"},
                      {"both", "*/total"}}}));
  page.paragraph(std::string(f.at("chain/sizes").size() == 1
                                 ? "All fronts lead to the same hand in Fantasyland, so the points after it differ by "
                                   "chance only; they"
                                 : "Some fronts lead to more cards in Fantasyland than others. The points after it") +
                 " leave out the hands in which both players entered.");
  const Figure& tries = f["tries"];
  std::vector<Entry> turns = entries(kStreets, "street #", "turns/#");
  turns.push_back({"never", "never"});
  add_bars(page, {tries, "street on which the front qualified", entries(kStreets, "#", "turns/#"), {{"", "*/entered"}}},
           "How often the board then enters Fantasyland, by the street on which its front qualified.", {},
           tries_table(tries, "the front qualified on", turns));

  std::vector<Entry> numbers;
  for (const Entry& turn : entries(kStreets, "street #", "*/turns/#")) {
    numbers.push_back({turn.title + ": enters", turn.path + "/entered"});
    numbers.push_back({"points", turn.path + "/total"});
  }
  add_heat(page, {f["fronts"], "front", fronts, entries(kStreets, "#", "*/turns/#/entered", 1, "count")},
           {.axis = "street on which the front qualified", .all_rows = true},
           "How often a qualifying front enters Fantasyland, by front and street; below it the number of cases.",
           cells_of({f["fronts"], "front", fronts, numbers}));
  page.paragraph(
      "A player is ahead if it leads in more rows before the cards of that street are placed. Street 1 and hands "
      "against "
      "an opponent in Fantasyland, whose board is hidden, are left out.");
  page.table(tries_table(tries, "when the front qualified",
                         {{"behind", "standings/behind"},
                          {"level", "standings/level"},
                          {"ahead", "standings/ahead"},
                          {"the other's front does not qualify yet", "other_open"},
                          {"the other's front qualifies, too", "other_tries"},
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
  page.paragraph(
      chart.fill("The agent rates all {count} openings that differ by more than the names of suits, as the first to "
                 "act. Values are those of its hints: the points that it expects of this hand and of the Fantasyland "
                 "that follows, minus its foul aversion. They are predictions of the network. The second-best "
                 "placement is not a mirror image of the best."));
  page.markup(opening_search(advice));
  if (f.estimate("play/first_points").known())
    page.paragraph(
        fmt::format("Averaged over all deals the network expects {} points for the first to act, without foul "
                    "aversion; in self-play "
                    "this player won {}.",
                    points(chart, "points"), f.text("play/first_points")));
  Cells classes = {{"five cards", "share of deals", "value", "lead over the second best", "Fantasyland"}};
  for (std::size_t i = 0; i < chart["classes"].size(); ++i) {
    const Figure& of = chart["classes"][i];
    classes.push_back({of.text("cards"), share_text(of, "share"), points(of, "points"), points(of, "gap"),
                       rounded_percent(of, "fantasyland")});
  }
  page.table(classes);
  Cells ranks = {{"rank in the opening", "one: in front", "two: both in front", "two: one in front"}};
  for (std::size_t i = 0; i < chart["ranks"].size(); ++i) {
    const Figure& of = chart["ranks"][i];
    ranks.push_back({of.text(".name"), rounded_percent(of, "one", 1), rounded_percent(of, "two_both", 1),
                     rounded_percent(of, "two_one", 1)});
  }
  page.table(ranks);
  Cells shapes = {{"front – middle – back", "share of deals"}};
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
  Page page =
      study_page("Fantasyland: how hard to chase it",
                 fmt::format("{} plays itself: {} of {} with the Fantasyland hands that follow. {}.", subject.agent,
                             counted(subject.deals, "deal"), subject.game, counted(subject.hands, "hand")),
                 subject, conclusions_of(figures), about_intervals("a deal with all its hands"));
  add_chain(page, figures);
  add_rates(page, figures);
  add_rivals(page, figures);
  add_fronts(page, figures);
  add_choices(page, figures);
  add_openings(page, figures, advice);
  return page.finish(last_line(subject, "studies-fantasyland.md"));
}

}  // namespace dealer::studies::fantasyland
