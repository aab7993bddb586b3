#include "arena/knockout/seating.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "env/core/at.h"
#include "env/core/random.h"

namespace dealer::knockout {
namespace {

int tables_for(int players, int most) { return (players + most - 1) / most; }

void take_from(SeatedTable& table, int player) {
  const auto seat = std::find(table.players.begin(), table.players.end(), player);
  const auto left = seat + 1 == table.players.end() ? table.players.begin() : seat + 1;
  if (table.dealer == player) table.dealer = *left == player ? -1 : *left;
  table.players.erase(seat);
}

void put_at(SeatedTable& table, int player, RandomStream& rng) {
  const auto place = table.players.empty() ? 0 : rng.below(static_cast<std::uint32_t>(table.players.size())) + 1;
  table.players.insert(table.players.begin() + static_cast<std::ptrdiff_t>(place), player);
}

bool smaller(const SeatedTable& a, const SeatedTable& b) { return a.players.size() < b.players.size(); }

}  // namespace

Seating::Seating(int players, int most, std::uint64_t seed) : most_(most), seed_(seed) {
  const int count = tables_for(players, most);
  for (int number = 0; number < count; ++number) tables_.push_back({number, {}, -1});
  for (int player = 0; player < players; ++player) tables_[at(player % count)].players.push_back(player);
}

SeatedTable& Seating::table(int number) {
  return *std::find_if(tables_.begin(), tables_.end(),
                       [&](const SeatedTable& table) { return table.number == number; });
}

int Seating::players() const {
  int count = 0;
  for (const SeatedTable& table : tables_) count += static_cast<int>(table.players.size());
  return count;
}

void Seating::remove(int player) {
  for (SeatedTable& table : tables_)
    if (std::find(table.players.begin(), table.players.end(), player) != table.players.end())
      return take_from(table, player);
}

std::size_t Seating::smallest() const {
  return static_cast<std::size_t>(std::min_element(tables_.begin(), tables_.end(), smaller) - tables_.begin());
}

std::size_t Seating::largest() const {
  return static_cast<std::size_t>(std::max_element(tables_.begin(), tables_.end(), smaller) - tables_.begin());
}

std::vector<Move> Seating::rearrange(int hand) {
  RandomStream rng(seed_, static_cast<std::uint64_t>(hand));
  std::vector<Move> moves;
  const auto seat = [&](int player, int from, SeatedTable& to) {
    put_at(to, player, rng);
    moves.push_back({player, from, to.number});
  };
  while (static_cast<int>(tables_.size()) > tables_for(players(), most_)) {
    SeatedTable broken = std::move(tables_.back());
    tables_.pop_back();
    const auto button = std::find(broken.players.begin(), broken.players.end(), broken.dealer);
    if (button != broken.players.end()) std::rotate(broken.players.begin(), button, broken.players.end());
    for (const int player : broken.players) seat(player, broken.number, tables_[smallest()]);
  }
  while (tables_[largest()].players.size() > tables_[smallest()].players.size() + 1) {
    SeatedTable& from = tables_[largest()];
    SeatedTable& to = tables_[smallest()];
    const int player = from.players[rng.below(static_cast<std::uint32_t>(from.players.size()))];
    take_from(from, player);
    seat(player, from.number, to);
  }
  return moves;
}

std::vector<int> table_sizes(int players, int most) {
  std::set<int> sizes;
  for (int left = 2; left <= players; ++left) {
    const int tables = tables_for(left, most);
    sizes.insert(left / tables);
    sizes.insert((left + tables - 1) / tables);
  }
  sizes.erase(1);
  return {sizes.begin(), sizes.end()};
}

std::vector<Finish> finish(std::span<const Ending> endings) {
  const auto key = [](const Ending& ending) {
    return std::pair(ending.hand == Ending::kStayed ? std::numeric_limits<int>::max() : ending.hand, ending.chips);
  };
  std::vector<Finish> places;
  for (const Ending& mine : endings) {
    const auto before =
        std::count_if(endings.begin(), endings.end(), [&](const Ending& other) { return key(other) > key(mine); });
    const auto equal =
        std::count_if(endings.begin(), endings.end(), [&](const Ending& other) { return key(other) == key(mine); });
    places.push_back({static_cast<int>(before) + 1, static_cast<int>(before + equal)});
  }
  return places;
}

}  // namespace dealer::knockout
