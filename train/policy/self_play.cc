#include "train/policy/self_play.h"

#include <fmt/format.h>

#include <utility>

#include "env/core/error.h"

namespace dealer {
namespace {

// Keys in a checkpoint, with overlap: the iteration that waits to be taken, or kNone, and its task.
constexpr const char* kIteration = "next.iteration";
constexpr const char* kExplore = "next.explore";
constexpr const char* kMostHands = "next.most_hands";
constexpr const char* kPastSelf = "next.past_self";  // 1: there is one
constexpr std::int64_t kNone = -1;
constexpr const char* kPlayerLayers = "next.player.";
constexpr const char* kPastSelfLayers = "next.past_self.";

}  // namespace

PolicySelfPlay::PolicySelfPlay(GamePtr game, EncoderPtr encoder, const PolicySelfPlaySettings& settings, Ranks& ranks)
    : game_(std::move(game)),
      encoder_(std::move(encoder)),
      settings_(settings),
      ranks_(ranks),
      tables_(settings.seed, settings.workers * static_cast<int>(sets()), ranks),
      sets_(static_cast<std::size_t>(sets())),
      before_(settings.overlap ? static_cast<std::size_t>(settings.workers) : 0),
      // With overlap the calling thread is short-lived and only waits: thread-local caches stay in the pool's threads.
      pool_(settings.overlap ? settings.workers + 1 : settings.workers) {
  for (std::size_t set = 0; set < sets_.size(); ++set)
    for (int worker = 0; worker < settings.workers; ++worker) sets_[set].push_back(make_rollout(worker, set));
  for (int worker = 0; worker < settings.workers; ++worker)
    opponents_.push_back(settings.against ? make_opponent(*settings.against, *game_) : nullptr);
}

std::unique_ptr<Rollout> PolicySelfPlay::make_rollout(int worker, std::size_t set) const {
  RolloutSettings own = settings_.rollout;
  own.seed = tables_.seed(number(worker, set));
  return std::make_unique<Rollout>(game_, encoder_, own);
}

void PolicySelfPlay::start(PlayTask task) {
  task_ = std::move(task);
  if (!task_.past_self.empty())
    for (auto& opponent : opponents_) opponent = make_opponent({task_.past_self, {}, 1, 0});
  if (settings_.overlap) {
    background_ = std::async(std::launch::async, [this] { play_all(); });
  } else {
    play_all();
  }
  playing_ = true;
}

void PolicySelfPlay::play_all() {
  const PolicyNetwork network{task_.player, {}, 1, 0};
  const auto& rollouts = sets_[set_of(task_.iteration)];
  const std::int64_t most_hands = (task_.most_hands - 1) / workers() + 1;
  pool_.run([&](int thread) {
    if (settings_.overlap && thread == 0) return;
    const auto w = static_cast<std::size_t>(settings_.overlap ? thread - 1 : thread);
    if (settings_.overlap) before_[w] = rollouts[w]->save();
    rollouts[w]->play(network, opponents_[w].get(), task_.iteration, task_.explore, most_hands);
  });
}

void PolicySelfPlay::finish() {
  playing_ = false;
  if (background_.valid()) background_.get();
  std::vector<RolloutCounts> own;
  for (const auto& rollout : rollouts(task_.iteration)) own.push_back(rollout->counts());
  RolloutCounts counts;
  for (const RolloutCounts& part : ranks_.gather_lists(std::span<const RolloutCounts>(own))) counts.add(part);
  played_ = counts;
}

void PolicySelfPlay::abandon() {
  playing_ = false;
  if (background_.valid()) background_.wait();
  background_ = {};
}

double PolicySelfPlay::environment_seconds() const {
  double sum = 0;
  for (const auto& set : sets_)
    for (const auto& rollout : set) sum += rollout->environment_seconds();
  return sum;
}

void PolicySelfPlay::save(TensorFile& file) const {
  const bool waits = settings_.overlap && played();
  std::vector<std::string> own;
  for (std::size_t w = 0; w < opponents_.size(); ++w)
    for (std::size_t set = 0; set < sets_.size(); ++set)
      own.push_back(waits && set == set_of(task_.iteration) ? before_[w] : sets_[set][w]->save());
  tables_.save(own, file);
  if (!settings_.overlap) return;
  file.tensors[kIteration] = {{1}, std::vector<std::int64_t>{waits ? task_.iteration : kNone}};
  if (!waits) return;
  file.tensors[kExplore] = {{1}, std::vector<double>{task_.explore}};
  file.tensors[kMostHands] = {{1}, std::vector<std::int64_t>{task_.most_hands}};
  file.tensors[kPastSelf] = {{1}, std::vector<std::int64_t>{task_.past_self.empty() ? 0 : 1}};
  store_layers(task_.player, kPlayerLayers, file);
  store_layers(task_.past_self, kPastSelfLayers, file);
}

std::optional<PlayTask> PolicySelfPlay::load(const TensorFile& file, std::int64_t iteration,
                                             const PlayTask::Layers& like) {
  const bool overlapped = file.tensors.contains(kIteration);
  if (overlapped != settings_.overlap)
    throw CheckpointError(fmt::format("{}: written with self_play.overlap: {}; expected {}, as the config says",
                                      file.name, overlapped, settings_.overlap));
  const std::vector<std::string> tables = tables_.load(file, iteration);
  for (int worker = 0; worker < settings_.workers; ++worker)
    for (std::size_t set = 0; set < sets_.size(); ++set) {
      std::unique_ptr<Rollout>& rollout = sets_[set][static_cast<std::size_t>(worker)];
      rollout = make_rollout(worker, set);
      const std::string& bytes = tables[static_cast<std::size_t>(number(worker, set))];
      if (bytes.empty()) continue;
      try {
        rollout->load(bytes);
      } catch (const CheckpointError& error) {
        throw CheckpointError(fmt::format("{}: {}", file.name, error.what()));
      }
    }
  played_.reset();
  if (!settings_.overlap) return std::nullopt;
  const std::int64_t next = file.get<std::int64_t>(kIteration, {1})[0];
  if (next == kNone) return std::nullopt;
  if (next != iteration)
    throw CheckpointError(
        fmt::format("{}: tensor '{}' holds {}; expected {} or {}", file.name, kIteration, next, iteration, kNone));
  PlayTask task{read_layers(file, kPlayerLayers, like), {}, next, file.get<double>(kExplore, {1})[0]};
  if (!(task.explore >= 0 && task.explore <= 1))
    throw CheckpointError(fmt::format("{}: tensor '{}' holds {}; expected 0 to 1", file.name, kExplore, task.explore));
  // Files from before the limit existed have none.
  if (file.tensors.contains(kMostHands)) task.most_hands = file.get<std::int64_t>(kMostHands, {1})[0];
  if (task.most_hands < 1)
    throw CheckpointError(
        fmt::format("{}: tensor '{}' holds {}; expected 1 or more", file.name, kMostHands, task.most_hands));
  const std::int64_t past = file.get<std::int64_t>(kPastSelf, {1})[0];
  const std::int64_t most = settings_.rollout.league_share > 0 && !settings_.against ? 1 : 0;
  if (past < 0 || past > most)
    throw CheckpointError(
        fmt::format("{}: tensor '{}' holds {}; expected {}", file.name, kPastSelf, past, most == 0 ? "0" : "0 or 1"));
  if (past == 1) task.past_self = read_layers(file, kPastSelfLayers, like);
  return task;
}

}  // namespace dealer
