#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "env/core/game.h"
#include "frontends/phh/history.h"

namespace dealer {

// Hand after hand at a table of people and agents: the seeds, the button, the points and the decisions of the hand.
class DealtTable {
 public:
  // The same seed and the same decisions give the same cards.
  DealtTable(GamePtr game, std::uint64_t seed);

  // Deals the next hand, the first of the next episode where one is over; true if an episode begins.
  // Precondition: the hand before is over.
  bool deal();
  // The seed of the agent at that seat (of a person's seat, the adviser) in the episode in progress.
  std::uint64_t agent_seed(Seat seat) const;
  // Decides for the seat to act.
  void play(const Decision& decision);
  // An agent has decided for the seat, in the words of Env::decision_to_string().
  void add_move(Seat seat, std::string words) { moves_.emplace_back(seat, std::move(words)); }

  Env& env() const { return *env_; }
  Seat dealer() const { return dealer_; }  // -1 where the game has none
  // The table before the first decision of the hand, and the cursor of its first event.
  const Env& begun() const { return *hand_begun_; }
  EventCursor first_event() const { return first_event_; }
  // The decisions of the hand so far.
  std::vector<Decision> decisions() const;
  // True if the hand in progress has ended a match.
  bool match_over() const;
  // Points won or lost by seat: in all hands, in those before the one in progress, and in it.
  std::vector<double> points() const;
  std::vector<double> points_before() const;
  std::vector<double> won() const;
  // The hand with these events of it, for a log.
  phh::HandPlayed played(std::span<const Event> events) const;

 private:
  void deal_episode(bool new_match);

  GamePtr game_;
  std::uint64_t seed_;
  std::unique_ptr<Env> env_, hand_begun_;
  std::uint64_t episodes_ = 0, episode_seed_ = 0;
  Seat dealer_ = -1;
  std::vector<double> earlier_points_;  // of the episodes before
  std::vector<double> points_before_;   // of the episode in progress, before the hand
  EventCursor first_event_;
  std::vector<std::pair<Seat, std::string>> moves_;
};

}  // namespace dealer
