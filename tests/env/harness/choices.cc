// Choices in all their representations: actions, texts, amounts, JSON.
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "env/core/error.h"
#include "tests/env/harness/game_harness.h"
#include "tests/env/harness/random_play.h"

namespace dealer::test {
namespace {

bool of_an_amount(const Choice& choice) { return choice.action == kNoAction; }

void check_list(const Env& env) {
  const std::vector<Choice> choices = env.choices();
  const std::vector<Action> legal = env.legal_actions();
  const AmountRange range = env.amount_range();
  std::size_t actions = 0;
  for (const Choice& choice : choices) {
    ASSERT_FALSE(choice.text.empty());
    ASSERT_FALSE(choice.kind.empty());
    if (of_an_amount(choice)) {
      ASSERT_EQ(&choice, &choices.back());
      ASSERT_EQ(choice.amount, range);
      continue;
    }
    ASSERT_EQ(choice.action, legal.at(actions++));
    ASSERT_EQ(env.action_to_string(choice.action), choice.text);
    if (choice.amount.empty()) continue;
    ASSERT_EQ(choice.amount.low, choice.amount.high);
    // Bets of a fixed size have an amount, too, where no amount may be named.
    ASSERT_TRUE(range.empty() || range.contains(choice.amount.low)) << choice.text;
  }
  ASSERT_EQ(actions, legal.size());
  ASSERT_EQ(range.empty(), choices.empty() || !of_an_amount(choices.back()));
  if (range.empty()) return;
  ASSERT_GT(range.low, 0);
  ASSERT_LE(range.low, range.high);
  ASSERT_GT(range.step, 0);
  ASSERT_EQ((range.high - range.low) % range.step, 0);
}

void check_json(const Env& env) {
  const Game& game = env.game();
  for (Seat seat = 0; seat < game.players(); ++seat) {
    const nlohmann::json json = env.to_json(seat);
    ASSERT_EQ(json["game"], game.name());
    ASSERT_TRUE(json["options"].is_object());
    ASSERT_EQ(json["seat"], seat);
    const Seat to_act = env.current_player();
    ASSERT_EQ(json["to_act"], to_act == kTerminal ? nlohmann::json(nullptr) : nlohmann::json(to_act));
    ASSERT_EQ(json["hand_over"], env.hand_over());
    ASSERT_EQ(json["terminated"], env.terminated());
    const std::size_t choices = seat == to_act ? env.choices().size() : 0;
    ASSERT_EQ(json["legal"].size(), choices);
    for (std::size_t i = 0; i < choices; ++i) {
      const Choice choice = env.choices()[i];
      ASSERT_EQ(json["legal"][i]["text"], choice.text);
      ASSERT_EQ(json["legal"][i]["kind"], std::string(choice.kind));
      ASSERT_EQ(json["legal"][i].contains("max"), of_an_amount(choice));
      ASSERT_EQ(json["legal"][i]["index"].is_null(), of_an_amount(choice));
    }
    const nlohmann::json& table = json["table"];
    ASSERT_EQ(table["players"].size(), static_cast<std::size_t>(game.players()));
    for (const auto& player : table["players"]) ASSERT_TRUE(player["cards"].is_array()) << player.dump();
    // Plain JSON: it survives a round trip.
    ASSERT_EQ(nlohmann::json::parse(json.dump()), json);
  }
}

// Bots get a position sampled from the observation: its choices must be those of the real one.
void check_seen_again(const Env& env, Env& other) {
  const Seat seat = env.current_player();
  if (seat == kTerminal) return;
  other.sample_state(env.observe(seat), 3);
  nlohmann::json real = env.to_json(seat), drawn = other.to_json(seat);
  // Numbered within the episode, of which an observation contains only the hand in progress.
  real.erase("hand");
  drawn.erase("hand");
  ASSERT_EQ(drawn, real);
  ASSERT_EQ(other.choices().size(), env.choices().size());
  ASSERT_EQ(other.amount_range(), env.amount_range());
}

void check_refused_amounts(Env& env) {
  const AmountRange range = env.amount_range();
  const std::string before = env.serialize();
  std::vector<Amount> wrong = {-1, 0, std::numeric_limits<Amount>::min(), std::numeric_limits<Amount>::max()};
  if (range.empty()) {
    wrong.push_back(1);
  } else {
    wrong.insert(wrong.end(), {range.low - 1, range.high + 1, -range.low});
    if (range.step > 1) wrong.push_back(range.low + 1);
  }
  for (const Amount amount : wrong) ASSERT_THROW(env.step(Decision::bet_to(amount)), IllegalAction) << amount;
  ASSERT_EQ(env.serialize(), before);
}

}  // namespace

void check_choices(const Game& game, int hands) {
  const auto env = game.new_env({.hold_hands = true}), other = game.new_env();
  for_episodes(*env, hands, 12, [&](std::uint64_t, RandomStream& rng) {
    std::vector<double> won(static_cast<std::size_t>(game.players()));
    const auto add = [&](const Step& step) {
      for (std::size_t seat = 0; seat < won.size(); ++seat) won[seat] += step.rewards[seat];
    };
    // The hand dealt by reset() may be over at once; its rewards are only in the returns.
    won = env->returns();
    for (int i = 0; i < kMaxSteps; ++i) {
      check_list(*env);
      if (rng.below(8) == 0 || env->hand_over()) check_json(*env);
      if (rng.below(4) == 0) check_seen_again(*env, *other);
      if (rng.below(8) == 0) check_refused_amounts(*env);
      if (testing::Test::HasFailure()) return;
      if (env->hand_over()) {
        for (Seat seat = 0; seat < game.players(); ++seat) {
          const Statistics figures = env->statistics(seat);
          ASSERT_EQ(figures.size(), game.statistic_names().size());
          for (std::size_t f = 0; f < figures.size(); ++f) ASSERT_EQ(figures[f].name, game.statistic_names()[f]);
        }
        if (env->terminated()) break;
        add(env->next_hand());
        continue;
      }
      const Decision decision = random_decision(*env, rng);
      const std::string text = env->decision_to_string(decision);
      // The amount of an action reads as that action; they are the same decision.
      const auto by_text = env->clone();
      const Step step = env->step(decision);
      const Step same = by_text->step(by_text->parse_decision(text));
      ASSERT_EQ(same.rewards, step.rewards);
      ASSERT_EQ(by_text->serialize(), env->serialize()) << text;
      add(step);
    }
    const std::vector<double> returns = env->returns();
    ASSERT_EQ(won, returns);
    if (game.zero_sum()) {
      ASSERT_EQ(std::accumulate(returns.begin(), returns.end(), 0.0), 0);
    }
  });
}

}  // namespace dealer::test
