#include <fmt/format.h>

#include "env/core/nearest.h"
#include "env/core/registry.h"
#include "python/bindings/bindings.h"

namespace dealer::python {
namespace {

using PartState = std::tuple<std::string, int, std::vector<int>, float, float, std::string>;

void bind_parts(nb::module_& module) {
  nb::class_<ObservationPart>(module, "ObservationPart", "A named part of the floats of an observation.")
      .def_ro("name", &ObservationPart::name)
      .def_ro("offset", &ObservationPart::offset, "Index of its first float.")
      .def_prop_ro(
          "shape", [](const ObservationPart& part) { return nb::tuple(nb::cast(part.shape)); },
          nb::sig("def shape(self) -> tuple[int, ...]"), "Row-major.")
      .def_ro("low", &ObservationPart::low, "Least value.")
      .def_ro("high", &ObservationPart::high, "Greatest value.")
      .def_ro("meaning", &ObservationPart::meaning, "For people.")
      .def_prop_ro("size", &ObservationPart::size, "How many floats.")
      .def("__getstate__",
           [](const ObservationPart& part) {
             return PartState(part.name, part.offset, part.shape, part.low, part.high, part.meaning);
           })
      .def("__setstate__",
           [](ObservationPart& part, const PartState& state) {
             const auto& [name, offset, shape, low, high, meaning] = state;
             new (&part) ObservationPart{name, offset, shape, low, high, meaning};
           })
      .def("__repr__", [](const ObservationPart& part) {
        return fmt::format("ObservationPart('{}', offset={}, size={})", part.name, part.offset, part.size());
      });
}

std::vector<std::string> card_texts(const Game& game, const std::vector<CardId>& cards) {
  std::vector<std::string> texts;
  texts.reserve(cards.size());
  for (const CardId card : cards) texts.push_back(game.card_to_string(card));
  return texts;
}

}  // namespace

void bind_games(nb::module_& module) {
  bind_parts(module);
  nb::class_<Game>(module, "Game", "A game with its options: immutable, shared by its tables.")
      .def_prop_ro(
          "name", [](const Game& game) { return game.name(); }, "'ofc'")
      .def_prop_ro(
          "spec", [](const Game& game) { return game.spec(); }, "'ofc[players=3]': makes the game again.")
      .def_prop_ro(
          "rules", [](const Game& game) { return game.id().rules; }, "Every key with its value, as YAML.")
      .def_prop_ro(
          "family", [](const Game& game) { return game.id().family; }, "'poker': the games that share a state.")
      .def_prop_ro("players", &Game::players)
      .def_prop_ro(
          "player_range",
          [](const Game& game) { return nb::make_tuple(game.player_range().first, game.player_range().second); },
          nb::sig("def player_range(self) -> tuple[int, int]"), "The smallest and largest number of players.")
      .def_prop_ro("num_actions", &Game::num_actions, "Actions are 0 to num_actions - 1; at most 64.")
      .def_prop_ro(
          "observation_size", [](const Game& game) { return game.observation_spec().size(); },
          "Floats of an observation.")
      .def_prop_ro(
          "observation_parts", [](const Game& game) { return game.observation_spec().parts(); },
          nb::sig("def observation_parts(self) -> list[ObservationPart]"), "What the floats mean, in order, no gaps.")
      .def_prop_ro("statistic_names", [](const Game& game) { return game.statistic_names(); })
      .def_prop_ro("zero_sum", &Game::zero_sum, "Whether the rewards of all seats add up to 0.")
      .def_prop_ro("unit", &Game::unit, "Of a reward: 'points', 'chips'.")
      .def_prop_ro("big_blind", &Game::big_blind, "In that unit; 0 in games without blinds.")
      .def("card_texts", &card_texts, nb::arg("cards"), "The names of cards given by number.")
      .def("__reduce__",
           [](nb::handle self) {
             return nb::make_tuple(nb::module_::import_("dealers_choice").attr("_restore_game"),
                                   nb::make_tuple(self.attr("spec")));
           })
      .def("__copy__", [](nb::handle self) { return nb::borrow(self); })
      .def(
          "__deepcopy__", [](nb::handle self, nb::handle) { return nb::borrow(self); }, nb::arg("memo").none())
      .def("__repr__", [](const Game& game) { return fmt::format("make_game('{}')", game.spec()); });
  module.def("games", &game_names, "The names of the games there are, sorted.");
  module.def(
      "make_game", &to_game, nb::arg("spec"), nb::sig("def make_game(spec: str | Game) -> Game"),
      "A game by name with options, 'holdem[limit=no_limit,players=6]', or by the path of a YAML file of rules.\n"
      "Raises UsageError on an unknown name, ConfigError on bad rules.");
}

}  // namespace dealer::python
