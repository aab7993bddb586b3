#include "arena/studies/study.h"

#include "arena/studies/games.h"
#include "arena/studies/washizu/counter.h"
#include "arena/studies/washizu/report.h"
#include "env/games/poker/game.h"

namespace dealer::studies::washizu {
namespace {

using dealer::poker::GameRules;

CardsOf cards_of(const GameRules& rules) {
  return {.visible = [&rules](CardId card) { return !rules.is_opaque(card); },
          .value = [&rules](const poker::Five& hand) { return rules.high->compiled().evaluate(hand); }};
}

std::string_view name_of_mix(WashizuMix mix) {
  switch (mix) {
    case WashizuMix::kReplaceSuit:
      return "replace_suit";
    case WashizuMix::kReplaceRandom:
      return "replace_random";
    case WashizuMix::kAdd:
      return "add";
    case WashizuMix::kNone:
      break;
  }
  return "none";
}

class WashizuStudy final : public Study {
 public:
  explicit WashizuStudy(std::span<const GamePtr> games) : games_(games.begin(), games.end()) {
    for (const GamePtr& game : games_) counters_.emplace_back(cards_of(rules_of(*game)));
  }

  void begin_game(std::size_t game) override { game_ = game; }
  void add(std::int64_t deal, std::span<const Event> hand) override {
    counters_[game_].add(deal, poker::read_draw_hand(hand));
  }
  StudyResults results(const Subject& subject) const override {
    std::vector<Figure> games;
    for (std::size_t g = 0; g < counters_.size(); ++g) {
      const GameRules& rules = rules_of(*games_[g]);
      const bool checks = rules.bets.limit != betting::Limit::kFree;
      games.push_back(joined(object({{"mixing", value(name_of_mix(rules.deck->washizu()))}}), counters_[g].figures()));
      games.back().set(".checks", value(checks ? "A first bet counts as a raise; a player who does not bet checks."
                                               : "There is no check: a player who does not raise calls at least one "
                                                 "chip or folds."));
    }
    const Figure figures = games_of(subject, games);
    return {figures.to_json(), conclusions_of(figures), report_of(subject, figures)};
  }

 private:
  static const GameRules& rules_of(const Game& game) { return dealer::poker::as_poker(game)->rules(); }

  std::vector<GamePtr> games_;  // keeps the rules of the counters alive
  std::vector<Counter> counters_;
  std::size_t game_ = 0;
};

// The reason why a game is not supported; empty if it is.
std::string fault_of(const Game& game) {
  const dealer::poker::Game* poker = dealer::poker::as_poker(game);
  if (poker == nullptr || poker->rules().draws == 0) return "is not draw poker, as Washizu poker is";
  const GameRules& rules = poker->rules();
  if (rules.draws != 1 || rules.street[0].betting)
    return "has several draws, or betting before the draw; the study takes games with one draw and betting after it";
  if (rules.low != nullptr) return "has a low half, which this study does not count";
  return {};
}

std::unique_ptr<Study> make_study(Config& config, const std::vector<GamePtr>& games) {
  check_games(config, games, fault_of);
  return std::make_unique<WashizuStudy>(games);
}

constexpr Headline kHeadlines[] = {
    {"/games", "/worth/dealt", "dealt", "worth of a transparent card dealt", "chips a hand"},
    {"/games", "/worth/like", "like", "worth of one held, between hands of equal strength", "chips a hand"},
    {"/games", "/betting/all/first/raise", "raise", "first raises", "", Unit::kPercent},
    {"/games", "/betting/all/bluffs", "bluffs", "bluffs among first raises", "", Unit::kPercent},
    {"/games", "/betting/all/answers/fold", "fold", "folds to a raise", "", Unit::kPercent},
    {"/games", "/cards/thrown_visible", "thrown_visible", "transparent cards that are discarded", "", Unit::kPercent},
};

}  // namespace

// The value of transparent cards and their effect on the betting in Washizu poker (docs/studies.md),
// for each way of mixing them in.
const StudyKind kKind = {
    .what = "Washizu poker: what transparent cards are worth and how they change bets, bluffs and calls",
    .game = "washizu[players=2]",
    .make_of_games = make_study,
    .headlines = kHeadlines};

}  // namespace dealer::studies::washizu
