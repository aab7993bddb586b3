#include <limits>

#include "env/hands/ranking_tables.h"

namespace dealer {

CardKinds::CardKinds(const RankingRules& rules, bool with_split_trumps) : split_trumps(with_split_trumps) {
  const Deck& deck = rules.deck();
  const auto number = [&](Kind wanted) {
    std::size_t i = 0;
    while (i < kinds.size() &&
           (kinds[i].type != wanted.type || kinds[i].rank != wanted.rank || kinds[i].color != wanted.color))
      ++i;
    if (i == kinds.size()) kinds.push_back(wanted);
    return static_cast<std::uint8_t>(i);
  };
  // Kinds in ascending order of rank, so that sorted hands have sorted ranks.
  for (int position = 0; position < rules.ranks(); ++position) {
    for (const DeckSuit& suit : deck.suits()) {
      if (suit.kind != SuitKind::kPips) continue;
      number({Kind::Type::kPip, position, rules.pair_colors_matter() ? suit.color : Color::kNone});
    }
  }
  for (int id = 0; id < deck.size(); ++id) {
    const DeckCard& card = deck.card(static_cast<CardId>(id));
    Kind kind{Kind::Type::kJoker, 0, Color::kNone};
    if (card.suit >= 0) {
      const DeckSuit& suit = deck.suits()[static_cast<std::size_t>(card.suit)];
      switch (suit.kind) {
        case SuitKind::kPips:
          kind = {Kind::Type::kPip, rules.position(card.rank), rules.pair_colors_matter() ? suit.color : Color::kNone};
          break;
        case SuitKind::kTrumps:
          kind = {Kind::Type::kTrump, split_trumps ? card.rank : 0, Color::kNone};
          break;
        case SuitKind::kExtra:
          kind.type = Kind::Type::kUnranked;
          break;
      }
    }
    of_card[static_cast<std::size_t>(id)] = number(kind);
  }
}

RankSide with_pip(RankSide side, const CardKinds::Kind& kind) {
  auto place = static_cast<std::size_t>(side.pips++);
  for (; place > 0 && side.pip[place - 1] < kind.rank; --place) {
    side.pip[place] = side.pip[place - 1];
    side.color[place] = side.color[place - 1];
  }
  side.pip[place] = kind.rank;
  side.color[place] = kind.color;
  return side;
}

std::size_t kind_multisets(int kinds, int n) {
  std::uint32_t last = 0;
  for (int place = 0; place < n; ++place) last += kKindSteps(place, static_cast<std::uint8_t>(kinds - 1));
  return std::size_t{last} + 1;
}

void next_multiset(std::span<std::uint8_t> kinds) {
  std::size_t place = 0;
  while (place + 1 < kinds.size() && kinds[place] == kinds[place + 1]) ++place;
  ++kinds[place];
  std::fill_n(kinds.begin(), place, std::uint8_t{0});
}

HandOfKinds hand_of(const CardKinds& kinds, std::span<const std::uint8_t> sorted) {
  HandOfKinds hand;
  RankSide& side = hand.side;
  for (std::size_t i = sorted.size(); i-- > 0;) {
    const CardKinds::Kind& kind = kinds.kinds[sorted[i]];
    switch (kind.type) {
      case CardKinds::Kind::Type::kPip:
        side.pip[static_cast<std::size_t>(side.pips)] = kind.rank;
        side.color[static_cast<std::size_t>(side.pips++)] = kind.color;
        break;
      case CardKinds::Kind::Type::kTrump:
        hand.possible &= !kinds.split_trumps || i + 1 == sorted.size() || sorted[i] != sorted[i + 1];
        side.trump[static_cast<std::size_t>(side.trumps++)] = kind.rank;
        break;
      case CardKinds::Kind::Type::kUnranked:
        ++side.unranked;
        break;
      case CardKinds::Kind::Type::kJoker:
        ++hand.jokers;
        break;
    }
  }
  return hand;
}

SuitSums::SuitSums(const Deck& deck, int base, bool used) {
  if (!used) return;
  std::uint32_t power = 0;
  const std::size_t suits = deck.suits().size();
  for (std::size_t suit = 0; suit < suits; ++suit) {
    of_suit[suit] = power;
    power = power == 0 ? 1 : power * static_cast<std::uint32_t>(base);
  }
  std::uint32_t largest = suits == 1 ? 0 : of_suit[suits - 1];
  if (deck.jokers() > 0) largest = of_suit[kMaxDeckSuits] = power;
  for (int id = 0; id < deck.size(); ++id) {
    const int suit = deck.card(static_cast<CardId>(id)).suit;
    of_card[static_cast<std::size_t>(id)] = of_suit[suit < 0 ? kMaxDeckSuits : static_cast<std::size_t>(suit)];
  }
  size = static_cast<std::size_t>(largest) * static_cast<std::size_t>(base - 1) + 1;
}

PackedTable::PackedTable(std::span<const std::uint32_t> numbers) {
  std::uint32_t largest = 0;
  for (const std::uint32_t number : numbers) largest = std::max(largest, number);
  constexpr std::uint32_t kByte = std::numeric_limits<std::uint8_t>::max();
  constexpr std::uint32_t kWord = std::numeric_limits<std::uint16_t>::max();
  width_ = largest <= kByte ? 1 : largest <= kWord ? 2 : 4;
  bytes_.resize(numbers.size() * static_cast<std::size_t>(width_) + kPadding);
  std::uint8_t* out = bytes_.data();
  for (std::uint32_t number : numbers)
    for (int i = 0; i < width_; ++i, number >>= 8) *out++ = static_cast<std::uint8_t>(number);
}

PackedTable::PackedTable(std::string_view bytes, int width) : bytes_(bytes.begin(), bytes.end()), width_(width) {}

}  // namespace dealer
