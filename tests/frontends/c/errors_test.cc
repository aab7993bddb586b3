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

// Wrong arguments: every function names the argument, and nothing changes. Threads: each has its own last error.
namespace dealer::test::errors_test {
namespace {

// One valid object of each kind, and valid numbers; other pointers refer to empty values.
using Given =
    std::tuple<const dc_game*, dc_env*, const dc_env*, const dc_agents*, dc_agent*, const dc_evaluator*, dc_vector_env*,
               const dc_vector_env*, const dc_observation*, const dc_agent_functions*, const char*, const void*>;

template <class T, class... Known>
constexpr bool is_in(const std::tuple<Known...>*) {
  return (std::is_same_v<T, Known> || ...);
}
template <class T>
T argument(const Given& given, int number) {
  if constexpr (is_in<T>(static_cast<const Given*>(nullptr))) {
    return std::get<T>(given);
  } else if constexpr (std::is_pointer_v<T>) {
    static std::remove_const_t<std::remove_pointer_t<T>> empty{};
    return &empty;
  } else if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(number);
  } else {
    return T{};
  }
}

// Calls a function with each named argument set to NULL, one at a time; "-" marks those that may be NULL or are no
// pointers.
template <class... Parameters>
void expect_nulls_named(dc_status (*function)(Parameters...), const std::string& names, const Given& given,
                        int number) {
  const std::tuple<Parameters...> all(argument<Parameters>(given, number)...);
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
  const CGame game = open_game("leduc");
  const CEnv env = open_env(game);
  const CAgents agents = open_agents(game, "random");
  const CAgent agent = open_agent(agents);
  const CEvaluator evaluator = open_evaluator("standard_52");
  const CVectorEnv envs =
      opened<CVectorEnv>([&](dc_vector_env** made) { return dc_vector_env_open(game.get(), 1, 1, 0, made); });
  EXPECT_DC_OK(dc_agent_reset(agent.get(), 0, 0));
  std::vector<float> data(static_cast<std::size_t>(info_of(game).observation_size));
  dc_observation seen = {};
  EXPECT_DC_OK(dc_env_observe(env.get(), 0, data.data(), data.size(), &seen));
  dc_agent_functions functions = {};
  functions.act = [](void*, const dc_observation*, dc_decision*) { return 0; };
  Given given = {game.get(), env.get(),  env.get(), agents.get(), agent.get(), evaluator.get(),
                 envs.get(), envs.get(), &seen,     &functions,   "check",     "bytes"};
  const auto expect = [&](const std::string& names, auto function, int number = 1) {
    expect_nulls_named(function, names, given, number);
  };

  expect("names count", dc_game_names);
  expect("names count", dc_deck_names);
  expect("names count", dc_ranking_names);
  expect("spec game", dc_game_open);
  expect("game info", dc_game_get_info);
  expect("game - part", dc_game_get_observation_part);
  expect("game - name", dc_game_get_statistic_name);
  expect("game - text", dc_game_card_text);
  expect("game - - env", dc_env_open);
  expect("env clone", dc_env_clone);
  expect("env -", dc_env_reset);
  expect("env - -", dc_env_step);
  expect("env -", dc_env_next_hand);
  expect("env position", dc_env_get_position);
  expect("env - data - -", dc_env_observe);
  expect("env returns -", dc_env_get_returns);
  expect("env - figures -", dc_env_get_statistics);
  expect("env json", dc_env_choices);
  expect("env - text", dc_env_to_text);
  expect("env - json", dc_env_to_json);
  expect("env - - -", dc_env_information_state);
  expect("env - text", dc_env_decision_text);
  expect("env text decision", dc_env_parse_decision);
  expect("env bytes size", dc_env_serialize);
  expect("env bytes -", dc_env_deserialize);
  expect("env observation -", dc_env_sample);
  expect("env - - json -", dc_env_events);
  expect("game - - - envs", dc_vector_env_open);
  expect("envs - batch", dc_vector_env_reset);
  expect("envs actions - batch", dc_vector_env_step);
  expect("envs hands", dc_vector_env_hands_finished);
  expect("envs bytes size", dc_vector_env_save);
  expect("envs bytes - batch", dc_vector_env_load);
  expect("game spec agents", dc_agents_open);
  expect("game name functions agents", dc_agents_from_functions);
  expect("agents agent", dc_agent_open);
  expect("agent - -", dc_agent_reset);
  expect("agent observation decision", dc_agent_act);
  expect("agent observation probabilities - known", dc_agent_policy, 3);
  expect("agent observation value known", dc_agent_value);
  expect("agent hears", dc_agent_hears);
  expect("agent env cursor", dc_agent_hear);
  expect("options", dc_match_options_init);
  expect("game agents - - json", dc_play_match);
  expect("deck - evaluator", dc_evaluator_open);
  expect("evaluator cards", dc_evaluator_num_cards);
  expect("evaluator - text", dc_evaluator_card_text);
  expect("evaluator text cards - count", dc_evaluator_parse_cards);
  expect("evaluator cards - hand", dc_evaluate);
  expect("evaluator cards - name", dc_evaluator_hand_name);
  expect("evaluator - cards - values", dc_evaluate_many, 5);
  expect("evaluator - - hand", dc_evaluator_describe);
  expect("game cards - - setting", dc_fantasyland);
  std::get<const char*>(given) = "As";
  expect("game cards - json", dc_fantasyland_json);
  seen.data = nullptr;
  EXPECT_EQ(dc_env_sample(env.get(), &seen, 0), DC_USAGE);
  EXPECT_STREQ(dc_last_error(), "observation->data is NULL");
  EXPECT_EQ(dc_env_information_state(env.get(), 0, nullptr, nullptr), DC_USAGE);
}

TEST(CErrors, StatusesHaveNamesAndReleasingNothingIsAllowed) {
  for (const auto& [status, name] : {std::pair<dc_status, const char*>(DC_OK, "ok"),
                                     {DC_ILLEGAL_ACTION, "illegal action"},
                                     {DC_MEMORY, "memory"},
                                     {DC_MEMORY + 1, "unknown"},
                                     {-1, "unknown"}})
    EXPECT_STREQ(dc_status_name(status), name);
  dc_game_free(nullptr);
  dc_env_free(nullptr);
  dc_vector_env_free(nullptr);
  dc_agents_free(nullptr);
  dc_agent_free(nullptr);
  dc_evaluator_free(nullptr);
  dc_free(nullptr);
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
  const dc_position at = position_of(env_);
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
  const auto width = static_cast<std::size_t>(info_of(game_).observation_size);
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

// One flag at a time: the other must not have the same effect.
TEST(CTableFlags, MeanWhatTheySay) {
  const CGame game = open_game("holdem[episode=match]");
  const auto finish_hand = [&](std::uint32_t flags) {
    CEnv env = open_env(game, flags);
    EXPECT_DC_OK(dc_env_reset(env.get(), 1));
    for (dc_position at = position_of(env); at.hand_over == 0 && at.hands_finished == 0; at = position_of(env))
      EXPECT_DC_OK(dc_env_step(env.get(), {std::countr_zero(at.legal_mask), 0}, nullptr));
    return env;
  };
  const auto events = [](const CEnv& env) {
    const std::string text =
        text_of([&](char** json) { return dc_env_events(env.get(), DC_OMNISCIENT, nullptr, json, nullptr); });
    return std::count(text.begin(), text.end(), '{');
  };
  const CEnv plain = finish_hand(0), holding = finish_hand(DC_HOLD_HANDS), keeping = finish_hand(DC_KEEP_EVENTS);
  for (const CEnv* env : {&plain, &holding, &keeping}) EXPECT_EQ(position_of(*env).terminated, 0);
  EXPECT_EQ(position_of(plain).hand_over, 0);
  EXPECT_EQ(position_of(keeping).hand_over, 0);
  EXPECT_EQ(position_of(holding).hand_over, 1);
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
  const CAgents agents = open_agents(game, "rule");
  const CEvaluator evaluator = open_evaluator("standard_52");
  const auto play = [&] {
    std::string story;
    const CEnv env = open_env(game);
    const CAgent agent = open_agent(agents);
    EXPECT_DC_OK(dc_env_reset(env.get(), 12));
    std::vector<float> data(static_cast<std::size_t>(info_of(game).observation_size));
    for (dc_position at = position_of(env); at.current_player != DC_NOBODY; at = position_of(env)) {
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
  double returns[3] = {};
  std::int32_t steps = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_DC_OK(c99_play("leduc", seed, returns, 2, &steps));
    const auto env = make_game("leduc")->new_env();
    env->reset(seed);
    std::size_t played = 0;
    for (; !env->terminated(); ++played) {
      const std::vector<Action> legal = env->legal_actions();
      env->step(Decision(legal[played % legal.size()]));
    }
    EXPECT_EQ(steps, static_cast<std::int32_t>(played));
    EXPECT_EQ(std::vector<double>(returns, returns + 2), env->returns());
  }
  EXPECT_EQ(c99_play("leduc", 0, returns, 3, &steps), DC_USAGE);
}

}  // namespace
}  // namespace dealer::test::errors_test
