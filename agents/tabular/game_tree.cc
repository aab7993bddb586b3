#include "agents/tabular/game_tree.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "agents/tabular/tree_builder.h"
#include "env/games/visit.h"

namespace dealer::tabular {

GameTree::GameTree(const Game& game, std::int32_t max_nodes)
    : GameTree(visit(game, [&](const auto& typed) -> GameTree {
        using State = typename std::decay_t<decltype(typed)>::State;
        if constexpr (ExplicitChance<State>)
          return build_tree(typed, max_nodes);
        else
          throw UsageError(fmt::format(
              "'{}' does not list its chance moves: its tree cannot be walked; expected a small game", game.spec()));
      })) {}

std::span<const float> GameTree::row(std::size_t set) const {
  const auto width = static_cast<std::size_t>(game_->observation_spec().size());
  return std::span(observations_).subspan(set * width, width);
}

Observation GameTree::observation(int set) const {
  const auto index = static_cast<std::size_t>(set);
  return {sets_[index].seat, {row(index).begin(), row(index).end()}, sets_[index].legal, {}};
}

// Open addressing; at most half of the slots are taken.
std::size_t GameTree::slot(Seat seat, std::span<const float> observation) const {
  const std::size_t last = index_.size() - 1;
  for (std::size_t at = observation_hash(observation, static_cast<std::uint64_t>(seat)) & last;; at = (at + 1) & last) {
    if (index_[at] < 0) return at;
    const auto set = static_cast<std::size_t>(index_[at]);
    if (sets_[set].seat == seat && std::equal(observation.begin(), observation.end(), row(set).begin())) return at;
  }
}

int GameTree::find(Seat seat, std::span<const float> observation) const {
  if (observation.size() != static_cast<std::size_t>(game_->observation_spec().size())) return -1;
  return index_[slot(seat, observation)];
}

void GameTree::index_sets() {
  index_.assign(std::bit_ceil(2 * sets_.size() + 1), -1);
  for (std::size_t set = 0; set < sets_.size(); ++set)
    index_[slot(sets_[set].seat, row(set))] = static_cast<std::int32_t>(set);
}

bool has_tree(const Game& game, std::int32_t max_nodes) {
  return visit(game, [&](const auto& typed) {
    using State = typename std::decay_t<decltype(typed)>::State;
    TreeSize size;
    if constexpr (ExplicitChance<State>) add_size(State::start(typed.rules()), max_nodes, size);
    return size.nodes > 0 && size.nodes <= max_nodes;
  });
}

}  // namespace dealer::tabular
