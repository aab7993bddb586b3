#include "arena/studies/seven_hand/conclusions.h"

#include <fmt/format.h>

#include <string_view>

#include "arena/studies/report/text.h"

namespace dealer::studies::seven_hand {
namespace {

std::string number(const Estimate& estimate) { return text_of(estimate, Unit::kNumber); }
std::string percent(const Estimate& estimate) { return text_of(estimate, Unit::kPercent); }

class Sentences {
 public:
  // The beginning that fits a figure seen against `level`, then the rest.
  void choose(const Estimate& seen, double level, std::string_view above, std::string_view below,
              std::string_view neither, const std::string& rest) {
    if (!seen.known()) return;
    const std::string_view begin = seen.above(level) ? above : seen.below(level) ? below : neither;
    list_.push_back(fmt::format("{}: {}.", begin, rest));
  }
  std::vector<std::string> take() { return std::move(list_); }

 private:
  std::vector<std::string> list_;
};

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

}  // namespace

std::vector<std::string> conclusions_of(const Figures& figures) {
  Sentences say;
  say_who_wins(figures, say);
  say_what_is_laid(figures, say);
  say_where_they_go(figures, say);
  say_what_bluffs_earn(figures, say);
  return say.take();
}

}  // namespace dealer::studies::seven_hand
