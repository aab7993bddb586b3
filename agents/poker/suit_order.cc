#include "agents/poker/suit_order.h"

#include <algorithm>

#include "env/core/random.h"

namespace dealer::poker {
namespace {

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

}  // namespace

SuitOrder::SuitOrder(const GameRules& rules) {
  for (std::size_t i = 0; i < kRoles * kRanks; ++i) keys_.push_back(derive(kSuitOrderSeed, i));
  const Deck& deck = *rules.deck;
  std::array<std::uint8_t, kMaxDeckSuits + 1> count{};
  for (int id = 0; id < deck.size(); ++id) {
    const auto at = static_cast<std::size_t>(id);
    const DeckCard& card = deck.card(static_cast<CardId>(id));
    suit_[at] = card.suit < 0 ? kMaxDeckSuits : static_cast<std::uint8_t>(card.suit);
    const bool pip = card.suit >= 0 && deck.suits()[static_cast<std::size_t>(card.suit)].kind == SuitKind::kPips;
    // Others are numbered as they come.
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
    // By insertion: there are four or so.
    for (std::size_t i = 0; i < group.size(); ++i) {
      std::size_t place = i;
      for (; place > 0 && marks[sorted[place - 1]] < marks[group[i]]; --place) sorted[place] = sorted[place - 1];
      sorted[place] = group[i];
    }
    for (std::size_t i = 0; i < group.size(); ++i) suits[sorted[i]] = group[i];
  }
  return suits;
}

}  // namespace dealer::poker
