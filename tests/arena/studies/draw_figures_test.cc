// The figures of the study of draw poker on hand-made hands, counted by hand; hands are named as players name them.
#include "arena/studies/draw/counter.h"
#include "arena/studies/draw/kinds.h"
#include "tests/arena/studies/draw_support.h"

namespace dealer::studies::draw::draw_figures_test {
namespace {

using namespace test;
using poker::Act;

// A hand's strength is a tenth of its highest rank, 0 the deuce; each discarded card subtracts a hundredth,
// except the first, which adds one.
DiscardEquities equities_by_top(const Five& hand, int) {
  DiscardEquities equities;
  const float top = static_cast<float>(rank_of(static_cast<Card>(hand.back()))) / 10;
  for (unsigned mask = 0; mask < equities.size(); ++mask) {
    const int thrown = std::popcount(mask);
    equities[mask] = top + (thrown == 0 ? 0.0F : 0.02F - 0.01F * static_cast<float>(thrown));
  }
  return equities;
}

Counter counter_of(int players = 2, int draws = 1) { return {high_kinds(), players, draws, equities_by_top}; }

// Seat 1 checks, seat 0 opens with kings and draws three, seat 1 calls with a jack high, stands pat and bets; seat 0
// folds.
DrawHand bluff() {
  DrawHand played({"Ks Kh 9d 4c 2s", "Js 9h 7d 5c 3s"});
  played.act(0, 1, Act::kCheck).act(0, 0, Act::kRaise).act(0, 1, Act::kCall, 0);
  played.draw(1, "", "Js 9h 7d 5c 3s", 20).draw(0, "9d 4c 2s", "Ks Kh Qd Jc 7s", 20);
  played.act(1, 1, Act::kRaise).act(1, 0, Act::kFold, 1);
  return played.end({-20, 20}, {0, 60}, false);
}

// Seat 0 opens with a straight and stands pat, seat 1 raises with trips and draws one; both check, seat 0 wins.
DrawHand straight() {
  DrawHand played({"Ts 9h 8d 7c 6s", "Qs Qh Qd 4c 2d"});
  played.act(0, 0, Act::kRaise).act(0, 1, Act::kRaise, 0).act(0, 0, Act::kCall, 1);
  played.draw(0, "", "Ts 9h 8d 7c 6s", 30).draw(1, "4c", "Qs Qh Qd 8c 2d", 30);
  played.act(1, 0, Act::kCheck).act(1, 1, Act::kCheck);
  return played.end({30, -30}, {60, 0}, true);
}

TEST(DrawCounter, CountsTwoHands) {
  Counter counter = counter_of();
  counter.add(0, bluff().hand());
  counter.add(1, straight().hand());
  const Figure f = counter.figures();
  // By strength from weak to strong: the straight to the ten, jack high, trips of queens, kings.
  expect_figures(f, R"(
    positions/0: chances=1*2 opens=0.5*2 points=25*2 tenths/1=1*1 tenths/3=0*1
    positions/0/opens_by_hand: queen_high=0*1 straight=1*1
    positions/1: chances=0.5*2 opens=1*1 points=-25*2 tenths/8=1*1 opens_by_hand/pair_k=1*1
    differences: opens_last_first=0.5*3
    hands_dealt: pair_k/share=0.25*4 pair_k/strength=1.11 straight/strength=0.81 straight/answers/call=0*0
    hands_dealt: queen_high/answers/call=1*1 trips/answers/raise=1*1
    answers: call=0.5*2 raise=0.5*2 fold=0*2 tenths/3/call=1*1 tenths/6/raise=1*1
    draws/0/discards/all: share=1*4 thrown/0=0.5*4 thrown/3=0.25*4 best=0.25*4 cost=0.01
    draws/0/discards/pair: share=0.25*4 thrown/3=1*1 kept/pair=1*1 kept/all=0*1
    draws/0/discards: trips/kept/trips_kicker=1*1 trips/best=1*1 straight/kept/all=1*1 flush/thrown/0=0*0
    draws/0/by_thrown: 0/share=0.5*4 1/share=0.25*4 0/bets=0.5*2 1/bets=0*1 3/bets=0*0 0/folds=1*1 1/folds=0*0
    draws/0/pat: rate=0.5*4 bluffs=0.5*2 worth_bluff_draw=40*2 folds_pat_draw=0*0
    draws/0/pat/made: share=0.5*2 bets=0*1 wins=1*1 unseen=0*1 worth=60*1
    draws/0/pat/thin: share=0*2 wins=0*0
    draws/0/pat/bluff: share=0.5*2 bets=1*1 wins=1*1 unseen=1*1 points=20*1 worth=40*1
    draws/0/pat/weak_drawing: share=0.5*2 wins=0*1 points=-20*1 worth=0*1 bets=0*0
  )");
  // A single straight that opened is not reported.
  EXPECT_EQ(f.to_json()["positions"][0]["weakest"], nullptr);
  EXPECT_EQ(f.to_json()["positions"][1]["weakest"], nullptr);
}

// Discards that differ only by rounding are equally good.
TEST(DrawCounter, TheBestDiscardsDifferByRoundingOnly) {
  for (const auto& [less, best] : {std::pair(0.0F, 1.0), {5e-6F, 1.0}, {5e-5F, 0.0}, {0.01F, 0.0}}) {
    Counter counter(high_kinds(), 2, 1, [less = less](const Five&, int) {
      DiscardEquities equities;
      equities.fill(0.5F);
      equities[0] = 0.5F - less;
      return equities;
    });
    counter.add(0, bluff().hand());
    // Seat 1 stands pat, seat 0 draws.
    const Figure f = counter.figures();
    EXPECT_EQ(f.estimate("draws/0/discards/nothing/best").value, best) << less;
    EXPECT_NEAR(f.estimate("draws/0/discards/nothing/cost").value, static_cast<double>(less), 1e-7);
    EXPECT_EQ(f.estimate("draws/0/discards/pair/best").value, 1);
  }
}

// The weakest opening kind among those seen often enough.
TEST(DrawCounter, CountsOpeningFromThirtyChances) {
  Counter counter = counter_of();
  std::int64_t deal = 0;
  for (; deal < kFewestChances - 1; ++deal) counter.add(deal, bluff().hand());
  for (int i = 0; i < kFewestChances; ++i) counter.add(deal++, straight().hand());
  EXPECT_EQ(counter.figures().text("positions/1/.opens_from"), "none");
  EXPECT_EQ(counter.figures().text("positions/0/weakest"), "straight");
  counter.add(deal, bluff().hand());
  EXPECT_EQ(counter.figures().text("positions/1/weakest"), "pair_k");
  EXPECT_EQ(counter.figures().text("positions/1/.opens_from"), "kings, 100 (90 to 100)%");
  // A kind of hand checked more often than not is not reported as opening.
  DrawHand checked({"Ks Kh 9d 4c 2s", "Js 9h 7d 5c 3s"});
  checked.act(0, 1, Act::kCheck).act(0, 0, Act::kCheck).end({0, 0}, {0, 0}, true);
  for (int i = 0; i <= kFewestChances; ++i) counter.add(++deal, checked.hand());
  EXPECT_EQ(counter.figures().text("positions/1/.opens_from"), "none");
}

// High and low hands, three players and two draws.
TEST(DrawStudy, ComesToWhatItDid) {
  expect_recorded("draw", "games=[\"draw[players=3]\",triple_draw] agents=[random] deals=60 checks=40");
}

std::string_view keeps(const Kinds& kinds, const std::string& text) {
  const std::vector<Card> cards = parse_cards(text);
  return kinds.kept_of(std::vector<CardId>(cards.begin(), cards.end()));
}

// The classification of hands, and of openers.
void expect_kinds(const Kinds& kinds, const char* rows) {
  for (const auto& [hand, words] : rows_in(rows))
    EXPECT_EQ(fmt::format("{} {}", kinds.kind_of(five(hand)), kinds.opener_of(five(hand))), words) << hand;
}

TEST(DrawKinds, OfHighHands) {
  expect_kinds(high_kinds(), R"(
    As Kh 9d 7c 3s: nothing ace_high; Ks Qh 9d 7c 3s: nothing king_high; Qs Jh 9d 7c 3s: nothing queen_high
    As Kh Qd Jc 3s: nothing ace_high; As 2h 3d 4c 9s: nothing ace_high; 2s 3h 4d 5c 9s: straight_draw straight_draw
    Ks Qh Jd Tc 3s: straight_draw straight_draw; As 9s 5s 2s Kh: flush_draw flush_draw
    9s 8s 7s 6s Kh: flush_draw flush_draw; 9s 9h 7d 4c 2s: pair pair_9; 2s 2h 7d 4c Ks: pair pair_2
    9s 9h Ad 4c 2s: pair_ace pair_9; As Ah 9d 4c 2s: aces pair_a; 9s 9h 8d 7c 6s: pair_draw pair_9
    As Ah 9s 4s 2s: pair_draw pair_a; 9s 9h 4d 4c As: two_pair two_pair_low; Ts Th 4d 4c As: two_pair two_pair_high
    9s 9h 9d 4c As: trips trips; As 2h 3d 4c 5s: straight straight; As Ks 9s 4s 2s: flush flush
    9s 9h 9d 4c 4s: full_house full_house; 9s 9h 9d 9c 4s: quads full_house
    9s 8s 7s 6s 5s: straight_flush full_house; As Ks Qs Js Ts: straight_flush full_house
  )");
}

TEST(DrawKinds, OfLowHands) {
  expect_kinds(low_kinds(), R"(
    As 2h 3d 4c 5s: six six; 2s 3h 4d 5c 6s: six six; As 2h 3d 4c 7s: seven seven; 4s 5h 6d 7c 8s: eight eight
    As 2h 3d 6c 9s: nine_smooth nine; As 2h 3d 7c 9s: nine_rough nine; As 2h 3d 4c Ts: ten ten
    As 2h 3d 9c Ts: rough ten; As 2h 3d 4c Js: jack jack; As 2h 9d Tc Js: rough jack
    As 2h 3d 4c Qs: one_smooth one_5; As 2h 3d 6c 6s: one_smooth one_6; As 2h 3d 7c Ks: one_rough one_7
    As 2h 3d 8c Ks: one_rough one_8; As 2h 3d Qc Ks: two_smooth two_5; As Ah 3d 6c Ks: two_smooth two_6
    As 7h 3d 7c Ks: two_rough two_7; As 8h 3d Qc Ks: two_rough two_8; As 8h Jd Qc Ks: three three
    As 9h Jd Qc Ks: four four; 9s Th Jd Qc Ks: four four
  )");
}

TEST(DrawKinds, OfWhatIsKept) {
  for (const auto& [cards, name] : rows_in(R"(
           As Kh 9d 7c 3s: all; 9s 8s 7s 6s: flush_draw; 9s 8h 7s 6s: straight_draw; As Kh Qs Js: ace
           9s 8h 7s 5s: no_ace; 9s 9h 4d 4c: two_pair; 9s 9h 9d 9c: quads; 9s 9h 9d: trips; 9s 9h 9d 2s: trips_kicker
           9s 9h: pair; 9s 9h As: pair_ace; 9s 9h Ks: pair_kicker; As Ah Ks: pair_kicker; 9s 9h As Ks: pair_two
           As: ace; Ks Qs: no_ace; : nothing)"))
    EXPECT_EQ(keeps(high_kinds(), cards), name) << cards;
  for (const auto& [cards, name] : rows_in(R"(
           As 2h 3d 4c 5s: all; As 2h 3d 6c: four_smooth; As 2h 3d 8c: four_rough; As 2h 3d 9c: four_high
           2h 3d 6c: three_smooth; 2h 3d 7c: three_rough; 2h 3d Kc: three_high; 2h 3d: two; 2h: one; : nothing
           2h 2d 3c: paired)"))
    EXPECT_EQ(keeps(low_kinds(), cards), name) << cards;
}

TEST(DrawKinds, OfHandsThatStandPat) {
  for (const auto& [hand, name] : rows_in(R"(As 2h 3d 4c 5s: made; 9s 9h 9d 9c 5s: made; 9s 9h 9d Ac 5s: thin
                                             9s 9h 5d Ac 5s: thin; As Ah 5d 9c 3s: bluff; As Kh 5d 9c 3s: bluff)"))
    EXPECT_EQ(high_kinds().pat_class(five(hand)), name) << hand;
  for (const auto& [hand, name] : rows_in(R"(As 2h 3d 4c 9s: made; As 2h 3d 4c Ts: thin; As 2h 3d Tc Js: thin
                                             As 2h 3d 4c Qs: bluff; As 2h 3d 4c 4s: bluff)"))
    EXPECT_EQ(low_kinds().pat_class(five(hand)), name) << hand;
}

// The numbers of all hands by kind, against combinatorics.
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
  for (const auto& [kind, hands] : {std::pair("two_pair", 123552),
                                    {"trips", 54912},
                                    {"straight", 10200},
                                    {"flush", 5108},
                                    {"full_house", 3744},
                                    {"quads", 624},
                                    {"straight_flush", 40}})
    EXPECT_EQ(high[kind], hands) << kind;
  for (const char* pair : {"pair_2", "pair_9", "pair_t", "pair_k", "pair_a"})
    EXPECT_EQ(high_openers[pair], 1098240 / 13) << pair;
  // Ranks without a pair, four suits each. Rough is ten over a nine and three of eight, jack over a nine or ten and
  // three, jack over both and two.
  for (const auto& [kind, ranks] : {std::pair("six", 6),
                                    {"seven", 15},
                                    {"eight", 35},
                                    {"nine_smooth", 15},
                                    {"nine_rough", 70 - 15},
                                    {"ten", 70},
                                    {"jack", 70},
                                    {"rough", 56 + 2 * 56 + 28}})
    EXPECT_EQ(low[kind], ranks * 1024) << kind;
  for (const auto& [opener, ranks] : {std::pair("ten", 126), {"jack", 210}, {"nine", 70}})
    EXPECT_EQ(low_openers[opener], ranks * 1024) << opener;
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
}  // namespace dealer::studies::draw::draw_figures_test
