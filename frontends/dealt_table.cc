#include "frontends/dealt_table.h"

#include <algorithm>

#include "env/core/env.h"
#include "env/core/random.h"

namespace dealer {
namespace {

// Streams of the seed: episodes are dealt from their own, agents draw from theirs.
constexpr std::uint64_t kDeals = 0;
constexpr std::uint64_t kAgents = 1;

std::vector<double> added(std::vector<double> to, const std::vector<double>& more) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += more[i];
  return to;
}

}  // namespace

DealtTable::DealtTable(GamePtr game, std::uint64_t seed)
    : game_(std::move(game)),
      seed_(seed),
      env_(game_->new_env({.hold_hands = true, .keep_events = true})),
      earlier_points_(static_cast<std::size_t>(game_->players())),
      points_before_(earlier_points_.size()) {}

bool DealtTable::deal() {
  moves_.clear();
  const bool begins = episodes_ == 0 || env_->terminated();
  if (begins) {
    deal_episode(episodes_ > 0 && match_over());
  } else {
    first_event_ = env_->cursor();
    points_before_ = env_->returns();
    env_->next_hand();
    dealer_ = env_->events(kSpectator, first_event_).front().seat;
  }
  hand_begun_ = env_->clone();
  return begins;
}

// The button moves left with every hand, also where an episode is one hand: deals in which it would not are skipped.
void DealtTable::deal_episode(bool new_match) {
  earlier_points_ = points();
  points_before_.assign(points_before_.size(), 0);
  first_event_ = {};
  const std::uint64_t seed = derive(derive(seed_, kDeals), episodes_++);
  const Seat before = dealer_;
  const Seat next = before + 1 == game_->players() ? 0 : before + 1;
  for (std::uint64_t deal = 0;; ++deal) {
    episode_seed_ = deal == 0 ? seed : derive(seed, deal);
    env_->reset(episode_seed_);
    dealer_ = env_->events(kSpectator).front().seat;
    if (before < 0 || new_match || dealer_ < 0 || dealer_ == next) return;
  }
}

std::uint64_t DealtTable::agent_seed(Seat seat) const {
  return derive(derive(derive(seed_, kAgents), episodes_ - 1), static_cast<std::uint64_t>(seat));
}

void DealtTable::play(const Decision& decision) {
  const Seat seat = env_->current_player();
  std::string words = env_->decision_to_string(decision);
  env_->step(decision);
  add_move(seat, std::move(words));
}

std::vector<Decision> DealtTable::decisions() const {
  const std::unique_ptr<Env> env = hand_begun_->clone();
  std::vector<Decision> played;
  for (const auto& [seat, words] : moves_) {
    played.push_back(env->parse_decision(words));
    env->step(played.back());
  }
  return played;
}

bool DealtTable::match_over() const {
  return std::ranges::any_of(env_->events(kSpectator, first_event_),
                             [](const Event& event) { return event.kind == Event::Kind::kMatchEnded; });
}

std::vector<double> DealtTable::points() const {
  return episodes_ > 0 ? added(earlier_points_, env_->returns()) : earlier_points_;
}

std::vector<double> DealtTable::points_before() const { return added(earlier_points_, points_before_); }

std::vector<double> DealtTable::won() const {
  std::vector<double> won = env_->returns();
  for (std::size_t i = 0; i < won.size(); ++i) won[i] -= points_before_[i];
  return won;
}

phh::HandPlayed DealtTable::played(std::span<const Event> events) const {
  return {episode_seed_, env_->hands_finished() - 1, events, moves_, won()};
}

}  // namespace dealer
