#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "env/hands/ranking_rules.h"

namespace dealer {

// A card that a joker can represent: any rank in any suit of pips, whether the deck has it or not.
struct Face {
  int position = 0;  // of its rank in the order of the ranking
  int slot = 0;      // of its suit
  friend bool operator==(const Face&, const Face&) = default;
  friend bool operator<(const Face& a, const Face& b) {
    return std::pair(a.position, a.slot) < std::pair(b.position, b.slot);
  }
};

// All readings of a hand of up to five cards, jokers tried one by one: slow, and obviously right.
class JokerReadings {
 public:
  explicit JokerReadings(const RankingRules& rules) : rules_(&rules), fives_(rules.ranking().find("K5")) {}

  // Calls f(ranks, holding, faces of the jokers) for every allowed reading; bit c of `holding`: category c holds. A
  // hand without jokers has one reading.
  template <class F>
  void for_each(std::span<const CardId> hand, F&& f) const {
    Hand read;
    for (const CardId id : hand) {
      const DeckCard& card = rules_->deck().card(id);
      if (card.suit < 0) {
        ++read.jokers;
        continue;
      }
      ++read.suits.count[static_cast<std::size_t>(card.suit)];
      const SuitKind kind = rules_->suit(card.suit).kind;
      if (kind == SuitKind::kPips) read.faces[read.pips++] = {rules_->position(card.rank), card.suit};
      if (kind == SuitKind::kTrumps) read.ranks.trump[static_cast<std::size_t>(read.ranks.trumps++)] = card.rank;
      if (kind == SuitKind::kExtra) ++read.ranks.unranked;
    }
    sort_descending(read.ranks.trump, read.ranks.trumps);
    const std::size_t natural = read.pips;
    read_jokers(read, natural, f);
  }

 private:
  struct Hand {
    std::array<Face, kHandCards> faces{};
    std::size_t pips = 0;
    int jokers = 0;  // jokers not read yet
    RankSide ranks;
    SuitSide suits;
  };

  template <class F>
  void read_jokers(Hand& hand, std::size_t natural, F& f) const {
    if (hand.jokers == 0) return finish(hand, natural, f);
    const auto end = hand.faces.begin() + static_cast<std::ptrdiff_t>(hand.pips);
    for (int slot = 0; slot < rules_->slots(); ++slot) {
      if (rules_->suit(slot).kind != SuitKind::kPips) continue;
      for (int position = 0; position < rules_->ranks(); ++position) {
        const Face face{position, slot};
        const bool held = std::find(hand.faces.begin(), end, face) != end;
        const auto same =
            std::count_if(hand.faces.begin(), end, [&](const Face& other) { return other.position == position; });
        if ((held || same >= kSuitsOfARank) && !fives_) continue;
        Hand read = hand;
        --read.jokers;
        read.faces[read.pips++] = face;
        ++read.suits.count[static_cast<std::size_t>(slot)];
        read_jokers(read, natural, f);
      }
    }
  }

  template <class F>
  void finish(const Hand& hand, std::size_t natural, F& f) const {
    std::array<Face, kHandCards> faces = hand.faces;
    const auto pips = static_cast<int>(hand.pips);
    sort_descending(faces, pips);
    RankSide ranks = hand.ranks;
    bool duplicate = false;
    for (std::size_t i = 0; i < hand.pips; ++i) {
      ranks.pip[i] = faces[i].position;
      ranks.color[i] = rules_->suit(faces[i].slot).color;
      duplicate |= i > 0 && faces[i] == faces[i - 1];
    }
    ranks.pips = pips;
    std::uint64_t holding = rules_->holds(ranks) & rules_->holds(hand.suits);
    const bool five_alike = pips == kHandCards && faces[0].position == faces[kHandCards - 1].position;
    // A duplicate is allowed only to make five of a kind.
    if (duplicate && !five_alike) return;
    if (five_alike && fives_ && (duplicate || rules_->deck().jokers() > 0)) holding = std::uint64_t{1} << *fives_;
    f(ranks, holding, std::span(hand.faces).subspan(natural, hand.pips - natural));
  }

  static constexpr int kSuitsOfARank = 4;

  const RankingRules* rules_;
  std::optional<int> fives_;
};

}  // namespace dealer
