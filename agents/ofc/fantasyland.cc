#include "agents/ofc/fantasyland.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "agents/ofc/fantasyland_sets.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "env/hands/hand_tables.h"

// Rank every five-card subset once (in the order of the combinatorial number system, so that the cards give the place
// in the table), then branch and bound: backs from strong to weak, for each the middles from strong to weak, then the
// few fronts left. Only about a tenth of the subsets are trips or better ("made"); these are sorted, and nearly always
// no weaker back can win. A back's bound is its own value, the best middle not above it and the best front that its
// cards leave possible. The weak middles are enumerated from the cards left, when their bound says they may matter.
// Bounds are sums of doubles in the order of the true value, so rounding never makes a bound too small.
namespace dealer::ofc {
namespace {

using hand_tables::kSteps;

using subsets::kChoose;
using subsets::kFives;
using subsets::kFiveSets;
using subsets::kThrees;
using subsets::kThreeSets;
using subsets::PlaceList;
using subsets::Places;
static_assert(subsets::kPlaces == kMaxFantasylandCards);

constexpr double kNever = -std::numeric_limits<double>::infinity();

struct CategoryTable {
  std::array<std::uint8_t, kHandRanks> of{};
  HandRank first_trips = 0;

  CategoryTable() {
    for (std::size_t rank = 0; rank < kHandRanks; ++rank) {
      of[rank] = static_cast<std::uint8_t>(category(static_cast<HandRank>(rank)));
    }
    first_trips = evaluate3(bit(make_card(0, 0)) | bit(make_card(0, 1)) | bit(make_card(0, 2)));
  }
};
const CategoryTable kCategory;

struct Made {
  HandRank rank;
  std::uint16_t number;
  Places places;
  double value;    // as a middle
  double ceiling;  // the maximum middle value from here on
};

struct Back {
  HandRank rank;
  std::uint16_t number;
  bool stays;
  Places free;  // the remaining places
  double value;
  // Upper bounds on the additional value.
  double front, scoop;
};

template <bool kRowsMatter>
class Search {
 public:
  Search(CardSet cards, const FantasylandGoal& goal) : goal_(goal) {
    for_each(cards, [this](Card card) { card_[count_++] = card; });
    all_ = (Places{1} << count_) - 1;
    const Rules& rules = *goal.rules;
    for (std::size_t category = 0; category < 10; ++category) {
      stays_[category] = static_cast<HandCategory>(category) >= rules.bonus.stay_back;
      back_base_[category] = rules.royalties.back[category] + (stays_[category] ? goal.stay_value : 0);
      middle_base_[category] = rules.royalties.middle[category];
    }
    weak_middle_base_ = *std::max_element(middle_base_.begin(), middle_base_.begin() + 3);
    rank_fives();
    sort_made();
    rank_fronts();
  }

  Setting run() {
    std::size_t equal = 0;  // index of the first of the same rank: middles may be as strong as the back
    for (std::size_t i = 0; i < made_count_; ++i) {
      if (made_[i].rank != made_[equal].rank) equal = i;
      const Back back = back_of(made_[i].rank, made_[i].number);
      try_made_middles(back, equal);
      try_weak_middles(back);
    }
    try_weak_backs();
    return setting();
  }

 private:
  static constexpr std::uint64_t key(HandRank back, HandRank middle, HandRank front) {
    return std::uint64_t{back} << 32 | std::uint64_t{middle} << 16 | front;
  }
  bool beaten(double bound, HandRank back, HandRank middle) const {
    return bound < best_value_ || (bound == best_value_ && key(back, middle, 0xFFFF) < best_key_);
  }

  double back_value(HandRank rank) const {
    const double base = back_base_[kCategory.of[rank]];
    if constexpr (kRowsMatter) return base + goal_.rows->value(kBack, rank);
    return base;
  }
  double middle_value(HandRank rank) const {
    const double base = middle_base_[kCategory.of[rank]];
    if constexpr (kRowsMatter) return base + goal_.rows->value(kMiddle, rank);
    return base;
  }
  // The maximum value of a weak middle up to this rank.
  double weak_middle_ceiling(HandRank limit) const {
    if constexpr (kRowsMatter) return weak_middle_base_ + goal_.rows->ceiling(kMiddle, limit);
    return weak_middle_base_;
  }
  double scoop_ceiling(HandRank back) const {
    if constexpr (kRowsMatter) return goal_.rows->has_scoop() ? goal_.rows->scoop_ceiling(back) : 0;
    return 0;
  }
  double scoop_ceiling(HandRank middle, HandRank back) const {
    if constexpr (kRowsMatter) return goal_.rows->has_scoop() ? goal_.rows->scoop_ceiling(middle, back) : 0;
    return 0;
  }
  double scoop(HandRank front, HandRank middle, HandRank back) const {
    if constexpr (kRowsMatter) return goal_.rows->has_scoop() ? goal_.rows->scoop(front, middle, back) : 0;
    return 0;
  }

  void rank_fives() {
    const HandRank* table = hand_tables::kTables.by_ranks(5);
    const HandRank first_trips = kCategory.first_trips;
    for (std::size_t e = 4; e < count_; ++e) {
      for (std::size_t d = 3; d < e; ++d) {
        for (std::size_t c = 2; c < d; ++c) {
          for (std::size_t b = 1; b < c; ++b) {
            const std::uint32_t above =
                std::uint32_t{kSteps[4][card_[e]]} + kSteps[3][card_[d]] + kSteps[2][card_[c]] + kSteps[1][card_[b]];
            const int suit = suit_of(card_[e]);
            const bool suited = suit_of(card_[d]) == suit && suit_of(card_[c]) == suit && suit_of(card_[b]) == suit;
            for (std::size_t a = 0; a < b; ++a) {
              const bool flush = suited && suit_of(card_[a]) == suit;
              const HandRank rank = table[above + kSteps[0][card_[a]] + (flush ? hand_tables::kFlush5 : 0)];
              rank_[fives_] = rank;
              order_[made_count_] = std::uint32_t{rank} << 16 | static_cast<std::uint32_t>(fives_);
              made_count_ += rank >= first_trips ? 1 : 0;
              ++fives_;
            }
          }
        }
      }
    }
  }

  void sort_made() {
    std::sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(made_count_), std::greater<>());
    double ceiling = kNever;
    for (std::size_t i = made_count_; i-- > 0;) {
      const auto rank = static_cast<HandRank>(order_[i] >> 16);
      const auto number = static_cast<std::uint16_t>(order_[i]);
      const double value = middle_value(rank);
      ceiling = std::max(ceiling, value);
      made_[i] = {rank, number, kFiveSets[number], value, ceiling};
    }
  }

  struct Kind {
    double value = kNever;
    HandRank lowest = 0xFFFF;
  };
  using Kinds = std::array<Kind, kRanks>;

  void rank_fronts() {
    Kinds pairs, trips;
    const HandRank* table = hand_tables::kTables.by_ranks(3);
    const Royalties& royalties = goal_.rules->royalties;
    std::size_t number = 0;
    for (std::size_t c = 2; c < count_; ++c) {
      for (std::size_t b = 1; b < c; ++b) {
        const std::uint32_t above = std::uint32_t{kSteps[2][card_[c]]} + kSteps[1][card_[b]];
        const auto rank_b = at(rank_of(card_[b]));
        for (std::size_t a = 0; a < b; ++a, ++number) {
          const HandRank rank = table[above + kSteps[0][card_[a]]];
          double value = 0;
          if constexpr (kRowsMatter) value = goal_.rows->value(kFront, rank);
          const bool above_equal = rank_of(card_[c]) == rank_of(card_[b]);
          const bool below_equal = rank_of(card_[a]) == rank_of(card_[b]);
          double stay = 0;
          if (above_equal || below_equal) {
            const bool three = above_equal && below_equal;
            value += three ? royalties.front_trips[rank_b] : royalties.front_pair[rank_b];
            if (three) stay = stay_value_of_trips(rank_b);
            Kind& kind = (three ? trips : pairs)[rank_b];
            kind.value = std::max(kind.value, value);
            kind.lowest = std::min(kind.lowest, rank);
          } else {
            high_front_ = std::max(high_front_, value);
          }
          front_rank_[number] = rank;
          front_value_[0][number] = value + stay;
          front_value_[1][number] = value;
        }
      }
    }
    add_front_kinds(pairs, trips);
  }

  double stay_value_of_trips(std::size_t rank) const {
    return static_cast<int>(rank) >= goal_.rules->bonus.stay_trips_rank ? goal_.stay_value : 0;
  }

  void add_front_kinds(const Kinds& pairs, const Kinds& trips) {
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
      if (pairs[rank].value == kNever) continue;
      Places places = 0;
      for (std::size_t i = 0; i < count_; ++i) {
        if (rank_of(card_[i]) == static_cast<int>(rank)) places |= Places{1} << i;
      }
      for (auto& fronts : fronts_) fronts.add({places, 2, pairs[rank].lowest, pairs[rank].value});
      if (trips[rank].value == kNever) continue;
      fronts_[0].add({places, 3, trips[rank].lowest, trips[rank].value + stay_value_of_trips(rank)});
      fronts_[1].add({places, 3, trips[rank].lowest, trips[rank].value});
    }
  }

  Back back_of(HandRank rank, std::uint16_t number) const {
    Back back;
    back.rank = rank;
    back.number = number;
    back.stays = stays_[kCategory.of[rank]];
    back.free = all_ & ~kFiveSets[number];
    back.value = back_value(rank);
    back.front = fronts_[back.stays].bound(back.free, rank, high_front_);
    back.scoop = scoop_ceiling(rank);
    return back;
  }

  void try_made_middles(const Back& back, std::size_t first) {
    for (std::size_t i = first; i < made_count_; ++i) {
      const Made& middle = made_[i];
      if (beaten(back.value + middle.ceiling + back.front + back.scoop, back.rank, middle.rank)) break;
      if ((middle.places & ~back.free) != 0) continue;
      if (beaten(back.value + middle.value + back.front + back.scoop, back.rank, middle.rank)) continue;
      try_middle(back, middle.rank, middle.number, middle.value);
    }
  }

  // Needed only if no made back is certain to win, which is rare: sorted in buckets of 16 ranks, strong backs first.
  void try_weak_backs() {
    constexpr std::size_t kShift = 4;
    const auto strongest = static_cast<HandRank>(kCategory.first_trips - 1);
    double value = *std::max_element(back_base_.begin(), back_base_.begin() + 3);
    if constexpr (kRowsMatter) value += goal_.rows->ceiling(kBack, strongest);
    const double front =
        std::max(fronts_[0].bound(all_, strongest, high_front_), fronts_[1].bound(all_, strongest, high_front_));
    const double others = weak_middle_ceiling(strongest);
    if (beaten(value + others + front + scoop_ceiling(strongest), strongest, strongest)) return;

    std::array<std::uint16_t, (kHandRanks >> kShift) + 2> start{};
    for (std::size_t i = 0; i < fives_; ++i) ++start[std::size_t{rank_[i]} >> kShift];
    std::uint16_t before = 0;
    for (std::size_t i = start.size(); i-- > 0;) before += std::exchange(start[i], before);
    for (std::size_t i = 0; i < fives_; ++i)
      order_[start[std::size_t{rank_[i]} >> kShift]++] = static_cast<std::uint32_t>(i);
    for (std::size_t i = 0; i < fives_; ++i) {
      const auto number = static_cast<std::uint16_t>(order_[i]);
      const HandRank rank = rank_[number];
      if (rank > strongest) continue;
      if (beaten(back_value(rank) + others + front + scoop_ceiling(rank), rank, rank)) continue;
      try_weak_middles(back_of(rank, number));
    }
  }

  void try_weak_middles(const Back& back) {
    const HandRank limit = std::min(back.rank, static_cast<HandRank>(kCategory.first_trips - 1));
    const double ceiling = back.value + weak_middle_ceiling(limit);
    if (beaten(ceiling + back.front + back.scoop, back.rank, limit)) return;
    // A middle must beat the front that makes it worth trying.
    const HandRank floor = fronts_[back.stays].weakest(
        back.free, high_front_, [&](double front) { return !beaten(ceiling + front + back.scoop, back.rank, limit); });
    const PlaceList place(back.free);
    for (std::size_t e = place.size(); e-- > 4;) {
      for (std::size_t d = e; d-- > 3;) {
        for (std::size_t c = d; c-- > 2;) {
          for (std::size_t b = c; b-- > 1;) {
            const std::size_t above =
                std::size_t{kChoose[4][place[e]]} + kChoose[3][place[d]] + kChoose[2][place[c]] + kChoose[1][place[b]];
            for (std::size_t a = b; a-- > 0;) {
              const std::size_t number = above + kChoose[0][place[a]];
              const HandRank rank = rank_[number];
              if (rank > limit || rank <= floor) continue;
              const double value = middle_value(rank);
              if (beaten(back.value + value + back.front + back.scoop, back.rank, rank)) continue;
              try_middle(back, rank, static_cast<std::uint16_t>(number), value);
            }
          }
        }
      }
    }
  }

  void try_middle(const Back& back, HandRank rank, std::uint16_t number, double value) {
    const Places free = back.free & ~kFiveSets[number];
    const double both = back.value + value;
    const double front_ceiling = fronts_[back.stays].bound(free, rank, high_front_);
    if (beaten(both + front_ceiling + back.scoop, back.rank, rank)) return;
    if (beaten(both + front_ceiling + scoop_ceiling(rank, back.rank), back.rank, rank)) return;
    const PlaceList place(free);
    for (std::size_t c = 2; c < place.size(); ++c) {
      for (std::size_t b = 1; b < c; ++b) {
        for (std::size_t a = 0; a < b; ++a) {
          const std::size_t front = std::size_t{kChoose[2][place[c]]} + kChoose[1][place[b]] + kChoose[0][place[a]];
          const HandRank front_rank = front_rank_[front];
          if (front_rank >= rank) continue;
          consider(both + front_value_[back.stays][front] + scoop(front_rank, rank, back.rank),
                   key(back.rank, rank, front_rank), {static_cast<std::uint16_t>(front), number, back.number});
        }
      }
    }
  }

  void consider(double value, std::uint64_t ranks, const std::array<std::uint16_t, kRows>& numbers) {
    if (value < best_value_ || (value == best_value_ && ranks < best_key_)) return;
    // Numbers order sets of cards as CardSet does.
    if (value == best_value_ && ranks == best_key_ &&
        !std::lexicographical_compare(numbers.rbegin(), numbers.rend(), best_.rbegin(), best_.rend())) {
      return;
    }
    best_value_ = value;
    best_key_ = ranks;
    best_ = numbers;
  }

  Setting setting() const {
    Setting result;
    const std::array<Places, kRows> places = {kThreeSets[best_[kFront]], kFiveSets[best_[kMiddle]],
                                              kFiveSets[best_[kBack]]};
    for (std::size_t i = 0; i < count_; ++i) {
      CardSet* set = &result.discards;
      for (std::size_t row = 0; row < kRows; ++row) {
        if ((places[row] >> i & 1) != 0) set = &result.board.row[row];
      }
      *set |= bit(card_[i]);
    }
    const BoardValue value = evaluate(result.board, *goal_.rules);
    result.royalties = value.total();
    result.stays = value.stays;
    result.value = best_value_;
    return result;
  }

  const FantasylandGoal& goal_;
  std::size_t count_ = 0;
  std::array<Card, subsets::kPlaces> card_;
  Places all_ = 0;
  std::array<bool, 10> stays_;
  std::array<double, 10> back_base_, middle_base_;

  std::size_t fives_ = 0, made_count_ = 0;
  std::array<HandRank, kFives> rank_;
  std::array<std::uint32_t, kFives + 1> order_;  // rank << 16 | number, for the made hands
  std::array<Made, kFives> made_;
  double weak_middle_base_;

  // Indexed by whether the back already stays in Fantasyland: then trips in front add nothing.
  std::array<std::array<double, kThrees>, 2> front_value_;
  std::array<HandRank, kThrees> front_rank_;
  std::array<FrontKinds, 2> fronts_;
  double high_front_ = kNever;

  double best_value_ = kNever;
  std::uint64_t best_key_ = 0;
  std::array<std::uint16_t, kRows> best_{};
};

}  // namespace

nlohmann::ordered_json to_json(const Setting& setting) {
  return {{"front", to_string(setting.board.row[kFront])},
          {"middle", to_string(setting.board.row[kMiddle])},
          {"back", to_string(setting.board.row[kBack])},
          {"discard", to_string(setting.discards)},
          {"royalties", setting.royalties},
          {"stays", setting.stays},
          {"value", setting.value}};
}

Setting solve_fantasyland(CardSet cards, const FantasylandGoal& goal) {
  if (const int count = size(cards); count < kMinFantasylandCards || count > kMaxFantasylandCards) {
    throw UsageError("a Fantasyland hand has 13 to 17 cards, not " + std::to_string(count));
  }
  return goal.rows != nullptr ? Search<true>(cards, goal).run() : Search<false>(cards, goal).run();
}

}  // namespace dealer::ofc
