#include "arena/imaginary_hands.h"

#include "arena/match_counts.h"
#include "tests/arena/testing.h"
#include "tests/env/harness/random_play.h"

namespace dealer::imaginary_hands_test {
namespace {

using namespace test;
using poker::State;

constexpr const char* kNoLimit = "holdem[limit=no_limit]";

// The agents decide by their cards and seeds: high cards tend to bet, low ones to fold.
AgentFactoryPtr by_cards(const std::shared_ptr<const poker::Game>& game) {
  return std::make_shared<FakeFactory>("by cards", [game] {
    const auto rng = std::make_shared<RandomStream>();
    FakeAgent::Functions own;
    own.reset = [rng](Seat, std::uint64_t seed) { *rng = RandomStream(seed); };
    own.act = [rng, game](const Observation& seen) -> Decision {
      const poker::View view = State::decode(game->rules(), seen.data);
      int liking = static_cast<int>(rng->below(12)) - 16;
      for (const poker::SeenCard& each : view.own().cards) liking += game->rules().deck->card(each.card).rank;
      if (liking > 4 && seen.legal_mask >> poker::kFirstBet != 0) return poker::kFirstBet;
      return liking < -6 && (seen.legal_mask & 1) != 0 ? poker::kFold : poker::kCall;
    };
    return std::make_unique<FakeAgent>(own);
  });
}

// A hand and its players.
struct Played {
  std::unique_ptr<Env> dealt, end;
  std::vector<PlayedDecision> decisions;
  std::array<std::uint64_t, 2> seeds{};
};

Played play(const Game& game, std::span<const AgentFactoryPtr> agents, std::uint64_t seed) {
  Played hand{game.new_env({.hold_hands = true}), game.new_env({.hold_hands = true}), {}, {}};
  hand.dealt->reset(seed);
  hand.end->reset(seed);
  std::array<std::unique_ptr<Agent>, 2> agent;
  for (const Seat seat : {0, 1}) {
    const auto s = at(seat);
    agent[s] = agents[s]->make();
    agent[s]->reset(seat, hand.seeds[s] = derive(seed, 100 + s));
  }
  while (!hand.end->hand_over()) {
    const Seat seat = hand.end->current_player();
    const Decision decision = agent[at(seat)]->act(hand.end->observe(seat));
    hand.decisions.push_back({seat, decision, {}});
    hand.end->step(decision);
  }
  return hand;
}

constexpr std::array<int, 2> kSeats = {0, 1};

// Zero expectation of the correction, so matches stay unbiased, with one agent that has
// a policy and one that does not.
class OtherHandsOf : public testing::TestWithParam<const char*> {};

TEST_P(OtherHandsOf, HaveMeanZero) {
  const auto game = game_of<poker::Game>(GetParam());
  const std::vector<AgentFactoryPtr> agents = {by_cards(game), make_agents("random", game)};
  ImaginaryHands others(game, agents, 8, 2);
  std::array<double, 4> sum{}, squares{};
  const int hands = repetitions(6000);
  for (int i = 0; i < hands; ++i) {
    const Played hand = play(*game, agents, static_cast<std::uint64_t>(i));
    const HandCorrection correction =
        others.measure({*hand.dealt, hand.decisions, kSeats, hand.seeds, derive(7, static_cast<std::uint64_t>(i))});
    const std::array<Correction, 4> all = {correction.hands, correction.cards[0], correction.cards[1],
                                           correction.cards[2]};
    for (std::size_t k = 0; k < all.size(); ++k) {
      const double here = kCorrectionUnit * static_cast<double>(all[k]);
      sum[k] += here;
      squares[k] += here * here;
    }
  }
  for (std::size_t k = 0; k < sum.size(); ++k) {
    EXPECT_GT(squares[k], 0) << k;
    EXPECT_LT(std::abs(sum[k]), 4.5 * std::sqrt(squares[k])) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Games, OtherHandsOf,
                         testing::Values("holdem[limit=no_limit,bets=[1,all_in],stack=600]", "holdem",
                                         "holdem[deck=court_tarot_52]"));

// Replays every pair of hands with which both agents would have acted the same way.
double mean_of_all(const poker::Game& game, const AgentFactoryPtr& maker, const Played& hand) {
  const State dealt = dynamic_cast<const TypedEnv<State>&>(*hand.dealt).state();
  const State end = dynamic_cast<const TypedEnv<State>&>(*hand.end).state();
  const auto dealt_so = [&](Seat seat, CardId low, CardId high, State state) {
    std::array<CardId, kMaxDeckCards> by;
    std::iota(by.begin(), by.end(), CardId{0});
    for (int i = 0; i < 2; ++i) {
      const CardId now = by[dealt.cards(seat)[at(i)]], then = i == 0 ? low : high;
      for (CardId& card : by) card = card == now ? then : card == then ? now : card;
    }
    state.exchange_cards(by);
    return state;
  };
  std::array<std::vector<std::array<CardId, 2>>, 2> possible;
  for (const Seat seat : {0, 1}) {
    const std::unique_ptr<Agent> agent = maker->make();
    for (CardId low = 0; low < 52; ++low) {
      for (CardId high = static_cast<CardId>(low + 1); high < 52; ++high) {
        const auto on_board = [&](CardId card) { return std::count(end.board().begin(), end.board().end(), card) > 0; };
        if (on_board(low) || on_board(high)) continue;
        const auto env = game.new_env({.hold_hands = true});
        dynamic_cast<TypedEnv<State>&>(*env).set_state(dealt_so(seat, low, high, dealt));
        agent->reset(seat, hand.seeds[at(seat)]);
        bool same = true;
        for (const PlayedDecision& each : hand.decisions) {
          if (each.seat == seat) same = same && agent->act(env->observe(seat)) == each.decision;
          env->step(each.decision);
        }
        if (same) possible[at(seat)].push_back({low, high});
      }
    }
  }
  double sum = 0;
  int count = 0;
  for (const auto& first : possible[0]) {
    for (const auto& second : possible[1]) {
      if (std::count(first.begin(), first.end(), second[0]) + std::count(first.begin(), first.end(), second[1]) > 0)
        continue;
      std::array<CardId, 7> cards{}, theirs{};
      for (std::size_t i = 0; i < 5; ++i) cards[i] = theirs[i] = end.board()[i];
      std::copy(first.begin(), first.end(), cards.begin() + 5);
      std::copy(second.begin(), second.end(), theirs.begin() + 5);
      const HandValue a = game.rules().high->evaluate(cards), b = game.rules().high->evaluate(theirs);
      sum += a > b ? 1 : a < b ? -1 : 0;
      ++count;
    }
  }
  return sum / count * end.bets().paid(0);
}

// With all possible hands the correction is exact.
TEST(ImaginaryHands, CountAsOftenAsTheyWouldHaveBeenPlayedSo) {
  const auto game = game_of<poker::Game>("holdem");
  const std::vector<AgentFactoryPtr> agents = {by_cards(game), by_cards(game)};
  ImaginaryHands all(game, agents, 2000, 1);
  int showdowns = 0;
  for (std::uint64_t seed = 0; showdowns < 2; ++seed) {
    const Played hand = play(*game, agents, seed);
    const State& end = dynamic_cast<const TypedEnv<State>&>(*hand.end).state();
    if (end.bets().live_count() < 2 || end.bets().paid(0) < 40) continue;
    ++showdowns;
    const HandCorrection correction = all.measure({*hand.dealt, hand.decisions, kSeats, hand.seeds, 3});
    EXPECT_NEAR(kCorrectionUnit * static_cast<double>(correction.hands),
                end.return_of(0) - mean_of_all(*game, agents[0], hand), 1e-3)
        << "seed " << seed;
  }
}

// An all-in player gets the hand's equity, independent of the remaining cards.
TEST(ImaginaryHands, WhatComesWhenAllAreAllInIsChance) {
  const auto game = game_of<poker::Game>("holdem[limit=no_limit,bets=[all_in]]");
  const auto maker = make_agents("random", game);
  const std::vector<AgentFactoryPtr> agents = {maker, maker};
  ImaginaryHands none(game, agents, 0, 4000);
  Played hand{game->new_env({.hold_hands = true}), game->new_env({.hold_hands = true}), {}, {}};
  // Aces against a pair of kings, in any deal in which two hands can be so.
  State aces;
  aces.reset_and_hold(game->rules(), 1);
  std::array<CardId, kMaxDeckCards> by;
  std::iota(by.begin(), by.end(), CardId{0});
  const auto put = [&](CardId card, CardId then) {
    const CardId now = by[card];
    for (CardId& each : by) each = each == now ? then : each == then ? now : each;
  };
  const auto card = [&](const char* text) { return game->rules().deck->parse(text).front(); };
  put(aces.cards(0)[0], card("As"));
  put(aces.cards(0)[1], card("Ah"));
  put(aces.cards(1)[0], card("Kd"));
  put(aces.cards(1)[1], card("Kc"));
  aces.exchange_cards(by);
  dynamic_cast<TypedEnv<State>&>(*hand.dealt).set_state(aces);
  for (const Action action : {poker::kFirstBet, poker::kCall})
    hand.decisions.push_back({action == poker::kCall ? 1 - aces.current_player() : aces.current_player(), action, {}});
  const HandCorrection correction = none.measure({*hand.dealt, hand.decisions, kSeats, hand.seeds, 3});
  State end = aces;
  for (const PlayedDecision& each : hand.decisions) end.apply_and_hold(each.decision.action);
  // As Ah against Kd Kc wins 81.06% and ties 0.38% of 1,712,304 boards: 0.6251 of a stack of 10,000.
  EXPECT_NEAR(end.return_of(0) - kCorrectionUnit * static_cast<double>(correction.hands), 6250, 200);
  for (const Correction each : correction.cards) EXPECT_EQ(each, 0);
}

MatchOptions with_others(const std::string& game, const Words& agents, std::int64_t deals) {
  MatchOptions options = match(game, agents, deals);
  options.control_variates = 4;
  options.other_hands = 12;
  return options;
}

TEST(OtherHandsThorough, LeaveLessVarianceAndTheSameMean) {
  MatchOptions options = with_others("holdem", {"default", "rule"}, 400);
  options.control_variates = 8;
  options.other_hands = 20;
  const MatchResult result = play_match(options);
  const AgentResult& first = result.agents[0];
  const double difference = std::abs(first.mean() - first.as_dealt.ratio());
  EXPECT_NE(difference, 0);
  EXPECT_LT(difference, 2.3 * (first.ci95() + first.as_dealt.half_width95()) / 2);
  EXPECT_GT(first.as_dealt.variance() / first.points.variance(), 1.4);
  // Later bets increase the stakes, so that the coefficients of all streets exceed 1.
  for (const double scale : result.card_scale) EXPECT_GT(scale, 1);
  EXPECT_EQ(result.agents[0].mean(), -result.agents[1].mean());
}

TEST(ImaginaryHands, AnAgentAgainstItselfHasExactlyNothing) {
  for (const char* agent : {"rule", "default"}) {
    const MatchResult result = play_match(with_others(kNoLimit, {agent, agent}, 40));
    EXPECT_EQ(result.agents[0].mean(), 0);
    EXPECT_EQ(result.agents[0].ci95(), 0);
  }
}

TEST(ImaginaryHands, ThreadsAndTablesChangeNothing) {
  MatchOptions options = with_others(kNoLimit, {"rule", "random"}, 60);
  options.threads = 1;
  options.num_envs = 1;
  const nlohmann::json one = nlohmann::json::parse(without_time(play_match(options)));
  options.threads = 3;
  EXPECT_EQ(nlohmann::json::parse(without_time(play_match(options))), one);
  expect_members(one.at("control_variates"), {{"other_hands", 12}, {"values", "showdown"}});
  EXPECT_EQ(one.at("control_variates").at("card_scale").size(), 3U);
}

TEST(ImaginaryHands, AreRefusedWhereTheyCannotBeDrawn) {
  const std::pair<const char*, const char*> games[] = {
      {"draw", "it is not hold'em"},
      {"ofc", "it is not hold'em"},
      {"holdem[players=3]", "3 players"},
      {"holdem[episode=match,match_hands=4]", "an episode has several hands"},
      {"holdem[low=eight_or_better]", "the pot is split between high and low"},
      {"holdem[deck=washizu_replace_suit]", "cards can be seen through"}};
  for (const auto& [game, why] : games)
    EXPECT_EQ(error_message<UsageError>(
                  [game = game] { play_match(with_others(game, Words(at(make_game(game)->players()), "random"), 1)); }),
              fmt::format("imaginary hands are drawn in heads-up hold'em, not in '{}': {}", game, why));
  MatchOptions options = with_others("holdem", {"rule", "random"}, 1);
  options.other_hands = 2001;
  EXPECT_EQ(error_message<UsageError>([&] { play_match(options); }), "2001 imaginary hands; expected 0 (none) to 2000");
  options.other_hands = 4;
  options.control_variates = 0;
  EXPECT_EQ(error_message<UsageError>([&] { play_match(options); }), "imaginary hands need control variates above 0");
}

// Its decisions depend on its earlier decisions.
TEST(ImaginaryHands, AnAgentThatWouldNotDoItAgainIsNamed) {
  const auto game = game_of<poker::Game>("holdem");
  MatchOptions options = with_others("holdem", {"random", "random"}, 20);
  RandomStream rng(1);
  options.agents[1] = fake_agents("moody", {.act = [&](const Observation& seen) {
                                    return rng() % 4 == 0 && (seen.legal_mask & 1) != 0 ? poker::kFold : poker::kCall;
                                  }});
  EXPECT_EQ(error_message<AgentFailure>([&] { play_match(options); }),
            "agent 'moody' did not repeat its decision, so imaginary hands cannot be weighted by its policy; expected "
            "an agent that is deterministic given its observation and seed");
}

TEST(CardScale, IsThatOfTheRegressionFromOneOn) {
  CardScale scale;
  EXPECT_EQ(scale.find(), (CardScale::Terms{1, 1, 1}));
  // The second term never occurs; the third is independent of the result. With as many deals as the weight of the
  // prior: halfway between 1 and their estimate, whatever the means.
  for (int i = 0; i < 100; ++i) {
    const double first = i % 2 == 0 ? 1 : -1, third = i % 4 < 2 ? 1 : -1;
    scale.add(3 * first + 5, {first + 2, 0, third - 1});
  }
  const CardScale::Terms found = scale.find();
  EXPECT_NEAR(found[0], 2, 1e-6);
  EXPECT_NEAR(found[1], 1, 1e-6);
  EXPECT_NEAR(found[2], 0.5, 1e-6);
}

}  // namespace
}  // namespace dealer::imaginary_hands_test
