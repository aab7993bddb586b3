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
  int threads = 0;  // 0: one per processor; does not change results
  // The decisions to analyse: of these seats and of players with these names; empty: all.
  std::vector<Seat> seats;
  std::vector<std::string> players;
  // The number of hands whose decisions are kept, those with the worst mistakes; the figures cover all hands.
  std::size_t hands_kept = kAllHands;
  bool tables = true;   // also keep what the seats saw
  DrawCards draw = {};  // also keeps drawings of the cards that the seats saw
  std::function<void(std::int64_t hands)> progress = {};
  std::function<bool()> stop = {};
};

// A decision and its analysis.
struct JudgedDecision {
  std::string hand;         // heading or number
  std::int64_t number = 0;  // of the hand in the file, from 1
  std::string game;
  std::string unit;
  Seat seat = 0;
  std::string player;
  int street = 0;
  int line = 0;
  int in_hand = 0;     // index of the turn in its hand, from 0
  std::string chosen;  // in words
  std::string table;   // the observation of the seat, as text
  std::string cards;   // drawings of the same cards, lines
  double scale = 1;    // the unit for the size of a loss: the big blind, or one point
  Judgement judgement;
};

// The decisions of one player, or of all: means with their 95% intervals, clustered by hand.
struct PlayerFigures {
  std::string player;
  std::int64_t hands = 0;
  std::int64_t hands_judged = 0;  // those with all decisions analysed: per-hand figures use only these
  std::int64_t decisions = 0, judged = 0, mistakes = 0, unclear = 0;
  // Means of Judgement::difference: zero expectation if nothing is lost, whether by chance or not.
  studies::Estimate loss_per_decision, loss_per_hand;
  // Means of Judgement::cost: negative for a player that does better than the agent would in these positions.
  studies::Estimate cost_per_decision, cost_per_hand;
};

struct Analysis {
  std::string agent;
  std::vector<std::string> games, methods;
  std::string unit;  // of all games; "mixed" if they differ
  std::uint64_t seed = 0;
  std::int64_t hands = 0;         // analysed
  std::int64_t hands_in_log = 0;  // number of hands to analyse
  std::int64_t left_out = 0;      // hands in which the stock was reshuffled, or without a similar game here
  std::int64_t forced = 0;        // turns without a choice, which are skipped
  // For hands from other sites, analysed in the nearest game of ours: the adaptations made, with their number of hands.
  std::map<std::string, std::int64_t> brought_near;
  bool interrupted = false;
  std::int64_t decided = 0, judged = 0;          // decisions with a choice, and the number of them analysed
  std::map<std::string, std::int64_t> unjudged;  // the others, by reason
  std::int64_t hands_recorded = 0;               // hands with such decisions; those of hands_kept are in `decisions`
  std::vector<JudgedDecision> decisions;         // in the order of the log
  std::vector<PlayerFigures> players;            // in order of their first hands
  // Decisions with a loss, the largest first, mistakes before others: indices into `decisions`.
  std::vector<std::size_t> worst;
};

// Analyses a log hand by hand, in batches; keeps only figures and the decisions to be kept. All functions throw
// UsageError, CheckpointError or FileError if no agent can analyse a game.
class Analyst {
 public:
  explicit Analyst(const AnalysisOptions& options);

  // Prepares the analyser of a game whose hands will follow.
  void expect(const GamePtr& game);
  // Adds a hand in log order. Does nothing once stopped.
  void add(RecordedHand hand);
  // Counts a hand that cannot be analysed at any table.
  void leave_out() { ++result_.hands_in_log, ++result_.left_out; }
  bool stopped() const { return stopped_; }
  // hands_in_log: the number of hands in the log, if not all of them were added.
  Analysis finish(std::int64_t hands_in_log = 0);

 private:
  struct HandJudged {
    std::int64_t forced = 0;
    std::vector<JudgedDecision> decisions;
  };
  // The analyser may refer to its maker, so both are kept.
  struct Seated {
    Analysers made_by;
    std::unique_ptr<Analyser> judge;
  };
  struct PlayerCounters {
    PlayerFigures figures;
    studies::ClusterMean loss, loss_of_hand, cost, cost_of_hand;
  };

  Analysers analysers_of(const GamePtr& game);
  bool wanted(Seat seat, const std::string& player) const;
  void judge_block();
  std::optional<HandJudged> judge(const RecordedHand& hand, LruCache<Seated>& seated);
  // Called in log order.
  void count(const RecordedHand& hand, HandJudged judged);
  void count_players(const RecordedHand& hand, const std::vector<JudgedDecision>& decisions);
  void keep(std::vector<JudgedDecision> decisions);

  const AnalysisOptions options_;
  std::vector<RecordedHand> hands_;       // of the current block
  std::vector<LruCache<Seated>> seated_;  // one per thread
  std::mutex mutex_;                      // guards the next two
  LruCache<Analysers> analysers_;
  bool agent_known_ = false;
  bool stopped_ = false;
  std::int64_t done_ = 0;
  std::int64_t deals_ = 0;
  std::string deal_;  // the last one
  std::set<std::string> games_, methods_;
  std::vector<PlayerCounters> counters_;
  std::map<std::string, std::size_t> place_;  // index of a player's counters
  // The decisions of the hands kept, keyed by their worst decision, the earlier hand first on ties.
  std::map<std::tuple<bool, double, std::int64_t>, std::vector<JudgedDecision>> kept_;
  Analysis result_;
};

// The same for a list of hands.
Analysis analyse(const std::vector<RecordedHand>& hands, const AnalysisOptions& options);

// The mark for the size of a loss, by the lower end of its interval: "" if it is not a mistake, "?!" below a quarter of
// the scale, "?" below the scale, otherwise "??".
std::string_view mark_of(const JudgedDecision& decision);

}  // namespace dealer::analysis
