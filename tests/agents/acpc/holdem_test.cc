// Which games servers of the ACPC play, and what they are called there.
#include "agents/acpc/holdem.h"

#include <gtest/gtest.h>

#include <string>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/support/error_message.h"

namespace dealer::acpc::holdem_test {
namespace {

std::string definition(const std::string& spec) { return Holdem(make_game(spec)).definition(); }

// Those that come with the competition's dealer program, without their comments.
TEST(AcpcGame, DefinitionsAreThoseOfTheCompetition) {
  const std::string cards = "numSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND GAMEDEF\n";
  EXPECT_EQ(definition("holdem[raises_per_player=null,raises_per_round=3]"),
            "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 4\nblind = 10 5\nraiseSize = 10 10 20 20\n"
            "firstPlayer = 2 1 1 1\nmaxRaises = 3 4 4 4\n" +
                cards);
  EXPECT_EQ(definition("holdem[players=3,raises_per_player=null,raises_per_round=3]"),
            "GAMEDEF\nlimit\nnumPlayers = 3\nnumRounds = 4\nblind = 5 10 0\nraiseSize = 10 10 20 20\n"
            "firstPlayer = 3 1 1 1\nmaxRaises = 3 4 4 4\n" +
                cards);
  EXPECT_EQ(definition("holdem[limit=no_limit,stack=20000,raises_per_player=null]"),
            "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 4\nstack = 20000 20000\nblind = 100 50\n"
            "firstPlayer = 2 1 1 1\n" +
                cards);
  EXPECT_EQ(definition("holdem[players=3,limit=no_limit,stack=20000,raises_per_player=null]"),
            "GAMEDEF\nnolimit\nnumPlayers = 3\nnumRounds = 4\nstack = 20000 20000 20000\nblind = 50 100 0\n"
            "firstPlayer = 3 1 1 1\n" +
                cards);
}

TEST(AcpcGame, WhatServersDoNotPlayIsRefusedWithTheReason) {
  const auto refusal = [](const std::string& spec) {
    return test::error_message<UsageError>([&] { definition(spec); });
  };
  EXPECT_EQ(refusal("leduc"), "'leduc' is not played on servers of the ACPC; they need game: poker, procedure: holdem");
  const std::pair<const char*, const char*> cases[] = {
      {"draw", "procedure: holdem"},
      {"holdem[episode=match]", "episode: hand, and no tournament"},
      {"holdem[jokers=1]", "deck: standard_52 without jokers"},
      {"holdem[low=eight_or_better]", "ranking: high and no low half"},
      {"holdem[limit=pot_limit]", "limit: structured or no_limit"},
      {"holdem[ante=10]", "two blinds and no ante"},
      {"holdem[blinds=[]]", "two blinds and no ante"},
      {"holdem[limit=no_limit,blinds=[100,200]]", "min_bet: the big blind"},
      {"holdem[check_raise=false]", "check_raise: true"},
      {"holdem[stack=239]", "stack: 240 or more, so that nobody is all-in"},
      {"holdem[raises_per_round=20,raises_per_player=null,stack=500]", "stack: 1260 or more, so that nobody is all-in"},
  };
  for (const auto& [spec, needed] : cases)
    EXPECT_EQ(refusal(spec), "'" + std::string(spec) + "' is not played on servers of the ACPC; they need " + needed);
  EXPECT_NO_THROW(definition("holdem[stack=240]"));
}

TEST(AcpcGame, PositionsThatCannotBeAreRefused) {
  const Holdem holdem(make_game("holdem[limit=no_limit]"));
  const auto refusal = [&](const std::string& line) {
    return test::error_message<ParseError>([&] { holdem.replay(parse_match_state(line, holdem.deck())); });
  };
  EXPECT_EQ(refusal("MATCHSTATE:0:0::TdAs||"), "3 players; 'holdem[limit=no_limit]' is a game of 2");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:r:TdAs|"), "a raise without its size");
  EXPECT_EQ(
      refusal("MATCHSTATE:0:0:r150:TdAs|"),
      "'r150' cannot be played by the rules of 'holdem[limit=no_limit]': an action of the history is not legal: a "
      "bet to 150; expected from 200 to 10000");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:r20000:TdAs|"), "a raise to 20000 in all, more than the stack of 10000");
  // Two raises each, as the game has it.
  EXPECT_NE(refusal("MATCHSTATE:0:0:r200r300r400r500r600:TdAs|").find("player 2 may not bet or raise then"),
            std::string::npos);
  EXPECT_EQ(refusal("MATCHSTATE:0:0:fc:TdAs|"), "an action when nobody has one");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:ccc:TdAs|"), "an action when nobody has one");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:c/c:TdAs|/2c3c4c"),
            "'c/c' cannot be played by the rules of 'holdem[limit=no_limit]'");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:cc//:TdAs|/2c3c4c/5c"),
            "'cc//' cannot be played by the rules of 'holdem[limit=no_limit]'");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:cc/cc/cc/cc/:TdAs|/2c3c4c/5c/6c/7c"), "5 rounds of betting");
  const Holdem limit(make_game("holdem"));
  EXPECT_EQ(test::error_message<ParseError>(
                [&] { limit.replay(parse_match_state("MATCHSTATE:0:0:r20:TdAs|", limit.deck())); }),
            "a raise with a size, in limit");
}

// Whoever has not shown at the showdown has lost, however low the board.
TEST(AcpcGame, HandsThatWereNotShownHaveLost) {
  const Holdem holdem(make_game("holdem"));
  const auto net = [&](const std::string& line) {
    const MatchState told = parse_match_state("MATCHSTATE:" + line, holdem.deck());
    const auto own = static_cast<std::size_t>(told.position);
    EXPECT_EQ(holdem.net(told)[own], holdem.replay(told).last_hand().net[own]);
    return holdem.net(told)[own];
  };
  EXPECT_EQ(net("0:0:cc/cc/cc/cc:5d4d|/KcKdKh/2s/7c"), 10);
  EXPECT_EQ(net("1:0:cc/cc/cc/cc:|8h7s/2c3d9h/Js/4c"), 10);
  EXPECT_EQ(net("1:0:cc/cc/cc/cc:AhAd|8h7s/2c3d9h/Js/4c"), -10);
}

// `holdem` lets each player raise twice, so four times in all: servers three times.
TEST(AcpcGame, AFourthRaiseAndAFoldForNothingAreCalls) {
  const Holdem holdem(make_game("holdem"));
  const auto move = [&](const std::string& betting, Action action) {
    const poker::State state = holdem.replay(parse_match_state("MATCHSTATE:0:0:" + betting, holdem.deck()));
    EXPECT_NE(state.legal_mask() >> action & 1, 0U);
    return to_string(holdem.move_of(action, state));
  };
  EXPECT_EQ(move("rr:TdAs|", poker::kFirstBet), "r");
  EXPECT_EQ(move("rrr:TdAs|", poker::kFirstBet), "c");
  EXPECT_EQ(move("rrr:TdAs|", poker::kFold), "f");
  EXPECT_EQ(move("c:TdAs|", poker::kFold), "c");
  EXPECT_EQ(move("cc/rrr:TdAs|/2c3c4c", poker::kFirstBet), "r");
  EXPECT_EQ(move("cc/crrrr:TdAs|/2c3c4c", poker::kFirstBet), "c");
}

TEST(AcpcGame, WhoIsToActFollowsFromTheMovesAlone) {
  const Holdem two(make_game("holdem[limit=no_limit]")), three(make_game("holdem[players=3]"));
  const auto to_act = [](const Holdem& holdem, const std::string& text) {
    return holdem.to_act(parse_match_state("MATCHSTATE:" + text, holdem.deck()));
  };
  EXPECT_EQ(to_act(two, "0:0::TdAs|"), 1);
  EXPECT_EQ(to_act(two, "0:0:c:TdAs|"), 0);
  EXPECT_EQ(to_act(two, "0:0:cc/:TdAs|/2c3c4c"), 0);
  EXPECT_EQ(to_act(two, "0:0:f:TdAs|"), -1);
  EXPECT_EQ(to_act(two, "0:0:r10000:TdAs|"), 0);
  EXPECT_EQ(to_act(two, "0:0:r10000c///:TdAs|KsKd/2c3c4c/5c/6c"), -1);
  EXPECT_EQ(to_act(two, "0:0:cc/cc/cc/c:TdAs|/2c3c4c/5c/6c"), 1);
  EXPECT_EQ(to_act(two, "0:0:cc/cc/cc/cc:TdAs|/2c3c4c/5c/6c"), -1);
  EXPECT_EQ(to_act(two, "0:0:cc/cc/cc/cr300:TdAs|/2c3c4c/5c/6c"), 0);
  EXPECT_EQ(to_act(two, "0:0:r200r300r400r500r600:TdAs|"), 0);
  EXPECT_EQ(to_act(three, "0:0::TdAs||"), 2);
  EXPECT_EQ(to_act(three, "0:0:f:TdAs||"), 0);
  EXPECT_EQ(to_act(three, "0:0:fcc/c:TdAs||/2c3c4c"), 1);
  EXPECT_EQ(to_act(three, "0:0:ff:TdAs||"), -1);
}

}  // namespace
}  // namespace dealer::acpc::holdem_test
