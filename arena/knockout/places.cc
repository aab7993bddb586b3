#include "arena/knockout/places.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace dealer::knockout {

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
