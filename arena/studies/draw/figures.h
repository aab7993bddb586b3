#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "arena/studies/draw/kinds.h"
#include "arena/studies/estimate.h"

namespace dealer::studies::draw {

using poker::kDrawHand;
using poker::kMaxDraws;
using poker::kMaxSeats;

// Hands by their strength before the draw: what the best discard makes of them on average. 0 the weakest tenth of the
// hands dealt in the study.
inline constexpr int kTenths = 10;

// With fewer chances a kind of hands is not said to open: one that opened is no rule.
inline constexpr int kFewestChances = 30;

// Opening: the first bet or raise before the draw, where all before have checked or folded.
struct PositionFigures {
  Estimate chances;                          // share of hands in which it is up to this position
  Estimate opens;                            // share of these chances that it takes
  Estimate points;                           // a hand, chips
  std::array<Estimate, kTenths> tenths;      // opens by strength
  std::array<Estimate, kMostOpeners> hands;  // opens by hand
  // Of the kinds of hands that had kFewestChances to open and took at least half of them, the one with the least
  // strength; -1: none.
  int weakest = -1;
};

// What the next player does who has to answer an opening, shares.
struct Answers {
  Estimate fold, call, raise;
};

struct OpenerFigures {
  Estimate share;     // of hands dealt
  Estimate strength;  // 0 to 1, see kTenths
  Answers answers;
};

struct DiscardFigures {
  Estimate share;  // of all draws of this number; of all kinds: of hands dealt, those that draw
  std::array<Estimate, kDrawHand + 1> thrown;  // share that throws so many
  std::array<Estimate, kMostKept> kept;        // share that keeps what
  Estimate best;                               // share that throws what makes the best hand on average
  Estimate cost;                               // of strength, against that
};

struct PatFigures {
  Estimate share;   // of all that stand pat
  Estimate bets;    // share that bets where nobody has bet after the draw
  Estimate wins;    // share of the pot, on average
  Estimate unseen;  // share that wins without a showdown
  Estimate points;  // of the hand, chips
  Estimate worth;   // what comes back, less what is paid after the draw, chips
};

// By how many cards somebody has thrown.
struct ThrownFigures {
  Estimate share;  // of all draws
  Estimate bets;   // share that bets where nobody has bet after the draw
  Estimate folds;  // of answers to a bet or raise of such a player
};

struct DrawFigures {
  DiscardFigures all;
  std::array<DiscardFigures, kMostKinds> kinds;
  Estimate pat;                                 // share of draws that stands pat
  Estimate bluffs;                              // share of weak hands that stands pat
  std::array<PatFigures, kPatClasses> classes;  // of those that stand pat
  PatFigures weak_drawing;                      // of weak hands that throw cards; share: of all weak hands
  Estimate worth_bluff_draw;                    // worth of weak hands that stand pat less that of those that do not
  Estimate folds_pat_draw;                      // folds to who stood pat less those to who threw cards
  std::array<ThrownFigures, kDrawHand + 1> thrown;
};

struct GameFigures {
  std::string game, agent;
  Side side = Side::kHigh;
  std::vector<PositionFigures> positions;  // the first to act first
  Answers answers;
  std::array<Answers, kTenths> answers_by_tenth;
  std::array<OpenerFigures, kMostOpeners> hands;
  std::vector<DrawFigures> draws;
  // Differences, the first less the second.
  Estimate opens_last_first;   // of the last position and the first
  Estimate opens_weak_middle;  // of the weakest tenth and the fifth and sixth
};

struct Figures {
  std::vector<GameFigures> games;
};

nlohmann::ordered_json to_json(const Figures& figures);

}  // namespace dealer::studies::draw
