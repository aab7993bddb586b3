#include "agents/tabular/game_tree.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <type_traits>

#include "agents/tabular/tree_builder.h"
#include "env/core/crc32c.h"
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

// Open addressing; at most half of the slots are used.
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

// A counting sort for each seat: stable in the order of the terminal nodes within a sequence.
void GameTree::list_payoffs() {
  const auto seats = static_cast<std::size_t>(players());
  for (std::size_t seat = 0; seat < seats; ++seat) {
    Payoffs table;
    const std::int32_t empty = first_sequence_[seat];
    const auto sequence_of = [&](std::size_t end) {
      return static_cast<std::size_t>(end_sequences_[end * seats + seat] - empty);
    };
    const auto amount_of = [&](std::size_t end) { return chance_[end] * returns_[end * seats + seat]; };
    table.first.resize(static_cast<std::size_t>(first_sequence_[seat + 1] - empty) + 1);
    for (std::size_t end = 0; end < chance_.size(); ++end)
      if (amount_of(end) != 0) ++table.first[sequence_of(end) + 1];
    std::partial_sum(table.first.begin(), table.first.end(), table.first.begin());
    table.amount.resize(static_cast<std::size_t>(table.first.back()));
    table.others.resize(table.amount.size() * (seats - 1));
    std::vector<std::int32_t> next = table.first;
    for (std::size_t end = 0; end < chance_.size(); ++end) {
      if (amount_of(end) == 0) continue;
      const auto entry = static_cast<std::size_t>(next[sequence_of(end)]++);
      table.amount[entry] = amount_of(end);
      std::size_t place = entry * (seats - 1);
      for (std::size_t other = 0; other < seats; ++other)
        if (other != seat) table.others[place++] = end_sequences_[end * seats + other];
    }
    payoffs_.push_back(std::move(table));
  }
}

std::size_t GameTree::memory() const {
  const auto bytes = [](const auto& array) { return array.capacity() * sizeof(array[0]); };
  std::size_t sum = bytes(nodes_) + bytes(sets_) + bytes(chance_) + bytes(returns_) + bytes(end_sequences_) +
                    bytes(observations_) + bytes(texts_) + bytes(index_);
  for (const Payoffs& table : payoffs_) sum += bytes(table.first) + bytes(table.amount) + bytes(table.others);
  for (const std::string& text : texts_) sum += text.capacity();
  return sum;
}

std::uint32_t GameTree::checksum() const {
  std::uint32_t sum =
      crc32c({reinterpret_cast<const char*>(observations_.data()), observations_.size() * sizeof(float)});
  for (const InformationSet& set : sets_) sum = crc32c(fmt::format("{} {:x},", set.seat, set.legal), sum);
  return sum;
}

std::int64_t count_nodes(const Game& game, std::int64_t max_nodes) {
  return visit(game, [&](const auto& typed) {
    using State = typename std::decay_t<decltype(typed)>::State;
    TreeSize size;
    if constexpr (ExplicitChance<State>) add_size(State::start(typed.rules()), max_nodes, size);
    return size.nodes;
  });
}

bool has_tree(const Game& game, std::int32_t max_nodes) {
  const std::int64_t nodes = count_nodes(game, max_nodes);
  return nodes > 0 && nodes <= max_nodes;
}

}  // namespace dealer::tabular
