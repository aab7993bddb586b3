#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "python/bindings/bindings.h"

namespace dealer::python {

nb::object to_python(const nlohmann::json& json) {
  using Type = nlohmann::json::value_t;
  switch (json.type()) {
    case Type::boolean:
      return nb::bool_(json.get<bool>());
    case Type::number_integer:
      return nb::int_(json.get<std::int64_t>());
    case Type::number_unsigned:
      return nb::int_(json.get<std::uint64_t>());
    case Type::number_float:
      return nb::float_(json.get<double>());
    case Type::string: {
      const auto& text = json.get_ref<const std::string&>();
      return nb::str(text.data(), text.size());
    }
    case Type::array: {
      nb::list list;
      for (const nlohmann::json& element : json) list.append(to_python(element));
      return list;
    }
    case Type::object: {
      nb::dict dict;
      for (const auto& [key, value] : json.items()) dict[nb::str(key.data(), key.size())] = to_python(value);
      return dict;
    }
    default:
      return nb::none();
  }
}

nb::list to_python(std::span<const Event> events, const Game& game) {
  nb::list list;
  for (const Event& event : events) list.append(to_python(to_json(event, game)));
  return list;
}

nb::object to_python(const AmountRange& range) {
  if (range.empty()) return nb::none();
  return nb::make_tuple(range.low, range.high, range.step);
}

GamePtr to_game(nb::handle game) {
  if (nb::isinstance<Game>(game)) return nb::cast<const Game&>(game).shared_from_this();
  if (nb::isinstance<nb::str>(game)) return make_game(nb::cast<std::string>(game));
  throw UsageError(fmt::format("{} is not a game; expected a Game or a spec such as 'ofc[players=3]'",
                               nb::cast<std::string>(nb::repr(game))));
}

Decision to_decision(nb::handle decision) {
  if (nb::isinstance<Decision>(decision)) return nb::cast<Decision>(decision);
  if (!PyIndex_Check(decision.ptr()))
    throw UsageError(fmt::format("{} is not a decision; expected an action's number or Decision.bet_to(total)",
                                 nb::cast<std::string>(nb::repr(decision))));
  // Numbers out of range are clamped, which is not a valid action either.
  const Py_ssize_t number = PyNumber_AsSsize_t(decision.ptr(), nullptr);
  if (number == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  if (number < 0 || number >= kMaxActions)
    throw IllegalAction(fmt::format("action {} does not exist", nb::cast<std::string>(nb::str(decision))));
  return static_cast<Action>(number);
}

}  // namespace dealer::python
