#include "arena/studies/draw/figures.h"

#include <nlohmann/json.hpp>

#include "env/core/at.h"

namespace dealer::studies::draw {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Estimate& estimate) { return studies::to_json(estimate); }
Json json_of(const Answers& answers) {
  return {{"fold", json_of(answers.fold)}, {"call", json_of(answers.call)}, {"raise", json_of(answers.raise)}};
}
template <class T, std::size_t n>
Json json_of(const std::array<T, n>& items) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(json_of(item));
  return list;
}

Json json_of(const PatFigures& pat) {
  return {{"share", json_of(pat.share)},   {"bets", json_of(pat.bets)},     {"wins", json_of(pat.wins)},
          {"unseen", json_of(pat.unseen)}, {"points", json_of(pat.points)}, {"worth", json_of(pat.worth)}};
}

Json position_json(const GameFigures& game, int position) {
  const PositionFigures& f = game.positions[at(position)];
  const auto words = openers(game.side);
  Json hands = Json::object();
  for (std::size_t h = 0; h < words.size(); ++h) hands[std::string(words[h].name)] = json_of(f.hands[h]);
  return {{"position", position + 1},
          {"chances", json_of(f.chances)},
          {"opens", json_of(f.opens)},
          {"points", json_of(f.points)},
          {"weakest", f.weakest < 0 ? Json(nullptr) : Json(words[at(f.weakest)].name)},
          {"tenths", json_of(f.tenths)},
          {"opens_by_hand", hands}};
}

Json hands_json(const GameFigures& game) {
  const auto words = openers(game.side);
  Json hands = Json::array();
  for (std::size_t h = 0; h < words.size(); ++h) {
    const OpenerFigures& f = game.hands[h];
    hands.push_back({{"hand", words[h].name},
                     {"share", json_of(f.share)},
                     {"strength", json_of(f.strength)},
                     {"answers", json_of(f.answers)}});
  }
  return hands;
}

Json discard_json(Side side, std::string_view hand, const DiscardFigures& f) {
  const auto words = kept(side);
  Json keeps = Json::object();
  for (std::size_t k = 0; k < words.size(); ++k) keeps[std::string(words[k].name)] = json_of(f.kept[k]);
  return {{"hand", hand},  {"share", json_of(f.share)}, {"thrown", json_of(f.thrown)},
          {"kept", keeps}, {"best", json_of(f.best)},   {"cost", json_of(f.cost)}};
}

Json draw_json(const GameFigures& game, int number) {
  const DrawFigures& f = game.draws[at(number)];
  const auto words = kinds(game.side);
  Json discards = Json::array({discard_json(game.side, "all", f.all)});
  for (std::size_t k = 0; k < words.size(); ++k) discards.push_back(discard_json(game.side, words[k].name, f.kinds[k]));
  Json pat = {{"rate", json_of(f.pat)}, {"bluffs", json_of(f.bluffs)}};
  for (int c = 0; c < kPatClasses; ++c)
    pat[std::string(pat_classes(game.side)[at(c)].name)] = json_of(f.classes[at(c)]);
  pat["weak_drawing"] = json_of(f.weak_drawing);
  pat["worth_bluff_draw"] = json_of(f.worth_bluff_draw);
  pat["folds_pat_draw"] = json_of(f.folds_pat_draw);
  Json thrown = Json::array();
  for (int count = 0; count <= kDrawHand; ++count)
    thrown.push_back({{"cards", count},
                      {"share", json_of(f.thrown[at(count)].share)},
                      {"bets", json_of(f.thrown[at(count)].bets)},
                      {"folds", json_of(f.thrown[at(count)].folds)}});
  return {{"draw", number + 1}, {"discards", discards}, {"pat", pat}, {"by_thrown", thrown}};
}

Json game_json(const GameFigures& game) {
  Json positions = Json::array(), draws = Json::array();
  for (int p = 0; p < static_cast<int>(game.positions.size()); ++p) positions.push_back(position_json(game, p));
  for (int d = 0; d < static_cast<int>(game.draws.size()); ++d) draws.push_back(draw_json(game, d));
  Json answers = json_of(game.answers);
  answers["tenths"] = json_of(game.answers_by_tenth);
  return {
      {"game", game.game},
      {"agent", game.agent},
      {"positions", positions},
      {"hands_dealt", hands_json(game)},
      {"answers", answers},
      {"draws", draws},
      {"differences",
       {{"opens_last_first", json_of(game.opens_last_first)}, {"opens_weak_middle", json_of(game.opens_weak_middle)}}}};
}

}  // namespace

Json to_json(const Figures& figures) {
  Json games = Json::array();
  for (const GameFigures& game : figures.games) games.push_back(game_json(game));
  return {{"games", games}};
}

}  // namespace dealer::studies::draw
