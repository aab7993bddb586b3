#include "frontends/phh/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "env/core/error.h"
#include "env/core/files.h"
#include "env/core/numbers.h"
#include "env/core/registry.h"
#include "frontends/phh/amount.h"
#include "frontends/phh/history.h"
#include "frontends/phh/poker_decisions.h"

namespace dealer::phh {
namespace {

using Kind = HandAction::Kind;

// Limits memory for any size of file.
constexpr std::int64_t kMaxWrongHands = 1000;
constexpr std::size_t kMaxProblems = 100;  // per hand
constexpr std::size_t kMaxGames = 100;

template <class T>
bool read_whole(const HandHistory& hand, std::string_view field, T& value) {
  const std::optional<std::string> text = hand.other_text(field);
  const std::optional<T> number = text ? number_in<T>(*text) : std::nullopt;
  value = number.value_or(value);
  return number.has_value();
}

// The hand's variant, stakes and stacks, where they differ from those in histories of the game it names. Without
// `expected.starting_stacks` stacks may be arbitrary.
std::vector<Problem> compare_stakes(const HandHistory& hand, const HandHistory& expected) {
  std::vector<Problem> problems;
  const auto compare = [&](const char* field, const std::string& said, const std::string& right) {
    if (said == right) return;
    const int line = hand.line_of(field);
    problems.push_back({line > 0 ? line : hand.line,
                        fmt::format("{}: {}; by the rules of '_game' expected {}", field,
                                    said.empty() ? "missing" : said, right.empty() ? "no such field" : right)});
  };
  const auto list = [&](const std::vector<Amount>& amounts) {
    return amounts.empty() ? "" : '[' + amounts_text(amounts, hand.decimals) + ']';
  };
  const auto single = [&](const std::optional<Amount>& amount) {
    return amount ? amount_text(*amount, hand.decimals) : "";
  };
  compare("variant", hand.variant, expected.variant);
  compare("antes", list(hand.antes), list(expected.antes));
  compare("blinds_or_straddles", list(hand.blinds_or_straddles), list(expected.blinds_or_straddles));
  for (const auto& [field, amount] : kSingleAmounts) compare(field, single(hand.*amount), single(expected.*amount));
  if (!expected.starting_stacks.empty())
    compare("starting_stacks", list(hand.starting_stacks), list(expected.starting_stacks));
  if (hand.finishing_stacks.empty()) problems.push_back({hand.line, "the field 'finishing_stacks' is missing"});
  return problems;
}

std::vector<Problem> compare_stakes(const HandHistory& hand, const poker::GameRules& rules, const std::string& name) {
  HandHistory expected = stakes_of(rules, name, hand.players());
  if (rules.episode == poker::Episode::kHand)
    expected.starting_stacks.assign(static_cast<std::size_t>(rules.players), rules.stack);
  std::vector<Problem> problems = compare_stakes(hand, expected);
  if (const TomlValue* seats = hand.other("seat_count");
      seats != nullptr && seats->text != std::to_string(rules.players))
    problems.push_back(
        {seats->line, fmt::format("seat_count: {}; by the rules of '_game' expected {}", seats->text, rules.players)});
  return problems;
}

// The fault in the first wrong move, or at the end.
std::optional<Problem> play_moves(Env& env, const HandHistory& hand) {
  for (const HandAction& action : hand.actions) {
    if (action.kind == Kind::kNote) continue;
    const auto wrong = [&](const std::string& what) {
      return Problem{action.line, fmt::format("'{}': {}", to_string(action, hand.decimals), what)};
    };
    if (action.kind != Kind::kMove) return wrong("expected a move, as in 'p1 m NAME'");
    if (env.hand_over()) return wrong("the hand is over");
    if (env.current_player() != action.player)
      return wrong(fmt::format("out of turn; p{} is to act", env.current_player() + 1));
    try {
      env.step(env.parse_decision(action.move));
    } catch (const IllegalAction& error) {
      return wrong(error.what());
    }
  }
  if (env.hand_over()) return std::nullopt;
  return Problem{hand.actions.empty() ? hand.line : hand.actions.back().line,
                 fmt::format("the hand is not over: p{} is to act", env.current_player() + 1)};
}

}  // namespace

GamePtr Replayer::make(const std::string& spec) {
  // Hands of other programs name their own games, with chips at the table.
  if (games_.size() == kMaxGames && !games_.contains(spec)) games_.clear();
  GamePtr& known = games_[spec];
  if (!known) known = make_game(spec);
  return known;
}

std::vector<Problem> Replayer::check(const HandHistory& hand) {
  const int line = hand.other("_game") != nullptr ? hand.line_of("_game") : hand.line_of("variant");
  game_.reset();
  standard_.reset();
  events_.clear();
  try {
    const std::optional<std::string> own = hand.other_text("_game");
    if (!own && !is_standard_variant(hand.variant))
      return {{line, fmt::format("variant {} is our own; expected the field '_game' to say by which rules it is played",
                                 hand.variant)}};
    if (!own) {
      env_.reset();
      standard_ = std::make_unique<StandardReplay>(hand);
      return standard_->problems();
    }
    game_ = make(*own);
    const poker::Game* poker_game = poker::as_poker(*game_);
    if (poker_game == nullptr) return check_moves(hand, game_);
    env_.reset();
    if (std::vector<Problem> wrong = compare_stakes(hand, poker_game->rules(), parse_spec(*own).name); !wrong.empty())
      return wrong;
    return replay_poker(poker_game->rules(), hand, &events_);
  } catch (const Error& error) {
    return {{line, error.what()}};
  }
}

std::vector<Problem> Replayer::check_moves(const HandHistory& hand, const GamePtr& game) {
  std::uint64_t seed = 0;
  int number = 0;
  if (!read_whole(hand, "_seed", seed) || !read_whole(hand, "_hand", number))
    return {{hand.line, "expected the fields '_seed' and '_hand', whole numbers"}};
  if (std::vector<Problem> wrong = compare_stakes(hand, stakes_of_moves(*game)); !wrong.empty()) return wrong;
  const std::string episode = fmt::format("{} {}", seed, game->spec());
  if (number > 0 && (!env_ || episode != episode_ || number != next_hand_))
    return {{hand.line_of("_hand"),
             fmt::format("hand {} of an episode; expected the hands before it directly before it", number)}};
  const std::unique_ptr<Env> env = number == 0 ? game->new_env({.hold_hands = true}) : std::move(env_);
  std::vector<double> before(static_cast<std::size_t>(game->players()));
  if (number == 0) {
    env->reset(seed);
  } else if (env->terminated()) {
    return {{hand.line_of("_hand"), fmt::format("hand {} of an episode that is over", number)}};
  } else {
    before = env->returns();
    env->next_hand();
  }
  episode_ = episode;
  begin_ = env->clone();
  const std::optional<Problem> problem = play_moves(*env, hand);
  events_ = env->events(kOmniscient);
  if (problem) return {*problem};
  std::vector<Problem> problems;
  for (std::size_t s = 0; s < hand.finishing_stacks.size() && s < before.size(); ++s) {
    const double unit = std::pow(10.0, hand.decimals);
    const double right = static_cast<double>(hand.starting_stacks[s]) + (env->returns()[s] - before[s]) * unit;
    if (static_cast<double>(hand.finishing_stacks[s]) != right)
      problems.push_back({hand.line_of("finishing_stacks"),
                          fmt::format("p{} is said to finish with {}; it has {}", s + 1,
                                      amount_text(hand.finishing_stacks[s], hand.decimals), right / unit)});
  }
  env_ = env->clone();
  next_hand_ = number + 1;
  return problems;
}

HandDecisions Replayer::decisions(const HandHistory& hand) const {
  if (const poker::Game* game = poker::as_poker(*game_)) return poker_decisions(*game, hand);
  HandDecisions result;
  result.table = begin_->clone();
  result.unknown.assign(static_cast<std::size_t>(game_->players()), false);
  const std::unique_ptr<Env> env = begin_->clone();
  for (const HandAction& action : hand.actions) {
    if (action.kind != Kind::kMove) continue;
    result.decisions.push_back(env->parse_decision(action.move));
    result.lines.push_back(action.line);
    env->step(result.decisions.back());
  }
  return result;
}

namespace {

FileReplay replay_all(HistoryReader reader, const std::string& name, const LookAtHand& look) {
  FileReplay result;
  Replayer replayer;
  while (result.hands - result.ok < kMaxWrongHands) {
    std::optional<HandHistory> hand;
    const std::string number = std::to_string(result.hands + 1);
    try {
      hand = reader.next();
    } catch (const ParseError& error) {
      ++result.hands;
      // "file:line: message".
      const std::string_view text = std::string_view(error.what()).substr(name.size() + 1);
      int line = 0;
      const auto end = std::from_chars(text.data(), text.data() + text.size(), line).ptr;
      const auto what = text.substr(static_cast<std::size_t>(end - text.data()));
      result.errors.push_back({number, line, std::string(what.substr(what.starts_with(": ") ? 2 : 0))});
      continue;
    }
    if (!hand) break;
    ++result.hands;
    std::vector<Problem> problems = replayer.check(*hand);
    problems.resize(std::min(problems.size(), kMaxProblems));
    if (problems.empty()) {
      ++result.ok;
      if (const StandardReplay* standard = replayer.standard()) {
        result.raked += standard->rake() > 0 ? 1 : 0;
        result.unfinished += standard->breaks_off() ? 1 : 0;
        result.undecided += standard->undecided() ? 1 : 0;
      }
    }
    for (const Problem& problem : problems)
      result.errors.push_back({hand->heading.empty() ? number : hand->heading, problem.line, problem.message});
    if (look) look(result.hands, *hand, problems, replayer);
  }
  if (result.hands - result.ok == kMaxWrongHands)
    result.errors.push_back({std::to_string(result.hands), result.errors.back().line,
                             fmt::format("{} hands are wrong; nothing after this one is read", kMaxWrongHands)});
  if (result.hands == 0) result.errors.push_back({"1", 1, "there is no hand in it"});
  return result;
}

}  // namespace

FileReplay replay_file(const std::filesystem::path& file, const LookAtHand& look) {
  InputFile input(file);
  const std::string& name = input.name();
  return replay_all({[&input](std::span<char> bytes) { return input.read(bytes); }, name}, name, look);
}

FileReplay replay_text(std::string text, const LookAtHand& look) {
  const std::string name = "text";
  return replay_all({std::move(text), name}, name, look);
}

}  // namespace dealer::phh
