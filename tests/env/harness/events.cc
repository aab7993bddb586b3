// The events of hands, for seats, the spectator and the log.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "env/core/at.h"
#include "tests/env/harness/game_harness.h"
#include "tests/env/harness/random_play.h"

namespace dealer::test {
namespace {

using Kind = Event::Kind;

bool of_own_cards(const Event& event) {
  return event.kind == Kind::kDealt || event.kind == Kind::kDiscarded || event.kind == Kind::kDrew ||
         event.kind == Kind::kPlaced || (event.kind == Kind::kOwn && event.count > 0);
}
bool by_decision(const Event& event) {
  return event.kind == Kind::kActed || event.kind == Kind::kDiscarded || event.kind == Kind::kPlaced ||
         event.kind == Kind::kOwn;
}

// True if `less` is the same event with fewer visible cards.
bool part_of(const Event& less, const Event& more) {
  if (less.kind != more.kind || less.seat != more.seat || less.cards.size() > more.cards.size()) return false;
  Event bare_less = less, bare_more = more;
  for (Event* bare : {&bare_less, &bare_more}) {
    bare->cards.clear();
    bare->places.clear();
  }
  return bare_less == bare_more && std::all_of(less.cards.begin(), less.cards.end(), [&](CardId card) {
           return std::find(more.cards.begin(), more.cards.end(), card) != more.cards.end();
         });
}

// A viewer who sees less gets fewer events, in the same order.
void expect_told_less(const std::vector<Event>& less, const std::vector<Event>& more) {
  auto next = more.begin();
  for (const Event& event : less) {
    next = std::find_if(next, more.end(), [&](const Event& other) { return part_of(event, other); });
    ASSERT_NE(next, more.end()) << "told to somebody who sees less only";
    ++next;
  }
}

// One hand, from its first event to the present.
class HandStory {
 public:
  // `before`: the returns of the earlier hands.
  HandStory(const Game& game, const Env& env, std::vector<double> before)
      : game_(game), env_(env), before_(std::move(before)) {
    look(kTerminal);
  }

  const std::vector<Event>& events() const { return events_; }

  // After a decision of `actor`.
  void look(Seat actor) {
    std::vector<Event> now = env_.events(kOmniscient, begin());
    ASSERT_GE(now.size(), events_.size());
    ASSERT_TRUE(std::equal(events_.begin(), events_.end(), now.begin())) << "the story has changed";
    // A copy writes the events from the beginning.
    ASSERT_EQ(now, env_.clone()->events(kOmniscient, begin())) << "told piece by piece";
    const std::size_t known = events_.size();
    events_ = std::move(now);
    const auto first = std::find_if(events_.begin() + static_cast<std::ptrdiff_t>(known), events_.end(), by_decision);
    if (actor != kTerminal && first != events_.end()) {
      ASSERT_EQ(first->seat, actor);
    }
    for (std::size_t i = known; i < events_.size(); ++i) check_form(i);
    if (env_.hand_over()) check_end();
  }

  void check_viewers() const {
    const std::vector<Event> spectator = env_.events(kSpectator, begin());
    for (Seat seat = 0; seat < game_.players(); ++seat) {
      const std::vector<Event> seen = env_.events(seat, begin());
      expect_told_less(seen, events_);
      expect_told_less(spectator, seen);
      std::size_t own = 0, own_seen = 0;
      for (const Event& event : events_)
        if (event.seat == seat && of_own_cards(event)) own += event.cards.size();
      for (const Event& event : seen)
        if (event.seat == seat && of_own_cards(event)) own_seen += event.cards.size();
      ASSERT_EQ(own_seen, own) << "seat " << seat << " does not see cards of its own";
    }
  }

  // Resamples hidden information. Returns the number of samples with different events.
  int check_hidden(RandomStream& rng) const {
    int different = 0;
    const auto other = game_.new_env({.hold_hands = true});
    const std::vector<Event> spectator = env_.events(kSpectator, begin());
    for (Seat seat = 0; seat < game_.players(); ++seat) {
      const auto sampler = game_.new_sampler(env_.observe(seat));
      sampler->draw(*other, rng.bits64());
      expect_equal(other->events(seat), env_.events(seat, begin()));
      expect_equal(other->events(kSpectator), spectator);
      different += other->events(kOmniscient) == events_ ? 0 : 1;
    }
    return different;
  }

 private:
  EventCursor begin() const {
    EventCursor cursor = env_.cursor();
    cursor.next = 0;
    return cursor;
  }

  // Names the first event that differs.
  void expect_equal(const std::vector<Event>& drawn, const std::vector<Event>& real) const {
    if (drawn == real) return;
    for (std::size_t i = 0; i < std::max(drawn.size(), real.size()); ++i) {
      const std::string a = i < drawn.size() ? to_json(drawn[i], game_).dump() : "nothing";
      const std::string b = i < real.size() ? to_json(real[i], game_).dump() : "nothing";
      ASSERT_EQ(a, b) << "with other hidden cards";
    }
    FAIL() << "events differ in what their JSON does not tell";
  }

  void check_form(std::size_t i) const {
    const Event& event = events_[i];
    ASSERT_EQ(event.kind == Kind::kHandBegun, i == 0) << "a hand begins once, and first";
    if (i == 0) {
      ASSERT_EQ(event.values.size(), at(game_.players()));
      ASSERT_EQ(event.hand, begin().hand);
    }
    ASSERT_GE(event.seat, -1);
    ASSERT_LT(event.seat, game_.players());
    if (of_own_cards(event) || event.kind == Kind::kShown) {
      ASSERT_EQ(event.cards.size(), at(event.count));
    }
    if (!event.places.empty()) {
      ASSERT_EQ(event.places.size(), event.cards.size());
    }
    ASSERT_GE(event.amount, 0);
    const nlohmann::json json = to_json(event, game_);
    ASSERT_EQ(json["event"], std::string(name_of(event)));
    ASSERT_EQ(to_json(event_from_json(json, game_), game_), json);
  }

  void check_end() const {
    const std::vector<double> returns = env_.returns();
    std::size_t last = events_.size() - 1;
    if (events_[last].kind == Kind::kMatchEnded) {
      ASSERT_TRUE(env_.terminated());
      const double most = *std::max_element(returns.begin(), returns.end());
      for (Seat seat = 0; seat < game_.players(); ++seat) {
        ASSERT_EQ(static_cast<double>(events_[last].values[at(seat)]), returns[at(seat)]);
        ASSERT_EQ((events_[last].seats >> seat & 1) != 0, returns[at(seat)] == most);
      }
      --last;
    }
    const Event& end = events_[last];
    ASSERT_EQ(end.kind, Kind::kHandEnded);
    ASSERT_EQ(std::count_if(events_.begin(), events_.end(), [](const Event& e) { return e.kind == Kind::kHandEnded; }),
              1);
    ASSERT_EQ(end.hand, events_.front().hand);
    for (Seat seat = 0; seat < game_.players(); ++seat)
      ASSERT_EQ(static_cast<double>(end.values[at(seat)]), returns[at(seat)] - before_[at(seat)]) << "net of " << seat;
    // The table first, then the showdown, then the pots. Chips won earlier are won while the hand continues.
    const auto stage = [](const Event& event) {
      return event.slot != 0                                                     ? 0
             : event.kind == Kind::kHandEnded || event.kind == Kind::kMatchEnded ? 3
             : event.kind == Kind::kWon                                          ? 2
             // A board shown without a result is one visible while the hand continues.
             : event.kind == Kind::kMucked ||
                     (event.kind == Kind::kShown && (event.places.empty() || !event.what.empty()))
                 ? 1
                 : 0;
    };
    for (std::size_t i = 1; i < events_.size(); ++i) ASSERT_LE(stage(events_[i - 1]), stage(events_[i]));
    check_chips(end);
  }

  // For games with betting.
  void check_chips(const Event& end) const {
    if (std::none_of(events_.begin(), events_.end(), [](const Event& e) { return e.kind == Kind::kActed; })) return;
    std::vector<std::int64_t> net(at(game_.players())), bet(net.size());
    std::int64_t pot = 0;
    int street = 0;
    bool acted = false;
    for (const Event& event : events_) {
      // Blinds belong to the first round of betting, even when that comes after a draw.
      if (event.street != std::exchange(street, event.street) && acted) bet.assign(bet.size(), 0);
      const std::int64_t stack = events_.front().values[at(std::max(event.seat, 0))];
      if (event.kind == Kind::kPosted || event.kind == Kind::kActed) {
        net[at(event.seat)] -= event.amount;
        pot += event.amount;
        if (event.what != "ante") bet[at(event.seat)] += event.amount;
        if (event.kind == Kind::kActed) {
          acted = true;
          ASSERT_EQ(event.total, bet[at(event.seat)]) << "bet in this round";
        }
        if (stack > 0) {
          ASSERT_GE(stack + net[at(event.seat)], 0) << "more is paid than there was";
          ASSERT_EQ(event.all_in, event.amount > 0 && stack + net[at(event.seat)] == 0);
        }
      } else if (event.kind == Kind::kReturned || event.kind == Kind::kWon) {
        net[at(event.seat)] += event.amount;
        pot -= event.amount;
        if (event.kind == Kind::kReturned)
          bet[at(event.seat)] -= std::min<std::int64_t>(bet[at(event.seat)], event.amount);
        ASSERT_GT(event.amount, 0);
      }
    }
    ASSERT_EQ(net, end.values);
    ASSERT_EQ(pot, end.amount) << "chips that nobody got";
  }

  const Game& game_;
  const Env& env_;
  const std::vector<double> before_;
  std::vector<Event> events_;
};

// Folds would end most hands early.
Decision decide(const Env& env, RandomStream& rng) {
  Decision decision = random_decision(env, rng);
  for (int i = 0; i < 2 && env.decision_to_string(decision) == "fold"; ++i) decision = random_decision(env, rng);
  return decision;
}

}  // namespace

void check_events(const Game& game, int hands) {
  const auto env = game.new_env({.hold_hands = true, .keep_events = true});
  int samples = 0, different = 0;
  for_episodes(*env, hands, 13, [&](std::uint64_t, RandomStream& rng) {
    std::vector<Event> whole, observed;
    EventCursor cursor;
    const auto listen = [&] {
      for (Event& event : env->events(kOmniscient, cursor)) observed.push_back(std::move(event));
      cursor = env->cursor();
      ASSERT_TRUE(env->events(kOmniscient, cursor).empty());
    };
    std::vector<double> before(static_cast<std::size_t>(game.players()));
    for (int steps = 0; steps < kMaxSteps;) {
      HandStory story(game, *env, before);
      for (;; ++steps) {
        if (testing::Test::HasFailure()) return;
        if (rng.below(env->hand_over() ? 2 : 8) == 0) story.check_viewers();
        if (rng.below(env->hand_over() ? 4 : 16) == 0) {
          const int changed = story.check_hidden(rng);
          // At the end no information may remain hidden.
          if (!env->hand_over()) {
            samples += game.players();
            different += changed;
          }
        }
        if (env->hand_over()) break;
        const Seat actor = env->current_player();
        listen();
        env->step(decide(*env, rng));
        story.look(actor);
      }
      whole.insert(whole.end(), story.events().begin(), story.events().end());
      ASSERT_EQ(env->events(kOmniscient), whole);
      listen();
      ASSERT_EQ(observed, whole) << "with a cursor";
      if (env->terminated()) break;
      before = env->returns();
      env->next_hand();
    }
  });
  EXPECT_GE(different, samples / 4) << "exchanged cards hardly change the story";
}

}  // namespace dealer::test
