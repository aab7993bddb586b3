// The analyser at the tables of `dealer serve`.
#include "cli/serve_analyser.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "arena/analysis/analyse.h"
#include "arena/analysis/analyser.h"
#include "arena/analysis/report.h"
#include "arena/analysis/turns.h"
#include "cli/hint_values.h"
#include "env/core/error.h"

namespace dealer::cli {
namespace {

using Json = nlohmann::ordered_json;

analysis::RecordedHand recorded_of(const Env& begun, std::span<const Decision> played) {
  analysis::RecordedHand hand;
  hand.table = begun.clone();
  hand.decisions.assign(played.begin(), played.end());
  return hand;
}

// For a turn of several decisions all are analysed together; if each is a turn of its own, the first.
std::vector<Decision> with_turn(const Env& begun, std::span<const Decision> played, std::span<const Decision> turn) {
  std::vector<Decision> one(played.begin(), played.end());
  one.push_back(turn.front());
  const std::size_t turns = analysis::turns_of(recorded_of(begun, one)).size();
  std::vector<Decision> whole(played.begin(), played.end());
  whole.insert(whole.end(), turn.begin(), turn.end());
  return analysis::turns_of(recorded_of(begun, whole)).size() == turns ? whole : one;
}

}  // namespace

web::TableAnalyser serve_analyser(const web::TableSetup& setup) {
  if (!setup.adviser) return {};
  web::TableAnalyser analyser;
  const GamePtr game = setup.game;
  const std::string adviser = setup.adviser->spec();
  analyser.values = [values = hint_values(game, adviser)](const Env& begun, std::span<const Decision> played,
                                                          std::span<const Decision> turn) {
    return values(begun, with_turn(begun, played, turn));
  };
  analyser.review = [adviser](const Env& begun, std::span<const Decision> played, const std::vector<std::string>& names,
                              Viewer seat) {
    analysis::AnalysisOptions options;
    options.judge.agent = adviser;
    options.threads = 1;
    options.tables = false;
    if (seat >= 0) options.seats = {seat};
    analysis::RecordedHand hand = recorded_of(begun, played);
    hand.name = "1";
    hand.number = 1;
    hand.players = names;
    std::vector<analysis::RecordedHand> hands;
    hands.push_back(std::move(hand));
    return analysis::to_json(analysis::analyse(hands, options)).at("decisions");
  };
  analyser.odds = serve_odds(game, *setup.adviser);
  return analyser;
}

}  // namespace dealer::cli
