#include "arena/studies/seven_hand/report.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "arena/report/grid.h"
#include "arena/report/parts.h"
#include "arena/studies/seven_hand/kinds.h"
#include "env/core/counted.h"

namespace dealer::studies::seven_hand {
namespace {

void add_line(Page& page, const Figure& f) {
  page.heading("The line");
  page.figure(
      picture_of_line(f),
      "The mean number of cards at each chip, the turn (1 to 7) in which they were laid, and how often the winner "
      "of the chip wins the hand.",
      cells_of({f["chips"],
                "chip",
                entries(kChips, "#", "#"),
                {{"cards", "*/cards"},
                 {"turn", "*/turn"},
                 {"used", "*/used"},
                 {"showdowns", "*/showdowns"},
                 {"second wins", "*/taken_by_second"},
                 {"starter wins", "*/taken_by_starter"},
                 {"tied", "*/tied"},
                 {"win rate", "*/win_rate"}}}));
}

void add_turns(Page& page, const Figure& f) {
  page.heading("When and where");
  const std::vector<Entry> turns = entries(kTurns, "#", "#");
  std::vector<Entry> columns = entries(kChips, "chip #", "*/chips/#");
  columns.insert(columns.begin(), {"cards", "*/cards"});
  add_heat(page, {f["turns"], "turn", turns, entries(kChips, "#", "*/chips/#", 1, "*/cards_at/#")},
           {.axis = "chip", .shade = Shade::kRelative, .all_rows = true},
           "The share of a turn's cards that goes to each chip, and below it their mean number.",
           cells_of({f["turns"], "turn", turns, columns}));
  add_bars(page, {f["turns"], "turn of the player", turns, {{"cards", "*/cards"}}},
           "Cards laid in each turn, with 95% intervals.");
}

void add_sending(Page& page, const Figure& f) {
  page.heading("Where the cards are sent");
  page.paragraph(
      "The opponent names the chip. 1, the dashed line, is the frequency of naming at random among the chips that can "
      "be named.");
  page.figure(picture_of_sending(f), "How often a chip is named, by number of cards, compared with naming at random.",
              cells_of({f["sent"], "cards", entries(kMostLaid, "#", "#"), entries(kChips, "chip #", "*/#/chance")}));
  Grid states{f["states"],
              "the chip",
              entries(chip_states()),
              {{"any number", "*/all/chance"}, {"1 or 2 cards", "*/few/chance"}, {"4 or 5 cards", "*/many/chance"}}};
  Cells cells = cells_of(states);
  cells[0].emplace_back("times it could be named");
  for (std::size_t s = 0; s < states.rows.size(); ++s)
    cells[s + 1].push_back(fixed(f["states"][s]["all"]["rate"].estimate().count, 0));
  states.columns.erase(states.columns.begin());
  add_dots(page, states, "times as often as at random",
           "How often a chip is named, by the state of the line. The mover laid the cards; the namer is the opponent.",
           1, cells);
}

void add_wins(Page& page, const Figure& f) {
  page.heading("What chips are worth");
  const Figure& wins = f["wins"];
  add_bars(page,
           {wins, "chips won in the middle (3, 4, 5)", entries(kMiddle + 1, "#", "#", 0), {{"win rate", "middle/*"}}},
           "How often a player wins the hand, by chips won in the middle; draws count half.", 0.5);
  add_bars(page,
           {wins, "chips won at the ends (1, 2, 6, 7)", entries(kEnds + 1, "#", "#", 0), {{"win rate", "ends/*"}}},
           "The same by chips won at the ends.", 0.5);
  Grid both{wins["both"], "middle", entries(kMiddle + 1, "#", "#", 0), entries(kEnds + 1, "ends #", "*/#", 0)};
  const Cells numbers = cells_of(both);
  both.columns = entries(kEnds + 1, "#", "*/#", 0);
  add_heat(page, both, {.axis = "at the ends", .all_rows = true},
           "How often a player wins the hand, by chips won in the middle and at the ends.", numbers);
}

void add_groups(Page& page, const Figure& f) {
  page.heading("Bluffs");
  page.paragraph(
      "A group is weak if it belongs to the weakest quarter of all groups of as many cards, and strong if it belongs "
      "to the strongest quarter. Few means 1 or 2 cards, many 4 or 5. Many weak cards look stronger than they are, few "
      "strong cards weaker. The other cards of the hand also decide its result, so these figures show how bluffs and "
      "results go together, not what a bluff causes.");
  add_table(page, {f["classes"], "group", entries(group_classes()), columns("points share takes strength beyond")});
  page.paragraph(
      "'points' is the result of the hand, 'share' the share of all groups laid, 'takes' the share of its showdowns "
      "that it wins, 'strength' the share of all groups laid that it beats, and 'beyond' the difference takes − "
      "strength of the groups that were shown.");
  add_heat(page,
           {f["groups"],
            "cards",
            entries(kMostLaid, "#", "#"),
            {{"weakest", "*/0/points", "*/0/share"},
             {"below half", "*/1/points", "*/1/share"},
             {"above half", "*/2/points", "*/2/share"},
             {"strongest", "*/3/points", "*/3/share"}}},
           {.axis = "quarter of groups of as many cards", .shade = Shade::kRelative, .all_rows = true},
           "Points a hand of the player who laid a group, by its number of cards and its strength among groups of that "
           "number; below it the group's share of all groups.");
}

void add_ends(Page& page, const Figure& f) {
  page.heading("How hands end");
  const Figure& ends = f["ends"];
  add_bars(page,
           {ends,
            "how the hand ends",
            {{"three adjacent", "three_adjacent"}, {"majority", "majority"}, {"draw", "drawn"}},
            {{"share", "*"}}},
           "How hands end, after {turns} turns of both players and {showdowns} showdowns on average.");
  std::vector<Entry> rows = entries(kRows, "#", "#");
  for (Entry& row : rows) row.title += fmt::format("–{}", std::stoi(row.title) + 2);
  add_bars(page, {ends, "three adjacent chips", rows, {{"share", "rows/*"}}},
           "Where three adjacent chips were won. {three_with_fewer} of these winners had fewer chips than the loser.");
  add_bars(page,
           {ends,
            "chips of the winner minus the loser's",
            entries(kMargins, "#", "#", kLeastMargin),
            {{"share", "margins/*"}}},
           "The margin by which hands are won, in chips.");
}

}  // namespace

std::string report_of(const Subject& subject, const Figure& figures) {
  Page page = study_page(
      "7-Hand Poker: the placement study",
      fmt::format("{} plays itself: {} of {}, each played twice with the same cards, so that each player has "
                  "the first turn once. {}.",
                  subject.agent, counted(subject.deals, "deal"), subject.game, counted(subject.hands, "hand")),
      subject, conclusions_of(figures), about_intervals("a deal with its two hands"));
  add_line(page, figures);
  add_turns(page, figures);
  add_sending(page, figures);
  add_advice(page, figures);
  add_responses(page, figures);
  add_wins(page, figures);
  add_groups(page, figures);
  add_ends(page, figures);
  return page.finish(last_line(subject));
}

}  // namespace dealer::studies::seven_hand
