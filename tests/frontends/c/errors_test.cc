#include <algorithm>
#include <bit>
#include <sstream>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>

#include "env/core/registry.h"
#include "tests/frontends/c/c99_calls.h"
#include "tests/frontends/c/c_support.h"

// Wrong arguments: every function says which, and nothing has changed. Threads: each has its own last error.
namespace dealer::errors_test {
namespace {

using test::CAgent;
using test::CAgents;
using test::CEnv;
using test::CEvaluator;
using test::CGame;
using test::CVectorEnv;
using test::open_env;
using test::open_game;
using test::saved;

// Calls a function with each argument that has a name set to NULL, one at a time; "-" stands for those that may be NULL
// or are no pointers.
template <class... Parameters, class... Arguments>
void expect_nulls_named(dc_status (*function)(Parameters...), const std::string& names, Arguments... arguments) {
  const std::tuple<Parameters...> all(arguments...);
  std::istringstream words(names);
  const auto call_without = [&]<std::size_t kIndex>(std::integral_constant<std::size_t, kIndex>) {
    std::string name;
    words >> name;
    if constexpr (std::is_pointer_v<std::tuple_element_t<kIndex, std::tuple<Parameters...>>>) {
      if (name == "-") return;
      auto one_is_null = all;
      std::get<kIndex>(one_is_null) = nullptr;
      EXPECT_EQ(std::apply(function, one_is_null), DC_USAGE) << name << " of " << names;
      EXPECT_EQ(dc_last_error(), name + " is NULL") << names;
    }
  };
  [&]<std::size_t... kIndices>(std::index_sequence<kIndices...>) {
    (call_without(std::integral_constant<std::size_t, kIndices>()), ...);
  }
  (std::index_sequence_for<Parameters...>());
}

// Every pointer of every function that must not be NULL, one at a time.
TEST(CErrors, NameThePointerThatIsNull) {
  const CGame owner = open_game("leduc");
  const CEnv env_owner = open_env(owner);
  const CAgents agents_owner = test::open_agents(owner, "random");
  const CAgent agent_owner = test::open_agent(agents_owner);
  const CEvaluator evaluator_owner = test::open_evaluator("standard_52");
  const CVectorEnv envs_owner =
      test::opened<CVectorEnv>([&](dc_vector_env** envs) { return dc_vector_env_open(owner.get(), 1, 1, 0, envs); });
  EXPECT_DC_OK(dc_agent_reset(agent_owner.get(), 0, 0));
  const dc_game* const game = owner.get();
  dc_env* const env = env_owner.get();
  dc_agents* const agents = agents_owner.get();
  dc_agent* const agent = agent_owner.get();
  const dc_evaluator* const evaluator = evaluator_owner.get();
  dc_vector_env* const envs = envs_owner.get();
  const auto width = static_cast<std::size_t>(test::info_of(owner).observation_size);
  std::vector<float> data(width);
  dc_observation seen = {};
  EXPECT_DC_OK(dc_env_observe(env, 0, data.data(), width, &seen));
  dc_observation no_data = seen;
  no_data.data = nullptr;

  char** names = nullptr;
  char* text = nullptr;
  void* bytes = nullptr;
  std::size_t count = 0;
  const char* name = nullptr;
  dc_game* new_game = nullptr;
  dc_env* new_env = nullptr;
  dc_agents* new_agents = nullptr;
  dc_agent* new_agent = nullptr;
  dc_evaluator* new_evaluator = nullptr;
  dc_vector_env* new_envs = nullptr;
  dc_game_info info = {};
  dc_observation_part part = {};
  dc_position position = {};
  dc_cursor cursor = {};
  dc_decision decision = {};
  dc_batch batch = {};
  dc_hand hand = {};
  dc_setting setting = {};
  dc_match_options options = {};
  const dc_agents* players[2] = {agents, agents};
  std::uint8_t cards[7] = {0, 1, 2, 3, 4, 5, 6};
  std::uint32_t values[1] = {};
  double numbers[8] = {};
  std::int32_t known = 0;
  std::int64_t hands = 0;
  dc_agent_functions functions = {};
  functions.act = [](void*, const dc_observation*, dc_decision*) { return 0; };
  const std::int32_t action = 0;

  expect_nulls_named(dc_game_names, "names count", &names, &count);
  expect_nulls_named(dc_deck_names, "names count", &names, &count);
  expect_nulls_named(dc_ranking_names, "names count", &names, &count);
  expect_nulls_named(dc_game_open, "spec game", "kuhn", &new_game);
  expect_nulls_named(dc_game_get_info, "game info", game, &info);
  expect_nulls_named(dc_game_get_observation_part, "game - part", game, 0, &part);
  expect_nulls_named(dc_game_get_statistic_name, "game - name", game, 0, &name);
  expect_nulls_named(dc_game_card_text, "game - text", game, 0, &text);
  expect_nulls_named(dc_env_open, "game - - env", game, 0, 0, &new_env);
  expect_nulls_named(dc_env_clone, "env clone", env, &new_env);
  expect_nulls_named(dc_env_reset, "env -", env, 0);
  expect_nulls_named(dc_env_step, "env - -", env, decision, nullptr);
  expect_nulls_named(dc_env_next_hand, "env -", env, nullptr);
  expect_nulls_named(dc_env_get_position, "env position", env, &position);
  expect_nulls_named(dc_env_observe, "env - data - -", env, 0, data.data(), width, &seen);
  expect_nulls_named(dc_env_get_returns, "env returns -", env, numbers, 2);
  expect_nulls_named(dc_env_get_statistics, "env - figures -", env, 0, numbers, 2);
  expect_nulls_named(dc_env_choices, "env json", env, &text);
  expect_nulls_named(dc_env_to_text, "env - text", env, 0, &text);
  expect_nulls_named(dc_env_to_json, "env - json", env, 0, &text);
  expect_nulls_named(dc_env_information_state, "env - - -", env, 0, &text, nullptr);
  expect_nulls_named(dc_env_decision_text, "env - text", env, decision, &text);
  expect_nulls_named(dc_env_parse_decision, "env text decision", env, "check", &decision);
  expect_nulls_named(dc_env_serialize, "env bytes size", env, &bytes, &count);
  expect_nulls_named(dc_env_deserialize, "env bytes -", env, "x", 1);
  expect_nulls_named(dc_env_sample, "env observation -", env, &seen, 0);
  expect_nulls_named(dc_env_events, "env - - json -", env, 0, nullptr, &text, nullptr);
  expect_nulls_named(dc_vector_env_open, "game - - - envs", game, 1, 1, 0, &new_envs);
  expect_nulls_named(dc_vector_env_reset, "envs - batch", envs, 0, &batch);
  expect_nulls_named(dc_vector_env_step, "envs actions - batch", envs, &action, 1, &batch);
  expect_nulls_named(dc_vector_env_hands_finished, "envs hands", envs, &hands);
  expect_nulls_named(dc_vector_env_save, "envs bytes size", envs, &bytes, &count);
  expect_nulls_named(dc_vector_env_load, "envs bytes - batch", envs, "x", 1, &batch);
  expect_nulls_named(dc_agents_open, "game spec agents", game, "random", &new_agents);
  expect_nulls_named(dc_agents_from_functions, "game name functions agents", game, "x", &functions, &new_agents);
  expect_nulls_named(dc_agent_open, "agents agent", agents, &new_agent);
  expect_nulls_named(dc_agent_reset, "agent - -", agent, 0, 0);
  expect_nulls_named(dc_agent_act, "agent observation decision", agent, &seen, &decision);
  expect_nulls_named(dc_agent_policy, "agent observation probabilities - known", agent, &seen, numbers, 3, &known);
  expect_nulls_named(dc_agent_value, "agent observation value known", agent, &seen, numbers, &known);
  expect_nulls_named(dc_agent_hears, "agent hears", agent, &known);
  expect_nulls_named(dc_agent_hear, "agent env cursor", agent, env, &cursor);
  expect_nulls_named(dc_match_options_init, "options", &options);
  expect_nulls_named(dc_play_match, "game agents - - json", game, players, 2, &options, &text);
  expect_nulls_named(dc_evaluator_open, "deck - evaluator", "standard_52", nullptr, &new_evaluator);
  expect_nulls_named(dc_evaluator_num_cards, "evaluator cards", evaluator, &known);
  expect_nulls_named(dc_evaluator_card_text, "evaluator - text", evaluator, 0, &name);
  expect_nulls_named(dc_evaluator_parse_cards, "evaluator text cards - count", evaluator, "As", cards, 7, &count);
  expect_nulls_named(dc_evaluate, "evaluator cards - hand", evaluator, cards, 5, &hand);
  expect_nulls_named(dc_evaluator_hand_name, "evaluator cards - name", evaluator, cards, 5, &text);
  expect_nulls_named(dc_evaluate_many, "evaluator - cards - values", evaluator, 5, cards, 1, values);
  expect_nulls_named(dc_evaluator_describe, "evaluator - - hand", evaluator, 0, 5, &hand);
  expect_nulls_named(dc_fantasyland, "game cards - - setting", game, cards, 7, 0, &setting);
  expect_nulls_named(dc_fantasyland_json, "game cards - json", game, "As", 0, &text);
  EXPECT_EQ(dc_env_sample(env, &no_data, 0), DC_USAGE);
  EXPECT_STREQ(dc_last_error(), "observation->data is NULL");
  EXPECT_EQ(dc_env_information_state(env, 0, nullptr, nullptr), DC_USAGE);
  EXPECT_EQ(names, nullptr);
  EXPECT_EQ(text, nullptr);
  EXPECT_EQ(bytes, nullptr);
}

TEST(CErrors, ReleasingNothingIsAllowed) {
  dc_game_free(nullptr);
  dc_env_free(nullptr);
  dc_vector_env_free(nullptr);
  dc_agents_free(nullptr);
  dc_agent_free(nullptr);
  dc_evaluator_free(nullptr);
  dc_free(nullptr);
}

TEST(CErrors, StatusesHaveNames) {
  EXPECT_STREQ(dc_status_name(DC_OK), "ok");
  EXPECT_STREQ(dc_status_name(DC_ILLEGAL_ACTION), "illegal action");
  EXPECT_STREQ(dc_status_name(DC_MEMORY), "memory");
  EXPECT_STREQ(dc_status_name(DC_MEMORY + 1), "unknown");
  EXPECT_STREQ(dc_status_name(-1), "unknown");
}

class CTable : public testing::Test {
 protected:
  void SetUp() override { EXPECT_DC_OK(dc_env_reset(env_.get(), 3)); }
  template <class Call>
  void expect_refused(dc_status status, Call call) {
    const std::string before = saved(env_);
    EXPECT_EQ(call(), status) << dc_last_error();
    EXPECT_STRNE(dc_last_error(), "");
    EXPECT_EQ(saved(env_), before);
  }
  const CGame game_ = open_game("holdem[limit=no_limit]");
  const CEnv env_ = open_env(game_);
};

TEST_F(CTable, RefusesWhatIsNotLegal) {
  const dc_position at = test::position_of(env_);
  ASSERT_GT(at.amounts.high, 0);
  dc_step step = {};
  step.hands_finished = -9;
  for (const dc_decision decision :
       {dc_decision{-2, 0}, dc_decision{63, 0}, dc_decision{64, 0}, dc_decision{DC_NO_ACTION, at.amounts.high + 1},
        dc_decision{DC_NO_ACTION, at.amounts.low - 1}, dc_decision{DC_NO_ACTION, 0}, dc_decision{-2, at.amounts.low}}) {
    expect_refused(DC_ILLEGAL_ACTION, [&] { return dc_env_step(env_.get(), decision, &step); });
    char* text = nullptr;
    expect_refused(DC_ILLEGAL_ACTION, [&] { return dc_env_decision_text(env_.get(), decision, &text); });
    EXPECT_EQ(text, nullptr);
  }
  EXPECT_EQ(step.hands_finished, -9);
  dc_decision decision = {-9, -9};
  expect_refused(DC_ILLEGAL_ACTION, [&] { return dc_env_parse_decision(env_.get(), "raise to 0", &decision); });
  EXPECT_EQ(decision.action, -9);
}

TEST_F(CTable, RefusesSeatsBuffersAndCursors) {
  const auto width = static_cast<std::size_t>(test::info_of(game_).observation_size);
  std::vector<float> data(width + 1, -7);
  dc_observation seen = {};
  for (const int seat : {-1, 2, 1000}) {
    expect_refused(DC_USAGE, [&] { return dc_env_observe(env_.get(), seat, data.data(), width, &seen); });
    char* text = nullptr;
    expect_refused(DC_USAGE, [&] { return dc_env_to_text(env_.get(), seat, &text); });
    expect_refused(DC_USAGE, [&] { return dc_env_to_json(env_.get(), seat, &text); });
    double figures[64];
    expect_refused(DC_USAGE, [&] { return dc_env_get_statistics(env_.get(), seat, figures, 64); });
  }
  for (const std::size_t size : {width - 1, width + 1, std::size_t{0}})
    expect_refused(DC_USAGE, [&] { return dc_env_observe(env_.get(), 0, data.data(), size, &seen); });
  EXPECT_EQ(data, std::vector<float>(width + 1, -7));
  double returns[3] = {-7, -7, -7};
  expect_refused(DC_USAGE, [&] { return dc_env_get_returns(env_.get(), returns, 3); });
  expect_refused(DC_USAGE, [&] { return dc_env_get_statistics(env_.get(), 0, returns, 1); });
  EXPECT_EQ(returns[0], -7);
  const dc_cursor stale = {999, 0, 0};
  char* json = nullptr;
  expect_refused(DC_USAGE, [&] { return dc_env_events(env_.get(), 0, &stale, &json, nullptr); });
  expect_refused(DC_USAGE, [&] { return dc_env_events(env_.get(), 7, nullptr, &json, nullptr); });
  EXPECT_EQ(json, nullptr);
}

TEST_F(CTable, RefusesOptionsAndMoves) {
  dc_env* env = nullptr;
  EXPECT_EQ(dc_env_open(game_.get(), 4, 0, &env), DC_USAGE);
  EXPECT_EQ(dc_env_open(game_.get(), 0, -1, &env), DC_USAGE);
  EXPECT_EQ(env, nullptr);
  expect_refused(DC_USAGE, [&] { return dc_env_next_hand(env_.get(), nullptr); });
}

// One flag at a time: the other must not stand in for it.
TEST(CTableFlags, MeanWhatTheySay) {
  const CGame game = open_game("holdem[episode=match]");
  const auto finish_hand = [&](std::uint32_t flags) {
    CEnv env = open_env(game, flags);
    EXPECT_DC_OK(dc_env_reset(env.get(), 1));
    for (dc_position at = test::position_of(env); at.hand_over == 0 && at.hands_finished == 0;
         at = test::position_of(env))
      EXPECT_DC_OK(dc_env_step(env.get(), {std::countr_zero(at.legal_mask), 0}, nullptr));
    return env;
  };
  const auto events = [](const CEnv& env) {
    const std::string text =
        test::text_of([&](char** json) { return dc_env_events(env.get(), DC_OMNISCIENT, nullptr, json, nullptr); });
    return std::count(text.begin(), text.end(), '{');
  };
  const CEnv plain = finish_hand(0), holding = finish_hand(DC_HOLD_HANDS), keeping = finish_hand(DC_KEEP_EVENTS);
  for (const CEnv* env : {&plain, &holding, &keeping}) EXPECT_EQ(test::position_of(*env).terminated, 0);
  EXPECT_EQ(test::position_of(plain).hand_over, 0);
  EXPECT_EQ(test::position_of(keeping).hand_over, 0);
  EXPECT_EQ(test::position_of(holding).hand_over, 1);
  EXPECT_GT(events(keeping), events(plain));
}

TEST(CErrors, BelongToTheirThread) {
  dc_game* game = nullptr;
  EXPECT_EQ(dc_game_open("hodlem", &game), DC_USAGE);
  const std::string here = dc_last_error();
  std::string before, after;
  std::thread([&] {
    before = dc_last_error();
    dc_game_names(nullptr, nullptr);
    after = dc_last_error();
  }).join();
  EXPECT_EQ(before, "");
  EXPECT_EQ(after, "names is NULL");
  EXPECT_EQ(dc_last_error(), here);
}

// A game, a kind of agents and an evaluator used by many threads at once.
TEST(CThreads, ShareWhatIsConst) {
  const CGame game = open_game("ofc");
  const CAgents agents = test::open_agents(game, "rule");
  const CEvaluator evaluator = test::open_evaluator("standard_52");
  const auto play = [&] {
    std::string story;
    const CEnv env = open_env(game);
    const CAgent agent = test::open_agent(agents);
    EXPECT_DC_OK(dc_env_reset(env.get(), 12));
    std::vector<float> data(static_cast<std::size_t>(test::info_of(game).observation_size));
    for (dc_position at = test::position_of(env); at.current_player != DC_NOBODY; at = test::position_of(env)) {
      dc_observation seen = {};
      dc_decision decision = {};
      EXPECT_DC_OK(dc_agent_reset(agent.get(), at.current_player, 1));
      EXPECT_DC_OK(dc_env_observe(env.get(), at.current_player, data.data(), data.size(), &seen));
      EXPECT_DC_OK(dc_agent_act(agent.get(), &seen, &decision));
      EXPECT_DC_OK(dc_env_step(env.get(), decision, nullptr));
      story += std::to_string(decision.action) + ' ';
    }
    const std::uint8_t cards[] = {0, 4, 8, 12, 17};
    dc_hand hand = {};
    EXPECT_DC_OK(dc_evaluate(evaluator.get(), cards, 5, &hand));
    return story + hand.category;
  };
  const std::string expected = play();
  EXPECT_GT(expected.size(), 50U);
  std::vector<std::string> stories(8);
  std::vector<std::thread> threads;
  threads.reserve(stories.size());
  for (std::string& story : stories) threads.emplace_back([&] { story = play(); });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& story : stories) EXPECT_EQ(story, expected);
}

TEST(CPlain, PlaysAsTheOtherDoes) {
  const GamePtr game = make_game("leduc");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    double returns[2] = {};
    std::int32_t steps = 0;
    EXPECT_DC_OK(c99_play("leduc", seed, returns, 2, &steps));
    const auto env = game->new_env();
    env->reset(seed);
    int played = 0;
    for (; !env->terminated(); ++played) {
      const std::vector<Action> legal = env->legal_actions();
      env->step(Decision(legal[static_cast<std::size_t>(played) % legal.size()]));
    }
    EXPECT_EQ(steps, played);
    EXPECT_EQ(std::vector<double>(returns, returns + 2), env->returns());
  }
  double returns[3] = {};
  std::int32_t steps = 0;
  EXPECT_EQ(c99_play("leduc", 0, returns, 3, &steps), DC_USAGE);
}

}  // namespace
}  // namespace dealer::errors_test
