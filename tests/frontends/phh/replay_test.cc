// Hands played here, written, read and played again; and hands in which something is wrong.
#include "frontends/phh/replay.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "env/core/registry.h"
#include "frontends/phh/history.h"
#include "tests/env/harness/game_harness.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace dealer::phh::replay_test {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(test::source_dir()) / "tests/frontends/phh";

// Random episodes, with bets of any amount, as text under headings.
std::string play(const std::string& spec, int episodes, std::uint64_t stream = 60) {
  const GamePtr game = make_game(spec);
  const auto env = game->new_env({.hold_hands = true});
  const auto players = static_cast<std::size_t>(game->players());
  std::string text;
  for (int episode = 0; episode < episodes; ++episode) {
    const auto seed = static_cast<std::uint64_t>(episode);
    RandomStream rng(seed, stream);
    env->reset(seed);
    std::vector<double> before(players);
    for (int number = 0;; ++number) {
      HandPlayed hand{seed, number, {}, {}, std::vector<double>(players)};
      while (!env->hand_over()) {
        // Folding and discarding everything would end most hands early.
        Decision decision = test::random_decision(*env, rng);
        if (decision == Decision(0) && rng.below(3) != 0) decision = env->legal_actions()[1];
        hand.moves.emplace_back(env->current_player(), env->decision_to_string(decision));
        env->step(decision);
      }
      for (std::size_t s = 0; s < players; ++s) hand.points[s] = env->returns()[s] - before[s];
      before = env->returns();
      const std::vector<Event> events = env->events(kOmniscient);
      hand.events = events;
      HandHistory history = history_of(*game, hand, {});
      history.heading = fmt::format("{}-{}", episode, number);
      text += to_string(history) + '\n';
      if (env->terminated()) break;
      env->next_hand();
    }
  }
  return text;
}

FileReplay replay(const std::string& text) {
  const test::TempFolder folder;
  test::write_bytes(folder / "x.phhs", text);
  return replay_file(folder / "x.phhs");
}

// All errors, a line each, without place.
std::string errors(const std::string& text) {
  std::string all;
  for (const FileReplay::Error& error : replay(text).errors) all += error.message + '\n';
  return all;
}

class Replayed : public testing::TestWithParam<const char*> {};

TEST_P(Replayed, AsItWasPlayed) {
  const std::string text = play(GetParam(), test::repetitions(300));
  const FileReplay result = replay(text);
  EXPECT_GE(result.hands, test::repetitions(300));
  EXPECT_EQ(result.ok, result.hands) << errors(text).substr(0, 2000);
}

// Any one letter of an action or stack changed: refused, or read as something that could have been played.
TEST_P(Replayed, OrRefusedWhenMalformed) {
  const std::string text = play(GetParam(), 3);
  int refused = 0;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(test::repetitions(60)); ++seed) {
    RandomStream rng(seed, 61);
    std::string malformed = text;
    const auto place = rng.below(static_cast<std::uint32_t>(text.size()));
    malformed[place] = "0123456789AKQJTshdcpf "[rng.below(22)];
    const FileReplay result = replay(malformed);
    for (const auto& error : result.errors) EXPECT_EQ(error.message.find('\n'), std::string::npos) << error.message;
    refused += result.errors.empty() ? 0 : 1;
  }
  EXPECT_GT(refused, test::repetitions(60) / 4);
}

INSTANTIATE_TEST_SUITE_P(Games, Replayed,
                         testing::Values("holdem", "holdem[players=6,limit=no_limit,stack=1500]",
                                         "holdem[limit=pot_limit,ante=2,blinds=[1,2]]",
                                         "holdem[players=4,episode=match,limit=no_limit,stack=400]",
                                         "draw[players=3,episode=match,stack=30,ante=10,min_bet=10,big_bet=20]",
                                         "stud[players=3]", "stud[players=8,bring_in=3,stack=60]",
                                         "razz[players=4,bring_in=3]", "stud_hi_lo[players=2,bring_in=2]",
                                         "draw[players=6,stack=45]", "lowball[limit=no_limit]",
                                         "triple_draw[players=3]", "triple_draw[players=6,open_fold=false]",
                                         "draw[players=6,draws=3,open_fold=false]", "washizu[washizu=replace_random]",
                                         "washizu[players=3,washizu=add,episode=hand]", "court_tarot",
                                         "court_color[procedure=stud,players=4]",
                                         "court_extra[procedure=holdem,players=3]", "kuhn", "leduc", "mini_draw", "ofc",
                                         "ofc[players=3,episode=match,match.hands=4]"));

constexpr const char* kHoldem = R"(variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = [
  'd dh p1 AsKh',
  'd dh p2 QsQd',
  'd dh p3 7c2d',
  'p3 cbr 6',
  'p1 cc',
  'p2 cc',
  'd db Qh3d4h',
  'p1 cc',
  'p2 cbr 20',
  'p3 f',
  'p1 cc',
  'd db 5c',
  'p1 cc',
  'p2 cc',
  'd db 9d',
  'p1 cc',
  'p2 cc',
  'p1 sm',
  'p2 sm QsQd',
]
finishing_stacks = [74, 132, 94]
)";

std::string with(std::string_view from, std::string_view to) {
  std::string text = kHoldem;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// The line and message of the only error.
std::string error(const std::string& text) {
  const FileReplay result = replay(text);
  EXPECT_EQ(result.hands, 1);
  EXPECT_EQ(result.ok, 0);
  if (result.errors.size() != 1) return fmt::format("{} errors\n{}", result.errors.size(), errors(text));
  return fmt::format("{}: {}", result.errors[0].line, result.errors[0].message);
}

TEST(Replays, TakeHandsOfOtherPrograms) {
  EXPECT_EQ(errors(kHoldem), "");
  // The loser may show; the folded hand need not be known.
  EXPECT_EQ(errors(with("'p1 sm'", "'p1 sm AsKh'")), "");
  EXPECT_EQ(errors(with("'p1 sm'", "'p1 sm As?\?'")), "");
  EXPECT_EQ(errors(with("7c2d", "????")), "");
  EXPECT_EQ(errors(with("finishing_stacks = [74, 132, 94]", "winnings = [0, 58, 0]")), "");
}

TEST(Replays, NameTheLineThatIsWrong) {
  EXPECT_EQ(error(with("[74, 132, 94]", "[75, 131, 94]")).substr(0, 8), "2 errors");
  EXPECT_EQ(error(with("132", "131")), "27: p2 is said to finish with 131; it has 132");
  EXPECT_EQ(error(with("5c", "As")), "18: 'd db As': As is dealt twice");
  EXPECT_EQ(error(with("5c", "1c")), "18: 'd db 1c': '1c' is no card of the deck 'standard_52'");
  EXPECT_EQ(error(with("7c2d", "7c2d9s")), "9: 'd dh p3 7c2d9s': more cards than a hand has");
  EXPECT_EQ(error(with("p2 cbr 20", "p2 cbr 200")),
            "15: 'p2 cbr 200': an action of the history is not legal: a bet to 200; expected from 2 to 94");
  EXPECT_EQ(error(with("p2 cbr 20", "p2 cbr 1")),
            "15: 'p2 cbr 1': an action of the history is not legal: a bet to 1; expected from 2 to 94");
  EXPECT_EQ(error(with("  'p2 sm QsQd'", "  'p2 sm QsQc'")), "25: 'p2 sm QsQc': the player has QsQd");
  EXPECT_EQ(error(with("'p2 sm QsQd'", "'p2 sm'")), "25: 'p2 sm': the player wins 58");
  EXPECT_EQ(error(with("QsQd", "Qs??")),
            "8: 'd dh p2 Qs?\?': a card that decides is unknown, so that the hand cannot be "
            "played again");
  EXPECT_EQ(error(with("  'p2 cc',\n  'p1 sm',\n  'p2 sm QsQd',\n", "")), "22: the hand is not over: p2 is to act");
}

TEST(Replays, TakeDeepStacks) {
  std::string text = R"(variant = 'NT'
antes = [500, 500, 500]
blinds_or_straddles = [1000, 2000, 0]
min_bet = 2000
starting_stacks = [1125600, 2000000, 553500]
actions = ['d dh p1 Ac2d', 'd dh p2 ????', 'd dh p3 7h6h', 'p3 cbr 7000', 'p1 cbr 23000', 'p2 f', 'p3 cc',
  'd db Jc3d5c', 'p1 cbr 35000', 'p3 cc', 'd db 4h', 'p1 cbr 90000', 'p3 cbr 232600', 'p1 cbr 1067100', 'p3 cc',
  'p1 sm Ac2d', 'p3 sm 7h6h', 'd db Jh']
finishing_stacks = [572100, 1997500, 1109500]
)";
  EXPECT_EQ(errors(text), "");
  // The hands are shown before the last card.
  text.replace(text.find("Jh']"), 2, "Ac");
  EXPECT_EQ(error(text), "8: 'd db Ac': Ac is dealt twice");
}

TEST(Replays, TakeStacksThatDoNotCoverTheBlinds) {
  EXPECT_EQ(errors(R"(variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [3, 8, 6]
actions = ['d dh p1 AsKh', 'd dh p2 QsQd', 'd dh p3 7c2d', 'p3 f', 'd db Qh3d4h', 'd db 5c', 'd db 9d', 'p2 sm QsQd',
  'p1 sm AsKh']
finishing_stacks = [0, 11, 6]
)"),
            "");
}

TEST(Replays, CompareWinningsOfEverybody) {
  const auto winnings = [](const std::string& value) {
    return with("finishing_stacks = [74, 132, 94]", "winnings = " + value);
  };
  EXPECT_EQ(error(winnings("[0, 57, 0]")), "27: p2 is said to win 57; it wins 58");
  EXPECT_EQ(error(winnings("[0]")), "27: winnings: 1 numbers for 3 players");
  EXPECT_EQ(error(winnings("[]")), "27: winnings: 0 numbers for 3 players");
  EXPECT_EQ(error(winnings("[0, 58, 0, 700]")), "27: winnings: 4 numbers for 3 players");
  EXPECT_EQ(error(winnings("58")), "27: winnings: expected a list of numbers, one for each player");
}

// Nobody has seen the hand of a player whom the others leave the pot to.
TEST(Replays, NeedNoCardsOfAnUncontestedWinner) {
  const std::string actions =
      "'p3 f',\n  'p1 cc',\n  'd db 5c',\n  'p1 cc',\n  'p2 cc',\n  'd db 9d',\n  'p1 cc',\n"
      "  'p2 cc',\n  'p1 sm',\n  'p2 sm QsQd',\n";
  std::string text = with(actions, "'p3 f',\n  'p1 f',\n");
  text.replace(text.find("[74, 132, 94]"), 13, "[94, 112, 94]");
  EXPECT_EQ(errors(text), "");
  for (const char* cards : {"AsKh", "QsQd", "7c2d"}) text.replace(text.find(cards), 4, "????");
  EXPECT_EQ(errors(text), "");
}

TEST(Replays, CompareTheStakesWithTheGameNamed) {
  const std::string text = play("holdem[players=2]", 1);
  const auto changed = [&](const std::string& field, const std::string& value) {
    const std::size_t at = text.find('\n' + field + " = ") + 1;
    return text.substr(0, at) + value + text.substr(text.find('\n', at) + (value.empty() ? 1 : 0));
  };
  EXPECT_EQ(errors(text), "");
  EXPECT_EQ(error(changed("variant", "variant = 'X-holdem'")),
            "2: variant: X-holdem; by the rules of '_game' expected FT");
  EXPECT_EQ(error(changed("antes", "antes = [1, 999]")), "3: antes: [1, 999]; by the rules of '_game' expected [0, 0]");
  EXPECT_NE(error(changed("blinds_or_straddles", "blinds_or_straddles = [1, 10]")).find("expected [5, 10]"),
            std::string::npos);
  EXPECT_NE(error(changed("small_bet", "small_bet = 11")).find("expected 10"), std::string::npos);
  EXPECT_NE(error(changed("big_bet", "big_bet = 11")).find("expected 20"), std::string::npos);
  EXPECT_NE(error(changed("big_bet", "big_bet = 20\nmin_bet = 10")).find("expected no such field"), std::string::npos);
  EXPECT_NE(error(changed("starting_stacks", "starting_stacks = [7, 7]")).find("starting_stacks: [7, 7]; by"),
            std::string::npos);
  EXPECT_EQ(error(changed("finishing_stacks", "")), "1: the field 'finishing_stacks' is missing");
}

TEST(Replays, RefuseWhatIsNotPlayedHere) {
  EXPECT_NE(error(with("'NT'", "'PO'")).find("variant PO, which is not played here"), std::string::npos);
  EXPECT_NE(error(with("[1, 2, 0]", "[1, 2, 4]")).find("there is a straddle, which is not played here"),
            std::string::npos);
  EXPECT_NE(error(with("[0, 0, 0]", "[0, 2, 0]")).find("different antes"), std::string::npos);
  EXPECT_NE(error(with("'NT'", "'X-holdem'")).find("expected the field '_game'"), std::string::npos);
  EXPECT_NE(error(with("min_bet = 2", "min_bet = 2\n_game = 'holden'")).find("did you mean 'holdem'?"),
            std::string::npos);
}

TEST(Replays, GoOnAfterAHandThatCannotBeRead) {
  const FileReplay result = replay("[1]\nvariant = 'NT'\n\n[2]\n" + std::string(kHoldem));
  EXPECT_EQ(result.hands, 2);
  EXPECT_EQ(result.ok, 1);
  ASSERT_EQ(result.errors.size(), 1U);
  EXPECT_EQ(result.errors[0].line, 1);
  EXPECT_EQ(result.errors[0].message, "the field 'antes' is missing");
  EXPECT_EQ(errors(""), "there is no hand in it\n");
}

// A suit for each rank, no more and no fewer.
TEST(Replays, CompareWhatWasTakenOut) {
  std::string text = play("washizu[washizu=replace_random,episode=hand]", 1);
  EXPECT_EQ(errors(text), "");
  const std::size_t end = text.find('\'', text.find("_taken_out = '") + 14);
  text.insert(end, "s");
  EXPECT_NE(error(text).find("_taken_out: expected a suit for each of the ranks"), std::string::npos);
  text.erase(end - 1, 2);
  EXPECT_NE(error(text).find("_taken_out: expected a suit for each of the ranks"), std::string::npos);
}

TEST(Replays, OfMovesHaveNoStakes) {
  std::string text = play("ofc", 1);
  EXPECT_EQ(errors(text), "");
  text.replace(text.find("antes = [0"), 10, "antes = [5");
  EXPECT_EQ(error(text), "3: antes: [5, 0]; by the rules of '_game' expected [0, 0]");
  text.erase(text.find("finishing_stacks"),
             text.find('\n', text.find("finishing_stacks")) + 1 - text.find("finishing_stacks"));
  EXPECT_NE(errors(text).find("the field 'finishing_stacks' is missing"), std::string::npos);
}

// A folded hand comes back only with the cards discarded, when the stock is used up.
TEST(Replays, RefuseFoldedCardsThatTheStockCannotHold) {
  EXPECT_EQ(error(R"(variant = 'X-draw'
antes = [10, 10, 10]
blinds_or_straddles = [0, 0, 0]
small_bet = 10
big_bet = 20
starting_stacks = [1000, 1000, 1000]
actions = ['d dh p1 AsKsQs2d3d', 'd dh p2 AhKhQh2c3c', 'd dh p3 AdKdQd4c5c', 'p1 cbr 10', 'p2 f', 'p3 cc',
  'p1 sd 2d', 'd dh p1 Ah', 'p3 sd', 'p1 cc', 'p3 cc', 'p1 sm AsKsQs3dAh', 'p3 sm']
finishing_stacks = [1030, 990, 980]
_game = 'draw[players=3,stack=1000,min_bet=10,big_bet=20,ante=10]'
)"),
            "8: 'd dh p1 Ah': cards lie where they cannot");
}

TEST(Replays, RefuseABetBeforeTheDrawWhereThereIsNone) {
  EXPECT_EQ(error(R"(variant = 'X-draw'
antes = [10, 10]
blinds_or_straddles = [0, 0]
small_bet = 20
big_bet = 20
starting_stacks = [1000, 1000]
actions = ['d dh p1 AdTd9h9s2c', 'd dh p2 QcJs8c8d8s', 'p1 cbr 20', 'p1 sd', 'p2 sd', 'p1 cc', 'p2 cc']
finishing_stacks = [990, 1010]
_game = 'draw[betting_before_draw=false]'
)"),
            "7: 'p1 cbr 20': nobody may bet before the draw");
}

// Every bet is of a random amount: it stands in the log as it was made, and the log is replayed.
TEST(Histories, KeepBetsOfAnyAmount) {
  for (const char* spec : {"holdem[players=3,limit=no_limit]", "stud[players=4,limit=pot_limit,stack=900]",
                           "washizu[players=3,episode=hand]"}) {
    SCOPED_TRACE(spec);
    const GamePtr game = make_game(spec);
    const auto env = game->new_env({.hold_hands = true});
    int between = 0;
    for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(test::repetitions(200)); ++seed) {
      env->reset(seed);
      RandomStream rng(seed, 62);
      std::vector<Amount> bets;
      while (!env->hand_over()) {
        const AmountRange range = env->amount_range();
        if (range.empty() || rng.below(2) == 0) {
          // Calls, checks, folds and discards.
          LegalMask mask = env->legal_mask();
          for (const Choice& choice : env->choices())
            if (choice.action != kNoAction && !choice.amount.empty()) mask &= ~(LegalMask{1} << choice.action);
          env->step(test::random_action(mask, rng));
          continue;
        }
        const auto total =
            range.low + static_cast<int>(rng.below(static_cast<std::uint32_t>(range.high - range.low) + 1));
        const std::vector<Choice> choices = env->choices();
        between += std::none_of(choices.begin(), choices.end(), [&](const Choice& choice) {
          return choice.action != kNoAction && choice.amount.low == total;
        });
        bets.push_back(total);
        env->step(Decision::bet_to(total));
      }
      const std::vector<Event> events = env->events(kOmniscient);
      const HandHistory hand = parse_hand(to_string(history_of(*game, {seed, 0, events, {}, {}}, {})), "x");
      std::vector<Amount> told;
      for (const HandAction& action : hand.actions)
        if (action.kind == HandAction::Kind::kBetTo) told.push_back(action.amount);
      ASSERT_EQ(told, bets);
      for (const Problem& problem : Replayer().check(hand)) ADD_FAILURE() << problem.message;
    }
    EXPECT_GT(between, test::repetitions(200) / 4);
  }
}

// Antes put everybody all-in: cards are dealt and shown, nothing else happens, and it is a hand of its own.
TEST(Histories, OfHandsWithoutADecision) {
  const GamePtr game = make_game("holdem[players=2,episode=match,stack=30,ante=20,blinds=[],min_bet=10,big_bet=20]");
  const auto env = game->new_env({.hold_hands = true});
  int without = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    env->reset(seed);
    for (bool decided = false;; decided = false) {
      for (; !env->hand_over(); decided = true) env->step(env->legal_actions().front());
      const std::vector<Event> events = env->events(kOmniscient);
      const HandHistory hand = history_of(*game, {seed, env->hands_finished() - 1, events, {}, {}}, {});
      const bool acts = std::any_of(hand.actions.begin(), hand.actions.end(), [](const HandAction& action) {
        return action.kind == HandAction::Kind::kBetTo || action.kind == HandAction::Kind::kCall ||
               action.kind == HandAction::Kind::kFold;
      });
      EXPECT_EQ(acts, decided);
      for (const Problem& problem : Replayer().check(parse_hand(to_string(hand), "x")))
        ADD_FAILURE() << problem.message;
      without += decided ? 0 : 1;
      if (env->terminated()) break;
      env->next_hand();
    }
  }
  EXPECT_GT(without, 10);
}

TEST(Replays, OfMovesEndWithTheirEpisode) {
  std::string text = play("kuhn", 1);
  EXPECT_EQ(errors(text), "");
  std::string more = text;
  more.replace(more.find("_hand = 0"), 9, "_hand = 1");
  more.replace(more.find("[0-0]"), 5, "[0-1]");
  EXPECT_EQ(errors(text + more), "hand 1 of an episode that is over\n");
}

TEST(Replays, OfMovesFollowEachOther) {
  const std::string text = play("ofc[episode=match,match.hands=3]", 1);
  const std::size_t second = text.find("\n[0-1]") + 1;
  EXPECT_EQ(replay(text).ok, 3);
  EXPECT_NE(errors(text.substr(second)).find("expected the hands before it directly before it"), std::string::npos);
  std::string swapped = text;
  swapped.replace(swapped.find("'p", 0), 3, "'p9");
  EXPECT_NE(errors(swapped), "");
}

// Side pots, short bets, split pots, high and low: played and paid by another program.
TEST(Replays, AgreeWithPokerKit) {
  const FileReplay result = replay_file(kFolder / "pokerkit.phhs");
  EXPECT_EQ(result.hands, 25);
  EXPECT_EQ(result.ok, 25);
  for (const auto& error : result.errors) ADD_FAILURE() << error.hand << ": " << error.message;
}

// PokerKit has replayed what is recorded here and came to the same stacks.
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
    std::string hands = play(spec, 4);
    const std::string name = parse_spec(spec).name + (text.find("'FT'") == std::string::npos ? "-fixed" : "");
    for (std::size_t at = 0; (at = hands.find("\n[", at)) != std::string::npos;) hands.insert(at += 2, name + '-');
    text += '[' + name + '-' + hands.substr(1);
  }
  test::check_recorded(kFolder / "ours.phhs", text);
}

// The standard's codes are kept for what other programs play by the same rules.
TEST(Variants, AreThoseOfTheStandardWhereItHasThem) {
  const auto variant = [](const std::string& spec) {
    const GamePtr game = make_game(spec);
    return variant_of(poker::as_poker(*game)->rules(), game->name());
  };
  EXPECT_EQ(variant("holdem"), "FT");
  EXPECT_EQ(variant("holdem[limit=no_limit]"), "NT");
  EXPECT_EQ(variant("holdem[limit=pot_limit]"), "X-holdem");
  EXPECT_EQ(variant("holdem[jokers=1]"), "X-holdem");
  EXPECT_EQ(variant("stud"), "X-stud");
  EXPECT_EQ(variant("stud[bring_in=3]"), "F7S");
  EXPECT_EQ(variant("stud_hi_lo[bring_in=3]"), "F7S/8");
  EXPECT_EQ(variant("razz[bring_in=3]"), "FR");
  EXPECT_EQ(variant("draw"), "X-draw");
  EXPECT_EQ(variant("deuce_single_draw"), "N2L1D");
  EXPECT_EQ(variant("deuce_single_draw[limit=structured]"), "X-deuce_single_draw");
  EXPECT_EQ(variant("deuce_triple_draw"), "F2L3D");
  EXPECT_EQ(variant("deuce_triple_draw[draws=2]"), "X-deuce_triple_draw");
  EXPECT_EQ(variant("badugi"), "FB");
  EXPECT_EQ(variant("badugi[blinds=[],ante=5]"), "X-badugi");
}

}  // namespace
}  // namespace dealer::phh::replay_test
