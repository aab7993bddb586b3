#include "agents/seven_hand/value_agent.h"

#include "agents/encoder.h"
#include "agents/evaluator.h"
#include "agents/seven_hand/chip_odds.h"
#include "agents/seven_hand/layings.h"
#include "env/games/seven_hand/game.h"
#include "env/games/seven_hand/observation_parts.h"
#include "env/hands/hand_rank.h"
#include "tests/agents/seven_hand/seven_hand_support.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/testing.h"

namespace dealer::seven_hand::value_agent_test {
namespace {

SparseNet random_net(std::uint64_t seed, const std::vector<int>& widths = {16, 8}) {
  SparseNet net(feature::kCount, widths, kOutputs);
  RandomStream rng(seed);
  const auto fill = [&](auto& values, float scale) {
    for (float& x : values) x = scale * (2 * rng.uniform() - 1);
  };
  fill(net.sparse().weight, 0.5F);
  for (auto& layer : net.dense()) fill(layer.weight, 0.5F);
  return net;
}

class ValueAgents : public testing::Test {
 protected:
  // Calls f(state, view) at the beginning of every turn of random games.
  template <class F>
  void at_turns(int games, F f) {
    RandomStream rng(9);
    State state;
    for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(games); ++seed)
      for (state.reset(game_->rules(), seed); !state.hand_over();) {
        if (state.picked() == 0 || state.naming()) f(state, state.view(state.current_player()));
        state.apply(test::random_action(state.legal_mask(), rng));
      }
  }

  std::shared_ptr<const Game> game_ = test::game_of<Game>("seven_hand");
  std::shared_ptr<const ValueModel> model_ = std::make_shared<const ValueModel>(
      ValueModel{random_net(1), std::make_shared<const AfterstateFeatures>(game_->rules())});
};

TEST_F(ValueAgents, ValueEveryChoiceAsTheNetworkDoes) {
  TurnEvaluator evaluator(model_->net, *model_->features);
  ReluLayers layers = model_->net.layers();
  std::set<Feature> seen;
  std::int64_t choices = 0;
  at_turns(30, [&](const State& state, const View& view) {
    const std::span<const TurnChoice> valued = evaluator.value(view);
    choices += static_cast<std::int64_t>(valued.size());
    for (const TurnChoice& choice : valued) {
      const FeatureList list = evaluator.features(choice);
      std::set<Feature> active(list.active().begin(), list.active().end());
      ASSERT_EQ(active.size(), at(list.count)) << "a feature twice";
      ASSERT_LT(*active.rbegin(), feature::kCount);
      seen.merge(active);
      float expected = 0;
      model_->net.forward(list.active(), layers, &expected);
      ASSERT_NEAR(choice.value, expected, 1e-4F);
      const LegalMask needed = choice.cards != 0 ? choice.cards : LegalMask{1} << (kFirstChip + choice.chip);
      ASSERT_EQ(needed & ~state.legal_mask(), 0U);
    }
  });
  EXPECT_EQ(evaluator.evaluations(), choices);
  EXPECT_GT(seen.size(), 3000U);
}

TEST_F(ValueAgents, SeeNothingHidden) {
  TurnEvaluator evaluator(model_->net, *model_->features);
  RandomStream rng(4);
  at_turns(10, [&](const State& state, const View& view) {
    const State other = State::Sampler(game_->rules(), test::seen_in(state, *game_).data).draw(rng);
    const auto values = [&](const View& seen) {
      std::vector<float> list;
      for (const TurnChoice& choice : evaluator.value(seen)) list.push_back(choice.value);
      return list;
    };
    ASSERT_EQ(values(view), values(other.view(state.current_player())));
  });
}

// Each part of an afterstate matters: by hand, with all weights of a part zero except one.
TEST_F(ValueAgents, TellTheChipsAndTheHand) {
  State state;
  RandomStream rng(2);
  state.reset(game_->rules(), 3);
  while (!state.naming() || state.turns() < 5) state.apply(test::random_action(state.legal_mask(), rng));
  const View view = state.view(state.current_player());
  const AfterstateFeatures features(game_->rules());
  const auto common = features.common(view);
  int contested = 0;
  for (int chip = 0; chip < kChips; ++chip) {
    if (view.turn[1][at(chip)] != 0) continue;
    FeatureList list;
    features.add_choice(view, common, 0, chip, list);
    const auto between = [&](int begin, int end) {
      return std::count_if(list.active().begin(), list.active().end(),
                           [&](Feature f) { return f >= begin && f < end; });
    };
    const bool mine = view.turn[0][at(chip)] != 0;
    contested += mine ? 1 : 0;
    EXPECT_EQ(between(feature::kContested, feature::kOwner), mine ? 1 : 0);
    EXPECT_EQ(between(feature::kTriple, feature::kKeptCard), kChips - kAdjacent + 1);
    const int own =
        static_cast<int>(std::count_if(view.turn[0].begin(), view.turn[0].end(), [](int t) { return t > 0; }));
    const int shown =
        static_cast<int>(std::count_if(view.owner.begin(), view.owner.end(), [](int o) { return o != kNotYet; }));
    EXPECT_EQ(between(feature::kOwnAlone, feature::kOtherAlone), own - shown - (mine ? 1 : 0));
    EXPECT_EQ(between(feature::kOwner, feature::kTriple), shown);
  }
  EXPECT_GT(contested, 0);
}

TEST_F(ValueAgents, PlayTheBestWholeTurn) {
  const auto agents = make_value_agents("test", model_, game_);
  const auto agent = agents->make();
  TurnEvaluator evaluator(model_->net, *model_->features);
  const auto env = game_->new_env({});
  int last_turns = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    env->reset(seed);
    agent->reset(0, seed);
    CardSet expected = 0;
    while (env->current_player() != kTerminal) {
      const Observation seen = test::seen_at(*env);
      const View view = State::decode(game_->rules(), seen.data);
      const Action action = agent->act(seen).action;
      if (view.naming) {
        ASSERT_EQ(action, kFirstChip + best_of(evaluator.value(view)).chip);
      } else {
        if (view.picked == 0) expected = best_of(evaluator.value(view)).cards;
        ASSERT_EQ(action, actions_of(expected & ~view.picked, view.hand).front());
        if (view.picked == 0 && std::count(view.turn[0].begin(), view.turn[0].end(), 0) == 1) {
          ++last_turns;
          ASSERT_EQ(expected, strongest_laying(view.hand));
        }
        if (view.picked == 0) {
          const double best = static_cast<double>(best_of(evaluator.value(view)).value);
          ASSERT_NEAR(agent->value(seen).value(), best, 1e-6);
        }
      }
      env->step(action);
    }
  }
  EXPECT_GT(last_turns, 5);
}

// The preferred kind of turn is played whenever possible, in its best form; all other decisions are unchanged.
TEST_F(ValueAgents, KeepToWhatTheyPrefer) {
  TurnEvaluator evaluator(model_->net, *model_->features);
  for (const Preference& preference : preferences()) {
    const auto agent = make_value_agents("test", model_, game_, &preference)->make();
    int kept = 0, left = 0;
    at_turns(60, [&](const State& state, const View& view) {
      Observation seen{state.current_player(), {}, state.legal_mask()};
      seen.data.resize(static_cast<std::size_t>(game_->observation_spec().size()));
      state.observe(seen.player, seen.data.data());
      agent->reset(seen.player, 1);
      const Action action = agent->act(seen).action;
      const int waiting = view.pending, turn = 8 - static_cast<int>(std::ranges::count(view.turn[0], 0));
      const auto is_kind = [&](const TurnChoice& choice) {
        const bool middle = choice.chip >= 2 && choice.chip <= 4;
        const bool first = preference.name.starts_with("many") || preference.name == "opposed";
        if (preference.name == "opposed" || preference.name == "empty")
          return view.naming && first == (view.count[0][at(choice.chip)] > 0);
        if (preference.name.ends_with("middle") || preference.name.ends_with("ends"))
          return view.naming && (first ? waiting >= 4 : waiting <= 2) && middle == preference.name.ends_with("middle");
        const bool when = preference.name.ends_with("early") ? turn <= 3 : turn >= 5;
        return !view.naming && when && (first ? size(choice.cards) >= 4 : size(choice.cards) <= 2);
      };
      const TurnChoice* best = nullptr;
      const std::span<const TurnChoice> all = evaluator.value(view);
      for (const bool kind : {true, false})
        for (const TurnChoice& choice : all)
          if ((!kind || is_kind(choice)) && (best == nullptr || (choice.value > best->value && is_kind(*best) == kind)))
            best = &choice;
      EXPECT_EQ(action, view.naming ? kFirstChip + best->chip : actions_of(best->cards, view.hand).front());
      (best->value < best_of(all).value ? kept : left) += 1;
    });
    EXPECT_GT(kept, 5) << preference.name;
    EXPECT_GT(left, 5) << preference.name;
  }
  EXPECT_EQ(make_agents("default[prefers=many_ends]", game_)->spec(), "default[prefers=many_ends]");
  EXPECT_TRUE(test::has(test::error_message<ConfigError>([&] { make_agents("default[prefers=many_end]", game_); }),
                        "many_ends"));
}

// One agent queried about many positions answers like a new one, including the same hand with another line.
TEST_F(ValueAgents, RememberNoOtherPosition) {
  const auto agents = make_value_agents("test", model_, game_);
  const auto agent = agents->make();
  agent->reset(0, 1);
  const auto act = [&](Agent& who, const State& state, int own_count) {
    Observation seen = test::seen_in(state, *game_);
    // Changes the number of cards of the opponent at its chips.
    for (int chip = 0; chip < kChips; ++chip)
      if (float& count = seen.data[at(part::kCount + kChips + chip)]; count > 0)
        count = static_cast<float>(own_count) / kMostLaid;
    return who.act(seen).action;
  };
  int differ = 0;
  at_turns(40, [&](const State& state, const View& view) {
    if (view.naming) return;
    const Action few = act(*agent, state, 1), many = act(*agent, state, kMostLaid);
    EXPECT_EQ(few, act(*agents->make(), state, 1));
    EXPECT_EQ(many, act(*agents->make(), state, kMostLaid));
    differ += few != many ? 1 : 0;
  });
  EXPECT_GT(differ, 5);
}

TEST_F(ValueAgents, ValueTheTurnThatWasPlayed) {
  const auto evaluator = make_evaluator(*make_value_agents("test", model_, game_), *game_);
  ASSERT_TRUE(evaluator->attributes().action_values);
  const auto env = game_->new_env({});
  RandomStream rng(8);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    env->reset(seed);
    while (env->current_player() != kTerminal) {
      const Observation seen = test::seen_at(*env);
      const View view = State::decode(game_->rules(), seen.data);
      // Any two cards of the hand, or any chip.
      std::vector<Action> given = {test::random_action(env->legal_mask(), rng)};
      if (!view.naming && given[0] != kStop) given = actions_of(bit(static_cast<Card>(given[0])), view.hand);
      const ActionValues values = evaluator->action_values(seen, given, 1);
      ASSERT_EQ(values.choices[values.given].actions, given);
      ASSERT_TRUE(std::is_sorted(values.choices.begin(), values.choices.end(),
                                 [](const ChoiceValue& a, const ChoiceValue& b) { return a.value > b.value; }));
      ASSERT_GE(values.difference.value(), 0);
      for (const Action action : given) env->step(action);
    }
  }
}

TEST_F(ValueAgents, AreReadAsTheyWereWritten) {
  const test::TempFolder folder;
  const auto path = folder.path() / "model.safetensors";
  TensorFile file;
  store_net(model_->net, file);
  write_safetensors(path, file);
  const SparseNet read = load_net(read_safetensors(path));
  EXPECT_EQ(read.sparse().weight, model_->net.sparse().weight);
  EXPECT_EQ(read.dense()[1].weight, model_->net.dense()[1].weight);
  EXPECT_EQ(make_agents(path.string(), game_)->make()->explain(game_->new_env({})->observe(0)).empty(), false);

  file.name = "file";
  const auto refused = [&](auto change) {
    TensorFile bad = file;
    change(bad);
    return test::error_message<CheckpointError>([&] { load_net(bad); });
  };
  EXPECT_EQ(refused([](TensorFile& bad) { bad.metadata["format"] = "other"; }),
            "file: no trained 7-Hand player: expected the format 'dealer.seven_hand.afterstate_values.1', got 'other'");
  EXPECT_TRUE(
      test::has(refused([](TensorFile& bad) { bad.tensors.erase("dense.0.weight"); }), "'dense.0.weight' is missing"));
  EXPECT_TRUE(test::has(
      refused([](TensorFile& bad) { std::get<std::vector<float>>(bad.tensors["dense.1.bias"].data)[0] = INFINITY; }),
      "not finite"));
  // All weights so large that sums of them are not finite.
  for (const char* tensor : {"sparse.weight", "dense.0.weight"})
    EXPECT_TRUE(test::has(refused([&](TensorFile& bad) {
                            for (const char* name : {"sparse.weight", "dense.0.weight", "dense.1.weight"}) {
                              auto& weights = std::get<std::vector<float>>(bad.tensors[name].data);
                              std::fill(weights.begin(), weights.end(), std::string(name) == tensor ? 3e38F : 0.5F);
                            }
                          }),
                          "would not be finite"))
        << tensor;
  EXPECT_THROW(make_value_agents("test", model_, make_game("kuhn")), UsageError);
}

class SevenHandFeatures : public testing::Test {
 protected:
  float feature(const std::string& name) const {
    const auto& names = encoder_->names();
    const auto found = std::find(names.begin(), names.end(), name);
    EXPECT_NE(found, names.end()) << name;
    return input_features_.at(at(found - names.begin()));
  }
  void look(const State& state, Seat seat) {
    std::vector<float> numbers(at(game_->observation_spec().size()));
    state.observe(seat, numbers.data());
    input_features_.assign(encoder_->names().size(), -7);
    encoder_->encode(numbers.data(), input_features_.data());
  }
  const GameRules& rules() const { return as_seven_hand(*game_)->rules(); }

  GamePtr game_ = make_game("seven_hand");
  EncoderPtr encoder_ = make_encoder(game_);
  std::vector<float> input_features_;
};

TEST_F(SevenHandFeatures, AreWithinBoundsAtEveryDecision) {
  for (const char* spec : {"seven_hand", "seven_hand[margin=true]"}) {
    game_ = make_game(spec);
    encoder_ = make_encoder(game_);
    const auto& names = encoder_->names();
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(test::repetitions(100)); ++seed) {
      State state;
      state.reset(rules(), seed);
      RandomStream rng(seed, 3);
      while (!state.hand_over()) {
        look(state, state.current_player());
        for (std::size_t i = 0; i < input_features_.size(); ++i) {
          ASSERT_GE(input_features_[i], names[i] == "line" ? -1 : 0) << names[i];
          ASSERT_LE(input_features_[i], 1) << names[i];
        }
        state.apply(test::random_action(state.legal_mask(), rng));
      }
    }
  }
}

TEST_F(SevenHandFeatures, TellGroupsThreatsAndChips) {
  State state = test::dealt(rules(), "As Ks Qs 7c 7d 9s 4d 3h", "2h 2c 4h 5h 6h 7h 8h 9h");
  look(state, 0);
  const auto share = [](const char* hand) {
    return static_cast<float>(laid_hand_cdfs().beats(evaluate(test::cards(hand)), 0));
  };
  EXPECT_EQ(feature("group.1"), share("7c 7d"));
  EXPECT_EQ(feature("group.size.1"), 2.0F / 5);
  EXPECT_EQ(feature("group.2"), share("As"));
  EXPECT_EQ(feature("group.7c"), 1);
  EXPECT_EQ(feature("group.7d"), 1);
  EXPECT_EQ(feature("group.As"), 6.0F / 7);
  EXPECT_EQ(feature("group.Ks"), 5.0F / 7);
  EXPECT_EQ(feature("group.2h"), 0);
  EXPECT_EQ(feature("picked.size"), 0);
  EXPECT_EQ(feature("strength.3"), 0);

  const auto lay = [&](const char* card, int chip) { test::lay(state, test::cards(card), chip); };
  lay("As", 3);
  EXPECT_EQ((look(state, 0), feature("strength.3")), share("As"));
  lay("2c", 3);
  lay("Ks", 5);
  lay("2h", 5);
  ASSERT_EQ(state.chips(0), 2);
  look(state, 0);
  EXPECT_EQ(feature("chance.3"), 1);
  EXPECT_EQ(feature("three.4"), 1);
  EXPECT_EQ(feature("three.2"), 0);
  EXPECT_EQ(feature("three.other.4"), 0);
  EXPECT_GT(feature("line"), 0);
  look(state, 1);
  EXPECT_EQ(feature("chance.3"), 0);
  EXPECT_EQ(feature("three.other.4"), 1);
  EXPECT_LT(feature("line"), 0);

  // Five cards are laid, and seat 1 names: the chip between the two is the worst.
  const CardSet low = state.hand(0) & ~(state.hand(0) - 1);
  state.apply(lowest(low));
  look(state, 0);
  EXPECT_EQ(feature("picked"), static_cast<float>(laid_hand_cdfs().beats(evaluate(low), 0)));
  EXPECT_EQ(feature("picked.size"), 1.0F / 5);
  while (!state.naming()) state.apply(lowest(state.legal_mask()));
  look(state, 1);
  EXPECT_EQ(feature("named.4"), 0);
  float best = 0;
  for (const int chip : {1, 2, 6, 7}) best = std::max(best, feature("named." + std::to_string(chip)));
  EXPECT_EQ(best, 1);
  EXPECT_EQ(feature("named.3"), 0) << "has been taken";
}

}  // namespace
}  // namespace dealer::seven_hand::value_agent_test
