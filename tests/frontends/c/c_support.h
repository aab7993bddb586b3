#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "dealers_choice.h"
#include "tests/support/texts.h"

namespace dealer::test {

#define EXPECT_DC_OK(call) EXPECT_EQ(call, DC_OK) << dc_last_error()

// Handles that release themselves.
template <auto Free>
struct Freer {
  template <class T>
  void operator()(T* handle) const {
    Free(handle);
  }
};
using CGame = std::unique_ptr<dc_game, Freer<dc_game_free>>;
using CEnv = std::unique_ptr<dc_env, Freer<dc_env_free>>;
using CVectorEnv = std::unique_ptr<dc_vector_env, Freer<dc_vector_env_free>>;
using CAgents = std::unique_ptr<dc_agents, Freer<dc_agents_free>>;
using CAgent = std::unique_ptr<dc_agent, Freer<dc_agent_free>>;
using CEvaluator = std::unique_ptr<dc_evaluator, Freer<dc_evaluator_free>>;

// The handle that call(T**) makes.
template <class Owner, class Call>
Owner opened(Call call) {
  typename Owner::pointer handle = nullptr;
  EXPECT_DC_OK(call(&handle));
  return Owner(handle);
}
inline CGame open_game(const std::string& spec) {
  return opened<CGame>([&](dc_game** game) { return dc_game_open(spec.c_str(), game); });
}
inline CEnv open_env(const CGame& game, std::uint32_t flags = 0, std::int64_t max_steps = 0) {
  return opened<CEnv>([&](dc_env** env) { return dc_env_open(game.get(), flags, max_steps, env); });
}
inline CAgents open_agents(const CGame& game, const std::string& spec) {
  return opened<CAgents>([&](dc_agents** agents) { return dc_agents_open(game.get(), spec.c_str(), agents); });
}
inline CAgent open_agent(const CAgents& agents) {
  return opened<CAgent>([&](dc_agent** agent) { return dc_agent_open(agents.get(), agent); });
}
inline CEvaluator open_evaluator(const std::string& deck, const char* ranking = nullptr) {
  return opened<CEvaluator>(
      [&](dc_evaluator** evaluator) { return dc_evaluator_open(deck.c_str(), ranking, evaluator); });
}

// The text that call(char**) makes.
template <class Call>
std::string text_of(Call call) {
  char* text = nullptr;
  EXPECT_DC_OK(call(&text));
  std::string copy = text == nullptr ? "(none)" : text;
  dc_free(text);
  return copy;
}
// The bytes that call(void**, size_t*) makes.
template <class Call>
std::string bytes_of(Call call) {
  void* bytes = nullptr;
  std::size_t size = 0;
  EXPECT_DC_OK(call(&bytes, &size));
  std::string copy(static_cast<const char*>(bytes), size);
  dc_free(bytes);
  return copy;
}
// The list that call(char***, size_t*) makes.
template <class Call>
std::vector<std::string> list_of(Call call) {
  char** texts = nullptr;
  std::size_t count = 0;
  EXPECT_DC_OK(call(&texts, &count));
  std::vector<std::string> copy(texts, texts + count);
  dc_free(texts);
  return copy;
}

inline dc_game_info info_of(const CGame& game) {
  dc_game_info info = {};
  EXPECT_DC_OK(dc_game_get_info(game.get(), &info));
  return info;
}
inline dc_position position_of(const CEnv& env) {
  dc_position position = {};
  EXPECT_DC_OK(dc_env_get_position(env.get(), &position));
  return position;
}
inline std::string saved(const CEnv& env) {
  return bytes_of([&](void** bytes, std::size_t* size) { return dc_env_serialize(env.get(), bytes, size); });
}

}  // namespace dealer::test
