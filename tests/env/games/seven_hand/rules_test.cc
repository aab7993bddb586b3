// RULES of 7-Hand Poker on hands laid by hand.
#include <gtest/gtest.h>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/seven_hand/game.h"

namespace dealer::test::rules_test {
namespace {

using namespace dealer::seven_hand;

class SevenHand : public testing::Test {
 protected:
  // Both get the cards given, in that order, then what is left of the deck from below. Seat 1 deals.
  void deal(const std::string& first, const std::string& second, const std::string& options = "") {
    game_ = make_game("seven_hand" + options);
    std::array<std::array<Card, kOwnCards>, kSeats> cards{};
    std::array<std::vector<Card>, kSeats> wished = {parse_cards(first), parse_cards(second)};
    CardSet rest = kFullDeck & ~to_set(wished[0]) & ~to_set(wished[1]);
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      for (std::size_t i = 0; i < kOwnCards; ++i) {
        const bool given = i < wished[seat].size();
        cards[seat][i] = given ? wished[seat][i] : lowest(rest);
        if (!given) rest &= rest - 1;
      }
    }
    state_.deal(as_seven_hand(*game_)->rules(), cards, 1);
  }
  // Chips are counted from 1.
  void lay(const std::string& cards, int chip) {
    const Seat mover = state_.mover();
    const int turns = state_.turns();
    const CardSet set = to_set(parse_cards(cards));
    ASSERT_EQ(set & ~state_.hand(mover), 0U) << cards;
    for_each(set, [&](Card card) { state_.apply(card); });
    if (!state_.naming() && state_.turns() == turns) state_.apply(kStop);
    if (!state_.naming()) {
      ASSERT_EQ(state_.turn_laid(mover, chip - 1), 7) << "the last chip is taken without a word";
      return;
    }
    ASSERT_EQ(state_.current_player(), 1 - mover);
    state_.apply(kFirstChip + chip - 1);
  }

  GamePtr game_;
  State state_;
};

TEST_F(SevenHand, BeginsWithEightCardsAndTheNonDealer) {
  deal("As Ks Qs Js Ts 9s 8s 7s", "Ah Kh Qh Jh Th 9h 8h 7h");
  EXPECT_EQ(state_.current_player(), 0);
  EXPECT_EQ(state_.legal_mask(), to_set(parse_cards("As Ks Qs Js Ts 9s 8s 7s")));
  EXPECT_EQ(state_.stock(), 36);
}

// Cards are chosen upwards: each set of them in one way.
TEST_F(SevenHand, ChoosesCardsUpwards) {
  deal("As Ks Qs Js Ts 9s 8s 7s", "Ah Kh Qh Jh Th 9h 8h 7h");
  state_.apply(parse_card("Qs"));
  EXPECT_EQ(state_.legal_mask(), to_set(parse_cards("As Ks")) | LegalMask{1} << kStop);
  state_.apply(parse_card("As"));
  EXPECT_TRUE(state_.naming()) << "nothing is above the ace";
  EXPECT_EQ(state_.current_player(), 1);
  EXPECT_EQ(state_.legal_mask(), LegalMask{0x7f} << kFirstChip);
  EXPECT_EQ(state_.hand(0), to_set(parse_cards("Ks Js Ts 9s 8s 7s"))) << "three are drawn once the chip is named";
}

TEST_F(SevenHand, LaysFiveCardsAtMost) {
  deal("As Ks Qs Js Ts 9s 8s 7s", "Ah Kh Qh Jh Th 9h 8h 7h");
  for (const char* card : {"7s", "8s", "9s", "Ts"}) state_.apply(parse_card(card));
  EXPECT_FALSE(state_.naming());
  state_.apply(parse_card("Js"));
  EXPECT_TRUE(state_.naming());
  EXPECT_EQ(size(state_.picked()), 5);
}

TEST_F(SevenHand, DrawsThreeAndNamesNoChipTwice) {
  deal("As Ks Qs Js Ts 9s 8s 7s 2c 3c 4c", "Ah Kh Qh Jh Th 9h 8h 7h");
  lay("As Ks", 4);
  EXPECT_EQ(state_.hand(0), to_set(parse_cards("Qs Js Ts 9s 8s 7s 2c 3c 4c")));
  EXPECT_EQ(state_.stock(), 33);
  EXPECT_EQ(state_.current_player(), 1);
  lay("Ah", 1);
  state_.apply(parse_card("4c"));
  state_.apply(kStop);
  EXPECT_EQ(state_.legal_mask(), (LegalMask{0x7f} & ~LegalMask{1 << 3}) << kFirstChip);
  state_.apply(kFirstChip);
  EXPECT_EQ(state_.chip(0), Chip::kSeat1) << "an ace beats a four";
}

// Of fewer than five cards only those that form a category count, the others are kickers, and one card more wins.
TEST_F(SevenHand, ComparesHandsOfAnySize) {
  const auto winner = [&](const std::string& a, const std::string& b) {
    std::string own = a, theirs = b;
    const CardSet used = to_set(parse_cards(a)) | to_set(parse_cards(b));
    CardSet rest = kFullDeck & ~used;
    for (std::string* text : {&own, &theirs})
      while (parse_cards(*text).size() < 8) {
        *text += " " + dealer::to_string(lowest(rest));
        rest &= rest - 1;
      }
    deal(own, theirs);
    lay(a, 1);
    lay(b, 1);
    return state_.chip(0);
  };
  EXPECT_EQ(winner("Ah", "Kh Qh Jh Td 8h"), Chip::kSeat0);
  EXPECT_EQ(winner("Ah", "Ad 4c"), Chip::kSeat1);
  EXPECT_EQ(winner("Ah Ad 5c", "As Ac 5d 2c"), Chip::kSeat1);
  EXPECT_EQ(winner("Ah Ad 6c", "As Ac 5d 4c 3c"), Chip::kSeat0);
  EXPECT_EQ(winner("2h 2d", "As Ks Qs Js"), Chip::kSeat0) << "four to a royal flush are nothing";
  EXPECT_EQ(winner("2h 2d 2s", "As Ad Ks Kd Qs"), Chip::kSeat0);
  EXPECT_EQ(winner("Ah Ad As Ac", "6h 7h 8h 9h Th"), Chip::kSeat1);
  EXPECT_EQ(winner("Ah 2d 3s 4c 5h", "Ad Ac As"), Chip::kSeat0) << "the lowest straight";
  EXPECT_EQ(winner("Ah 2d 3s 4c 5h", "2h 3h 4h 5d 6h"), Chip::kSeat1);
  EXPECT_EQ(winner("Ah Kd", "As Kc"), Chip::kTied);
}

TEST_F(SevenHand, ThreeAdjacentChipsEndTheHand) {
  deal("As Ks Qs Js Ts 9s 8s 7s", "2h 3h 4h 5h 6h 7h 8h 9h");
  lay("As", 3);
  lay("2h", 3);
  lay("Ks", 1);
  lay("3h", 1);
  EXPECT_EQ(state_.chips(0), 2);
  EXPECT_FALSE(state_.hand_over());
  lay("Qs", 2);
  EXPECT_FALSE(state_.hand_over()) << "nothing lies opposite yet";
  lay("4h", 2);
  EXPECT_TRUE(state_.hand_over());
  EXPECT_EQ(state_.reward(0), 1);
  EXPECT_EQ(state_.reward(1), -1);
  EXPECT_TRUE(state_.three_adjacent(0));
}

// Seat 0 wins chips 1, 3, 5 and 6, seat 1 the other three, never three in a row.
void seven_chips(auto&& lay) {
  const auto both = [&](const char* first, const char* second, int chip) {
    lay(first, chip);
    lay(second, chip);
  };
  both("As", "2h", 1);
  both("2s", "3h", 2);
  both("Ks", "4h", 3);
  both("3s", "5h", 4);
  both("Qs", "6h", 5);
  both("Js", "7h", 6);
  both("4s", "8h", 7);
}

TEST_F(SevenHand, TheMajorityWinsAfterSevenChips) {
  deal("As Ks Qs Js 2s 3s 4s 5s", "2h 3h 4h 5h 6h 7h 8h 9h");
  seven_chips([&](const char* cards, int chip) { lay(cards, chip); });
  EXPECT_TRUE(state_.hand_over());
  EXPECT_EQ(state_.turns(), 14);
  EXPECT_EQ(state_.chips(0), 4);
  EXPECT_EQ(state_.chips(1), 3);
  EXPECT_EQ(state_.reward(0), 1);
  EXPECT_EQ(state_.stock(), 0);
}

// Four chips do not end it: the other may still get three in a row, and then has won with fewer chips.
TEST_F(SevenHand, ThreeAdjacentBeatFourChips) {
  deal("As Ks Qs Js 2s 3s 4s 5s", "2h 3h 4h 5h 6h 7h 8h 9h", "[margin=true]");
  const auto both = [&](const char* first, const char* second, int chip) {
    lay(first, chip);
    lay(second, chip);
  };
  both("As", "2h", 1);
  both("Ks", "3h", 2);
  both("Qs", "4h", 6);
  both("Js", "5h", 7);
  ASSERT_EQ(state_.chips(0), 4);
  ASSERT_FALSE(state_.hand_over());
  both("2s", "6h", 3);
  both("3s", "7h", 4);
  both("4s", "8h", 5);
  EXPECT_EQ(state_.chips(1), 3);
  EXPECT_EQ(state_.reward(0), -1) << "the winner gets 1 at least";
}

TEST_F(SevenHand, AMarginCountsChips) {
  deal("As Ks Qs Js Ts 9s 8s 7s", "2h 3h 4h 5h 6h 7h 8h 9h", "[margin=true]");
  const char* own[] = {"As", "Ks", "Qs", "Js"};
  const char* theirs[] = {"2h", "3h", "4h", "5h"};
  const int chip[] = {1, 3, 5, 4};
  for (std::size_t i = 0; i < 4; ++i) {
    lay(own[i], chip[i]);
    lay(theirs[i], chip[i]);
  }
  EXPECT_TRUE(state_.hand_over()) << "3, 4 and 5";
  EXPECT_EQ(state_.reward(0), 4);
  EXPECT_EQ(state_.reward(1), -4);
}

TEST_F(SevenHand, TiesGoWhereTheOptionSays) {
  for (const auto& [option, chip] : {std::pair<std::string, Chip>{"", Chip::kTied},
                                     {"[ties=second_mover]", Chip::kSeat1},
                                     {"[ties=first_mover]", Chip::kSeat0},
                                     {"[ties=both]", Chip::kTied}}) {
    deal("As Ks Qs Js Ts 9s 8s 7s", "Ah Kh Qh Jh Th 9h 8h 7h", option);
    lay("As Ks", 2);
    lay("Ah Kh", 2);
    EXPECT_EQ(state_.chip(1), chip) << option;
  }
}

// Chips 1 and 3 are of the starter, a tie between them makes three adjacent ones; and of both where both have two.
TEST_F(SevenHand, ATieThatCountsForBothMakesThreeAdjacent) {
  for (const auto& [option, over, reward] : {std::tuple{"", false, 0}, {"[ties=both]", true, 1}}) {
    deal("As Ks Qs Js Ts 9s 8s 7s", "Ah 2h 3h Jh Th 9h 8h 7h", option);
    lay("Ks", 1);
    lay("2h", 1);
    lay("Qs", 3);
    lay("3h", 3);
    lay("As", 2);
    lay("Ah", 2);
    EXPECT_EQ(state_.hand_over(), over);
    EXPECT_EQ(state_.reward(0), reward);
    EXPECT_EQ(state_.chips(0), over ? 3 : 2);
    EXPECT_EQ(state_.chips(1), over ? 1 : 0);
  }
  deal("As Ks Qs 2s 3s 9s 8s 7s", "Ah 4h 5h Kh Qh 9h 8h 7h", "[ties=both]");
  for (const auto& [own, other, chip] :
       {std::tuple{"Ks", "4h", 1}, {"Qs", "5h", 2}, {"2s", "Kh", 4}, {"3s", "Qh", 5}}) {
    lay(own, chip);
    lay(other, chip);
  }
  EXPECT_FALSE(state_.hand_over());
  lay("As", 3);
  lay("Ah", 3);
  EXPECT_TRUE(state_.hand_over() && state_.three_adjacent(0) && state_.three_adjacent(1));
  EXPECT_EQ(state_.reward(0), 0) << "a draw";
}

TEST_F(SevenHand, TheDealAlternates) {
  const GamePtr game = make_game("seven_hand[hands=4]");
  State state;
  state.reset(as_seven_hand(*game)->rules(), 9);
  Seat dealer = state.dealer();
  RandomStream rng(1);
  for (int hand = 1; hand < 4; ++hand) {
    while (state.hands_finished() < hand) {
      LegalMask mask = state.legal_mask();
      for (auto skip = rng.below(static_cast<std::uint32_t>(std::popcount(mask))); skip > 0; --skip) mask &= mask - 1;
      state.apply(static_cast<Action>(std::countr_zero(mask)));
    }
    EXPECT_EQ(state.dealer(), 1 - dealer);
    dealer = state.dealer();
  }
}

TEST_F(SevenHand, RefusesWhatTheRulesDoNotAllow) {
  const auto message = [](const std::string& spec) {
    try {
      make_game(spec);
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(message("seven_hand[players=3]").find("players"), std::string::npos);
  EXPECT_NE(message("seven_hand[ties=neither]").find("nobody, second_mover, first_mover, both"), std::string::npos);
  EXPECT_NE(message("seven_hand[hands=0]").find("hands"), std::string::npos);

  const auto env = make_game("seven_hand")->new_env();
  env->reset(1);
  const auto refuses = [&](Action action) {
    const std::string before = env->serialize();
    EXPECT_THROW(env->step(action), UsageError) << action;
    EXPECT_EQ(env->serialize(), before);
  };
  const LegalMask hand = env->legal_mask();
  refuses(std::countr_zero(~hand));  // a card that is not in hand
  refuses(kStop);                    // no cards
  refuses(kFirstChip);               // no chip is being named
  refuses(kActions);
  refuses(-1);
  Action last = kNoAction;
  while (env->to_json(0)["table"]["naming"] == false) {
    last = static_cast<Action>(std::countr_zero(env->legal_mask()));
    env->step(last);
  }
  refuses(last);  // a sixth card
}

}  // namespace
}  // namespace dealer::test::rules_test
