#include "arena/studies/draw/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "arena/studies/draw/conclusions.h"
#include "arena/studies/report/parts.h"
#include "env/core/at.h"

namespace dealer::studies::draw {
namespace {

// Room for the names of hands in heat maps.
constexpr double kHandNames = 158;

std::vector<std::string> titles(std::span<const Words> words) {
  std::vector<std::string> list;
  for (const Words& word : words) list.emplace_back(word.title);
  return list;
}

std::string position_title(const GameFigures& f, std::size_t position) {
  if (position == 0) return "first to act";
  return position + 1 == f.positions.size() ? "last to act" : fmt::format("position {}", position + 1);
}

// The first to act and the last, of whom pictures tell.
std::vector<std::size_t> shown_positions(const GameFigures& f) {
  if (f.positions.size() < 2) return {0};
  return {0, f.positions.size() - 1};
}

void add_opening(Page& page, const GameFigures& f, std::string_view game) {
  page.heading(fmt::format("{}: opening", game));
  page.paragraph(
      "To open is to make the first bet or raise before the draw where all others so far have checked or folded. "
      "Strength is what the best discard makes of a hand on average: the share of final hands that it then beats. The "
      "hands dealt in the study are put into ten tenths by it, 1 the weakest.");
  Cells positions = {{"position", "opens", "chances", "points", "opens from"}};
  for (std::size_t p = 0; p < f.positions.size(); ++p) {
    const PositionFigures& position = f.positions[p];
    positions.push_back({position_title(f, p), percent(position.opens), percent(position.chances),
                         number(position.points),
                         position.weakest < 0 ? "–" : std::string(openers(f.side)[at(position.weakest)].title)});
  }
  page.table(positions);
  page.paragraph(
      fmt::format("Chances: share of hands in which it is up to this position to open. Points: chips a hand. Opens "
                  "from: the weakest kind of hands that opens at least half the time, of those seen {} times there.",
                  kFewestChances));
  DotChart tenths;
  tenths.unit = Unit::kPercent;
  tenths.axis = "share that opens";
  for (const std::size_t p : shown_positions(f)) tenths.series.push_back(position_title(f, p));
  for (int t = 0; t < kTenths; ++t) {
    tenths.rows.push_back({fmt::format("tenth {}", t + 1), {}});
    for (const std::size_t p : shown_positions(f)) tenths.rows.back().dots.push_back(f.positions[p].tenths[at(t)]);
  }
  add_dots(page, tenths, "How often hands open, by their strength before the draw.");
  DotChart hands = tenths;
  hands.rows.clear();
  const auto words = openers(f.side);
  // The strongest on top.
  std::vector<std::size_t> order(words.size());
  for (std::size_t h = 0; h < order.size(); ++h) order[h] = h;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return f.hands[a].strength.value > f.hands[b].strength.value; });
  for (const std::size_t h : order) {
    hands.rows.push_back({std::string(words[h].title), {}});
    for (const std::size_t p : shown_positions(f)) hands.rows.back().dots.push_back(f.positions[p].hands[h]);
  }
  add_dots(page, hands, "How often each kind of hand opens, the strongest before the draw on top.");
  ShareMap answers{{}, {"fold", "call", "raise"}, "hand", "answer to an opening", {}, kHandNames + 30};
  for (const std::size_t h : order) {
    const Answers& of = f.hands[h].answers;
    answers.rows.emplace_back(words[h].title);
    answers.shares.push_back({of.fold, of.call, of.raise});
  }
  add_share_map(page, answers, "What the next player does who has to answer an opening, by that player's hand.");
}

void add_discards(Page& page, const GameFigures& f, std::size_t number_of_draw, std::string_view game) {
  const DrawFigures& draw = f.draws[number_of_draw];
  page.heading(f.draws.size() > 1 ? fmt::format("{}: discards of draw {}", game, number_of_draw + 1)
                                  : fmt::format("{}: discards", game));
  const auto words = kinds(f.side);
  ShareMap thrown{titles(words), numbered(kDrawHand + 1, 0), "hand", "cards thrown", {}, kHandNames};
  for (std::size_t k = 0; k < words.size(); ++k) thrown.shares.push_back(listed(draw.kinds[k].thrown));
  add_share_map(page, thrown, "How many cards are thrown, by the hand that is held.");
  Cells kept_cells = {{"hand", "share", "best", "cost", "what is kept"}};
  const auto keeps = kept(f.side);
  for (std::size_t k = 0; k < words.size(); ++k) {
    const DiscardFigures& kind = draw.kinds[k];
    if (kind.best.count == 0) continue;
    std::vector<std::size_t> order;
    for (std::size_t what = 0; what < keeps.size(); ++what)
      if (kind.kept[what].value >= 0.01) order.push_back(what);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return kind.kept[a].value > kind.kept[b].value; });
    std::vector<std::string> list;
    for (const std::size_t what : order)
      list.push_back(fmt::format("{} {}", keeps[what].title, percent(kind.kept[what])));
    kept_cells.push_back({std::string(words[k].title), percent(kind.share), percent(kind.best), number(kind.cost),
                          fmt::format("{}", fmt::join(list, ", "))});
  }
  page.table(kept_cells);
  page.paragraph(
      "Share: of all that draw. Kept: from one in a hundred on. Best: how often the discard is the one that makes the "
      "best hand on average; cost: what others lose of strength against it, 1 being the difference between the worst "
      "hand and the best. Who throws something else hides what is held.");
}

void add_pat(Page& page, const GameFigures& f, std::size_t number_of_draw, std::string_view game) {
  const DrawFigures& draw = f.draws[number_of_draw];
  page.heading(f.draws.size() > 1 ? fmt::format("{}: standing pat at draw {}", game, number_of_draw + 1)
                                  : fmt::format("{}: standing pat", game));
  const auto words = pat_classes(f.side);
  page.paragraph(fmt::format(
      "{} of the draws stand pat. Made hands are a {}, thin ones {}; anything weaker ({}) is a bluff. Of such weak "
      "hands {} stand pat.",
      percent(draw.pat), words[kMade].title, words[kThin].title, words[kBluff].title, percent(draw.bluffs)));
  Cells cells = {{"", "share", "bets", "wins", "unseen", "points", "worth"}};
  const auto add = [&](std::string title, const PatFigures& of) {
    cells.push_back({std::move(title), percent(of.share), percent(of.bets), percent(of.wins), percent(of.unseen),
                     number(of.points), number(of.worth)});
  };
  for (int c = 0; c < kPatClasses; ++c) add(fmt::format("pat: {}", words[at(c)].name), draw.classes[at(c)]);
  add("weak, drawing", draw.weak_drawing);
  page.table(cells);
  page.paragraph(
      "Share: of all that stand pat; of weak hands, those that draw. Bets: where nobody has bet since the draw. Wins: "
      "of the pot, shares of split pots counted as such. Unseen: wins without a showdown. Points: of the whole hand. "
      "Worth: what comes back less what is paid from the draw on, so that the chips paid before are no matter. Hands "
      "that stand pat as bluffs have been chosen for it, so these figures do not say what others would earn.");
  std::array<Estimate, kDrawHand + 1> bets, folds;
  for (std::size_t n = 0; n < bets.size(); ++n) {
    bets[n] = draw.thrown[n].bets;
    folds[n] = draw.thrown[n].folds;
  }
  DotChart chart;
  chart.unit = Unit::kPercent;
  chart.axis = "share";
  chart.series = {"bets", "others fold to it"};
  for (std::size_t n = 0; n < bets.size(); ++n)
    chart.rows.push_back({n == 0 ? "stood pat" : fmt::format("threw {}", n), {bets[n], folds[n]}});
  add_dots(page, chart,
           "How often players bet after the draw where nobody has, and how often others fold to a bet or raise of "
           "theirs, by how many cards they threw.");
}

}  // namespace

std::string report_of(const Subject& subject, const Figures& figures) {
  Page page("Five-card draw: opening, discards and standing pat",
            fmt::format("{} {} deals of each game, {} hands.", who_played(subject), subject.deals, subject.hands));
  page.conclusions(conclusions_of(figures));
  page.paragraph(
      "Behind ± stands half of the 95% interval, of which a deal is one observation. A difference counts as seen where "
      "its interval does not hold zero; of intervals as many as here about one in twenty misses. How one agent plays "
      "is not how one must play: it is as good as it is.");
  const std::vector<std::string> titles = titles_of(figures);
  for (std::size_t g = 0; g < figures.games.size(); ++g) {
    const GameFigures& game = figures.games[g];
    if (game.positions.empty()) continue;
    add_opening(page, game, titles[g]);
    for (std::size_t d = 0; d < game.draws.size(); ++d) {
      add_discards(page, game, d, titles[g]);
      add_pat(page, game, d, titles[g]);
    }
  }
  return page.finish(last_line(subject));
}

}  // namespace dealer::studies::draw
