#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "arena/studies/checks.h"
#include "arena/studies/report/grid.h"
#include "arena/studies/report/parts.h"
#include "arena/studies/report/sentences.h"
#include "arena/studies/seven_hand/hand.h"
#include "arena/studies/seven_hand/report.h"

namespace dealer::studies::seven_hand {
namespace {

// Placements that are named, and of how many cases their figures must be: intervals of fewer are rough.
constexpr std::size_t kWorst = 3;
constexpr double kLeastCases = 30;

constexpr Saying kWhoWins[] = {
    {"first_move/points", "The first turn is an advantage", "The first turn is a disadvantage",
     "No difference was seen between the first turn and the second",
     "who has it wins {first_move/win_rate} of the hands, draws counting half, and {first_move/points} points a hand"},
    {".three_or_majority", "Three adjacent chips decide more hands than the majority",
     "The majority decides more hands than three adjacent chips",
     "No difference was seen between how many hands three adjacent chips and the majority decide",
     "{ends/three_adjacent} of the hands end with three adjacent chips, {ends/majority} by the majority, {ends/drawn} "
     "in a draw, after {ends/turns} turns of both together"},
    {"differences/win_middle_ends", "A chip in the middle (3, 4, 5) is worth more than one at the ends (1, 2, 6, 7)",
     "A chip at the ends (1, 2, 6, 7) is worth more than one in the middle (3, 4, 5)",
     "No difference was seen between what a chip in the middle and one at the ends are worth",
     "the hands won with it differ by {differences/win_middle_ends}"}};

constexpr Saying kWhatIsBetter[] = {
    {"differences/middle_ends_many", "Four or five cards are better sent to the middle than to the ends",
     "Four or five cards are better sent to the ends than to the middle",
     "No difference was seen between sending four or five cards to the middle and to the ends",
     "to the namer the difference is {differences/middle_ends_many} points"},
    {"differences/middle_ends_few", "One or two cards are better sent to the middle than to the ends",
     "One or two cards are better sent to the ends than to the middle",
     "No difference was seen between sending one or two cards to the middle and to the ends",
     "to the namer the difference is {differences/middle_ends_few} points"},
    {"differences/opposed_empty", "Cards are better sent where the namer lies than to empty chips",
     "Cards are better sent to empty chips than where the namer lies",
     "No difference was seen between sending cards where the namer lies and to empty chips",
     "to the namer the difference is {differences/opposed_empty} points"},
    {"differences/many_few_early", "In the first three turns many cards are better laid than few",
     "In the first three turns few cards are better laid than many",
     "No difference was seen between laying many cards and few in the first three turns",
     "four or five less one or two are worth {differences/many_few_early} points"},
    {"differences/many_few_late", "In the last three turns many cards are better laid than few",
     "In the last three turns few cards are better laid than many",
     "No difference was seen between laying many cards and few in the last three turns",
     "four or five less one or two are worth {differences/many_few_late} points"}};

constexpr Saying kBluffs[] = {
    {"classes/many_weak/beyond", "Many weak cards take more chips than their strength says",
     "Many weak cards take fewer chips than their strength says",
     "No difference was seen between the chips that many weak cards take and what their strength says",
     "they win {classes/many_weak/takes} of their showdowns, which differs by {classes/many_weak/beyond} from the "
     "share "
     "of groups that they beat"},
    {"differences/points_many_few_weak",
     "Hands in which many weak cards are laid end better than those with few weak ones",
     "Hands in which many weak cards are laid end worse than those with few weak ones",
     "No difference was seen between hands with many weak cards and hands with few weak ones",
     "many {classes/many_weak/points}, few {classes/few_weak/points} points a hand"},
    {"differences/points_few_many_strong",
     "Hands in which few strong cards are laid end better than those with many strong ones",
     "Hands in which few strong cards are laid end worse than those with many strong ones",
     "No difference was seen between hands with few strong cards and hands with many strong ones",
     "few {classes/few_strong/points}, many {classes/many_strong/points} points a hand"}};

constexpr Saying kWhereTheyGo[] = {
    {"differences/middle_many_few", "Four or five cards are sent to the middle more often than one or two",
     "Four or five cards are sent to the middle less often than one or two",
     "No difference was seen between how often many cards and few are sent to the middle",
     "many {states/middle/many/chance} and few {states/middle/few/chance} times as often as at random"},
    {"differences/sent_opposed_empty", "Cards are sent to chips where the namer lies more often than to empty ones",
     "Cards are sent to empty chips more often than to those where the namer lies",
     "No difference was seen between how often chips where the namer lies and empty ones are named",
     "where the namer lies {states/opposed/all/chance} and empty ones {states/empty/all/chance} times as often as at "
     "random"},
    {"states/mover_threat/all/chance", "Cards are sent where the mover's third adjacent chip would be",
     "Cards are kept from where the mover's third adjacent chip would be",
     "No difference was seen between naming the mover's third adjacent chip and naming at random",
     "it is named {states/mover_threat/all/chance} times as often as at random", 1},
    {"states/namer_threat/all/chance", "Cards are sent where the namer's third adjacent chip would be",
     "Cards are kept from where the namer's third adjacent chip would be",
     "No difference was seen between naming the namer's third adjacent chip and naming at random",
     "it is named {states/namer_threat/all/chance} times as often as at random", 1}};

constexpr Saying kWhatIsLaid[] = {
    {"differences/cards_middle_ends", "More cards lie in the middle than at the ends",
     "Fewer cards lie in the middle than at the ends",
     "No difference was seen between how many cards lie in the middle and at the ends",
     "the difference is {differences/cards_middle_ends} cards a group"},
    {"differences/turn_middle_ends", "The middle is filled later than the ends",
     "The middle is filled earlier than the ends",
     "No difference was seen between when the middle and the ends are filled",
     "the difference is {differences/turn_middle_ends} turns"},
    {"differences/cards_late_early", "More cards are laid in the last three turns than in the first three",
     "Fewer cards are laid in the last three turns than in the first three",
     "No difference was seen between how many cards are laid in the first three turns and the last three",
     "the difference is {differences/cards_late_early} cards a turn"}};

constexpr Saying kResponse = {
    "points", "The agent beats its sampled best response", "The agent loses to its sampled best response",
    "No difference was seen between the agent and its sampled best response",
    "against {responder} it wins {win_rate} of the hands, draws counting half, and {points} points a hand"};

constexpr Saying kHowItAnswers[] = {
    {"classes/many_weak/less", "Many weak cards do better against the responder than in the agent's own games",
     "Many weak cards do worse against the responder than in the agent's own games",
     "No difference was seen between many weak cards against the responder and in the agent's own games",
     "{classes/many_weak/points} points a hand against it, the difference is {classes/many_weak/less}"},
    {"differences/cards", "The responder lays more cards than the agent",
     "The responder lays fewer cards than the agent",
     "No difference was seen between how many cards the responder and the agent lay",
     "the difference is {differences/cards} cards a turn"},
    {"differences/middle_many", "The responder sends four or five cards to the middle more often than the agent",
     "The responder sends four or five cards to the middle less often than the agent",
     "No difference was seen between how often the responder and the agent send four or five cards to the middle",
     "the difference is {differences/middle_many}, in times as often as at random"},
    {"differences/middle_few", "The responder sends one or two cards to the middle more often than the agent",
     "The responder sends one or two cards to the middle less often than the agent",
     "No difference was seen between how often the responder and the agent send one or two cards to the middle",
     "the difference is {differences/middle_few}, in times as often as at random"}};

std::string cards_text(std::size_t count) { return fmt::format("{} {}", count, count == 1 ? "card" : "cards"); }
std::string chip_text(std::size_t chip) { return fmt::format("chip {}", chip); }
std::string turn_text(std::size_t turn) { return fmt::format("turn {}", turn); }

// Of each row the best choice that is worth something for certain: "1 card – chip 4 (0.05 ± 0.01)".
std::string best_of(const Figure& worth, std::string (*row_text)(std::size_t),
                    std::string (*column_text)(std::size_t)) {
  std::string text;
  for (std::size_t r = 0; r < worth.size(); ++r) {
    std::optional<std::size_t> best;
    for (std::size_t c = 0; c < worth[r].size(); ++c) {
      const Estimate each = worth[r][c].estimate();
      if (each.above(0) && each.count >= kLeastCases && (!best || each.value > worth[r][*best].estimate().value))
        best = c;
    }
    if (best)
      text += fmt::format("{}{} – {} ({})", text.empty() ? "" : ", ", row_text(r + 1), column_text(*best + 1),
                          worth[r][*best].text());
  }
  return text;
}

void say_what_to_do(const Figure& advice, Sentences& say) {
  if (const std::string best = best_of(advice["chips"], cards_text, chip_text); !best.empty())
    say.add(fmt::format("Where to send them: the chips worth most to the namer, in points more than the mean chip: {}.",
                        best));
  if (const std::string best = best_of(advice["numbers"], turn_text, cards_text); !best.empty())
    say.add(fmt::format(
        "How many to lay: the numbers worth most to the mover, in points more than the mean number: {}.", best));
}

// The agent's placements that lose most, for certain.
std::string worst_of(const Figure& sent) {
  struct Placement {
    std::size_t cards, chip;
    Estimate less;
  };
  std::vector<Placement> worse;
  for (std::size_t n = 0; n < sent.size(); ++n)
    for (std::size_t c = 0; c < sent[n].size(); ++c)
      if (const Estimate less = sent[n][c]["less"].estimate();
          less.below(0) && sent[n][c]["points"].estimate().count >= kLeastCases)
        worse.push_back({n + 1, c + 1, less});
  std::stable_sort(worse.begin(), worse.end(),
                   [](const Placement& a, const Placement& b) { return a.less.value < b.less.value; });
  if (worse.size() > kWorst) worse.resize(kWorst);
  std::string text;
  for (const Placement& each : worse)
    text += fmt::format("{}{} at chip {} ({})", text.empty() ? "" : ", ", cards_text(each.cards), each.chip,
                        number(each.less));
  return text;
}

// Of three shares that add up to one, the two large ones: apart where their intervals are.
Figure with_three_or_majority(const Figure& figures) {
  const Estimate three = figures.estimate("ends/three_adjacent"), most = figures.estimate("ends/majority");
  Figure all = figures;
  all.set(".three_or_majority",
          Figure(Estimate{three.value - most.value, three.ci95 + most.ci95, three.count}, Unit::kPercentagePoints));
  return all;
}

}  // namespace

std::vector<std::string> conclusions_of(const Figure& figures) {
  Sentences say;
  const Figure &advice = figures["advice"], &responses = figures["responses"];
  // What to do, and how good the agent is that says so; then how it plays.
  if (!advice.is_null()) say_what_to_do(advice, say);
  if (!responses.is_null()) say.say(responses, kResponse);
  say.say(with_three_or_majority(figures), kWhoWins);
  if (!advice.is_null()) say.say(advice, kWhatIsBetter);
  say_checks(figures["checks"], say);
  say.say(figures, kBluffs);
  if (!responses.is_null()) {
    if (const std::string worst = worst_of(responses["sent"]); !worst.empty())
      say.add(fmt::format("What the responder punishes most: in points a hand less those in the agent's own games: {}.",
                          worst));
    say.say(responses, kHowItAnswers);
  }
  say.say(figures, kWhereTheyGo);
  say.say(figures, kWhatIsLaid);
  return say.take();
}

}  // namespace dealer::studies::seven_hand
