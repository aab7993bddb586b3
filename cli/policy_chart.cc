#include "cli/policy_chart.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>

#include "agents/agent_error.h"
#include "arena/preflop_chart.h"
#include "arena/report/picture.h"
#include "cli/output.h"
#include "cli/picture_file.h"
#include "cli/policy_spot.h"
#include "cli/tree_options.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "frontends/terminal/screen_text.h"
#include "frontends/terminal/style.h"

namespace dealer::cli {
namespace {

using Cell = PreflopChart::Cell;
using Json = nlohmann::ordered_json;

std::string percent(double share) { return fmt::format("{:.0f}", 100 * share); }

// Folding is rare when checking is free.
bool folds(const PreflopChart& chart) { return !chart.free || chart.all.fold >= 0.005; }

// "fold 18%, call 12%, raise 70%"
std::string shares_text(const PreflopChart& chart) {
  const Cell& all = chart.all;
  return fmt::format("{}{} {}%, raise {}%", folds(chart) ? fmt::format("fold {}%, ", percent(all.fold)) : "",
                     chart.free ? "check" : "call", percent(all.call), percent(all.raise));
}

// "12/88"; on a terminal in the colour of the most frequent action.
std::string cell_text(const Cell& cell, const terminal::Style& style) {
  std::string text = fmt::format("{:>6}", percent(cell.call) + '/' + percent(cell.raise));
  if (!style.color) return text;
  constexpr int kRaise = 217, kCall = 151, kFold = 253, kInk = 16;
  const int paper = cell.raise >= cell.call && cell.raise >= cell.fold ? kRaise
                    : cell.call >= cell.fold                           ? kCall
                                                                       : kFold;
  return fmt::format("\x1b[38;5;{};48;5;{}m{}\x1b[0m", kInk, paper, text);
}

std::string chart_text(const PreflopChart& chart, const terminal::Style& style) {
  std::string text = "  ";
  for (const Cell& pair : chart.cells[0]) text += fmt::format("{:>6}", pair.hand[1]);
  text += '\n';
  for (const auto& row : chart.cells) {
    text += fmt::format("{} ", row[at(&row - chart.cells.data())].hand[0]);
    for (const Cell& cell : row) text += cell_text(cell, style);
    text += '\n';
  }
  return text;
}

Json to_json(const Cell& cell, bool free) {
  Json choices = Json::object();
  for (const auto& [words, share] : cell.choices) choices[words] = share;
  return {{"fold", cell.fold}, {free ? "check" : "call", cell.call}, {"raise", cell.raise}, {"choices", choices}};
}

// A square per hand, divided by the frequencies of the actions.
std::string preflop_picture(const PreflopChart& chart, const std::string& title) {
  using Anchor = studies::Picture::Anchor;
  constexpr std::string_view kStyle =
      "text{font:12px system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;fill:#24292f}"
      ".paper{fill:#fff}.strong{font-weight:600;font-size:15px}.quiet{fill:#57606a}"
      ".fold{fill:#d5dbe3}.call{fill:#9ccf9f}.raise{fill:#f0a58f}";
  constexpr double kSide = 46, kGap = 2, kLeft = 12, kTop = 66, kLegend = 96, kSquare = 12;
  constexpr double kWidth = 2 * kLeft + kSide * PreflopChart::kRanks;
  studies::Picture picture(kWidth, kTop + kSide * PreflopChart::kRanks + kLeft, title, kStyle);
  picture.rect(0, 0, kWidth, kTop + kSide * PreflopChart::kRanks + kLeft, "paper");
  picture.text(kLeft, 26, title, Anchor::kStart, "strong");
  const std::array<std::pair<const char*, double Cell::*>, 3> kinds = {
      {{"raise", &Cell::raise}, {"call", &Cell::call}, {"fold", &Cell::fold}}};
  double x = kLeft;
  for (const auto& [name, share] : kinds) {
    if (std::string_view(name) == "fold" && !folds(chart)) continue;
    picture.rect(x, 40, kSquare, kSquare, name);
    picture.text(x + kSquare + 6, 50,
                 fmt::format("{} {:.0f}%", chart.free && name[0] == 'c' ? "check" : name, 100 * (chart.all.*share)),
                 Anchor::kStart, "quiet");
    x += kLegend;
  }
  for (std::size_t row = 0; row < PreflopChart::kRanks; ++row) {
    for (std::size_t column = 0; column < PreflopChart::kRanks; ++column) {
      const Cell& cell = chart.cells[row][column];
      const double left = kLeft + kSide * static_cast<double>(column), top = kTop + kSide * static_cast<double>(row);
      double at = left;
      for (const auto& [name, share] : kinds) {
        const double width = (kSide - kGap) * (cell.*share);
        if (width <= 0) continue;
        picture.rect(at, top, width, kSide - kGap, name);
        at += width;
      }
      picture.text(left + (kSide - kGap) / 2, top + (kSide - kGap) / 2 + 4, cell.hand, Anchor::kMiddle);
    }
  }
  return picture.finish();
}

Json chart_json(const Game& game, const std::string& agent, const Spot& spot, const PreflopChart& chart) {
  Json hands = Json::object();
  for (const auto& row : chart.cells)
    for (const Cell& cell : row) hands[cell.hand] = to_json(cell, chart.free);
  return {{"game", game.spec()},      {"agent", agent},           {"position", spot.seat},
          {"after", spot.before},     {"sampled", chart.sampled}, {"all", to_json(chart.all, chart.free)},
          {"hands", std::move(hands)}};
}

PreflopChart chart_of(const Spot& spot, const std::string& name, const AgentFactory& agents) {
  expect_there(agents);
  try {
    return preflop_chart(*spot.table, *agents.make());
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("agent '{}': {}", name, error.what()));
  }
}

}  // namespace

nlohmann::ordered_json preflop_chart_json(const Game& game, const std::string& name, const AgentFactory& agents,
                                          const std::string& after) {
  const Spot spot = spot_after(game, after);
  return chart_json(game, name, spot, chart_of(spot, name, agents));
}

void show_preflop_chart(const GamePtr& game, const ChartArguments& options) {
  const Spot spot = spot_after(*game, options.after);
  const AgentFactoryPtr agents = make_agents(options.agent, game);
  const PreflopChart chart = chart_of(spot, options.agent, *agents);
  const std::string where = spot.where();
  if (!options.out.empty())
    write_picture(options.out, preflop_picture(chart, fmt::format("{}, {}: {}", game->spec(), agents->spec(), where)));
  if (options.json) return print_json(chart_json(*game, options.agent, spot, chart));
  print(fmt::format("{}, {}: {}\nall hands: {}\n\n{}\n{}/raise in percent{}; suited hands above the diagonal{}\n",
                    game->spec(), options.agent, where, shares_text(chart),
                    chart_text(chart, terminal::style_for(STDOUT_FILENO)), chart.free ? "check" : "call",
                    folds(chart) ? ", the rest folds" : "",
                    chart.sampled ? "\nsampled: the agent gives no probabilities" : ""));
  if (!options.out.empty()) print(fmt::format("picture {}\n", options.out));
}

}  // namespace dealer::cli
