#include "frontends/web/table_view.h"

#include <nlohmann/json.hpp>
#include <string>

#include "env/core/game.h"
#include "env/core/json_writer.h"

namespace dealer::web {
namespace {

nlohmann::json table_of(const Env& env, Seat seat) {
  std::string text;
  JsonWriter writer(text);
  env.write_table(seat, writer);
  return nlohmann::json::parse(text);
}

// Merges lists of cards: the viewer who sees more has the longer one; the rest is equal for all.
void add_seen(nlohmann::json& all, const nlohmann::json& seen) {
  if (all.is_object() && seen.is_object()) {
    for (auto& [key, value] : all.items())
      if (const auto other = seen.find(key); other != seen.end()) add_seen(value, *other);
  } else if (all.is_array() && seen.is_array()) {
    if (seen.size() > all.size()) {
      all = seen;
    } else if (seen.size() == all.size()) {
      for (std::size_t i = 0; i < all.size(); ++i) add_seen(all[i], seen[i]);
    }
  } else if (all.is_null()) {
    all = seen;
  }
}

}  // namespace

nlohmann::json table_seen(const Env& env, Viewer viewer) {
  if (viewer != kOmniscient) return table_of(env, viewer);
  const Seat first = env.current_player() < 0 ? 0 : env.current_player();
  nlohmann::json all = table_of(env, first);
  for (Seat seat = 0; seat < env.game().players(); ++seat)
    if (seat != first) add_seen(all, table_of(env, seat));
  return all;
}

}  // namespace dealer::web
