#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "agents/abstraction/bucket_mccfr.h"
#include "agents/tabular/solver.h"
#include "env/core/random.h"
#include "env/games/small/state.h"

namespace dealer::abstraction {

// The card abstraction of small draw poker. A discard is any set of cards. Buckets are equal parts of all private
// histories (cards dealt, discarded, drawn), weakest to strongest; one per history if they suffice.
class MiniCards {
 public:
  using Card = dealer::Card;
  using CardSet = dealer::CardSet;
  MiniCards(const small::Rules& rules, int buckets);

  struct Deal {
    small::Dealt deck{};
    std::array<CardSet, 2> dealt{}, discarded{}, hand{};
    std::array<int, 2> bucket{};
    int next = 0;  // index of the next card of the deck
  };
  void deal(Deal& deal, RandomStream& rng) const;
  void draw(Deal& deal, int position, int option) const;
  int cards_of(int option) const { return std::popcount(static_cast<unsigned>(option)); }
  int bucket(const Deal& deal, int position) const { return deal.bucket[at(position)]; }
  int winner(const Deal& deal) const { return rules_.winner(deal.hand[0], deal.hand[1], 0); }
  int buckets(int stage) const { return buckets_[at(stage)]; }

  // The bucket of a seat that holds these cards, before its draw and after it.
  int first_bucket(CardSet dealt) const { return bucket_.at(key(dealt, 0, dealt, false)); }
  int second_bucket(CardSet dealt, CardSet discarded, CardSet hand) const {
    return bucket_.at(key(dealt, discarded, hand, true));
  }
  // The cards of a hand that an option discards: bit i the i-th lowest.
  static CardSet thrown(CardSet hand, int option);
  PublicTree public_tree() const;

 private:
  static std::uint64_t key(CardSet dealt, CardSet discarded, CardSet hand, bool drawn);

  const small::Rules& rules_;
  std::array<int, 2> buckets_{};
  std::unordered_map<std::uint64_t, int> bucket_;
};

// MCCFR over buckets in small draw poker, where its policy can be compared with the equilibrium: every information set
// plays the policy of its bucket.
class TreeMccfr final : public tabular::Solver {
 public:
  // Throws UsageError unless the tree is that of small draw poker.
  TreeMccfr(const tabular::GameTree& tree, const BucketMccfrOptions& options, const tabular::SolverOptions& common);

  void run(std::int64_t iterations) override { solver_->run(iterations); }
  std::int64_t iterations() const override { return solver_->iterations(); }
  tabular::Policy current() const override { return expanded(solver_->current()); }
  tabular::Policy average() const override { return expanded(solver_->average()); }
  void save(TensorFile& file) const override { solver_->save(file); }
  void load(const TensorFile& file) override { solver_->load(file); }

 private:
  // The location of an information set's moves in the table.
  struct Place {
    std::int64_t first = -1;  // number of the first option
    int step = -1;            // for a draw: number of cards decided upon; -1: a bet
    int thrown = 0;           // the cards discarded among these, one bit each
  };
  struct Seat;
  void find_places(const small::State& state, const PublicNode& node, std::array<Seat, 2> seats);
  tabular::Policy expanded(const std::vector<double>& policy) const;

  const tabular::GameTree& tree_;
  int hand_ = 0;
  std::unique_ptr<MiniCards> cards_;
  PublicTree public_;
  std::vector<Place> places_;  // by information set
  using Solver = BucketMccfr<ExternalSampling<MiniCards>>;
  std::unique_ptr<Solver> solver_;
};

}  // namespace dealer::abstraction
