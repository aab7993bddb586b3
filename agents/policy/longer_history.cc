#include "agents/policy/longer_history.h"

#include <algorithm>
#include <array>
#include <set>

namespace dealer {
namespace {

// What a tournament changes in the rules of a game: chips in all, and what is forced or bet at least.
constexpr std::array<std::string_view, 7> kChips = {"tournament_chips", "stack",   "ante",   "blinds",
                                                    "bring_in",         "min_bet", "big_bet"};

std::set<std::string_view> without_chips(std::string_view rules) {
  std::set<std::string_view> lines;
  while (!rules.empty()) {
    const std::string_view line = rules.substr(0, rules.find('\n'));
    rules.remove_prefix(std::min(rules.size(), line.size() + 1));
    if (std::find(kChips.begin(), kChips.end(), line.substr(0, line.find(':'))) == kChips.end()) lines.insert(line);
  }
  return lines;
}

}  // namespace

std::vector<int> places_of_inputs(const Game& game, std::string_view trained, int inputs) {
  const ObservationSpec& spec = game.observation_spec();
  const ObservationPart* const history = spec.find("history");
  if (history == nullptr || history->shape.size() != 4 || without_chips(trained) != without_chips(game.id().rules))
    return {};
  const int rounds = history->shape[0], turns = history->shape[1], turn = history->shape[2] * history->shape[3];
  const int unknown = spec.size() - inputs, each = rounds * turn;
  if (unknown < 0 || unknown % each != 0 || unknown / each >= turns) return {};
  const int known = turns - unknown / each;
  std::vector<int> places;
  for (int i = 0; i < spec.size(); ++i) {
    const int inside = i - history->offset;
    if (inside < 0 || inside >= history->size() || inside / turn % turns < known) places.push_back(i);
  }
  return places;
}

}  // namespace dealer
