#include "arena/studies/study.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "agents/poker/draw_equity_tables.h"
#include "agents/poker/draw_preference.h"
#include "arena/studies/checks.h"
#include "arena/studies/draw/counter.h"
#include "arena/studies/draw/report.h"
#include "arena/studies/games.h"
#include "env/games/poker/game.h"

namespace dealer::studies::draw {
namespace {

using dealer::poker::DrawEquities;
using dealer::poker::DrawEquityTables;
using dealer::poker::DrawPreference;
using dealer::poker::Episode;
using dealer::poker::GameRules;

constexpr std::string_view kHighRanking = "high", kLowRanking = "ace_to_five";

// From the same tables as the players' input features.
EquitiesOf equities_of(const GameRules& rules) {
  auto lazy = dealer::poker::shared_draw_equity_tables(rules);
  return [lazy = std::move(lazy), &rules](const Five& hand, int left) {
    DrawEquities::Means means;
    lazy->get([&] { return DrawEquityTables(rules); }).means.find(hand, left, means);
    DiscardEquities equities;
    for (std::size_t mask = 0; mask < means.size(); ++mask) equities[mask] = means[mask].share;
    return equities;
  };
}

class DrawStudy final : public Study {
 public:
  DrawStudy(std::span<const GamePtr> games, std::int64_t check_deals)
      : games_(games.begin(), games.end()), check_deals_(check_deals), checks_(games.size(), list()) {
    for (const GamePtr& game : games_) {
      const GameRules& rules = dealer::poker::as_poker(*game)->rules();
      kinds_.push_back(rules.high->ranking().name() == kLowRanking ? &low_kinds() : &high_kinds());
      counters_.emplace_back(*kinds_.back(), rules.players, rules.draws, equities_of(rules));
    }
  }

  // Both preferences against the agent, game by game.
  bool work(const StudyContext& place) override {
    if (check_deals_ == 0) return true;
    std::vector<std::string_view> names;
    for (const DrawPreference& preference : dealer::poker::draw_preferences()) names.push_back(preference.name);
    for (std::size_t g = 0; g < games_.size(); ++g) {
      StudyContext table = place;
      table.game = games_[g];
      table.agent = place.agents[g];
      const std::filesystem::path file = place.folder / fmt::format("checks_{}.txt", g + 1);
      if (!play_checks(table, names, check_deals_, file)) return false;
      checks_[g] = count_checks(file, dealer::poker::what_is_preferred);
    }
    return true;
  }

  void begin_game(std::size_t game) override { game_ = game; }
  void add(std::int64_t deal, std::span<const Event> hand) override {
    counters_[game_].add(deal, poker::read_draw_hand(hand));
  }
  StudyResults results(const Subject& subject) const override {
    std::vector<Figure> games;
    for (std::size_t g = 0; g < games_.size(); ++g) {
      games.push_back(counters_[g].figures());
      games.back().set("checks", checks_[g]);
    }
    const Figure figures = games_of(subject, games);
    return {figures.to_json(), conclusions_of(figures, kinds_), report_of(subject, figures, kinds_)};
  }

 private:
  std::vector<GamePtr> games_;  // keeps the rules of the counters alive
  std::vector<const Kinds*> kinds_;
  std::vector<Counter> counters_;
  std::size_t game_ = 0;
  std::int64_t check_deals_;    // per preference
  std::vector<Figure> checks_;  // by game
};

// The reason why a game is not supported; empty if it is.
std::string fault_of(const Game& game) {
  const dealer::poker::Game* poker = dealer::poker::as_poker(game);
  if (poker == nullptr || poker->rules().draws == 0) return "is not draw poker, the subject of this study";
  const GameRules& rules = poker->rules();
  if (!rules.deck->begins_as_standard() || rules.deck->size() != kCards)
    return "is not played with 52 cards, which this study needs";
  const std::string& ranking = rules.high->ranking().name();
  if ((ranking != kHighRanking && ranking != kLowRanking) || rules.low != nullptr)
    return "has another ranking than high alone or ace_to_five alone";
  if (!rules.street[0].betting) return "has no betting before the draw, which this study needs";
  if (rules.episode != Episode::kHand) return "is a match; the study takes single hands";
  return {};
}

std::unique_ptr<Study> make_study(Config& config, const std::vector<GamePtr>& games) {
  check_games(config, games, fault_of);
  return std::make_unique<DrawStudy>(games, config.get_int("checks", 0, 0, 10'000'000));
}

constexpr Headline kHeadlines[] = {
    {"/games", "/positions/0/opens", "opens", "how often the first to act opens", "", Unit::kPercent},
    {"/games", "/differences/opens_last_first", "opens_last_first",
     "opening rate of the last to act minus that of the first", "", Unit::kPercentagePoints},
    {"/games", "/answers/fold", "fold", "folds to an opening", "", Unit::kPercent},
    {"/games", "/draws/0/discards/0/best", "best", "first draws with the best discard", "", Unit::kPercent},
    {"/games", "/draws/0/pat/rate", "rate", "first draws that stand pat", "", Unit::kPercent},
    {"/games", "/draws/0/pat/bluff/share", "bluff", "bluffs among pat hands", "", Unit::kPercent},
};

}  // namespace

// Opening, discards and standing pat in five-card draw and lowball (docs/studies.md), several games one after the
// other.
const StudyKind kKind = {.what = "Five-card draw and lowball: opening hands by position, discards, and standing pat",
                         .game = "draw",
                         .make_of_games = make_study,
                         .headlines = kHeadlines};

}  // namespace dealer::studies::draw
