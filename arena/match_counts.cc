#include "arena/match_counts.h"

#include <Eigen/Dense>
#include <algorithm>

#include "arena/output.h"

namespace dealer {
void CardScale::add(double result, const Terms& terms) {
  ++count_;
  y_ += result;
  for (std::size_t i = 0; i < kTerms; ++i) {
    x_[i] += terms[i];
    xy_[i] += terms[i] * result;
    for (std::size_t j = 0; j < kTerms; ++j) xx_[i][j] += terms[i] * terms[j];
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
    // Coefficients without data keep the prior; 1e-9 is less than any actual chance term.
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
    AgentResult& agent = result.agents.emplace_back();
    agent.spec = factory->spec();
    for (const std::string& name : options.game->statistic_names()) agent.rates.push_back({name, 0, 0});
  }
  for (std::size_t a = 0; a < result.agents.size(); ++a)
    for (std::size_t b = a + 1; b < result.agents.size(); ++b) result.differences.push_back({{}, a, b});
  result.card_scale = regression_.find();
}

void MatchCounts::add(const DealCounts& deal, int games) {
  for (std::size_t a = 0; a < result.agents.size(); ++a) {
    AgentResult& agent = result.agents[a];
    if (!deal.failures.empty()) agent.failures.merge(deal.failures[a]);
    agent.decided = agent.decided || deal.decided[a] != 0;
  }
  for (const std::string& text : deal.log) log += text;
  ++result.deals;
  result.episodes += games;
  result.hands_played += deal.hands;
  if (deal.failures.empty())
    add_points(deal);
  else
    ++result.failed_deals;
}

void MatchCounts::add_points(const DealCounts& deal) {
  const auto played = static_cast<double>(deal.hands);
  add(&PointsWon::as_dealt, deal.won, played);
  std::vector<double> won = deal.won;
  for (std::size_t a = 0; a < deal.correction.size(); ++a)
    won[a] -= kCorrectionUnit * static_cast<double>(deal.correction[a]);
  if (deal.cards.empty()) {
    add(&PointsWon::points, won, played);
  } else {
    Unscaled& later = unscaled_.emplace_back(Unscaled{played, std::move(won), {}});
    for (const auto& cards : deal.cards) {
      CardScale::Terms& terms = later.cards.emplace_back();
      for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = kCorrectionUnit * static_cast<double>(cards[i]);
    }
  }
  for (std::size_t a = 0; a < result.agents.size(); ++a) {
    AgentResult& agent = result.agents[a];
    const double* figure = deal.figures.data() + a * agent.rates.size() * 2;
    for (AgentResult::Rate& rate : agent.rates) {
      rate.numerator += *figure++;
      rate.denominator += *figure++;
    }
  }
}

void MatchCounts::add(ClusteredRatio PointsWon::*points, std::span<const double> won, double hands) {
  for (std::size_t a = 0; a < won.size(); ++a) (result.agents[a].*points).add(won[a], hands);
  for (Difference& each : result.differences) (each.*points).add(won[each.a] - won[each.b], hands);
}

void PointsWon::merge(const PointsWon& later) {
  points.merge(later.points);
  as_dealt.merge(later.as_dealt);
}

void MatchCounts::merge(const MatchCounts& later) {
  for (std::size_t a = 0; a < result.agents.size(); ++a) {
    AgentResult& agent = result.agents[a];
    const AgentResult& other = later.result.agents[a];
    agent.merge(other);
    for (std::size_t i = 0; i < agent.rates.size(); ++i) {
      agent.rates[i].numerator += other.rates[i].numerator;
      agent.rates[i].denominator += other.rates[i].denominator;
    }
    agent.failures.merge(other.failures);
    agent.decided = agent.decided || other.decided;
  }
  for (std::size_t i = 0; i < result.differences.size(); ++i) result.differences[i].merge(later.result.differences[i]);
  CardScale::Terms& scale = result.card_scale;
  for (const Unscaled& deal : later.unscaled_) {
    std::vector<double> won = deal.won;
    for (std::size_t a = 0; a < won.size(); ++a)
      for (std::size_t i = 0; i < scale.size(); ++i) won[a] -= scale[i] * deal.cards[a][i];
    add(&PointsWon::points, won, deal.hands);
    regression_.add(deal.won[0], deal.cards[0]);
  }
  if (!later.unscaled_.empty()) scale = regression_.find();
  result.deals += later.result.deals;
  result.failed_deals += later.result.failed_deals;
  result.episodes += later.result.episodes;
  result.hands_played += later.result.hands_played;
}

nlohmann::json to_json(const MatchResult& result) {
  nlohmann::json json = {{"game", result.game},
                         {"deals", result.deals},
                         {"hands", result.deals},
                         {"failed_deals", result.failed_deals},
                         {"unit", result.unit},
                         {"hands_played", result.hands_played},
                         {"episodes", result.episodes},
                         {"seed", result.seed},
                         {"duplicate", result.duplicate},
                         {"interrupted", result.interrupted},
                         {"ended_early", result.ended_early},
                         {"seconds", result.seconds}};
  if (result.sprt) {
    json["llr"] = result.llr;
    json["decision"] = name_of(result.decision);
  }
  const bool played = result.counted_deals() > 0;
  for (const Difference& each : result.differences)
    json["differences"].push_back({{"a", each.a},
                                   {"b", each.b},
                                   {"mean", number_or_null(each.mean(), played)},
                                   {"ci95", number_or_null(each.ci95())},
                                   {"variance", number_or_null(each.points.variance())},
                                   {"los", number_or_null(each.points.superiority())},
                                   {"deals_to_decide", number_or_null(std::ceil(clusters_to_decide(each.points)))}});
  if (result.control_variates > 0) {
    nlohmann::json& of = json["control_variates"] = {{"samples", result.control_variates}, {"values", result.values}};
    if (result.other_hands > 0) {
      of["other_hands"] = result.other_hands;
      of["card_scale"] = result.card_scale;
    }
    for (const AgentResult& agent : result.agents) {
      of["mean_as_dealt"].push_back(number_or_null(agent.as_dealt.ratio(), played));
      of["ci95_as_dealt"].push_back(number_or_null(agent.as_dealt.half_width95()));
      of["variance_as_dealt"].push_back(number_or_null(agent.as_dealt.variance()));
      of["variance"].push_back(number_or_null(agent.points.variance()));
    }
  }
  const double per_100 = 100 / result.big_blind;
  for (const AgentResult& agent : result.agents) {
    json["bb_per_100"].push_back(number_or_null(agent.mean() * per_100, played));
    json["bb_per_100_ci95"].push_back(number_or_null(agent.ci95() * per_100));
    json["agents"].push_back(agent.spec);
    json["mean"].push_back(number_or_null(agent.mean(), played));
    json["ci95"].push_back(number_or_null(agent.ci95()));
    nlohmann::json stats = nlohmann::json::object();
    for (const auto& [name, numerator, denominator] : agent.rates)
      stats[name] = number_or_null(numerator / denominator, denominator != 0);
    json["stats"].push_back(stats);
    json["failures"].push_back(to_json(agent.failures));
    json["remarks"].push_back(agent.warnings);
  }
  return json;
}

}  // namespace dealer
