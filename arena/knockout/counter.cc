#include "arena/knockout/counter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dealer::knockout {
namespace {

// Where all tournaments gave the same number nothing is known of how it scatters. Rounding leaves an interval that no
// number of tournaments could come to.
studies::Estimate with_scatter(studies::Estimate estimate) {
  constexpr double kRounding = 1e-6;
  if (estimate.ci95 < kRounding) estimate.ci95 = std::numeric_limits<double>::infinity();
  return estimate;
}

// Of each of the entries, which share what one of them has.
studies::Estimate share_of_each(const studies::ClusterMean& mean, int entries) {
  studies::Estimate share = mean.share();
  // Never, and always, have intervals of their own.
  if (share.value > 0 && share.value < 1) share = with_scatter(share);
  return {.value = share.value / entries,
          .ci95 = share.ci95 / entries,
          .count = share.count * entries,
          .least = 0,
          .most = 1.0 / entries};
}

// Sums of parts of places, such as six sixths, without what rounding takes from whole numbers.
double rounded(double sum) {
  constexpr double kRounding = 1e-9;
  const double whole = std::round(sum);
  return std::abs(sum - whole) < kRounding ? whole : sum;
}

}  // namespace

Counter::Counter(const Setup& setup, Folder* folder)
    : setup_(setup), folder_(folder), agents_(setup.options.agents.size()), ahead_(agents_.size() * agents_.size()) {
  for (std::size_t a = 0; a < agents_.size(); ++a) {
    agents_[a].places.resize(static_cast<std::size_t>(setup.options.players));
    result_.agents.emplace_back().spec = setup.options.agents[a];
  }
  if (folder_ == nullptr) return;
  folder_->read(std::min(folder_->done(), setup.options.tournaments), [this](Tally& tally) {
    kept_.told = kept_.told && tally.told > 0;
    kept_.log += tally.told;
    add(tally);
  });
  kept_.tournaments = next_ = result_.tournaments;
}

std::int64_t Counter::take() {
  if (setup_.options.stop && setup_.options.stop()) return setup_.options.tournaments;
  return next_++;
}

void Counter::hand_in(std::int64_t tournament, Tally tally) {
  const std::lock_guard lock(mutex_);
  waiting_.emplace(tournament, std::move(tally));
  while (!waiting_.empty() && waiting_.begin()->first == result_.tournaments) {
    Tally& next = waiting_.begin()->second;
    expect_agents(next);
    for (const std::string& text : next.log) {
      if (!setup_.options.log) continue;
      setup_.options.log(text);
      next.told += static_cast<std::int64_t>(text.size());
    }
    add(next);
    if (folder_ != nullptr) folder_->keep(next);
    if (setup_.options.progress) setup_.options.progress(result_.tournaments);
    waiting_.erase(waiting_.begin());
  }
}

Result Counter::result() {
  for (std::size_t a = 0; a < agents_.size(); ++a) {
    AgentPlaces& agent = result_.agents[a];
    agent.place = with_scatter(agents_[a].place.estimate());
    for (const studies::ClusterMean& mean : agents_[a].places)
      agent.places.push_back(share_of_each(mean, setup_.entries()));
    agent.wins = agent.places.front();
    for (std::size_t b = a + 1; b < agents_.size(); ++b)
      result_.differences.push_back(
          {static_cast<int>(a), static_cast<int>(b), with_scatter(ahead_[a * agents_.size() + b].estimate())});
  }
  return std::move(result_);
}

// Of this call alone: a bot that played in the tournaments of the folder may not be there any more.
void Counter::expect_agents(const Tally& tally) {
  for (std::size_t a = 0; a < agents_.size(); ++a) {
    agents_[a].decided = agents_[a].decided || tally.agents[a].decided;
    expect_decisions(setup_.options.agents[a], agents_[a].decided, tally.agents[a].failures);
  }
}

void Counter::add(Tally& tally) {
  const std::int64_t cluster = result_.tournaments;
  const auto games = static_cast<double>(tally.games);
  const double entries = games * setup_.entries();
  std::vector<double> place(agents_.size());
  for (std::size_t a = 0; a < agents_.size(); ++a) {
    std::vector<Finish>& finishes = tally.agents[a].finishes;
    // Equal finishes make equal sums, whichever came first.
    std::sort(finishes.begin(), finishes.end());
    for (const Finish& finish : finishes) place[a] += finish.place();
    agents_[a].place.add(cluster, place[a], entries);
    for (std::size_t i = 0; i < agents_[a].places.size(); ++i) {
      double share = 0;
      for (const Finish& finish : finishes) share += finish.share(static_cast<int>(i) + 1);
      agents_[a].places[i].add(cluster, rounded(share), games);
    }
    result_.agents[a].failures.merge(tally.agents[a].failures);
  }
  for (std::size_t a = 0; a < agents_.size(); ++a)
    for (std::size_t b = a + 1; b < agents_.size(); ++b)
      ahead_[a * agents_.size() + b].add(cluster, place[a] - place[b], entries);
  ++result_.tournaments;
  result_.games += tally.games;
  result_.table_hands += tally.table_hands;
  result_.rounds += tally.rounds;
  result_.undecided += tally.undecided;
}

}  // namespace dealer::knockout
