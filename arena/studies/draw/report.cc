#include "arena/studies/draw/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "arena/report/grid.h"
#include "arena/report/parts.h"
#include "arena/studies/checks.h"
#include "arena/studies/draw/counter.h"
#include "arena/studies/games.h"
#include "env/core/counted.h"

namespace dealer::studies::draw {
namespace {

using poker::kDrawHand;

// The width for the names of hands in heat maps.
constexpr double kHandNames = 158;

std::vector<Entry> positions_of(const Figure& f) {
  std::vector<Entry> positions = entries(static_cast<std::int64_t>(f["positions"].size()), "position #", "#");
  positions.back().title = "last to act";
  positions.front().title = "first to act";
  return positions;
}

// The first and the last position, which charts show.
std::vector<Entry> shown_positions(const Figure& f, std::string_view figure) {
  std::vector<Entry> all = positions_of(f);
  if (all.size() > 2) all.erase(all.begin() + 1, all.end() - 1);
  for (Entry& entry : all) entry.path = fmt::format("positions/{}/{}/*", entry.path, figure);
  return all;
}

// Entries with the strongest on top.
std::vector<Entry> by_strength(const Figure& f, const Kinds& kinds) {
  std::vector<Entry> hands = entries(kinds.openers);
  const auto strength = [&](const Entry& hand) { return f.estimate("hands_dealt/" + hand.path + "/strength").value; };
  std::stable_sort(hands.begin(), hands.end(),
                   [&](const Entry& a, const Entry& b) { return strength(a) > strength(b); });
  return hands;
}

void add_opening(Page& page, const Figure& f, const Kinds& kinds, std::string_view game) {
  page.heading(fmt::format("{}: opening", game));
  page.paragraph(
      "To open is to make the first bet or raise before the draw after all earlier players have checked or folded. "
      "Strength is the mean share of final hands that a hand beats after its best discard. The study divides the hands "
      "dealt into tenths by strength; tenth 1 is the weakest.");
  add_table(page,
            {f["positions"],
             "position",
             positions_of(f),
             {{"opens", "*/opens"}, {"chances", "*/chances"}, {"points", "*/points"}, {"opens from", "*/.weakest"}}});
  page.paragraph(
      fmt::format("'chances' is the share of hands in which this position can open, 'points' the result in chips a "
                  "hand, and 'opens from' the weakest kind of hand that opens at least half of the time, among those "
                  "seen at least {} times.",
                  kFewestChances));
  add_dots(page, {f, "", entries(kTenths, "tenth #", "#"), shown_positions(f, "tenths")}, "share that opens",
           "How often hands open, by their strength before the draw.");
  const std::vector<Entry> hands = by_strength(f, kinds);
  add_dots(page, {f, "", hands, shown_positions(f, "opens_by_hand")}, "share that opens",
           "How often each kind of hand opens; the strongest hand before the draw is at the top.");
  add_heat(page,
           {f["hands_dealt"],
            "hand",
            hands,
            {{"fold", "*/answers/fold"}, {"call", "*/answers/call"}, {"raise", "*/answers/raise"}}},
           {.axis = "answer to an opening", .label_width = kHandNames + 30},
           "How the next player answers an opening, by that player's hand.");
}

// "the pair 96 ± 1%, the pair and an ace 3.2 ± 0.5%": entries from one percent on.
std::string kept_text(const Figure& kept, const Kinds& kinds) {
  std::vector<std::size_t> order;
  const auto rate = [&](std::size_t what) { return kept[what].estimate().value; };
  for (std::size_t what = 0; what < kept.size(); ++what)
    if (rate(what) >= 0.01) order.push_back(what);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rate(a) > rate(b); });
  std::vector<std::string> parts;
  parts.reserve(order.size());
  for (const std::size_t what : order) parts.push_back(fmt::format("{} {}", kinds.kept[what].title, kept[what].text()));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void add_discards(Page& page, const Figure& draw, const Kinds& kinds, std::string_view title) {
  page.heading(title);
  Grid grid{draw["discards"], "hand", entries(kinds.kinds), entries(kDrawHand + 1, "#", "*/thrown/#", 0)};
  add_heat(page, grid, {.axis = "cards discarded", .label_width = kHandNames},
           "How many cards players discard, by the hand they hold.");
  std::erase_if(grid.rows, [&](const Entry& kind) { return grid.of.estimate(kind.path + "/best").count == 0; });
  grid.columns = columns("share best cost");
  Cells cells = cells_of(grid);
  cells[0].push_back("cards kept");
  for (std::size_t r = 0; r < grid.rows.size(); ++r)
    cells[r + 1].push_back(kept_text(grid.of.at(grid.rows[r].path)["kept"], kinds));
  page.table(cells);
  page.paragraph(
      "'share' is the share of all draws, and 'best' how often the discard makes the best hand on average. 'cost' is "
      "the strength that the other discards lose compared with the best one, on a scale from the worst hand (0) to the "
      "best (1). Cards kept are listed if kept at least 1% of the time. A player who makes another discard hides the "
      "hand.");
}

void add_pat(Page& page, const Figure& draw, const Kinds& kinds, std::string_view title) {
  page.heading(title);
  const auto& words = kinds.pat_classes;
  page.paragraph(draw.fill(
      fmt::format("Players stand pat at {{pat/rate}} of the draws. A made hand is a {}, a thin one {}; anything "
                  "weaker ({}) is a bluff. {{pat/bluffs}} of these weak hands stand pat.",
                  words[0].title, words[1].title, words[2].title)));
  std::vector<Entry> rows = {
      {"pat: made", "made"}, {"pat: thin", "thin"}, {"pat: bluff", "bluff"}, {"weak, drawing", "weak_drawing"}};
  add_table(page, {draw["pat"], "", rows, columns("share bets wins unseen points worth")});
  page.paragraph(
      "'share' is the share of all pat hands, or of all weak hands for those that draw; 'bets' how often the hand bets "
      "when nobody has bet since the draw; 'wins' its share of the pot, 'unseen' the wins without a showdown, 'points' "
      "the result of the whole hand, and 'worth' the chips won minus the chips paid from the draw on. The agent chose "
      "which weak hands stand pat, so these figures do not say what other weak hands would earn.");
  std::vector<Entry> thrown = entries(kDrawHand + 1, "discarded #", "#", 0);
  thrown.front().title = "stood pat";
  add_dots(page, {draw["by_thrown"], "", thrown, {{"bets", "*/bets"}, {"others fold to it", "*/folds"}}}, "share",
           "How often players bet first after the draw, and how often others fold to their bet or raise, by the number "
           "of cards they discarded.");
}

}  // namespace

std::string report_of(const Subject& subject, const Figure& figures, std::span<const Kinds* const> kinds) {
  Page page =
      study_page("Five-card draw: opening, discards and standing pat",
                 fmt::format("{} {} of each game, {}.", who_played(subject), counted(subject.deals, "deal"),
                             counted(subject.hands, "hand")),
                 subject, conclusions_of(figures, kinds),
                 about_intervals("a deal") + " The figures show how this agent plays; another strategy may be better.");
  const std::vector<std::string> titles = titles_of(figures);
  for (std::size_t g = 0; g < titles.size(); ++g) {
    const Figure& game = figures["games"][g];
    add_opening(page, game, *kinds[g], titles[g]);
    const std::size_t draws = game["draws"].size();
    for (std::size_t d = 0; d < draws; ++d) {
      const auto title = [&](std::string_view what, std::string_view of) {
        return fmt::format("{}: {}{}", titles[g], what, draws > 1 ? fmt::format(" {} draw {}", of, d + 1) : "");
      };
      add_discards(page, game["draws"][d], *kinds[g], title("discards", "of"));
      add_pat(page, game["draws"][d], *kinds[g], title("standing pat", "at"));
    }
    add_checks(page, game["checks"], "chips");
  }
  return page.finish(last_line(subject));
}

}  // namespace dealer::studies::draw
