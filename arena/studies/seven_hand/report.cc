#include "arena/studies/seven_hand/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "arena/studies/report/charts.h"
#include "arena/studies/report/page.h"
#include "arena/studies/report/parts.h"
#include "arena/studies/seven_hand/advice_report.h"
#include "arena/studies/seven_hand/conclusions.h"
#include "arena/studies/seven_hand/pictures.h"

namespace dealer::studies::seven_hand {
namespace {

void add_line(Page& page, const Figures& f) {
  page.heading("The line");
  Cells cells = {{"chip", "cards", "turn", "used", "showdowns", "second wins", "starter wins", "tied", "win rate"}};
  for (std::size_t c = 0; c < kChips; ++c) {
    const ChipFigures& chip = f.chips[c];
    cells.push_back({std::to_string(c + 1), number(chip.cards), number(chip.turn), percent(chip.used),
                     percent(chip.showdowns), percent(chip.taken_by_second), percent(chip.taken_by_starter),
                     percent(chip.tied), percent(chip.win_rate)});
  }
  page.figure(picture_of_line(f),
              "How many cards lie at each chip on average, in which of a player's seven turns they were laid, and how "
              "often who takes the chip wins the hand.",
              cells);
}

void add_turns(Page& page, const Figures& f) {
  page.heading("When and where");
  HeatMap map;
  map.what = "How often the cards of each turn go to each chip, with the mean number of cards.";
  map.rows = map.columns = numbered(kTurns);
  map.row_axis = "turn";
  map.column_axis = "chip";
  double most = 0;
  for (const TurnFigures& turn : f.turns)
    for (const Estimate& share : turn.chips) most = std::max(most, share.value);
  Cells cells = {{"turn", "cards"}};
  for (std::size_t c = 0; c < kChips; ++c) cells[0].push_back(fmt::format("chip {}", c + 1));
  for (std::size_t t = 0; t < kTurns; ++t) {
    const TurnFigures& turn = f.turns[t];
    map.cells.emplace_back();
    cells.push_back({std::to_string(t + 1), number(turn.cards)});
    for (std::size_t c = 0; c < kChips; ++c) {
      // Cells have no room for more.
      const std::string share = fixed(turn.chips[c].value * 100, 0) + "%", cards = fixed(turn.cards_at[c].value, 1);
      map.cells.back().push_back({most > 0 ? turn.chips[c].value / most : 0, turn.chips[c].count > 0 ? share : "–",
                                  turn.cards_at[c].count > 0 ? cards : "–"});
      cells.back().push_back(percent(turn.chips[c]));
    }
  }
  page.figure(heat_map(map),
              "Of the cards laid in a turn, the share that goes to each chip, and below it how many they are on "
              "average.",
              cells);
  BarChart chart;
  chart.labels = numbered(kTurns);
  chart.axis = "turn of the player";
  for (const TurnFigures& turn : f.turns) chart.bars.push_back(turn.cards);
  add_bars(page, chart, "cards", "Cards laid in each turn, with 95% intervals.");
}

void add_sending(Page& page, const Figures& f) {
  page.heading("Where the cards are sent");
  page.paragraph(
      "The opponent names the chip. 1 is how often a chip would be named if every chip that can be named were as "
      "likely as any other; the dashed lines stand there.");
  Cells cells = {{"cards"}};
  for (std::size_t c = 0; c < kChips; ++c) cells[0].push_back(fmt::format("chip {}", c + 1));
  for (std::size_t n = 0; n < kMostLaid; ++n) {
    cells.push_back({std::to_string(n + 1)});
    for (const Sending& sending : f.sent[n]) cells.back().push_back(number(sending.chance));
  }
  page.figure(picture_of_sending(f), "How often a chip is named for so many cards, against naming at random.", cells);

  DotChart chart;
  chart.unit = Unit::kNumber;
  chart.series = {"1 or 2 cards", "4 or 5 cards"};
  chart.axis = "times as often as at random";
  chart.mark = 1;
  Cells states = {{"the chip", "any number", "1 or 2 cards", "4 or 5 cards", "times it could be named"}};
  for (int s = 0; s < kChipStates; ++s) {
    const StateFigures& state = f.states[static_cast<std::size_t>(s)];
    const std::string title(title_of(static_cast<ChipState>(s)));
    chart.rows.push_back({title, {state.few.chance, state.many.chance}});
    states.push_back({title, number(state.all.chance), number(state.few.chance), number(state.many.chance),
                      fixed(state.all.rate.count, 0)});
  }
  const std::string_view caption =
      "How often a chip is named by how the line stands: the mover is who laid the cards, the namer the opponent.";
  chart.what = caption;
  page.figure(dot_chart(chart), caption, states);
}

void add_wins(Page& page, const Figures& f) {
  page.heading("What chips are worth");
  add_shares(page, "chips won in the middle (3, 4, 5)", numbered(kMiddle + 1, 0), listed(f.win_by_middle), "win rate",
             "How often a player wins the hand with so many chips in the middle, draws counting half.", 0.5);
  add_shares(page, "chips won at the ends (1, 2, 6, 7)", numbered(kEnds + 1, 0), listed(f.win_by_ends), "win rate",
             "The same with so many chips at the ends.", 0.5);
  HeatMap map;
  map.what = "How often a player wins the hand, by chips won in the middle and at the ends.";
  map.rows = numbered(kMiddle + 1, 0);
  map.columns = numbered(kEnds + 1, 0);
  map.row_axis = "middle";
  map.column_axis = "at the ends";
  Cells cells = {{"middle", "ends 0", "ends 1", "ends 2", "ends 3", "ends 4"}};
  for (std::size_t m = 0; m <= kMiddle; ++m) {
    map.cells.emplace_back();
    cells.push_back({std::to_string(m)});
    for (const Estimate& win : f.win_by_both[m]) {
      map.cells.back().push_back({win.value, win.count > 0 ? fixed(win.value * 100, 0) + "%" : "–", ""});
      cells.back().push_back(percent(win));
    }
  }
  page.figure(heat_map(map), "How often a player wins the hand, by chips won in the middle and at the ends.", cells);
}

void add_groups(Page& page, const Figures& f) {
  page.heading("Bluffs");
  page.paragraph(
      "A group is weak where it is in the weakest quarter of the groups of as many cards that were laid, strong where "
      "it is in the strongest; few are 1 or 2 cards, many 4 or 5. Many weak cards look like more than they are, few "
      "strong cards like less. What a hand ends with is also what its other cards were worth, so these figures go "
      "together with a bluff and need not come of it.");
  Cells classes = {{"group", "points", "share", "takes", "strength", "beyond"}};
  for (int k = 0; k < kGroupClasses; ++k) {
    const GroupFigures& group = f.classes[static_cast<std::size_t>(k)];
    classes.push_back({std::string(title_of(static_cast<GroupClass>(k))), number(group.points), percent(group.share),
                       percent(group.takes), percent(group.strength), percent(group.beyond)});
  }
  page.table(classes);
  page.paragraph(
      "Points: of the hand. Share: of all groups laid. Takes: of its showdowns, those it wins. Strength: the share of "
      "all groups laid that it beats. Beyond: of the groups shown, what they take less their strength.");
  HeatMap map;
  map.what =
      "Points a hand of who laid a group, by its number of cards and its strength among groups of that number; below "
      "it the group's share of all.";
  map.rows = numbered(kMostLaid);
  map.columns = {"weakest", "below half", "above half", "strongest"};
  map.row_axis = "cards";
  map.column_axis = "quarter of groups of as many cards";
  double most = 0;
  for (const auto& row : f.groups)
    for (const GroupFigures& group : row) most = std::max(most, std::abs(group.points.value));
  Cells cells = {{"cards", "weakest", "below half", "above half", "strongest"}};
  for (std::size_t n = 0; n < kMostLaid; ++n) {
    map.cells.emplace_back();
    cells.push_back({std::to_string(n + 1)});
    for (const GroupFigures& group : f.groups[n]) {
      const std::string share = group.share.count > 0 ? fixed(group.share.value * 100, 1) + "%" : "–";
      map.cells.back().push_back({most > 0 ? group.points.value / most : 0,
                                  group.points.count > 0 ? fixed(group.points.value, 2) : "–", share});
      cells.back().push_back(number(group.points));
    }
  }
  page.figure(heat_map(map), map.what, cells);
}

void add_ends(Page& page, const Figures& f) {
  page.heading("How hands end");
  add_shares(page, "how the hand ends", {"three adjacent", "majority", "draw"},
             {f.ends.three_adjacent, f.ends.majority, f.ends.drawn}, "share",
             fmt::format("How hands end, after {} turns of both and {} showdowns on average.", number(f.ends.turns),
                         number(f.ends.showdowns)));
  add_shares(page, "three adjacent chips", {"1–3", "2–4", "3–5", "4–6", "5–7"}, listed(f.ends.rows), "share",
             fmt::format("Where three adjacent chips were won. {} of these winners had fewer chips than the loser.",
                         percent(f.ends.three_with_fewer)));
  add_shares(page, "chips of the winner less the loser's", numbered(kMargins, kLeastMargin), listed(f.ends.margins),
             "share", "By how many chips hands are won.");
}

}  // namespace

std::string report_of(const Subject& subject, const Figures& figures) {
  Page page("7-Hand Poker: the placement study",
            fmt::format("{} against itself: {} deals of {}, each played twice with the same cards, either player "
                        "having the first turn. {} hands.",
                        subject.agent, subject.deals, subject.game, subject.hands));
  page.conclusions(conclusions_of(figures));
  page.paragraph(
      "Behind ± stands half of the 95% interval, of which a deal with its two hands is one observation. A difference "
      "counts as seen where its interval does not hold zero; of intervals as many as here about one in twenty misses.");
  add_line(page, figures);
  add_turns(page, figures);
  add_sending(page, figures);
  add_advice(page, figures.advice);
  add_responses(page, figures.responses);
  add_wins(page, figures);
  add_groups(page, figures);
  add_ends(page, figures);
  return page.finish(fmt::format(
      "dealer {}, study {}, agent {}, seed {}. docs/studies.md says how every figure is defined; results.json has them "
      "all.",
      subject.version, subject.study, subject.agent, subject.seed));
}

}  // namespace dealer::studies::seven_hand
