#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "arena/position_values.h"
#include "env/core/error.h"
#include "env/core/typed_env.h"
#include "env/core/typed_game.h"
#include "env/games/poker/state.h"

namespace dealer {
namespace {

using poker::State;

class ShowdownValues final : public PositionValues {
 public:
  explicit ShowdownValues(const TypedGame<State>& game)
      : players_(static_cast<std::size_t>(game.players())), pat_(game.rules().first_discard()) {}

  void add(const Env& table, std::uint64_t seed, bool often) override {
    const State& from = dynamic_cast<const TypedEnv<State>&>(table).state();
    const std::size_t at = worth_.size();
    worth_.resize(at + players_);
    const int deals = from.hand_over() ? 1 : often ? kOften : kSeldom;
    RandomStream rng(seed);
    for (int i = 0; i < deals; ++i) {
      State state = from;
      if (!state.hand_over()) state.redeal(rng);
      while (!state.hand_over()) state.apply_and_hold(state.drawing() ? pat_ : poker::kCall);
      for (std::size_t seat = 0; seat < players_; ++seat)
        worth_[at + seat] += state.return_of(static_cast<Seat>(seat)) / deals;
    }
  }

  void compute(std::span<double> worth) override {
    std::copy(worth_.begin(), worth_.end(), worth.begin());
    worth_.clear();
  }

 private:
  static constexpr int kOften = 64, kSeldom = 4;
  std::size_t players_;
  Action pat_;  // throws nothing away
  std::vector<double> worth_;
};

}  // namespace

bool is_betting_game(const Game& game) { return dynamic_cast<const TypedGame<State>*>(&game) != nullptr; }

std::unique_ptr<PositionValues> showdown_values(const Game& game) {
  const auto* betting = dynamic_cast<const TypedGame<State>*>(&game);
  if (betting == nullptr)
    throw UsageError(fmt::format("there is no betting in '{}', so no showdown without it", game.spec()));
  return std::make_unique<ShowdownValues>(*betting);
}

}  // namespace dealer
