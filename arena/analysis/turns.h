#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "env/core/game.h"

namespace dealer::analysis {

// A hand as a log tells it.
struct RecordedHand {
  std::string name;            // its heading, or its number in the file
  std::int64_t number = 0;     // in the file, from 1
  std::shared_ptr<Env> table;  // before its first decision; never changed
  std::vector<Decision> decisions;
  std::vector<int> lines;  // of the file, one a decision; empty: not known; -1: not in the file, and not judged
  std::vector<std::string> players;       // names by seat
  bool whole = true;                      // false: it cannot be played again decision by decision, and has none here
  std::vector<bool> unknown;              // by seat: cards that decide are not told; empty: all are
  std::vector<std::string> brought_near;  // what of a hand of other people is another at this table
};

// Something decided earlier in the hand, as the seat that is asked about saw it.
struct PastDecision {
  Seat seat = 0;
  bool drawing = false;       // cards were discarded: of others nothing but their number is known
  Decision decision;          // of others who drew: none
  std::vector<float> seen{};  // own ones: what the seat saw then
};

// A decision to be judged: what its seat knew, and what it chose. The cards of others have no part in it.
struct Question {
  Observation seen;
  std::vector<PastDecision> before;  // of this hand, in order
  std::vector<Choice> choices;       // legal ones, a range of amounts last
  // One decision, or all of a turn in which nothing new is seen: cards that are placed or laid one by one.
  std::vector<Decision> chosen;
};

// The turns of a hand.
struct Turn {
  Seat seat = 0;
  int street = 0;        // as events count them
  int line = 0;          // of its first decision in the file; 0: not known; -1: it is not in the file
  std::string text;      // what was chosen
  std::string table;     // what the seat saw, for people
  std::string cards;     // the same cards drawn, lines
  bool forced = false;   // there was nothing to choose
  bool unknown = false;  // the seat's own cards are not told
  Question question;
};
// Draws the cards that a seat sees; empty: nobody draws them.
using DrawCards = std::function<std::string(const Env& table, Seat seat)>;
// In order. Throws UsageError when a decision is not legal.
std::vector<Turn> turns_of(const RecordedHand& hand, const DrawCards& draw = {});

}  // namespace dealer::analysis
