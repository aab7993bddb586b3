#include "cli/hands_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace dealer::cli {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json count_json(const Census& census, const CensusRow& row) {
  if (row.weight % census.scale == 0) return row.weight / census.scale;
  return row.count;
}

// Infinite intervals (of a single observation) are null.
Json estimate(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string percent(double share) { return fmt::format("{:.5f}%", 100 * share); }

std::string interval(double width) {
  return std::isfinite(width) ? fmt::format("+-{:.5f}%", 100 * width) : std::string("unknown");
}

template <class Rows>
std::size_t widest(const Rows& rows, std::size_t at_least,
                   std::string std::decay_t<decltype(*std::declval<Rows>().begin())>::*field) {
  for (const auto& row : rows) at_least = std::max(at_least, (row.*field).size());
  return at_least;
}

// What the verdicts in the table mean, a line each.
std::string verdict_legend(const Census& census) {
  std::string text;
  for (const char* verdict : {"X", "XX", "XXX"}) {
    const auto given = [&](const CensusRow& row) { return row.verdict == verdict; };
    if (std::any_of(census.rows.begin(), census.rows.end(), given))
      text += fmt::format("{}{:<3}  {}\n", text.empty() ? "\n" : "", verdict, verdict_meaning(verdict));
  }
  return text;
}

}  // namespace

std::string count_text(const Census& census, const CensusRow& row) {
  if (row.weight % census.scale == 0) return fmt::format("{}", row.weight / census.scale);
  return fmt::format("{:.3f}", row.count);
}

std::string census_table(const Census& census, const std::string& deck, const std::string& ranking) {
  std::string text = fmt::format("{}, ranking {}: {} hands of {}{}\n\n", deck, ranking, census.total,
                                 census.cards == 5 ? "five cards" : "seven cards, the best five of each",
                                 census.scale > 1 ? ", means over all that can be in play" : "");
  const std::size_t code = widest(census.rows, 4, &CensusRow::code), name = widest(census.rows, 8, &CensusRow::name);
  std::size_t count = 5;
  for (const CensusRow& row : census.rows) count = std::max(count, count_text(census, row).size());
  text += fmt::format("{:<{}}  {:<{}}  {:>{}}  {:>6}  {:>7}  {}\n", "code", code, "category", name, "count", count,
                      "rarity", "ratio", "verdict");
  for (const CensusRow& row : census.rows) {
    std::string line =
        fmt::format("{:<{}}  {:<{}}  {:>{}}  {:>6}  {:>7}  {}", row.code, code, row.name, name, count_text(census, row),
                    count, row.rarity ? fmt::format("{:.3f}", *row.rarity) : "-",
                    row.ratio ? fmt::format("{:.2f}", *row.ratio) : "-", row.verdict);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text + verdict_legend(census);
}

Json census_json(const Census& census, const std::string& deck, const std::string& ranking) {
  Json categories = Json::array();
  for (const CensusRow& row : census.rows)
    categories.push_back({{"code", row.code},
                          {"count", count_json(census, row)},
                          {"rarity", number(row.rarity)},
                          {"ratio", number(row.ratio)},
                          {"verdict", row.verdict},
                          {"name", row.name}});
  return {{"deck", deck},
          {"hand_size", census.cards},
          {"total", census.total},
          {"categories", categories},
          {"ranking", ranking}};
}

std::string draw_table(const DrawOdds& odds) {
  const bool sampled = !odds.exact;
  const std::string goal = odds.at_least ? fmt::format("reach {} or better as often as possible",
                                                       odds.rows[static_cast<std::size_t>(*odds.at_least)].code)
                                         : std::string("make the hand as strong as possible");
  std::string text = fmt::format("\nafter one draw, discards chosen to {}{}:\n\n", goal,
                                 sampled ? fmt::format(" ({} at random)", odds.samples) : "");
  const std::size_t code = widest(odds.rows, 4, &DrawOdds::Row::code),
                    name = widest(odds.rows, 8, &DrawOdds::Row::name);
  text += fmt::format("{:<{}}  {:<{}}  {:>9}  {:>9}{}\n", "code", code, "category", name, "dealt", "drawn",
                      sampled ? "  95% interval" : "");
  for (const DrawOdds::Row& row : odds.rows)
    text += fmt::format("{:<{}}  {:<{}}  {:>9}  {:>9}{}\n", row.code, code, row.name, name, percent(row.dealt.mean),
                        percent(row.drawn.mean), sampled ? fmt::format("  {:>12}", interval(row.drawn.ci95)) : "");
  text += "\ncards discarded";
  for (std::size_t n = 0; n < odds.discarded.size(); ++n)
    text += fmt::format("{} {}: {:.2f}%", n == 0 ? "" : ",", n, 100 * odds.discarded[n].mean);
  text += fmt::format("\n{}: {} as dealt, {} after the draw{}\n",
                      odds.at_least ? "chance of that" : "share of dealt hands beaten, ties half",
                      percent(odds.goal_dealt.mean), percent(odds.goal.mean),
                      sampled ? fmt::format(" ({})", interval(odds.goal.ci95)) : "");
  return text;
}

Json draw_json(const DrawOdds& odds) {
  Json categories = Json::array();
  for (const DrawOdds::Row& row : odds.rows)
    categories.push_back(
        {{"code", row.code}, {"dealt", row.dealt.mean}, {"drawn", row.drawn.mean}, {"ci95", estimate(row.drawn.ci95)}});
  Json discarded = Json::array();
  for (const Estimate& share : odds.discarded) discarded.push_back(share.mean);
  return {{"draws", 1},
          {"exact", odds.exact},
          {"samples", odds.samples},
          {"goal", odds.at_least ? odds.rows[static_cast<std::size_t>(*odds.at_least)].code : std::string("strength")},
          {"value_dealt", odds.goal_dealt.mean},
          {"value", odds.goal.mean},
          {"ci95", estimate(odds.goal.ci95)},
          {"discarded", discarded},
          {"categories", categories}};
}

std::string comparison_text(const HandComparison& comparison, const Evaluator& evaluator) {
  std::string text;
  for (const HandReading* hand : {&comparison.a, &comparison.b}) {
    const Category& category = evaluator.ranking().categories()[static_cast<std::size_t>(hand->category)];
    text += fmt::format("{}  {} ({})\n", evaluator.deck().to_string(hand->best), category.name, category.code);
  }
  return text + comparison.why + '\n';
}

Json comparison_json(const HandComparison& comparison, const Evaluator& evaluator) {
  const auto hand = [&](const HandReading& reading) {
    const Category& category = evaluator.ranking().categories()[static_cast<std::size_t>(reading.category)];
    Json jokers = Json::object();
    for (const auto& [joker, card] : reading.read_as) jokers[evaluator.deck().to_string(joker)] = card;
    return Json{{"code", category.code},
                {"value", reading.value},
                {"name", category.name},
                {"cards", evaluator.deck().to_string(reading.best)},
                {"jokers", jokers}};
  };
  return {{"a", hand(comparison.a)}, {"b", hand(comparison.b)}, {"result", comparison.result}, {"why", comparison.why}};
}

}  // namespace dealer::cli
