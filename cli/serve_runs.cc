// Runs of `dealer train`, for the page of `dealer serve`.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "agents/agent_registry.h"
#include "arena/match.h"
#include "cli/learning_curve.h"
#include "cli/runs.h"
#include "cli/serve_handlers.h"
#include "env/core/error.h"
#include "env/core/files.h"
#include "frontends/phh/history.h"
#include "train/metrics.h"
#include "train/run_folder.h"

namespace dealer::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostConfig = std::size_t{1} << 20;   // bytes
constexpr std::size_t kMostMetrics = std::size_t{1} << 20;  // bytes per answer
constexpr std::int64_t kSampleHands = 20;

// Reads at most that many bytes of a file, starting at `from`. Throws FileError.
std::string bytes_from(const fs::path& file, std::uintmax_t from, std::size_t most) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw FileError(fmt::format("cannot read {}", file.filename().string()));
  in.seekg(static_cast<std::streamoff>(from));
  std::string bytes(most, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(most));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

// The complete lines from a byte on; `reset` if the file has become shorter, as when a run is resumed.
Json metrics_json(const fs::path& run, std::uintmax_t from) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(run / kMetricsFile, error);
  if (error) throw web::NotFound("the run has no figures yet");
  const bool reset = from > size;
  if (reset) from = 0;
  const std::string bytes = bytes_from(run / kMetricsFile, from, kMostMetrics);
  Json json = {{"from", from}, {"next", from}, {"size", size}, {"reset", reset}, {"lines", Json::array()}};
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = bytes.find('\n', begin)) != std::string::npos; begin = end + 1) {
    Json line = Json::parse(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                            bytes.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (line.is_object()) json["lines"].push_back(std::move(line));
  }
  json["next"] = from + begin;
  return json;
}

// The last line of a finished run contains its results: "final/…".
Json result_json(const fs::path& run) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(run / kMetricsFile, error);
  if (error) return nullptr;
  constexpr std::uintmax_t kTail = 64 << 10;
  std::string bytes = bytes_from(run / kMetricsFile, size > kTail ? size - kTail : 0, kTail);
  bytes.resize(bytes.rfind('\n') == std::string::npos ? 0 : bytes.rfind('\n'));
  Json line =
      Json::parse(bytes.substr(bytes.rfind('\n') == std::string::npos ? 0 : bytes.rfind('\n') + 1), nullptr, false);
  if (!line.is_object()) return nullptr;
  const bool final =
      std::ranges::any_of(line.items(), [](const auto& item) { return item.key().starts_with("final/"); });
  return final ? line : Json(nullptr);
}

Json run_json(const std::string& name, const fs::path& run) {
  return {{"name", name},
          {"config", read_file(run / "config.yaml", kMostConfig)},
          {"result", result_json(run)},
          {"running", RunFolder::in_use(run)}};
}

// Hands of the newest model against itself.
std::string sample_hands(const fs::path& run, std::int64_t hands) {
  const SlowWork work;
  MatchOptions match;
  match.game = read_learning_curve(run).game;
  const AgentFactoryPtr agents = make_agents(run.string(), match.game);
  match.agents.assign(static_cast<std::size_t>(match.game->players()), agents);
  match.deals = hands;
  match.duplicate = false;
  // Different hands for each model, the same ones for the same model.
  match.seed = static_cast<std::uint64_t>(fs::last_write_time(agent_file(run)).time_since_epoch().count());
  std::string text;
  match.describe = [&](const PlayedHand& hand) {
    std::vector<std::string> players(hand.agent_of_seat.size());
    for (std::size_t seat = 0; seat < players.size(); ++seat) players[seat] = fmt::format("seat {}", seat);
    phh::HandPlayed played{hand.seed, hand.hand, hand.events, {}, hand.points};
    for (const PlayedDecision& taken : hand.decisions) played.moves.emplace_back(taken.seat, taken.text);
    return phh::section_of(*match.game, played, players, fmt::format("{}-{}", hand.deal + 1, hand.hand + 1));
  };
  match.log = [&](std::string_view more) { text += more; };
  play_match(match);
  return text;
}

WebAnswer answer(const web::WebSpecs& specs, const WebRequest& request) {
  const std::string below = path_below(request, "/api/runs");
  if (below.empty()) return web::json_answer(runs_json(specs.runs()));
  const std::size_t slash = below.find('/');
  const std::string name = below.substr(0, slash), what = slash == below.npos ? "" : below.substr(slash + 1);
  fs::path run;
  try {
    run = specs.run_folder(name);
  } catch (const UsageError& error) {
    throw web::NotFound(error.what());
  }
  if (what.empty()) return web::json_answer(run_json(name, run));
  if (what == "metrics")
    return web::json_answer(
        metrics_json(run, static_cast<std::uintmax_t>(number_of(request, "from", 0, 0, std::int64_t{1} << 50))));
  if (what == "hands") {
    const std::int64_t hands = number_of(request, "hands", 3, 1, kSampleHands);
    return {200, "text/plain; charset=utf-8", sample_hands(run, hands), {{"Cache-Control", "no-store"}}};
  }
  throw web::NotFound("a run has metrics and hands");
}

}  // namespace

void add_run_handlers(web::WebSpecs& specs, web::WebServer::Handlers& handlers) {
  handlers.emplace_back("/api/runs", [&specs](const WebRequest& request) { return answer(specs, request); });
}

}  // namespace dealer::cli
