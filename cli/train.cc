#include "train/train.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "agents/agent_registry.h"
#include "agents/nn/model_files.h"
#include "agents/ofc/value_model.h"
#include "agents/policy/policy_network.h"
#include "agents/seven_hand/turn_evaluator.h"
#include "agents/tabular/game_tree.h"
#include "cli/evaluation.h"
#include "cli/learning_curve.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/training.h"
#include "env/core/counted.h"
#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/core/wall_seconds.h"
#include "env/games/ofc/game.h"
#include "env/games/seven_hand/game.h"
#include "train/interrupt.h"
#include "train/progress.h"
#include "train/ranks.h"

namespace dealer::cli {
namespace {

// "ofc", "configs/train/ofc.yaml" or a file of the user's own.
std::filesystem::path config_path(const std::string& name) {
  return config_file("training config", "configs/train", name);
}

TrainRequest request_of(const TrainOptions& options) {
  TrainRequest request;
  request.resume = options.resume;
  request.out = options.out;
  request.runs = options.runs;
  request.quiet = options.quiet;
  request.against_default = true;
  request.evaluated = draw_learning;
  for (const std::string& word : options.words) {
    if (word.find('=') != std::string::npos)
      request.overrides.push_back(word);
    else if (request.config.empty() && request.overrides.empty())
      request.config = config_path(word);
    else
      throw UsageError(fmt::format("'{}' is not an override; expected key=value after the config", word));
  }
  if (request.config.empty() && request.resume.empty()) request.config = config_path("ofc");
  return request;
}

// True if it lost, or is not clearly winning.
std::string what_to_do(const TrainOutcome& outcome) {
  if (!outcome.result.contains("matches")) return {};
  std::vector<std::string> lost, undecided;
  for (const auto& [opponent, match] : outcome.result["matches"].items()) {
    const nlohmann::json& ci95 = match["ci95"][0];
    const double mean = match["mean"][0].get<double>();
    if (opponent == "default" || ci95.is_null() || mean > ci95.get<double>()) continue;
    (mean < -ci95.get<double>() ? lost : undecided).push_back(opponent);
  }
  std::string text;
  if (!lost.empty()) text = fmt::format("It loses to {}. ", fmt::join(lost, ", "));
  if (!undecided.empty()) text += fmt::format("It does not significantly beat {}. ", fmt::join(undecided, ", "));
  if (text.empty()) return {};
  return text + fmt::format("Longer training may help: dealer train --resume {} hands={}\n", outcome.run.string(),
                            2 * outcome.result["hands"].get<std::int64_t>());
}

const Evaluations kEvaluations{play_evaluation, measure_exploitability,
                               [](const Game& game) { return tabular::has_tree(game); }};

std::string how_to_play(const TrainOutcome& outcome) {
  const std::string& game = outcome.game->spec();
  return fmt::format("Play against it:  dealer play {}--agent {}\n",
                     game == "ofc" ? "" : fmt::format("--game '{}' ", game), outcome.run.string());
}

void print_training(const TrainOutcome& outcome) {
  const nlohmann::json& result = outcome.result;
  print(fmt::format("trained {} in {}{}{}\n", counted(result["hands"].get<std::int64_t>(), "hand"),
                    short_duration(outcome.seconds), outcome.summary.empty() ? "" : "; ", outcome.summary));
  if (result.contains("exploitability")) {
    const std::int64_t hands = result.value("model_hands", result["hands"].get<std::int64_t>());
    print(fmt::format(
        "exploitability {:.4f} {} a hand{}\n", result["exploitability"].get<double>(), outcome.game->unit(),
        hands == result["hands"] ? "" : fmt::format(", the best of all: after {}", counted(hands, "hand"))));
  }
  if (result.contains("matches")) {
    for (const auto& [opponent, match] : result["matches"].items()) {
      // A single deal gives no confidence interval.
      const nlohmann::json& ci95 = match["ci95"][0];
      print(fmt::format("against {:<8} {:+.2f} ± {} {} a hand\n", opponent, match["mean"][0].get<double>(),
                        ci95.is_null() ? "unknown" : fmt::format("{:.2f}", ci95.get<double>()), outcome.game->unit()));
    }
  }
  const std::filesystem::path picture = outcome.run / kLearningPicture;
  print(fmt::format("run     {}\nagent   {}\n{}\n{}{}", outcome.run.string(), result["model"].get<std::string>(),
                    std::filesystem::exists(picture) ? fmt::format("curve   {}\n", picture.string()) : "",
                    what_to_do(outcome), how_to_play(outcome)));
}

void print_plan(const TrainingPlan& plan, bool json) {
  if (!json) return print(plan.config);
  print_json({{"game", plan.game->spec()},
              {"unit", plan.game->unit()},
              {"hands", plan.hands},
              {"measure", plan.measure.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(plan.measure)},
              {"config", plan.config}});
}

// The ranks of this process. When another one is lost this process ends at once.
std::unique_ptr<Ranks> ranks_here() {
  return join_ranks(find_rank_place(), [](const std::string& message, int status) {
    // A progress bar may be on this line.
    notify((::isatty(STDERR_FILENO) != 0 ? "\r\x1b[K" : "") + std::string("dealer: ") + one_line(message));
    ::_exit(status);
  });
}

[[noreturn]] void stop(const TrainOutcome& outcome) {
  flush_output();
  // Rank 0 prints the run's folder.
  if (outcome.rank > 0) end_interrupted("");
  end_interrupted(fmt::format("stopped and saved; continue with: dealer train --resume {}", outcome.run.string()));
}

}  // namespace

void best_response(const BestResponseOptions& options) {
  const double start = wall_seconds();
  TrainRequest request;
  request.config = config_path(options.config);
  request.overrides = options.words;
  // Checks the names here, where messages need not mention overrides.
  make_agents(options.against, make_game(options.game));
  request.overrides.push_back("game=" + options.game);
  request.overrides.push_back("against=" + options.against);
  request.overrides.push_back(fmt::format("evaluation.opponents=[\"{}\"]", options.against));
  request.overrides.push_back(fmt::format("evaluation.final_deals={}", options.deals));
  request.out = options.out;
  request.runs = options.runs;
  request.quiet = options.quiet;
  const auto ranks = ranks_here();
  const TrainOutcome outcome = run_training(request, kEvaluations, *ranks);
  if (outcome.interrupted) stop(outcome);
  if (outcome.rank > 0) return;
  const nlohmann::json& match = outcome.result["matches"][options.against];
  const double seconds = wall_seconds() - start;
  const nlohmann::ordered_json json = {{"game", options.game},
                                       {"against", options.against},
                                       {"method", "learned"},
                                       {"gain", match["mean"][0]},
                                       {"ci95", match["ci95"][0]},
                                       {"unit", outcome.game->unit()},
                                       {"decisions", outcome.result["decisions"]},
                                       {"seconds", seconds},
                                       {"run", outcome.run.string()}};
  if (options.json) return print_json(json);
  print(fmt::format("{}\nrun     {}\n",
                    gain_text("a learned response", options.against, json["gain"].get<double>(),
                              json["ci95"].is_number() ? json["ci95"].get<double>() : INFINITY, outcome.game->unit()),
                    outcome.run.string()));
}

namespace {

// Start of a training, as overrides of its config.
struct Start {
  std::string name;
  std::vector<std::string> overrides;
};

// The overrides to start training from the weights in a file; nothing if that is impossible.
std::optional<std::vector<std::string>> start_of(const std::filesystem::path& file, const GamePtr& game) {
  if (file.extension() != ".safetensors") return std::nullopt;
  const TensorFile tensors = read_safetensors(file);
  std::vector<std::string> overrides = {fmt::format("start={}", file.string())};
  const auto afterstate_net = [&](const std::vector<int>& hidden) {
    overrides.push_back(fmt::format("learner.hidden_sizes=[{}]", fmt::join(hidden, ", ")));
    return overrides;
  };
  if (seven_hand::as_seven_hand(*game) != nullptr) return afterstate_net(seven_hand::load_net(tensors).hidden_sizes());
  if (ofc::as_ofc(*game) != nullptr) return afterstate_net(ofc::load_value_model(tensors).net.hidden_sizes());
  const auto format = tensors.metadata.find("format");
  if (format == tensors.metadata.end() || format->second != kPolicyNetworkFormat) return std::nullopt;
  const PolicyNetwork network = load_policy_network(tensors, game);
  std::vector<int> hidden;
  for (std::size_t i = 0; i + 1 < network.layers.size(); ++i) hidden.push_back(network.layers[i].out);
  overrides.push_back(fmt::format("network.hidden_sizes=[{}]", fmt::join(hidden, ", ")));
  overrides.push_back(fmt::format("network.input_features={}", !network.input_features.empty()));
  return overrides;
}

// Random weights, and those of the agent and of the trained agent of the game, if training can start from them.
std::vector<Start> starts_of(const LearnOptions& options, const GamePtr& game) {
  std::vector<Start> starts = {{"random weights", {}}};
  const Spec against = parse_spec(options.against);
  std::vector<std::pair<std::string, std::filesystem::path>> files;
  if (has_model(*game, data_path("models"))) files.emplace_back("default", find_model(*game, data_path("models")));
  if (against.name != "default" && std::filesystem::exists(against.name))
    files.emplace_back("own weights", agent_file(against.name));
  for (const auto& [name, file] : files)
    if (const auto overrides = start_of(file, game))
      starts.push_back({against.name == "default" ? "own weights" : name, *overrides});
  return starts;
}

}  // namespace

LearnedResponses learn_responses(const LearnOptions& options) {
  const GamePtr game = make_game(options.game);
  // These learn values of whole turns.
  const std::string config = seven_hand::as_seven_hand(*game) != nullptr ? "best_response_seven_hand"
                             : ofc::as_ofc(*game) != nullptr             ? "best_response_ofc"
                                                                         : "best_response";
  const std::vector<Start> starts = starts_of(options, game);
  LearnedResponses learned;
  for (const Start& start : starts) {
    TrainRequest request;
    const std::filesystem::path run = std::filesystem::path(options.out) / ("learned from " + start.name);
    if (std::filesystem::exists(run)) {
      request.resume = run;
    } else {
      request.config = config_path(config);
      request.out = run;
      request.overrides = start.overrides;
      request.overrides.push_back("game=" + options.game);
      request.overrides.emplace_back(config == "best_response"
                                         ? "against=" + options.against
                                         : fmt::format("self_play.opponents=[\"{}\"]", options.against));
      request.overrides.emplace_back("evaluation.opponents=[]");
      request.overrides.emplace_back("hands=1000000000");
      request.overrides.push_back(
          fmt::format("budget.seconds={}", options.seconds / static_cast<double>(starts.size())));
    }
    request.quiet = options.quiet;
    const TrainOutcome outcome = run_training(request, kEvaluations);
    if (outcome.interrupted) end_interrupted("interrupted; the same command continues from here");
    learned.emplace_back(start.name, make_agents(run.string(), game));
  }
  return learned;
}

TrainingPlan check(const std::string& config, const std::vector<std::string>& overrides) {
  TrainRequest request;
  request.config = config_path(config);
  request.overrides = overrides;
  request.against_default = true;
  return check_training(request, kEvaluations);
}

void train(const TrainOptions& options) {
  if (options.check) return print_plan(check_training(request_of(options), kEvaluations), options.json);
  const auto ranks = ranks_here();
  const TrainOutcome outcome = run_training(request_of(options), kEvaluations, *ranks);
  if (outcome.interrupted) {
    if (options.json && outcome.rank == 0) print_json({{"run", outcome.run.string()}, {"interrupted", true}});
    stop(outcome);
  }
  if (outcome.rank > 0) return;
  if (outcome.was_finished && !options.json)
    return print(fmt::format("{} is finished: {}\nagent   {}\n\n{}", outcome.run.string(),
                             counted(outcome.result["hands"].get<std::int64_t>(), "hand"),
                             outcome.result["model"].get<std::string>(), how_to_play(outcome)));
  if (!options.json) return print_training(outcome);
  nlohmann::ordered_json json = outcome.result;
  if (outcome.was_finished) json["was_finished"] = true;
  json["run"] = outcome.run.string();
  json["interrupted"] = false;
  print_json(json);
}

}  // namespace dealer::cli
