#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "env/games/poker/hidden_cards.h"

namespace dealer::poker {

// A hand being played again with tokens: see HiddenCards. Of every epoch what the stock held beside the cards seen dealt
// from it, and its tokens that are not bound yet: one for each of those, but for cards undealt in the last epoch.
struct HiddenCards::Course {
  template <int most>
  struct List {
    std::array<std::uint8_t, most> at;
    int count;
    void add(std::uint8_t value) { at[static_cast<std::size_t>(count++)] = value; }
    bool remove(std::uint8_t value) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
        if (at[i] == value) {
          at[i] = at[static_cast<std::size_t>(--count)];
          return true;
        }
      return false;
    }
    std::span<std::uint8_t> list() { return std::span(at).first(static_cast<std::size_t>(count)); }
    std::span<const std::uint8_t> list() const { return std::span(at).first(static_cast<std::size_t>(count)); }
    // Empties itself into another list.
    template <int other>
    void move_to(List<other>& to) {
      for (const std::uint8_t value : list()) to.add(value);
      count = 0;
    }
  };
  using Hand = List<2 * kHandCards>;

  std::array<Token, kMaxTokens> token;
  int tokens;
  int epoch;
  std::array<List<2 * kMaxDeckCards>, kMaxEpochs> items;
  std::array<List<kMaxTokens>, kMaxEpochs> unbound;
  std::array<std::int8_t, kMaxDeckCards> home;  // of a card: the epoch among whose items it is
  // Tokens in hands, in discards of a draw that is not over, and those lying about; the same of cards seen.
  std::array<Hand, kMaxSeats> held, leaving, seen_held, seen_leaving;
  List<kMaxTokens> pile;
  List<kMaxDeckCards> seen_pile;
  // The second part of a deal that the stock was too small for.
  List<kHandCards> late;
  std::array<double, kHandCards> late_bound;
  int late_hidden;
  // Whether a course is given up in proportion to its weight on the way; else the weight is multiplied up.
  bool rejects;
  double weight;

  void begin(std::span<const CardId> in_play, int epochs) {
    tokens = epoch = late_hidden = 0;
    weight = 1;
    for (int e = 0; e < epochs; ++e) items[static_cast<std::size_t>(e)].count = unbound[static_cast<std::size_t>(e)].count = 0;
    home.fill(kNowhere);
    for (const CardId card : in_play) {
      items[0].add(card);
      home[card] = 0;
    }
    for (auto* hands : {&held, &leaving, &seen_held, &seen_leaving})
      for (Hand& hand : *hands) hand.count = 0;
    pile.count = seen_pile.count = late.count = 0;
  }

  void add_tokens(Seat seat, int when, int count) {
    for (; count > 0; --count) {
      Token& made = token[static_cast<std::size_t>(tokens)];
      made = {static_cast<std::uint8_t>(seat), static_cast<std::uint8_t>(when), -1, -1, 0, static_cast<std::uint8_t>(epoch)};
      unbound[static_cast<std::size_t>(epoch)].add(static_cast<std::uint8_t>(tokens));
      held[static_cast<std::size_t>(seat)].add(static_cast<std::uint8_t>(tokens++));
    }
  }

  // What lies about becomes the stock.
  void reshuffle() {
    ++epoch;
    auto& stock = items[static_cast<std::size_t>(epoch)];
    for (const std::uint8_t t : pile.list()) {
      token[t].recycled = static_cast<std::int8_t>(epoch);
      stock.add(static_cast<std::uint8_t>(kToken + t));
    }
    for (const std::uint8_t card : seen_pile.list()) {
      home[card] = static_cast<std::int8_t>(epoch);
      stock.add(card);
    }
    pile.count = seen_pile.count = 0;
  }
};

}  // namespace dealer::poker
