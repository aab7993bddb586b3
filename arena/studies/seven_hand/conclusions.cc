#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "arena/report/grid.h"
#include "arena/report/sentences.h"
#include "arena/studies/checks.h"
#include "arena/studies/seven_hand/hand.h"
#include "arena/studies/seven_hand/report.h"

namespace dealer::studies::seven_hand {
namespace {

// The number of placements named, and the minimum number of cases of each: intervals of fewer are rough.
constexpr std::size_t kWorst = 3;
constexpr double kLeastCases = 30;

constexpr Saying kWhoWins[] = {
    {"first_move/points", "The first turn is an advantage", "The first turn is a disadvantage",
     "No difference was seen between the first turn and the second",
     "its holder wins {first_move/win_rate} of hands (draws count half) and {first_move/points} points a hand"},
    {".three_or_majority", "Three adjacent chips decide more hands than the majority",
     "The majority decides more hands than three adjacent chips",
     "No difference was seen between how many hands three adjacent chips and the majority decide",
     "{ends/three_adjacent} of hands end with three adjacent chips, {ends/majority} by majority and {ends/drawn} in a "
     "draw, after {ends/turns} turns of both players together"},
    {"differences/win_middle_ends", "A chip in the middle (3, 4, 5) is worth more than one at the ends (1, 2, 6, 7)",
     "A chip at the ends (1, 2, 6, 7) is worth more than one in the middle (3, 4, 5)",
     "No difference was seen between the worth of a chip in the middle and of one at the ends",
     "the win rate of its winner, middle minus ends, is {differences/win_middle_ends}"}};

constexpr Saying kWhatIsBetter[] = {
    {"differences/middle_ends_many", "Four or five cards are better sent to the middle than to the ends",
     "Four or five cards are better sent to the ends than to the middle",
     "No difference was seen between sending four or five cards to the middle and to the ends",
     "for the namer the middle minus the ends is {differences/middle_ends_many} points"},
    {"differences/middle_ends_few", "One or two cards are better sent to the middle than to the ends",
     "One or two cards are better sent to the ends than to the middle",
     "No difference was seen between sending one or two cards to the middle and to the ends",
     "for the namer the middle minus the ends is {differences/middle_ends_few} points"},
    {"differences/opposed_empty", "Cards are better sent to chips where the namer has cards than to empty chips",
     "Cards are better sent to empty chips than to chips where the namer has cards",
     "No difference was seen between sending cards to chips where the namer has cards and to empty chips",
     "for the namer, chips where it has cards minus empty chips is {differences/opposed_empty} points"},
    {"differences/many_few_early", "In the first three turns it is better to lay many cards than few",
     "In the first three turns it is better to lay few cards than many",
     "No difference was seen between laying many cards and few in the first three turns",
     "four or five cards minus one or two is {differences/many_few_early} points"},
    {"differences/many_few_late", "In the last three turns it is better to lay many cards than few",
     "In the last three turns it is better to lay few cards than many",
     "No difference was seen between laying many cards and few in the last three turns",
     "four or five cards minus one or two is {differences/many_few_late} points"}};

constexpr Saying kBluffs[] = {
    {"classes/many_weak/beyond", "Groups of many weak cards win more showdowns than their strength predicts",
     "Groups of many weak cards win fewer showdowns than their strength predicts",
     "No difference was seen between the showdowns that groups of many weak cards win and what their strength predicts",
     "they win {classes/many_weak/takes} of their showdowns, a difference of {classes/many_weak/beyond} from the share "
     "of groups that they beat"},
    {"differences/points_many_few_weak", "Hands with a group of many weak cards score better than hands with few",
     "Hands with a group of many weak cards score worse than hands with few",
     "No difference was seen between the scores of hands with many weak cards and with few",
     "{classes/many_weak/points} points a hand with many, {classes/few_weak/points} with few"},
    {"differences/points_few_many_strong", "Hands with a group of few strong cards score better than hands with many",
     "Hands with a group of few strong cards score worse than hands with many",
     "No difference was seen between the scores of hands with few strong cards and with many",
     "{classes/few_strong/points} points a hand with few, {classes/many_strong/points} with many"}};

constexpr Saying kWhereTheyGo[] = {
    {"differences/middle_many_few", "The agent sends four or five cards to the middle more often than one or two",
     "The agent sends four or five cards to the middle less often than one or two",
     "No difference was seen between how often the agent sends many cards and few to the middle",
     "it sends many there {states/middle/many/chance} times as often as at random, and few "
     "{states/middle/few/chance} times"},
    {"differences/sent_opposed_empty",
     "The agent sends cards to chips where the namer has cards more often than to empty chips",
     "The agent sends cards to empty chips more often than to chips where the namer has cards",
     "No difference was seen between how often the agent names chips where it has cards and empty chips",
     "it names the former {states/opposed/all/chance} times as often as at random, and empty chips "
     "{states/empty/all/chance} times"},
    {"states/mover_threat/all/chance", "The agent names the mover's third adjacent chip more often than at random",
     "The agent names the mover's third adjacent chip less often than at random",
     "No difference was seen between naming the mover's third adjacent chip and naming at random",
     "it does so {states/mover_threat/all/chance} times as often", 1},
    {"states/namer_threat/all/chance", "The agent names the namer's third adjacent chip more often than at random",
     "The agent names the namer's third adjacent chip less often than at random",
     "No difference was seen between naming the namer's third adjacent chip and naming at random",
     "it does so {states/namer_threat/all/chance} times as often", 1}};

constexpr Saying kWhatIsLaid[] = {
    {"differences/cards_middle_ends", "The middle receives more cards than the ends",
     "The middle receives fewer cards than the ends",
     "No difference was seen between the number of cards in the middle and at the ends",
     "the middle minus the ends is {differences/cards_middle_ends} cards a group"},
    {"differences/turn_middle_ends", "The middle is filled later than the ends",
     "The middle is filled earlier than the ends",
     "No difference was seen between when the middle and the ends are filled",
     "the middle minus the ends is {differences/turn_middle_ends} turns"},
    {"differences/cards_late_early", "The agent lays more cards in the last three turns than in the first three",
     "The agent lays fewer cards in the last three turns than in the first three",
     "No difference was seen between how many cards the agent lays in the first three turns and the last three",
     "the last three turns minus the first three is {differences/cards_late_early} cards a turn"}};

constexpr Saying kResponse = {
    "points", "The agent beats its sampled best response", "The agent loses to its sampled best response",
    "No difference was seen between the agent and its sampled best response",
    "against {responder} it wins {win_rate} of hands (draws count half) and {points} points a hand"};

constexpr Saying kHowItAnswers[] = {
    {"classes/many_weak/less", "Groups of many weak cards score better against the responder than in self-play",
     "Groups of many weak cards score worse against the responder than in self-play",
     "No difference was seen between groups of many weak cards against the responder and in self-play",
     "the agent wins {classes/many_weak/points} points a hand with them, a difference of {classes/many_weak/less}"},
    {"differences/cards", "The responder lays more cards than the agent",
     "The responder lays fewer cards than the agent",
     "No difference was seen between how many cards the responder and the agent lay",
     "the difference is {differences/cards} cards a turn"},
    {"differences/middle_many", "The responder sends four or five cards to the middle more often than the agent",
     "The responder sends four or five cards to the middle less often than the agent",
     "No difference was seen between how often the responder and the agent send four or five cards to the middle",
     "the difference is {differences/middle_many} times the frequency of random naming"},
    {"differences/middle_few", "The responder sends one or two cards to the middle more often than the agent",
     "The responder sends one or two cards to the middle less often than the agent",
     "No difference was seen between how often the responder and the agent send one or two cards to the middle",
     "the difference is {differences/middle_few} times the frequency of random naming"}};

std::string cards_text(std::size_t count) { return fmt::format("{} {}", count, count == 1 ? "card" : "cards"); }
std::string chip_text(std::size_t chip) { return fmt::format("chip {}", chip); }
std::string turn_text(std::size_t turn) { return fmt::format("turn {}", turn); }

// The best significant choice of each row: "1 card – chip 4 (0.05 ± 0.01)".
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
    say.add(fmt::format("The namer gains most with these chips: {}, in points above the average chip.", best));
  if (const std::string best = best_of(advice["numbers"], turn_text, cards_text); !best.empty())
    say.add(
        fmt::format("The mover gains most with these numbers of cards: {}, in points above the average number.", best));
}

// The agent's placements with the largest significant losses.
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

// The difference of the two large shares of three that sum to one, with the sum of their intervals.
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
  // Advice first, then the strength of the agent that gives it, and its play.
  if (!advice.is_null()) say_what_to_do(advice, say);
  if (!responses.is_null()) say.say(responses, kResponse);
  say.say(with_three_or_majority(figures), kWhoWins);
  if (!advice.is_null()) say.say(advice, kWhatIsBetter);
  say_checks(figures["checks"], say);
  say.say(figures, kBluffs);
  if (!responses.is_null()) {
    if (const std::string worst = worst_of(responses["sent"]); !worst.empty())
      say.add(fmt::format("The responder punishes these placements most: {}, in points a hand compared with self-play.",
                          worst));
    say.say(responses, kHowItAnswers);
  }
  say.say(figures, kWhereTheyGo);
  say.say(figures, kWhatIsLaid);
  return say.take();
}

}  // namespace dealer::studies::seven_hand
