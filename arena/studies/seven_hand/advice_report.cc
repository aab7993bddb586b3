#include <string>
#include <vector>

#include "arena/studies/checks.h"
#include "arena/studies/report/grid.h"
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
  page.paragraph(advice.fill(
      "{tries} turns of other hands of the agent against itself were tried in every way: from the same cards, seen and "
      "unseen, every chip was named and every number of cards laid, and the agent played on for both. A choice is "
      "worth "
      "the points it wins more than the mean of all choices of that turn, for who makes it. Pale cells are those whose "
      "interval holds zero."));
  add_heat(page, cards_by_chip(advice["chips"]), kDifferences,
           "For the namer: points that naming a chip is worth, by the number of cards that wait.");
  Heat by_state = with_axis(kDifferences, "cards that wait");
  by_state.label_width = 146;
  add_heat(page, {advice["states"], "the chip", entries(chip_states()), entries(kMostLaid, "#", "*/#")}, by_state,
           "For the namer: the same by how the line stands at the chip and by the number of cards.");
  add_heat(page, turns_by_cards(advice["numbers"]), with_axis(kDifferences, "cards laid"),
           "For the mover: points that laying so many cards is worth, those that the agent would choose, by turn.");
  add_checks(page, figures["checks"], "points");
}

void add_responses(Page& page, const Figure& figures) {
  const Figure& responses = figures["responses"];
  if (responses.is_null()) return;
  page.heading("Against its sampled best response");
  page.paragraph(responses.fill(
      "The responder, {responder}, knows the agent's policy: it draws the cards that it does not see as likely as the "
      "agent's play makes them, and takes the choice that wins most while the agent plays on. No search finds every "
      "answer: a better one could win more. In {hands} hands, both with the same cards and turns, the agent wins "
      "{win_rate} of them, draws counting half, and {points} points a hand; against itself that is one half and "
      "none."));
  page.paragraph(
      "Differences are those to the agent's games against itself. Placements are the agent's, points those of the "
      "whole hand.");
  add_heat(page, cards_by_chip(responses["sent"], "/less"), kDifferences,
           "How many points more hands bring in which the agent's cards went there, by number of cards.");
  add_heat(page, turns_by_cards(responses["turns"], "/less"), with_axis(kDifferences, "cards laid"),
           "How many points more hands bring in which the agent laid so many cards in that turn.");
  add_table(
      page,
      {responses["classes"], "group", entries(group_classes()), {{"points", "*/points"}, {"difference", "*/less"}}});
  page.subheading("What the responder does");
  page.paragraph("In percentage points, how much more often than the agent: what one should do against it.");
  add_heat(page, cards_by_chip(responses["named"], "/less"), kDifferences,
           "Of the times that a chip could be named, how much more often the responder names it, by number of cards.");
  add_heat(page, turns_by_cards(responses["laid"], "/less"), with_axis(kDifferences, "cards laid"),
           "How much more often the responder lays so many cards, by turn.");
  add_heat(page, cards_by_chip(responses["named"], "/rate"), {.axis = "chip"},
           "The responder's own chart: of the times that it could name a chip, how often it does.");
  add_heat(page, turns_by_cards(responses["laid"], "/rate"), {.axis = "cards laid"},
           "How many cards it lays in each turn.");
}

}  // namespace dealer::studies::seven_hand
