#include "arena/analysis/analyse.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "agents/agent_registry.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/worker_pool.h"

namespace dealer::analysis {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

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

class Work {
 public:
  Work(const std::vector<RecordedHand>& hands, const AnalysisOptions& options)
      : hands_(hands), options_(options), judged_(hands.size()) {
    for (const RecordedHand& hand : hands) {
      const Game& game = hand.table->game();
      if (judges_.contains(game.spec())) continue;
      judges_[game.spec()] = make_judges(game.shared_from_this(), options.judge);
    }
  }

  // False when it was stopped.
  bool run() {
    int threads = options_.threads > 0 ? options_.threads : static_cast<int>(std::thread::hardware_concurrency());
    threads = std::clamp(threads, 1, static_cast<int>(std::max<std::size_t>(1, hands_.size())));
    WorkerPool(threads).run([&](int) { judge_some(); });
    return std::all_of(judged_.begin(), judged_.end(), [](const HandJudged& hand) { return hand.done; });
  }

  std::vector<HandJudged>& judged() { return judged_; }
  const std::map<std::string, std::shared_ptr<const Judges>>& judges() const { return judges_; }

 private:
  void judge_some() {
    std::map<std::string, std::unique_ptr<Judge>> mine;
    try {
      while (!options_.stop || !options_.stop()) {
        const std::size_t hand = next_++;
        if (hand >= hands_.size()) return;
        std::unique_ptr<Judge>& judge = mine[hands_[hand].table->game().spec()];
        if (judge == nullptr) judge = judges_.at(hands_[hand].table->game().spec())->make();
        judge_hand(hand, *judge);
        const std::lock_guard lock(mutex_);
        ++done_;
        if (options_.progress) options_.progress(done_);
      }
    } catch (...) {
      next_ = hands_.size();
      throw;
    }
  }

  bool wanted(const Turn& turn, const std::string& player) const {
    const auto among = [](const auto& list, const auto& item) {
      return list.empty() || std::find(list.begin(), list.end(), item) != list.end();
    };
    return among(options_.seats, turn.seat) && among(options_.players, player);
  }

  void judge_hand(std::size_t number, Judge& judge) {
    const RecordedHand& hand = hands_[number];
    const Game& game = hand.table->game();
    const std::uint64_t seed = derive(options_.seed, static_cast<std::uint64_t>(hand.number));
    HandJudged result;
    int in_hand = 0;
    for (Turn& turn : turns_of(hand)) {
      const int place = in_hand++;
      const auto seat = static_cast<std::size_t>(turn.seat);
      const std::string player = seat < hand.players.size() ? hand.players[seat] : "";
      if (!wanted(turn, player)) continue;
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
      decision.table = std::move(turn.table);
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

  const std::vector<RecordedHand>& hands_;
  const AnalysisOptions& options_;
  std::map<std::string, std::shared_ptr<const Judges>> judges_;
  std::vector<HandJudged> judged_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::int64_t done_ = 0;
};

// Hands of one deal share their cards: they are one case. Headings of matches are DEAL-SEATING-HAND.
std::string deal_of(const std::string& hand) {
  return std::count(hand.begin(), hand.end(), '-') == 2 ? hand.substr(0, hand.find('-')) : hand;
}

// What is counted of one player, hand by hand.
struct Tallies {
  PlayerFigures figures;
  studies::ClusterMean loss, loss_of_hand, cost, cost_of_hand;
};

void count(const RecordedHand& hand, const HandJudged& judged, const AnalysisOptions& options, std::int64_t number,
           std::vector<Tallies>& players) {
  const auto tallies_of = [&](const std::string& name) -> Tallies& {
    for (Tallies& each : players)
      if (each.figures.player == name) return each;
    players.emplace_back().figures.player = name;
    return players.back();
  };
  // A name may sit in several seats: each is a hand of that player's.
  for (Seat seat = 0; seat < hand.table->game().players(); ++seat) {
    const std::string name = at(seat) < hand.players.size() ? hand.players[at(seat)] : "";
    const auto among = [](const auto& list, const auto& item) {
      return list.empty() || std::find(list.begin(), list.end(), item) != list.end();
    };
    if (!among(options.seats, seat) || !among(options.players, name)) continue;
    Tallies& tallies = tallies_of(name);
    ++tallies.figures.hands;
    double loss = 0, cost = 0;
    for (const JudgedDecision& decision : judged.decisions) {
      if (decision.seat != seat) continue;
      const Judgement& judgement = decision.judgement;
      ++tallies.figures.decisions;
      if (judgement.verdict == Verdict::kUnjudged) continue;
      ++tallies.figures.judged;
      tallies.figures.mistakes += judgement.verdict == Verdict::kMistake ? 1 : 0;
      tallies.figures.unclear += judgement.verdict == Verdict::kUnclear ? 1 : 0;
      loss += *judgement.loss;
      cost += judgement.cost.value_or(0);
      tallies.loss.add(number, *judgement.loss);
      tallies.cost.add(number, judgement.cost.value_or(0));
    }
    tallies.loss_of_hand.add(number, loss);
    tallies.cost_of_hand.add(number, cost);
  }
}

}  // namespace

Analysis analyse(const std::vector<RecordedHand>& hands, const AnalysisOptions& options) {
  Work work(hands, options);
  Analysis analysis;
  analysis.agent = options.judge.agent;
  analysis.seed = options.seed;
  analysis.hands_in_log = static_cast<std::int64_t>(hands.size());
  analysis.interrupted = !work.run();
  std::set<std::string> methods;
  std::vector<Tallies> players;
  std::int64_t deal = 0;
  for (std::size_t i = 0; i < hands.size(); ++i) {
    HandJudged& judged = work.judged()[i];
    if (i == 0 || deal_of(hands[i].name) != deal_of(hands[i - 1].name)) ++deal;
    if (!judged.done) continue;
    if (!hands[i].whole) {
      ++analysis.left_out;
      continue;
    }
    ++analysis.hands;
    analysis.forced += judged.forced;
    const std::string unit = hands[i].table->game().unit();
    analysis.unit = analysis.unit.empty() || analysis.unit == unit ? unit : "mixed";
    count(hands[i], judged, options, deal, players);
    for (JudgedDecision& decision : judged.decisions) {
      if (!decision.judgement.method.empty()) methods.insert(decision.judgement.method);
      analysis.decisions.push_back(std::move(decision));
    }
  }
  for (const auto& [game, judges] : work.judges()) {
    analysis.games.push_back(game);
    analysis.agent = judges->agent();
  }
  analysis.methods.assign(methods.begin(), methods.end());
  for (Tallies& tallies : players) {
    tallies.figures.loss_per_decision = tallies.loss.estimate();
    tallies.figures.loss_per_hand = tallies.loss_of_hand.estimate();
    tallies.figures.cost_per_decision = tallies.cost.estimate();
    tallies.figures.cost_per_hand = tallies.cost_of_hand.estimate();
    analysis.players.push_back(std::move(tallies.figures));
  }
  for (std::size_t i = 0; i < analysis.decisions.size(); ++i)
    if (analysis.decisions[i].judgement.loss.value_or(0) > 0) analysis.worst.push_back(i);
  const auto badness = [&](std::size_t i) {
    const JudgedDecision& decision = analysis.decisions[i];
    return std::pair(decision.judgement.verdict == Verdict::kMistake, *decision.judgement.loss / decision.scale);
  };
  std::stable_sort(analysis.worst.begin(), analysis.worst.end(),
                   [&](std::size_t a, std::size_t b) { return badness(a) > badness(b); });
  return analysis;
}

std::string_view mark_of(const JudgedDecision& decision) {
  if (decision.judgement.verdict != Verdict::kMistake) return "";
  const double loss = *decision.judgement.loss / decision.scale;
  return loss < 0.25 ? "?!" : loss < 1 ? "?" : "??";
}

}  // namespace dealer::analysis
