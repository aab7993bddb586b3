#include "agents/tabular/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>

#include "agents/tabular/values.h"
#include "arena/preflop_chart.h"
#include "arena/studies/starting_hands.h"
#include "cli/commands.h"
#include "cli/opening_charts.h"
#include "cli/output.h"
#include "cli/picture_file.h"
#include "cli/policy_chart.h"
#include "cli/tree_options.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/ofc/game.h"

namespace dealer::cli {
namespace {

struct PolicyArguments {
  TreeOptions tree;
  std::string agent, find, sort = "play", after, out;
  int seat = -1, hands = 0, playouts = 0;
  bool json = false, details = false, against_fantasyland = false;
};

struct Move {
  std::string name;
  double probability, value;
};
struct Line {
  std::string information;
  Seat seat;
  double reach, value;
  std::vector<Move> moves;
};

std::vector<std::string> move_names(const Game& game, Env& env, const Observation& seen) {
  // Legal actions depend only on the observation, so any table with that observation will do.
  env.sample_state(seen, 0);
  std::vector<std::string> names;
  for (const Choice& choice : env.choices()) {
    if (choice.action == kNoAction) continue;
    std::string name = choice.text;
    for (const CardId card : choice.cards)
      if (const std::string text = game.card_to_string(card); name.find(text) == std::string::npos) name += ' ' + text;
    names.push_back(std::move(name));
  }
  return names;
}

std::vector<Line> lines_of(const tabular::GameTree& tree, const tabular::Policy& policy,
                           const PolicyArguments& options) {
  const std::vector<double> values = action_values(tree, policy);
  std::vector<double> reach(values.size());
  for (Seat seat = 0; seat < tree.players(); ++seat) add_up_reach(tree, seat, policy.probability, reach);
  const auto env = tree.game().new_env();
  std::vector<Line> lines;
  for (Seat seat = 0; seat < tree.players(); ++seat) {
    if (options.seat >= 0 && seat != options.seat) continue;
    const tabular::Histories histories(tree, seat);
    for (int s = tree.first_set(seat); s < tree.first_set(seat + 1); ++s) {
      const std::string& text = tree.information_text(s);
      if (text.find(options.find) == std::string::npos) continue;
      const auto& set = tree.sets()[static_cast<std::size_t>(s)];
      Line line{text, seat, histories.weight(s, reach) * reach[static_cast<std::size_t>(set.parent)], 0, {}};
      const std::vector<std::string> names = move_names(tree.game(), *env, tree.observation(s));
      for (std::size_t a = 0; a < static_cast<std::size_t>(set.actions); ++a) {
        const std::size_t sequence = static_cast<std::size_t>(set.first) + a;
        line.moves.push_back({names.at(a), policy.probability[sequence], values[sequence]});
        line.value += policy.probability[sequence] * values[sequence];
      }
      lines.push_back(std::move(line));
    }
  }
  if (options.sort == "reach")
    std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.reach > b.reach; });
  return lines;
}

// Action probabilities at each information set.
nlohmann::ordered_json probabilities(const std::vector<Line>& lines) {
  auto all = nlohmann::ordered_json::object();
  for (const Line& line : lines) {
    auto& moves = all[line.information] = nlohmann::ordered_json::object();
    for (const Move& move : line.moves) moves[move.name] = move.probability;
  }
  return all;
}

nlohmann::ordered_json details(const std::vector<Line>& lines) {
  auto all = nlohmann::ordered_json::array();
  for (const Line& line : lines) {
    auto moves = nlohmann::ordered_json::array();
    for (const Move& move : line.moves)
      moves.push_back({{"action", move.name}, {"probability", move.probability}, {"value", move.value}});
    all.push_back({{"information_set", line.information},
                   {"seat", line.seat},
                   {"reach", line.reach},
                   {"value", line.value},
                   {"actions", std::move(moves)}});
  }
  return all;
}

void print_table(const std::vector<Line>& lines, const Game& game) {
  std::size_t width = std::string_view("information set").size();
  for (const Line& line : lines) width = std::max(width, line.information.size());
  print(fmt::format("{:<{}}  {:>7}  {:>8}  probability of each action\n", "information set", width, "reach", "value"));
  for (const Line& line : lines) {
    std::string text = fmt::format("{:<{}}  {:>7.5f}  {:>+8.4f}", line.information, width, line.reach, line.value);
    for (const Move& move : line.moves) text += fmt::format("  {} {:.4f}", move.name, move.probability);
    print(text + '\n');
  }
  print(fmt::format("\nreach: probability that a hand gets there; value: {} from there on, including the pot so far\n",
                    unit_of(game)));
}

// For games with too many information sets to list: a chart of the first decisions; false for other games.
bool chart(const GamePtr& game, const PolicyArguments& options) {
  using Given = std::pair<bool, const char*>;
  const bool preflop = has_preflop_chart(*game), openings = ofc::as_ofc(*game) != nullptr;
  const bool starting = !preflop && studies::has_starting_hands(*game), charted = preflop || openings || starting;
  const std::initializer_list<Given> of_lists = {{options.seat >= 0, "--seat"},
                                                 {!options.find.empty(), "--find"},
                                                 {options.sort != "play", "--sort"},
                                                 {options.details, "--details"}};
  for (const auto& [given, option] : of_lists)
    if (given && charted)
      throw UsageError(fmt::format("{} needs a small game, whose information sets are listed; '{}' is shown as a chart",
                                   option, game->spec()));
  const auto expect = [&](bool given, const char* option, bool goes, const char* games) {
    if (given && !goes)
      throw UsageError(fmt::format("{} needs a chart of {}; '{}' is another game", option, games, game->spec()));
  };
  expect(!options.out.empty(), "--out", preflop, "hold'em with 52 cards");
  expect(!options.after.empty(), "--after", preflop || starting, "hold'em with 52 cards, draw poker and stud");
  expect(options.hands > 0, "--hands", openings || starting, "OFC, draw poker and stud");
  expect(options.playouts > 0, "--playouts", openings, "OFC");
  expect(options.against_fantasyland, "--against-fantasyland", openings, "OFC");
  const int hands = options.hands > 0 ? options.hands : kHandsOfClass;
  if (preflop) show_preflop_chart(game, {options.agent, options.after, options.out, options.json});
  if (openings)
    show_openings(game, {options.agent, hands, options.playouts, options.against_fantasyland, options.json});
  if (starting) show_starting_hands(game, {options.agent, options.after, hands, options.json});
  return charted;
}

void run_policy(const PolicyArguments& options) {
  if (options.details && !options.json) throw UsageError("--details needs --json");
  const GamePtr game = make_game(options.tree.game);
  if (chart(game, options)) return;
  if (options.seat >= game->players())
    throw UsageError(
        fmt::format("--seat {} is not allowed; expected an integer from 0 to {}", options.seat, game->players() - 1));
  const tabular::GameTree tree = make_tree(game, options.tree);
  const tabular::Policy policy = policy_of_agent(tree, options.agent);
  const std::vector<Line> lines = lines_of(tree, policy, options);
  if (options.json && !options.details) return print_json(probabilities(lines));
  if (options.json)
    return print_json({{"game", game->spec()},
                       {"agent", options.agent},
                       {"unit", unit_of(*game)},
                       {"value", expected_returns(tree, policy)},
                       {"policy", details(lines)}});
  if (lines.empty())
    throw UsageError(fmt::format("no information set has '{}' in its name; they are written as '{}'", options.find,
                                 tree.information_text(static_cast<int>(tree.sets().size()) - 1)));
  print_table(lines, *game);
}

}  // namespace

void add_policy(CLI::App& program) {
  const auto options = std::make_shared<PolicyArguments>();
  CLI::App* command = add_command(
      program, "policy",
      "Shows an agent's policy: the probability and value of each action; in large games a chart of the first "
      "decision, for example by hole cards in hold'em",
      {"dealer policy kuhn --agent default", "dealer policy leduc --agent rule --seat 1 --find '1: Ks | bet'",
       "dealer policy holdem --agent default --after raise --out chart.svg", "dealer policy draw --agent default",
       "dealer policy ofc --agent default --hands 20",
       "dealer policy ofc --agent default --hands 20 --playouts 5 --against-fantasyland"});
  add_tree_options(command, options->tree);
  command->add_option("--agent", options->agent, "The agent in all seats")->required();
  add_number(command, "--seat", options->seat, "Show only this seat, counted from 0", 0, kMaxPlayers - 1);
  add_text(command, "--find", options->find, "Only information sets with this text in their names",
           "a part of an information set's name, as in 'Ks | bet'");
  command->add_option("--sort", options->sort, "play: hand by hand; reach: the most frequent first")
      ->check(one_of({"play", "reach"}))
      ->capture_default_str();
  add_text(
      command, "--after", options->after,
      "Charts: the actions before the decision, as typed at the table: 'fold, raise 200'; default: the first decision",
      "decisions, separated by commas");
  add_text(command, "--out", options->out, std::string(kPictureHelp) + " (the hold'em chart only)",
           "the path of a file");
  add_number(
      command, "--hands", options->hands,
      fmt::format("Draw poker, stud, OFC: number of hands of each class over which the policy is averaged; default: {}",
                  kHandsOfClass),
      1, kMostHandsOfClass);
  add_number(
      command, "--playouts", options->playouts,
      fmt::format("OFC: rate every opening by so many hands that the agent plays against itself; default: its own "
                  "values, or {} playouts if it has none",
                  kPlayouts),
      1, kMostPlayouts);
  command->add_flag("--against-fantasyland", options->against_fantasyland,
                    "OFC: the openings of a player whose opponents are in Fantasyland");
  add_json(command, options->json);
  command->add_flag("--details", options->details,
                    "With --json: a list of information sets with reach and values as well");
  bind(command, options, run_policy);
}

}  // namespace dealer::cli
