// The program's states against the slow referee, over many hands: the seat to act, legal actions, every seat's view,
// results, the button, Fantasyland, the ends of chains and matches (docs/rules/ofc.md).
#include "tests/env/games/ofc/referee.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/env/games/ofc/rule_sets.h"
#include "tests/env/harness/random_play.h"

namespace dealer::ofc::referee_test {
namespace {

using test::Referee;
using Places = std::array<Action, kCards>;

Referee::Cards sorted(Referee::Cards cards) {
  std::sort(cards.begin(), cards.end());
  return cards;
}

// Chooses places for the cards of a whole turn: the best-looking of some random ways, so that boards without foul and
// with royalties occur. Knows the rules only through Board.
class Planner {
 public:
  Planner(std::uint64_t seed, bool careful) : careful_(careful), rng_(seed) {}

  Places plan(const Board& board, CardSet hand, int discards) {
    Places best{};
    int best_score = -1000;
    const std::uint32_t tries = careful_ ? rng_.below(40) + 1 : 1;
    for (std::uint32_t i = 0; i < tries; ++i) {
      Places places{};
      Board after = board;
      int left = discards, cards = size(hand);
      for_each(hand, [&](Card card) {
        std::vector<Action> options;
        if (left > 0) options.push_back(kToDiscard);
        if (cards > left)
          for (const Row row : {kFront, kMiddle, kBack})
            if (after.room(row) > 0) options.push_back(row);
        const Action to = options[rng_.below(static_cast<std::uint32_t>(options.size()))];
        places[card] = to;
        --cards;
        if (to == kToDiscard)
          --left;
        else
          after.row[static_cast<std::size_t>(to)] |= bit(card);
      });
      const int score = rate(after);
      if (score <= best_score) continue;
      best_score = score;
      best = places;
    }
    return best;
  }

 private:
  static int rate(const Board& board) {
    if (board.complete()) {
      const BoardValue value = evaluate(board);
      return value.foul ? -100 : value.total() + (value.stays ? 50 : 0);
    }
    const HandRank front = dealer::evaluate(board.row[kFront]), middle = dealer::evaluate(board.row[kMiddle]);
    const HandRank back = dealer::evaluate(board.row[kBack]);
    return (front < middle ? 2 : 0) + (middle <= back ? 2 : 0) + static_cast<int>(category(back)) +
           static_cast<int>(category(middle)) + (entry_cards(front) != 0 ? 3 : 0);
  }

  bool careful_;
  RandomStream rng_;
};

void check_positions(const State& state, const Referee& referee) {
  const int n = state.rules().players;
  for (Seat observer = 0; observer < n; ++observer) {
    const View view = state.view(observer);
    ASSERT_EQ(view.dealer, (referee.dealer() - observer + n) % n);
    ASSERT_EQ(view.street, referee.street());
    for (int rel = 0; rel < n; ++rel) {
      const Seat owner = (observer + rel) % n;
      ASSERT_EQ(view.fantasyland[static_cast<std::size_t>(rel)], referee.fantasyland(owner));
      ASSERT_EQ(view.out[static_cast<std::size_t>(rel)], referee.out(owner));
      const Referee::Rows seen = referee.seen(owner, observer);
      for (const Row row : {kFront, kMiddle, kBack})
        ASSERT_EQ(sorted(names(view.board[rel].row[row])), sorted(seen.at(std::string(kRowNames[row]))))
            << "seat " << observer << " of seat " << owner << ", " << kRowNames[row];
    }
    ASSERT_EQ(sorted(names(view.discards)), sorted(referee.discards(observer)));
    if (observer == referee.to_act() && !referee.needs_cards()) {
      ASSERT_EQ(names(view.hand), referee.hand());
      ASSERT_EQ(view.places_left, referee.places_left());
      ASSERT_EQ(view.discards_left, referee.discards_left());
    }
    // The observation encodes exactly this view.
    const View read = State::decode(state.rules(), observation(state, observer));
    ASSERT_EQ(read.seen(), view.seen());
    ASSERT_EQ(read.discards, view.discards);
    ASSERT_EQ(read.hand, view.hand);
    ASSERT_EQ(read.turn, view.turn);
    ASSERT_EQ(read.places_left, view.places_left);
    ASSERT_EQ(read.discards_left, view.discards_left);
    for (int rel = 0; rel < n; ++rel) ASSERT_TRUE(read.board[rel] == view.board[rel]);
  }
}

void check_record(const HandRecord& hand, const Referee& referee) {
  for (std::size_t s = 0; s < referee.last.size(); ++s) {
    const Referee::Result& expected = referee.last[s];
    ASSERT_EQ(hand.played[s], expected.played);
    ASSERT_EQ(hand.points[s], expected.won);
    if (!expected.played) continue;
    ASSERT_EQ(hand.foul[s], expected.verdict.foul);
    ASSERT_EQ(hand.royalties[s], expected.verdict.royalties());
    ASSERT_EQ(hand.scoops[s], expected.scoops);
    ASSERT_EQ(hand.fantasyland[s], expected.fantasyland);
    ASSERT_EQ(hand.next[s], expected.next);
  }
}

struct Figures {
  int hands = 0, fouls = 0, entries = 0, stays = 0, eliminated = 0;
};

void referee_episode(const GameRules& rules, std::uint64_t seed, Figures& figures) {
  const bool from_fantasyland = seed % 4 == 0, careful = seed % 8 < 3, look = seed % 16 < 2;
  State state;
  state.reset(rules, seed);
  RandomStream rng(seed, 21);
  if (from_fantasyland) {
    const auto& numbers = rules.scoring.bonus.fantasyland_cards;
    FantasylandCards begun{};
    for (int seat = 0; seat < rules.players; ++seat)
      if (rng.below(2) == 0)
        begun[static_cast<std::size_t>(seat)] = numbers[(seed / 4 + static_cast<std::uint64_t>(seat)) % numbers.size()];
    state.deal(rules, seed, begun, state.dealer());
  }
  std::vector<int> fantasyland;
  for (int seat = 0; seat < rules.players; ++seat)
    fantasyland.push_back(state.view(0).fantasyland[static_cast<std::size_t>(seat)]);
  Referee referee(rules, state.dealer(), fantasyland);
  Planner planner(seed, careful);
  Places places{};
  for (int step = 0; state.current_player() != kTerminal && step < test::kMaxSteps; ++step) {
    const Seat seat = state.current_player();
    ASSERT_EQ(seat, referee.to_act());
    const CardSet hand = state.hand(seat);
    if (referee.needs_cards()) {
      ASSERT_NO_THROW(referee.deal(names(hand)));
      const int discards = state.view(seat).discards_left;
      places = planner.plan(state.board(seat), hand, discards);
    }
    std::vector<std::string> allowed;
    for (Action action = 0; action < kPlaces; ++action)
      if (((state.legal_mask() >> action) & 1) != 0) allowed.push_back(state.choice(action).text);
    ASSERT_EQ(allowed, referee.allowed());
    if (look) check_positions(state, referee);
    const Action action = places[lowest(hand)];
    const int hands = state.hands_finished(), dealer = state.dealer();
    state.apply(action);
    referee.move(state.choice(action).text);
    for (int s = 0; s < rules.players; ++s) ASSERT_EQ(state.return_of(s), referee.won(s)) << "seat " << s;
    ASSERT_EQ(state.hands_finished(), referee.hands());
    ASSERT_EQ(state.dealer(), referee.dealer());
    if (state.hands_finished() == hands) continue;
    for (int s = 0; s < rules.players; ++s) ASSERT_EQ(state.is_out(s), referee.out(s));
    ASSERT_EQ(state.last_hand().dealer, dealer);
    check_record(state.last_hand(), referee);
  }
  ASSERT_EQ(state.current_player() == kTerminal, referee.to_act() == -1);
  if (look) check_positions(state, referee);
  figures.hands += referee.hands();
  figures.fouls += referee.fouls;
  figures.entries += referee.entries;
  figures.stays += referee.stays;
  for (int s = 0; s < rules.players; ++s) figures.eliminated += referee.out(s) ? 1 : 0;
}

Figures referee_hands(const GameRules& rules, int hands) {
  Figures figures;
  for (std::uint64_t seed = 0; figures.hands < hands; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    referee_episode(rules, seed, figures);
    if (testing::Test::HasFailure()) break;
  }
  return figures;
}

TEST(OfcReferee, AgreesOnHandsAndChains) {
  for (const int players : {2, 3})
    for (const Episode episode : {Episode::kHand, Episode::kChain}) {
      const int hands = test::repetitions(episode == Episode::kHand ? 10000 : 50000);
      const Figures figures = referee_hands(rules_for(players, episode), hands);
      EXPECT_GT(figures.entries, hands / (players == 2 ? 200 : 100));
      if (episode == Episode::kChain) {
        EXPECT_GT(figures.stays, hands / 1000);
      }
      EXPECT_LT(figures.fouls, players * hands);
    }
}

TEST(OfcReferee, AgreesOnFantasylandOfAnySize) {
  int stays = 0;
  for (const int cards : {13, 14, 15, 16, 17}) {
    GameRules rules = rules_for(cards == 17 ? 3 : 2);
    rules.scoring.bonus.fantasyland_cards.fill(static_cast<std::uint8_t>(cards));
    stays += referee_hands(rules, test::repetitions(3000)).stays;
  }
  EXPECT_GT(stays, 0);
}

TEST(OfcReferee, AgreesOnProgressiveFantasyland) {
  int stays = 0;
  for (const int players : {2, 3}) {
    for (const Episode episode : {Episode::kChain, Episode::kMatch}) {
      GameRules rules = rules_for(players, episode);
      rules.start_points = 60;
      rules.scoring.bonus.fantasyland_cards = {14, 15, 16, 17, 14};
      stays += referee_hands(rules, test::repetitions(3000)).stays;
      rules.scoring.bonus.fantasyland_cards = {13, 17, 14, 16, 15};
      stays += referee_hands(rules, test::repetitions(3000)).stays;
    }
  }
  EXPECT_GT(stays, 0);
}

TEST(OfcReferee, AgreesOnMatches) {
  GameRules rules = rules_for(3, Episode::kMatch);
  rules.start_points = 100;
  EXPECT_GT(referee_hands(rules, test::repetitions(5000)).eliminated, 0);
  rules.multiplier_every = 3;
  EXPECT_GT(referee_hands(rules, test::repetitions(5000)).eliminated, 0);
  // Few points: dealers go out while others enter Fantasyland.
  rules.start_points = 12;
  EXPECT_GT(referee_hands(rules, test::repetitions(50000)).eliminated, 0);
  rules.start_points = 100;
  rules.first_out_ends = true;
  EXPECT_GT(referee_hands(rules, test::repetitions(2000)).eliminated, 0);
  rules.match_hands = 7;
  rules.start_points = 200;
  referee_hands(rules, test::repetitions(2000));
  rules.players = 2;
  referee_hands(rules, test::repetitions(2000));
}

TEST(OfcReferee, TheFirstDealerOfAMatchIsDrawnByLot) {
  const GameRules rules = rules_for(3, Episode::kMatch);
  std::array<int, 3> count{};
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    State state;
    state.reset(rules, seed);
    ++count[static_cast<std::size_t>(state.dealer())];
  }
  for (const int c : count) EXPECT_NEAR(c, 1000, 130);
}

}  // namespace
}  // namespace dealer::ofc::referee_test
