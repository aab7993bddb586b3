#pragma once

#include <array>
#include <cstdint>

#include "arena/studies/seven_hand/figures.h"
#include "arena/studies/seven_hand/groups.h"
#include "arena/studies/seven_hand/responses.h"

namespace dealer::studies::seven_hand {

// Counts hands. A deal, with the hands played with it, is the independent unit of all intervals.
class Tally {
 public:
  // Deals come one after the other.
  void add(std::int64_t deal, const Hand& hand);
  // A hand of the agent against its responder; a deal's come behind those of add() or before them.
  void add_response(std::int64_t deal, const Hand& hand, int responder);
  // All but the advice and the responder's name.
  Figures figures() const;

 private:
  template <std::size_t n>
  using Row = std::array<DealMean, n>;
  template <std::size_t rows, std::size_t n>
  using Table = std::array<Row<n>, rows>;

  struct Sendings {
    DealMean rate, chance;
  };

  void add_laying(std::int64_t deal, const Hand& hand, const Laying& laying);
  void add_naming(std::int64_t deal, const Laying& laying);
  void add_chips(std::int64_t deal, const Hand& hand);
  void add_result(std::int64_t deal, const Hand& hand);

  // By chip.
  Row<kChips> used_, cards_, turn_, showdowns_, by_second_, by_starter_, tied_, win_;
  // By turn.
  Row<kTurns> cards_in_turn_;
  Table<kTurns, kMostLaid> numbers_;
  Table<kTurns, kChips> chips_in_turn_, cards_in_turn_at_;
  // Naming.
  std::array<std::array<Sendings, kChips>, kMostLaid> sent_;
  struct States {
    Sendings all, few, many;
  };
  std::array<States, kChipStates> states_;
  // Winning.
  Row<kMiddle + 1> win_by_middle_;
  Row<kEnds + 1> win_by_ends_;
  Table<kMiddle + 1, kEnds + 1> win_by_both_;
  DealMean first_points_, first_wins_, first_win_rate_;
  GroupTally groups_;
  ResponseTally responses_;
  // Ends of hands.
  DealMean three_, majority_, drawn_, three_with_fewer_, turns_, showdowns_of_hand_;
  Row<kRows> rows_;
  Row<kMargins> margins_;
  ClusterDifference cards_middle_ends_, turn_middle_ends_, cards_late_early_, middle_many_few_, sent_opposed_empty_,
      win_middle_ends_;
};

}  // namespace dealer::studies::seven_hand
