#include "frontends/web/table_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "env/core/error.h"
#include "env/core/json_fields.h"
#include "env/core/registry.h"

namespace dealer::web {
namespace {

constexpr int kMostHands = 1'000'000, kSlowestPace = 60'000;  // milliseconds
constexpr int kPaceOfWatching = 600;

std::uint64_t random_bits() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

GamePtr game_for(const std::string& text, std::size_t seats, WebSpecs& specs) {
  Spec spec = parse_spec(text);
  const bool given = std::ranges::any_of(spec.options, [](const auto& option) { return option.first == "players"; });
  GamePtr game = specs.game(text);
  const auto [low, high] = game->player_range();
  const bool fits = seats >= static_cast<std::size_t>(low) && seats <= static_cast<std::size_t>(high);
  if (!given && fits && static_cast<std::size_t>(game->players()) != seats) {
    spec.options.emplace_back("players", std::to_string(seats));
    game = specs.game(to_string(spec));
  }
  if (static_cast<std::size_t>(game->players()) != seats)
    throw UsageError(
        fmt::format("open: {} seats; '{}' has {}", seats, game->spec(),
                    given || low == high ? std::to_string(game->players()) : fmt::format("{} to {}", low, high)));
  return game;
}

Viewer view_of(const JsonFields& message, const Game& game, bool people) {
  if (message.is_null("view")) return kOmniscient;
  if (people) throw UsageError("open: view is for tables without people");
  if (message.value("view") == "all") return kOmniscient;
  const std::optional<std::int64_t> seat = whole_number(message.value("view"), 0, game.players() - 1);
  if (!seat) message.refuse("view", fmt::format("\"all\" or a seat, 0 to {}", game.players() - 1));
  return static_cast<Viewer>(*seat);
}

}  // namespace

TableSetup read_setup(const nlohmann::json& json, WebSpecs& specs) {
  const JsonFields message(json, "open: ");
  const nlohmann::json& seats = message.list("seats");
  constexpr std::size_t kMostSeats = 10;
  if (seats.empty() || seats.size() > kMostSeats)
    throw UsageError(fmt::format("open: {} seats; expected 1 to {}", seats.size(), kMostSeats));
  TableSetup setup;
  setup.game = game_for(message.text("game"), seats.size(), specs);
  int here = 0, people = 0;
  for (const nlohmann::json& seat : seats) {
    if (!seat.is_string())
      throw UsageError(fmt::format("open: seats[{}] is {}; expected \"me\", \"guest\" or an agent", setup.agents.size(),
                                   shown_json(seat)));
    const auto& who = seat.get_ref<const std::string&>();
    if (who == "me") setup.opener = people;
    here += who == "me" ? 1 : 0;
    const bool person = who == "me" || who == "guest";
    people += person ? 1 : 0;
    setup.agents.push_back(person ? nullptr : specs.agents(who, setup.game));
  }
  if (here > 1) throw UsageError("open: seats has \"me\" more than once");
  if (here == 0 && people > 0) throw UsageError("open: seats has a guest and not you; expected \"me\" in one of them");
  if (people > 0)
    setup.adviser = specs.agents(message.is_null("adviser") ? "best" : message.text("adviser"), setup.game);
  setup.seed = message.is_null("seed") ? random_bits() : message.seed("seed");
  setup.hands = message.is_null("hands") ? 0 : static_cast<int>(message.whole("hands", 1, kMostHands));
  setup.pace = message.is_null("pace") ? people > 0 ? 0 : kPaceOfWatching
                                       : static_cast<int>(message.whole("pace", 0, kSlowestPace));
  setup.view = view_of(message, *setup.game, people > 0);
  return setup;
}

int places_of(const TableSetup& setup) {
  return std::max(1, static_cast<int>(std::ranges::count(setup.agents, nullptr)));
}

std::string random_key() { return fmt::format("{:016x}{:016x}", random_bits(), random_bits()); }

}  // namespace dealer::web
