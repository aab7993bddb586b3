#include <string>

#include "arena/report/grid.h"
#include "arena/studies/checks.h"
#include "arena/studies/seven_hand/kinds.h"
#include "arena/studies/seven_hand/report.h"

namespace dealer::studies::seven_hand {
namespace {

const Heat kDifferences = {.axis = "chip", .shade = Shade::kDifference, .all_rows = true};

// Rows by number of cards, columns by chip.
Grid cards_by_chip(const Figure& of, const std::string& figure = "") {
  return {of, "cards", entries(kMostLaid, "#", "#"), entries(kChips, "#", "*/#" + figure)};
}
Grid turns_by_cards(const Figure& of, const std::string& figure = "") {
  return {of, "turn", entries(kTurns, "#", "#"), entries(kMostLaid, "#", "*/#" + figure)};
}

Heat with_axis(Heat heat, std::string axis) {
  heat.axis = std::move(axis);
  return heat;
}

}  // namespace

void add_advice(Page& page, const Figure& figures) {
  const Figure& advice = figures["advice"];
  if (advice.is_null()) return;
  page.heading("What to send where");
  page.paragraph(
      advice.fill("The study tried every choice in {tries} turns of other hands that the agent played against itself: "
                  "from the same cards, seen and unseen, it named every chip and laid every number of cards, and the "
                  "agent played on in both seats. The worth of a choice is the points that it wins minus the mean of "
                  "all choices of that turn, for the player who makes it. The interval of a pale cell contains zero."));
  add_heat(page, cards_by_chip(advice["chips"]), kDifferences,
           "For the namer: what naming each chip is worth in points, by the number of cards that were laid.");
  Heat by_state = with_axis(kDifferences, "cards laid");
  by_state.label_width = 146;
  add_heat(page, {advice["states"], "the chip", entries(chip_states()), entries(kMostLaid, "#", "*/#")}, by_state,
           "For the namer: the same by the state of the line at the chip and the number of cards.");
  add_heat(page, turns_by_cards(advice["numbers"]), with_axis(kDifferences, "cards laid"),
           "For the mover: what laying each number of cards is worth in points, by turn; the agent chooses the cards.");
  add_checks(page, figures["checks"], "points");
}

void add_responses(Page& page, const Figure& figures) {
  const Figure& responses = figures["responses"];
  if (responses.is_null()) return;
  page.heading("Against its sampled best response");
  page.paragraph(responses.fill(
      "The responder, {responder}, knows the agent's policy. It samples the cards that it cannot see in proportion to "
      "the probability of the agent's play, and takes the choice that wins most if the agent plays both seats from "
      "then on. Search does not find every best answer, so a true best response could win more. In {hands} hands with "
      "the same cards and turns for both, the agent wins {win_rate} (draws count half) and {points} points a hand; "
      "against itself it would win half of them and 0 points."));
  page.paragraph("Differences are relative to self-play. Placements are the agent's; points are those of the hand.");
  add_heat(page, cards_by_chip(responses["sent"], "/less"), kDifferences,
           "The difference in points of hands in which the agent's cards went to a chip, by number of cards.");
  add_heat(page, turns_by_cards(responses["turns"], "/less"), with_axis(kDifferences, "cards laid"),
           "The difference in points of hands in which the agent laid that many cards in a turn.");
  add_table(
      page,
      {responses["classes"], "group", entries(group_classes()), {{"points", "*/points"}, {"difference", "*/less"}}});
  page.subheading("What the responder does");
  page.paragraph(
      "The next two charts show, in percentage points, what the responder does more often than the agent: this is how "
      "to play against it.");
  add_heat(page, cards_by_chip(responses["named"], "/less"), kDifferences,
           "How much more often the responder names a chip when it can, by number of cards.");
  add_heat(page, turns_by_cards(responses["laid"], "/less"), with_axis(kDifferences, "cards laid"),
           "How much more often the responder lays each number of cards, by turn.");
  add_heat(page, cards_by_chip(responses["named"], "/rate"), {.axis = "chip"},
           "The responder's own chart: how often it names a chip when it can.");
  add_heat(page, turns_by_cards(responses["laid"], "/rate"), {.axis = "cards laid"},
           "How many cards it lays in each turn.");
}

}  // namespace dealer::studies::seven_hand
