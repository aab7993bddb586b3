#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arena/analysis/judge.h"
#include "arena/studies/estimate.h"

namespace dealer::analysis {

struct AnalysisOptions {
  JudgeOptions judge;
  std::uint64_t seed = 0;
  int threads = 0;  // 0: one for each processor; changes no result
  // Which decisions: of these seats and of players of these names; empty: all.
  std::vector<Seat> seats;
  std::vector<std::string> players;
  std::function<void(std::int64_t hands)> progress = {};
  std::function<bool()> stop = {};
};

// A decision and what is thought of it.
struct JudgedDecision {
  std::string hand;         // heading or number
  std::int64_t number = 0;  // of the hand in the file, from 1
  std::string game;
  std::string unit;
  Seat seat = 0;
  std::string player;
  int street = 0;
  int line = 0;
  int in_hand = 0;     // number of the turn in its hand, from 0
  std::string chosen;  // in words
  std::string table;   // what the seat saw
  double scale = 1;    // what a loss is large or small by: the big blind, or a point
  Judgement judgement;
};

// The decisions of one player, or of all: means with their 95% intervals, of which hands are the independent cases.
struct PlayerFigures {
  std::string player;
  std::int64_t hands = 0, decisions = 0, judged = 0, mistakes = 0, unclear = 0;
  studies::Estimate loss_per_decision, loss_per_hand;
  // Of Judgement::cost: below 0 who plays better than the agent would in these places.
  studies::Estimate cost_per_decision, cost_per_hand;
};

struct Analysis {
  std::string agent;
  std::vector<std::string> games, methods;
  std::string unit;  // of all games; "mixed" where they differ
  std::uint64_t seed = 0;
  std::int64_t hands = 0;         // judged
  std::int64_t hands_in_log = 0;  // that were to be
  std::int64_t left_out = 0;      // hands in which the stock was shuffled again
  std::int64_t forced = 0;        // turns without a choice, which are left out
  bool interrupted = false;
  std::vector<JudgedDecision> decisions;  // in the order of the log
  std::vector<PlayerFigures> players;     // in the order of their first hands
  // Decisions with a loss, the largest first, mistakes before others: places in `decisions`.
  std::vector<std::size_t> worst;
};

// Throws UsageError, CheckpointError or FileError where there is nobody to judge a game of these hands.
Analysis analyse(const std::vector<RecordedHand>& hands, const AnalysisOptions& options);

// How bad a loss is: "" of what is no mistake, "?!" below a quarter of the scale, "?" below all of it, "??".
std::string_view mark_of(const JudgedDecision& decision);

// docs/analyse.md tells the fields.
nlohmann::ordered_json to_json(const Analysis& analysis, std::optional<std::size_t> worst = {});

}  // namespace dealer::analysis
