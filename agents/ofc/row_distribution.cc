#include "agents/ofc/row_distribution.h"

#include <algorithm>
#include <cmath>

namespace dealer::ofc {
namespace {

CardSet rank_mask(int rank) { return CardSet{15} << (4 * rank); }
CardSet some_of(int rank, int count) { return ((CardSet{1} << count) - 1) << (4 * rank); }

// Typical ranks of a category, for hands that are not complete yet.
struct Typical {
  std::array<HandRank, kRanks> front_pair{}, front_trips{}, pair{}, two_pair{}, trips{}, quads{};
  std::array<HandRank, kRanks> straight{}, straight_flush{};  // by the highest rank
  HandRank flush = 0;
  std::array<HandRank, kRanks> full_house{};

  Typical() {
    for (int rank = 0; rank < kRanks; ++rank) {
      const auto r = at(rank);
      // Kickers: a nine, a seven and a four, or their neighbours if these equal the rank itself.
      const auto kicker = [&](int wanted) { return some_of(wanted == rank ? wanted + 1 : wanted, 1) << 1; };
      const int other = rank >= 7 ? 5 : 0;
      const int second = rank == 0 ? 1 : rank > 5 ? 4 : rank - 1;
      front_pair[r] = dealer::evaluate(some_of(rank, 2) | kicker(6));
      front_trips[r] = dealer::evaluate(some_of(rank, 3));
      pair[r] = dealer::evaluate(some_of(rank, 2) | kicker(7) | kicker(5) | kicker(2));
      two_pair[r] = dealer::evaluate(some_of(rank, 2) | some_of(second, 2) | kicker(7));
      trips[r] = dealer::evaluate(some_of(rank, 3) | kicker(7) | kicker(3));
      full_house[r] = dealer::evaluate(some_of(rank, 3) | some_of(other == rank ? 1 : other, 2));
      quads[r] = dealer::evaluate(some_of(rank, 4) | kicker(6));
      if (rank < 3) continue;
      CardSet run = 0;
      for (int i = 0; i < 5; ++i) run |= some_of(rank - i < 0 ? 12 : rank - i, 1);
      straight_flush[r] = dealer::evaluate(run);
      straight[r] = dealer::evaluate((run & (run - 1)) | (run & -run) << 1);
    }
    flush = dealer::evaluate(bit(make_card(11, 0)) | bit(make_card(9, 0)) | bit(make_card(6, 0)) |
                             bit(make_card(4, 0)) | bit(make_card(1, 0)));
  }
};
const Typical kTypical;

class RowDraws {
 public:
  RowDraws(Row row, CardSet cards, const Live& live) : row_(row), cards_(cards), live_(live) {
    held_ = size(cards);
    room_ = kRowSize[row] - held_;
    for (int rank = kRanks - 1; rank >= 0; --rank) {
      count_[at(rank)] = size(cards & rank_mask(rank));
      live_of_[at(rank)] = size(live.cards & rank_mask(rank));
      if ((cards & rank_mask(rank)) != 0) ranks_[at(distinct_++)] = rank;
    }
  }

  RowDistribution look() {
    made_ = dealer::evaluate(cards_);
    if (room_ > 0) {
      if (row_ == kFront) {
        look_front();
      } else {
        look_five();
      }
    }
    std::stable_sort(out_.ends.begin(), out_.ends.begin() + out_.count,
                     [](const RowEnd& a, const RowEnd& b) { return a.rank > b.rank; });
    out_.ends[at(out_.count++)] = {made_, static_cast<float>(left_)};
    return out_;
  }

 private:
  int count(int rank) const { return count_[at(rank)]; }
  std::span<const int> ranks() const { return {ranks_.data(), at(distinct_)}; }

  // Takes a fraction of the remaining probability; the present hand comes last and gets the rest.
  void end(HandRank rank, double chance) {
    if (chance <= 0 || chance >= 1 || rank <= made_) return;
    out_.ends[at(out_.count++)] = {rank, static_cast<float>(left_ * chance)};
    left_ *= 1 - chance;
  }

  // The rank comes up to `wanted` cards.
  double group(int rank, int wanted) const {
    const int need = wanted - count(rank);
    return need > room_ ? 0 : live_.at_least(need, live_of_[at(rank)]);
  }

  // The probability that two cards for this row's free places pair up with each other, not with the row.
  double fresh_pair(int free) const {
    if (free < 2 || live_.coming == 0) return 0;
    return 1 - std::exp(-live_.pairs * free * (free - 1) / 2 / 17);
  }

  void look_front() {
    for (const int rank : ranks()) end(kTypical.front_trips[at(rank)], group(rank, 3));
    const double fresh = fresh_pair(room_);
    // Ranks from high to low, with new pairs of queens and better one by one.
    std::array<int, kRanks> order{};
    for (int rank = kRanks - 1, place = 0; rank >= 0; --rank, ++place) order[at(place)] = rank;
    for (const int rank : order) {
      double chance = count(rank) > 0 && count(rank) < 2 ? group(rank, 2) : 0;
      if (count(rank) == 0 && rank >= 10) chance = fresh / kRanks;
      if (count(rank) == 0 && rank == 5) chance = fresh * 8 / kRanks;
      end(kTypical.front_pair[at(rank)], chance);
    }
  }

  void look_five() {
    look_straight_flush();
    for (const int rank : ranks())
      if (held_ - count(rank) <= 1) end(kTypical.quads[at(rank)], group(rank, 4));
    look_full_house();
    if (one_suit()) end(kTypical.flush, live_.at_least(room_, live_suit()));
    look_straight();
    // With another pair in the row, trips become a full house, and a pair becomes two pair.
    const auto pairs = std::count_if(ranks().begin(), ranks().end(), [this](int rank) { return count(rank) >= 2; });
    for (const int rank : ranks())
      if (pairs == (count(rank) >= 2 ? 1 : 0)) end(kTypical.trips[at(rank)], group(rank, 3));
    look_two_pair();
    if (pairs > 0) return;
    for (const int rank : ranks()) end(kTypical.pair[at(rank)], group(rank, 2));
    look_fresh_pair();
  }

  bool one_suit() const { return held_ > 0 && (cards_ & ~suit_mask(suit_of(lowest(cards_)))) == 0; }
  int live_suit() const { return size(live_.cards & suit_mask(suit_of(lowest(cards_)))); }

  // Calls f(top rank, cards needed) for every straight consistent with the row's cards.
  template <class F>
  void for_each_run(F f) const {
    if (distinct_ != held_) return;
    for (int top = kRanks - 1; top >= 3; --top) {
      CardSet run = 0;
      for (int i = 0; i < 5; ++i) run |= rank_mask(top - i < 0 ? kRanks - 1 : top - i);
      if ((cards_ & ~run) == 0) f(top, run);
    }
  }

  void look_straight_flush() {
    if (!one_suit()) return;
    for_each_run([&](int top, CardSet run) {
      const CardSet wanted = run & suit_mask(suit_of(lowest(cards_))) & ~cards_;
      const bool alive = (wanted & ~live_.cards) == 0;
      end(kTypical.straight_flush[at(top)], alive ? std::pow(live_.chance, room_) : 0);
    });
  }

  void look_straight() {
    for_each_run([&](int top, CardSet run) {
      double chance = 1;
      for (CardSet rest = run; rest != 0;) {
        const int rank = rank_of(lowest(rest));
        rest &= ~rank_mask(rank);
        if (count(rank) == 0) chance *= live_.at_least(1, live_of_[at(rank)]);
      }
      end(kTypical.straight[at(top)], chance);
    });
  }

  void look_full_house() {
    if (distinct_ == 2) {
      for (const int trips : ranks()) {
        const int pair = trips == ranks_[0] ? ranks_[1] : ranks_[0];
        if (count(trips) <= 3 && count(pair) <= 2)
          end(kTypical.full_house[at(trips)], group(trips, 3) * group(pair, 2));
      }
    } else if (distinct_ == 1 && held_ <= 3) {
      const int rank = ranks_[0];
      end(kTypical.full_house[at(rank)], group(rank, 3) * fresh_pair(2));
    }
  }

  void look_two_pair() {
    for (const int high : ranks()) {
      for (const int low : ranks()) {
        if (low >= high || count(high) > 2 || count(low) > 2 || 4 - count(high) - count(low) > room_) continue;
        end(kTypical.two_pair[at(high)], group(high, 2) * group(low, 2));
      }
      const int after = room_ - std::max(0, 2 - count(high));
      end(kTypical.two_pair[at(std::max(high, 6))], group(high, 2) * fresh_pair(after));
    }
  }

  void look_fresh_pair() {
    const double fresh = fresh_pair(room_);
    for (const int rank : {11, 7, 3}) end(kTypical.pair[at(rank)], fresh / 3);
  }

  Row row_;
  CardSet cards_;
  const Live& live_;
  int held_ = 0, room_ = 0, distinct_ = 0;
  std::array<int, kRanks> count_{}, live_of_{};
  std::array<int, 5> ranks_{};  // of the row's cards, from high to low
  HandRank made_ = 0;
  double left_ = 1;
  RowDistribution out_;
};

}  // namespace

Live Live::after_turn(const View& view, double taken, double pairs) {
  Live live;
  live.cards = kFullDeck & ~view.seen();
  live.coming = 3 * (4 - view.street);
  live.pairs = pairs;
  live.chance = taken * live.coming / size(live.cards);
  live.none[0] = 1;
  for (std::size_t i = 1; i < live.none.size(); ++i) live.none[i] = live.none[i - 1] * (1 - live.chance);
  return live;
}

double Live::at_least(int need, int wanted) const {
  if (need <= 0) return 1;
  if (need > wanted) return 0;
  double fewer = 0;
  double term = none[at(wanted)];
  for (int k = 0; k < need; ++k) {
    fewer += term;
    term *= (wanted - k) / (k + 1.0) * chance / (1 - chance);
  }
  return std::max(0.0, 1 - fewer);
}

RowDistribution row_distribution(Row row, CardSet cards, const Live& live) { return RowDraws(row, cards, live).look(); }

}  // namespace dealer::ofc
