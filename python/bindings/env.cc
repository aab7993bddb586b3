#include "env/core/env.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "agents/give_up.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "python/bindings/bindings.h"

namespace dealer::python {
namespace {

std::unique_ptr<Env> new_env(nb::handle spec, bool hold_hands, bool keep_events, std::int64_t max_steps) {
  if (max_steps < 0) throw UsageError(fmt::format("max_steps of {}; expected 0 (no limit) or more", max_steps));
  return to_game(spec)->new_env({hold_hands, keep_events, max_steps});
}

// The observation and the legal actions, in the format of other libraries' environments.
nb::tuple observe_arrays(const Env& env, Seat player) {
  static thread_local Observation observation;
  env.observe(player, observation);
  auto floats = std::make_unique<float[]>(observation.data.size());
  std::ranges::copy(observation.data, floats.get());
  const auto actions = static_cast<std::size_t>(env.game().num_actions());
  auto legal = std::make_unique<std::int8_t[]>(actions);
  for (std::size_t a = 0; a < actions; ++a) legal[a] = static_cast<std::int8_t>(observation.legal_mask >> a & 1);
  return nb::make_tuple(array_of(std::move(floats), observation.data.size()), array_of(std::move(legal), actions));
}

nb::dict to_dict(const Choice& choice, const Game& game) {
  nb::dict dict;
  dict["action"] = choice.action == kNoAction ? nb::none() : nb::object(nb::int_(choice.action));
  dict["text"] = choice.text;
  dict["kind"] = choice.kind;
  nb::list cards;
  for (const CardId card : choice.cards) cards.append(game.card_to_string(card));
  dict["cards"] = cards;
  dict["amount"] = to_python(choice.amount);
  return dict;
}

nb::list choices(const Env& env) {
  nb::list list;
  for (const Choice& choice : env.choices()) list.append(to_dict(choice, env.game()));
  return list;
}

nb::dict statistics(const Env& env, Seat player) {
  nb::dict dict;
  for (const Statistic& figure : env.statistics(player))
    dict[figure.name] = nb::make_tuple(figure.numerator, figure.denominator);
  return dict;
}

nb::tuple cursor_of(const Env& env) {
  const EventCursor cursor = env.cursor();
  return nb::make_tuple(cursor.episode, cursor.hand, cursor.next);
}

nb::list events(const Env& env, Viewer viewer, const nb::object& since) {
  EventCursor cursor;
  if (!since.is_none()) {
    const auto parts = nb::cast<std::vector<std::int64_t>>(since);
    if (parts.size() != 3) throw UsageError("since is not a cursor; expected what cursor() has returned");
    cursor = {static_cast<std::uint32_t>(parts[0]), static_cast<std::int32_t>(parts[1]),
              static_cast<std::int32_t>(parts[2])};
  }
  return to_python(env.events(viewer, cursor), env.game());
}

nb::tuple options_of(const Env& env) {
  const EnvOptions& options = env.options();
  return nb::make_tuple(options.hold_hands, options.keep_events, options.max_steps);
}

void set_state(Env& env, const nb::bytes& bytes) { env.deserialize({bytes.c_str(), bytes.size()}); }
nb::bytes get_state(const Env& env) {
  const std::string bytes = env.serialize();
  return nb::bytes(bytes.data(), bytes.size());
}

using StepState = std::tuple<std::vector<double>, bool, bool, int>;

void bind_step(nb::module_& module) {
  nb::class_<Step>(module, "Step", "The result of one step.")
      .def_ro("rewards", &Step::rewards, "One a seat, for this step, in the game's unit.")
      .def_ro("terminated", &Step::terminated, "The episode is over.")
      .def_ro("truncated", &Step::truncated, "It was cut off by max_steps.")
      .def_ro("hands_finished", &Step::hands_finished, "Hands that ended with this step.")
      .def("__getstate__",
           [](const Step& step) {
             return StepState(step.rewards, step.terminated, step.truncated, step.hands_finished);
           })
      .def("__setstate__",
           [](Step& step, const StepState& state) {
             const auto& [rewards, terminated, truncated, hands] = state;
             new (&step) Step{rewards, terminated, truncated, hands};
           })
      .def("__repr__", [](const Step& step) {
        return fmt::format("Step(rewards={}, terminated={}, truncated={}, hands_finished={})",
                           nb::cast<std::string>(nb::repr(nb::cast(step.rewards))), step.terminated ? "True" : "False",
                           step.truncated ? "True" : "False", step.hands_finished);
      });
}

// Adds the index of a choice under its Python name.
nb::object to_json(const Env& table, Seat player) {
  nlohmann::json json = table.to_json(player);
  for (nlohmann::json& choice : json["legal"]) choice["action"] = choice["index"];
  return to_python(json);
}

using Class = nb::class_<Env>;

void bind_play(Class& env) {
  env.def(nb::new_(&new_env), nb::arg("spec"), nb::kw_only(), nb::arg("hold_hands") = false,
          nb::arg("keep_events") = false, nb::arg("max_steps") = 0)
      .def("reset", nb::overload_cast<std::uint64_t>(&Env::reset), nb::arg("seed"),
           "Deals anew; the same seed (0 to 2**64-1) deals the same cards.")
      .def(
          "step", [](Env& table, nb::handle decision) { return table.step(to_decision(decision)); },
          nb::arg("decision"), nb::sig("def step(self, decision: int | Decision) -> Step"),
          "Plays a decision of the player to act. Raises IllegalAction, and changes nothing, when it is not legal.")
      .def("next_hand", &Env::next_hand, "With hold_hands: deals the next hand of the episode.")
      .def(
          "stand_in", [](const Env& table) { return give_up(table); },
          "The first legal choice of fold, check, call and the action with the lowest number.")
      .def("sample_state", &Env::sample_state, nb::arg("observation"), nb::arg("seed"),
           "Replaces all that the observer cannot know by a random draw that agrees with the observation.");
}

void bind_looking(Class& env) {
  env.def_prop_ro("game",
                  [](const Env& table) { return std::const_pointer_cast<Game>(table.game().shared_from_this()); })
      .def_prop_ro("current_player", &Env::current_player, "The seat to act; -1 when nobody is.")
      .def_prop_ro("hand_over", &Env::hand_over, "Held at the end of a hand, or the episode is over.")
      .def_prop_ro("terminated", &Env::terminated, "No hand follows.")
      .def_prop_ro("truncated", &Env::truncated, "Cut off by max_steps.")
      .def_prop_ro("hands_finished", &Env::hands_finished, "Since reset().")
      .def_prop_ro("legal_mask", &Env::legal_mask, "Bit a: action a is legal. 0 when nobody is to act.")
      .def("legal_actions", &Env::legal_actions, "Sorted; empty when nobody is to act.")
      .def_prop_ro(
          "amounts", [](const Env& table) { return to_python(table.amount_range()); },
          nb::sig("def amounts(self) -> tuple[int, int, int] | None"),
          "(low, high, step) of the totals, in chips, that may be bet to beside the actions; None where none may.")
      .def("choices", &choices, nb::sig("def choices(self) -> list[dict[str, Any]]"),
           "Legal choices as dicts {action, text, kind, cards, amount}; a range of amounts has the action None.")
      .def(
          "observe", [](const Env& table, Seat player) { return table.observe(player); }, nb::arg("player"))
      .def("observe_arrays", &observe_arrays, nb::arg("player"),
           nb::sig("def observe_arrays(self, player: int) -> "
                   "tuple[NDArray[numpy.float32], NDArray[numpy.int8]]"),
           "New arrays: the observation [observation_size], and [num_actions] 1 where an action is legal.")
      .def("returns", &Env::returns, "Of each seat since reset(), in the game's unit.")
      .def("statistics", &statistics, nb::arg("player"),
           nb::sig("def statistics(self, player: int) -> dict[str, tuple[float, float]]"),
           "Figures of the last finished hand: name to (numerator, denominator).");
}

void bind_text(Class& env) {
  env.def("events", &events, nb::arg("viewer"), nb::arg("since") = nb::none(),
          nb::sig("def events(self, viewer: int, since: tuple[int, int, int] | None = None) -> list[dict[str, Any]]"),
          "The events since a cursor, as seen by a seat, a spectator (-1) or an observer of all cards (-2).")
      .def_prop_ro("cursor", &cursor_of, nb::sig("def cursor(self) -> tuple[int, int, int]"),
                   "(episode, hand, event): the place after the last event so far. events(viewer, since=cursor) "
                   "returns the\nevents since then; until reset(), and without keep_events until the next hand.")
      .def(
          "information_state", [](const Env& table, Seat player) { return table.information_state(player).text; },
          nb::arg("player"), "Equal exactly when all that the seat has seen and done in the episode is equal.")
      .def(
          "decision_to_string",
          [](const Env& table, nb::handle decision) { return table.decision_to_string(to_decision(decision)); },
          nb::arg("decision"), nb::sig("def decision_to_string(self, decision: int | Decision) -> str"),
          "'raise to 250'")
      .def("parse_decision", &Env::parse_decision, nb::arg("text"),
           "The legal decision with that text. Raises IllegalAction naming the legal ones.")
      .def("to_string", &Env::to_string, nb::arg("player"), "What the player may see, for people.")
      .def("to_json", &to_json, nb::arg("player"), nb::sig("def to_json(self, player: int) -> dict[str, Any]"),
           "What the player may see, as a dict: docs/environment.md lists the fields. Legal choices have their number "
           "as\n"
           "action, too.");
}

void bind_copies(Class& env) {
  env.def("clone", &Env::clone, "A table of its own in the same position.")
      .def("__copy__", &Env::clone)
      .def(
          "__deepcopy__", [](const Env& table, nb::handle) { return table.clone(); }, nb::arg("memo").none())
      .def("serialize", &get_state, "The position as bytes.")
      .def("deserialize", &set_state, nb::arg("data"),
           "Takes the position of serialize() of the same game; raises ParseError, and changes nothing, on others.")
      .def_prop_ro("options", &options_of, nb::sig("def options(self) -> tuple[bool, bool, int]"),
                   "(hold_hands, keep_events, max_steps)")
      .def("__reduce__",
           [](nb::handle self) {
             const nb::tuple options = nb::borrow<nb::tuple>(self.attr("options"));
             return nb::make_tuple(nb::module_::import_("dealers_choice").attr("_restore_env"),
                                   nb::make_tuple(self.attr("game").attr("spec"), options, self.attr("serialize")()));
           })
      .def("__repr__", [](const Env& table) { return fmt::format("Env('{}')", table.game().spec()); });
}

}  // namespace

void bind_env(nb::module_& module) {
  bind_step(module);
  Class env(
      module, "Env",
      "One table: reset(), then step() while current_player is not -1. Methods that name a player raise\n"
      "UsageError when there is no such seat.\n\n"
      "hold_hands: stops at the end of every hand, until next_hand(). keep_events: keeps the events of all hands\n"
      "of the episode. max_steps: an episode is cut off after so many steps; 0: never.\n"
      "Not for two threads at once. Can be pickled; events of hands before the one in progress are not kept.");
  bind_play(env);
  bind_looking(env);
  bind_text(env);
  bind_copies(env);
}

}  // namespace dealer::python
