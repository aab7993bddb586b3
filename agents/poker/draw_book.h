#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "agents/poker/hand_cdf.h"
#include "env/core/random.h"
#include "env/games/poker/rules.h"

namespace dealer::poker {

// What hands become by drawing, found once a rule set by dealing many of them: how good a final hand is, and how good
// the hands of players are who drew so many cards. Immutable.
class DrawBook {
 public:
  // Rules of a draw game.
  explicit DrawBook(const GameRules& rules);

  // The share of hands after the last draw that a hand beats, ties counted half: 0 to 1. Of all players, or of
  // those who drew `drawn` cards last. In high-low games the mean of both halves.
  double beats(std::span<const CardId> hand) const { return share(all_, hand); }
  double beats(std::span<const CardId> hand, int drawn) const { return share(by_drawn_[at(drawn)], hand); }
  // The first of many hands of as many cards as the rules say, at once.
  void beats(std::span<const CardId> hands, std::span<float> shares) const;

  struct Discard {
    unsigned mask = 0;  // bit i: the i-th card
    double share = 0;   // mean over the cards that come, of beats()^opponents
  };
  // What every discard makes of a hand against so many opponents, fewer than the players, by dealing `samples`
  // times from the unseen cards (the same ones for every discard). `allowed`: the masks that may be discarded, a bit
  // each.
  std::vector<Discard> discards(std::span<const CardId> hand, std::span<const CardId> unseen, std::uint32_t allowed,
                                int opponents, int samples, RandomStream& rng) const;
  // The one of them that makes the most.
  Discard best_discard(std::span<const CardId> hand, std::span<const CardId> unseen, std::uint32_t allowed,
                       int opponents, int samples, RandomStream& rng) const;

 private:
  // discards(), how many there are.
  std::size_t find_shares(std::span<const CardId> hand, std::span<const CardId> unseen, std::uint32_t allowed,
                          int opponents, int samples, RandomStream& rng,
                          std::array<Discard, kDiscardChoices>& out) const;
  double share(const PotHalves::Cdfs& cdfs, std::span<const CardId> hand) const;
  // Of many hands, both halves added up; values: scratch memory, one a hand.
  void add_twice_beaten(std::span<const CardId> hands, std::span<HandValue> values,
                        std::span<std::uint32_t> sums) const;
  // Takes these for all final hands.
  void set_all(const PotHalves::Hands& hands);
  void play_out(int draws, std::vector<CardId> deck, RandomStream rng);

  PotHalves halves_;
  std::size_t cards_;  // of a hand
  PotHalves::Cdfs all_;
  std::array<PotHalves::Cdfs, kDrawHand + 1> by_drawn_;
  // beats()^opponents by the number of opponents and by twice_beaten() in all_, both halves added up.
  std::vector<std::vector<double>> power_;
};

// The deck to deal many hands from. replace_random: one of the compositions will do, each suit losing about as many
// cards.
std::vector<CardId> typical_deck(const GameRules& rules);

}  // namespace dealer::poker
