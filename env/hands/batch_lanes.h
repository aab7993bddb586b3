#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "env/hands/hand_tables.h"

// The layout of many hands in vector code, shared by all vector widths.
//
// The hands' N cards (5 or 7) lie one after the other in memory, in kWidth * N bytes for kWidth hands: N vectors
// V[0..N-1] of kWidth bytes. Vector code wants N vectors W[j], with card j of some hand in every lane and the same hand
// in the same lane of each. kWidth and N have no common factor, so of the N bytes V[0][lane]..V[N-1][lane] one is card
// j of its hand, for each j: U[j] collects them by blends alone, and W[j] is U[j] rotated by j lanes. The blends choose
// V[k], k = (j - lane) / kWidth mod N: starting from the order V[j / kWidth mod N], vector j takes the one of j - lane,
// a rotation among the N vectors by lane mod N, done in three steps by 1, 2 and 4.
namespace dealer::hand_batch {

template <int kWidth, int N>
struct Lanes {
  // The x of 0..N-1 with x * kWidth = j mod N.
  static constexpr int divide(int j) {
    int x = 0;
    while (x * kWidth % N != j % N) ++x;
    return x;
  }
  // True if the lane takes part in the rotation by 1 << step.
  static constexpr bool rotates(int lane, int step) { return (lane % N >> step & 1) != 0; }
  // The hand in a lane of W[j].
  static constexpr int hand_in(int lane) { return (kWidth * divide((N - lane % N) % N) + lane) / N; }
  static constexpr int lane_of(int hand) {
    int lane = 0;
    while (hand_in(lane) != hand) ++lane;
    return lane;
  }
};

// Networks that sort 5 and 7 with the fewest exchanges (Knuth, The Art of Computer Programming 3, section 5.3.4).
struct Exchange {
  int low, high;
};
template <int N>
inline constexpr std::array<Exchange, 0> kExchanges{};
template <>
inline constexpr std::array<Exchange, 9> kExchanges<5> = {
    {{0, 3}, {1, 4}, {0, 2}, {1, 3}, {0, 1}, {2, 4}, {1, 2}, {3, 4}, {2, 3}}};
template <>
inline constexpr std::array<Exchange, 16> kExchanges<7> = {{{0, 6},
                                                            {2, 3},
                                                            {4, 5},
                                                            {0, 2},
                                                            {1, 4},
                                                            {3, 6},
                                                            {0, 1},
                                                            {2, 5},
                                                            {3, 4},
                                                            {1, 2},
                                                            {4, 6},
                                                            {2, 3},
                                                            {4, 5},
                                                            {1, 2},
                                                            {3, 4},
                                                            {5, 6}}};

}  // namespace dealer::hand_batch
