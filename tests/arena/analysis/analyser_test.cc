// Conversion of a hand's decisions to turns with the seats' information, and the values of decisions: playouts against
// exact values, and against the overall strength of agents.
#include "arena/analysis/analyser.h"

#include "arena/analysis/playout_analyser.h"
#include "arena/analysis/turns.h"
#include "env/games/poker/game.h"
#include "env/games/poker/script.h"
#include "tests/arena/analysis/analysis_support.h"

namespace dealer::analysis::analyser_test {
namespace {

using namespace test;

Analysers analysers(const std::string& game, const std::string& agent, std::int64_t simulations = 0,
                    bool sampled = false) {
  AnalyserOptions options;
  options.agent = agent;
  options.simulations = simulations;
  options.sampled = sampled;
  return make_analysers(make_game(game), options);
}

// Compares every value of every choice by playouts with the exact one, in units of its standard error.
void compare_with_exact(const std::string& game, const std::string& agent) {
  SCOPED_TRACE(game + " " + agent);
  const auto exact = analysers(game, agent).make(), sampled = analysers(game, agent, 600, true).make();
  int compared = 0, far = 0;
  double squares = 0;
  for (const RecordedHand& hand : record(game, {"random"}, 25, 4))
    for (const Turn& turn : turns_of(hand)) {
      if (turn.forced) continue;
      const Judgement right = exact->judge(turn.question, 1);
      const Judgement found = sampled->judge(turn.question, derive(7, static_cast<std::uint64_t>(compared)));
      ASSERT_EQ(right.verdict == Verdict::kUnjudged, found.verdict == Verdict::kUnjudged) << right.why << found.why;
      if (right.verdict == Verdict::kUnjudged) continue;
      EXPECT_EQ(right.method, "exact");
      EXPECT_EQ(found.method, "playouts");
      std::map<std::string, double> value;
      for (const JudgedChoice& choice : right.choices) value[choice.text] = *choice.value;
      for (const JudgedChoice& choice : found.choices) {
        ++compared;
        const double off = *choice.value - value.at(choice.text);
        if (choice.error == 0) {
          EXPECT_NEAR(off, 0, 1e-9) << choice.text;
          continue;
        }
        squares += off * off / (choice.error * choice.error);
        far += std::abs(off) > 3 * choice.error ? 1 : 0;
      }
      // The agent's favourite less the chosen one, and the agent's mixture less it.
      const double loss = value.at(found.choices[found.agent].text) - value.at(found.choices[found.chosen].text);
      EXPECT_NEAR(*found.difference, loss, 4.5 * found.error + 1e-9);
      if (found.agent == found.chosen) {
        EXPECT_EQ(found.error, 0) << "the same cards come after both";
      }
      EXPECT_EQ(*found.loss, *found.difference > 1e-9 ? *found.difference : 0);
      EXPECT_NEAR(*found.cost, *right.cost, 4.5 * found.cost_error + 1e-9);
    }
  EXPECT_GT(compared, 40);
  EXPECT_LE(far, 2 + compared / 50);
  // Errors are as small as their standard errors say.
  EXPECT_LT(squares / compared, 2);
}

TEST(Analyser, PlayoutsAgreeWithExactValues) {
  for (const char* agent : {"random", "rule"})
    for (const char* game : {"kuhn", "leduc"}) compare_with_exact(game, agent);
  compare_with_exact("leduc", "default");
}

// A player that folds loses what it has paid in this hand, independent of earlier hands.
TEST(Analyser, ValuesAreOfTheHandAlone) {
  const auto judge = analysers("draw[episode=match,match_hands=4]", "random", 20).make();
  int compared = 0;
  for (const RecordedHand& hand : record("draw[episode=match,match_hands=4]", {"random"}, 3, 4, true)) {
    const auto env = hand.table->clone();
    for (const Turn& turn : turns_of(hand)) {
      const Judgement judgement = judge->judge(turn.question, 1);
      const double before = hand.table->returns()[at(turn.seat)];
      for (const JudgedChoice& choice : judgement.choices) {
        if (choice.text != "fold" || before == 0) continue;
        ++compared;
        const auto folded = env->clone();
        folded->step(env->parse_decision("fold"));
        EXPECT_NEAR(*choice.value, folded->returns()[at(turn.seat)] - before, 1e-9);
      }
      env->step(turn.question.chosen.front());
    }
  }
  EXPECT_GT(compared, 5);
}

// The costs of a player's decisions sum to its loss against the agent: there is no other source of loss.
TEST(Analyser, CostsAddUpToTheResult) {
  for (const char* game : {"kuhn", "leduc"}) {
    const Analysis analysis = analysed(record(game, {"rule", "default"}, 2000, 8), "default");
    const studies::Estimate cost = figures_of(analysis, "rule").cost_per_hand;
    const GamePtr made = make_game(game);
    const tabular::GameTree tree(*made);
    const double right = -mean_against(tree, tabular::policy_of(tree, *make_agents("rule", made)->make()),
                                       tabular::policy_of(tree, *make_agents("default", made)->make()));
    EXPECT_GT(right, 0.02);
    EXPECT_NEAR(cost.value, right, 2 * cost.ci95) << game;
    EXPECT_LT(cost.ci95, right) << game;
    // And a player that follows the agent's policy loses nothing.
    const studies::Estimate own = figures_of(analysis, "default").cost_per_hand;
    EXPECT_NEAR(own.value, 0, 0.02 * right) << game;
    EXPECT_LT(figures_of(analysis, "default").loss_per_hand.value, 0.3 * right) << game;
    EXPECT_GT(figures_of(analysis, "rule").mistakes, 50) << game;
    EXPECT_LT(figures_of(analysis, "default").mistakes, figures_of(analysis, "rule").mistakes / 20) << game;
  }
}

// Two deals that the seat cannot distinguish get the same judgement, bit for bit.
TEST(Analyser, HiddenCardsHaveNoPart) {
  for (const char* game : {"holdem", "draw", "stud"}) {
    const auto judge = analysers(game, "random", 50).make();
    int compared = 0;
    for (const RecordedHand& hand : record(game, {"rule"}, 6, 21)) {
      const auto& typed = static_cast<const poker::Game&>(hand.table->game());
      std::size_t turn_number = 0;
      for (const Turn& turn : turns_of(hand)) {
        const std::size_t before = turn_number++;
        RandomStream rng(77, before);
        const poker::State other = poker::State::Sampler(typed.rules(), turn.question.seen.data).draw(rng);
        const auto dealt = poker::first_decision(other);
        ASSERT_TRUE(dealt);
        RecordedHand changed = hand;
        const auto table = typed.new_env({.hold_hands = true});
        static_cast<TypedEnv<poker::State>&>(*table).set_state(*dealt);
        changed.table = table->clone();
        // Others' discards follow from the sampled hand.
        changed.decisions.clear();
        for (std::size_t i = 0; i < before; ++i) {
          const auto& state = static_cast<const TypedEnv<poker::State>&>(*table).state();
          Decision decision = hand.decisions[i];
          const Seat seat = state.current_player();
          if (state.drawing() && seat != turn.seat) {
            const int draw = state.street() - (typed.rules().streets - typed.rules().draws);
            unsigned mask = 0;
            for (int d = 0; d < other.discard_count(draw, seat); ++d)
              for (std::size_t c = 0; c < state.cards(seat).size(); ++c)
                if (state.cards(seat)[c] == other.discarded(draw, seat, d).card) mask |= 1U << c;
            decision = typed.rules().first_discard() + static_cast<Action>(mask);
          }
          changed.decisions.push_back(decision);
          table->step(decision);
        }
        changed.decisions.push_back(hand.decisions[before]);
        const std::vector<Turn> again = turns_of(changed);
        ASSERT_EQ(again.size(), before + 1);
        EXPECT_EQ(again.back().question.seen.data, turn.question.seen.data);
        const Judgement a = judge->judge(turn.question, 3), b = judge->judge(again.back().question, 3);
        ASSERT_EQ(a.loss.has_value(), b.loss.has_value());
        if (!a.loss) continue;
        ++compared;
        EXPECT_EQ(*a.loss, *b.loss);
        EXPECT_EQ(*a.cost, *b.cost);
      }
    }
    EXPECT_GT(compared, 10) << game;
  }
}

// The agent's improbable choices count, too: of 32 random discards eight are valued individually.
TEST(Analyser, CostsAreAgainstTheWholePolicy) {
  const auto judge = analysers("draw", "random", 700).make();
  int asked = 0;
  double squares = 0, left_out = 0;
  for (const RecordedHand& hand : record("draw", {"rule"}, 3, 2)) {
    for (const Turn& turn : turns_of(hand)) {
      if (turn.question.choices.size() != 32) continue;
      // The same hidden hands and random numbers for every choice.
      const Judgement judgement = judge->judge(turn.question, 3);
      double all = 0, observed = 0, share = 0;
      for (const Choice& choice : turn.question.choices) {
        Question question = turn.question;
        question.chosen = {choice.action};
        const Judgement one = judge->judge(question, 3);
        all += *one.choices[one.chosen].value / 32;
      }
      ASSERT_LE(judgement.choices.size(), 9U);
      for (const JudgedChoice& choice : judgement.choices) {
        observed += *choice.probability * *choice.value;
        share += *choice.probability;
      }
      const double chosen = *judgement.choices[judgement.chosen].value;
      const double off = *judgement.cost - (all - chosen);
      EXPECT_LT(std::abs(off), 4 * judgement.cost_error);
      squares += off * off;
      left_out += std::pow(observed / share - all, 2);
      ++asked;
      break;
    }
  }
  EXPECT_EQ(asked, 3);
  EXPECT_LT(squares, 0.2 * left_out);
}

TEST(Analyser, SaysWhichAgentsCanAnalyse) {
  const auto expect = [](const std::string& game, const std::string& agent, const char* why,
                         std::int64_t simulations = 0, bool sampled = false) {
    EXPECT_TRUE(refuses<UsageError>(why, [&] { analysers(game, agent, simulations, sampled); }));
  };
  expect("ofc", "exec:cat", "agent 'exec:cat' provides no values of choices in 'ofc'; expected a trained agent");
  expect("ofc", "default[simulations=100]",
         "has a search budget of its own; omit either that or --simulations and --time", 50);
  // Tree search tries its choices on different samples.
  for (const char* agent : {"search[algorithm=ismcts]", "default[simulations=9,algorithm=ismcts]"})
    expect("seven_hand", agent,
           "cannot analyse: tree search does not compare choices on common random numbers; expected");
  expect("ofc", "search[simulatons=9]", "simulatons");
  expect("ofc", "default[threads=2,candidats=9]", "candidats");
  expect("ofc", "default[candidates=1]", "candidates: 1 is not allowed");
  expect("ofc", "default", "--sampled needs playouts, but agent 'default' values the choices of 'ofc' without them", 0,
         true);
  const std::tuple<const char*, const char*, int, const char*> judges[] = {
      {"ofc", "default", 0, "network"},
      {"ofc", "default", 20, "search"},
      {"ofc", "search[simulations=20]", 0, "search"},
      {"seven_hand", "default", 0, "network"},
      {"leduc", "default", 0, "exact"},
      {"leduc", "default", 100, "playouts"},
      {"holdem", "rule", 0, "playouts"}};
  for (const auto& [game, agent, simulations, method] : judges)
    EXPECT_EQ(analysers(game, agent, simulations).method, method) << game << ' ' << agent;
  for (const char* game : {"ofc", "seven_hand"}) EXPECT_EQ(analysers(game, "rule").agent, "rule[simulations=1000]");
}

TEST(Analyser, SaysWhatCannotBeAnalysed) {
  // The heuristic agent never takes some actions: the range of a player that does is undefined.
  for (const bool sampled : {false, true}) {
    const auto judge = analysers("kuhn", "rule", sampled ? 50 : 0, sampled).make();
    int unjudged = 0, judged = 0;
    for (const RecordedHand& hand : record("kuhn", {"random"}, 60, 3))
      for (const Turn& turn : turns_of(hand)) {
        const Judgement judgement = judge->judge(turn.question, 0);
        if (judgement.verdict != Verdict::kUnjudged) {
          ++judged;
          continue;
        }
        ++unjudged;
        EXPECT_FALSE(judgement.loss || judgement.difference || judgement.cost);
        EXPECT_EQ(judgement.why, "the opponents acted as the agent never would, so it cannot infer their cards");
      }
    EXPECT_GT(unjudged, 5);
    EXPECT_GT(judged, 60);
  }
}

// Means of weighted sums over unequal clusters, against the explicit formulas.
TEST(ChoiceMeans, AreRatiosWithTheirErrors) {
  const std::vector<double> positions = {1, 2, 1, 3}, first = {1e9 + 2, 2e9 + 1, 1e9 - 3, 3e9 + 4},
                            second = {1e9, 2e9 - 2, 1e9 + 1, 3e9};
  ChoiceMeans means(std::vector<std::vector<double>>{{1, 0}, {1, -1}});
  for (std::size_t i = 0; i < 4; ++i) means.add(positions[i], std::vector<double>{first[i], second[i]});
  EXPECT_EQ(means.cases(), 4U);
  const auto slow = [&](const std::vector<double>& values) {
    double sum = 0, count = 0, squares = 0;
    for (std::size_t i = 0; i < 4; ++i) sum += values[i], count += positions[i];
    for (std::size_t i = 0; i < 4; ++i) squares += std::pow(values[i] - sum / count * positions[i], 2);
    return std::pair(sum / count, std::sqrt(squares * 4 / 3) / count);
  };
  EXPECT_NEAR(means.mean(0).value, slow(first).first, 1e-6);
  EXPECT_NEAR(means.mean(0).error, slow(first).second, 1e-6);
  const std::vector<double> difference = {2, 3, -4, 4};
  EXPECT_NEAR(means.mean(1).value, 5.0 / 7, 1e-6);
  EXPECT_NEAR(means.mean(1).error, slow(difference).second, 1e-6);
  ChoiceMeans one(std::vector<std::vector<double>>{{1}});
  one.add(2, std::vector<double>{6});
  EXPECT_EQ(one.mean(0).value, 3);
  EXPECT_TRUE(std::isinf(one.mean(0).error));
}

Judgement judgement_of(double loss, double error, double chance) {
  Judgement judgement;
  judgement.choices = {{"a", 1 - chance, 1.0, 0}, {"b", chance, 1.0 - loss, 0}};
  judgement.chosen = 1;
  judgement.difference = loss;
  judgement.error = error;
  return judgement;
}

TEST(Verdict, FollowsLossNoiseAndPolicy) {
  const auto verdict = [](double loss, double error, double chance, double doubt) {
    Judgement judgement = judgement_of(loss, error, chance);
    settle(judgement, doubt);
    return judgement.verdict;
  };
  const std::tuple<double, double, double, double, Verdict> cases[] = {
      {0, 1, 0, 0, Verdict::kSame},        {1, 0.4, 0, 0, Verdict::kMistake},    {1, 0.6, 0, 0, Verdict::kUnclear},
      {1, 0.4, 0.11, 0, Verdict::kAlso},   {1, 0.4, 0.09, 0, Verdict::kMistake}, {0.2, 0, 0, 0.25, Verdict::kUnclear},
      {0.3, 0, 0, 0.25, Verdict::kMistake}};
  for (const auto& [loss, error, chance, doubt, expected] : cases)
    EXPECT_EQ(verdict(loss, error, chance, doubt), expected) << loss << ' ' << error << ' ' << chance;
  for (const double difference : {0.0, -0.7}) {
    Judgement no_worse = judgement_of(difference, 0, 0);
    settle(no_worse, 0);
    EXPECT_EQ(no_worse.verdict, Verdict::kSame);
    EXPECT_EQ(no_worse.best, no_worse.chosen);
    EXPECT_EQ(*no_worse.loss, 0);
    EXPECT_EQ(*no_worse.difference, difference);
  }
}

TEST(Turns, OfOfcAreWholeStreets) {
  for (const RecordedHand& hand : record("ofc", {"random"}, 20, 3)) {
    std::map<Seat, int> streets;
    for (const Turn& turn : turns_of(hand)) {
      EXPECT_EQ(turn.street, streets[turn.seat]++);
      EXPECT_EQ(turn.question.seen.player, turn.seat);
      EXPECT_LE(turn.question.chosen.size(), turn.street == 0 ? 5U : 3U);
      EXPECT_FALSE(turn.text.empty());
    }
    EXPECT_EQ(streets[0], 5);
    EXPECT_EQ(streets[1], 5);
  }
}

TEST(Turns, OfAFantasylandHandAreOneBesideTheStreetsOfTheOther) {
  bool seen = false;
  for (const RecordedHand& hand : record("ofc", {"rule"}, 40, 5, true)) {
    std::map<Seat, int> count;
    std::map<Seat, std::size_t> most;
    for (const Turn& turn : turns_of(hand)) {
      ++count[turn.seat];
      most[turn.seat] = std::max(most[turn.seat], turn.question.chosen.size());
    }
    for (const auto& [seat, turns] : count)
      if (turns == 1 && most[seat] > 5) {
        seen = true;
        EXPECT_TRUE(count[1 - seat] == 5 || count[1 - seat] == 1);
      }
  }
  EXPECT_TRUE(seen);
}

TEST(Turns, OfSevenHandEndWithTheCardsLaid) {
  for (const RecordedHand& hand : record("seven_hand", {"random"}, 10, 3))
    for (const Turn& turn : turns_of(hand)) {
      const bool names = turn.question.choices.front().kind == "name";
      if (names) {
        EXPECT_EQ(turn.question.chosen.size(), 1U);
      }
      for (std::size_t i = 0; i + 1 < turn.question.chosen.size(); ++i)
        EXPECT_LT(turn.question.chosen[i].action, turn.question.chosen[i + 1].action) << "cards in order, then stop";
    }
}

TEST(Turns, KeepWhatOthersThrewAwayToThemselves) {
  int others = 0, own = 0;
  for (const RecordedHand& hand : record("draw", {"rule"}, 30, 9))
    for (const Turn& turn : turns_of(hand))
      for (const PastDecision& past : turn.question.before) {
        if (past.seat == turn.seat) {
          EXPECT_EQ(past.seen.size(), turn.question.seen.data.size());
          own += past.drawing ? 1 : 0;
          continue;
        }
        EXPECT_TRUE(past.seen.empty());
        if (past.drawing) {
          ++others;
          EXPECT_EQ(past.decision, Decision());
        } else {
          EXPECT_NE(past.decision, Decision());
        }
      }
  EXPECT_GT(others, 10);
  EXPECT_GT(own, 10);
}

TEST(Turns, SayWhatWasChosenAndSeen) {
  const std::vector<RecordedHand> hands = record("leduc", {"random"}, 1, 2);
  const std::vector<Turn> turns = turns_of(hands.front());
  ASSERT_FALSE(turns.empty());
  const auto env = hands.front().table->clone();
  for (const Turn& turn : turns) {
    EXPECT_EQ(turn.text, env->decision_to_string(turn.question.chosen.front()));
    EXPECT_EQ(turn.table, env->to_string(turn.seat));
    EXPECT_EQ(turn.forced, env->legal_actions().size() == 1);
    EXPECT_EQ(turn.question.seen.data, env->observe(turn.seat).data);
    env->step(turn.question.chosen.front());
  }
  EXPECT_TRUE(env->hand_over());
}

}  // namespace
}  // namespace dealer::analysis::analyser_test
