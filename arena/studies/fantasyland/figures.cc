#include "arena/studies/fantasyland/figures.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace dealer::studies::fantasyland {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Estimate& estimate) { return studies::to_json(estimate); }
Json json_of(const NormalFigures& f) {
  return {{"foul", json_of(f.foul)}, {"entry", json_of(f.entry)}, {"royalties", json_of(f.royalties)}};
}
Json json_of(const TryFigures& f) {
  return {{"share", json_of(f.share)},
          {"foul", json_of(f.foul)},
          {"entered", json_of(f.entered)},
          {"hand", json_of(f.hand)},
          {"total", json_of(f.total)}};
}
Json json_of(const StateFigures& f) {
  return {{"share", json_of(f.share)},
          {"points", json_of(f.points)},
          {"next",
           {{"nobody", json_of(f.next[kNobodyNext])},
            {"same", json_of(f.next[kSameNext])},
            {"swapped", json_of(f.next[kSwappedNext])},
            {"both", json_of(f.next[kBothNext])}}}};
}
template <class T>
Json list_of(const T& items) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(json_of(item));
  return list;
}

Json standings_json(const auto& of_standing) {
  return {{"behind", json_of(of_standing[kBehind])},
          {"level", json_of(of_standing[kLevel])},
          {"ahead", json_of(of_standing[kAhead])}};
}

Json chain_json(const ChainFigures& f) {
  return {{"value", json_of(f.value)},
          {"direct", json_of(f.direct)},
          {"normal", json_of(f.normal)},
          {"alone", json_of(f.alone)},
          {"dealer", json_of(f.states[kDealerThere])},
          {"other", json_of(f.states[kOtherThere])},
          {"both", json_of(f.states[kBothThere])},
          {"values",
           {{"dealer", json_of(f.values[kDealerThere])},
            {"other", json_of(f.values[kOtherThere])},
            {"both", json_of(f.values[kBothThere])}}}};
}

Json play_json(const PlayFigures& f) {
  return {{"hands", json_of(f.hands)},
          {"normal", json_of(f.normal)},
          {"against_normal", json_of(f.against_normal)},
          {"against_fantasyland", json_of(f.against_fantasyland)},
          {"stays", json_of(f.stays)},
          {"foul_there", json_of(f.foul_there)},
          {"royalties_there", json_of(f.royalties_there)},
          {"first_points", json_of(f.first_points)}};
}

Json fronts_json(const Figures& f) {
  Json list = Json::array();
  for (std::size_t k = 0; k < f.play.fronts.size(); ++k) {
    const FrontFigures& front = f.play.fronts[k];
    list.push_back({{"front", f.fronts.name(static_cast<int>(k))},
                    {"entries", json_of(front.entries)},
                    {"foul", json_of(front.foul)},
                    {"hand", json_of(front.hand)},
                    {"after", json_of(front.after)},
                    {"total", json_of(front.total)},
                    {"turns", list_of(f.play.kinds[k])}});
  }
  return list;
}

Json tries_json(const PlayFigures& f) {
  Json tries = {{"never", json_of(f.never)},
                {"turns", list_of(f.turns)},
                {"standings", standings_json(f.standings)},
                {"other_open", json_of(f.other_open)},
                {"other_tries", json_of(f.other_tries)},
                {"other_there", json_of(f.other_there)},
                {"ahead_behind", json_of(f.ahead_behind)},
                {"ahead_behind_total", json_of(f.ahead_behind_total)},
                {"early", json_of(f.early)},
                {"late", json_of(f.late)},
                {"early_late", json_of(f.early_late)}};
  return tries;
}

// The cells that were met, one by one.
void add_cells(const HoldingTable& table, const Json& key, Json& list) {
  for (int back = 0; back < kHoldings; ++back) {
    for (int middle = 0; middle < kHoldings; ++middle) {
      const Estimate& share = table[static_cast<std::size_t>(back)][static_cast<std::size_t>(middle)];
      if (share.count == 0) continue;
      Json cell = key;
      cell["middle"] = name_of(static_cast<Holding>(middle));
      cell["back"] = name_of(static_cast<Holding>(back));
      cell["in_front"] = json_of(share);
      list.push_back(std::move(cell));
    }
  }
}

Json choices_json(const Figures& f) {
  Json list = Json::array();
  for (std::size_t r = 0; r < f.choices.size(); ++r) {
    Json rank = {{"rank", f.fronts.rank_letter(static_cast<int>(r))}};
    for (int c = 0; c < kCases; ++c) {
      const ChoiceFigures& choice = f.choices[r][static_cast<std::size_t>(c)];
      Json cells = Json::array();
      for (int t = 0; t < kStreets; ++t)
        add_cells(choice.holdings[static_cast<std::size_t>(t)], {{"turn", t + 1}}, cells);
      Json later = Json::array();
      add_cells(choice.later, Json::object(), later);
      rank[std::string(name_of(static_cast<Case>(c)))] = {{"turns", list_of(choice.turns)},
                                                          {"standings", standings_json(choice.standings)},
                                                          {"later", std::move(later)},
                                                          {"by_turn", std::move(cells)}};
    }
    list.push_back(std::move(rank));
  }
  return list;
}

// What the best of the round robin counts Fantasyland; nobody knows how sure that is.
Estimate chase_of(const Figures& f) {
  if (f.rivals.best < 0) return {};
  const RivalFigures& best = f.rivals.rivals[static_cast<std::size_t>(f.rivals.best)];
  const std::optional<double> counts = best.value ? best.value : f.counted;
  if (!counts) return {};
  return {*counts, std::numeric_limits<double>::infinity(), best.score.count};
}

Json rivals_json(const RoundRobin& f) {
  Json list = Json::array();
  for (std::size_t r = 0; r < f.rivals.size(); ++r) {
    const RivalFigures& rival = f.rivals[r];
    list.push_back({{"agent", rival.agent},
                    {"counts", rival.value ? Json(*rival.value) : Json(nullptr)},
                    {"best", static_cast<int>(r) == f.best},
                    {"score", json_of(rival.score)},
                    {"less_than_best", json_of(rival.less_than_best)},
                    {"foul", json_of(rival.foul)},
                    {"entry", json_of(rival.entry)},
                    {"stays", json_of(rival.stays)},
                    {"against", list_of(rival.against)}});
  }
  return list;
}

Json advice_json(const Figures& f, int opening) {
  const auto i = static_cast<std::size_t>(opening);
  const OpeningCards& cards = f.openings[i].cards;
  const OpeningAdvice& advice = f.advice[i];
  return {{"cards", to_string(cards)},
          {"placement", dealer::ofc::to_string(board_of(cards, advice.best))},
          {"points", advice.value},
          {"second", dealer::ofc::to_string(board_of(cards, advice.second))},
          {"second_points", advice.second_value},
          {"foul", advice.foul},
          {"fantasyland", advice.fantasyland}};
}

Json chart_json(const Figures& f) {
  if (!f.chart) return nullptr;
  const ChartFigures& chart = *f.chart;
  Json json = {{"count", chart.openings},          {"points", chart.value}, {"foul", chart.foul}, {"gap", chart.gap},
               {"fantasyland", chart.fantasyland}, {"close", chart.close}};
  json["classes"] = Json::array();
  for (const ChartFigures::Class& of : chart.classes)
    json["classes"].push_back({{"cards", dealer::to_string(of.category)},
                               {"share", of.share},
                               {"points", of.value},
                               {"gap", of.gap},
                               {"fantasyland", of.fantasyland}});
  json["ranks"] = Json::array();
  for (std::size_t r = 0; r < chart.ranks.size(); ++r)
    json["ranks"].push_back({{"rank", f.fronts.rank_letter(static_cast<int>(r))},
                             {"one", chart.ranks[r].one},
                             {"two_both", chart.ranks[r].two_both},
                             {"two_one", chart.ranks[r].two_one}});
  json["shapes"] = Json::array();
  for (const ChartFigures::Shape& shape : chart.shapes)
    json["shapes"].push_back(
        {{"front", shape.front}, {"middle", shape.middle}, {"back", shape.back}, {"share", shape.share}});
  for (const auto& [name, list] : {std::pair{"highest", &chart.highest}, {"lowest", &chart.lowest}}) {
    json[name] = Json::array();
    for (const int opening : *list) json[name].push_back(advice_json(f, opening));
  }
  return json;
}

}  // namespace

Json to_json(const Figures& f) {
  return {{"counts", f.counted ? Json(*f.counted) : Json(nullptr)},
          {"chain", chain_json(f.chain)},
          {"play", play_json(f.play)},
          {"fronts", fronts_json(f)},
          {"tries", tries_json(f.play)},
          {"chase", json_of(chase_of(f))},
          {"rivals", rivals_json(f.rivals)},
          {"choices", choices_json(f)},
          {"openings", chart_json(f)}};
}

}  // namespace dealer::studies::fantasyland
