// What networks are told of 7-Hand Poker.
#include "agents/seven_hand/facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "agents/seven_hand/chip_odds.h"
#include "env/core/registry.h"
#include "env/games/seven_hand/game.h"
#include "tests/env/harness/random_play.h"

namespace dealer::seven_hand::facts_test {
namespace {

class SevenHandFacts : public testing::Test {
 protected:
  float fact(const std::string& name) const {
    const auto& names = encoder_->names();
    const auto found = std::find(names.begin(), names.end(), name);
    EXPECT_NE(found, names.end()) << name;
    return facts_.at(static_cast<std::size_t>(found - names.begin()));
  }
  void look(const State& state, Seat seat) {
    std::vector<float> numbers(static_cast<std::size_t>(game_->observation_spec().size()));
    state.observe(seat, numbers.data());
    facts_.assign(encoder_->names().size(), -7);
    encoder_->encode(numbers.data(), facts_.data());
  }
  const GameRules& rules() const { return as_seven_hand(*game_)->rules(); }

  GamePtr game_ = make_game("seven_hand");
  EncoderPtr encoder_ = make_encoder(game_);
  std::vector<float> facts_;
};

TEST_F(SevenHandFacts, AreWithinBoundsAtEveryDecision) {
  for (const char* spec : {"seven_hand", "seven_hand[margin=true]"}) {
    game_ = make_game(spec);
    encoder_ = make_encoder(game_);
    const auto& names = encoder_->names();
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(test::repetitions(100)); ++seed) {
      State state;
      state.reset(rules(), seed);
      RandomStream rng(seed, 3);
      while (!state.hand_over()) {
        look(state, state.current_player());
        for (std::size_t i = 0; i < facts_.size(); ++i) {
          ASSERT_GE(facts_[i], names[i] == "line" ? -1 : 0) << names[i];
          ASSERT_LE(facts_[i], 1) << names[i];
        }
        state.apply(test::random_action(state.legal_mask(), rng));
      }
    }
  }
}

TEST_F(SevenHandFacts, TellGroupsThreatsAndChips) {
  std::array<std::array<Card, kOwnCards>, kSeats> deal{};
  const std::array<std::vector<Card>, kSeats> wished = {parse_cards("As Ks Qs 7c 7d 9s 4d 3h"),
                                                        parse_cards("2h 2c 4h 5h 6h 7h 8h 9h")};
  CardSet rest = kFullDeck & ~to_set(wished[0]) & ~to_set(wished[1]);
  for (std::size_t seat = 0; seat < kSeats; ++seat)
    for (std::size_t i = 0; i < kOwnCards; ++i) {
      deal[seat][i] = i < 8 ? wished[seat][i] : lowest(rest);
      if (i >= 8) rest &= rest - 1;
    }
  State state;
  state.deal(rules(), deal, 1);
  look(state, 0);
  const auto share = [](const char* hand) {
    return static_cast<float>(strengths().beats(evaluate(to_set(parse_cards(hand))), 0));
  };
  EXPECT_EQ(fact("group.1"), share("7c 7d"));
  EXPECT_EQ(fact("group.size.1"), 2.0F / 5);
  EXPECT_EQ(fact("group.2"), share("As"));
  EXPECT_EQ(fact("group.7c"), 1);
  EXPECT_EQ(fact("group.7d"), 1);
  EXPECT_EQ(fact("group.As"), 6.0F / 7);
  EXPECT_EQ(fact("group.Ks"), 5.0F / 7);
  EXPECT_EQ(fact("group.2h"), 0);
  EXPECT_EQ(fact("picked.size"), 0);
  EXPECT_EQ(fact("strength.3"), 0);

  const auto lay = [&](const char* card, int chip) {
    state.apply(parse_card(card));
    if (!state.naming()) state.apply(kStop);
    state.apply(kFirstChip + chip - 1);
  };
  lay("As", 3);
  EXPECT_EQ((look(state, 0), fact("strength.3")), share("As"));
  lay("2c", 3);
  lay("Ks", 5);
  lay("2h", 5);
  ASSERT_EQ(state.chips(0), 2);
  look(state, 0);
  EXPECT_EQ(fact("chance.3"), 1);
  EXPECT_EQ(fact("three.4"), 1);
  EXPECT_EQ(fact("three.2"), 0);
  EXPECT_EQ(fact("three.other.4"), 0);
  EXPECT_GT(fact("line"), 0);
  look(state, 1);
  EXPECT_EQ(fact("chance.3"), 0);
  EXPECT_EQ(fact("three.other.4"), 1);
  EXPECT_LT(fact("line"), 0);

  // Five cards are laid, and seat 1 names: the chip between the two is the worst.
  const CardSet low = state.hand(0) & ~(state.hand(0) - 1);
  state.apply(lowest(low));
  look(state, 0);
  EXPECT_EQ(fact("picked"), static_cast<float>(strengths().beats(evaluate(low), 0)));
  EXPECT_EQ(fact("picked.size"), 1.0F / 5);
  while (!state.naming()) state.apply(lowest(state.legal_mask()));
  look(state, 1);
  EXPECT_EQ(fact("named.4"), 0);
  float best = 0;
  for (const int chip : {1, 2, 6, 7}) best = std::max(best, fact("named." + std::to_string(chip)));
  EXPECT_EQ(best, 1);
  EXPECT_EQ(fact("named.3"), 0) << "has been taken";
}

}  // namespace
}  // namespace dealer::seven_hand::facts_test
