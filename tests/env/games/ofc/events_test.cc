// Events of a hand. Events and the table as JSON contain exactly what a seat may know, and the hand can be
// reconstructed from them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "tests/env/games/ofc/rule_sets.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/table_json.h"

namespace dealer::ofc::events_test {
namespace {

using Kind = Event::Kind;

std::vector<Event> events_of(const State& state) {
  std::vector<Event> events;
  state.events(events);
  return events;
}

// The state reconstructed from events.
struct Story {
  std::array<Board, kMaxSeats> board{};
  std::array<CardSet, kMaxSeats> discards{}, dealt{};
  std::array<int, kMaxSeats> dealt_count{}, placed_count{};
  std::array<std::string, kMaxSeats> what;
  std::vector<std::int64_t> before, won;
  int dealer = -1, hand = -1;
  unsigned fantasyland = 0;
  bool match_ended = false;

  explicit Story(const std::vector<Event>& events) {
    for (const Event& event : events) add(event);
  }

  void add(const Event& event) {
    const auto s = static_cast<std::size_t>(std::max(0, event.seat));
    switch (event.kind) {
      case Kind::kHandBegun:
        dealer = event.seat;
        hand = event.hand;
        before = event.values;
        fantasyland = event.seats;
        break;
      case Kind::kDealt:
        EXPECT_EQ(event.what, "down");
        dealt_count[s] += event.count;
        for (const CardId card : event.cards) dealt[s] |= bit(card);
        break;
      case Kind::kPlaced:
        placed_count[s] += event.count;
        add_cards(event);
        break;
      case Kind::kShown:
        add_cards(event);
        EXPECT_EQ(event.count, static_cast<int>(event.cards.size()));
        if (!event.what.empty()) what[s] = event.what;
        break;
      case Kind::kHandEnded:
        won = event.values;
        EXPECT_EQ(event.hand, hand);
        break;
      case Kind::kMatchEnded:
        match_ended = true;
        break;
      default:
        ADD_FAILURE() << "no event of this game: " << name_of(event);
    }
  }

  void add_cards(const Event& event) {
    const auto s = static_cast<std::size_t>(event.seat);
    ASSERT_EQ(event.cards.size(), event.places.size());
    for (std::size_t i = 0; i < event.cards.size(); ++i) {
      const auto* const row = std::find(kRowNames.begin(), kRowNames.end(), event.places[i]);
      if (row == kRowNames.end()) {
        EXPECT_EQ(event.places[i], "discard");
        discards[s] |= bit(event.cards[i]);
      } else {
        board[s].row[static_cast<std::size_t>(row - kRowNames.begin())] |= bit(event.cards[i]);
      }
    }
  }
};

// In the middle of the seat's turn: no event covers it yet.
bool amid_turn(const State& state, Seat seat) {
  const View view = state.view(seat);
  const int whole = view.fantasyland[0] != 0 ? view.fantasyland[0] : view.street == 0 ? 5 : 3;
  return view.turn == 0 && size(view.hand) < whole;
}

// The events that a seat observes agree with its observation.
void check_story(const State& state, Seat seat) {
  const int n = state.rules().players;
  const Story story(seen_by(events_of(state), seat));
  const View view = state.view(seat);
  const auto me = static_cast<std::size_t>(seat);
  const nlohmann::json table = table_json(state, seat);
  ASSERT_EQ(story.dealer, (seat + view.dealer) % n);
  ASSERT_EQ(table["dealer"], story.dealer);
  ASSERT_EQ(table["street"], view.street);
  ASSERT_EQ(table["places_left"], view.places_left);
  ASSERT_EQ(table["discards_left"], view.discards_left);
  for (int rel = 0; rel < n; ++rel) {
    const auto owner = static_cast<std::size_t>((seat + rel) % n);
    ASSERT_EQ((story.fantasyland >> owner & 1) != 0, view.fantasyland[static_cast<std::size_t>(rel)] != 0);
    if (rel == 0 && amid_turn(state, seat)) continue;
    ASSERT_TRUE(story.board[owner] == view.board[rel]) << "seat " << owner << " seen by " << seat;
    const nlohmann::json player = table["players"][owner];
    ASSERT_EQ(story.dealt_count[owner] - story.placed_count[owner], player["card_count"]);
    ASSERT_EQ(player["fantasyland"], view.fantasyland[static_cast<std::size_t>(rel)] != 0);
    ASSERT_EQ(player["out"], view.out[static_cast<std::size_t>(rel)]);
    for (std::size_t row = 0; row < kRows; ++row)
      ASSERT_EQ(player["rows"][std::string(kRowNames[row])], nlohmann::json(names(view.board[rel].row[row])));
    ASSERT_EQ(player["cards"], nlohmann::json(names(rel == 0 ? view.hand : 0)));
    ASSERT_EQ(player["discarded"], nlohmann::json(names(rel == 0 ? view.discards : 0)));
    if (rel == 0) continue;
    ASSERT_EQ(story.discards[owner], 0U);
    ASSERT_EQ(story.dealt[owner], 0U);
  }
  if (amid_turn(state, seat)) return;
  ASSERT_EQ(story.discards[me], view.discards);
  ASSERT_EQ(story.dealt[me], view.board[0].cards() | view.discards | view.hand);
}

// A finished hand's result agrees with its events; the referee checks the values (referee_test.cc).
void check_result(const State& state) {
  const int n = state.rules().players;
  const Story story(events_of(state));
  std::array<BoardValue, kMaxSeats> value;
  const auto playing = [&](int seat) { return story.dealt_count[static_cast<std::size_t>(seat)] > 0; };
  for (int seat = 0; seat < n; ++seat) {
    if (!playing(seat)) continue;
    const auto s = static_cast<std::size_t>(seat);
    ASSERT_TRUE(story.board[s].complete());
    ASSERT_EQ(story.dealt[s], story.board[s].cards() | story.discards[s]);
    value[s] = evaluate(story.board[s], state.rules().scoring);
    const int next = (story.fantasyland >> s & 1) != 0 ? value[s].stays : value[s].fantasyland;
    std::string what = value[s].foul ? "foul" : "royalties " + std::to_string(value[s].total());
    if (next != 0 && state.rules().episode != Episode::kHand) what += ", Fantasyland";
    if (what.ends_with("land") && state.rules().scoring.bonus.progressive())
      what += " with " + std::to_string(next) + " cards";
    ASSERT_EQ(story.what[s], what);
  }
  for (std::size_t s = 0; s < value.size() && s < story.won.size(); ++s) {
    ASSERT_EQ(static_cast<float>(story.won[s]), state.reward(static_cast<Seat>(s)));
    if (state.rules().episode != Episode::kMatch) continue;
    ASSERT_EQ(playing(static_cast<int>(s)), story.before[s] > 0);
    ASSERT_EQ(story.before[s] + story.won[s], state.points(static_cast<Seat>(s)));
  }
  ASSERT_EQ(story.match_ended, state.rules().episode == Episode::kMatch && state.episode_over());
}

void follow(const RuleSet& set, std::uint64_t seed) {
  State state = start(set, seed);
  RandomStream rng(seed, 31);
  for (int step = 0; step < 400; ++step) {
    for (Seat seat = 0; seat < set.rules.players; ++seat) check_story(state, seat);
    if (testing::Test::HasFailure()) return;
    if (!state.hand_over()) {
      state.apply_and_hold(test::random_action(state.legal_mask(), rng));
      continue;
    }
    check_result(state);
    if (state.episode_over() || testing::Test::HasFailure()) return;
    const Story old(events_of(state));
    state.next_hand();
    const Story begun(events_of(state));
    ASSERT_EQ(begun.hand, old.hand + 1);
    for (std::size_t s = 0; s < begun.before.size(); ++s) {
      if (set.rules.episode != Episode::kMatch) continue;
      ASSERT_EQ(begun.before[s], old.before[s] + old.won[s]);
    }
  }
}

TEST(OfcEvents, TellEachSeatWhatItMayKnowAndTheWholeHandToTheLog) {
  for (const RuleSet& set : rule_sets()) {
    SCOPED_TRACE(set.name);
    for (int seed = 0; seed < test::repetitions(20); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      follow(set, static_cast<std::uint64_t>(seed));
      if (testing::Test::HasFailure()) return;
    }
  }
}

// Seat 1 plays its opening, then seat 0 sets its Fantasyland hand and sees it.
TEST(OfcEvents, InFantasylandOneSeesNothingBeforeOnesHandIsSet) {
  GameRules rules;
  rules.episode = Episode::kHand;
  State state;
  state.deal(rules, 7, {14, 0, 0}, 0);
  // The viewer's events about cards: their owner, the number visible, the total.
  const auto observed = [&](Viewer viewer) {
    std::string text;
    for (const Event& event : seen_by(events_of(state), viewer))
      if (event.count > 0)
        text += fmt::format("{} {} {}/{}, ", name_of(event), event.seat, event.cards.size(), event.count);
    return text;
  };
  RandomStream rng(1);
  const auto play_while = [&](auto&& condition) {
    while (condition()) state.apply_and_hold(test::random_action(state.legal_mask(), rng));
  };
  std::string mine = "dealt 1 0/5, dealt 0 14/14, ", other = "dealt 1 5/5, dealt 0 0/14, ";
  std::string spectator = "dealt 1 0/5, dealt 0 0/14, ";
  const auto expect_told = [&](const char* more, const char* more_of_other, const char* more_of_spectator) {
    EXPECT_EQ(observed(0), mine += more);
    EXPECT_EQ(observed(1), other += more_of_other);
    EXPECT_EQ(observed(kSpectator), spectator += more_of_spectator) << "no more than a player who is still to set";
  };
  expect_told("", "", "");
  play_while([&] { return state.current_player() == 1; });
  expect_told("placed 1 0/5, ", "placed 1 5/5, ", "placed 1 0/5, ");
  play_while([&] { return state.current_player() == 0; });
  expect_told("placed 0 14/14, shown 1 5/5, dealt 1 0/3, ", "placed 0 0/14, dealt 1 3/3, ",
              "placed 0 0/14, dealt 1 0/3, ");
  play_while([&] { return state.street() == 1; });
  // The discard stays hidden.
  expect_told("placed 1 2/3, dealt 1 0/3, ", "placed 1 3/3, dealt 1 3/3, ", "placed 1 2/3, dealt 1 0/3, ");
  play_while([&] { return !state.hand_over(); });
  EXPECT_TRUE(observed(1).ends_with("shown 1 13/13, shown 0 13/13, "));
}

TEST(OfcChoices, SayWhichCardGoesWhere) {
  State state;
  state.deal(GameRules(), 5, {}, 0);
  for (const auto& [action, text, kind] :
       {std::tuple(kToFront, "front", "place"), {kToDiscard, "discard", "discard"}}) {
    const Choice choice = state.choice(action);
    EXPECT_EQ(choice.text, text);
    EXPECT_EQ(choice.kind, kind);
    EXPECT_EQ(choice.cards, std::vector<CardId>{lowest(state.hand(1))});
    EXPECT_TRUE(choice.amount.empty());
  }
}

}  // namespace
}  // namespace dealer::ofc::events_test
