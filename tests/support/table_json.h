#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "env/core/json_writer.h"

namespace dealer {

// The table of a state as a tree, to be looked into.
template <class S>
nlohmann::json table_json(const S& state, int seat) {
  std::string text;
  JsonWriter json(text);
  state.write_table(json, seat);
  return nlohmann::json::parse(text);
}

}  // namespace dealer
