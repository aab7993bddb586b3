// Hands are what players of draw and lowball call them.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "arena/studies/draw/kinds.h"
#include "tests/arena/studies/draw_support.h"

namespace dealer::studies::draw::draw_kinds_test {
namespace {

using test::five;

std::string_view keeps(const Kinds& kinds, const std::string& text) {
  const std::vector<Card> cards = parse_cards(text);
  return kinds.kept_of(std::vector<CardId>(cards.begin(), cards.end()));
}

TEST(DrawKinds, OfHighHands) {
  const struct {
    const char *hand, *kind, *opener;
  } cases[] = {{"As Kh 9d 7c 3s", "nothing", "ace_high"},
               {"Ks Qh 9d 7c 3s", "nothing", "king_high"},
               {"Qs Jh 9d 7c 3s", "nothing", "queen_high"},
               {"As Kh Qd Jc 3s", "nothing", "ace_high"},  // one end
               {"As 2h 3d 4c 9s", "nothing", "ace_high"},  // one end
               {"2s 3h 4d 5c 9s", "straight_draw", "straight_draw"},
               {"Ks Qh Jd Tc 3s", "straight_draw", "straight_draw"},
               {"As 9s 5s 2s Kh", "flush_draw", "flush_draw"},
               {"9s 8s 7s 6s Kh", "flush_draw", "flush_draw"},
               {"9s 9h 7d 4c 2s", "pair", "pair_9"},
               {"2s 2h 7d 4c Ks", "pair", "pair_2"},
               {"9s 9h Ad 4c 2s", "pair_ace", "pair_9"},
               {"As Ah 9d 4c 2s", "aces", "pair_a"},
               {"9s 9h 8d 7c 6s", "pair_draw", "pair_9"},
               {"As Ah 9s 4s 2s", "pair_draw", "pair_a"},
               {"9s 9h 4d 4c As", "two_pair", "two_pair_low"},
               {"Ts Th 4d 4c As", "two_pair", "two_pair_high"},
               {"9s 9h 9d 4c As", "trips", "trips"},
               {"As 2h 3d 4c 5s", "straight", "straight"},
               {"As Ks 9s 4s 2s", "flush", "flush"},
               {"9s 9h 9d 4c 4s", "full_house", "full_house"},
               {"9s 9h 9d 9c 4s", "quads", "full_house"},
               {"9s 8s 7s 6s 5s", "straight_flush", "full_house"},
               {"As Ks Qs Js Ts", "straight_flush", "full_house"}};
  for (const auto& c : cases) {
    EXPECT_EQ(high_kinds().kind_of(five(c.hand)), c.kind) << c.hand;
    EXPECT_EQ(high_kinds().opener_of(five(c.hand)), c.opener) << c.hand;
  }
}

TEST(DrawKinds, OfLowHands) {
  const struct {
    const char *hand, *kind, *opener;
  } cases[] = {{"As 2h 3d 4c 5s", "six", "six"},          {"2s 3h 4d 5c 6s", "six", "six"},
               {"As 2h 3d 4c 7s", "seven", "seven"},      {"4s 5h 6d 7c 8s", "eight", "eight"},
               {"As 2h 3d 6c 9s", "nine_smooth", "nine"}, {"As 2h 3d 7c 9s", "nine_rough", "nine"},
               {"As 2h 3d 4c Ts", "ten", "ten"},          {"As 2h 3d 9c Ts", "rough", "ten"},
               {"As 2h 3d 4c Js", "jack", "jack"},        {"As 2h 9d Tc Js", "rough", "jack"},
               {"As 2h 3d 4c Qs", "one_smooth", "one_5"}, {"As 2h 3d 6c 6s", "one_smooth", "one_6"},
               {"As 2h 3d 7c Ks", "one_rough", "one_7"},  {"As 2h 3d 8c Ks", "one_rough", "one_8"},
               {"As 2h 3d Qc Ks", "two_smooth", "two_5"}, {"As Ah 3d 6c Ks", "two_smooth", "two_6"},
               {"As 7h 3d 7c Ks", "two_rough", "two_7"},  {"As 8h 3d Qc Ks", "two_rough", "two_8"},
               {"As 8h Jd Qc Ks", "three", "three"},      {"As 9h Jd Qc Ks", "four", "four"},
               {"9s Th Jd Qc Ks", "four", "four"}};
  for (const auto& c : cases) {
    EXPECT_EQ(low_kinds().kind_of(five(c.hand)), c.kind) << c.hand;
    EXPECT_EQ(low_kinds().opener_of(five(c.hand)), c.opener) << c.hand;
  }
}

using Cases = std::vector<std::pair<const char*, const char*>>;

TEST(DrawKinds, OfWhatIsKept) {
  const Cases high = {{"As Kh 9d 7c 3s", "all"},
                      {"9s 8s 7s 6s", "flush_draw"},
                      {"9s 8h 7s 6s", "straight_draw"},
                      {"As Kh Qs Js", "ace"},
                      {"9s 8h 7s 5s", "no_ace"},
                      {"9s 9h 4d 4c", "two_pair"},
                      {"9s 9h 9d 9c", "quads"},
                      {"9s 9h 9d", "trips"},
                      {"9s 9h 9d 2s", "trips_kicker"},
                      {"9s 9h", "pair"},
                      {"9s 9h As", "pair_ace"},
                      {"9s 9h Ks", "pair_kicker"},
                      {"As Ah Ks", "pair_kicker"},
                      {"9s 9h As Ks", "pair_two"},
                      {"As", "ace"},
                      {"Ks Qs", "no_ace"},
                      {"", "nothing"}};
  const Cases low = {{"As 2h 3d 4c 5s", "all"},
                     {"As 2h 3d 6c", "four_smooth"},
                     {"As 2h 3d 8c", "four_rough"},
                     {"As 2h 3d 9c", "four_high"},
                     {"2h 3d 6c", "three_smooth"},
                     {"2h 3d 7c", "three_rough"},
                     {"2h 3d Kc", "three_high"},
                     {"2h 3d", "two"},
                     {"2h", "one"},
                     {"", "nothing"},
                     {"2h 2d 3c", "paired"}};
  for (const auto& [cards, name] : high) EXPECT_EQ(keeps(high_kinds(), cards), name) << cards;
  for (const auto& [cards, name] : low) EXPECT_EQ(keeps(low_kinds(), cards), name) << cards;
}

TEST(DrawKinds, OfHandsThatStandPat) {
  const Cases high = {{"As 2h 3d 4c 5s", "made"}, {"9s 9h 9d 9c 5s", "made"},  {"9s 9h 9d Ac 5s", "thin"},
                      {"9s 9h 5d Ac 5s", "thin"}, {"As Ah 5d 9c 3s", "bluff"}, {"As Kh 5d 9c 3s", "bluff"}};
  const Cases low = {{"As 2h 3d 4c 9s", "made"},
                     {"As 2h 3d 4c Ts", "thin"},
                     {"As 2h 3d Tc Js", "thin"},
                     {"As 2h 3d 4c Qs", "bluff"},
                     {"As 2h 3d 4c 4s", "bluff"}};
  for (const auto& [hand, name] : high) EXPECT_EQ(high_kinds().pat_class(five(hand)), name) << hand;
  for (const auto& [hand, name] : low) EXPECT_EQ(low_kinds().pat_class(five(hand)), name) << hand;
}

// All hands there are, against numbers worked out by hand.
TEST(DrawKinds, AreAsManyAsTheyMustBe) {
  std::map<std::string_view, int> high, low, high_openers, low_openers;
  Five hand{};
  for (hand[0] = 0; hand[0] < 48; ++hand[0])
    for (hand[1] = hand[0] + 1; hand[1] < 49; ++hand[1])
      for (hand[2] = hand[1] + 1; hand[2] < 50; ++hand[2])
        for (hand[3] = hand[2] + 1; hand[3] < 51; ++hand[3])
          for (hand[4] = hand[3] + 1; hand[4] < 52; ++hand[4]) {
            ++high[high_kinds().kind_of(hand)];
            ++low[low_kinds().kind_of(hand)];
            ++high_openers[high_kinds().opener_of(hand)];
            ++low_openers[low_kinds().opener_of(hand)];
          }
  EXPECT_EQ(high["nothing"] + high["straight_draw"] + high["flush_draw"], 1302540);
  EXPECT_EQ(high["pair"] + high["pair_ace"] + high["aces"] + high["pair_draw"], 1098240);
  // Four of a suit and one of another rank, less the straights among them.
  EXPECT_EQ(high["flush_draw"], 4 * 715 * 3 * 9 - 10 * 5 * 4 * 3);
  EXPECT_EQ(high["two_pair"], 123552);
  EXPECT_EQ(high["trips"], 54912);
  EXPECT_EQ(high["straight"], 10200);
  EXPECT_EQ(high["flush"], 5108);
  EXPECT_EQ(high["full_house"], 3744);
  EXPECT_EQ(high["quads"], 624);
  EXPECT_EQ(high["straight_flush"], 40);
  for (const char* pair : {"pair_2", "pair_9", "pair_t", "pair_k", "pair_a"})
    EXPECT_EQ(high_openers[pair], 1098240 / 13) << pair;
  // Ranks without a pair, four suits each.
  EXPECT_EQ(low["six"], 6 * 1024);
  EXPECT_EQ(low["seven"], 15 * 1024);
  EXPECT_EQ(low["eight"], 35 * 1024);
  EXPECT_EQ(low["nine_smooth"], 15 * 1024);
  EXPECT_EQ(low["nine_rough"], (70 - 15) * 1024);
  EXPECT_EQ(low["ten"], 70 * 1024);
  EXPECT_EQ(low["jack"], 70 * 1024);
  // Ten over a nine and three of eight, jack over a nine or ten and three, jack over both and two.
  EXPECT_EQ(low["rough"], (56 + 2 * 56 + 28) * 1024);
  EXPECT_EQ(low_openers["ten"], 126 * 1024);
  EXPECT_EQ(low_openers["jack"], 210 * 1024);
  EXPECT_EQ(low_openers["nine"], 70 * 1024);
}

TEST(DrawKinds, NamesAreDistinct) {
  for (const Kinds* kinds : {&high_kinds(), &low_kinds()})
    for (const auto& words : {kinds->kinds, kinds->openers, kinds->kept, kinds->pat_classes}) {
      std::set<std::string_view> names, titles;
      for (const Named& word : words) {
        names.insert(word.name);
        titles.insert(word.title);
      }
      EXPECT_EQ(names.size(), words.size());
      EXPECT_EQ(titles.size(), words.size());
    }
}

}  // namespace
}  // namespace dealer::studies::draw::draw_kinds_test
