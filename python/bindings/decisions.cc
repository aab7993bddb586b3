#include <fmt/format.h>

#include "env/core/error.h"
#include "python/bindings/bindings.h"

namespace dealer::python {
namespace {

using Floats = nb::ndarray<nb::numpy, const float, nb::ndim<1>>;
// Seat, numbers, legal actions; low, high and step of the amounts.
using ObservationState = std::tuple<Seat, std::vector<float>, LegalMask, Amount, Amount, Amount>;

std::string text_of(const Decision& decision) {
  return decision.is_amount() ? fmt::format("Decision.bet_to({})", decision.amount)
                              : fmt::format("Decision({})", decision.action);
}

int index_of(const Decision& decision) {
  if (decision.is_amount())
    throw UsageError(fmt::format("{} is not an action but an amount; give the decision itself", text_of(decision)));
  return decision.action;
}

void bind_decision(nb::module_& module) {
  nb::class_<Decision>(module, "Decision", "A player's decision: an action, or an amount to bet to.")
      .def(
          "__init__", [](Decision* self, nb::handle action) { new (self) Decision(to_decision(action)); },  //
          nb::arg("action"), nb::sig("def __init__(self, action: int | Decision) -> None"))
      .def_static("bet_to", &Decision::bet_to, nb::arg("total"),
                  "Bets so that the player has put in this total, in chips, in the round of betting.")
      .def_prop_ro(
          "action",
          [](const Decision& decision) {
            return decision.is_amount() ? std::nullopt : std::optional<Action>(decision.action);
          },
          "The action's number; None for an amount.")
      .def_prop_ro(
          "amount",
          [](const Decision& decision) {
            return decision.is_amount() ? std::optional<Amount>(decision.amount) : std::nullopt;
          },
          "The total, in chips; None for an action.")
      .def("__index__", &index_of, "The action's number. Raises UsageError for an amount.")
      .def("__int__", &index_of)
      .def(
          "__eq__",
          [](const Decision& decision, nb::handle other) {
            return nb::isinstance<Decision>(other) && decision == nb::cast<Decision>(other);
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object) -> bool"))
      .def("__hash__", [](const Decision& decision) { return decision.action * 1'000'003 + decision.amount; })
      .def("__getstate__", [](const Decision& decision) { return std::tuple(decision.action, decision.amount); })
      .def("__setstate__",
           [](Decision& decision, const std::tuple<Action, Amount>& state) {
             new (&decision) Decision(std::get<0>(state));
             decision.amount = std::get<1>(state);
           })
      .def("__repr__", &text_of);
}

void bind_observation(nb::module_& module) {
  nb::class_<Observation>(module, "Observation", "What a seat knows, and its legal actions. Data only.")
      .def_ro("player", &Observation::player, "The seat that observes.")
      .def_prop_ro(
          "data",
          [](const Observation& observation) {
            return Floats(observation.data.data(), {observation.data.size()}, nb::find(observation));
          },
          nb::rv_policy::reference_internal, "float32 [observation_size]; Game.observation_parts says what they mean.")
      .def_ro("legal_mask", &Observation::legal_mask, "Bit a: action a is legal. 0 unless the seat is to act.")
      .def("legal_actions", &Observation::legal_actions, "The legal actions, sorted.")
      .def_prop_ro(
          "amounts", [](const Observation& observation) { return to_python(observation.amounts); },
          nb::sig("def amounts(self) -> tuple[int, int, int] | None"),
          "(low, high, step) of the totals, in chips, that may be bet to beside the actions; None where none may.")
      .def("__getstate__",
           [](const Observation& seen) {
             return ObservationState(seen.player, seen.data, seen.legal_mask, seen.amounts.low, seen.amounts.high,
                                     seen.amounts.step);
           })
      .def("__setstate__",
           [](Observation& seen, const ObservationState& state) {
             const auto& [player, data, legal, low, high, step] = state;
             new (&seen) Observation{player, data, legal, {low, high, step}};
           })
      .def("__repr__", [](const Observation& observation) {
        return fmt::format("Observation(player={}, {} numbers, {} legal actions)", observation.player,
                           observation.data.size(), observation.legal_actions().size());
      });
}

}  // namespace

void bind_decisions(nb::module_& module) {
  bind_decision(module);
  bind_observation(module);
}

}  // namespace dealer::python
