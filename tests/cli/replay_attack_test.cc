// Histories written by `dealer match --log`, of every game, with random changes.
#include <fmt/format.h>

#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/registry.h"
#include "frontends/phh/replay.h"
#include "tests/cli/run_dealer.h"
#include "tests/env/harness/random_play.h"

namespace dealer::test::replay_attack_test {
namespace {

using Kind = phh::HandAction::Kind;
using Lines = Words;

std::string join(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::uint32_t below(RandomStream& rng, std::size_t count) { return rng.below(static_cast<std::uint32_t>(count)); }

// Line numbers of the actions, or of the field that begins like this.
std::vector<std::size_t> find(const Lines& lines, const std::string& begin) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].starts_with(begin)) found.push_back(i);
  return found;
}
std::vector<std::size_t> actions_of(const Lines& lines) { return find(lines, "  '"); }

// Replaces a random digit of the line, at or after `from`.
bool change_digit(std::string& line, std::size_t from, RandomStream& rng) {
  std::vector<std::size_t> digits;
  for (std::size_t i = from; i < line.size(); ++i)
    if (line[i] >= '0' && line[i] <= '9') digits.push_back(i);
  if (digits.empty()) return false;
  char& digit = line[digits[below(rng, digits.size())]];
  digit = static_cast<char>('0' + (digit - '0' + 1 + static_cast<int>(rng.below(9))) % 10);
  return true;
}

struct Mutation {
  std::string name;
  // True if the changed hand may also be valid: other cards, say, that win as much.
  bool may_pass;
  // Changes one action, or another line; false when there is none of that kind.
  std::function<bool(Lines& lines, std::string& action, RandomStream&)> change;
};

Mutation change_field(std::string field, bool may_pass = false) {
  const std::string begin = field + " = ";
  return {std::move(field), may_pass, [begin](Lines& lines, std::string&, RandomStream& rng) {
            const auto found = find(lines, begin);
            return !found.empty() && change_digit(lines[found[0]], begin.size(), rng);
          }};
}

std::string& any_action(Lines& lines, RandomStream& rng) {
  const auto at = actions_of(lines);
  return lines[at[below(rng, at.size())]];
}

const std::vector<Mutation>& mutations() {
  static const std::vector<Mutation> all = {
      {"swap two actions", true,
       [](Lines& lines, std::string& action, RandomStream& rng) {
         std::swap(action, any_action(lines, rng));
         return true;
       }},
      {"move an action", true,
       [](Lines& lines, std::string& action, RandomStream& rng) {
         const std::string line = action;
         const std::ptrdiff_t to = &any_action(lines, rng) - lines.data();
         lines.erase(lines.begin() + (&action - lines.data()));
         lines.insert(lines.begin() + to, line);
         return true;
       }},
      {"drop an action", false,
       [](Lines& lines, std::string& action, RandomStream&) {
         lines.erase(lines.begin() + (&action - lines.data()));
         return true;
       }},
      {"tell an action twice", false,
       [](Lines& lines, std::string& action, RandomStream&) {
         lines.insert(lines.begin() + (&action - lines.data()), std::string(action));
         return true;
       }},
      {"another player", false,
       [](Lines&, std::string& action, RandomStream&) {
         const std::size_t player = action.find('p') + 1;
         if (player == 0 || action[player] < '1' || action[player] > '9') return false;
         action[player] = action[player] == '1' ? '2' : '1';
         return true;
       }},
      {"another card", true,
       [](Lines&, std::string& action, RandomStream& rng) {
         if (contains(action, "cbr")) return false;
         const std::size_t rank = action.find_first_of("23456789TJQKA", action.find(' ', 5) + 1);
         if (rank == std::string::npos) return false;
         action[rank] = "23456789TJQKA"[rng.below(13)];
         return true;
       }},
      {"another amount", true,
       [](Lines& lines, std::string&, RandomStream& rng) {
         for (const std::size_t at : actions_of(lines))
           if (const std::size_t amount = lines[at].find("cbr "); amount != std::string::npos && rng.below(2) == 0)
             return change_digit(lines[at], amount, rng);
         return false;
       }},
      {"fold for a call, or a call for a fold", true,
       [](Lines&, std::string& action, RandomStream&) {
         if (const std::size_t call = action.find(" cc"); call != std::string::npos)
           return action.replace(call, 3, " f"), true;
         if (const std::size_t fold = action.find(" f'"); fold != std::string::npos)
           return action.replace(fold, 2, " cc"), true;
         return false;
       }},
      change_field("finishing_stacks"),
      change_field("starting_stacks"),
      change_field("antes"),
      change_field("blinds_or_straddles"),
      change_field("min_bet"),
      change_field("big_bet"),
      change_field("bring_in"),
      change_field("seats", true),
      change_field("seat_count"),
      change_field("_seed", true),
      change_field("_hand", true),
  };
  return all;
}

// Checks invariants of every betting hand, whatever its rules; empty when they hold. Independent of the game
// engine.
std::string against_all_rules(const phh::HandHistory& hand) {
  std::vector<std::set<std::string>> cards(static_cast<std::size_t>(hand.players()) + 1);  // the last: the board
  std::vector<bool> folded(cards.size());
  std::int64_t live = hand.players();
  for (const phh::HandAction& action : hand.actions) {
    const std::size_t player = action.player < 0 ? cards.size() - 1 : static_cast<std::size_t>(action.player);
    const bool deal = action.kind == Kind::kDealHole || action.kind == Kind::kDealBoard;
    if (folded[player]) return "a player who has folded";
    if (live == 1) return "one player is left";
    if (!deal && cards[player].empty()) return "a player without cards";
    for (const std::string& card : action.cards) {
      const bool is_held =
          std::any_of(cards.begin(), cards.end(), [&](const auto& held) { return held.contains(card); });
      if (deal && is_held) return card + " is held already";
      if (!deal && !cards[player].contains(card)) return card + " is not held";
      if (deal) cards[player].insert(card);
      if (action.kind == Kind::kDiscard) cards[player].erase(card);
    }
    if (action.kind == Kind::kFold) folded[player] = true, cards[player].clear(), --live;
  }
  return {};
}

class Attacked : public testing::TestWithParam<std::string> {
 protected:
  phh::FileReplay replay(const std::string& text) const {
    write_bytes(folder_ / "x.phhs", text);
    return phh::replay_file(folder_ / "x.phhs");
  }
  // Histories of episodes, one text each.
  std::vector<std::string> episodes() const {
    const GamePtr game = make_game(GetParam());
    std::vector<std::string> match = {"match", "--game",         GetParam(), "--hands",
                                      "12",    "--no-duplicate", "--log",    (folder_ / "match.phhs").string(),
                                      "rule"};
    for (int seat = 1; seat < game->players(); ++seat) match.emplace_back("random");
    const ProgramResult played = run_here(match);
    EXPECT_EQ(played.status, 0) << played.err;
    std::vector<std::string> texts;
    for (const std::string& line : lines_of(read_bytes(folder_ / "match.phhs"))) {
      // DEAL-SEATING-HAND
      if (line.starts_with('[') && line.ends_with("-0]")) texts.emplace_back();
      texts.back() += line + '\n';
    }
    return texts;
  }

  const TempFolder folder_;
};

TEST_P(Attacked, EveryChangeIsRefusedUnlessTheHandIsAsGood) {
  const std::vector<std::string> texts = episodes();
  ASSERT_EQ(texts.size(), 12U);
  const bool moves = texts.front().find("\n_seed = ") != std::string::npos;
  int refused = 0, passed = 0;
  for (int round = 0; round < repetitions(400); ++round) {
    RandomStream rng(static_cast<std::uint64_t>(round), 90);
    const std::string& text = texts[below(rng, texts.size())];
    const Mutation& mutation = mutations()[below(rng, mutations().size())];
    Lines lines = lines_of(text);
    // The first hand of the episode.
    if (actions_of(lines).size() < 2 || !mutation.change(lines, any_action(lines, rng), rng)) continue;
    const std::string changed = join(lines);
    if (changed == text) continue;
    const std::string what = fmt::format("{}\n--- {}:\n{}", text, mutation.name, changed);
    const phh::FileReplay result = replay(changed);
    for (const auto& error : result.errors) {
      ASSERT_GT(error.line, 0) << what;
      ASSERT_LE(error.line, static_cast<int>(lines.size())) << what;
    }
    ++(result.errors.empty() ? passed : refused);
    if (!result.errors.empty()) continue;
    // The payouts are those of the original hand: another hand with the same payouts is valid.
    // Moves contain no cards: without one of them the others may fit another hand.
    ASSERT_TRUE(mutation.may_pass || moves) << what;
    if (moves) continue;
    phh::HistoryReader reader(changed, "x");
    while (const auto hand = reader.next()) ASSERT_EQ(against_all_rules(*hand), "") << what;
  }
  EXPECT_GT(refused, repetitions(400) / 4);
  // With few rounds the result is random.
  EXPECT_LT(passed, refused / 5 + 3);
}

std::vector<std::string> games() {
  std::vector<std::string> specs = game_names();
  specs.insert(specs.end(), {"holdem[players=6,limit=no_limit,stack=1500]", "holdem[players=3,limit=pot_limit]",
                             "stud[players=4,bring_in=3]", "razz[players=3,bring_in=3]", "triple_draw[players=4]",
                             "draw[players=6,stack=45]", "holdem[players=4,episode=match,limit=no_limit,stack=400]",
                             "ofc[players=3,episode=match,match.hands=3]"});
  return specs;
}

INSTANTIATE_TEST_SUITE_P(Games, Attacked, testing::ValuesIn(games()));

}  // namespace
}  // namespace dealer::test::replay_attack_test
