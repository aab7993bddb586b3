#include "train/policy/rollout.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "agents/policy/softmax.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/thread_seconds.h"

namespace dealer {
namespace {

constexpr std::uint64_t kActionStream = 0xac71a9;

}  // namespace

void RolloutCounts::add(const RolloutCounts& other) {
  decisions += other.decisions;
  episodes += other.episodes;
  hands += other.hands;
  league_episodes += other.league_episodes;
  league_return += other.league_return;
  squared_return += other.squared_return;
}

Rollout::Rollout(GamePtr game, EncoderPtr encoder, const RolloutSettings& settings)
    : game_(std::move(game)),
      encoder_(std::move(encoder)),
      settings_(settings),
      tables_(static_cast<std::size_t>(settings.tables)),
      players_(static_cast<std::size_t>(game_->players())),
      width_(static_cast<std::size_t>(game_->observation_spec().size())),
      input_features_width_(encoder_ ? encoder_->names().size() : 0),
      all_input_features_width_(settings.all_hands && settings.all_input_features ? input_features_width_ : 0),
      carried_(tables_ * players_),
      league_tables_(static_cast<std::size_t>(static_cast<double>(tables_) * settings.league_share)),
      actions_(game_->num_actions()),
      played_(static_cast<std::size_t>(settings.steps)),
      env_(game_->new_vector_env({.num_envs = settings.tables, .resamples = settings.resamples})),
      starts_(settings.exploring_starts > 0 ? tables_ : 0),
      rewards_(tables_ * players_),
      returns_(tables_ * players_),
      terminated_(tables_),
      waiting_(tables_ * players_, -1) {
  const std::size_t rows = this->rows(*game_, settings);
  observations_.resize(rows * width_);
  input_features_.resize(rows * input_features_width_);
  if (settings.all_hands) all_.resize(rows * players_ * width_);
  all_input_features_.resize(rows * players_ * all_input_features_width_);
  probability_.resize(rows * static_cast<std::size_t>(actions_));
  reward_.resize(rows);
  explored_.resize(rows);
  legal_.resize(rows);
  seat_.resize(rows);
  action_.resize(rows);
  next_.resize(rows, kOpen);
  env_->reset(settings.seed, batch_at(played_));
}

// Waiting rows of the last iteration, every step, and the position after the last one.
std::size_t Rollout::rows(const Game& game, const RolloutSettings& settings) {
  return static_cast<std::size_t>(settings.tables) *
         (static_cast<std::size_t>(game.players()) + static_cast<std::size_t>(settings.steps) + 1);
}

double Rollout::bytes(const Game& game, const Encoder* encoder, const RolloutSettings& settings) {
  const auto numbers = static_cast<double>(inputs(game, encoder) + game.num_actions() + 2 +
                                           (settings.all_hands ? critic_inputs(game, encoder, settings) : 0));
  constexpr double kOthers = sizeof(LegalMask) + sizeof(std::int8_t) + sizeof(Action) + 2 * sizeof(std::int32_t);
  return static_cast<double>(rows(game, settings)) * (sizeof(float) * numbers + kOthers);
}

int Rollout::inputs(const Game& game, const Encoder* encoder) {
  return game.observation_spec().size() + (encoder != nullptr ? static_cast<int>(encoder->names().size()) : 0);
}

int Rollout::critic_inputs(const Game& game, const Encoder* encoder, const RolloutSettings& settings) {
  if (!settings.all_hands) return inputs(game, encoder);
  return game.players() * inputs(game, settings.all_input_features ? encoder : nullptr);
}

Batch Rollout::batch_at(std::size_t step) {
  const std::size_t first = slot(step, 0);
  Batch batch;
  batch.observations = std::span(observations_).subspan(first * width_, tables_ * width_);
  batch.legal = std::span(legal_).subspan(first, tables_);
  batch.rewards = rewards_;
  batch.current_players = std::span(seat_).subspan(first, tables_);
  batch.terminated = terminated_;
  if (settings_.all_hands)
    batch.all_observations = std::span(all_).subspan(first * players_ * width_, tables_ * players_ * width_);
  batch.returns = returns_;
  return batch;
}

void Rollout::copy_row(std::size_t from, std::size_t to) {
  const auto copy = [&](auto& numbers, std::size_t width) {
    std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(from * width), width,
                numbers.begin() + static_cast<std::ptrdiff_t>(to * width));
  };
  copy(observations_, width_);
  copy(input_features_, input_features_width_);
  if (settings_.all_hands) copy(all_, players_ * width_);
  copy(all_input_features_, players_ * all_input_features_width_);
  copy(probability_, static_cast<std::size_t>(actions_));
  copy(reward_, 1);
  copy(explored_, 1);
  copy(legal_, 1);
  copy(seat_, 1);
  copy(action_, 1);
}

// Waiting rows move to the front, and the position after the last step becomes the first.
void Rollout::begin() {
  learned_.clear();
  counts_ = {};
  std::fill(next_.begin(), next_.end(), kOpen);
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    if (waiting_[i] < 0) continue;
    if (at(waiting_[i]) != i) copy_row(at(waiting_[i]), i);
    waiting_[i] = static_cast<std::int32_t>(i);
    learned_.push_back(waiting_[i]);
  }
  for (std::size_t table = 0; table < tables_; ++table) copy_row(slot(played_, table), slot(0, table));
  played_ = 0;
}

void Rollout::play(const PolicyNetwork& network, Opponent* opponent, std::int64_t iteration, double share,
                   std::int64_t most_hands) {
  begin();
  layers_ = network.relu_layers();
  RandomStream rng(settings_.seed ^ kActionStream, static_cast<std::uint64_t>(iteration));
  std::vector<Action> actions(tables_);
  const std::int64_t hands = env_->hands_finished();
  const auto steps = static_cast<std::size_t>(settings_.steps);
  while (played_ < steps && (played_ == 0 || env_->hands_finished() - hands < most_hands)) {
    const std::size_t step = played_++;
    decide(step, opponent, iteration);
    for (std::size_t table = 0; table < tables_; ++table) {
      const std::size_t row = slot(step, table), player = table * players_ + static_cast<std::size_t>(seat_[row]);
      float* const probability = &probability_[row * static_cast<std::size_t>(actions_)];
      const bool start = !starts_.empty() && starts_[table].seat == seat_[row] && starts_[table].left > 0;
      const bool learns = this->learns(table, opponent, seat_[row]) && !(start && starts_[table].left > 1);
      const float explore = start ? 1 : learns ? static_cast<float>(share) : 0;
      if (start) --starts_[table].left;
      if (explore > 0) {
        for (LegalMask rest = legal_[row]; rest != 0; rest &= rest - 1) {
          const Action action = std::countr_zero(rest);
          probability[action] =
              (1 - explore) * probability[action] + explore * settings_.base.probability(legal_[row], action);
        }
      }
      actions[table] = action_[row] = pick(probability, legal_[row], rng.uniform());
      if (!learns) continue;
      reward_[row] = 0;
      explored_[row] = explore;
      if (waiting_[player] >= 0) next_[at(waiting_[player])] = static_cast<std::int32_t>(row);
      waiting_[player] = static_cast<std::int32_t>(row);
      learned_.push_back(waiting_[player]);
    }
    const double start = thread_seconds();
    env_->step(actions, batch_at(step + 1));
    environment_seconds_ += thread_seconds() - start;
    take_rewards();
    for (std::size_t table = 0; table < starts_.size(); ++table)
      if (terminated_[table] != 0) draw_start(table, rng);
  }
  counts_.decisions = static_cast<std::int64_t>(learned_.size());
  counts_.hands = env_->hands_finished() - hands;
}

void Rollout::draw_start(std::size_t table, RandomStream& rng) {
  starts_[table] = {};
  if (static_cast<double>(rng.uniform()) >= settings_.exploring_starts) return;
  const std::size_t seat = in_league(table) ? learner_of(table) : rng.below(static_cast<std::uint32_t>(players_));
  starts_[table] = {static_cast<std::int8_t>(seat),
                    static_cast<std::uint8_t>(1 + rng.below(static_cast<std::uint32_t>(settings_.start_decisions)))};
}

bool Rollout::learns(std::size_t table, const Opponent* opponent, Seat seat) const {
  if (opponent != nullptr && in_league(table) && static_cast<std::size_t>(seat) != learner_of(table)) return false;
  return starts_.empty() || starts_[table].seat < 0 || starts_[table].seat == seat;
}

void Rollout::compute_input_features(std::size_t row) {
  if (!encoder_) return;
  float* const own = input_features_.data() + row * input_features_width_;
  if (all_input_features_width_ == 0) return encoder_->encode(&observations_[row * width_], own);
  for (std::size_t i = row * players_; i < (row + 1) * players_; ++i)
    encoder_->encode(&all_[i * width_], &all_input_features_[i * input_features_width_]);
  std::copy_n(&all_input_features_[(row * players_ + static_cast<std::size_t>(seat_[row])) * input_features_width_],
              input_features_width_, own);
}

// Policies of all tables at a step, from the network or from the opponent.
void Rollout::decide(std::size_t step, Opponent* opponent, std::int64_t iteration) {
  const std::size_t input = width_ + input_features_width_, output = static_cast<std::size_t>(actions_) + 1;
  own_.clear();
  others_.clear();
  for (std::size_t table = 0; table < tables_; ++table) {
    const std::size_t row = slot(step, table);
    compute_input_features(row);
    const bool other =
        opponent != nullptr && in_league(table) && static_cast<std::size_t>(seat_[row]) != learner_of(table);
    (other ? others_ : own_).push_back(row);
  }
  const auto probability = [&](std::size_t row) { return &probability_[row * static_cast<std::size_t>(actions_)]; };
  // Without input features they are contiguous: no copy.
  const bool in_place = !encoder_ && others_.empty();
  if (!in_place) {
    inputs_.resize(tables_ * input);
    float* to = inputs_.data();
    for (const auto* rows : {&own_, &others_})
      for (const std::size_t row : *rows) {
        write_inputs(static_cast<int>(row), to);
        to += input;
      }
  }
  outputs_.resize(own_.size() * output);
  layers_.forward(in_place ? &observations_[slot(step, 0) * width_] : inputs_.data(), static_cast<int>(own_.size()),
                  outputs_.data());
  for (std::size_t i = 0; i < own_.size(); ++i)
    masked_softmax(&outputs_[i * output], legal_[own_[i]], actions_, 1, probability(own_[i]));
  if (others_.empty()) return;
  std::vector<Opponent::Question> questions;
  const std::uint64_t seed = derive(derive(settings_.seed, static_cast<std::uint64_t>(iteration)), step);
  for (std::size_t i = 0; i < others_.size(); ++i) {
    const std::size_t row = others_[i];
    questions.push_back({seat_[row], legal_[row], std::span(observations_).subspan(row * width_, width_),
                         std::span(inputs_).subspan((own_.size() + i) * input, input), derive(seed, row),
                         probability(row)});
  }
  opponent->decide(questions);
}

void Rollout::take_rewards() {
  for (std::size_t i = 0; i < waiting_.size(); ++i)
    if (waiting_[i] >= 0) reward_[at(waiting_[i])] += rewards_[i];
  for (std::size_t table = 0; table < tables_; ++table) {
    if (terminated_[table] == 0) continue;
    const std::size_t first = table * players_;
    for (std::size_t i = first; i < first + players_; ++i) {
      if (waiting_[i] >= 0) next_[at(waiting_[i])] = kEnd;
      waiting_[i] = -1;
    }
    ++counts_.episodes;
    if (in_league(table)) {
      ++counts_.league_episodes;
      const double won = returns_[first + learner_of(table)];
      counts_.league_return += won;
      counts_.squared_return += won * won;
    } else {
      for (std::size_t i = first; i < first + players_; ++i) counts_.squared_return += returns_[i] * returns_[i];
    }
  }
}

float Rollout::policy(int row, Action action) const {
  const float explore = explored_[at(row)];
  const float played = probability(row)[action];
  if (explore == 0 || explore == 1) return played;
  return std::max(0.0F, (played - explore * settings_.base.probability(legal(row), action)) / (1 - explore));
}

void Rollout::write_inputs(int row, float* out) const {
  for_inputs(row, [out](std::size_t offset, std::span<const float> numbers) {
    std::copy(numbers.begin(), numbers.end(), out + offset);
  });
}

void Rollout::write_critic_inputs(int row, float* out) const {
  for_critic_inputs(row, [out](std::size_t offset, std::span<const float> numbers) {
    std::copy(numbers.begin(), numbers.end(), out + offset);
  });
}

template <class Self, class F>
void Rollout::for_each_part(Self& self, std::size_t row, const F& f) {
  const std::size_t players = self.players_, actions = static_cast<std::size_t>(self.actions_);
  const auto part = [&](auto& numbers, std::size_t count) {
    if (count > 0) f(&numbers[row * count], count * sizeof numbers[0]);
  };
  part(self.observations_, self.width_);
  part(self.input_features_, self.input_features_width_);
  part(self.all_, self.settings_.all_hands ? players * self.width_ : 0);
  part(self.all_input_features_, players * self.all_input_features_width_);
  part(self.probability_, actions);
  part(self.reward_, 1);
  part(self.explored_, 1);
  part(self.legal_, 1);
  part(self.seat_, 1);
  part(self.action_, 1);
}

// The tables and the waiting rows; the next iteration rebuilds everything else.
std::string Rollout::save() const {
  const std::string tables = env_->save();
  std::string bytes;
  const auto add = [&](const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); };
  const std::uint64_t length = tables.size();
  add(&length, sizeof length);
  bytes += tables;
  for (const std::int32_t row : waiting_) {
    const char waits = row >= 0;
    add(&waits, 1);
    if (waits) for_each_part(*this, at(row), add);
  }
  for (const Start& start : starts_) {
    add(&start.seat, 1);
    add(&start.left, 1);
  }
  return bytes;
}

void Rollout::load(std::string_view bytes) {
  const auto take = [&](void* data, std::size_t size) {
    if (bytes.size() < size) throw CheckpointError("saved tables are cut off");
    std::memcpy(data, bytes.data(), size);
    bytes.remove_prefix(size);
  };
  std::uint64_t length = 0;
  take(&length, sizeof length);
  if (length > bytes.size()) throw CheckpointError("saved tables are cut off");
  played_ = static_cast<std::size_t>(settings_.steps);
  env_->load(bytes.substr(0, length), batch_at(played_));
  bytes.remove_prefix(length);
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    char waits = 0;
    take(&waits, 1);
    waiting_[i] = waits == 0 ? -1 : static_cast<std::int32_t>(i);
    if (waits == 0) continue;
    for_each_part(*this, i, take);
    if (seat_[i] < 0 || static_cast<std::size_t>(seat_[i]) >= players_ || action_[i] < 0 || action_[i] >= actions_ ||
        (legal_[i] >> action_[i] & 1) == 0 || !(explored_[i] >= 0 && explored_[i] <= 1))
      throw CheckpointError("saved tables hold an impossible decision");
  }
  for (Start& start : starts_) {
    take(&start.seat, 1);
    take(&start.left, 1);
    if (start.seat < -1 || start.seat >= static_cast<int>(players_) || start.left > settings_.start_decisions)
      throw CheckpointError("saved tables hold an impossible exploring start");
  }
  if (!bytes.empty()) throw CheckpointError("saved tables are too long");
}

void lambda_returns(const Rollout& rollout, std::span<const float> values, double lambda, double unit,
                    std::span<float> returns) {
  const auto mix = static_cast<float>(lambda), scale = static_cast<float>(1 / unit);
  const std::span<const std::int32_t> learned = rollout.learned();
  for (std::size_t i = learned.size(); i-- > 0;) {
    const std::int32_t row = learned[i];
    if (!rollout.resolved(row)) continue;
    float result = scale * rollout.reward(row);
    const std::int32_t next = rollout.next(row);
    if (next >= 0) {
      const auto n = static_cast<std::size_t>(next);
      result += rollout.resolved(next) ? (1 - mix) * values[n] + mix * returns[n] : values[n];
    }
    returns[static_cast<std::size_t>(row)] = result;
  }
}

}  // namespace dealer
