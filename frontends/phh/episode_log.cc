#include "frontends/phh/episode_log.h"

#include "env/games/poker/game.h"

namespace dealer::phh {

// The state with each hand held at its end, where the table would have dealt the next.
struct EpisodeLog::Poker {
  const poker::GameRules& rules;
  poker::State state;
};

EpisodeLog::EpisodeLog(GamePtr game) : game_(std::move(game)), env_(game_->new_env()) {
  if (const poker::Game* game_of_bets = poker::as_poker(*game_)) {
    poker_ = std::make_unique<Poker>(Poker{game_of_bets->rules(), {}});
    poker_->state.reset(poker_->rules, 0);
  }
}

EpisodeLog::~EpisodeLog() = default;

std::vector<HandHistory> EpisodeLog::write(const MovesHand& hand, const std::vector<std::string>& players) {
  if (poker_) return write_poker(hand, players);
  if (hand.hand == 0) env_->reset(hand.seed);
  return {moves_history(*env_, hand, players)};
}

std::vector<HandHistory> EpisodeLog::write_poker(const MovesHand& hand, const std::vector<std::string>& players) {
  std::vector<HandHistory> histories;
  poker::State& state = poker_->state;
  const auto held = [&] { histories.push_back(poker_history(state, game_->spec(), players)); };
  if (hand.hand == 0) {
    state.reset_and_hold(poker_->rules, hand.seed);
  } else {
    // Hands in which nobody decides anything belong to those before.
    for (state.next_hand(); state.hand_over(); state.next_hand()) held();
  }
  for (const auto& [seat, action] : hand.moves) state.apply_and_hold(action);
  held();
  return histories;
}

}  // namespace dealer::phh
