#include "arena/studies/seven_hand/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "arena/studies/seven_hand/conclusions.h"
#include "arena/studies/seven_hand/report.h"
#include "arena/studies/seven_hand/tally.h"
#include "env/cards/shuffle.h"
#include "env/core/error.h"
#include "env/games/seven_hand/game.h"

namespace dealer::studies::seven_hand {
namespace {

using dealer::seven_hand::kOwnCards;
using dealer::seven_hand::kSeats;
using dealer::seven_hand::State;

class SevenHandStudy final : public Study {
 public:
  SevenHandStudy(GamePtr game, const dealer::seven_hand::GameRules& rules) : game_(std::move(game)), rules_(rules) {}

  bool every_seating() const override { return true; }

  void deal(Env& env, std::uint64_t seed, int seating) const override {
    std::array<Card, kCards> deck{};
    std::iota(deck.begin(), deck.end(), Card{0});
    RandomStream rng(seed);
    shuffle_first(std::span<Card>(deck), kCards, rng);
    std::array<std::array<Card, kOwnCards>, kSeats> cards;
    for (std::size_t seat = 0; seat < kSeats; ++seat)
      std::copy_n(deck.begin() + static_cast<std::ptrdiff_t>(seat * kOwnCards), kOwnCards, cards[seat].begin());
    State state;
    state.deal(rules_, cards, seating);
    dynamic_cast<TypedEnv<State>&>(env).set_state(state);
  }

  void add(std::int64_t deal, std::span<const Event> hand) override { tally_.add(deal, read_hand(hand)); }
  Findings findings(const Subject& subject) const override {
    const Figures figures = tally_.figures();
    return {to_json(figures), conclusions_of(figures), report_of(subject, figures)};
  }

 private:
  GamePtr game_;  // whose rules they are
  const dealer::seven_hand::GameRules& rules_;
  Tally tally_;
};

}  // namespace

std::unique_ptr<Study> make_study(Config& config, const GamePtr& game) {
  const dealer::seven_hand::Game* seven = dealer::seven_hand::as_seven_hand(*game);
  if (seven == nullptr)
    throw ConfigError(
        fmt::format("{}: '{}' is not 7-Hand Poker, which this study is of", config.where("game"), game->spec()));
  if (seven->rules().hands != 1)
    throw ConfigError(
        fmt::format("{}: '{}' has several hands an episode; the study deals one", config.where("game"), game->spec()));
  return std::make_unique<SevenHandStudy>(game, seven->rules());
}

}  // namespace dealer::studies::seven_hand
