#include "arena/knockout/folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "arena/knockout/report.h"
#include "arena/tournament/participants.h"
#include "env/core/error.h"
#include "env/core/files.h"

namespace dealer::knockout {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kUnit = "tournaments";

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// What an agent's files were, at tables of every size; empty for agents without.
std::string files_of(const std::string& spec, const Setup& setup) {
  std::vector<std::string> files;
  for (const int size : setup.levels.sizes()) {
    fs::path file;
    try {
      file = tournament::file_of(spec, *setup.levels.named(size), *setup.levels.game(size, 0));
    } catch (const Error&) {
      continue;  // of an agent that is made otherwise
    }
    if (file.empty()) continue;
    std::string text = fmt::format("{}, {}", file.filename().string(), tournament::digest_of(file));
    if (std::find(files.begin(), files.end(), text) == files.end()) files.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(files, "; "));
}

// All that the tournaments follow from but their number, a line each.
std::string config_of(const Setup& setup) {
  const Options& options = setup.options;
  std::string text;
  const auto add = [&](std::string_view key, const Json& value) {
    text += fmt::format("{}: {}\n", key, dumped(value));
  };
  add("game", options.game->spec());
  add("players", options.players);
  add("table_size", options.table_size);
  add("stack", setup.levels.stack());
  add("raise_every", options.raise_every);
  add("max_hands", options.hands);
  add("seed", options.seed);
  add("duplicate", options.duplicate);
  for (std::size_t a = 0; a < options.agents.size(); ++a) {
    add(fmt::format("agent_{}", a + 1), options.agents[a]);
    const std::string files = files_of(options.agents[a], setup);
    if (!files.empty()) add(fmt::format("agent_{}_files", a + 1), files);
  }
  return text + studies::config_of_rules(setup.levels.game(setup.levels.sizes().front(), 0)->id().rules);
}

std::string line_of(const TournamentCounts& counts) {
  Json agents = Json::array();
  for (const TournamentCounts::Agent& agent : counts.agents) {
    Json finishes = Json::array();
    for (const Finish& finish : agent.finishes) finishes.push_back({finish.first, finish.last});
    Json one = {{"finishes", std::move(finishes)}};
    if (agent.failures.failed() > 0 || agent.failures.forfeited > 0)
      one["failures"] = {
          {"hands", agent.failures.hands}, {"first", agent.failures.first}, {"forfeited", agent.failures.forfeited}};
    agents.push_back(std::move(one));
  }
  return dumped({{"games", counts.games},
                 {"table_hands", counts.table_hands},
                 {"rounds", counts.rounds},
                 {"undecided", counts.undecided},
                 {"told", counts.told},
                 {"agents", std::move(agents)}});
}

// Throws nlohmann's errors where the line is not as line_of() makes them.
TournamentCounts counts_of(std::string_view line) {
  const Json json = Json::parse(line);
  TournamentCounts counts;
  const auto count = [](const Json& from, const char* key) { return from.at(key).get<std::int64_t>(); };
  counts.games = count(json, "games");
  counts.table_hands = count(json, "table_hands");
  counts.rounds = count(json, "rounds");
  counts.undecided = count(json, "undecided");
  counts.told = count(json, "told");
  for (const Json& one : json.at("agents")) {
    TournamentCounts::Agent& agent = counts.agents.emplace_back();
    for (const Json& finish : one.at("finishes"))
      agent.finishes.push_back({finish.at(0).get<int>(), finish.at(1).get<int>()});
    if (!one.contains("failures")) continue;
    const Json& failures = one.at("failures");
    agent.failures.hands = failures.at("hands").get<decltype(agent.failures.hands)>();
    agent.failures.first = failures.at("first").get<decltype(agent.failures.first)>();
    agent.failures.forfeited = count(failures, "forfeited");
  }
  return counts;
}

// Whether such a tournament can have been played: the places of its games add up.
bool fits(const TournamentCounts& counts, const Setup& setup) {
  const auto finishes = static_cast<std::size_t>(setup.seatings()) * static_cast<std::size_t>(setup.entries());
  const std::int64_t players = setup.options.players;
  if (counts.games != setup.seatings() || counts.agents.size() != static_cast<std::size_t>(setup.agents()))
    return false;
  std::int64_t places = 0;
  for (const TournamentCounts::Agent& agent : counts.agents) {
    if (agent.finishes.size() != finishes) return false;
    for (const Finish& finish : agent.finishes) {
      if (finish.first < 1 || finish.first > finish.last || finish.last > players) return false;
      places += finish.first + finish.last;
    }
  }
  return places == counts.games * players * (players + 1);
}

}  // namespace

Folder::Folder(const fs::path& folder, const Setup& setup)
    : setup_(setup),
      folder_(folder, config_of(setup), kFolderNames),
      file_(folder / "tournaments.txt"),
      lines_(file_, kUnit) {}

void Folder::read(std::int64_t count, const std::function<void(TournamentCounts&)>& f) const {
  std::int64_t read = 0;
  studies::LinesFile::read(
      file_, kUnit,
      [&](std::string_view line) {
        if (read++ >= count) return true;
        try {
          TournamentCounts counts = counts_of(line);
          if (!fits(counts, setup_)) return false;
          f(counts);
          return true;
        } catch (const Json::exception&) {
          return false;
        }
      },
      [&](std::int64_t done) { return read == done; });
}

void Folder::keep(const TournamentCounts& counts) { lines_.append(line_of(counts) + '\n', lines_.done() + 1); }

void Folder::write(const Result& result) const {
  Json results = to_json(result);
  results.erase("seconds");
  write_file(folder_.report(), report(result));
  write_file(folder_.results(), results.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
}

}  // namespace dealer::knockout
