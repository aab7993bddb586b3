#include "cli/opening_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "agents/agent_error.h"
#include "agents/evaluator.h"
#include "arena/studies/fantasyland/opening_classes.h"
#include "arena/studies/starting_hands.h"
#include "cli/output.h"
#include "cli/policy_spot.h"
#include "cli/tree_options.h"
#include "env/core/at.h"
#include "env/core/error.h"

namespace dealer::cli {
namespace {

namespace openings = studies::fantasyland;
using Json = nlohmann::ordered_json;
using dealer::ofc::kRowNames;
using studies::StartingHand;
using studies::StartingHandsChart;

constexpr std::size_t kKeptShown = 2;  // of the most frequent kept cards of a hand
constexpr double kKeptLeast = 0.05;

std::string whole_percent(double share) { return fmt::format("{:.0f}", 100 * share); }
// Shares may be small.
std::string share_text(double share) {
  return fmt::format("{:.{}f}%", 100 * share, share < 0.001 ? 3 : share < 0.1 ? 2 : 1);
}

// Errors of the agent are reported with its name.
template <class Make>
auto asked(const std::string& name, const AgentFactory& agents, Make make) {
  agents.expect_there();
  try {
    return make();
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("agent '{}': {}", name, error.what()));
  }
}

StartingHandsChart starting_hands_of(const Game& game, const std::string& name, const AgentFactory& agents,
                                     const Spot& spot, int hands) {
  return asked(name, agents,
               [&] { return studies::starting_hands_chart(game, agents, spot.decisions, {.most = hands}); });
}

Json starting_hand_json(const StartingHand& hand, const StartingHandsChart& chart) {
  Json json = {{"hand", hand.code}, {"name", hand.name}, {"share", hand.share}, {"asked", hand.asked}};
  if (chart.bets) {
    json["fold"] = hand.fold;
    json[chart.free ? "check" : "call"] = hand.call;
    json[chart.free ? "bet" : "raise"] = hand.raise;
    for (const auto& [words, share] : hand.choices) json["choices"][words] = share;
  }
  if (chart.draws) {
    json["drew"] = hand.drew;
    json["thrown"] = hand.thrown;
    json["kept"] = Json::object();
    for (const auto& [words, share] : hand.kept) json["kept"][words] = share;
  }
  return json;
}

Json starting_chart_json(const Game& game, const std::string& name, const Spot& spot, const StartingHandsChart& chart) {
  Json hands = Json::array();
  for (const StartingHand& hand : chart.hands) hands.push_back(starting_hand_json(hand, chart));
  Json all = starting_hand_json(chart.all, chart);
  for (const char* key : {"hand", "name", "kept"}) all.erase(key);
  return {{"game", game.spec()},      {"agent", name},         {"position", spot.seat},    {"after", spot.before},
          {"sampled", chart.sampled}, {"all", std::move(all)}, {"hands", std::move(hands)}};
}

// "pat: 3%, 1: 97%": frequency of each number of cards drawn.
std::string thrown_text(const StartingHand& hand) {
  std::string text;
  for (std::size_t cards = 0; cards < hand.thrown.size(); ++cards)
    if (hand.drew > 0 && hand.thrown[cards] >= 0.005)
      text += fmt::format("{}{}: {}%", text.empty() ? "" : ", ", cards == 0 ? "pat" : std::to_string(cards),
                          whole_percent(hand.thrown[cards]));
  std::size_t shown = 0;
  for (const auto& [words, share] : hand.kept)
    if (share >= kKeptLeast && shown++ < kKeptShown)
      text += fmt::format("{} {}: {}%", shown == 1 ? ";" : ",", words, whole_percent(share));
  return text;
}

std::string starting_chart_text(const StartingHandsChart& chart) {
  std::size_t width = 0;
  for (const StartingHand& hand : chart.hands) width = std::max(width, hand.name.size());
  std::string text = fmt::format("{:<{}}    dealt", "hand", width);
  if (chart.bets)
    text += fmt::format("   fold  {:>5}  {:>5}", chart.free ? "check" : "call", chart.free ? "bet" : "raise");
  text += chart.draws ? "  draws; keeps\n" : "\n";
  const auto line = [&](const std::string& name, const StartingHand& hand) {
    text += fmt::format("{:<{}}  {:>7}", name, width, share_text(hand.share));
    if (chart.bets)
      text += fmt::format("  {:>4}%  {:>4}%  {:>4}%", whole_percent(hand.fold), whole_percent(hand.call),
                          whole_percent(hand.raise));
    const std::string thrown = chart.draws ? thrown_text(hand) : "";
    text += thrown.empty() ? "\n" : fmt::format("  {}\n", thrown);
  };
  for (const StartingHand& hand : chart.hands) line(hand.name, hand);
  line("all", chart.all);
  return text;
}

// 0: the agent's own values.
int playouts_of(const AgentFactory& agents, const OpeningChartArguments& options) {
  return options.playouts > 0 || agents.attributes().afterstates ? options.playouts : kPlayouts;
}

openings::RateOpening rate_of(const Game& game, const AgentFactory& agents, const OpeningChartArguments& options) {
  const openings::Opponents opponents =
      options.against_fantasyland ? openings::Opponents::kInFantasyland : openings::Opponents::kNormal;
  if (const int playouts = playouts_of(agents, options); playouts > 0)
    return [player = std::make_shared<openings::OpeningPlayer>(game, agents, opponents),
            playouts](const openings::OpeningCards& cards) { return player->mean(cards, playouts); };
  return [evaluator = std::make_shared<openings::OpeningEvaluator>(game, agents.make_evaluator(), opponents),
          caution = agents.option("caution").value_or(0)](const openings::OpeningCards& cards) {
    openings::OpeningAdvice advice = evaluator->advice(cards);
    advice.value += caution * advice.foul;
    return advice;
  };
}

// High cards first, each with its suits.
openings::OpeningCards in_order(CardSet set) {
  openings::OpeningCards cards{};
  auto next = cards.begin();
  for_each(set, [&](Card card) { *next++ = card; });
  std::ranges::sort(cards, {}, [](Card card) { return std::pair(-rank_of(card), suit_of(card)); });
  return cards;
}

std::vector<openings::OpeningClass> openings_of(const Game& game, const AgentFactory& agents,
                                                const OpeningChartArguments& options) {
  return asked(options.agent, agents,
               [&] { return openings::opening_chart([&] { return rate_of(game, agents, options); }, options.hands); });
}

Json rows_json(const openings::OpeningCards& cards, int code) {
  Json rows = Json::object();
  const dealer::ofc::Board board = openings::board_of(cards, code);
  for (std::size_t row = 0; row < kRowNames.size(); ++row) {
    Json& of_row = rows[std::string(kRowNames[row])] = Json::array();
    for (const Card card : cards)
      if ((board.row[row] & bit(card)) != 0) of_row.push_back(to_string(card));
  }
  return rows;
}

Json class_json(const openings::OpeningClass& one, const studies::Named& words, bool sampled) {
  Json key = Json::object(), shapes = Json::array();
  for (std::size_t row = 0; row < kRowNames.size(); ++row) key[std::string(kRowNames[row])] = one.key_in[row];
  key["divided"] = one.key_divided;
  for (const openings::OpeningClass::Shape& shape : one.shapes)
    shapes.push_back({{"cards", shape.cards}, {"share", shape.share}});
  Json json = {{"hand", words.name},
               {"name", words.title},
               {"share", one.share},
               {"rated", one.rated},
               {"value", one.value},
               {"foul", one.foul},
               {"fantasyland", one.fantasyland}};
  if (sampled) json["value_ci95"] = one.value_ci95;
  json["key"] = std::move(key);
  json["shapes"] = std::move(shapes);
  json["example"] = {{"cards", openings::to_string(one.example)}, {"rows", rows_json(one.example, one.advice.best)}};
  return json;
}

// "Kd / – / As Ac 7h"
std::string example_text(const openings::OpeningClass& one) {
  std::string text;
  const Json rows = rows_json(one.example, one.advice.best);
  for (const Json& cards : rows) {
    text += text.empty() ? "" : " / ";
    for (const Json& card : cards) text += (text.ends_with(' ') || text.empty() ? "" : " ") + card.get<std::string>();
    if (cards.empty()) text += "–";
  }
  return text;
}

}  // namespace

Json starting_hands_json(const Game& game, const std::string& name, const AgentFactory& agents,
                         const std::string& after, int hands) {
  const Spot spot = spot_after(game, after);
  return starting_chart_json(game, name, spot, starting_hands_of(game, name, agents, spot, hands));
}

void show_starting_hands(const GamePtr& game, const StartingHandArguments& options) {
  const Spot spot = spot_after(*game, options.after);
  const AgentFactoryPtr agents = make_agents(options.agent, game);
  const StartingHandsChart chart = starting_hands_of(*game, options.agent, *agents, spot, options.hands);
  if (options.json) return print_json(starting_chart_json(*game, options.agent, spot, chart));
  print(fmt::format("{}, {}: {}\n\n{}\nof each class at most {} hands{}\n", game->spec(), options.agent, spot.where(),
                    starting_chart_text(chart), options.hands,
                    chart.sampled ? "; sampled: the agent gives no probabilities" : ""));
}

Json opening_json(const Game& game, const std::string& name, const AgentFactory& agents, CardSet set) {
  const openings::OpeningCards cards = in_order(set);
  const bool valued = agents.attributes().afterstates;
  const openings::OpeningAdvice advice = asked(name, agents, [&] {
    return valued ? openings::OpeningEvaluator(game, agents.make_evaluator()).advice(cards)
                  : openings::OpeningPlayer(game, agents).mean(cards, kHandsOfClass);
  });
  Json json = {{"agent", name},
               {"cards", openings::to_string(cards)},
               {"best", rows_json(cards, advice.best)},
               {"value", advice.value},
               {"foul", advice.foul},
               {"fantasyland", advice.fantasyland}};
  if (valued) json["second"] = rows_json(cards, advice.second), json["second_value"] = advice.second_value;
  return json;
}

Json openings_json(const Game& game, const AgentFactory& agents, const OpeningChartArguments& options) {
  const std::vector<openings::OpeningClass> chart = openings_of(game, agents, options);
  const int playouts = playouts_of(agents, options);
  const openings::OpeningClass all = openings::all_openings_of(chart);
  Json all_json = {{"value", all.value}, {"foul", all.foul}, {"fantasyland", all.fantasyland}};
  if (playouts > 0) all_json["value_ci95"] = all.value_ci95;
  Json hands = Json::array();
  for (std::size_t i = 0; i < chart.size(); ++i)
    hands.push_back(class_json(chart[i], openings::opening_classes()[i], playouts > 0));
  return {{"game", game.spec()},        {"agent", options.agent},
          {"unit", game.unit()},        {"sampled", playouts > 0},
          {"playouts", playouts},       {"against_fantasyland", options.against_fantasyland},
          {"all", std::move(all_json)}, {"hands", std::move(hands)}};
}

void show_openings(const GamePtr& game, const OpeningChartArguments& options) {
  const AgentFactoryPtr agents = make_agents(options.agent, game);
  if (options.json) return print_json(openings_json(*game, *agents, options));
  const std::vector<openings::OpeningClass> chart = openings_of(*game, *agents, options);
  const int playouts = playouts_of(*agents, options);
  const auto classes = openings::opening_classes();
  std::size_t width = 0;
  for (const studies::Named& words : classes) width = std::max(width, words.title.size());
  const auto line = [&](std::string_view name, const openings::OpeningClass& one) {
    return fmt::format("{:<{}}  {:>7}  {:>+6.2f}{}  {:>4}%        {:>4}%            {:>4}% {:>4}% {:>4}%", name, width,
                       share_text(one.share), one.value, playouts > 0 ? fmt::format(" ± {:<5.2f}", one.value_ci95) : "",
                       whole_percent(one.foul), whole_percent(one.fantasyland), whole_percent(one.key_in[0]),
                       whole_percent(one.key_in[1]), whole_percent(one.key_in[2]));
  };
  std::string text =
      fmt::format("{:<{}}    dealt   value{}   foul  Fantasyland  its cards front / middle / back  example\n",
                  "opening", width, playouts > 0 ? "        " : "");
  for (std::size_t i = 0; i < classes.size(); ++i)
    text += fmt::format("{}          {}\n", line(classes[i].title, chart[i]), example_text(chart[i]));
  text += line("all", openings::all_openings_of(chart)) + '\n';
  print(fmt::format(
      "{}, {}: first to act{}, {}\n\n{}\nits cards: the pair, the suited cards, the highest card of a hand with "
      "neither; the rest of the time they are divided\nof each class at most {} openings{}\n",
      game->spec(), options.agent, options.against_fantasyland ? " against Fantasyland" : "", unit_of(*game), text,
      options.hands, playouts > 0 ? fmt::format("; value, foul and Fantasyland from {} playouts each", playouts) : ""));
}

}  // namespace dealer::cli
