#include "env/hands/hand_classes.h"

#include <algorithm>
#include <bit>

namespace dealer {
namespace {

constexpr int kMaxClassHand = 7;
constexpr std::size_t kChunk = 4096;
constexpr std::uint64_t kQuarters = 4;  // replace_random: one of four suits is taken out

// True if two suits of pips are exchangeable without changing the value of any hand.
bool exchangeable(const RankingRules& rules, int a, int b) {
  const DeckSuit& first = rules.suit(a);
  const DeckSuit& second = rules.suit(b);
  if (rules.deck().washizu() == WashizuMix::kReplaceRandom && first.transparent != second.transparent) return false;
  for (int c = 0; c < rules.categories(); ++c) {
    const Conditions& when = rules.when(c);
    if ((!when.by_color.empty() || when.pair_mixed) && first.color != second.color) return false;
    for (const auto& [name, count] : when.of_suit)
      if (name == first.name || name == second.name) return false;
  }
  return true;
}

bool runs_matter(const RankingRules& rules) {
  for (int c = 0; c < rules.categories(); ++c)
    if (rules.when(c).trump_run > 0) return true;
  return false;
}

}  // namespace

std::uint64_t choose(int n, int k) {
  if (k < 0 || k > n) return 0;
  std::uint64_t result = 1;
  for (int i = 1; i <= k; ++i) result = result * static_cast<std::uint64_t>(n - k + i) / static_cast<std::uint64_t>(i);
  return result;
}

// Enumerates the hands: first the cards that are not pips, then suit by suit. Among exchangeable suits, the one with
// more cards comes first; among equals, the one with the larger set of ranks.
class HandClassesWalk {
 public:
  HandClassesWalk(const HandClasses& classes, int cards, const HandClasses::Visit& visit)
      : classes_(classes), visit_(visit), cards_(static_cast<std::size_t>(cards)) {
    for (const std::vector<int>& suits : classes.exchangeable_)
      for (std::size_t i = 0; i < suits.size(); ++i)
        slots_.push_back({&classes.card_of_[static_cast<std::size_t>(suits[i])], static_cast<int>(i)});
    hands_.reserve(kChunk * cards_);
    weights_.reserve(kChunk);
    weighted_ = classes.deck_->washizu() == WashizuMix::kReplaceRandom;
  }

  void walk() {
    for (const HandClasses::Others& others : classes_.others_) {
      if (others.cards.size() > cards_) continue;
      std::copy(others.cards.begin(), others.cards.end(), hand_.begin());
      add_apart(0, others.cards.size(), others.ways);
    }
    flush();
  }

 private:
  struct Slot {
    const std::vector<CardId>* cards;  // of the suit, by rank
    int place;                         // in its class
  };

  // Every set of the cards that are distinguished one by one.
  void add_apart(std::size_t first, std::size_t held, std::uint64_t ways) {
    add_pips(0, held, ways, 0, 0, 0);
    if (held == cards_) return;
    for (std::size_t i = first; i < classes_.apart_.size(); ++i) {
      hand_[held] = classes_.apart_[i];
      add_apart(i + 1, held + 1, ways);
    }
  }

  // `held` cards are chosen so far. Of the previous suit: its ranks, and the number of suits with the same ones.
  void add_pips(std::size_t at, std::size_t held, std::uint64_t ways, std::uint64_t before, int alike,
                int size_before) {
    const int left = static_cast<int>(cards_ - held);
    if (at == slots_.size()) {
      if (left == 0) emit(ways);
      return;
    }
    const Slot& slot = slots_[at];
    const int ranks = static_cast<int>(slot.cards->size());
    const bool first = slot.place == 0;
    const int most = std::min({left, ranks, first ? kMaxClassHand : size_before});
    const int least = at + 1 == slots_.size() ? left : 0;
    for (int size = most; size >= least; --size) {
      const bool bounded = !first && size == size_before;
      const std::uint64_t last = bounded ? before : ((std::uint64_t{1} << size) - 1) << (ranks - size);
      for (std::uint64_t mask = (std::uint64_t{1} << size) - 1;; mask = next(mask)) {
        const int same = !first && mask == before ? alike + 1 : 1;
        std::size_t n = held;
        for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1)
          hand_[n++] = (*slot.cards)[static_cast<std::size_t>(std::countr_zero(rest))];
        // A multinomial coefficient, a factor at a time.
        add_pips(at + 1, n, ways * static_cast<std::uint64_t>(slot.place + 1) / static_cast<std::uint64_t>(same), mask,
                 same, size);
        if (mask == last) break;
      }
    }
  }

  // The next larger set of as many ranks (Gosper).
  static std::uint64_t next(std::uint64_t mask) {
    const std::uint64_t low = mask & (~mask + 1);
    const std::uint64_t carried = mask + low;
    return carried | (((mask ^ carried) >> 2) >> std::countr_zero(low));
  }

  void emit(std::uint64_t ways) {
    if (weighted_ && (ways *= in_play()) == 0) return;
    hands_.insert(hands_.end(), hand_.begin(), hand_.begin() + static_cast<std::ptrdiff_t>(cards_));
    weights_.push_back(ways);
    if (weights_.size() == kChunk) flush();
  }

  // Number of compositions, out of 4^cards, in which all the cards are in play.
  std::uint64_t in_play() const {
    std::uint64_t product = 1;
    std::uint64_t seen = 0;  // ranks
    for (std::size_t i = 0; i < cards_; ++i) {
      const DeckCard& card = classes_.deck_->card(hand_[i]);
      if (card.suit < 0 || card.transparent || ((seen >> card.rank) & 1) != 0) {
        product *= kQuarters;
        continue;
      }
      seen |= std::uint64_t{1} << card.rank;
      std::uint64_t there = kQuarters;
      for (std::size_t j = i; j < cards_; ++j) {
        const DeckCard& other = classes_.deck_->card(hand_[j]);
        there -= other.suit >= 0 && !other.transparent && other.rank == card.rank ? 1 : 0;
      }
      product *= there;
    }
    return product;
  }

  void flush() {
    if (!weights_.empty()) visit_(hands_, weights_);
    hands_.clear();
    weights_.clear();
  }

  const HandClasses& classes_;
  const HandClasses::Visit& visit_;
  std::size_t cards_;
  std::vector<Slot> slots_;
  std::array<CardId, kMaxClassHand> hand_{};
  std::vector<CardId> hands_;
  std::vector<std::uint64_t> weights_;
  bool weighted_ = false;
};

HandClasses::HandClasses(const RankingRules& rules, Same same) : deck_(&rules.deck()) {
  list_suits(rules);
  list_others(rules, same);
}

void HandClasses::for_each(int cards, const Visit& visit) const { HandClassesWalk(*this, cards, visit).walk(); }

std::uint64_t HandClasses::scale(int cards) const {
  return deck_->washizu() == WashizuMix::kReplaceRandom ? std::uint64_t{1} << (2 * cards) : 1;
}

std::uint64_t HandClasses::total(int cards) const { return choose(deck_->cards_in_play(), cards) * scale(cards); }

void HandClasses::list_suits(const RankingRules& rules) {
  const auto suits = static_cast<int>(deck_->suits().size());
  for (int suit = 0; suit < suits; ++suit) {
    if (rules.suit(suit).kind != SuitKind::kPips) continue;
    const auto found = std::find_if(exchangeable_.begin(), exchangeable_.end(), [&](const std::vector<int>& others) {
      return exchangeable(rules, others.front(), suit);
    });
    if (found == exchangeable_.end())
      exchangeable_.push_back({suit});
    else
      found->push_back(suit);
  }
  for (int id = 0; id < deck_->size(); ++id) {
    const DeckCard& card = deck_->card(static_cast<CardId>(id));
    if (card.suit < 0 || rules.suit(card.suit).kind != SuitKind::kPips) continue;
    std::vector<CardId>& cards = card_of_[static_cast<std::size_t>(card.suit)];
    cards.resize(deck_->ranks().size());
    cards[static_cast<std::size_t>(card.rank)] = static_cast<CardId>(id);
  }
}

namespace {

// Cards that are all alike: n of them, for every n.
template <class Others>
std::vector<Others> all_alike(const std::vector<CardId>& cards) {
  std::vector<Others> list;
  for (int n = 0; n <= std::min<int>(kMaxClassHand, static_cast<int>(cards.size())); ++n)
    list.push_back({{cards.begin(), cards.begin() + n}, choose(static_cast<int>(cards.size()), n)});
  return list;
}

// Sets of trumps by the lengths of their runs, longest first: the number of sets, and an example.
template <class Others>
void by_runs(const std::vector<CardId>& trumps, std::vector<int>& runs, int left, std::vector<Others>& list) {
  int held = 0;
  for (const int run : runs) held += run;
  const int n = static_cast<int>(trumps.size());
  const auto parts = static_cast<int>(runs.size());
  // The orders of the runs, times their positions among the trumps that are not held.
  std::uint64_t ways = choose(n - held + 1, parts);
  for (int i = 0, alike = 0; i < parts; ++i) {
    alike = i > 0 && runs[static_cast<std::size_t>(i)] == runs[static_cast<std::size_t>(i) - 1] ? alike + 1 : 1;
    ways = ways * static_cast<std::uint64_t>(i + 1) / static_cast<std::uint64_t>(alike);
  }
  if (ways == 0) return;
  Others one{{}, ways};
  std::size_t at = 0;
  for (const int run : runs) {
    for (int i = 0; i < run; ++i) one.cards.push_back(trumps[at++]);
    ++at;
  }
  list.push_back(std::move(one));
  for (int run = 1; run <= std::min(left, runs.empty() ? left : runs.back()); ++run) {
    runs.push_back(run);
    by_runs(trumps, runs, left - run, list);
    runs.pop_back();
  }
}

}  // namespace

void HandClasses::list_others(const RankingRules& rules, Same same) {
  std::vector<std::vector<Others>> groups;
  for (int suit = -1; suit < static_cast<int>(deck_->suits().size()); ++suit) {
    std::vector<CardId> cards;
    for (int id = 0; id < deck_->size(); ++id)
      if (deck_->card(static_cast<CardId>(id)).suit == suit) cards.push_back(static_cast<CardId>(id));
    const bool trumps = suit >= 0 && rules.suit(suit).kind == SuitKind::kTrumps;
    if (cards.empty() || (suit >= 0 && rules.suit(suit).kind == SuitKind::kPips)) continue;
    if (trumps && same == Same::kPlay && rules.trump_ranks_matter()) {
      apart_ = cards;
      continue;
    }
    std::vector<int> runs;
    if (trumps && runs_matter(rules))
      by_runs(cards, runs, kMaxClassHand, groups.emplace_back());
    else
      groups.push_back(all_alike<Others>(cards));
  }
  combine(groups, 0, {});
}

void HandClasses::combine(const std::vector<std::vector<Others>>& groups, std::size_t group, const Others& so_far) {
  if (group == groups.size()) {
    others_.push_back(so_far);
    return;
  }
  for (const Others& more : groups[group]) {
    if (so_far.cards.size() + more.cards.size() > kMaxClassHand) continue;
    Others both = so_far;
    both.cards.insert(both.cards.end(), more.cards.begin(), more.cards.end());
    both.ways *= more.ways;
    combine(groups, group + 1, both);
  }
}

}  // namespace dealer
