#include "arena/analysis/analyse.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "arena/analysis/lru_cache.h"
#include "arena/analysis/player_tallies.h"
#include "arena/analysis/worst_hands.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/worker_pool.h"

namespace dealer::analysis {
namespace {

// Hands that are judged together.
constexpr std::size_t kBlock = 512;
// Games whose analysers are kept at a time: hands of other programs tell games of their own, with the chips at the
// table.
constexpr std::size_t kGames = 16;

struct HandJudged {
  bool done = false;
  std::int64_t forced = 0;
  std::vector<JudgedDecision> decisions;
};

// In games of points a third of a chip in a hundred is much: values lie between -1 and 1.
double scale_of(const Game& game) {
  if (game.big_blind() > 0) return game.big_blind();
  return game.id().family == "seven_hand" ? 0.2 : 1;
}

// Hands of one deal share their cards: they are one case. Headings of matches are DEAL-SEATING-HAND.
std::string deal_of(const std::string& hand) {
  return std::count(hand.begin(), hand.end(), '-') == 2 ? hand.substr(0, hand.find('-')) : hand;
}

}  // namespace

class Analyst::Work {
 public:
  explicit Work(const AnalysisOptions& options)
      : options_(options),
        pool_(options.threads > 0 ? options.threads
                                  : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
        worst_(options.hands_kept) {
    for (int i = 0; i < pool_.size(); ++i) seated_.emplace_back(kGames);
    result_.agent = options.judge.agent;
    result_.seed = options.seed;
  }

  void expect(const GamePtr& game) {
    if (analysers_.size() < kGames) analysers_of(game);
  }

  void add(RecordedHand hand) {
    ++result_.hands_in_log;
    if (stopped_) return;
    hands_.push_back(std::move(hand));
    if (hands_.size() == kBlock) judge_block();
  }

  bool stopped() const { return stopped_; }

  Analysis finish(std::int64_t hands_in_log) {
    if (!hands_.empty()) judge_block();
    result_.hands_in_log = std::max(result_.hands_in_log, hands_in_log);
    result_.interrupted = stopped_;
    result_.games.assign(games_.begin(), games_.end());
    result_.methods.assign(methods_.begin(), methods_.end());
    result_.players = players_.figures();
    result_.hands_told = worst_.added();
    result_.decisions = worst_.take();
    for (std::size_t i = 0; i < result_.decisions.size(); ++i)
      if (result_.decisions[i].judgement.loss.value_or(0) > 0) result_.worst.push_back(i);
    std::stable_sort(result_.worst.begin(), result_.worst.end(), [&](std::size_t a, std::size_t b) {
      return badness_of(result_.decisions[a]) > badness_of(result_.decisions[b]);
    });
    return std::move(result_);
  }

 private:
  // A judge may look into what made it.
  struct Seated {
    Analysers made_by;
    std::unique_ptr<Analyser> judge;
  };

  Analysers analysers_of(const GamePtr& game) {
    const std::lock_guard lock(mutex_);
    return analysers_.get(game->spec(), [&] {
      Analysers analysers = make_analysers(game, options_.judge);
      if (!agent_known_) result_.agent = analysers.agent;
      agent_known_ = true;
      return analysers;
    });
  }

  void judge_block() {
    judged_.assign(hands_.size(), {});
    next_ = 0;
    if (!agent_known_) analysers_of(hands_.front().table->game().shared_from_this());
    pool_.run([&](int worker) { judge_some(seated_[static_cast<std::size_t>(worker)]); });
    stopped_ = std::any_of(judged_.begin(), judged_.end(), [](const HandJudged& hand) { return !hand.done; });
    for (std::size_t i = 0; i < hands_.size(); ++i) count(hands_[i], judged_[i]);
    hands_.clear();
    judged_.clear();
  }

  void judge_some(LruCache<Seated>& seated) {
    try {
      while (!options_.stop || !options_.stop()) {
        const std::size_t hand = next_++;
        if (hand >= hands_.size()) return;
        const GamePtr game = hands_[hand].table->game().shared_from_this();
        const Seated& judge = seated.get(game->spec(), [&] {
          Analysers analysers = analysers_of(game);
          return Seated{analysers, analysers.make()};
        });
        judge_hand(hand, *judge.judge);
        const std::lock_guard lock(mutex_);
        ++done_;
        if (options_.progress) options_.progress(done_);
      }
    } catch (...) {
      next_ = hands_.size();
      throw;
    }
  }

  void judge_hand(std::size_t number, Analyser& judge) {
    const RecordedHand& hand = hands_[number];
    const Game& game = hand.table->game();
    const std::uint64_t seed = derive(options_.seed, static_cast<std::uint64_t>(hand.number));
    HandJudged result;
    int in_hand = 0;
    for (Turn& turn : turns_of(hand)) {
      const int place = in_hand++;
      const std::string player = player_at(hand, turn.seat);
      if (!wanted(options_, turn.seat, player)) continue;
      if (turn.forced) {
        ++result.forced;
        continue;
      }
      if (options_.stop && options_.stop()) return;
      JudgedDecision& decision = result.decisions.emplace_back();
      decision.hand = hand.name;
      decision.number = hand.number;
      decision.game = game.spec();
      decision.unit = game.unit();
      decision.seat = turn.seat;
      decision.player = player;
      decision.street = turn.street;
      decision.line = turn.line;
      decision.in_hand = place;
      decision.chosen = turn.text;
      if (options_.tables) decision.table = std::move(turn.table);
      decision.scale = scale_of(game);
      if (turn.unknown)
        decision.judgement.why = "the cards that this player held are not told";
      else
        decision.judgement = judge.judge(turn.question, derive(seed, static_cast<std::uint64_t>(place)));
      // Whole turns are told as the judge tells them: OFC's as boards.
      const std::vector<JudgedChoice>& choices = decision.judgement.choices;
      if (turn.question.chosen.size() > 1 && !choices.empty() && !choices[decision.judgement.chosen].text.empty())
        decision.chosen = choices[decision.judgement.chosen].text;
    }
    result.done = true;
    judged_[number] = std::move(result);
  }

  // In the order of the log.
  void count(const RecordedHand& hand, HandJudged& judged) {
    if (std::string deal = deal_of(hand.name); deals_ == 0 || deal != deal_) {
      ++deals_;
      deal_ = std::move(deal);
    }
    const Game& game = hand.table->game();
    games_.insert(game.spec());
    if (!judged.done) return;
    if (!hand.whole) {
      ++result_.left_out;
      return;
    }
    ++result_.hands;
    result_.forced += judged.forced;
    const std::string unit = game.unit();
    result_.unit = result_.unit.empty() || result_.unit == unit ? unit : "mixed";
    players_.add(hand, judged.decisions, options_, deals_);
    for (const JudgedDecision& decision : judged.decisions) {
      const Judgement& judgement = decision.judgement;
      ++result_.decided;
      if (judgement.verdict == Verdict::kUnjudged)
        ++result_.unjudged[judgement.why];
      else
        ++result_.judged;
      if (!judgement.method.empty()) methods_.insert(judgement.method);
    }
    worst_.add(std::move(judged.decisions));
  }

  const AnalysisOptions options_;
  WorkerPool pool_;
  std::vector<LruCache<Seated>> seated_;  // by worker

  std::mutex mutex_;
  LruCache<Analysers> analysers_{kGames};
  bool agent_known_ = false;
  std::int64_t done_ = 0;

  // The block in progress.
  std::vector<RecordedHand> hands_;
  std::vector<HandJudged> judged_;
  std::atomic<std::size_t> next_ = 0;

  bool stopped_ = false;
  std::int64_t deals_ = 0;
  std::string deal_;  // the last one
  std::set<std::string> games_, methods_;
  PlayerTallies players_;
  WorstHands worst_;
  Analysis result_;
};

Analyst::Analyst(const AnalysisOptions& options) : work_(std::make_unique<Work>(options)) {}
Analyst::~Analyst() = default;
void Analyst::expect(const GamePtr& game) { work_->expect(game); }
void Analyst::add(RecordedHand hand) { work_->add(std::move(hand)); }
bool Analyst::stopped() const { return work_->stopped(); }
Analysis Analyst::finish(std::int64_t hands_in_log) { return work_->finish(hands_in_log); }

Analysis analyse(const std::vector<RecordedHand>& hands, const AnalysisOptions& options) {
  Analyst analyst(options);
  for (const RecordedHand& hand : hands) analyst.expect(hand.table->game().shared_from_this());
  for (const RecordedHand& hand : hands) analyst.add(hand);
  return analyst.finish();
}

std::string_view mark_of(const JudgedDecision& decision) {
  if (decision.judgement.verdict != Verdict::kMistake) return "";
  const double loss = *decision.judgement.loss / decision.scale;
  return loss < 0.25 ? "?!" : loss < 1 ? "?" : "??";
}

}  // namespace dealer::analysis
