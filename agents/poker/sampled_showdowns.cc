#include "agents/poker/sampled_showdowns.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "agents/poker/hand_cdf.h"
#include "env/cards/shuffle.h"
#include "env/core/random.h"

namespace dealer::poker {
namespace {

constexpr std::uint64_t kFixedDealsSeed = 0xdea15;

constexpr std::uint64_t kSuitOrderSeed = 0x5017;

bool looks_at_colors(const Ranking& ranking) {
  const auto categories = ranking.categories();
  return std::any_of(categories.begin(), categories.end(), [](const Category& category) {
    return category.when.pair_mixed || !category.when.by_color.empty();
  });
}

bool names_suit(const Ranking& ranking, const std::string& suit) {
  const auto categories = ranking.categories();
  return std::any_of(categories.begin(), categories.end(), [&](const Category& category) {
    const auto& named = category.when.of_suit;
    return std::any_of(named.begin(), named.end(), [&](const auto& entry) { return entry.first == suit; });
  });
}

// The number of deals with one opponent, and with several.
constexpr std::size_t kShowdownDeals = 128, kFewest = 64;
constexpr std::size_t kMostHands = kFewest * kMaxSeats;
constexpr int kDead = 15, kShared = 14;  // roles; those of hands are their indices

// The fraction of a pot, or half of one, won by the first value.
float part_won(const HandValue* values, std::size_t count) {
  HandValue best = 0;
  int ties = 0;
  for (std::size_t i = 0; i < count; ++i) best = std::max(best, values[i]);
  if (values[0] != best) return 0;
  for (std::size_t i = 0; i < count; ++i) ties += values[i] == best ? 1 : 0;
  return 1 / static_cast<float>(ties);
}

}  // namespace

// Latin hypercube sampling (McKay, Beckman and Conover, 1979).
CommonDeals::CommonDeals(std::size_t deals) : numbers_(deals * kNumbers) {
  RandomStream rng(kFixedDealsSeed, deals);
  std::vector<std::uint8_t> part(deals);
  const auto width = static_cast<std::uint32_t>((1U << 16) / deals);
  for (std::size_t number = 0; number < kNumbers; ++number) {
    std::iota(part.begin(), part.end(), std::uint8_t{0});
    shuffle_first(std::span(part), deals, rng);
    for (std::size_t row = 0; row < deals; ++row)
      numbers_[row * kNumbers + number] = static_cast<std::uint16_t>(part[row] * width + rng.below(width));
  }
}

const CommonDeals& CommonDeals::of(std::size_t deals) {
  static const CommonDeals kFew(32), kSome(64), kMany(128);
  return deals >= 128 ? kMany : deals >= 64 ? kSome : kFew;
}

SuitOrder::SuitOrder(const GameRules& rules) {
  for (std::size_t i = 0; i < kRoles * kRanks; ++i) keys_.push_back(derive(kSuitOrderSeed, i));
  const Deck& deck = *rules.deck;
  std::array<std::uint8_t, kMaxDeckSuits + 1> count{};
  for (int id = 0; id < deck.size(); ++id) {
    const auto at = static_cast<std::size_t>(id);
    const DeckCard& card = deck.card(static_cast<CardId>(id));
    suit_[at] = card.suit < 0 ? kMaxDeckSuits : static_cast<std::uint8_t>(card.suit);
    const bool pip = card.suit >= 0 && deck.suits()[static_cast<std::size_t>(card.suit)].kind == SuitKind::kPips;
    // Other cards are numbered in order.
    rank_[at] = pip ? static_cast<std::uint8_t>(card.rank) : count[suit_[at]];
    ++count[suit_[at]];
    card_[suit_[at]][rank_[at]] = static_cast<CardId>(id);
  }
  std::vector<const Ranking*> rankings = {&rules.high->ranking()};
  if (rules.low) rankings.push_back(&rules.low->ranking());
  const bool colors =
      std::any_of(rankings.begin(), rankings.end(), [](const Ranking* r) { return looks_at_colors(*r); });
  const auto suits = deck.suits();
  const auto nameless = [&](const DeckSuit& suit) {
    return suit.kind == SuitKind::kPips &&
           std::none_of(rankings.begin(), rankings.end(), [&](const Ranking* r) { return names_suit(*r, suit.name); });
  };
  for (std::size_t s = 0; s < suits.size(); ++s) {
    if (!nameless(suits[s])) continue;
    const auto group = std::find_if(alike_.begin(), alike_.end(), [&](const std::vector<std::uint8_t>& others) {
      const DeckSuit& other = suits[others.front()];
      return other.cards == suits[s].cards && other.transparent == suits[s].transparent &&
             (!colors || other.color == suits[s].color);
    });
    if (group == alike_.end())
      alike_.push_back({static_cast<std::uint8_t>(s)});
    else
      group->push_back(static_cast<std::uint8_t>(s));
  }
}

SuitOrder::Suits SuitOrder::order(const Marks& marks) const {
  Suits suits;
  for (std::size_t s = 0; s < suits.size(); ++s) suits[s] = static_cast<std::uint8_t>(s);
  for (const std::vector<std::uint8_t>& group : alike_) {
    std::array<std::uint8_t, kMaxDeckSuits> sorted{};
    // Insertion sort: there are about four.
    for (std::size_t i = 0; i < group.size(); ++i) {
      std::size_t place = i;
      for (; place > 0 && marks[sorted[place - 1]] < marks[group[i]]; --place) sorted[place] = sorted[place - 1];
      sorted[place] = group[i];
    }
    for (std::size_t i = 0; i < group.size(); ++i) suits[sorted[i]] = group[i];
  }
  return suits;
}

SampledShowdowns::SampledShowdowns(const GameRules& rules)
    : rules_(&rules),
      suits_(rules),
      high_(*rules.high),
      qualifying_(rules.low ? HandCategories(*rules.low).qualifying() : 0),
      size_(static_cast<std::size_t>(rules.draws > 0 ? rules.hand_cards : kHandCards)) {}

SampledShowdowns::Result SampledShowdowns::play(const KnownHands& known, std::span<float> becomes) const {
  // The same position in canonical suits.
  SuitOrder::Marks marks{};
  for (std::size_t i = 0; i < known.hands; ++i)
    for (std::size_t k = 0; k < known.hand[i].count; ++k)
      suits_.mark(known.hand[i].cards[k], static_cast<int>(i), marks);
  const auto for_dead = [&](auto&& use) {
    if (known.dead.none()) return;
    for (std::size_t card = 0; card < known.dead.size(); ++card)
      if (known.dead[card]) use(static_cast<CardId>(card));
  };
  for_dead([&](CardId card) { suits_.mark(card, kDead, marks); });
  if (known.has_shared) suits_.mark(known.shared, kShared, marks);
  const SuitOrder::Suits order = suits_.order(marks);
  std::bitset<kMaxDeckCards> seen;
  std::array<KnownHands::Hand, kMaxSeats> hand;
  for (std::size_t i = 0; i < known.hands; ++i) {
    hand[i].count = std::min(known.hand[i].count, size_);
    for (std::size_t k = 0; k < hand[i].count; ++k) {
      hand[i].cards[k] = suits_.rename(known.hand[i].cards[k], order);
      seen.set(hand[i].cards[k]);
    }
  }
  for_dead([&](CardId card) { seen.set(suits_.rename(card, order)); });
  const CardId shared = known.has_shared ? suits_.rename(known.shared, order) : CardId{0};
  if (known.has_shared) seen.set(shared);
  alignas(64) std::array<CardId, kMaxDeckCards> unseen{}, stock;
  std::size_t left = 0;
  for (std::size_t card = 0; card < static_cast<std::size_t>(rules_->deck->size()); ++card) {
    unseen[left] = static_cast<CardId>(card);
    left += seen[card] ? 0 : 1;
  }

  // Stud with many players: the last card is shared by all.
  std::size_t missing = 0;
  for (std::size_t i = 0; i < known.hands; ++i) missing += size_ - hand[i].count;
  const bool one_for_all = rules_->procedure == Procedure::kStud && (known.has_shared || missing > left);
  const std::size_t own = one_for_all ? size_ - 1 : size_;
  std::size_t needed = one_for_all && !known.has_shared ? 1 : 0;
  for (std::size_t i = 0; i < known.hands; ++i) {
    hand[i].count = std::min(hand[i].count, own);
    needed += own - hand[i].count;
  }
  Result result;
  if (needed > std::min(left, CommonDeals::kNumbers)) return result;  // impossible position

  const CommonDeals& deals = CommonDeals::of(known.hands <= 2 ? kShowdownDeals : kFewest);
  // With no hidden cards every deal is the same.
  const std::size_t rows = needed == 0 ? 1 : deals.size();
  std::array<CardId, kMostHands * kHandCards + sizeof(std::uint64_t)> cards;
  CardId* out = cards.data();
  for (std::size_t row = 0; row < rows; ++row) {
    stock = unseen;
    deals.deal(row, std::span(stock).first(left), needed);
    std::size_t next = 0;
    const CardId last = known.has_shared ? shared : one_for_all ? stock[next++] : CardId{0};
    for (std::size_t i = 0; i < known.hands; ++i) {
      // Bytes written past a hand are overwritten by the next one.
      std::memcpy(out, hand[i].cards.data(), sizeof(std::uint64_t));
      std::memcpy(out + hand[i].count, &stock[next], sizeof(std::uint64_t));
      next += own - hand[i].count;
      if (one_for_all) out[own] = last;
      out += size_;
    }
  }
  const std::size_t count = rows * known.hands;
  const std::span<const CardId> filled(cards.data(), count * size_);
  std::array<HandValue, kMostHands> high, low;
  const auto evaluate = [&](const Evaluator& evaluator, std::array<HandValue, kMostHands>& values) {
    evaluator.evaluate_hands(size_, filled, std::span(values).first(count));
  };
  evaluate(*rules_->high, high);
  if (rules_->low) {
    evaluate(*rules_->low, low);
    for (HandValue& value : std::span(low).first(count)) value = value >= qualifying_ ? value + 1 : 0;
  }
  const float each = 1 / static_cast<float>(rows);
  for (std::size_t at = 0; at < count; at += known.hands) {
    becomes[high_.of(high[at])] += each;
    const float won = part_won(&high[at], known.hands);
    if (!rules_->low) {
      result.share += each * won;
      for (std::size_t i = 1; i < known.hands; ++i) result.against[i] += each * beats(high[at], high[at + i]);
      continue;
    }
    const bool split = *std::max_element(&low[at], &low[at] + known.hands) > 0;
    const float low_won = split && low[at] > 0 ? part_won(&low[at], known.hands) : 0;
    result.share += each * (split ? (won + low_won) / 2 : won);
    result.high += each * won;
    result.low += each * low_won;
    result.qualifies += low[at] > 0 ? each : 0;
    for (std::size_t i = 1; i < known.hands; ++i)
      result.against[i] += each * pot_won(high[at], low[at], high[at + i], low[at + i]);
  }
  return result;
}

}  // namespace dealer::poker
