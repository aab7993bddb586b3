// The story of a turn of 7-Hand Poker, as each side hears it, and positions that cannot be.
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "env/core/registry.h"
#include "env/games/seven_hand/game.h"

namespace dealer::test::events_test {
namespace {

using namespace dealer::seven_hand;

class SevenHandEvents : public testing::Test {
 protected:
  // Seat 0 has spades and begins, seat 1 hearts; then the deck from below.
  SevenHandEvents() {
    std::array<std::array<Card, kOwnCards>, kSeats> cards{};
    const std::array<std::vector<Card>, kSeats> wished = {parse_cards("As Ks Qs Js Ts 9s 8s 7s"),
                                                          parse_cards("Ah Kh Qh Jh Th 9h 8h 7h")};
    CardSet rest = kFullDeck & ~to_set(wished[0]) & ~to_set(wished[1]);
    for (std::size_t seat = 0; seat < kSeats; ++seat)
      for (std::size_t i = 0; i < kOwnCards; ++i) {
        cards[seat][i] = i < wished[seat].size() ? wished[seat][i] : lowest(rest);
        if (i >= wished[seat].size()) rest &= rest - 1;
      }
    state_.deal(as_seven_hand(*game_)->rules(), cards, 1);
  }
  void lay(const std::string& cards, int chip) {
    for_each(to_set(parse_cards(cards)), [&](Card card) { state_.apply(card); });
    if (!state_.naming()) state_.apply(kStop);
    state_.apply(kFirstChip + chip - 1);
  }
  // What the viewer is told, a line an event, from the `first` on.
  std::string told(Viewer viewer, std::size_t first) const {
    std::vector<Event> events;
    state_.events(events);
    std::string text;
    const std::vector<Event> seen = seen_by(events, viewer);
    for (std::size_t i = first; i < seen.size(); ++i) text += to_json(seen[i], *game_).dump() + '\n';
    return text;
  }

  GamePtr game_ = make_game("seven_hand");
  State state_;
};

TEST_F(SevenHandEvents, TellATurnAndAShowdown) {
  lay("Ts As", 3);
  lay("Kh", 3);
  EXPECT_EQ(told(1, 3),
            R"({"cards":[],"count":2,"event":"laid","seat":0,"street":0})"
            "\n"
            R"({"chip":3,"event":"named","seat":1,"street":0})"
            "\n"
            R"({"cards":[],"count":3,"event":"drew","seat":0,"street":0})"
            "\n"
            R"({"cards":["Kh"],"count":1,"event":"laid","seat":1,"street":0})"
            "\n"
            R"({"chip":3,"event":"named","seat":0,"street":0})"
            "\n"
            R"({"cards":["7d","6c","6d"],"count":3,"event":"drew","seat":1,"street":0})"
            "\n"
            R"({"cards":["As","Ts"],"chip":3,"count":2,"event":"shown","hand":"ace high","seat":0,"street":0})"
            "\n"
            R"({"cards":["Kh"],"chip":3,"count":1,"event":"shown","hand":"king high","seat":1,"street":0})"
            "\n"
            R"({"amount":0,"chip":3,"event":"won","half":null,"hand":"ace high","pot":0,"seat":0,"street":0})"
            "\n");
  EXPECT_NE(told(0, 3).find(R"({"cards":["As","Ts"],"count":2,"event":"laid","seat":0,"street":0})"),
            std::string::npos);
}

TEST_F(SevenHandEvents, ACompleteTieIsShownAndWonByNobody) {
  lay("As Ks", 1);
  lay("Ah Kh", 1);
  const std::string story = told(kSpectator, 0);
  EXPECT_NE(story.find("\"shown\""), std::string::npos);
  EXPECT_EQ(story.find("\"won\""), std::string::npos);
}

TEST_F(SevenHandEvents, SixCardsAtAChipAreNoPosition) {
  lay("As Ks Qs Js Ts", 3);
  ASSERT_TRUE(state_.valid());
  // Behind the rules and the seed lie the cards at the chips of seat 0, then those of seat 1, then the hands.
  constexpr std::size_t kLaid = 16 + 2 * sizeof(CardSet), kHand = 16 + kSeats * kChips * sizeof(CardSet);
  std::array<char, sizeof(State)> bytes;
  std::memcpy(bytes.data(), &state_, sizeof(State));
  CardSet laid = 0, hand = 0;
  std::memcpy(&laid, &bytes[kLaid], sizeof(CardSet));
  std::memcpy(&hand, &bytes[kHand], sizeof(CardSet));
  ASSERT_EQ(laid, state_.laid(0, 2));
  ASSERT_EQ(hand, state_.hand(0));
  laid |= bit(parse_card("9s"));
  hand &= ~bit(parse_card("9s"));
  std::memcpy(&bytes[kLaid], &laid, sizeof(CardSet));
  std::memcpy(&bytes[kHand], &hand, sizeof(CardSet));
  State forged;
  std::memcpy(static_cast<void*>(&forged), bytes.data(), sizeof(State));
  EXPECT_FALSE(forged.valid());
}

}  // namespace
}  // namespace dealer::test::events_test
