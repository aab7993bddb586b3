#include "arena/studies/seven_hand/conclusions.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/studies/report/parts.h"
#include "arena/studies/report/sentences.h"

namespace dealer::studies::seven_hand {
namespace {

// Placements that are named, and of how many cases their figures must be: intervals of fewer are rough.
constexpr std::size_t kWorst = 3;
constexpr double kLeastCases = 30;

void say_who_wins(const Figures& f, Sentences& say) {
  say.choose(f.first_points, 0, "The first turn is an advantage", "The first turn is a disadvantage",
             "No difference was seen between the first turn and the second",
             fmt::format("who has it wins {} of the hands, draws counting half, and {} points a hand",
                         percent(f.first_win_rate), number(f.first_points)));
  // Of three shares that add up to one, the two large ones: apart where their intervals are.
  const Estimate& three = f.ends.three_adjacent;
  const Estimate& most = f.ends.majority;
  const Estimate apart{three.value - most.value, three.ci95 + most.ci95, three.count};
  say.choose(apart, 0, "Three adjacent chips decide more hands than the majority",
             "The majority decides more hands than three adjacent chips",
             "No difference was seen between how many hands three adjacent chips and the majority decide",
             fmt::format("{} of the hands end with three adjacent chips, {} by the majority, {} in a draw, after {} "
                         "turns of both together",
                         percent(three), percent(most), percent(f.ends.drawn), number(f.ends.turns)));
  say.choose(f.win_middle_ends, 0, "A chip in the middle (3, 4, 5) is worth more than one at the ends (1, 2, 6, 7)",
             "A chip at the ends (1, 2, 6, 7) is worth more than one in the middle (3, 4, 5)",
             "No difference was seen between what a chip in the middle and one at the ends are worth",
             fmt::format("the hands won with it differ by {}", percentage_points(f.win_middle_ends)));
}

void say_what_is_laid(const Figures& f, Sentences& say) {
  say.choose(f.cards_middle_ends, 0, "More cards lie in the middle than at the ends",
             "Fewer cards lie in the middle than at the ends",
             "No difference was seen between how many cards lie in the middle and at the ends",
             fmt::format("the difference is {} cards a group", number(f.cards_middle_ends)));
  say.choose(f.turn_middle_ends, 0, "The middle is filled later than the ends",
             "The middle is filled earlier than the ends",
             "No difference was seen between when the middle and the ends are filled",
             fmt::format("the difference is {} turns", number(f.turn_middle_ends)));
  say.choose(f.cards_late_early, 0, "More cards are laid in the last three turns than in the first three",
             "Fewer cards are laid in the last three turns than in the first three",
             "No difference was seen between how many cards are laid in the first three turns and the last three",
             fmt::format("the difference is {} cards a turn", number(f.cards_late_early)));
}

void say_where_they_go(const Figures& f, Sentences& say) {
  const StateFigures& middle = f.states[kInMiddle];
  say.choose(f.middle_many_few, 0, "Four or five cards are sent to the middle more often than one or two",
             "Four or five cards are sent to the middle less often than one or two",
             "No difference was seen between how often many cards and few are sent to the middle",
             fmt::format("many {} and few {} times as often as at random", number(middle.many.chance),
                         number(middle.few.chance)));
  say.choose(f.sent_opposed_empty, 0, "Cards are sent to chips where the namer lies more often than to empty ones",
             "Cards are sent to empty chips more often than to those where the namer lies",
             "No difference was seen between how often chips where the namer lies and empty ones are named",
             fmt::format("where the namer lies {} and empty ones {} times as often as at random",
                         number(f.states[kOpposed].all.chance), number(f.states[kEmpty].all.chance)));
  const auto threat = [&](ChipState state, std::string_view whose) {
    const Estimate& chance = f.states[state].all.chance;
    say.choose(chance, 1, fmt::format("Cards are sent where {} third adjacent chip would be", whose),
               fmt::format("Cards are kept from where {} third adjacent chip would be", whose),
               fmt::format("No difference was seen between naming {} third adjacent chip and naming at random", whose),
               fmt::format("it is named {} times as often as at random", number(chance)));
  };
  threat(kMoverThreat, "the mover's");
  threat(kNamerThreat, "the namer's");
}

void say_what_bluffs_earn(const Figures& f, Sentences& say) {
  const auto& of = f.classes;
  say.choose(of[kManyWeak].beyond, 0, "Many weak cards take more chips than their strength says",
             "Many weak cards take fewer chips than their strength says",
             "No difference was seen between the chips that many weak cards take and what their strength says",
             fmt::format("they win {} of their showdowns, which differs by {} from the share of groups that they "
                         "beat",
                         percent(of[kManyWeak].takes), percentage_points(of[kManyWeak].beyond)));
  say.choose(f.points_many_few_weak, 0,
             "Hands in which many weak cards are laid end better than those with few weak ones",
             "Hands in which many weak cards are laid end worse than those with few weak ones",
             "No difference was seen between hands with many weak cards and hands with few weak ones",
             fmt::format("many {}, few {} points a hand", number(of[kManyWeak].points), number(of[kFewWeak].points)));
  say.choose(
      f.points_few_many_strong, 0,
      "Hands in which few strong cards are laid end better than those with many strong ones",
      "Hands in which few strong cards are laid end worse than those with many strong ones",
      "No difference was seen between hands with few strong cards and hands with many strong ones",
      fmt::format("few {}, many {} points a hand", number(of[kFewStrong].points), number(of[kManyStrong].points)));
}

std::string cards_text(std::size_t count) { return fmt::format("{} {}", count, count == 1 ? "card" : "cards"); }

// Of each row the best choice that is worth something for certain: "1 card – chip 4 (0.05 ± 0.01)".
template <std::size_t rows, std::size_t n, class F, class G>
std::string best_of(const std::array<std::array<Estimate, n>, rows>& worth, F&& row_text, G&& column_text) {
  std::string text;
  for (std::size_t r = 0; r < rows; ++r) {
    const Estimate* best = nullptr;
    for (const Estimate& each : worth[r])
      if (each.above(0) && each.count >= kLeastCases && (best == nullptr || each.value > best->value)) best = &each;
    if (best == nullptr) continue;
    const auto column = static_cast<std::size_t>(best - worth[r].data()) + 1;
    text +=
        fmt::format("{}{} – {} ({})", text.empty() ? "" : ", ", row_text(r + 1), column_text(column), number(*best));
  }
  return text;
}

void say_what_to_do(const AdviceFigures& advice, Sentences& say) {
  const auto chip = [](std::size_t c) { return fmt::format("chip {}", c); };
  const auto turn = [](std::size_t t) { return fmt::format("turn {}", t); };
  if (const std::string best = best_of(advice.chips, cards_text, chip); !best.empty())
    say.add(fmt::format("Where to send them: the chips worth most to the namer, in points more than the mean chip: {}.",
                        best));
  if (const std::string best = best_of(advice.numbers, turn, cards_text); !best.empty())
    say.add(fmt::format(
        "How many to lay: the numbers worth most to the mover, in points more than the mean number: {}.", best));
}

void say_what_is_better(const AdviceFigures& advice, Sentences& say) {
  say.choose(advice.middle_ends_many, 0, "Four or five cards are better sent to the middle than to the ends",
             "Four or five cards are better sent to the ends than to the middle",
             "No difference was seen between sending four or five cards to the middle and to the ends",
             fmt::format("to the namer the difference is {} points", number(advice.middle_ends_many)));
  say.choose(advice.middle_ends_few, 0, "One or two cards are better sent to the middle than to the ends",
             "One or two cards are better sent to the ends than to the middle",
             "No difference was seen between sending one or two cards to the middle and to the ends",
             fmt::format("to the namer the difference is {} points", number(advice.middle_ends_few)));
  say.choose(advice.opposed_empty, 0, "Cards are better sent where the namer lies than to empty chips",
             "Cards are better sent to empty chips than where the namer lies",
             "No difference was seen between sending cards where the namer lies and to empty chips",
             fmt::format("to the namer the difference is {} points", number(advice.opposed_empty)));
  say.choose(advice.many_few_early, 0, "In the first three turns many cards are better laid than few",
             "In the first three turns few cards are better laid than many",
             "No difference was seen between laying many cards and few in the first three turns",
             fmt::format("four or five less one or two are worth {} points", number(advice.many_few_early)));
  say.choose(advice.many_few_late, 0, "In the last three turns many cards are better laid than few",
             "In the last three turns few cards are better laid than many",
             "No difference was seen between laying many cards and few in the last three turns",
             fmt::format("four or five less one or two are worth {} points", number(advice.many_few_late)));
}

// The agent's placements that lose most, for certain.
std::string worst_of(const ResponseFigures& f) {
  struct Placement {
    std::size_t cards, chip;
    Estimate less;
  };
  std::vector<Placement> worse;
  for (std::size_t n = 0; n < kMostLaid; ++n)
    for (std::size_t c = 0; c < kChips; ++c)
      if (f.sent[n][c].less.below(0) && f.sent[n][c].points.count >= kLeastCases)
        worse.push_back({n + 1, c + 1, f.sent[n][c].less});
  std::stable_sort(worse.begin(), worse.end(),
                   [](const Placement& a, const Placement& b) { return a.less.value < b.less.value; });
  if (worse.size() > kWorst) worse.resize(kWorst);
  std::string text;
  for (const Placement& each : worse)
    text += fmt::format("{}{} at chip {} ({})", text.empty() ? "" : ", ", cards_text(each.cards), each.chip,
                        number(each.less));
  return text;
}

void say_what_answers(const ResponseFigures& f, Sentences& say) {
  if (f.responder.empty()) return;
  say.choose(f.points, 0, "The agent beats its sampled best response", "The agent loses to its sampled best response",
             "No difference was seen between the agent and its sampled best response",
             fmt::format("against {} it wins {} of the hands, draws counting half, and {} points a hand", f.responder,
                         percent(f.win_rate), number(f.points)));
}

void say_how_it_answers(const ResponseFigures& f, Sentences& say) {
  if (f.responder.empty()) return;
  if (const std::string worst = worst_of(f); !worst.empty())
    say.add(fmt::format("What the responder punishes most: in points a hand less those in the agent's own games: {}.",
                        worst));
  const Fare& bluffs = f.classes[kManyWeak];
  say.choose(
      bluffs.less, 0, "Many weak cards do better against the responder than in the agent's own games",
      "Many weak cards do worse against the responder than in the agent's own games",
      "No difference was seen between many weak cards against the responder and in the agent's own games",
      fmt::format("{} points a hand against it, the difference is {}", number(bluffs.points), number(bluffs.less)));
  say.choose(f.cards, 0, "The responder lays more cards than the agent",
             "The responder lays fewer cards than the agent",
             "No difference was seen between how many cards the responder and the agent lay",
             fmt::format("the difference is {} cards a turn", number(f.cards)));
  const auto middle = [&](const Estimate& more, std::string_view cards) {
    say.choose(more, 0, fmt::format("The responder sends {} cards to the middle more often than the agent", cards),
               fmt::format("The responder sends {} cards to the middle less often than the agent", cards),
               fmt::format("No difference was seen between how often the responder and the agent send {} cards to the "
                           "middle",
                           cards),
               fmt::format("the difference is {}, in times as often as at random", number(more)));
  };
  middle(f.middle_many, "four or five");
  middle(f.middle_few, "one or two");
}

}  // namespace

std::vector<std::string> conclusions_of(const Figures& figures) {
  Sentences say;
  // What to do, and how good the agent is that says so; then how it plays.
  say_what_to_do(figures.advice, say);
  say_what_answers(figures.responses, say);
  say_who_wins(figures, say);
  say_what_is_better(figures.advice, say);
  say_what_bluffs_earn(figures, say);
  say_how_it_answers(figures.responses, say);
  say_where_they_go(figures, say);
  say_what_is_laid(figures, say);
  return say.take();
}

}  // namespace dealer::studies::seven_hand
