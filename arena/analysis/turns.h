#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "env/core/game.h"

namespace dealer::analysis {

// A hand read from a log.
struct RecordedHand {
  std::string name;            // its heading, or its number in the file
  std::int64_t number = 0;     // in the file, from 1
  std::shared_ptr<Env> table;  // before its first decision; read-only
  std::vector<Decision> decisions;
  std::vector<int> lines;  // of the file, one per decision; empty: unknown; -1: not in the file, and not analysed
  std::vector<std::string> players;       // names by seat
  bool whole = true;                      // false: it cannot be played again decision by decision, and has none here
  std::vector<bool> unknown;              // by seat: cards that matter are not in the log; empty: all are known
  std::vector<std::string> brought_near;  // the adaptations made to a hand from another site
};

// An earlier decision of the hand, as seen by the seat under analysis.
struct PastDecision {
  Seat seat = 0;
  bool drawing = false;       // cards were discarded: of other players only the number is known
  Decision decision;          // for others who drew: none
  std::vector<float> seen{};  // own decisions: the observation at that time
};

// A decision to analyse: the information of its seat, and the choice made. The cards of others are not used.
struct Question {
  Observation seen;
  std::vector<PastDecision> before;  // of this hand, in order
  std::vector<Choice> choices;       // the legal ones, a range of amounts last
  // One decision, or all those of a turn without new information: cards that are placed or laid one by one.
  std::vector<Decision> chosen;
};

// The turns of a hand.
struct Turn {
  Seat seat = 0;
  int street = 0;        // as events count them
  int line = 0;          // line number of its first decision; 0: unknown; -1: not in the file
  std::string text;      // the choice as text
  std::string table;     // the observation of the seat, for people
  std::string cards;     // drawings of the same cards, lines
  bool forced = false;   // there was no choice
  bool unknown = false;  // the seat's own cards are not in the log
  Question question;
};
// Draws the cards that a seat sees; empty: no drawings.
using DrawCards = std::function<std::string(const Env& table, Seat seat)>;
// The turns in order. Throws UsageError if a decision is illegal.
std::vector<Turn> turns_of(const RecordedHand& hand, const DrawCards& draw = {});

}  // namespace dealer::analysis
