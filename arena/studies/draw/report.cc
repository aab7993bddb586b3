#include "arena/studies/draw/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "arena/studies/checks.h"
#include "arena/studies/draw/counter.h"
#include "arena/studies/games.h"
#include "arena/studies/report/grid.h"
#include "arena/studies/report/parts.h"
#include "env/core/counted.h"

namespace dealer::studies::draw {
namespace {

using poker::kDrawHand;

// Room for the names of hands in heat maps.
constexpr double kHandNames = 158;

std::vector<Entry> positions_of(const Figure& f) {
  std::vector<Entry> positions = entries(static_cast<std::int64_t>(f["positions"].size()), "position #", "#");
  positions.back().title = "last to act";
  positions.front().title = "first to act";
  return positions;
}

// The first to act and the last, of whom charts tell.
std::vector<Entry> shown_positions(const Figure& f, std::string_view figure) {
  std::vector<Entry> all = positions_of(f);
  if (all.size() > 2) all.erase(all.begin() + 1, all.end() - 1);
  for (Entry& entry : all) entry.path = fmt::format("positions/{}/{}/*", entry.path, figure);
  return all;
}

// The strongest on top.
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
      "To open is to make the first bet or raise before the draw where all others so far have checked or folded. "
      "Strength is what the best discard makes of a hand on average: the share of final hands that it then beats. The "
      "hands dealt in the study are put into ten tenths by it, 1 the weakest.");
  add_table(page,
            {f["positions"],
             "position",
             positions_of(f),
             {{"opens", "*/opens"}, {"chances", "*/chances"}, {"points", "*/points"}, {"opens from", "*/.weakest"}}});
  page.paragraph(
      fmt::format("Chances: share of hands in which it is up to this position to open. Points: chips a hand. Opens "
                  "from: the weakest kind of hands that opens at least half the time, of those seen {} times there.",
                  kFewestChances));
  add_dots(page, {f, "", entries(kTenths, "tenth #", "#"), shown_positions(f, "tenths")}, "share that opens",
           "How often hands open, by their strength before the draw.");
  const std::vector<Entry> hands = by_strength(f, kinds);
  add_dots(page, {f, "", hands, shown_positions(f, "opens_by_hand")}, "share that opens",
           "How often each kind of hand opens, the strongest before the draw on top.");
  add_heat(page,
           {f["hands_dealt"],
            "hand",
            hands,
            {{"fold", "*/answers/fold"}, {"call", "*/answers/call"}, {"raise", "*/answers/raise"}}},
           {.axis = "answer to an opening", .label_width = kHandNames + 30},
           "What the next player does who has to answer an opening, by that player's hand.");
}

// "the pair 96 ± 1%, the pair and an ace 3.2 ± 0.5%": from one in a hundred on.
std::string kept_text(const Figure& kept, const Kinds& kinds) {
  std::vector<std::size_t> order;
  const auto rate = [&](std::size_t what) { return kept[what].estimate().value; };
  for (std::size_t what = 0; what < kept.size(); ++what)
    if (rate(what) >= 0.01) order.push_back(what);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rate(a) > rate(b); });
  std::vector<std::string> parts;
  for (const std::size_t what : order) parts.push_back(fmt::format("{} {}", kinds.kept[what].title, kept[what].text()));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void add_discards(Page& page, const Figure& draw, const Kinds& kinds, std::string_view title) {
  page.heading(title);
  Grid grid{draw["discards"], "hand", entries(kinds.kinds), entries(kDrawHand + 1, "#", "*/thrown/#", 0)};
  add_heat(page, grid, {.axis = "cards thrown", .label_width = kHandNames},
           "How many cards are thrown, by the hand that is held.");
  std::erase_if(grid.rows, [&](const Entry& kind) { return grid.of.estimate(kind.path + "/best").count == 0; });
  grid.columns = columns("share best cost");
  Cells cells = cells_of(grid);
  cells[0].push_back("what is kept");
  for (std::size_t r = 0; r < grid.rows.size(); ++r)
    cells[r + 1].push_back(kept_text(grid.of.at(grid.rows[r].path)["kept"], kinds));
  page.table(cells);
  page.paragraph(
      "Share: of all that draw. Kept: from one in a hundred on. Best: how often the discard is the one that makes the "
      "best hand on average; cost: what others lose of strength against it, 1 being the difference between the worst "
      "hand and the best. Who throws something else hides what is held.");
}

void add_pat(Page& page, const Figure& draw, const Kinds& kinds, std::string_view title) {
  page.heading(title);
  const auto& words = kinds.pat_classes;
  page.paragraph(
      draw.fill(fmt::format("{{pat/rate}} of the draws stand pat. Made hands are a {}, thin ones {}; anything weaker "
                            "({}) is a bluff. Of such "
                            "weak hands {{pat/bluffs}} stand pat.",
                            words[0].title, words[1].title, words[2].title)));
  std::vector<Entry> rows = {
      {"pat: made", "made"}, {"pat: thin", "thin"}, {"pat: bluff", "bluff"}, {"weak, drawing", "weak_drawing"}};
  add_table(page, {draw["pat"], "", rows, columns("share bets wins unseen points worth")});
  page.paragraph(
      "Share: of all that stand pat; of weak hands, those that draw. Bets: where nobody has bet since the draw. Wins: "
      "of the pot, shares of split pots counted as such. Unseen: wins without a showdown. Points: of the whole hand. "
      "Worth: what comes back less what is paid from the draw on, so that the chips paid before are no matter. Hands "
      "that stand pat as bluffs have been chosen for it, so these figures do not say what others would earn.");
  std::vector<Entry> thrown = entries(kDrawHand + 1, "threw #", "#", 0);
  thrown.front().title = "stood pat";
  add_dots(page, {draw["by_thrown"], "", thrown, {{"bets", "*/bets"}, {"others fold to it", "*/folds"}}}, "share",
           "How often players bet after the draw where nobody has, and how often others fold to a bet or raise of "
           "theirs, by how many cards they threw.");
}

}  // namespace

std::string report_of(const Subject& subject, const Figure& figures, std::span<const Kinds* const> kinds) {
  Page page("Five-card draw: opening, discards and standing pat",
            fmt::format("{} {} of each game, {}.", who_played(subject), counted(subject.deals, "deal"),
                        counted(subject.hands, "hand")));
  page.paragraph(subject.strength);
  page.conclusions(conclusions_of(figures, kinds));
  page.paragraph(about_intervals("a deal") + " How one agent plays is not how one must play: it is as good as it is.");
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
