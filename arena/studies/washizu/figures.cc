#include "arena/studies/washizu/figures.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "env/core/at.h"

namespace dealer::studies::washizu {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, kThirds> kThirdNames = {"weak", "middle", "strong"};

Json json_of(const Estimate& estimate) { return studies::to_json(estimate); }
Json json_of(const Acting& acting) {
  return {{"fold", json_of(acting.fold)}, {"call", json_of(acting.call)}, {"raise", json_of(acting.raise)}};
}
Json json_of(const CountFigures& f) {
  return {{"share", json_of(f.share)}, {"points", json_of(f.points)}, {"wins", json_of(f.wins)},
          {"folds", json_of(f.folds)}, {"shown", json_of(f.shown)},   {"strength", json_of(f.strength)}};
}
Json json_of(const BettingFigures& f) {
  Json first = json_of(f.first);
  for (int t = 0; t < kThirds; ++t) first[std::string(kThirdNames[at(t)])] = json_of(f.thirds[at(t)]);
  return {{"first", first}, {"bluffs", json_of(f.bluffs)}, {"answers", json_of(f.answers)}};
}

// By number of visible cards.
template <class T>
Json by_count(const std::array<T, kCounts>& items) {
  Json list = Json::array();
  for (int count = 0; count < kCounts; ++count) {
    Json one = {{"visible", count}};
    one.update(json_of(items[at(count)]));
    list.push_back(one);
  }
  return list;
}

Json game_json(const GameFigures& f) {
  return {{"game", f.game},
          {"agent", f.agent},
          {"mixing", f.mixing},
          {"cards",
           {{"dealt", json_of(f.visible_dealt)},
            {"held", json_of(f.visible_held)},
            {"thrown_visible", json_of(f.thrown_visible)},
            {"thrown_hidden", json_of(f.thrown_hidden)}}},
          {"by_dealt", by_count(f.dealt)},
          {"by_held", by_count(f.held)},
          {"by_other", by_count(f.other)},
          {"worth",
           {{"dealt", json_of(f.worth_dealt)},
            {"held", json_of(f.worth_held)},
            {"like", json_of(f.worth_like)},
            {"other", json_of(f.worth_other)}}},
          {"betting", {{"all", json_of(f.all)}, {"own", by_count(f.own)}, {"against", by_count(f.against)}}},
          {"differences",
           {{"bluffs_many_few", json_of(f.bluffs_many_few)},
            {"value_many_few", json_of(f.value_many_few)},
            {"folds_many_few", json_of(f.folds_many_few)},
            {"thrown_visible_hidden", json_of(f.thrown_visible_hidden)}}}};
}

}  // namespace

std::string_view name_of(Third third) { return kThirdNames[at(third)]; }

Json to_json(const Figures& figures) {
  Json games = Json::array();
  for (const GameFigures& game : figures.games) games.push_back(game_json(game));
  return {{"games", games}};
}

}  // namespace dealer::studies::washizu
