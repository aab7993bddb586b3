#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "agents/poker/hand_cdf.h"
#include "env/core/random.h"
#include "env/games/poker/rules.h"

namespace dealer::poker {

inline constexpr std::uint32_t kEveryDiscard = ~std::uint32_t{0};

// The distribution of hands after drawing, estimated once per rule set by dealing many hands: the strength of a final
// hand, overall and among players who drew a given number of cards. Immutable.
class HandsAfterDraw {
 public:
  // Precondition: the rules of a draw game.
  explicit HandsAfterDraw(const GameRules& rules);

  // The fraction of hands after the last draw that a hand beats, ties counting half: 0 to 1. Over all players, or over
  // those who drew `drawn` cards last. In high-low games the mean of both halves.
  double beats(std::span<const CardId> hand) const { return share(all_, hand); }
  double beats(std::span<const CardId> hand, int drawn) const { return share(by_drawn_[at(drawn)], hand); }
  // A batch version of beats(hand): hands of as many cards as the rules say, one after the other.
  void beats(std::span<const CardId> hands, std::span<float> shares) const;

  struct Discard {
    unsigned mask = 0;  // bit i: the i-th card
    double share = 0;   // mean over the cards drawn of beats()^opponents
  };
  // The result of every allowed discard against `opponents` opponents, fewer than the number of players, estimated
  // by dealing `samples` times from the unseen cards (the same cards for every discard). `allowed`: the set of
  // permitted masks, one bit each; kEveryDiscard: all.
  std::vector<Discard> discards(std::span<const CardId> hand, std::span<const CardId> unseen, std::uint32_t allowed,
                                int opponents, int samples, RandomStream& rng) const;
  // The discard with the maximum share.
  Discard best_discard(std::span<const CardId> hand, std::span<const CardId> unseen, std::uint32_t allowed,
                       int opponents, int samples, RandomStream& rng) const;

 private:
  // As discards(), written to `out`; returns their number.
  std::size_t find_shares(std::span<const CardId> hand, std::span<const CardId> unseen, std::uint32_t allowed,
                          int opponents, int samples, RandomStream& rng,
                          std::array<Discard, kDiscardChoices>& out) const;
  double share(const PotHalves::Cdfs& cdfs, std::span<const CardId> hand) const;
  // Adds twice_beaten() of many hands, summed over both halves; values: scratch memory, one per hand.
  void add_twice_beaten(std::span<const CardId> hands, std::span<HandValue> values,
                        std::span<std::uint32_t> sums) const;
  // Builds all_ from these final hands.
  void set_all(const PotHalves::Hands& hands);
  void play_out(int draws, std::vector<CardId> deck, RandomStream rng);

  PotHalves halves_;
  std::size_t cards_;  // of a hand
  PotHalves::Cdfs all_;
  std::array<PotHalves::Cdfs, kDrawHand + 1> by_drawn_;
  // beats()^opponents by the number of opponents and by twice_beaten() in all_, summed over both halves.
  std::vector<std::vector<double>> power_;
};

// A deck for dealing many hands. replace_random: a typical composition, each
// suit losing about as many cards.
std::vector<CardId> typical_deck(const GameRules& rules);

}  // namespace dealer::poker
