#pragma once

// Helpers of most tests of agents and of their training.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/registry.h"
#include "tests/support/error_message.h"
#include "tests/support/temp_folder.h"

namespace dealer::test {

// True if a text has this part.
inline testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << text << "' has no '" << part << "'";
}

// True if f() throws an Error whose message has this part.
template <class Error, class F>
testing::AssertionResult refuses(const std::string& part, F f) {
  return has('|' + error_message<Error>(f), part.empty() ? "|" : part);
}

// A game by its spec, as one of its family.
template <class G>
std::shared_ptr<const G> game_of(std::string_view spec) {
  return std::dynamic_pointer_cast<const G>(make_game(spec));
}

// The observation of the seat to act: at a table, at the first decision of an episode, in a state.
inline Observation seen_at(const Env& env) { return env.observe(env.current_player()); }
inline Observation first_decision(const Game& game, std::uint64_t seed = 1) {
  const auto env = game.new_env();
  env->reset(seed);
  return seen_at(*env);
}
template <class S>
Observation seen_in(const S& state, const Game& game) {
  Observation seen;
  seen.player = state.current_player();
  seen.legal_mask = state.legal_mask();
  seen.data.resize(at(game.observation_spec().size()));
  state.observe(seen.player, seen.data.data());
  return seen;
}

}  // namespace dealer::test
