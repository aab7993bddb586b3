#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <utility>

#include "agents/poker/draw_equity_tables.h"
#include "agents/poker/input_features.h"
#include "agents/poker/sampled_showdowns.h"
#include "agents/poker/shared_tables.h"

namespace dealer::poker {
namespace {

// Smaller losses are rounding errors.
constexpr float kRounding = 1e-5F;

class DrawFeatures final : public Encoder {
 public:
  explicit DrawFeatures(std::shared_ptr<const Game> game)
      : game_(std::move(game)), rules_(game_->rules()), tables_(shared_draw_equity_tables(rules_)) {
    const bool low = rules_.low != nullptr;
    add_category_names("category", rules_.high->ranking(), names_);
    const auto add = [&](const char* name) { names_.emplace_back(name); };
    for (const char* name : {"hand.dealt", "hand.final"}) add(name);
    if (low)
      for (const char* name : {"hand.dealt.low", "hand.final.low"}) add(name);
    add("draw.best");
    for (int count = 0; count <= rules_.hand_cards; ++count) names_.push_back(fmt::format("draw.is_best.{}", count));
    for (int count = 0; count <= rules_.hand_cards; ++count) names_.push_back(fmt::format("draw.mean.{}", count));
    for (int count = 0; count <= rules_.hand_cards; ++count) names_.push_back(fmt::format("draw.fourth.{}", count));
    for (int mask = 0; mask < rules_.discard_choices(); ++mask) names_.push_back(fmt::format("discard.{}", mask));
    for (int player = 1; player < rules_.players; ++player) names_.push_back(fmt::format("against.{}", player));
    add("against.all");
    if (!rules_.transparent.empty()) add("open.share");
  }

  const std::vector<std::string>& names() const override { return names_; }

  void encode(const float* observation, float* input_features) const override {
    std::fill_n(input_features, names_.size(), 0.0F);
    std::array<CardId, kDrawHand + 1> cards;
    const auto size = at(rules_.hand_cards);
    if (read_cards(observation + rules_.parts->hand, rules_.deck->size(), cards) != size) return;
    const std::span<const CardId> hand(cards.data(), size);
    const DrawEquityTables& tables = tables_->get([&] { return DrawEquityTables(rules_); });
    const RangesAfterDraw::Values values = tables.fields.values(hand);
    input_features[tables.categories.of(values.high)] = 1;
    float* out = input_features + rules_.high->ranking().categories().size();
    const RangesAfterDraw::Shares dealt = tables.fields.dealt(values), final = tables.fields.final(values);
    *out++ = dealt.high;
    *out++ = final.high;
    if (rules_.low) {
      *out++ = dealt.low;
      *out++ = final.low;
    }
    int done = 0;
    while (done < rules_.draws && read_drawn(rules_, observation, done, 0) >= 0) ++done;
    const bool drawing = done < rules_.draws && is_drawing(observation, done);
    add_draws(tables, hand, tables.fields.whole(final), rules_.draws - done, drawing, out);
    out += 1 + 3 * (rules_.hand_cards + 1) + rules_.discard_choices();
    add_opponents(tables, values, observation, out);
    out += rules_.players;
    if (!rules_.transparent.empty() && done == rules_.draws) *out = open_share(hand, observation);
  }

 private:
  // True if the observer, who is to act, discards: the street of its next draw has begun, and it acts
  // before the betting of that street.
  bool is_drawing(const float* observation, int done) const {
    const int street = read_one(observation + rules_.parts->street, rules_.streets);
    return observation[rules_.parts->turn] != 0 && street == rules_.streets - rules_.draws + done;
  }

  void add_draws(const DrawEquityTables& tables, std::span<const CardId> hand, float final, int left, bool drawing,
                 float* out) const {
    float* const best = out;
    float* const is_best = best + 1;
    float* const mean = is_best + rules_.hand_cards + 1;
    float* const fourth = mean + rules_.hand_cards + 1;
    float* const discard = fourth + rules_.hand_cards + 1;
    if (left == 0) {
      *best = mean[0] = final;
      fourth[0] = final * final * final * final;
      is_best[0] = 1;
      return;
    }
    const auto choices = static_cast<unsigned>(rules_.discard_choices());
    DrawEquities::Means means;
    tables.means.find(hand, left, means);
    for (unsigned mask = 0; mask < choices; ++mask) {
      const int count = std::popcount(mask);
      if (means[mask].share < mean[count]) continue;
      mean[count] = means[mask].share;
      fourth[count] = means[mask].fourth;
    }
    const float* const most = std::max_element(mean, mean + rules_.hand_cards + 1);
    *best = *most;
    is_best[most - mean] = 1;
    if (!drawing) return;
    // The root spreads small losses, which are the relevant ones.
    for (unsigned mask = 0; mask < choices; ++mask)
      discard[mask] = 1 - std::sqrt(std::max(0.0F, *most - means[mask].share - kRounding));
  }

  // The present hand against the final hands of those who drew as many cards as each opponent did last.
  void add_opponents(const DrawEquityTables& tables, const RangesAfterDraw::Values& values, const float* observation,
                     float* out) const {
    float all = 1;
    for (int player = 1; player < rules_.players; ++player) {
      if (!is_live(rules_, observation, player)) continue;
      int drawn = -1, draw = rules_.draws - 1;
      while (draw >= 0 && (drawn = read_drawn(rules_, observation, draw, player)) < 0) --draw;
      const float share =
          tables.fields.whole(drawn < 0 ? tables.fields.final(values) : tables.fields.after(values, draw, drawn));
      out[player - 1] = share;
      all *= share;
    }
    out[rules_.players - 1] = all;
  }

  // The share of the pot, given the transparent cards in others' hands.
  float open_share(std::span<const CardId> hand, const float* observation) const {
    const Parts& part = *rules_.parts;
    const int deck = rules_.deck->size(), open = static_cast<int>(rules_.transparent.size());
    KnownHands known;
    known.hands = 1;
    for (const CardId card : hand) known.hand[0].add(card);
    const auto bury = [&](CardId card) { known.dead.set(card); };
    for (int card = 0; card < deck; ++card) {
      const float* gone = observation + part.discarded + card;
      bool seen = false;
      for (int draw = 0; draw < rules_.draws; ++draw) seen = seen || gone[draw * deck] != 0;
      if (seen && std::find(hand.begin(), hand.end(), card) == hand.end()) bury(static_cast<CardId>(card));
    }
    for_each_taken_out(rules_, observation, bury);
    for (int player = 1; player < rules_.players; ++player) {
      const bool live = is_live(rules_, observation, player);
      if (live) ++known.hands;
      for (int i = 0; i < open; ++i) {
        const CardId card = rules_.transparent[at(i)];
        bool gone = false;
        for (int draw = 0; draw < rules_.draws; ++draw)
          gone = gone || observation[part.open_discarded + (draw * (rules_.players - 1) + player - 1) * open + i] != 0;
        const bool held = observation[part.open + (player - 1) * open + i] != 0;
        if (held && live)
          known.hand[known.hands - 1].add(card);
        else if (held || gone)
          bury(card);
      }
    }
    std::vector<float> becomes(rules_.high->ranking().categories().size());
    return showdowns_.get([&] { return SampledShowdowns(rules_); }).play(known, becomes).share;
  }

  std::shared_ptr<const Game> game_;
  const GameRules& rules_;
  std::shared_ptr<const Lazy<DrawEquityTables>> tables_;
  Lazy<SampledShowdowns> showdowns_;
  std::vector<std::string> names_;
};

}  // namespace

EncoderPtr make_draw_features(std::shared_ptr<const Game> game) {
  return std::make_shared<DrawFeatures>(std::move(game));
}

}  // namespace dealer::poker
