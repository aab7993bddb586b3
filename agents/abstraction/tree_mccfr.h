#pragma once

#include <memory>
#include <vector>

#include "agents/abstraction/bucket_mccfr.h"
#include "agents/abstraction/external_sampling.h"
#include "agents/abstraction/mini_cards.h"
#include "agents/tabular/solver.h"

namespace dealer::abstraction {

// MCCFR over buckets in small draw poker, where its policy can be compared with the equilibrium: every information set
// plays as its bucket does.
class TreeMccfr final : public tabular::Solver {
 public:
  // Throws UsageError when the tree is not one of small draw poker.
  TreeMccfr(const tabular::GameTree& tree, const BucketMccfrOptions& options, const tabular::SolverOptions& common);

  void run(std::int64_t iterations) override { solver_->run(iterations); }
  std::int64_t iterations() const override { return solver_->iterations(); }
  tabular::Policy current() const override { return expanded(solver_->current()); }
  tabular::Policy average() const override { return expanded(solver_->average()); }
  void save(TensorFile& file) const override { solver_->save(file); }
  void load(const TensorFile& file) override { solver_->load(file); }

 private:
  // Where the moves of an information set are found.
  struct Place {
    std::int64_t first = -1;  // number of the first option
    int step = -1;            // of a draw: cards decided upon; -1: a bet
    int thrown = 0;           // of these, a bit each
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
