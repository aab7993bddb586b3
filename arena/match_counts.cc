#include "arena/match_counts.h"

#include <Eigen/Dense>
#include <algorithm>

namespace dealer {

void CardScale::add(double result, const Terms& luck) {
  ++count_;
  y_ += result;
  for (std::size_t i = 0; i < kTerms; ++i) {
    x_[i] += luck[i];
    xy_[i] += luck[i] * result;
    for (std::size_t j = 0; j < kTerms; ++j) xx_[i][j] += luck[i] * luck[j];
  }
}

CardScale::Terms CardScale::find() const {
  Terms scale;
  scale.fill(1);
  if (count_ < 2) return scale;
  const auto n = static_cast<double>(count_);
  Eigen::MatrixXd covariance(kTerms, kTerms);
  Eigen::VectorXd with_result(kTerms);
  for (std::size_t i = 0; i < kTerms; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    with_result[row] = xy_[i] - x_[i] * y_ / n;
    for (std::size_t j = 0; j < kTerms; ++j)
      covariance(row, static_cast<Eigen::Index>(j)) = xx_[i][j] - x_[i] * x_[j] / n;
    // Of what nobody has seen the beginning stays; 1e-9 is less than any luck that is there.
    const double belief = kBelief / n * covariance(row, row) + 1e-9;
    covariance(row, row) += belief;
    with_result[row] += belief;
  }
  const Eigen::VectorXd found = covariance.ldlt().solve(with_result);
  for (std::size_t i = 0; i < kTerms; ++i) scale[i] = std::clamp(found[static_cast<Eigen::Index>(i)], 0.0, kMost);
  return scale;
}

MatchCounts::MatchCounts(const MatchOptions& options) {
  for (const AgentFactoryPtr& factory : options.agents) {
    AgentResult& agent = agents.emplace_back();
    agent.spec = factory->spec();
    for (const std::string& name : options.game->statistic_names()) agent.rates.push_back({name, 0, 0});
  }
  const auto count = static_cast<int>(agents.size());
  for (int a = 0; a < count; ++a)
    for (int b = a + 1; b < count; ++b) differences.push_back({a, b, {}, {}});
}

void MatchCounts::add(const DealCounts& deal, int games) {
  const auto played = static_cast<double>(deal.hands);
  std::vector<double> won = deal.won;
  for (std::size_t a = 0; a < deal.luck.size(); ++a) won[a] -= kCorrectionUnit * static_cast<double>(deal.luck[a]);
  if (deal.cards.empty()) {
    add_points(won, played);
  } else {
    Unscaled& later = unscaled_.emplace_back(Unscaled{played, std::move(won), {}});
    for (const auto& luck : deal.cards) {
      CardScale::Terms& terms = later.cards.emplace_back();
      for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = kCorrectionUnit * static_cast<double>(luck[i]);
    }
  }
  for (std::size_t a = 0; a < agents.size(); ++a) {
    agents[a].as_dealt.add(deal.won[a], played);
    const double* figure = deal.figures.data() + a * agents[a].rates.size() * 2;
    for (AgentResult::Rate& rate : agents[a].rates) {
      rate.numerator += *figure++;
      rate.denominator += *figure++;
    }
    if (!deal.failures.empty()) agents[a].failures.merge(deal.failures[a]);
    agents[a].decided = agents[a].decided || deal.decided[a] != 0;
  }
  for (Difference& difference : differences)
    difference.as_dealt.add(
        deal.won[static_cast<std::size_t>(difference.a)] - deal.won[static_cast<std::size_t>(difference.b)], played);
  for (const std::string& text : deal.log) log += text;
  ++deals;
  episodes += games;
  hands += deal.hands;
}

void MatchCounts::add_points(std::span<const double> won, double played) {
  for (std::size_t a = 0; a < agents.size(); ++a) agents[a].points.add(won[a], played);
  for (Difference& difference : differences)
    difference.points.add(won[static_cast<std::size_t>(difference.a)] - won[static_cast<std::size_t>(difference.b)],
                          played);
}

void MatchCounts::merge(const MatchCounts& later) {
  for (std::size_t a = 0; a < agents.size(); ++a) {
    agents[a].points.merge(later.agents[a].points);
    agents[a].as_dealt.merge(later.agents[a].as_dealt);
    for (std::size_t i = 0; i < agents[a].rates.size(); ++i) {
      agents[a].rates[i].numerator += later.agents[a].rates[i].numerator;
      agents[a].rates[i].denominator += later.agents[a].rates[i].denominator;
    }
    agents[a].failures.merge(later.agents[a].failures);
    agents[a].decided = agents[a].decided || later.agents[a].decided;
  }
  for (std::size_t i = 0; i < differences.size(); ++i) {
    differences[i].points.merge(later.differences[i].points);
    differences[i].as_dealt.merge(later.differences[i].as_dealt);
  }
  for (const Unscaled& deal : later.unscaled_) {
    std::vector<double> won = deal.won;
    for (std::size_t a = 0; a < won.size(); ++a)
      for (std::size_t i = 0; i < scale_.size(); ++i) won[a] -= scale_[i] * deal.cards[a][i];
    add_points(won, deal.hands);
    regression_.add(deal.won[0], deal.cards[0]);
  }
  if (!later.unscaled_.empty()) scale_ = regression_.find();
  deals += later.deals;
  episodes += later.episodes;
  hands += later.hands;
}

}  // namespace dealer
