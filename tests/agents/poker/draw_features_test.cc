#include "agents/poker/draw_equity_tables.h"
#include "tests/agents/poker/features_probe.h"
#include "tests/support/testing.h"

namespace dealer::poker::draw_facts_test {
namespace {

using test::FeaturesProbe;

struct Tables {
  explicit Tables(const GameRules& rules)
      : means(rules, std::make_shared<const HandsAfterDraw>(rules)), fields(rules, means) {}
  DrawEquities means;
  RangesAfterDraw fields;
};

DrawEquities::Means means_of(const Tables& tables, const GameRules& rules, std::string_view text, int left) {
  const std::vector<CardId> cards = rules.deck->parse(text);
  std::array<CardId, kDrawHand> hand{};
  std::copy(cards.begin(), cards.end(), hand.begin());
  std::sort(hand.begin(), hand.end());
  DrawEquities::Means means;
  tables.means.find(hand, left, means);
  return means;
}

constexpr const char* kHand = "4c 4d 8h 9s Qs";
constexpr unsigned kBest = 0b11100;  // all but the pair

// `drawn`: by the observer and the first opponent in the first draw, -1: not yet.
FeaturesProbe& position(FeaturesProbe& probe, int street, int own_drawn, int other_drawn) {
  probe.clear().cards("hand", kHand).set("street", street).set("turn", 0).set("seat", 0).set("dealer", 1);
  if (own_drawn >= 0) probe.set("draws", own_drawn);
  if (other_drawn >= 0) probe.set("draws", kDrawHand + 1 + other_drawn);
  return probe;
}

TEST(DrawFeatures, TellWhatTheHandIsAndWhatItBecomes) {
  FeaturesProbe probe("draw[players=3]");
  const Tables tables(probe.rules());
  const DrawEquities::Means means = means_of(tables, probe.rules(), kHand, 1);
  const RangesAfterDraw::Values values = tables.fields.values(probe.rules().deck->parse(kHand));
  position(probe, 0, -1, -1);
  EXPECT_EQ(probe["category.P1"], 1);
  EXPECT_EQ(probe["category.NON"], 0);
  EXPECT_EQ(probe["category.P2"], 0);
  EXPECT_EQ(probe["hand.dealt"], tables.fields.dealt(values).high);
  EXPECT_EQ(probe["hand.final"], tables.fields.final(values).high);
  EXPECT_NE(probe["hand.dealt"], probe["hand.final"]);
  EXPECT_EQ(probe["draw.best"], means[kBest].share);
  EXPECT_EQ(probe["draw.is_best.3"], 1);
  EXPECT_EQ(probe["draw.is_best.2"], 0);
  EXPECT_EQ(probe["draw.mean.3"], means[kBest].share);
  EXPECT_EQ(probe["draw.fourth.3"], means[kBest].fourth);
  EXPECT_EQ(probe["draw.mean.0"], means[0].share);
  EXPECT_EQ(probe["draw.mean.5"], means[31].share);
  float two = 0;
  for (unsigned mask = 0; mask < kDiscardChoices; ++mask) {
    if (std::popcount(mask) == 2) two = std::max(two, means[mask].share);
    EXPECT_EQ(probe[fmt::format("discard.{}", mask)], 0) << "it is not drawing";
  }
  EXPECT_EQ(probe["draw.mean.2"], two);
}

TEST(DrawFeatures, TellEveryDiscardWhileDrawing) {
  FeaturesProbe probe("draw[players=3]");
  const DrawEquities::Means means = means_of(Tables(probe.rules()), probe.rules(), kHand, 1);
  position(probe, 1, -1, 2);
  for (unsigned mask = 0; mask < kDiscardChoices; ++mask)
    EXPECT_NEAR(probe[fmt::format("discard.{}", mask)], 1 - std::sqrt(means[kBest].share - means[mask].share), 4e-3F);
  EXPECT_EQ(probe[fmt::format("discard.{}", kBest)], 1);
  // After the draw the hand is final.
  position(probe, 1, 3, 2);
  EXPECT_EQ(probe[fmt::format("discard.{}", kBest)], 0);
  EXPECT_EQ(probe["draw.best"], probe["hand.final"]);
  EXPECT_EQ(probe["draw.mean.0"], probe["hand.final"]);
  EXPECT_FLOAT_EQ(probe["draw.fourth.0"], std::pow(probe["hand.final"], 4.0F));
  EXPECT_EQ(probe["draw.mean.3"], 0);
  EXPECT_EQ(probe["draw.is_best.0"], 1);
}

TEST(DrawFeatures, OfSeveralDrawsCountThoseLeft) {
  FeaturesProbe probe("triple_draw");
  const Tables tables(probe.rules());
  for (int done = 0; done < 3; ++done) {
    probe.clear().cards("hand", kHand).set("street", done + 1).set("turn", 0);
    for (int draw = 0; draw < done; ++draw) probe.set("draws", draw * 2 * (kDrawHand + 1) + 2);
    const DrawEquities::Means means = means_of(tables, probe.rules(), kHand, 3 - done);
    float two = 0;
    for (unsigned mask = 0; mask < kDiscardChoices; ++mask)
      if (std::popcount(mask) == 2) two = std::max(two, means[mask].share);
    EXPECT_EQ(probe["draw.mean.2"], two) << done;
    EXPECT_EQ(probe["draw.mean.0"], means[0].share) << done;
    EXPECT_GT(probe["discard.24"], 0) << done;
    // The betting after the draw: the next draw has not begun.
    probe.set("draws", done * 2 * (kDrawHand + 1) + 2);
    EXPECT_EQ(probe["discard.24"], 0) << done;
  }
}

TEST(DrawFeatures, BothHalvesOfHighLowGames) {
  FeaturesProbe probe("draw[low=eight_or_better]");
  const Tables tables(probe.rules());
  probe.cards("hand", "2s 3d 4c 6h 7s").set("street", 0);
  const RangesAfterDraw::Values values = tables.fields.values(probe.rules().deck->parse("2s 3d 4c 6h 7s"));
  EXPECT_EQ(probe["hand.final"], tables.fields.final(values).high);
  EXPECT_EQ(probe["hand.final.low"], tables.fields.final(values).low);
  EXPECT_EQ(probe["hand.dealt.low"], tables.fields.dealt(values).low);
  EXPECT_EQ(probe["against.all"], tables.fields.whole(tables.fields.final(values)));
}

// Real positions: discard features are present exactly when there is a discard to choose, and match the seat's hand.
TEST(DrawFeatures, AgreeWithTheTable) {
  for (const char* spec : {"draw[players=4]", "triple_draw[players=3]", "washizu", "court_tarot"}) {
    const FeaturesProbe probe(spec);
    const GameRules& rules = probe.rules();
    const Tables tables(rules);
    const auto env = probe.game()->new_env({});
    RandomStream rng(8);
    env->reset(1);
    int drawing = 0;
    for (int i = 0; i < 200; ++i) {
      const Observation seen = test::seen_at(*env);
      const View view = State::decode(rules, seen.data);
      std::vector<float> input_features(probe.encoder().names().size());
      probe.encoder().encode(seen.data.data(), input_features.data());
      const auto feature = [&](std::string_view name) {
        return FeaturesProbe::named(probe.encoder(), input_features, name);
      };
      std::vector<CardId> hand;
      for (const SeenCard& card : view.own().cards) hand.push_back(card.card);
      const auto category = at(rules.high->category(rules.high->evaluate(hand)));
      EXPECT_EQ(feature("category." + rules.high->ranking().categories()[category].code), 1);
      float best = 0, shares = 1;
      for (int mask = 0; mask < kDiscardChoices; ++mask)
        best = std::max(best, feature(fmt::format("discard.{}", mask)));
      EXPECT_EQ(best, view.drawing ? 1 : 0) << spec;
      drawing += view.drawing ? 1 : 0;
      for (int player = 1; player < rules.players; ++player) {
        const View::Player& other = view.player[at((view.me + player) % rules.players)];
        const float against = feature(fmt::format("against.{}", player));
        if (!other.live()) {
          EXPECT_EQ(against, 0);
          continue;
        }
        shares *= against;
        int last = -1;
        while (last + 1 < rules.draws && other.drawn[at(last) + 1] >= 0) ++last;
        const auto values = tables.fields.values(hand);
        EXPECT_EQ(against, tables.fields.whole(last < 0 ? tables.fields.final(values)
                                                        : tables.fields.after(values, last, other.drawn[at(last)])))
            << spec;
      }
      EXPECT_FLOAT_EQ(feature("against.all"), shares);
      const std::vector<Action> legal = seen.legal_actions();
      if (env->step(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]).terminated) env->reset(rng.bits64());
    }
    EXPECT_GT(drawing, 20) << spec;
  }
}

}  // namespace
}  // namespace dealer::poker::draw_facts_test
