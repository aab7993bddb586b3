#include "agents/tabular/mccfr.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <thread>

#include "agents/tabular/sequence_table.h"
#include "env/core/at.h"
#include "env/core/error.h"

namespace dealer::tabular {
// One way through the tree for one seat.
class Mccfr::Walk {
 public:
  Walk(const GameTree& tree, Table& table, Seat seat, double weight, RandomStream& rng)
      : tree_(tree), nodes_(tree.nodes().data()), table_(table), seat_(seat), weight_(weight), rng_(rng) {}

  // What the seat gets.
  double visit(std::int32_t index) {
    const GameTree::Node& node = nodes_[index];
    if (node.turn == kTerminal) return tree_.returns()[at(node.first * tree_.players() + seat_)];
    if (node.turn == kChance) return visit(node.first + draw_outcome(node));
    const GameTree::InformationSet& set = tree_.sets()[at(node.set)];
    std::array<double, kMaxActions> probability;
    double* const regret = &table_.regret[at(set.first)];
    normalise(regret, set.actions, probability.data());
    if (node.turn != seat_) {
      double* const sum = &table_.sum[at(set.first)];
      for (std::int32_t a = 0; a < set.actions; ++a) sum[a] += weight_ * probability[at(a)];
      return visit(node.first + draw_action(probability.data(), set.actions));
    }
    std::array<double, kMaxActions> values;
    double value = 0;
    for (std::int32_t a = 0; a < set.actions; ++a) {
      values[at(a)] = visit(node.first + a);
      value += probability[at(a)] * values[at(a)];
    }
    for (std::int32_t a = 0; a < set.actions; ++a) regret[a] += weight_ * (values[at(a)] - value);
    return value;
  }

 private:
  double uniform() { return rng_() * 0x1p-32; }

  // Outcomes are mostly equally likely: then the first guess is right.
  std::int32_t draw_outcome(const GameTree::Node& node) {
    double rest = uniform();
    const GameTree::Node* const child = nodes_ + node.first;
    const auto guess = static_cast<std::int32_t>(rest * node.children);
    if (node.children > 1 && equally_likely(node)) return guess;
    for (std::int32_t c = 0; c + 1 < node.children; ++c)
      if ((rest -= child[c].probability) < 0) return c;
    return node.children - 1;
  }
  bool equally_likely(const GameTree::Node& node) const {
    const GameTree::Node* const child = nodes_ + node.first;
    for (std::int32_t c = 1; c < node.children; ++c)
      if (child[c].probability != child[0].probability) return false;
    return true;
  }

  std::int32_t draw_action(const double* probability, std::int32_t actions) {
    double rest = uniform();
    for (std::int32_t a = 0; a + 1 < actions; ++a)
      if ((rest -= probability[a]) < 0) return a;
    return actions - 1;
  }

  const GameTree& tree_;
  const GameTree::Node* nodes_;
  Table& table_;
  Seat seat_;
  double weight_;
  RandomStream& rng_;
};

Mccfr::Mccfr(const GameTree& tree, const MccfrOptions& options, const SolverOptions& common)
    : tree_(tree), options_(options), seed_(common.seed), tables_(static_cast<std::size_t>(options.tables)) {
  const int wanted = common.threads > 0 ? common.threads : static_cast<int>(std::thread::hardware_concurrency());
  if (const int threads = std::min(wanted, options.tables); threads > 1) pool_ = std::make_unique<WorkerPool>(threads);
  for (Table& table : tables_) table.regret = table.sum = std::vector<double>(at(tree.sequences()));
}

void Mccfr::run(std::int64_t iterations) {
  const std::int64_t end = iterations_ + std::max<std::int64_t>(iterations, 0), tables = options_.tables;
  const auto work = [&](std::int64_t mine) {
    for (std::int64_t i = iterations_ + (mine + tables - iterations_ % tables) % tables; i < end; i += tables) {
      RandomStream rng(seed_, static_cast<std::uint64_t>(i));
      const std::int64_t of_table = i / tables + 1;
      const double weight = std::pow(static_cast<double>(of_table), options_.gamma);
      for (Seat seat = 0; seat < tree_.players(); ++seat)
        Walk(tree_, tables_[static_cast<std::size_t>(mine)], seat, weight, rng).visit(0);
    }
  };
  if (pool_ == nullptr) {
    for (std::int64_t t = 0; t < tables; ++t) work(t);
  } else {
    pool_->run([&](int worker) {
      for (std::int64_t t = worker; t < tables; t += pool_->size()) work(t);
    });
  }
  iterations_ = end;
}

Policy Mccfr::current() const {
  return normalised(tree_, tables_[static_cast<std::size_t>(iterations_ % options_.tables)].regret);
}

Policy Mccfr::average() const {
  std::vector<double> sum(at(tree_.sequences()));
  for (const Table& table : tables_)
    for (std::size_t s = 0; s < sum.size(); ++s) sum[s] += table.sum[s];
  return normalised(tree_, sum);
}

void Mccfr::save(TensorFile& file) const {
  write_iterations(file, iterations_);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    file.tensors[fmt::format("state.regret.{}", t)] = to_tensor(tables_[t].regret);
    file.tensors[fmt::format("state.sum.{}", t)] = to_tensor(tables_[t].sum);
  }
}

void Mccfr::load(const TensorFile& file) {
  const std::int64_t iterations = read_iterations(file);
  std::vector<Table> tables(tables_.size());
  for (std::size_t t = 0; t < tables.size(); ++t) {
    tables[t].regret = read_numbers(file, fmt::format("state.regret.{}", t), tree_, -HUGE_VAL);
    tables[t].sum = read_numbers(file, fmt::format("state.sum.{}", t), tree_, 0);
  }
  iterations_ = iterations;
  tables_ = std::move(tables);
}

}  // namespace dealer::tabular
