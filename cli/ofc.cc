#include <fmt/format.h>

#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "agents/ofc/fantasyland.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "env/core/counted.h"
#include "env/core/error.h"
#include "env/core/numbers.h"
#include "env/core/registry.h"
#include "env/games/ofc/game.h"

namespace dealer::cli {
namespace {

struct ScoreOptions {
  std::vector<std::string> boards;
  std::string game = "ofc";
  bool from_stdin = false;
  bool json = false;
};

struct FantasylandOptions {
  std::vector<std::string> cards;
  std::string game = "ofc";
  double stay_value = 0;
  bool from_stdin = false;
  bool json = false;
};

ofc::GameRules ofc_rules(const std::string& spec) {
  const GamePtr game = make_game(spec);
  const ofc::Game* const ofc = ofc::as_ofc(*game);
  if (ofc == nullptr)
    throw UsageError(fmt::format("'{}' is not Open-Face Chinese; expected 'ofc' or a file of it", spec));
  return ofc->rules();
}

// Answers every line of standard input with one of standard output at once, for interactive use by programs. Empty
// lines get no answer. An error names the line; the lines before it have been answered.
void answer_lines(const std::function<std::string(const std::string&)>& answer) {
  std::ios::sync_with_stdio(false);
  std::string line;
  for (std::int64_t number = 1; std::getline(std::cin, line); ++number) {
    // Editors may put a byte-order mark first.
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    if (line.find_first_not_of(" \t\r") != std::string::npos) {
      try {
        print(answer(line));
      } catch (const UsageError& error) {
        throw UsageError(fmt::format("line {}: {}", number, error.what()));
      }
    }
    if (std::cin.rdbuf()->in_avail() <= 0) flush_output();
  }
  if (std::cin.bad()) throw FileError("cannot read standard input");
}

std::string score_line(const std::vector<std::string_view>& texts, const ofc::Rules& rules) {
  if (texts.size() < 2 || texts.size() > ofc::kMaxSeats)
    throw UsageError(fmt::format("{} boards given; expected 2 or 3", texts.size()));
  std::vector<ofc::BoardValue> values;
  CardSet seen = 0;
  for (const std::string_view text : texts) {
    const ofc::Board board = ofc::parse_board(text);
    if (const CardSet twice = seen & board.cards(); twice != 0)
      throw ParseError(fmt::format("card {} is on two boards of the deal", to_string(lowest(twice))));
    seen |= board.cards();
    values.push_back(evaluate(board, rules));
  }
  std::string points, royalties, foul, fantasyland;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const char* const comma = i == 0 ? "" : ",";
    int total = 0;
    for (std::size_t j = 0; j < values.size(); ++j)
      if (i != j) total += score(values[i], values[j], rules.bonus);
    points += fmt::format("{}{}", comma, total);
    royalties += fmt::format("{}{}", comma, values[i].total());
    foul += fmt::format("{}{}", comma, values[i].foul);
    fantasyland += fmt::format("{}{}", comma, values[i].fantasyland != 0);
  }
  return fmt::format(R"({{"points":[{}],"royalties":[{}],"foul":[{}],"fantasyland":[{}]}})"
                     "\n",
                     points, royalties, foul, fantasyland);
}

void run_score(const ScoreOptions& options) {
  const ofc::Rules rules = ofc_rules(options.game).scoring;
  if (options.from_stdin == !options.boards.empty())
    throw UsageError("give either 2 or 3 boards or --stdin; see 'dealer ofc score --help'");
  if (!options.from_stdin) return print(score_line({options.boards.begin(), options.boards.end()}, rules));
  answer_lines([&](const std::string& line) { return score_line(split(line, ';'), rules); });
}

std::string fantasyland_line(const std::string& text, double stay_value, const ofc::GameRules& rules) {
  const std::vector<Card> cards = parse_cards(text);
  if (cards.size() < ofc::kMinFantasylandCards || cards.size() > ofc::kMaxFantasylandCards)
    throw UsageError(fmt::format("{} given; a Fantasyland hand has {} to {}", counted(std::ssize(cards), "card"),
                                 ofc::kMinFantasylandCards, ofc::kMaxFantasylandCards));
  ofc::FantasylandGoal goal;
  goal.stay_value = stay_value;
  goal.rules = &rules.scoring;
  return to_json(solve_fantasyland(to_set(cards), goal)).dump() + '\n';
}

void run_fantasyland(const FantasylandOptions& options) {
  const ofc::GameRules rules = ofc_rules(options.game);
  if (options.from_stdin == !options.cards.empty())
    throw UsageError("give either the cards or --stdin; see 'dealer ofc fantasyland --help'");
  const auto solve = [&](const std::string& line) { return fantasyland_line(line, options.stay_value, rules); };
  if (options.from_stdin) return answer_lines(solve);
  print(solve(fmt::format("{}", fmt::join(options.cards, " "))));
}

void add_score(CLI::App& ofc) {
  const auto options = std::make_shared<ScoreOptions>();
  CLI::App* command = add_command(
      ofc, "score", "Scores two or three complete boards against each other and prints a line of JSON",
      {"dealer ofc score 'Kd Qd 6h / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d' 'Ad Ac Qh / As Ah Ts Td 2s / 5d 6d 7h 8d 9d'",
       "dealer ofc score --stdin < deals.txt"});
  command->add_option("BOARD", options->boards, "Front / middle / back, cards as in Kd");
  command->add_option("--game", options->game, "The game whose rules apply, with options in brackets")
      ->capture_default_str();
  command->add_flag("--stdin", options->from_stdin,
                    "Read deals from standard input, one a line, boards separated by ';'");
  command->add_flag("--json", options->json, "No effect: every answer is a line of JSON");
  bind(command, options, run_score);
}

void add_fantasyland(CLI::App& ofc) {
  const auto options = std::make_shared<FantasylandOptions>();
  CLI::App* command = add_command(
      ofc, "fantasyland",
      "Finds the setting of 13 to 17 Fantasyland cards worth most in royalties and staying, and prints a line of JSON",
      {"dealer ofc fantasyland '9s 9h 9d 9c 6h 6c As Ks Kh Qs Qh Ts 7d 5s' --stay-value 9.5",
       "dealer ofc fantasyland --stdin < hands.txt"});
  command->add_option("CARDS", options->cards, "The cards, as one argument or several");
  command->add_option("--stay-value", options->stay_value, "Value of staying in Fantasyland, in points")
      ->check(number())
      ->capture_default_str();
  command->add_option("--game", options->game, "The game whose rules apply, with options in brackets")
      ->capture_default_str();
  command->add_flag("--stdin", options->from_stdin, "Read hands from standard input, one a line");
  command->add_flag("--json", options->json, "No effect: every answer is a line of JSON");
  bind(command, options, run_fantasyland);
}

}  // namespace

void add_ofc(CLI::App& program) {
  CLI::App* ofc = add_command(program, "ofc", "Calculators for Open-Face Chinese poker",
                              {"dealer ofc fantasyland '9s 9h 9d 9c 6h 6c As Ks Kh Qs Qh Ts 7d 5s'"});
  ofc->require_subcommand(1);
  add_score(*ofc);
  add_fantasyland(*ofc);
}

}  // namespace dealer::cli
