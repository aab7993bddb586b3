#include "arena/analysis/analyse.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "arena/ordered_work.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/student_t.h"

namespace dealer::analysis {
namespace {

// The number of hands analysed as one batch.
constexpr std::size_t kBlock = 512;
// The number of games whose analysers are cached: each hand of another program may have a game of its
// own, with the chips at its table.
constexpr std::size_t kGames = 16;

// In games scored in points a third of a chip per hundred is already much: values lie between -1 and 1.
double scale_of(const Game& game) {
  if (game.big_blind() > 0) return game.big_blind();
  return game.id().family == "seven_hand" ? 0.2 : 1;
}

// Hands of one deal share their cards, so they form one cluster. Headings of match logs are DEAL-SEATING-HAND.
std::string deal_of(const std::string& hand) {
  return std::count(hand.begin(), hand.end(), '-') == 2 ? hand.substr(0, hand.find('-')) : hand;
}

// The sort key for bad decisions: mistakes before others, then by loss, in scales.
std::pair<bool, double> badness_of(const JudgedDecision& decision) {
  return {decision.judgement.verdict == Verdict::kMistake, decision.judgement.loss.value_or(0) / decision.scale};
}

// The name of a seat's player; empty if unknown.
std::string player_at(const RecordedHand& hand, Seat seat) {
  return at(seat) < hand.players.size() ? hand.players[at(seat)] : "";
}

}  // namespace

Analyst::Analyst(const AnalysisOptions& options) : options_(options), analysers_(kGames) {
  for (int i = 0; i < thread_count(options.threads); ++i) seated_.emplace_back(kGames);
  result_.agent = options.judge.agent;
  result_.seed = options.seed;
}

void Analyst::expect(const GamePtr& game) {
  if (analysers_.size() < kGames) analysers_of(game);
}

void Analyst::add(RecordedHand hand) {
  ++result_.hands_in_log;
  if (stopped_) return;
  hands_.push_back(std::move(hand));
  if (hands_.size() == kBlock) judge_block();
}

Analysis Analyst::finish(std::int64_t hands_in_log) {
  if (!hands_.empty()) judge_block();
  result_.hands_in_log = std::max(result_.hands_in_log, hands_in_log);
  result_.interrupted = stopped_;
  result_.games.assign(games_.begin(), games_.end());
  result_.methods.assign(methods_.begin(), methods_.end());
  for (const PlayerCounters& counters : counters_) {
    PlayerFigures& figures = result_.players.emplace_back(counters.figures);
    figures.loss_per_decision = counters.loss.estimate();
    figures.loss_per_hand = counters.loss_of_hand.estimate();
    figures.cost_per_decision = counters.cost.estimate();
    figures.cost_per_hand = counters.cost_of_hand.estimate();
  }
  std::map<std::int64_t, std::vector<JudgedDecision>*> in_order;
  for (auto& [key, decisions] : kept_) in_order[std::get<2>(key)] = &decisions;
  for (const auto& [number, decisions] : in_order)
    std::move(decisions->begin(), decisions->end(), std::back_inserter(result_.decisions));
  for (std::size_t i = 0; i < result_.decisions.size(); ++i)
    if (result_.decisions[i].judgement.loss.value_or(0) > 0) result_.worst.push_back(i);
  std::stable_sort(result_.worst.begin(), result_.worst.end(), [&](std::size_t a, std::size_t b) {
    return badness_of(result_.decisions[a]) > badness_of(result_.decisions[b]);
  });
  return std::move(result_);
}

Analysers Analyst::analysers_of(const GamePtr& game) {
  const std::lock_guard lock(mutex_);
  return analysers_.get(game->spec(), [&] {
    Analysers analysers = make_analysers(game, options_.judge);
    if (!std::exchange(agent_known_, true)) result_.agent = analysers.agent;
    return analysers;
  });
}

// True if the decisions of a seat and a player are to be analysed.
bool Analyst::wanted(Seat seat, const std::string& player) const {
  const auto among = [](const auto& list, const auto& item) {
    return list.empty() || std::find(list.begin(), list.end(), item) != list.end();
  };
  return among(options_.seats, seat) && among(options_.players, player);
}

void Analyst::judge_block() {
  if (!agent_known_) analysers_of(hands_.front().table->game().shared_from_this());
  std::atomic<std::size_t> thread = 0;
  std::size_t counted = 0;
  OrderedWork<HandJudged> work;
  work.end = static_cast<std::int64_t>(hands_.size());
  work.stop = options_.stop;
  work.make_worker = [&] {
    return [this, &seated = seated_[thread++]](std::int64_t hand) { return judge(hands_[at(hand)], seated); };
  };
  work.take = [&](HandJudged& judged) {
    count(hands_[counted++], std::move(judged));
    if (options_.progress) options_.progress(++done_);
    return true;
  };
  work.run(static_cast<int>(seated_.size()));
  stopped_ = counted < hands_.size();
  hands_.clear();
}

// nullopt if stopped.
std::optional<Analyst::HandJudged> Analyst::judge(const RecordedHand& hand, LruCache<Seated>& seated) {
  const GamePtr game = hand.table->game().shared_from_this();
  Analyser& judge = *seated
                         .get(game->spec(),
                              [&] {
                                Analysers analysers = analysers_of(game);
                                return Seated{analysers, analysers.make()};
                              })
                         .judge;
  const std::uint64_t seed = derive(options_.seed, static_cast<std::uint64_t>(hand.number));
  HandJudged result;
  int in_hand = 0;
  for (Turn& turn : turns_of(hand, options_.draw)) {
    const int place = in_hand++;
    // The turn is not in the file: it only advances the hand.
    if (turn.line < 0) continue;
    const std::string player = player_at(hand, turn.seat);
    if (!wanted(turn.seat, player)) continue;
    if (turn.forced) {
      ++result.forced;
      continue;
    }
    if (options_.stop && options_.stop()) return std::nullopt;
    JudgedDecision& decision =
        result.decisions.emplace_back(JudgedDecision{hand.name,
                                                     hand.number,
                                                     game->spec(),
                                                     game->unit(),
                                                     turn.seat,
                                                     player,
                                                     turn.street,
                                                     turn.line,
                                                     place,
                                                     turn.text,
                                                     options_.tables ? std::move(turn.table) : "",
                                                     std::move(turn.cards),
                                                     scale_of(*game),
                                                     {}});
    if (turn.unknown)
      decision.judgement.why = "the cards that this player held are not known";
    else
      decision.judgement = judge.judge(turn.question, derive(seed, static_cast<std::uint64_t>(place)));
    // Whole turns are described as the analyser describes them: in OFC as boards.
    const std::vector<JudgedChoice>& choices = decision.judgement.choices;
    if (turn.question.chosen.size() > 1 && !choices.empty() && !choices[decision.judgement.chosen].text.empty())
      decision.chosen = choices[decision.judgement.chosen].text;
  }
  return result;
}

void Analyst::count(const RecordedHand& hand, HandJudged judged) {
  if (std::string deal = deal_of(hand.name); deals_ == 0 || deal != deal_) {
    ++deals_;
    deal_ = std::move(deal);
  }
  const Game& game = hand.table->game();
  games_.insert(game.spec());
  if (!hand.whole) {
    ++result_.left_out;
    return;
  }
  ++result_.hands;
  for (const std::string& what : hand.brought_near) ++result_.brought_near[what];
  result_.forced += judged.forced;
  const std::string unit = game.unit();
  result_.unit = result_.unit.empty() || result_.unit == unit ? unit : "mixed";
  count_players(hand, judged.decisions);
  for (const JudgedDecision& decision : judged.decisions) {
    const Judgement& judgement = decision.judgement;
    ++result_.decided;
    ++(judgement.verdict == Verdict::kUnjudged ? result_.unjudged[judgement.why] : result_.judged);
    if (!judgement.method.empty()) methods_.insert(judgement.method);
  }
  keep(std::move(judged.decisions));
}

void Analyst::count_players(const RecordedHand& hand, const std::vector<JudgedDecision>& decisions) {
  // A player may have several seats: each counts as a hand of that player.
  for (Seat seat = 0; seat < hand.table->game().players(); ++seat) {
    const std::string name = player_at(hand, seat);
    if (!wanted(seat, name)) continue;
    const auto [place, is_new] = place_.emplace(name, counters_.size());
    if (is_new) counters_.emplace_back().figures.player = name;
    PlayerCounters& counters = counters_[place->second];
    PlayerFigures& figures = counters.figures;
    ++figures.hands;
    double loss = 0, cost = 0;
    bool all_judged = true;
    for (const JudgedDecision& decision : decisions) {
      if (decision.seat != seat) continue;
      const Judgement& judgement = decision.judgement;
      ++figures.decisions;
      if (judgement.verdict == Verdict::kUnjudged) {
        all_judged = false;
        continue;
      }
      ++figures.judged;
      figures.mistakes += judgement.verdict == Verdict::kMistake ? 1 : 0;
      figures.unclear += judgement.verdict == Verdict::kUnclear ? 1 : 0;
      loss += *judgement.difference;
      cost += *judgement.cost;
      counters.loss.add(deals_, *judgement.difference);
      counters.cost.add(deals_, *judgement.cost);
    }
    // The loss of an unanalysed decision is unknown, and so is that of its hand.
    if (!all_judged) continue;
    ++figures.hands_judged;
    counters.loss_of_hand.add(deals_, loss);
    counters.cost_of_hand.add(deals_, cost);
  }
}

void Analyst::keep(std::vector<JudgedDecision> decisions) {
  if (decisions.empty()) return;
  std::pair<bool, double> worst{false, 0};
  for (const JudgedDecision& decision : decisions) worst = std::max(worst, badness_of(decision));
  kept_.emplace(std::tuple(!worst.first, -worst.second, result_.hands_recorded++), std::move(decisions));
  if (kept_.size() > options_.hands_kept) kept_.erase(std::prev(kept_.end()));
}

Analysis analyse(const std::vector<RecordedHand>& hands, const AnalysisOptions& options) {
  Analyst analyst(options);
  for (const RecordedHand& hand : hands) analyst.expect(hand.table->game().shared_from_this());
  for (const RecordedHand& hand : hands) analyst.add(hand);
  return analyst.finish();
}

std::string_view mark_of(const JudgedDecision& decision) {
  if (decision.judgement.verdict != Verdict::kMistake) return "";
  // The minimum loss: the lower end of the interval.
  const double least = *decision.judgement.loss - kNormal975 * decision.judgement.error;
  const double loss = std::max(least, 0.0) / decision.scale;
  return loss < 0.25 ? "?!" : loss < 1 ? "?" : "??";
}

}  // namespace dealer::analysis
