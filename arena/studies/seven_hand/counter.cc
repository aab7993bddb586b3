#include "arena/studies/seven_hand/counter.h"

#include <algorithm>
#include <bit>

#include "arena/studies/seven_hand/kinds.h"
#include "env/core/at.h"

namespace dealer::studies::seven_hand {
namespace {

constexpr bool is_early(int turn) { return turn <= kEarly; }
constexpr bool is_late(int turn) { return turn >= kLate; }

// Items numbered from 1 in the member `name`.
Figure numbered_list(int count, const std::string& name, const Figure& item) {
  Figure items = list();
  for (int i = 1; i <= count; ++i) items.push_back(joined(object({{name, value(i)}}), item));
  return items;
}

// The naming rate of a chip: of the times it was open, and relative to random naming. By index for speed, since every
// chip of every turn is counted.
constexpr int kRate = 0, kChance = 1, kAll = 0, kFew = 1, kMany = 2;
Figure sending() { return counters("rate% chance"); }

void add_named(Figure& sending, std::int64_t deal, double named, double by_chance) {
  sending[kRate].add(deal, named);
  sending[kChance].add(deal, named, by_chance);
}

// A share of 0 or 1: the same interval in the other unit.
void complete(Figure& sending) {
  Estimate chance = sending["chance"].estimate();
  const Estimate rate = sending["rate"].estimate();
  if (chance.known() || !rate.known()) return;
  chance.ci95 = rate.ci95 * rate.count / chance.count;
  sending.set("chance", Figure(chance, Unit::kNumber));
}

Figure ends() {
  return object({{"three_adjacent", share()},
                 {"majority", share()},
                 {"drawn", share()},
                 {"three_with_fewer", share()},
                 {"rows", list(kRows, share())},
                 {"turns", mean()},
                 {"showdowns", mean()},
                 {"margins", list(kMargins, share())}});
}

}  // namespace

Counter::Counter() {
  const Figure chip = counters("used% cards turn showdowns% taken_by_second% taken_by_starter% tied% win_rate%");
  const Figure turn = object({{"cards", mean()},
                              {"numbers", list(kMostLaid, share())},
                              {"chips", list(kChips, share())},
                              {"cards_at", list(kChips, mean())}});
  figures_ =
      object({{"chips", numbered_list(kChips, "chip", chip)},
              {"turns", numbered_list(kTurns, "turn", turn)},
              {"sent", list(kMostLaid, list(kChips, sending()))},
              {"states", by_name(chip_states(), object({{"all", sending()}, {"few", sending()}, {"many", sending()}}))},
              {"wins", object({{"middle", list(kMiddle + 1, share())},
                               {"ends", list(kEnds + 1, share())},
                               {"both", list(kMiddle + 1, list(kEnds + 1, share()))}})},
              {"first_move", counters("points wins% win_rate%")},
              {"groups", value(nullptr)},
              {"classes", value(nullptr)},
              {"ends", ends()},
              {"advice", value(nullptr)},
              {"checks", list()},
              {"responses", value(nullptr)},
              {"differences", object({{"cards_middle_ends", difference()},
                                      {"turn_middle_ends", difference()},
                                      {"cards_late_early", difference()},
                                      {"middle_many_few", difference()},
                                      {"sent_opposed_empty", difference()},
                                      {"win_middle_ends", difference(Unit::kPercentagePoints)},
                                      {"points_many_few_weak", difference()},
                                      {"points_few_many_strong", difference()}})}});
}

void Counter::add(std::int64_t deal, const Hand& hand) {
  for (int i = 0; i < hand.turns; ++i) {
    add_laying(deal, hand, hand.layings[at(i)]);
    add_naming(deal, hand.layings[at(i)]);
  }
  add_chips(deal, hand);
  add_wins(deal, hand);
  add_result(deal, hand);
  responses_.add_self(deal, hand);
}

void Counter::add_response(std::int64_t deal, const Hand& hand, int responder) {
  responses_.add_response(deal, hand, responder);
  for (int i = 0; i < hand.turns; ++i)
    if (const Laying& laying = hand.layings[at(i)]; laying.role != responder)
      groups_.add_response(deal, laying, hand.points_of(laying.role));
}

void Counter::add_laying(std::int64_t deal, const Hand& hand, const Laying& laying) {
  const int count = laying.count(), number = laying.turn;
  Figure &chip = figures_["chips"][laying.chip], &turn = figures_["turns"][number - 1];
  chip["cards"].add(deal, count);
  chip["turn"].add(deal, number);
  turn["cards"].add(deal, count);
  turn["numbers"].choose(deal, count - 1);
  turn["chips"].choose(deal, laying.chip);
  turn["cards_at"][laying.chip].add(deal, count);
  Figure& differences = figures_["differences"];
  differences["cards_middle_ends"].compare(deal, is_middle(laying.chip), count);
  differences["turn_middle_ends"].compare(deal, is_middle(laying.chip), number);
  if (is_late(number) || is_early(number)) differences["cards_late_early"].compare(deal, is_late(number), count);
  groups_.add(deal, laying, hand.points_of(laying.role));
}

void Counter::add_naming(std::int64_t deal, const Laying& laying) {
  if (!laying.chosen()) return;
  const int count = laying.count();
  const double by_chance = 1.0 / std::popcount(laying.free);
  const bool few = is_few(count), many = is_many(count);
  Figure &sent = figures_["sent"][count - 1], &states = figures_["states"];
  Figure &middle = figures_["differences"]["middle_many_few"], &opposed = figures_["differences"]["sent_opposed_empty"];
  for (int chip = 0; chip < kChips; ++chip) {
    if (!laying.is_free(chip)) continue;
    const double named = when(chip == laying.chip);
    add_named(sent[chip], deal, named, by_chance);
    for (std::size_t s = 0; s < chip_states().size(); ++s) {
      if (!is_in(s, laying, chip)) continue;
      Figure& state = states[s];
      add_named(state[kAll], deal, named, by_chance);
      if (few || many) add_named(state[few ? kFew : kMany], deal, named, by_chance);
    }
    if (is_middle(chip) && (many || few)) middle.compare(deal, many, named, by_chance);
    opposed.compare(deal, laying.opposite[at(chip)] > 0, named, by_chance);
  }
}

void Counter::add_chips(std::int64_t deal, const Hand& hand) {
  std::array<int, kChips> laid_at{};
  for (int i = 0; i < hand.turns; ++i) ++laid_at[at(hand.layings[at(i)].chip)];
  for (int c = 0; c < kChips; ++c) {
    Figure& chip = figures_["chips"][c];
    chip["used"].add(deal, laid_at[at(c)], kRoles);
    chip["showdowns"].add(deal, when(hand.showdown[at(c)]));
    if (!hand.showdown[at(c)]) continue;
    const int owner = hand.line[at(c)];
    chip["taken_by_second"].add(deal, when(owner == hand.second[at(c)]));
    chip["taken_by_starter"].add(deal, when(owner == kStarter));
    chip["tied"].add(deal, when(owner == kNobody));
    if (owner == kNobody) continue;
    chip["win_rate"].add(deal, hand.win(owner));
    figures_["differences"]["win_middle_ends"].compare(deal, is_middle(c), hand.win(owner));
  }
}

void Counter::add_wins(std::int64_t deal, const Hand& hand) {
  Figure& wins = figures_["wins"];
  for (int role = 0; role < kRoles; ++role) {
    int middle = 0, at_ends = 0;
    for (int chip = 0; chip < kChips; ++chip)
      if (hand.line[at(chip)] == role) ++(is_middle(chip) ? middle : at_ends);
    for (Figure* const figure : {&wins["middle"][middle], &wins["ends"][at_ends], &wins["both"][middle][at_ends]})
      figure->add(deal, hand.win(role));
  }
}

void Counter::add_result(std::int64_t deal, const Hand& hand) {
  Figure &first = figures_["first_move"], &end = figures_["ends"];
  first["points"].add(deal, hand.points);
  first["wins"].add(deal, when(hand.points > 0));
  first["win_rate"].add(deal, hand.win(kStarter));
  const int row = hand.three_adjacent();
  const bool drawn = hand.points == 0;
  end["three_adjacent"].add(deal, when(row >= 0));
  end["majority"].add(deal, when(row < 0 && !drawn));
  end["drawn"].add(deal, when(drawn));
  end["turns"].add(deal, hand.turns);
  end["showdowns"].add(deal, static_cast<double>(std::count(hand.showdown.begin(), hand.showdown.end(), true)));
  if (row >= 0) end["rows"].choose(deal, row);
  if (drawn) return;
  const int winner = hand.points > 0 ? kStarter : kSecond;
  const int margin = hand.chips(winner) - hand.chips(1 - winner);
  if (row >= 0) end["three_with_fewer"].add(deal, when(margin < 0));
  end["margins"].choose(deal, margin - kLeastMargin);
}

Figure Counter::figures(const Figure& advice, const std::string& responder) const {
  Figure figures = figures_;
  for (int n = 0; n < kMostLaid; ++n)
    for (int c = 0; c < kChips; ++c) complete(figures["sent"][n][c]);
  for (const Named& state : chip_states())
    for (const char* const cards : {"all", "few", "many"}) complete(figures["states"][state.name][cards]);
  figures.set("advice", advice);
  if (!responder.empty()) figures.set("responses", responses_.figures(responder));
  groups_.count(figures);
  return figures;
}

}  // namespace dealer::studies::seven_hand
