#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "arena/analysis/analyser.h"
#include "arena/studies/estimate.h"
#include "env/core/lru_cache.h"

namespace dealer::analysis {

inline constexpr std::size_t kAllHands = std::numeric_limits<std::size_t>::max();

struct AnalysisOptions {
  AnalyserOptions judge;
  std::uint64_t seed = 0;
  int threads = 0;  // 0: one for each processor; changes no result
  // Which decisions: of these seats and of players of these names; empty: all.
  std::vector<Seat> seats;
  std::vector<std::string> players;
  // The decisions of so many hands are kept, of those with the worst mistakes; figures are of all of them.
  std::size_t hands_kept = kAllHands;
  bool tables = true;   // keep with the decisions what their seats saw
  DrawCards draw = {};  // keeps with them the cards that their seats saw, drawn
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
  std::string cards;   // the same cards drawn, lines
  double scale = 1;    // what a loss is large or small by: the big blind, or a point
  Judgement judgement;
};

// The decisions of one player, or of all: means with their 95% intervals, of which hands are the independent cases.
struct PlayerFigures {
  std::string player;
  std::int64_t hands = 0;
  std::int64_t hands_judged = 0;  // of which all decisions were judged: figures a hand are of these
  std::int64_t decisions = 0, judged = 0, mistakes = 0, unclear = 0;
  // Of Judgement::difference: 0 on average where nothing is lost, chance or not.
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
  std::int64_t left_out = 0;      // hands in which the stock was shuffled again, or that no game here is near
  std::int64_t forced = 0;        // turns without a choice, which are left out
  // Of hands of other people, at the nearest tables of ours: what was brought near, and in how many hands.
  std::map<std::string, std::int64_t> brought_near;
  bool interrupted = false;
  std::int64_t decided = 0, judged = 0;          // decisions with a choice, and those of them that were judged
  std::map<std::string, std::int64_t> unjudged;  // the others, by why
  std::int64_t hands_told = 0;                   // hands with such decisions; those of hands_kept are in `decisions`
  std::vector<JudgedDecision> decisions;         // in the order of the log
  std::vector<PlayerFigures> players;            // in the order of their first hands
  // Decisions with a loss, the largest first, mistakes before others: places in `decisions`.
  std::vector<std::size_t> worst;
};

// Analyses a log hand by hand, many of them together; keeps nothing of those before but figures and the decisions that
// are to be kept. All throw UsageError, CheckpointError or FileError where there is nobody to judge a game.
class Analyst {
 public:
  explicit Analyst(const AnalysisOptions& options);

  // Looks for somebody to judge a game whose hands are to come.
  void expect(const GamePtr& game);
  // Hands as they stand in the log. Nothing happens once it was stopped.
  void add(RecordedHand hand);
  // A hand that cannot be judged at any table.
  void leave_out() { ++result_.hands_in_log, ++result_.left_out; }
  bool stopped() const { return stopped_; }
  // hands_in_log: what the log has, where not all of it was added.
  Analysis finish(std::int64_t hands_in_log = 0);

 private:
  struct HandJudged {
    std::int64_t forced = 0;
    std::vector<JudgedDecision> decisions;
  };
  // An analyser may look into what made it.
  struct Seated {
    Analysers made_by;
    std::unique_ptr<Analyser> judge;
  };
  struct Tally {
    PlayerFigures figures;
    studies::ClusterMean loss, loss_of_hand, cost, cost_of_hand;
  };

  Analysers analysers_of(const GamePtr& game);
  bool wanted(Seat seat, const std::string& player) const;
  void judge_block();
  std::optional<HandJudged> judge(const RecordedHand& hand, LruCache<Seated>& seated);
  // In the order of the log.
  void count(const RecordedHand& hand, HandJudged judged);
  void count_players(const RecordedHand& hand, const std::vector<JudgedDecision>& decisions);
  void keep(std::vector<JudgedDecision> decisions);

  const AnalysisOptions options_;
  std::vector<RecordedHand> hands_;       // of the block in progress
  std::vector<LruCache<Seated>> seated_;  // one a thread
  std::mutex mutex_;                      // of the two below
  LruCache<Analysers> analysers_;
  bool agent_known_ = false;
  bool stopped_ = false;
  std::int64_t done_ = 0;
  std::int64_t deals_ = 0;
  std::string deal_;  // the last one
  std::set<std::string> games_, methods_;
  std::vector<Tally> tallies_;
  std::map<std::string, std::size_t> place_;  // of a player's tally
  // The decisions of the hands that are kept, by their worst one, of equal ones the earlier first.
  std::map<std::tuple<bool, double, std::int64_t>, std::vector<JudgedDecision>> kept_;
  Analysis result_;
};

// The same of hands that are at hand.
Analysis analyse(const std::vector<RecordedHand>& hands, const AnalysisOptions& options);

// Of a 95% interval, in standard errors.
inline constexpr double kHalfWidth = 1.96;

// How bad a loss is, by the lower end of its interval: "" of what is no mistake, "?!" below a quarter of the scale, "?"
// below all of it, "??".
std::string_view mark_of(const JudgedDecision& decision);

}  // namespace dealer::analysis
