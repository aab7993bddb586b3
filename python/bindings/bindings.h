#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <tuple>

#include "env/core/game.h"

// The compiled half of the Python package: docs/python.md.
namespace dealer::python {

namespace nb = nanobind;

// Each function adds its classes and functions to the module; the later ones depend on the earlier ones.
void bind_errors(nb::module_& module);
void bind_games(nb::module_& module);
void bind_decisions(nb::module_& module);
void bind_env(nb::module_& module);
void bind_vector_env(nb::module_& module);
void bind_agents(nb::module_& module);
void bind_features(nb::module_& module);
void bind_matches(nb::module_& module);
void bind_cards(nb::module_& module);

// Converts to dicts, lists, texts and numbers.
nb::object to_python(const nlohmann::json& json);
// Events as a list of dicts: docs/events.md.
nb::list to_python(std::span<const Event> events, const Game& game);
// (low, high, step), or None if only actions are legal.
nb::object to_python(const AmountRange& range);

// An array of this shape that owns its data.
template <class T, class... Sizes>
nb::ndarray<nb::numpy, T, nb::ndim<sizeof...(Sizes)>> array_of(std::unique_ptr<T[]> numbers, Sizes... shape) {
  const nb::capsule owner(numbers.get(), [](void* owned) noexcept { delete[] static_cast<T*>(owned); });
  return {numbers.release(), {shape...}, owner};
}

// Accepts a Game or a spec. Throws UsageError on anything else, and the errors of make_game().
GamePtr to_game(nb::handle game);
// Accepts a Decision or an integer, which is an action. Throws UsageError on anything else.
Decision to_decision(nb::handle decision);

}  // namespace dealer::python
