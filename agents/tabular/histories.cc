#include "agents/tabular/histories.h"

#include <numeric>

#include "agents/tabular/weighted_sum.h"
#include "env/core/at.h"

namespace dealer::tabular {
namespace {

// A walk through all positions.
class Walk {
 public:
  explicit Walk(const GameTree& tree) : tree_(tree) {
    for (Seat seat = 0; seat < tree.players(); ++seat) last_.push_back(tree.first_sequence(seat));
  }

  // Calls found(set, chance, sequences of all) wherever the seat decides.
  template <class F>
  void visit(Seat seat, const F& found, std::int32_t index = 0, double chance = 1) {
    const GameTree::Node& node = tree_.nodes()[at(index)];
    if (node.turn == seat) found(node.set, chance, last_);
    if (node.turn == kTerminal) return;
    for (std::int32_t c = 0; c < node.children; ++c) {
      if (node.turn >= 0) last_[at(node.turn)] = tree_.sets()[at(node.set)].first + c;
      visit(seat, found, node.first + c,
            node.turn >= 0 ? chance : chance * tree_.nodes()[at(node.first + c)].probability);
    }
    if (node.turn >= 0) last_[at(node.turn)] = tree_.sets()[at(node.set)].parent;
  }

 private:
  const GameTree& tree_;
  std::vector<std::int32_t> last_;
};

}  // namespace

Histories::Histories(const GameTree& tree, Seat seat)
    : first_set_(tree.first_set(seat)),
      width_(at(tree.players() - 1)),
      first_(at(tree.first_set(seat + 1) - first_set_) + 1) {
  Walk(tree).visit(seat, [&](std::int32_t set, double, const auto&) { ++first_[at(set - first_set_) + 1]; });
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  chance_.resize(at(first_.back()));
  others_.resize(chance_.size() * width_);
  std::vector<std::int32_t> next = first_;
  Walk(tree).visit(seat, [&](std::int32_t set, double chance, const std::vector<std::int32_t>& last) {
    const std::size_t entry = at(next[at(set - first_set_)]++);
    chance_[entry] = chance;
    std::size_t place = entry * width_;
    for (std::size_t other = 0; other < last.size(); ++other)
      if (other != at(seat)) others_[place++] = last[other];
  });
}

double Histories::weight(std::int32_t set, std::span<const double> reach) const {
  const std::size_t begin = at(first_[at(set - first_set_)]), count = at(first_[at(set - first_set_) + 1]) - begin;
  const std::span<const double> chance(chance_.data() + begin, count);
  const std::int32_t* const others = others_.data() + begin * width_;
  return width_ == 1 ? weighted_sum(chance, others, reach.data()) : weighted_sum(chance, others, width_, reach.data());
}

}  // namespace dealer::tabular
