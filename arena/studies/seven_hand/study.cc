#include "arena/studies/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "arena/studies/checks.h"
#include "arena/studies/seven_hand/advice.h"
#include "arena/studies/seven_hand/counter.h"
#include "arena/studies/seven_hand/report.h"
#include "arena/studies/seven_hand/responses.h"
#include "env/cards/shuffle.h"
#include "env/core/error.h"
#include "env/games/seven_hand/game.h"

namespace dealer::studies::seven_hand {
namespace {

using dealer::seven_hand::kOwnCards;
using dealer::seven_hand::kSeats;
using dealer::seven_hand::State;

constexpr const char* kTriesFile = "tries.txt";
constexpr const char* kChecksFile = "checks.txt";
constexpr const char* kResponsesFile = "responses.txt";

class SevenHandStudy final : public Study {
 public:
  struct Setup {
    std::int64_t tries = 0, checks = 0, responses = 0;
    std::string responder;  // empty: none
  };

  SevenHandStudy(GamePtr game, const dealer::seven_hand::GameRules& rules, Setup setup)
      : game_(std::move(game)), rules_(rules), setup_(std::move(setup)) {}

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

  bool work(const StudyContext& place) override {
    if (setup_.tries > 0) {
      if (!try_turns(place, setup_.tries, place.folder / kTriesFile)) return false;
      advice_ = count_tries(place.folder / kTriesFile);
    }
    if (setup_.checks > 0) {
      if (!play_checks(place, advised(advice_), setup_.checks, place.folder / kChecksFile)) return false;
      checks_ = count_checks(place.folder / kChecksFile, what_is_preferred);
    }
    if (setup_.responses > 0) {
      const std::filesystem::path file = place.folder / kResponsesFile;
      if (!play_responses(place, make_agents(setup_.responder, game_), *this, setup_.responses, file)) return false;
      read_responses(file, game_, *this, place.seed, setup_.responses,
                     [&](std::int64_t deal, const Hand& hand, int responder) {
                       answered_.push_back({deal, responder, hand});
                     });
    }
    return true;
  }

  void add(std::int64_t deal, std::span<const Event> hand) override {
    observed_ += add_responses(counter_, deal - 1);
    counter_.add(deal, read_hand(hand));
  }
  StudyResults results(const Subject& subject) const override {
    Counter all = counter_;
    add_responses(all, std::numeric_limits<std::int64_t>::max());
    Figure figures = all.figures(advice_, setup_.responder);
    figures.set("checks", checks_);
    return {figures.to_json(), conclusions_of(figures), report_of(subject, figures)};
  }

 private:
  struct Answered {
    std::int64_t deal;
    int responder;
    Hand hand;
  };
  // Adds the uncounted hands against the responder up to a deal; returns their number.
  std::size_t add_responses(Counter& counter, std::int64_t last) const {
    std::size_t next = observed_;
    for (; next < answered_.size() && answered_[next].deal <= last; ++next)
      counter.add_response(answered_[next].deal, answered_[next].hand, answered_[next].responder);
    return next - observed_;
  }

  GamePtr game_;  // keeps the rules alive
  const dealer::seven_hand::GameRules& rules_;
  Setup setup_;
  Counter counter_;
  Figure advice_, checks_ = list();
  std::vector<Answered> answered_;  // by deal
  std::size_t observed_ = 0;        // number of them added to counter_
};

SevenHandStudy::Setup read_setup(Config& config, const GamePtr& game) {
  SevenHandStudy::Setup setup;
  const std::string agent = config.get_string("agent", "rule");
  setup.tries = config.get_int("tries", 0, 0, 10'000'000);
  setup.checks = config.get_int("checks", 0, 0, 10'000'000);
  setup.responses = config.get_int("responses", 0, 0, 10'000'000);
  const std::int64_t simulations = config.get_int("simulations", 400, 1, 100'000'000);
  if (setup.tries == 0 && setup.responses == 0) return setup;
  const char* const key = setup.responses > 0 ? "responses" : "tries";
  try {
    const std::string responder = responder_of(agent, game, simulations);
    if (setup.responses == 0) return setup;
    make_agents(responder, game);
    setup.responder = responder;
  } catch (const UsageError& error) {
    throw ConfigError(fmt::format("{}: {}; expected an agent with a policy, or tries: 0 and responses: 0",
                                  config.where(key), error.what()));
  }
  return setup;
}

std::unique_ptr<Study> make_study(Config& config, const GamePtr& game) {
  const dealer::seven_hand::Game* seven = dealer::seven_hand::as_seven_hand(*game);
  if (seven == nullptr)
    throw ConfigError(
        fmt::format("{}: '{}' is not 7-Hand Poker, the subject of this study", config.where("game"), game->spec()));
  if (seven->rules().hands != 1)
    throw ConfigError(
        fmt::format("{}: '{}' has several hands an episode; the study deals one", config.where("game"), game->spec()));
  return std::make_unique<SevenHandStudy>(game, seven->rules(), read_setup(config, game));
}

constexpr Headline kHeadlines[] = {
    {"", "/first_move/win_rate", "first_move", "wins of the first player to move", "", Unit::kPercent},
    {"", "/ends/three_adjacent", "three_adjacent", "hands won with three adjacent chips", "", Unit::kPercent},
    {"", "/ends/drawn", "drawn", "drawn hands", "", Unit::kPercent},
    {"", "/ends/turns", "turns", "turns of a hand", ""},
    {"", "/ends/showdowns", "showdowns", "showdowns of a hand", ""},
    {"", "/differences/win_middle_ends", "win_middle_ends", "wins with a middle chip minus wins with an end chip", "",
     Unit::kPercentagePoints},
    {"", "/classes/many_weak/takes", "many_weak", "showdowns that many weak cards win", "", Unit::kPercent},
};

}  // namespace

// The placement study of 7-Hand Poker (docs/studies.md): a deal is played twice with the same cards in the same seats,
// either seat having the first turn.
const StudyKind kKind = {
    .what = "7-Hand Poker: cards laid by turn and chip; the value of chips, of the first turn and of bluffs",
    .game = "seven_hand",
    .make = make_study,
    .headlines = kHeadlines};

}  // namespace dealer::studies::seven_hand
