#include "arena/studies/study.h"

#include <algorithm>

#include "arena/studies/court/odds_file.h"
#include "arena/studies/court/report.h"
#include "arena/studies/court/showdown.h"
#include "arena/studies/games.h"
#include "env/games/poker/game.h"

namespace dealer::studies::court {
namespace {

constexpr const char* kOddsFile = "odds.txt";
constexpr std::int64_t kMostSamples = 100'000'000;

class CourtStudy final : public Study {
 public:
  CourtStudy(const std::vector<GamePtr>& games, std::int64_t samples) : samples_(samples) {
    for (const GamePtr& game : games) {
      const poker::GameRules& rules = poker::as_poker(*game)->rules();
      counters_.emplace_back(rules.high);
      games_.push_back(object({{"game", value(game->spec())},
                               {"deck", value(rules.high->deck().name())},
                               {"players", value(rules.players)},
                               {".deck", value(index_of(rules.high))}}));
    }
  }

  void begin_game(std::size_t game) override { game_ = game; }
  void add(std::int64_t deal, std::span<const Event> hand) override { counters_[game_].add(deal, hand); }

  bool work(const StudyContext& place) override {
    if (!count_decks(place, decks_, samples_, place.folder / kOddsFile)) return false;
    odds_ = read_decks(place.folder / kOddsFile, decks_);
    return true;
  }

  StudyResults results(const Subject& subject) const override {
    Figures figures;
    figures.decks = odds_;
    for (std::size_t i = 0; i < games_.size(); ++i) figures.games.push_back(joined(games_[i], counters_[i].figures()));
    return {to_json(figures), conclusions_of(figures), report_of(subject, figures)};
  }

 private:
  // Games with one deck and one ranking share its odds.
  std::size_t index_of(const EvaluatorPtr& evaluator) {
    const auto same = [&](const EvaluatorPtr& other) {
      return other->deck().fingerprint() == evaluator->deck().fingerprint() &&
             other->ranking().fingerprint() == evaluator->ranking().fingerprint();
    };
    const auto found = std::find_if(decks_.begin(), decks_.end(), same);
    if (found != decks_.end()) return static_cast<std::size_t>(found - decks_.begin());
    decks_.push_back(evaluator);
    return decks_.size() - 1;
  }

  std::int64_t samples_;
  std::vector<EvaluatorPtr> decks_;
  std::vector<DeckOdds> odds_;  // of these evaluators
  std::vector<Figure> games_;   // what they are
  std::vector<ShowdownCounter> counters_;
  std::size_t game_ = 0;  // index of the current game
};

// The reason why a game is not supported; empty if it is.
std::string refusal(const Game& game) {
  const poker::Game* const betting = poker::as_poker(game);
  if (betting == nullptr || betting->rules().procedure != poker::Procedure::kDraw || betting->rules().draws != 1)
    return "is not five-card draw with one draw, the subject of this study";
  const poker::GameRules& rules = betting->rules();
  if (rules.high->ranking().low() || rules.low) return "has low hands; the study counts high hands";
  if (rules.random_mix()) return "draws the cards in play anew for every match; the study counts the hands of one deck";
  if (rules.episode != poker::Episode::kHand) return "has several hands an episode; the study deals one";
  return {};
}

std::unique_ptr<Study> make_study(Config& config, const std::vector<GamePtr>& games) {
  check_games(config, games, refusal);
  return std::make_unique<CourtStudy>(games, config.get_int("samples", 0, 0, kMostSamples));
}

constexpr Headline kHeadlines[] = {
    {"/decks", "/verdicts/dealt/xxx", "xxx_dealt", "categories with XXX, as dealt", ""},
    {"/decks", "/verdicts/drawn/xxx", "xxx_drawn", "categories with XXX, after the draw", ""},
    {"/decks", "/strength/drawn", "strength", "dealt hands that a hand beats after the draw", "", Unit::kPercent},
    {"/games", "/reached", "reached", "hands that come to a showdown", "", Unit::kPercent},
};

}  // namespace

// The study of Court decks and their rankings (docs/studies.md): the odds of hands as dealt and after one draw,
// counted, and the hands that come to the showdowns of five-card draw.
const StudyKind kKind = {.what = "Court Poker: how well each ranking agrees with the odds, as dealt and after a draw",
                         .game = "court_tarot",
                         .make_of_games = make_study,
                         .headlines = kHeadlines};

}  // namespace dealer::studies::court
