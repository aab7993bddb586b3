#include "arena/studies/game_log.h"

#include <fmt/format.h>

#include <memory>
#include <string_view>

#include "env/core/error.h"
#include "env/core/numbers.h"
#include "env/core/random.h"

namespace dealer::studies {
namespace {

// Replays the lines of a file in order.
class Player {
 public:
  explicit Player(const Replay& replay) : replay_(replay), hands_(replay.games.size(), 0) {}

  const std::vector<std::int64_t>& hands() const { return hands_; }
  // True if exactly `deals` deals have been played completely.
  bool stands_at(std::int64_t deals) const { return deal_ == deals && seating_ == 0 && hand_ == 0; }

  // Returns false if this cannot be the next hand.
  bool play(std::string_view line) {
    Words words(line);
    if (words.number<std::int64_t>() != deal_) return false;
    if (!begun_ && !begin()) return false;
    const Game& game = *replay_.games[game_];
    // If each deal is played once, the seatings take turns, and the line names the seating.
    const auto seating = words.number<int>();
    if (!seating || *seating < 0 || (games_per_deal_ > 1 && *seating != seating_)) return false;
    if (words.number<int>() != hand_) return false;
    if (hand_ == 0)
      replay_.deal(*env_, derive(replay_.seed, static_cast<std::uint64_t>(deal_)), *seating);
    else
      env_->next_hand();
    while (!words.at_end()) {
      const std::string_view word = words.take();
      const bool is_amount = word.starts_with('=');
      const auto value = number_in<Amount>(word.substr(is_amount ? 1 : 0));
      if (!value || env_->hand_over()) return false;
      if (!is_amount && (*value < 0 || *value >= game.num_actions())) return false;
      env_->step(is_amount ? Decision::bet_to(*value) : Decision(static_cast<Action>(*value)), step_);
    }
    if (!env_->hand_over()) return false;
    replay_.hand(deal_, env_->events(kOmniscient));
    ++hands_[game_];
    next();
    return true;
  }

 private:
  // Starts the game whose first deal is next; returns false if there is none.
  bool begin() {
    game_ = static_cast<std::size_t>(deal_ / replay_.deals);
    if (game_ >= replay_.games.size()) return false;
    begun_ = true;
    env_ = replay_.games[game_]->new_env({.hold_hands = true});
    games_per_deal_ = replay_.every_seating ? static_cast<int>(seatings(replay_.games[game_]->players()).size()) : 1;
    if (replay_.begin_game) replay_.begin_game(game_);
    return true;
  }

  void next() {
    ++hand_;
    if (!env_->terminated()) return;
    hand_ = 0;
    if (++seating_ < games_per_deal_) return;
    seating_ = 0;
    ++deal_;
    begun_ = deal_ % replay_.deals != 0;
  }

  const Replay& replay_;
  std::vector<std::int64_t> hands_;  // by game
  std::unique_ptr<Env> env_;
  Step step_;
  bool begun_ = false;  // the game of deal_
  std::size_t game_ = 0;
  int games_per_deal_ = 1;
  std::int64_t deal_ = 0;
  int seating_ = 0, hand_ = 0;
};

}  // namespace

MatchResult play_into(LinesFile& file, MatchOptions match, const std::function<void(std::int64_t done)>& progress) {
  const std::int64_t before = file.done();
  std::string lines;
  match.log = [&](std::string_view more) { lines += more; };
  match.progress = [&](std::int64_t deals) {
    file.append(lines, before + deals);
    lines.clear();
    if (progress) progress(file.done());
  };
  return play_match(match);
}

std::string line_of(const PlayedHand& hand) {
  std::string line = fmt::format("{} {} {}", hand.deal, hand.seating, hand.hand);
  for (const PlayedDecision& taken : hand.decisions) {
    if (taken.decision.is_amount())
      line += fmt::format(" ={}", taken.decision.amount);
    else
      line += fmt::format(" {}", taken.decision.action);
  }
  return line + '\n';
}

std::vector<std::int64_t> replay_log(const std::filesystem::path& file, const Replay& replay) {
  Player player(replay);
  LinesFile::read(
      file, kGamesUnit,
      [&](std::string_view line) {
        try {
          return player.play(line);
        } catch (const IllegalAction&) {
          return false;
        }
      },
      [&](std::int64_t deals) { return player.stands_at(deals); });
  return player.hands();
}

}  // namespace dealer::studies
