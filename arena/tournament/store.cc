#include "arena/tournament/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "env/core/error.h"

namespace dealer::tournament {
namespace {

using Json = nlohmann::ordered_json;

constexpr studies::FolderNames kNames = {"tournament", kConfigFile, "lock", kDatabaseFile};

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n'; }

StoredPair turned(StoredPair pair) {
  ClusteredRatio::Sums sums = pair.points.sums();
  sums.y = -sums.y;
  sums.yn = -sums.yn;
  pair.points = ClusteredRatio::of(sums);
  return pair;
}

}  // namespace

std::string config_of(std::string_view rules, std::string_view seed, std::string_view move_time) {
  return fmt::format("seed: {}\nmove_time: {}\n{}", seed, move_time, studies::config_of_rules(rules));
}

std::string line_of(const StoredAgent& agent) {
  return dumped({{"agent", agent.name},
                 {"spec", agent.spec},
                 {"file", agent.file},
                 {"digest", agent.digest},
                 {"step", agent.step ? Json(*agent.step) : Json(nullptr)}});
}

std::string line_of(const std::string& a, const std::string& b, const StoredPair& pair) {
  if (b < a) return line_of(b, a, turned(pair));
  const ClusteredRatio::Sums sums = pair.points.sums();
  return dumped({{"a", a},
                 {"b", b},
                 {"deals", pair.deals},
                 {"hands", pair.hands},
                 {"points", sums.y},
                 {"points_points", sums.yy},
                 {"points_hands", sums.yn},
                 {"hands_hands", sums.nn},
                 {"failure", pair.failure}});
}

Store::Store(const std::filesystem::path& folder, const Settings& settings)
    : path_(folder.string()),
      folder_(folder, config_of(settings.rules, std::to_string(settings.seed), fmt::format("{}", settings.move_time)),
              kNames, [&] { import_database(folder); }),
      file_(folder / kPairsFile, std::string(kRecords)) {
  studies::LinesFile::read(folder / kPairsFile, kRecords, [this](std::string_view line) {
    try {
      return read(line);
    } catch (const Json::exception&) {
      return false;
    }
  });
}

bool Store::read(std::string_view line) {
  const Json json = Json::parse(line);
  if (json.contains("agent")) {
    StoredAgent agent{json["agent"], json.at("spec"), json.at("file"), json.at("digest"), {}};
    if (!json.at("step").is_null()) agent.step = json["step"];
    agents_.push_back(std::move(agent));
    return true;
  }
  StoredPair pair{json.at("deals"), json.at("hands"), {}, json.at("failure")};
  pair.points = ClusteredRatio::of({.clusters = pair.deals,
                                    .y = json.at("points"),
                                    .n = static_cast<double>(pair.hands),
                                    .yy = json.at("points_points"),
                                    .yn = json.at("points_hands"),
                                    .nn = json.at("hands_hands")});
  const std::string a = json.at("a"), b = json.at("b");
  pairs_[{a, b}] = std::move(pair);
  return a < b;
}

void Store::add(const std::string& lines, std::int64_t records) {
  file_.append(lines, file_.done() + records);
  file_.sync();
}

void Store::enter(const std::vector<StoredAgent>& agents) {
  std::vector<StoredAgent> added;
  std::string lines;
  for (const StoredAgent& agent : agents) {
    const auto there =
        std::find_if(agents_.begin(), agents_.end(), [&](const StoredAgent& one) { return one.name == agent.name; });
    if (there == agents_.end()) {
      lines += line_of(agent);
      added.push_back(agent);
    } else if (there->digest != agent.digest) {
      throw UsageError(fmt::format(
          "agent '{}' is not what it was when it played in '{}': {} has changed; expected a new folder, or the agent "
          "as it was",
          agent.name, path_, agent.file.empty() ? there->file : agent.file));
    }
  }
  if (added.empty()) return;
  add(lines, static_cast<std::int64_t>(added.size()));
  agents_.insert(agents_.end(), added.begin(), added.end());
}

std::optional<StoredPair> Store::pair(const std::string& a, const std::string& b) const {
  const auto found = pairs_.find(std::minmax(a, b));
  if (found == pairs_.end()) return std::nullopt;
  return a < b ? found->second : turned(found->second);
}

void Store::put(const std::string& a, const std::string& b, StoredPair pair) {
  add(line_of(a, b, pair), 1);
  pairs_[std::minmax(a, b)] = a < b ? std::move(pair) : turned(std::move(pair));
}

}  // namespace dealer::tournament
