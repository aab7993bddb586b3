#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace dealer::tournament {

// Who plays whom.
enum class Format : std::uint8_t {
  kRoundRobin,  // everybody everybody
  kGauntlet,    // the first agent all others
};
// "round_robin", "gauntlet"
std::string_view name_of(Format format);

// The pairs of agents 0 .. agents-1, (a, b) with a < b, in the order in which they are played.
std::vector<std::pair<int, int>> pairs_of(Format format, int agents);

// Who sits where in the games of a deal between agents 0 and 1: [seating][seat]. For two players both ways round. At
// larger tables one agent is alone among seats of the other: each is, once in every seat, with the same cards. So what
// an agent has won less what the other has, halved, is a lone agent's points, the mean of both sides, and at a table
// for two the agent's points.
std::vector<std::vector<int>> pair_seatings(int players);

// The seed of the deals between two agents, by name; the same for (a, b) and (b, a), whoever else plays. Each pair has
// deals of its own, so that the pairs are independent.
std::uint64_t pair_seed(std::uint64_t seed, std::string_view a, std::string_view b);

// Long pairs are played piece by piece, and after each it is looked whether they are known well enough. Where the piece
// that deal `deals` is in ends: 64, 128, 256, 512, then about a quarter more each time, at most 16,384 more.
std::int64_t end_of_piece(std::int64_t deals);

}  // namespace dealer::tournament
