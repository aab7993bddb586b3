#include "arena/studies/court/figures.h"

#include <nlohmann/json.hpp>

#include "arena/output.h"

namespace dealer::studies::court {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Step& step) {
  return {{"share", step.share},
          {"ci95", number_or_null(step.ci95)},
          {"rarity", number_or_null(step.rarity)},
          {"ratio", number_or_null(step.ratio)},
          {"verdict", step.verdict},
          {"place", step.place}};
}

Json json_of(const std::vector<Contradiction>& pairs, const DeckOdds& deck) {
  Json list = Json::array();
  for (const Contradiction& pair : pairs)
    list.push_back({deck.names[pair.weaker].first, deck.names[pair.stronger].first});
  return list;
}

Json json_of(const Verdicts& verdicts) {
  return {{"categories", verdicts.categories}, {"xxx", verdicts.xxx}, {"xx", verdicts.xx}, {"x", verdicts.x}};
}

Json json_of(const DeckOdds& deck) {
  Json categories = Json::array();
  for (std::size_t c = 0; c < deck.names.size(); ++c)
    categories.push_back({{"code", deck.names[c].first},
                          {"name", deck.names[c].second},
                          {"count", deck.counts[c]},
                          {"dealt", json_of(deck.dealt.steps[c])},
                          {"drawn", json_of(deck.drawn.steps[c])}});
  return {{"deck", deck.deck},
          {"ranking", deck.ranking},
          {"court", deck.court},
          {"cards", deck.cards},
          {"hands", deck.hands},
          {"samples", deck.samples},
          {"categories", categories},
          {"contradictions",
           {{"dealt", json_of(deck.dealt.contradictions, deck)}, {"drawn", json_of(deck.drawn.contradictions, deck)}}},
          {"swapped", json_of(deck.swapped, deck)},
          {"verdicts", {{"dealt", json_of(deck.dealt.verdicts)}, {"drawn", json_of(deck.drawn.verdicts)}}},
          {"strength", {{"dealt", deck.strength_dealt}, {"drawn", deck.strength}}},
          {"discarded", deck.discarded}};
}

Json names_of(const std::vector<const DeckOdds*>& decks) {
  Json names = Json::array();
  for (const DeckOdds* deck : decks) names.push_back(deck->deck);
  return names;
}

}  // namespace

std::vector<const DeckOdds*> best_balanced(const std::vector<DeckOdds>& decks, Order DeckOdds::*order) {
  std::vector<const DeckOdds*> best;
  for (const DeckOdds& deck : decks) {
    if (!deck.court) continue;
    const Verdicts& verdicts = (deck.*order).verdicts;
    if (!best.empty() && verdicts < (best.front()->*order).verdicts) best.clear();
    if (best.empty() || verdicts == (best.front()->*order).verdicts) best.push_back(&deck);
  }
  return best;
}

std::vector<std::size_t> games_of_deck(const Figures& figures, std::size_t deck) {
  std::vector<std::size_t> games;
  for (std::size_t g = 0; g < figures.games.size(); ++g)
    if (figures.games[g][".deck"].to_json() == deck) games.push_back(g);
  return games;
}

Json to_json(const Figures& figures) {
  Json decks = Json::array();
  for (const DeckOdds& deck : figures.decks) decks.push_back(json_of(deck));
  return {{"best_balanced",
           {{"dealt", names_of(best_balanced(figures.decks, &DeckOdds::dealt))},
            {"drawn", names_of(best_balanced(figures.decks, &DeckOdds::drawn))}}},
          {"decks", decks},
          {"games", figures.games.to_json()}};
}

}  // namespace dealer::studies::court
