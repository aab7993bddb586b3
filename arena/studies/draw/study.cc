#include "arena/studies/draw/study.h"

#include <utility>

#include "agents/poker/draw_tables.h"
#include "arena/studies/draw/counter.h"
#include "arena/studies/draw/report.h"
#include "arena/studies/games.h"
#include "env/games/poker/game.h"

namespace dealer::studies::draw {
namespace {

using dealer::poker::DrawMeans;
using dealer::poker::DrawTables;
using dealer::poker::Episode;
using dealer::poker::GameRules;

constexpr std::string_view kHighRanking = "high", kLowRanking = "ace_to_five";

// By the tables of the players' own facts.
StrengthsOf strengths_of(const GameRules& rules) {
  auto lazy = dealer::poker::shared_draw_tables(rules);
  return [lazy = std::move(lazy), &rules](const Five& hand, int left) {
    DrawMeans::Means means;
    lazy->get([&] { return DrawTables(rules); }).means.find(hand, left, means);
    Strengths strengths;
    for (std::size_t mask = 0; mask < means.size(); ++mask) strengths[mask] = means[mask].share;
    return strengths;
  };
}

class DrawStudy final : public Study {
 public:
  explicit DrawStudy(std::span<const GamePtr> games) : games_(games.begin(), games.end()) {
    for (const GamePtr& game : games_) {
      const GameRules& rules = dealer::poker::as_poker(*game)->rules();
      kinds_.push_back(rules.high->ranking().name() == kLowRanking ? &low_kinds() : &high_kinds());
      counters_.emplace_back(*kinds_.back(), rules.players, rules.draws, strengths_of(rules));
    }
  }

  void begin_game(std::size_t game) override { game_ = game; }
  void add(std::int64_t deal, std::span<const Event> hand) override {
    counters_[game_].add(deal, poker::read_draw_hand(hand));
  }
  StudyResults results(const Subject& subject) const override {
    std::vector<Figure> games;
    for (const Counter& counter : counters_) games.push_back(counter.figures());
    const Figure figures = games_of(subject, games);
    return {figures.to_json(), conclusions_of(figures, kinds_), report_of(subject, figures, kinds_)};
  }

 private:
  std::vector<GamePtr> games_;  // whose rules the counters know
  std::vector<const Kinds*> kinds_;
  std::vector<Counter> counters_;
  std::size_t game_ = 0;
};

// Why a game cannot be studied; nothing when it can.
std::string fault_of(const Game& game) {
  const dealer::poker::Game* poker = dealer::poker::as_poker(game);
  if (poker == nullptr || poker->rules().draws == 0) return "is no draw poker, which this study is of";
  const GameRules& rules = poker->rules();
  if (!rules.deck->begins_as_standard() || rules.deck->size() != kCards)
    return "is not played with 52 cards, whose hands this study knows";
  const std::string& ranking = rules.high->ranking().name();
  if ((ranking != kHighRanking && ranking != kLowRanking) || rules.low != nullptr)
    return "has other rankings than high alone or ace_to_five alone, which this study knows";
  if (!rules.street[0].betting) return "has no betting before the draw, which this study is of";
  if (rules.episode != Episode::kHand) return "is a match; the study is of single hands";
  return {};
}

}  // namespace

std::unique_ptr<Study> make_study(Config& config, const std::vector<GamePtr>& games) {
  check_games(config, games, fault_of);
  return std::make_unique<DrawStudy>(games);
}

}  // namespace dealer::studies::draw
