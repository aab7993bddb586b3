#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/agent.h"
#include "agents/input_features.h"
#include "dealers_choice.h"
#include "env/core/game.h"
#include "env/hands/evaluator.h"

// Definitions of the opaque handles of the C interface, and helpers that all its functions share.

// NOLINTBEGIN(readability-identifier-naming): the names of include/dealers_choice.h
struct dc_game {
  dealer::GamePtr game;
  std::string unit;

  // Made at the first use.
  const dealer::InputFeatures& inputs() const {
    std::call_once(inputs_made, [&] { made_inputs = std::make_unique<const dealer::InputFeatures>(game); });
    return *made_inputs;
  }
  mutable std::once_flag inputs_made{};
  mutable std::unique_ptr<const dealer::InputFeatures> made_inputs{};
};

struct dc_env {
  std::unique_ptr<dealer::Env> env;
  mutable dealer::Observation seen;  // reused, so that observing allocates nothing
  dealer::Step step;
};

struct dc_vector_env {
  std::unique_ptr<dealer::VectorEnv> envs;
};

struct dc_agents {
  dealer::GamePtr game;
  dealer::AgentFactoryPtr agents;
};

struct dc_agent {
  dealer::GamePtr game;
  std::unique_ptr<dealer::Agent> agent;
  dealer::Seat seat = dealer::kTerminal;  // kTerminal until reset
  dealer::Observation seen;
};

struct dc_evaluator {
  dealer::EvaluatorPtr evaluator;
};
// NOLINTEND(readability-identifier-naming)

namespace dealer::capi {

// Stores the exception in flight for dc_last_error() and returns its status. Call only inside a handler.
dc_status note_exception() noexcept;

// Runs the body of a function of the interface; an exception becomes a status.
template <class Body>
dc_status guard(Body&& body) noexcept {
  try {
    body();
    return DC_OK;
  } catch (...) {
    return note_exception();
  }
}

// Throws UsageError when the pointer is null; `what` is its name in the header.
void need(const void* pointer, std::string_view what);
template <class T>
T& get(T* pointer, std::string_view what) {
  need(pointer, what);
  return *pointer;
}

// Throws UsageError unless the two sizes are equal.
void need_count(std::string_view buffer, std::size_t given, std::size_t expected);
// Throws UsageError unless 0 <= index < end.
void need_index(std::string_view what, std::int64_t index, std::int64_t end);
// Throws UsageError when two games differ in their rules.
void need_same_game(std::string_view what, const Game& given, const Game& expected);

// The reason why a decision is not legal; empty if it is.
std::string illegal_reason(const Decision& decision, LegalMask legal, const AmountRange& amounts, const Game& game);

// Allocates memory for dc_free(). Throws std::bad_alloc.
char* new_text(std::string_view text);
void* new_bytes(std::string_view bytes);
// The same for two results of a function; both pointers must be set. A list is one block: the pointers, followed by the
// texts.
void give_bytes(std::string_view from, void** bytes, std::size_t* size);
void give_list(const std::vector<std::string>& from, char*** names, std::size_t* count);

// Throws UsageError when the sizes are not the game's, or the legal mask or amounts are out of range.
void read_observation(const Game& game, const dc_observation& from, Observation& to);
dc_amounts to_c(const AmountRange& range);
Decision from_c(const dc_decision& decision);
dc_decision to_c(const Decision& decision);

}  // namespace dealer::capi
