#pragma once

#include <fmt/format.h>

#include <utility>

#include "env/core/error.h"
#include "env/core/typed_game.h"
#include "env/games/ofc/game.h"
#include "env/games/poker/game.h"
#include "env/games/seven_hand/game.h"
#include "env/games/small/game.h"

namespace dealer {
namespace detail {

template <class S, class... More, class F>
decltype(auto) visit_as(const Game& game, F&& f) {
  if (const auto* typed = dynamic_cast<const TypedGame<S>*>(&game)) return std::forward<F>(f)(*typed);
  if constexpr (sizeof...(More) > 0) {
    return visit_as<More...>(game, std::forward<F>(f));
  } else {
    throw UsageError(fmt::format("'{}' is not a game whose states are known here", game.spec()));
  }
}

}  // namespace detail

// Calls f with the TypedGame of a game, so that a template gets its rules and states: f must return the same type for
// all of them. A new game adds its state here, and its observe_hand() (env/core/observed_hand.h). Throws UsageError for
// games registered by a user's own program.
template <class F>
decltype(auto) visit(const Game& game, F&& f) {
  return detail::visit_as<ofc::State,         //
                          poker::State,       //
                          seven_hand::State,  //
                          small::State>(game, std::forward<F>(f));
}

}  // namespace dealer
