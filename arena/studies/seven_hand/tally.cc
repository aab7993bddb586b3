#include "arena/studies/seven_hand/tally.h"

#include <algorithm>
#include <bit>

#include "arena/studies/estimate.h"
#include "env/core/at.h"

namespace dealer::studies::seven_hand {
namespace {

constexpr bool is_early(int turn) { return turn <= kEarly; }
constexpr bool is_late(int turn) { return turn >= kLate; }

// Of an array of means, of arrays of them, and so on.
void read(const DealMean& mean, Estimate& into, bool share) { into = share ? mean.share() : mean.estimate(); }
template <class From, class Into, std::size_t n>
void read(const std::array<From, n>& means, std::array<Into, n>& into, bool share) {
  for (std::size_t i = 0; i < n; ++i) read(means[i], into[i], share);
}

}  // namespace

void Tally::add(std::int64_t deal, const Hand& hand) {
  for (int i = 0; i < hand.turns; ++i) {
    add_laying(deal, hand, hand.layings[at(i)]);
    add_naming(deal, hand.layings[at(i)]);
  }
  add_chips(deal, hand);
  add_result(deal, hand);
  responses_.add_self(deal, hand);
}

void Tally::add_response(std::int64_t deal, const Hand& hand, int responder) {
  responses_.add_response(deal, hand, responder);
  for (int i = 0; i < hand.turns; ++i)
    if (const Laying& laying = hand.layings[at(i)]; laying.role != responder)
      groups_.add_response(deal, laying, hand.points_of(laying.role));
}

void Tally::add_laying(std::int64_t deal, const Hand& hand, const Laying& laying) {
  const int count = laying.count(), turn = laying.turn;
  const auto c = at(laying.chip), t = at(turn - 1);
  cards_[c].add(deal, count);
  turn_[c].add(deal, turn);
  cards_in_turn_[t].add(deal, count);
  for (int n = 1; n <= kMostLaid; ++n) numbers_[t][at(n - 1)].add(deal, when(n == count));
  for (int chip = 0; chip < kChips; ++chip) chips_in_turn_[t][at(chip)].add(deal, when(chip == laying.chip));
  cards_in_turn_at_[t][c].add(deal, count);
  if (is_middle(laying.chip)) {
    cards_middle_ends_.add_first(deal, count);
    turn_middle_ends_.add_first(deal, turn);
  } else {
    cards_middle_ends_.add_second(deal, count);
    turn_middle_ends_.add_second(deal, turn);
  }
  if (is_late(turn)) cards_late_early_.add_first(deal, count);
  if (is_early(turn)) cards_late_early_.add_second(deal, count);

  groups_.add(deal, laying, hand.points_of(laying.role));
}

void Tally::add_naming(std::int64_t deal, const Laying& laying) {
  if (!laying.chosen()) return;
  const int count = laying.count();
  const double by_chance = 1.0 / std::popcount(laying.free);
  for (int chip = 0; chip < kChips; ++chip) {
    if (!laying.is_free(chip)) continue;
    const double named = when(chip == laying.chip);
    const auto add = [&](Sendings& sendings) {
      sendings.rate.add(deal, named);
      sendings.chance.add(deal, named, by_chance);
    };
    add(sent_[at(count - 1)][at(chip)]);
    for (int state = 0; state < kChipStates; ++state) {
      if (!is_in(static_cast<ChipState>(state), laying, chip)) continue;
      add(states_[at(state)].all);
      if (is_few(count)) add(states_[at(state)].few);
      if (is_many(count)) add(states_[at(state)].many);
    }
    if (is_middle(chip) && is_many(count)) middle_many_few_.add_first(deal, named, by_chance);
    if (is_middle(chip) && is_few(count)) middle_many_few_.add_second(deal, named, by_chance);
    if (laying.opposite[at(chip)] > 0)
      sent_opposed_empty_.add_first(deal, named, by_chance);
    else
      sent_opposed_empty_.add_second(deal, named, by_chance);
  }
}

void Tally::add_chips(std::int64_t deal, const Hand& hand) {
  std::array<int, kChips> laid_at{};
  for (int i = 0; i < hand.turns; ++i) ++laid_at[at(hand.layings[at(i)].chip)];
  for (int chip = 0; chip < kChips; ++chip) {
    const auto c = at(chip);
    used_[c].add(deal, laid_at[c], kRoles);
    showdowns_[c].add(deal, when(hand.showdown[c]));
    if (!hand.showdown[c]) continue;
    const int owner = hand.line[c];
    by_second_[c].add(deal, when(owner == hand.second[c]));
    by_starter_[c].add(deal, when(owner == kStarter));
    tied_[c].add(deal, when(owner == kNobody));
    if (owner == kNobody) continue;
    const double win = hand.win(owner);
    win_[c].add(deal, win);
    if (is_middle(chip))
      win_middle_ends_.add_first(deal, win);
    else
      win_middle_ends_.add_second(deal, win);
  }
  for (int role = 0; role < kRoles; ++role) {
    int middle = 0, ends = 0;
    for (int chip = 0; chip < kChips; ++chip)
      if (hand.line[at(chip)] == role) ++(is_middle(chip) ? middle : ends);
    const double win = hand.win(role);
    win_by_middle_[at(middle)].add(deal, win);
    win_by_ends_[at(ends)].add(deal, win);
    win_by_both_[at(middle)][at(ends)].add(deal, win);
  }
}

void Tally::add_result(std::int64_t deal, const Hand& hand) {
  first_points_.add(deal, hand.points);
  first_wins_.add(deal, when(hand.points > 0));
  first_win_rate_.add(deal, hand.win(kStarter));
  const int row = hand.three_adjacent();
  const bool drawn = hand.points == 0;
  three_.add(deal, when(row >= 0));
  majority_.add(deal, when(row < 0 && !drawn));
  drawn_.add(deal, when(drawn));
  turns_.add(deal, hand.turns);
  showdowns_of_hand_.add(deal, static_cast<double>(std::count(hand.showdown.begin(), hand.showdown.end(), true)));
  if (row >= 0)
    for (int r = 0; r < kRows; ++r) rows_[at(r)].add(deal, when(r == row));
  if (drawn) return;
  const int winner = hand.points > 0 ? kStarter : kSecond;
  const int margin = hand.chips(winner) - hand.chips(1 - winner);
  if (row >= 0) three_with_fewer_.add(deal, when(margin < 0));
  for (int m = 0; m < kMargins; ++m) margins_[at(m)].add(deal, when(m + kLeastMargin == margin));
}

Figures Tally::figures() const {
  Figures f;
  for (std::size_t c = 0; c < kChips; ++c)
    f.chips[c] = {used_[c].share(),      cards_[c].estimate(),   turn_[c].estimate(), showdowns_[c].share(),
                  by_second_[c].share(), by_starter_[c].share(), tied_[c].share(),    win_[c].share()};
  for (std::size_t t = 0; t < kTurns; ++t) {
    f.turns[t].cards = cards_in_turn_[t].estimate();
    read(numbers_[t], f.turns[t].numbers, true);
    read(chips_in_turn_[t], f.turns[t].chips, true);
    read(cards_in_turn_at_[t], f.turns[t].cards_at, false);
  }
  const auto sending = [](const Sendings& from) {
    Sending result{from.rate.share(), from.chance.estimate()};
    // Never or always named: the same interval in the other unit.
    if (!result.chance.known() && result.rate.known())
      result.chance.ci95 = result.rate.ci95 * result.rate.count / result.chance.count;
    return result;
  };
  for (std::size_t n = 0; n < kMostLaid; ++n)
    for (std::size_t c = 0; c < kChips; ++c) f.sent[n][c] = sending(sent_[n][c]);
  for (std::size_t s = 0; s < kChipStates; ++s)
    f.states[s] = {sending(states_[s].all), sending(states_[s].few), sending(states_[s].many)};
  read(win_by_middle_, f.win_by_middle, true);
  read(win_by_ends_, f.win_by_ends, true);
  read(win_by_both_, f.win_by_both, true);
  groups_.read(f);
  responses_.read(f.responses);
  f.ends.three_adjacent = three_.share();
  f.ends.majority = majority_.share();
  f.ends.drawn = drawn_.share();
  f.ends.three_with_fewer = three_with_fewer_.share();
  read(rows_, f.ends.rows, true);
  f.ends.turns = turns_.estimate();
  f.ends.showdowns = showdowns_of_hand_.estimate();
  read(margins_, f.ends.margins, true);
  f.first_points = first_points_.estimate();
  f.first_wins = first_wins_.share();
  f.first_win_rate = first_win_rate_.share();
  f.cards_middle_ends = cards_middle_ends_.estimate();
  f.turn_middle_ends = turn_middle_ends_.estimate();
  f.cards_late_early = cards_late_early_.estimate();
  f.middle_many_few = middle_many_few_.estimate();
  f.sent_opposed_empty = sent_opposed_empty_.estimate();
  f.win_middle_ends = win_middle_ends_.estimate();
  return f;
}

}  // namespace dealer::studies::seven_hand
