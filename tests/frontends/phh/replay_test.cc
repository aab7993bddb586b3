// Hands played by this program, written, read and replayed; and those of other programs.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "env/core/registry.h"
#include "env/games/poker/game.h"
#include "frontends/phh/history.h"
#include "tests/env/harness/game_harness.h"
#include "tests/env/harness/random_play.h"
#include "tests/frontends/phh/replaying.h"
#include "tests/support/paths.h"

namespace dealer::phh::replay_test {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(test::source_dir()) / "tests/frontends/phh";

// The decisions of a hand, and the states they were made in.
struct Decided {
  std::vector<Observation> seen;
  std::vector<std::string> observed;
};

// Random episodes, with bets of any amount: calls take(history, decided) for every hand.
template <class Take>
void play(const std::string& spec, int episodes, Take take) {
  const GamePtr game = make_game(spec);
  const auto env = game->new_env({.hold_hands = true});
  const auto players = static_cast<std::size_t>(game->players());
  for (int episode = 0; episode < episodes; ++episode) {
    const auto seed = static_cast<std::uint64_t>(episode);
    RandomStream rng(seed, 60);
    env->reset(seed);
    std::vector<double> before(players);
    for (int number = 0;; ++number) {
      HandPlayed hand{seed, number, {}, {}, std::vector<double>(players)};
      Decided decided;
      while (!env->hand_over()) {
        // Folding and discarding everything would end most hands early.
        Decision decision = test::random_decision(*env, rng);
        if (decision == Decision(0) && rng.below(3) != 0) decision = env->legal_actions()[1];
        decided.seen.push_back(env->observe(env->current_player()));
        decided.observed.push_back(env->decision_to_string(decision));
        hand.moves.emplace_back(env->current_player(), decided.observed.back());
        env->step(decision);
      }
      for (std::size_t s = 0; s < players; ++s) hand.points[s] = env->returns()[s] - before[s];
      before = env->returns();
      const std::vector<Event> events = env->events(kOmniscient);
      hand.events = events;
      HandHistory history = history_of(*game, hand, {});
      history.heading = fmt::format("{}-{}", episode, number);
      take(history, decided);
      if (env->terminated()) break;
      env->next_hand();
    }
  }
}

// As text under headings.
std::string played(const std::string& spec, int episodes) {
  std::string text;
  play(spec, episodes, [&](const HandHistory& history, const Decided&) { text += to_string(history) + '\n'; });
  return text;
}

class Replayed : public testing::TestWithParam<const char*> {};

TEST_P(Replayed, AsItWasPlayed) {
  const std::string text = played(GetParam(), test::repetitions(300));
  const FileReplay result = replay(text);
  EXPECT_GE(result.hands, test::repetitions(300));
  EXPECT_EQ(result.ok, result.hands) << faults(text).substr(0, 2000);
}

// All seats have the same observation at every decision, and make the same decision, to the chip.
TEST_P(Replayed, DecisionByDecision) {
  Replayer replayer;
  play(GetParam(), 10, [&](const HandHistory& history, const Decided& decided) {
    const HandHistory hand = parse_hand(to_string(history));
    ASSERT_TRUE(replayer.check(hand).empty());
    const HandDecisions observed = replayer.decisions(hand);
    // After a reshuffle there is no table.
    if (observed.table == nullptr && std::string(GetParam()).find("[players=6") != std::string::npos) return;
    ASSERT_NE(observed.table, nullptr);
    ASSERT_EQ(observed.decisions.size(), decided.seen.size());
    ASSERT_EQ(observed.lines.size(), decided.seen.size());
    for (std::size_t i = 0; i < decided.seen.size(); ++i) {
      const Observation& seen = decided.seen[i];
      EXPECT_EQ(observed.table->current_player(), seen.player);
      const Observation again = observed.table->observe(seen.player);
      // Histories of betting games do not contain the hand's index in its match.
      EXPECT_TRUE(again.data == seen.data || !history.heading.ends_with("-0"));
      EXPECT_EQ(again.legal_mask, seen.legal_mask);
      EXPECT_EQ(observed.table->decision_to_string(observed.decisions[i]), decided.observed[i]);
      EXPECT_TRUE(i == 0 || observed.lines[i] > observed.lines[i - 1]);
      observed.table->step(observed.decisions[i]);
    }
    EXPECT_TRUE(observed.table->hand_over());
  });
}

INSTANTIATE_TEST_SUITE_P(
    Games, Replayed,
    testing::Values("holdem", "holdem[players=6,limit=no_limit,stack=1500]",
                    "holdem[limit=pot_limit,ante=2,blinds=[1,2]]",
                    "holdem[players=4,episode=match,limit=no_limit,stack=400]",
                    // Antes put all players all-in: most hands have no decisions.
                    "holdem[players=2,episode=match,stack=30,ante=20,blinds=[],min_bet=10,big_bet=20]",
                    "draw[players=3,episode=match,stack=30,ante=10,min_bet=10,big_bet=20]", "stud[players=3]",
                    "stud[players=8,bring_in=3,stack=60]", "razz[players=4,bring_in=3]",
                    "stud_hi_lo[players=2,bring_in=2]", "draw[players=6,stack=45]", "lowball[limit=no_limit]",
                    "triple_draw[players=3]", "triple_draw[players=6,open_fold=false]",
                    // All-in players skip the betting between two draws.
                    "deuce_triple_draw[stack=20]", "badugi[players=6,episode=match,match_hands=12,stack=153]",
                    "draw[players=6,draws=3,open_fold=false]", "washizu[washizu=replace_random]",
                    "washizu[players=3,washizu=add,episode=hand]", "court_tarot",
                    "court_color[procedure=stud,players=4]", "court_extra[procedure=holdem,players=3]", "kuhn", "leduc",
                    "mini_draw", "seven_hand", "ofc", "ofc[players=3,episode=match,match.hands=4]"));

// In the standard's order all discards of a draw precede its deals.
TEST(Replays, NameTheWrongLineAfterADraw) {
  std::string text = played("deuce_triple_draw", 20);
  const std::size_t bet = text.rfind(" cbr ");
  ASSERT_NE(bet, std::string::npos);
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(bet), '\n') + 1;
  text.insert(bet + 5, "9");
  EXPECT_TRUE(faults(text).starts_with(fmt::format("{}: ", line))) << faults(text);
  // After the discards a card is missing where somebody bets.
  std::string missing = played("deuce_triple_draw", 20);
  const std::size_t deal = missing.rfind("'d dh p"), end = missing.find('\n', deal);
  missing.erase(missing.rfind('\n', deal) + 1, end - missing.rfind('\n', deal));
  EXPECT_NE(faults(missing).find("a card is missing before it"), std::string::npos) << faults(missing);
}

// Side pots, short bets, split pots, high and low, draws: five hands of every variant, played and settled by another
// program.
TEST(Replays, AgreeWithPokerKit) {
  const FileReplay result = replay_file(kFolder / "pokerkit.phhs");
  EXPECT_EQ(result.hands, 55);
  EXPECT_EQ(result.ok, 55);
  for (const auto& error : result.errors) ADD_FAILURE() << error.hand << ": " << error.message;
}

// PokerKit has replayed the hands recorded here with the same final stacks.
TEST(Histories, AreThoseThatPokerKitCouldReplay) {
  std::string text;
  for (const char* spec : {"holdem[players=3,stack=45,raises_per_player=null,raises_per_round=3]",
                           "holdem[players=4,limit=no_limit,stack=900,raises_per_player=null]",
                           "stud[players=4,bring_in=3,stack=80,raises_per_player=null,raises_per_round=3]",
                           "stud_hi_lo[players=5,bring_in=3,stack=120,raises_per_player=null,raises_per_round=3]",
                           "razz[players=3,bring_in=3,stack=70,raises_per_player=null,raises_per_round=3]",
                           "deuce_triple_draw[players=4,stack=90,raises_per_player=null,raises_per_round=3]",
                           "deuce_single_draw[players=3,stack=900,ante=20,raises_per_player=null]",
                           "badugi[players=4,stack=110,raises_per_player=null,raises_per_round=3]"}) {
    std::string hands = played(spec, 4);
    const std::string name = parse_spec(spec).name + (text.find("'FT'") == std::string::npos ? "-fixed" : "");
    for (std::size_t at = 0; (at = hands.find("\n[", at)) != std::string::npos;) hands.insert(at += 2, name + '-');
    text += '[' + name + '-' + hands.substr(1);
  }
  test::check_recorded(kFolder / "ours.phhs", text);
}

// The standard's codes are reserved for games that other programs play by the same rules.
TEST(Variants, AreThoseOfTheStandardWhereItHasThem) {
  for (const auto& [spec, variant] : {std::pair("holdem", "FT"),
                                      {"holdem[limit=no_limit]", "NT"},
                                      {"holdem[limit=pot_limit]", "X-holdem"},
                                      {"holdem[jokers=1]", "X-holdem"},
                                      {"holdem[deck=short_36,limit=no_limit]", "NS"},
                                      {"stud", "X-stud"},
                                      {"stud[bring_in=3]", "F7S"},
                                      {"stud_hi_lo[bring_in=3]", "F7S/8"},
                                      {"razz[bring_in=3]", "FR"},
                                      {"draw", "X-draw"},
                                      {"deuce_single_draw", "N2L1D"},
                                      {"deuce_single_draw[limit=structured]", "X-deuce_single_draw"},
                                      {"deuce_triple_draw", "F2L3D"},
                                      {"deuce_triple_draw[draws=2]", "X-deuce_triple_draw"},
                                      {"badugi", "FB"},
                                      {"badugi[blinds=[],ante=5]", "X-badugi"}}) {
    const GamePtr game = make_game(spec);
    EXPECT_EQ(variant_of(poker::as_poker(*game)->rules(), game->name()), variant) << spec;
  }
}

// ---- Output for a replayed hand: everything in its history, up to the fault.

// A hand that p2 wins on the turn, in another program's format: `third` is dealt to p3, who folds.
HandHistory hand(const std::string& third, const std::string& turn_bet = "p2 cbr 4", const char* after = "p1 f") {
  return parse_hand(fmt::format(R"(variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 200]
actions = ['d dh p1 AsKh', 'd dh p2 QsQd', 'd dh p3 {}', 'p3 f', 'p1 cc', 'p2 cc', 'd db Qh3d4h', 'p1 cbr 2', 'p2 cc',
  'd db 5c', 'p1 cc', '{}', '{}']
finishing_stacks = [196, 204, 200]
)",
                                third, turn_bet, after));
}

// "p1 AsKh, …" for the deals and "p1 call, …" for the actions, separated by "; "; then the faults.
std::string check(const HandHistory& history) {
  Replayer replayer;
  std::string problems, deals, acts;
  for (const Problem& problem : replayer.check(history)) problems += "; " + problem.message;
  for (const StandardEvent& event : replayer.standard()->table()->events()) {
    const std::string who = event.player < 0 ? "board" : fmt::format("p{}", event.player + 1);
    const bool dealt = event.kind == StandardEvent::Kind::kDealt || event.kind == StandardEvent::Kind::kBoard;
    if (dealt) deals += fmt::format("{} {}, ", who, fmt::join(event.cards, ""));
    if (event.kind == StandardEvent::Kind::kActed) acts += fmt::format(", {} {}", who, event.what);
  }
  return deals + acts + problems;
}

const std::string kShown =
    "p1 AsKh, p2 QsQd, p3 7c2d, board Qh3d4h, board 5c, "
    ", p3 fold, p1 call, p2 check, p1 bet, p2 call, p1 check";

TEST(ReplayEvents, TellTheHandUpToWhatIsWrong) {
  EXPECT_EQ(check(hand("7c2d")), kShown + ", p2 bet, p1 fold");
  EXPECT_EQ(check(hand("????")), changed(kShown, "7c2d", "????") + ", p2 bet, p1 fold");
  EXPECT_EQ(check(hand("7c??")), changed(kShown, "7c2d", "7c??") + ", p2 bet, p1 fold");
  EXPECT_TRUE(check(hand("7c2d", "p2 cbr 400")).starts_with(kShown + "; ")) << check(hand("7c2d", "p2 cbr 400"));
  EXPECT_EQ(check(hand("7c2d", "p2 cbr 4", "p2 f")), kShown + ", p2 bet; 'p2 f': out of turn; p1 is to act");
  EXPECT_EQ(check(hand("AsKh")), "p1 AsKh, p2 QsQd, ; 'd dh p3 AsKh': As is dealt twice");
  EXPECT_EQ(check(hand("7c2d", "p2 m bet 4")),
            kShown + "; 'p2 m bet 4': a betting game has no moves; expected cbr, cc, f, sd, sm or pb");
}

}  // namespace
}  // namespace dealer::phh::replay_test
