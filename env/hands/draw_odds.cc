#include "env/hands/draw_odds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/student_t.h"
#include "env/hands/draw_tables.h"
#include "env/hands/hand_classes.h"

namespace dealer {
namespace {

constexpr int kHand = DrawTables::kHand;
constexpr int kPasses = 3;  // over all hands: values, sums, discards

// All statistics of a hand, or of all of them, as one row of numbers: objective after and before, numbers of discards 0
// to 5, categories before and after.
using Figures = std::vector<double>;

class Collector {
 public:
  explicit Collector(std::size_t categories) : categories_(categories) {}

  // A dealt hand that represents a share `weight` of all.
  void add(const DrawTables& tables, const DrawTables::Draw& draw, double weight, Figures& figures) const {
    const double each = weight / static_cast<double>(draw.ways);
    figures[0] += each * static_cast<double>(draw.points) / tables.unit();
    figures[1] += weight * static_cast<double>(draw.dealt_points) / tables.unit();
    figures[2 + static_cast<std::size_t>(draw.discarded)] += weight;
    figures[kDealt + static_cast<std::size_t>(draw.dealt_category)] += weight;
    for (std::size_t c = 0; c < categories_; ++c)
      figures[kDealt + categories_ + c] += each * static_cast<double>(draw.hands[c]);
  }
  Figures none() const { return Figures(kDealt + 2 * categories_, 0.0); }

  DrawOdds odds(const Ranking& ranking, const Figures& mean, const Figures& ci95) const {
    DrawOdds odds;
    odds.goal = {mean[0], ci95[0]};
    odds.goal_dealt = {mean[1], ci95[1]};
    for (std::size_t n = 0; n < odds.discarded.size(); ++n) odds.discarded[n] = {mean[2 + n], ci95[2 + n]};
    for (std::size_t c = 0; c < categories_; ++c) {
      const std::size_t before = kDealt + c, after = before + categories_;
      const Category& category = ranking.categories()[c];
      odds.rows.push_back({category.code, category.name, {mean[before], ci95[before]}, {mean[after], ci95[after]}});
    }
    return odds;
  }

 private:
  static constexpr std::size_t kDealt = 2 + kHand + 1;  // offset of the categories

  std::size_t categories_;
};

// Means of independent observations, with confidence intervals.
class Sample {
 public:
  explicit Sample(std::size_t size) : mean_(size, 0.0), squares_(size, 0.0) {}

  void add(const Figures& figures) {
    ++count_;
    for (std::size_t i = 0; i < mean_.size(); ++i) {  // Welford
      const double delta = figures[i] - mean_[i];
      mean_[i] += delta / static_cast<double>(count_);
      squares_[i] += delta * (figures[i] - mean_[i]);
    }
  }
  const Figures& mean() const { return mean_; }
  Figures ci95() const {
    Figures widths(mean_.size(), std::numeric_limits<double>::infinity());
    if (count_ < 2) return widths;
    const double n = static_cast<double>(count_);
    for (std::size_t i = 0; i < mean_.size(); ++i)
      widths[i] = student_t975(count_ - 1) * std::sqrt(squares_[i] / (n * (n - 1)));
    return widths;
  }

 private:
  std::int64_t count_ = 0;
  Figures mean_, squares_;
};

class Study {
 public:
  Study(const Evaluator& evaluator, const DrawOptions& options)
      : evaluator_(evaluator),
        options_(options),
        deck_(evaluator.deck()),
        hands_(choose(deck_.cards_in_play(), kHand)),
        collector_(evaluator.ranking().categories().size()) {}

  DrawOdds run() {
    DrawOdds odds = deck_.washizu() == WashizuMix::kReplaceRandom ? compositions()
                    : options_.samples > 0                        ? some()
                                                                  : all();
    odds.at_least = options_.at_least;
    return odds;
  }

 private:
  DrawTables tables(std::span<const CardId> cards) {
    return {evaluator_, cards, options_.at_least.value_or(-1), [this](std::uint64_t hands) { advance(hands); }};
  }

  std::vector<CardId> whole_deck() const {
    std::vector<CardId> cards(static_cast<std::size_t>(deck_.size()));
    std::iota(cards.begin(), cards.end(), CardId{0});
    return cards;
  }

  void advance(std::uint64_t hands) {
    done_ += hands;
    if (options_.progress) options_.progress(static_cast<std::int64_t>(done_), static_cast<std::int64_t>(work_));
  }

  DrawOdds all() {
    work_ = kPasses * hands_;
    const DrawTables tables = this->tables(whole_deck());
    const RankingRules rules(deck_, evaluator_.ranking());
    Figures figures = collector_.none();
    DrawTables::Draw draw;
    HandClasses(rules, HandClasses::Same::kPlay)
        .for_each(kHand, [&](std::span<const CardId> hands, std::span<const std::uint64_t> weights) {
          for (std::size_t i = 0; i < weights.size(); ++i) {
            tables.best_draw(tables.places(hands.subspan(i * kHand, kHand)), draw);
            collector_.add(tables, draw, static_cast<double>(weights[i]) / static_cast<double>(hands_), figures);
            advance(weights[i]);
          }
        });
    return collector_.odds(evaluator_.ranking(), figures, collector_.none());
  }

  // Hands dealt at random.
  DrawOdds some() {
    work_ = (kPasses - 1) * hands_ + static_cast<std::uint64_t>(options_.samples);
    const DrawTables tables = this->tables(whole_deck());
    Sample sample(collector_.none().size());
    std::vector<CardId> cards = whole_deck();
    DrawTables::Draw draw;
    for (std::int64_t i = 0; i < options_.samples; ++i) {
      RandomStream random(options_.seed, static_cast<std::uint64_t>(i));
      for (std::size_t card = 0; card < kHand; ++card)
        std::swap(cards[card], cards[card + random.below(static_cast<std::uint32_t>(cards.size() - card))]);
      tables.best_draw(tables.places(std::span(cards).first(kHand)), draw);
      Figures figures = collector_.none();
      collector_.add(tables, draw, 1, figures);
      sample.add(figures);
      advance(1);
    }
    // The rule of three: hands that are rarer than 3 in n may be missing in the sample, whatever they would add.
    return sampled(sample, options_.samples, 3 / static_cast<double>(options_.samples));
  }

  // Random compositions, each counted completely.
  DrawOdds compositions() {
    const std::int64_t count = options_.samples > 0 ? options_.samples : kCompositions;
    work_ = kPasses * hands_ * static_cast<std::uint64_t>(count);
    Sample sample(collector_.none().size());
    for (std::int64_t i = 0; i < count; ++i) {
      RandomStream random(options_.seed, static_cast<std::uint64_t>(i));
      std::vector<std::uint8_t> out(deck_.ranks().size());
      for (std::uint8_t& suit : out) suit = static_cast<std::uint8_t>(random.below(Deck::kReplaceable));
      sample.add(whole(deck_.in_play(out)));
    }
    return sampled(sample, count, 0);
  }

  Figures whole(const std::vector<CardId>& cards) {
    const DrawTables tables = this->tables(cards);
    Figures figures = collector_.none();
    DrawTables::Draw draw;
    DrawTables::Places places{0, 1, 2, 3, 4};
    const auto last = static_cast<int>(cards.size()) - 1;
    for (;;) {
      tables.best_draw(places, draw);
      collector_.add(tables, draw, 1 / static_cast<double>(hands_), figures);
      advance(1);
      int i = kHand - 1;
      while (i >= 0 && places[static_cast<std::size_t>(i)] == last - (kHand - 1 - i)) --i;
      if (i < 0) return figures;
      const int next = places[static_cast<std::size_t>(i)] + 1;
      for (int j = i; j < kHand; ++j) places[static_cast<std::size_t>(j)] = next + j - i;
    }
  }

  // unseen: an upper limit on the share of what the sample may lack.
  DrawOdds sampled(const Sample& sample, std::int64_t count, double unseen) const {
    Figures ci95 = sample.ci95();
    for (double& width : ci95) width += unseen;
    DrawOdds odds = collector_.odds(evaluator_.ranking(), sample.mean(), ci95);
    odds.exact = false;
    odds.samples = count;
    return odds;
  }

  const Evaluator& evaluator_;
  const DrawOptions& options_;
  const Deck& deck_;
  std::uint64_t hands_;
  Collector collector_;
  std::uint64_t done_ = 0, work_ = 0;
};

}  // namespace

DrawOdds draw_odds(const Evaluator& evaluator, const DrawOptions& options) {
  if (const int cards = evaluator.ranking().hand_cards(); cards != kHandCards)
    throw UsageError(fmt::format("draws are counted for hands of five cards; a hand of the ranking '{}' has {}",
                                 evaluator.ranking().name(), cards));
  return Study(evaluator, options).run();
}

}  // namespace dealer
