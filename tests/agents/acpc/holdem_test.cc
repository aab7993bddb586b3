#include "agents/acpc/holdem.h"

#include "agents/acpc/match_state.h"
#include "tests/support/testing.h"

namespace dealer::acpc::holdem_test {
namespace {

class MatchStateLine : public testing::Test {
 protected:
  MatchState parse(const std::string& line) { return parse_match_state(line, *deck_); }
  std::string refusal(const std::string& line) {
    return test::error_message<ParseError>([&] { parse(line); });
  }

  DeckPtr deck_ = Deck::make("standard_52");
};

// From the examples of the specification.
constexpr const char* kExamples[] = {
    "MATCHSTATE:0:0::TdAs|",
    "MATCHSTATE:0:0:rrc/rc/crc/crc:TdAs|8hTc/2c8c3h/9c/Kh",
    "MATCHSTATE:1:1:rrc/rc/rf:|Qd7c/2h8h5c/Th",
    "MATCHSTATE:0:0:cr300:9s8h|",
    "MATCHSTATE:0:30:cc/r250c/r500c/r1250c:9s8h|9c6h/8c8d5c/6s/2d",
    "MATCHSTATE:1:31:r20000c///:JsTc|Ad6h/4hTsAc/7s/3c",
    "MATCHSTATE:2:55:ccc/ccc/ccc/ccc:||Td9d/6c5d9c/4d/Ks",
    "MATCHSTATE:0:0::|",
};

TEST_F(MatchStateLine, ReadsAndWritesTheExamplesOfTheSpecification) {
  for (const char* line : kExamples) EXPECT_EQ(to_string(parse(line), *deck_), line);
}

TEST_F(MatchStateLine, TellsWhoSeesWhat) {
  const MatchState state = parse("MATCHSTATE:1:31:cr300c/r900:|Ad6h/4hTsAc");
  EXPECT_EQ(state.position, 1);
  EXPECT_EQ(state.hand, 31U);
  EXPECT_EQ(state.rounds, (std::vector<std::vector<Move>>{{{'c', 0}, {'r', 300}, {'c', 0}}, {{'r', 900}}}));
  ASSERT_EQ(state.hole.size(), 2U);
  EXPECT_TRUE(state.hole[0].empty());
  EXPECT_EQ(state.hole[1], deck_->parse("Ad 6h"));
  EXPECT_EQ(state.board, (std::vector<std::vector<CardId>>{deck_->parse("4h Ts Ac")}));
}

TEST_F(MatchStateLine, RefusesWhatIsNone) {
  EXPECT_EQ(refusal("STATE:0:0::TdAs|"), "'STATE:0:0::' does not begin with MATCHSTATE:");
  EXPECT_EQ(refusal("MATCHSTATE:x:0::TdAs|"), "the position is not a number");
  EXPECT_EQ(refusal("MATCHSTATE:-1:0::TdAs|"), "the position is not a number");
  EXPECT_EQ(refusal("MATCHSTATE:0x:0::TdAs|"), "the position is not a number");
  EXPECT_EQ(refusal("MATCHSTATE:0:99999999999::TdAs|"), "the number of the hand is too large");
  EXPECT_EQ(refusal("MATCHSTATE:0:1x::TdAs|"), "the number of the hand is not a number");
  EXPECT_EQ(refusal("MATCHSTATE:0"), "a ':' is missing");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:c"), "a ':' is missing");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:cx:TdAs|"), "'x' is not an action; expected f, c or r");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:r99999999999:TdAs|"), "the size of a raise is too large");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:c:Td|"), "'Td' are not 2 cards");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:cc/:TdAs|/2c3c"), "'2c3c' are not 3 cards");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:cc/:TdAs|/2c3cTd"), "Td lies there twice");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:cc/:TdAs|"), "2 rounds of betting and 0 of cards on the board");
  EXPECT_EQ(refusal("MATCHSTATE:0:0::TdAs"), "1 players; expected 2 to 10");
  EXPECT_EQ(refusal("MATCHSTATE:0:0::||||||||||"), "11 players; expected 2 to 10");
  EXPECT_EQ(refusal("MATCHSTATE:2:0::TdAs|"), "position 2 of 2 players");
  EXPECT_TRUE(test::has(refusal("MATCHSTATE:0:0::TdAx|"), "Ax"));
}

TEST_F(MatchStateLine, AnyChangeOfALineIsReadOrRefused) {
  for (const char* example : kExamples) {
    const std::string line = example;
    for (std::size_t i = 0; i < line.size(); ++i)
      for (const char c : std::string("\0:/|crf0A-\x7f ", 13)) {
        std::string changed = line;
        changed[i] = c;
        for (const std::string& text : {changed, line.substr(0, i), line.substr(0, i) + c}) {
          try {
            EXPECT_FALSE(to_string(parse(text), *deck_).empty());
          } catch (const ParseError&) {
          }
        }
      }
  }
}

TEST(AcpcMove, IsALetterAndInNoLimitASize) {
  EXPECT_EQ(to_string(Move{'r', 300}), "r300");
  EXPECT_EQ(to_string(Move{'f', 0}), "f");
  std::string_view text = "r12c";
  EXPECT_EQ(take_move(text), (Move{'r', 12}));
  EXPECT_EQ(text, "c");
  EXPECT_EQ(take_move(text), (Move{'c', 0}));
  EXPECT_THROW(take_move(text), ParseError);
}

std::string definition(const std::string& spec) { return Holdem(make_game(spec)).definition(); }

// The definitions shipped with the competition's dealer program, without their comments.
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
  // Two raises each, as in the game's rules.
  EXPECT_TRUE(test::has(refusal("MATCHSTATE:0:0:r200r300r400r500r600:TdAs|"), "player 2 may not bet or raise then"));
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

// A player who has not shown at the showdown has lost, however weak the board.
TEST(AcpcGame, HandsThatWereNotShownHaveLost) {
  const Holdem holdem(make_game("holdem"));
  const auto net = [&](const std::string& line) {
    const MatchState states = parse_match_state("MATCHSTATE:" + line, holdem.deck());
    const auto own = at(states.position);
    EXPECT_EQ(holdem.net(states)[own], holdem.replay(states).last_hand().net[own]);
    return holdem.net(states)[own];
  };
  EXPECT_EQ(net("0:0:cc/cc/cc/cc:5d4d|/KcKdKh/2s/7c"), 10);
  EXPECT_EQ(net("1:0:cc/cc/cc/cc:|8h7s/2c3d9h/Js/4c"), 10);
  EXPECT_EQ(net("1:0:cc/cc/cc/cc:AhAd|8h7s/2c3d9h/Js/4c"), -10);
  // The weakest unseen hand would tie.
  const Holdem no_limit(make_game("holdem[limit=no_limit]"));
  EXPECT_EQ(no_limit.net(parse_match_state("MATCHSTATE:0:0:cc/cc/cc/cc:3s4s|/2c7d9h/Jc/Kd", no_limit.deck()))[0], 100);
}

// `holdem` allows each player two raises, four in total: servers allow three.
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

// The states that the seats of a table receive.
class TableStates : public testing::TestWithParam<const char*> {
 protected:
  TableStates() : game_(make_game(GetParam())), holdem_(game_), env_(game_->new_env({.hold_hands = true})) {}

  void begin(std::uint64_t seed) {
    env_->reset(seed);
    cursor_ = {};
    writers_.assign(at(game_->players()), MatchStateWriter(holdem_.no_limit()));
    observed_.assign(writers_.size(), {});
    for (Seat seat = 0; seat < game_->players(); ++seat) writer(seat).begin(seat, static_cast<std::uint32_t>(seed));
    on_events();
  }
  void on_events() {
    const EventCursor now = env_->cursor();
    for (Seat seat = 0; seat < game_->players(); ++seat) writer(seat).take(env_->events(seat, cursor_), states(seat));
    cursor_ = now;
  }
  MatchStateWriter& writer(Seat seat) { return writers_[at(seat)]; }
  std::vector<MatchState>& states(Seat seat) { return observed_[at(seat)]; }

  // The seat to act receives everything, and the replayed hand gives the same observation apart from the seat number.
  void expect_same_view() {
    const Seat seat = env_->current_player();
    writer(seat).finish(states(seat));
    const MatchState& state = states(seat).back();
    Observation seen = env_->observe(seat);
    ASSERT_EQ(holdem_.to_act(state), state.position);
    const poker::State again = holdem_.replay(state);
    ASSERT_EQ(again.current_player(), state.position);
    std::vector<float> numbers(seen.data.size());
    again.observe(state.position, numbers.data());
    const ObservationPart& own_seat = *game_->observation_spec().find("seat");
    for (int i = 0; i < own_seat.size(); ++i) numbers[at(own_seat.offset + i)] = seen.data[at(own_seat.offset + i)];
    EXPECT_EQ(numbers, seen.data) << to_string(state, holdem_.deck());
    EXPECT_EQ(again.legal_mask(), seen.legal_mask);
    EXPECT_EQ(again.amount_range(), seen.amounts);
    EXPECT_EQ(writer(seat).to_call(), again.bets().to_call());
    EXPECT_EQ(writer(seat).paid_before(), again.bets().paid(state.position) - again.bets().bet(state.position));
  }

  GamePtr game_;
  Holdem holdem_;
  std::unique_ptr<Env> env_;
  EventCursor cursor_;
  std::vector<MatchStateWriter> writers_;
  std::vector<std::vector<MatchState>> observed_;
};

TEST_P(TableStates, IsTheSameHandForEverybody) {
  RandomStream rng(5);
  int showdowns = 0, folds_for_nothing = 0;
  for (std::uint64_t hand = 0; hand < 400; ++hand) {
    begin(hand);
    std::size_t actions = 0;
    while (!env_->hand_over()) {
      expect_same_view();
      if (HasFatalFailure()) return;
      const Seat seat = env_->current_player();
      const MatchState before = states(seat).back();
      const std::vector<Choice> choices = env_->choices();
      const Choice& choice = choices[rng.below(static_cast<std::uint32_t>(choices.size()))];
      Decision decision(choice.action);
      if (choice.action == kNoAction) {
        const Amount last = (choice.amount.high - choice.amount.low) / choice.amount.step;
        decision = Decision::bet_to(
            choice.amount.low +
            choice.amount.step * static_cast<Amount>(rng.below(static_cast<std::uint32_t>(std::min(last, 3) + 1))));
      }
      // Folds are rare, so that most hands reach a board.
      if (choice.kind == "fold" && rng.below(4) != 0) decision = Decision(poker::kCall);
      const Move move = holdem_.move_of(decision, holdem_.replay(before));
      env_->step(decision);
      ++actions;
      on_events();
      writer(seat).finish(states(seat));
      const MatchState& after = states(seat).back();
      const Move made = after.rounds[before.rounds.size() - 1].back();
      if (made.kind == 'f' && writer(seat).to_call() == 0 && move.kind == 'c')
        ++folds_for_nothing;
      else
        EXPECT_EQ(move, made) << to_string(after, holdem_.deck());
    }
    for (Seat seat = 0; seat < game_->players(); ++seat) {
      writer(seat).finish(states(seat));
      // One state when the cards were dealt and one after every action.
      EXPECT_EQ(states(seat).size(), actions + 1);
      const MatchState& end = states(seat).back();
      EXPECT_EQ(holdem_.to_act(end), -1);
      EXPECT_EQ(parse_match_state(to_string(end, holdem_.deck()), holdem_.deck()), end);
      const poker::State again = holdem_.replay(end);
      ASSERT_TRUE(again.hand_over());
      EXPECT_EQ(again.last_hand().net[at(end.position)], env_->returns()[at(seat)]);
      showdowns += again.last_hand().showdown != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(showdowns, 50);
  EXPECT_GT(folds_for_nothing, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Games, TableStates,
    testing::Values("holdem[show_all=true,raises_per_player=null,raises_per_round=3]",
                    "holdem[show_all=true,limit=no_limit,stack=20000,raises_per_player=null]",
                    "holdem[show_all=true,limit=no_limit,stack=1000,raises_per_player=null]",
                    "holdem[show_all=true,players=3,raises_per_player=null,raises_per_round=3]",
                    "holdem[show_all=true,players=3,limit=no_limit,stack=20000,raises_per_player=null]",
                    "holdem[show_all=true,players=6,limit=no_limit,stack=700,odd_chips=discard]"));

}  // namespace
}  // namespace dealer::acpc::holdem_test
