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

// The fraction of a pot, or half of one, won by the first value. Inlined: a call for every deal costs 5% of the
// features.
[[gnu::always_inline]] inline float part_won(const HandValue* values, std::size_t count) {
  HandValue best = 0;
  int ties = 0;
  for (std::size_t i = 0; i < count; ++i) best = std::max(best, values[i]);
  if (values[0] != best) return 0;
  for (std::size_t i = 0; i < count; ++i) ties += values[i] == best ? 1 : 0;
  return 1 / static_cast<float>(ties);
}

template <class Use>
void for_each_dead(const KnownHands& known, Use&& use) {
  if (known.dead.none()) return;
  for (std::size_t card = 0; card < known.dead.size(); ++card)
    if (known.dead[card]) use(static_cast<CardId>(card));
}

SuitOrder::Suits suits_of(const KnownHands& known, const SuitOrder& suits) {
  SuitOrder::Marks marks{};
  for (std::size_t i = 0; i < known.hands; ++i)
    for (std::size_t k = 0; k < known.hand[i].count; ++k)
      suits.mark(known.hand[i].cards[k], static_cast<int>(i), marks);
  for_each_dead(known, [&](CardId card) { suits.mark(card, kDead, marks); });
  if (known.has_shared) suits.mark(known.shared, kShared, marks);
  return suits.order(marks);
}

// The same position in canonical suits.
struct Position {
  alignas(64) std::array<CardId, kMaxDeckCards> unseen{};
  std::size_t left = 0;  // number of unseen cards
  std::array<KnownHands::Hand, kMaxSeats> hand;
  CardId shared = 0;
};

Position canonical(const KnownHands& known, const SuitOrder& suits, std::size_t size, std::size_t deck_size) {
  const SuitOrder::Suits order = suits_of(known, suits);
  std::bitset<kMaxDeckCards> seen;
  Position position;
  for (std::size_t i = 0; i < known.hands; ++i) {
    KnownHands::Hand& hand = position.hand[i];
    hand.count = std::min(known.hand[i].count, size);
    for (std::size_t k = 0; k < hand.count; ++k) {
      hand.cards[k] = suits.rename(known.hand[i].cards[k], order);
      seen.set(hand.cards[k]);
    }
  }
  for_each_dead(known, [&](CardId card) { seen.set(suits.rename(card, order)); });
  if (known.has_shared) {
    position.shared = suits.rename(known.shared, order);
    seen.set(position.shared);
  }
  for (std::size_t card = 0; card < deck_size; ++card) {
    position.unseen[position.left] = static_cast<CardId>(card);
    position.left += seen[card] ? 0 : 1;
  }
  return position;
}

// The cards of every hand, and the number that a deal adds to all of them.
struct Dealing {
  std::size_t own = 0, needed = 0;
  bool one_for_all = false;  // and one card that is shared
};

// Stud with many players: the last card is shared by all.
Dealing fit_hands(Position& position, const KnownHands& known, const GameRules& rules, std::size_t size) {
  std::size_t missing = 0;
  for (std::size_t i = 0; i < known.hands; ++i) missing += size - position.hand[i].count;
  Dealing dealing;
  dealing.one_for_all = rules.procedure == Procedure::kStud && (known.has_shared || missing > position.left);
  dealing.own = dealing.one_for_all ? size - 1 : size;
  dealing.needed = dealing.one_for_all && !known.has_shared ? 1 : 0;
  for (std::size_t i = 0; i < known.hands; ++i) {
    KnownHands::Hand& hand = position.hand[i];
    hand.count = std::min(hand.count, dealing.own);
    dealing.needed += dealing.own - hand.count;
  }
  return dealing;
}

// Writes the hands of all deals one after the other, `size` cards each.
void deal_hands(const Position& position, const Dealing& dealing, const KnownHands& known, std::size_t size,
                const CommonDeals& deals, std::size_t rows, CardId* out) {
  alignas(64) std::array<CardId, kMaxDeckCards> stock;
  for (std::size_t row = 0; row < rows; ++row) {
    stock = position.unseen;
    deals.deal(row, std::span(stock).first(position.left), dealing.needed);
    std::size_t next = 0;
    const CardId last = known.has_shared ? position.shared : dealing.one_for_all ? stock[next++] : CardId{0};
    for (std::size_t i = 0; i < known.hands; ++i) {
      const KnownHands::Hand& hand = position.hand[i];
      // Bytes written past a hand are overwritten by the next one.
      std::memcpy(out, hand.cards.data(), sizeof(std::uint64_t));
      std::memcpy(out + hand.count, &stock[next], sizeof(std::uint64_t));
      next += dealing.own - hand.count;
      if (dealing.one_for_all) out[dealing.own] = last;
      out += size;
    }
  }
}

// Adds the outcome of one deal to means; the observer's hand is the first.
void add_high_pot(const HandValue* high, std::size_t hands, float each, SampledShowdowns::Result& result) {
  result.share += each * part_won(high, hands);
  for (std::size_t i = 1; i < hands; ++i) result.against[i] += each * beats(high[0], high[i]);
}

void add_split_pot(const HandValue* high, const HandValue* low, std::size_t hands, float each,
                   SampledShowdowns::Result& result) {
  const float won = part_won(high, hands);
  const bool split = *std::max_element(low, low + hands) > 0;
  const float low_won = split && low[0] > 0 ? part_won(low, hands) : 0;
  result.share += each * (split ? (won + low_won) / 2 : won);
  result.high += each * won;
  result.low += each * low_won;
  result.qualifies += low[0] > 0 ? each : 0;
  for (std::size_t i = 1; i < hands; ++i) result.against[i] += each * pot_won(high[0], low[0], high[i], low[i]);
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
  Position position = canonical(known, suits_, size_, static_cast<std::size_t>(rules_->deck->size()));
  const Dealing dealing = fit_hands(position, known, *rules_, size_);
  Result result;
  if (dealing.needed > std::min(position.left, CommonDeals::kNumbers)) return result;  // impossible position

  const CommonDeals& deals = CommonDeals::of(known.hands <= 2 ? kShowdownDeals : kFewest);
  // With no hidden cards every deal is the same.
  const std::size_t rows = dealing.needed == 0 ? 1 : deals.size();
  std::array<CardId, kMostHands * kHandCards + sizeof(std::uint64_t)> cards;
  deal_hands(position, dealing, known, size_, deals, rows, cards.data());
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
    if (rules_->low)
      add_split_pot(&high[at], &low[at], known.hands, each, result);
    else
      add_high_pot(&high[at], known.hands, each, result);
  }
  return result;
}

}  // namespace dealer::poker
