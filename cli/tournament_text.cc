#include "cli/tournament_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "arena/tournament/results.h"

namespace dealer::cli {
namespace {

using studies::Estimate;
using tournament::Results;

constexpr std::size_t kNames = 24;

std::string figure(const Estimate& estimate) {
  if (estimate.count == 0) return "-";
  const std::string reach = estimate.known() ? fmt::format("{:.3f}", estimate.ci95) : "?";
  return fmt::format("{:+.3f} +- {}", estimate.value, reach);
}

// In columns, whatever bytes a character has.
std::string padded(std::string text, std::size_t width) {
  const auto columns = static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  return text + std::string(width > columns ? width - columns : 1, ' ');
}

std::string line_of(std::size_t place, const std::string& name) {
  return fmt::format("{:>3}  {}", place + 1, padded(name, kNames));
}

std::string ratings_table(const Results& results) {
  std::string out = fmt::format("{}{:>22}{:>10}{:>12}\n", padded("", kNames + 5), results.unit, "Nash", "hands");
  for (std::size_t i = 0; i < results.agents.size(); ++i) {
    const tournament::AgentStanding& agent = results.agents[i];
    out += fmt::format("{}{:>22}{:>10}{:>12}\n", line_of(i, tournament::short_name(agent.name)),
                       figure(to_estimate(agent.rating)), results.has_nash ? fmt::format("{:.3f}", agent.nash) : "-",
                       agent.hands);
  }
  return out;
}

std::string crosstable(const Results& results) {
  const auto agents = static_cast<int>(results.agents.size());
  std::size_t width = 8;
  for (int i = 0; i < agents; ++i)
    for (int j = 0; j < agents; ++j) width = std::max(width, figure(between(results, i, j)).size() + 2);
  std::string out = padded("", kNames + 5);
  for (int j = 0; j < agents; ++j) out += fmt::format("{:>{}}", j + 1, width);
  out += '\n';
  for (int i = 0; i < agents; ++i) {
    const auto place = static_cast<std::size_t>(i);
    out += line_of(place, tournament::short_name(results.agents[place].name));
    for (int j = 0; j < agents; ++j) out += fmt::format("{:>{}}", i == j ? "" : figure(between(results, i, j)), width);
    out += '\n';
  }
  return out;
}

}  // namespace

std::string text_of(const Results& results) {
  std::string out = fmt::format("{}: {} agents, {} pairs, {} hands\n\n", results.game, results.agents.size(),
                                results.pairs.size(), results.hands());
  out += ratings_table(results) + '\n' + crosstable(results) + '\n';
  for (const std::string& sentence : tournament::conclusions_of(results)) out += "- " + sentence + '\n';
  return out;
}

}  // namespace dealer::cli
