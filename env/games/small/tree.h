#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "env/games/small/parts.h"

namespace dealer::small {

// Kind of a node: chance deals a hand, the board or the drawn cards; a player bets or decides about the cards of its
// hand; the end.
enum class Kind : std::uint8_t { kDealHand, kDealBoard, kDealDraw, kBet, kDraw, kFold, kShowdown };

// A node in the history of a hand, without cards. A cache line each.
struct alignas(64) Node {
  // Successor by move. Chance nodes have one successor, in entry 0. Row 1 is for tree walkers, row 0 for dealt hands,
  // where the board needs no move.
  std::array<std::array<std::uint16_t, kMoves>, 2> next{};
  // Seat 0 gains `gain` plus `stake` if it wins the showdown, minus `stake` if it loses it; both 0 before the end.
  std::int32_t gain = 0, stake = 0;
  std::array<std::int32_t, kSeats> paid{};  // chips in the pot
  std::uint16_t parent = 0;
  Kind kind = Kind::kDealHand;
  std::int8_t turn = kChance;
  std::uint8_t legal = 0;
  std::uint8_t move = 0;                         // move that led here from the parent
  std::uint8_t seat = 0;                         // seat that gets cards, acts or has folded
  std::uint8_t step = 0;                         // kDraw: number of hand cards decided upon
  std::uint8_t round = 0;                        // betting round in progress or next
  bool board = false;                            // the board is face up
  std::array<std::uint8_t, kSeats> discarded{};  // cards discarded so far
  std::array<bool, kSeats> drawn{};              // the seat's draw is over, the number known
};

// Name of a move at this node: "check", "raise", "keep" ...; "nothing" when it is none.
std::string_view move_name(const Node& from, Action move);

// All histories of a hand under a rule set, with what either seat observes of them.
class Tree {
 public:
  explicit Tree(const Options& options);

  std::span<const Node> nodes() const { return nodes_; }
  const Node& node(std::size_t index) const { return nodes_[index]; }
  // First node of dealt hands; tree walkers start at node 0.
  std::uint16_t first_decision() const { return first_decision_; }
  // The observation without the cards: Parts::size floats, zero where cards are written.
  const float* row(std::size_t node, Seat seat) const {
    return rows_.data() + (node * kSeats + static_cast<std::size_t>(seat)) * width_;
  }
  // Nodes of dealt hands at which the seat's observation ends with these numbers: the part from Parts::history on. More
  // than one only while cards are discarded.
  std::span<const std::uint16_t> find(Seat seat, std::span<const float> history) const;

 private:
  struct Position;
  class Builder;

  std::vector<Node> nodes_;
  std::vector<float> rows_;
  std::size_t width_, history_;
  std::uint16_t first_decision_ = 0;
  std::array<std::unordered_map<std::string, std::vector<std::uint16_t>>, kSeats> by_history_;
};

}  // namespace dealer::small
