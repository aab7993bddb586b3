// The belief of the local best response, and its values of draws.
#include "arena/local_responses.h"

#include "tests/arena/testing.h"

namespace dealer::local_responses_test {
namespace {

using namespace test;

constexpr Action kFold = 0, kCall = 1;

// A score of a hand's cards, by which a player acts that ignores everything else.
double liking(std::span<const CardId> cards) {
  double sum = 0;
  for (const CardId card : cards) sum += card;
  return sum / (52 * static_cast<double>(cards.size()));
}
double bet_chance(std::span<const CardId> cards, Action action, LegalMask legal) {
  const double like = liking(cards);
  const auto unit = [&](Action a) {
    return a == kFold ? (1 - like) * (1 - like) : a == kCall ? 0.5 : 40 * std::pow(like, 6);
  };
  double sum = 0;
  for (Action a = 0; a <= 2; ++a) sum += (legal >> a & 1) != 0 ? unit(a) : 0;
  return unit(action) / sum;
}
double discard_chance(std::span<const CardId> cards, unsigned mask) {
  double product = 1;  // they sum to 1
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const double goes = std::max(0.05, 0.95 - 0.9 * cards[i] / 52);
    product *= (mask >> i & 1) != 0 ? goes : 1 - goes;
  }
  return product;
}

AgentFactoryPtr card_players(const std::shared_ptr<const poker::Game>& game) {
  return by_policy([game](const Observation& seen, Action action) {
    const poker::View view = poker::State::decode(game->rules(), seen.data);
    std::vector<CardId> cards;
    for (const poker::SeenCard& card : view.own().cards) cards.push_back(card.card);
    return view.drawing ? discard_chance(cards, static_cast<unsigned>(action - game->rules().first_discard()))
                        : bet_chance(cards, action, seen.legal_mask);
  });
}

// The cards of a seat before its first discard, or on an earlier street.
std::vector<CardId> cards_at(const poker::State& state, Seat seat, int street) {
  const poker::GameRules& rules = state.rules();
  std::vector<CardId> cards;
  const int draws_done = rules.draws > 0 ? street - (rules.streets - rules.draws) + 1 : 0;
  for (std::size_t i = 0; i < state.cards(seat).size(); ++i)
    if (rules.draws > 0 ? state.when(seat, i) <= draws_done
                        : rules.procedure != poker::Procedure::kStud || state.when(seat, i) <= street)
      cards.push_back(state.cards(seat)[i]);
  for (int draw = draws_done; draw < rules.draws; ++draw)
    for (int i = 0; i < state.discard_count(draw, seat); ++i)
      if (state.discarded(draw, seat, i).when <= draws_done) cards.push_back(state.discarded(draw, seat, i).card);
  std::sort(cards.begin(), cards.end());
  return cards;
}

// The probability of such a player's actions, from the cards alone.
double slow_weight(const poker::State& state, Seat seat, const std::vector<std::pair<int, LegalMask>>& asked) {
  const poker::GameRules& rules = state.rules();
  double weight = 1;
  std::size_t next = 0;
  for (const poker::PastAction& past : state.past_actions()) {
    if (past.seat != seat) continue;
    const auto& [street, legal] = asked[next++];
    weight *= bet_chance(cards_at(state, seat, street), past.action, legal);
  }
  for (int draw = 0; draw < rules.draws; ++draw) {
    if (state.discard_count(draw, seat) < 0) continue;
    const std::vector<CardId> cards = cards_at(state, seat, rules.streets - rules.draws + draw - 1);
    unsigned mask = 0;
    for (int i = 0; i < state.discard_count(draw, seat); ++i)
      for (std::size_t c = 0; c < cards.size(); ++c)
        mask |= cards[c] == state.discarded(draw, seat, i).card ? 1U << c : 0;
    weight *= discard_chance(cards, mask);
  }
  return weight;
}

struct Mean {
  double sum = 0, weight = 0;
  void add(double x, double w) {
    sum += w * x;
    weight += w;
  }
  double value() const { return sum / weight; }
};

struct Reached {
  poker::State state;
  std::vector<std::pair<int, LegalMask>> asked;  // street and legal actions of the agent's bets
};

// Plays a hand to a late decision of seat `me`, which checks and calls.
std::optional<Reached> reach(const poker::Game& game, std::uint64_t seed, Seat me, Agent& agent,
                             poker::LocalResponse& local) {
  Reached reached;
  poker::State& state = reached.state;
  state.reset_and_hold(game.rules(), seed);
  agent.reset(1 - me, seed);
  local.begin_hand(state, me);
  for (int own = 0; !state.hand_over();) {
    Decision decision = state.drawing() ? game.rules().first_discard() + 0b00110 : kCall;
    if (state.current_player() != me) {
      Observation seen = seen_in(state, game);
      seen.amounts = state.amount_range();
      decision = agent.act(seen);
      if (!state.drawing()) reached.asked.emplace_back(state.street(), state.legal_mask());
    } else if (state.street() + 1 == game.rules().streets && !state.drawing() && reached.asked.size() >= 2) {
      return reached;
    } else if (++own == 1) {
      local.decide(state, RandomStream(seed, 99));
    }
    local.played(state, decision);
    state.apply_and_hold(decision.action);
  }
  return std::nullopt;
}

std::vector<float> seen_by(const poker::State& state, Seat seat) {
  std::vector<float> seen(at(poker::State::observation_spec(state.rules()).size()));
  state.observe(seat, seen.data());
  return seen;
}

class HiddenHandsThorough : public testing::TestWithParam<const char*> {};

// Agrees with uniform samples of the game's sampler, which does not know the agent, weighted by the agent's policy
// computed from the cards alone.
TEST_P(HiddenHandsThorough, AreAsLikelyAsTheAgentMakesThem) {
  const auto game = game_of<poker::Game>(GetParam());
  const auto agents = card_players(game);
  const auto agent = agents->make();
  constexpr int kSamples = 6000, kSlow = 40'000;
  poker::LocalResponse local(game, *agents, kSamples);
  int compared = 0;
  double gap = 0;
  for (std::uint64_t seed = 0; compared < 6; ++seed) {
    const Seat me = static_cast<Seat>(seed % 2);
    const std::optional<Reached> reached = reach(*game, seed, me, *agent, local);
    if (!reached) continue;
    local.decide(reached->state, RandomStream(seed, 7));
    const std::vector<float> now = seen_by(reached->state, me);
    const std::vector<CardId> out = reached->state.taken_out();
    Mean fast, slow, first;
    for (const Particle<poker::State>& each : local.range()) {
      EXPECT_EQ(seen_by(each.state, me), now) << "nobody can tell them apart";
      for (const CardId card : each.state.cards(1 - me)) EXPECT_EQ(std::count(out.begin(), out.end(), card), 0);
      fast.add(liking(each.state.cards(1 - me)), each.weight);
    }
    poker::State::Sampler sampler(game->rules(), now);
    RandomStream rng(seed, 1);
    for (int i = 0; i < kSlow; ++i) {
      poker::State state = sampler.draw(rng);
      slow.add(liking(state.cards(1 - me)), slow_weight(state, 1 - me, reached->asked));
      first.add(liking(state.cards(1 - me)), 1);
    }
    EXPECT_NEAR(fast.value(), slow.value(), 0.012) << GetParam() << ' ' << seed;
    gap += std::abs(slow.value() - first.value());
    ++compared;
  }
  EXPECT_GT(gap, 0.15) << "what the agent did must tell something";
}
INSTANTIATE_TEST_SUITE_P(Games, HiddenHandsThorough,
                         testing::Values("draw", "holdem", "stud", "draw[washizu=replace_suit]",
                                         "draw[washizu=replace_random]", "draw[draws=2]"));

// The assumed value of a call before the draw, against hands played out one by one without bets: the agent discards by
// its policy and the player by the mean.
TEST(LocalResponsesThorough, KnowWhatDrawsAreWorth) {
  for (const char* spec : {"draw", "draw[draws=2]"}) {
    const auto game = game_of<poker::Game>(spec);
    const auto agents = card_players(game);
    poker::LocalResponse local(game, *agents, 3000);
    double spread = 0;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      poker::State state;
      state.reset_and_hold(game->rules(), seed);
      const Seat me = state.current_player();
      local.begin_hand(state, me);
      local.decide(state, RandomStream(seed, 1));
      RandomStream rng(seed);
      Mean slow;
      std::vector<Particle<poker::State>> called;
      for (const Particle<poker::State>& each : local.range()) {
        called.push_back(each);
        called.back().state.apply_and_hold(kCall);
        poker::State on = called.back().state;
        while (!on.hand_over()) {
          if (!on.drawing()) {
            on.apply_and_hold(kCall);
          } else if (on.current_player() == me) {
            on.apply_and_hold(local.throws(on).front());
          } else {
            double point = static_cast<double>(rng.uniform());
            unsigned mask = 0;
            while (mask < 31 && (point -= discard_chance(on.cards(1 - me), mask)) >= 0) ++mask;
            on.apply_and_hold(game->rules().first_discard() + static_cast<Action>(mask));
          }
        }
        slow.add(on.return_of(me), each.weight);
      }
      const double fast = local.play_down(called) / static_cast<double>(called.size());
      EXPECT_NEAR(fast, slow.value(), 0.7) << spec << ' ' << seed;
      spread += std::abs(slow.value());
    }
    EXPECT_GT(spread, 4) << spec;
  }
}

// Every deal of the remaining cards, played to the end.
struct SlowRunOut {
  const poker::Game& game;
  const poker::LocalResponse& local;
  Seat me;

  void step(poker::State& state) const {
    const bool own = state.current_player() == me;
    state.apply_and_hold(!state.drawing() ? kCall
                         : own            ? local.throws(state).front()
                                          : game.rules().first_discard() + 1);
  }
  poker::State shown(poker::State state) const {
    while (!state.hand_over()) step(state);
    return state;
  }
  // nullopt if there is more than one card for each player or two for one.
  std::optional<double> mean(const poker::State& state) const {
    std::vector<CardId> left, come;
    std::bitset<52> known;
    for (Seat seat : {0, 1}) {
      for (const CardId card : state.cards(seat)) known.set(card);
      for (int i = 0; game.rules().draws > 0 && i < state.discard_count(0, seat); ++i)
        known.set(state.discarded(0, seat, i).card);
    }
    const poker::State end = shown(state);
    for (Seat seat : {0, 1})
      for (const CardId card : end.cards(seat))
        if (!known[card]) come.push_back(card);
    for (CardId card = 0; card < 52; ++card)
      if (!known[card]) left.push_back(card);
    if (come.empty() || come.size() > 2) return std::nullopt;
    Mean all;
    for (const CardId first : left) {
      for (const CardId second : left) {
        if (come.size() == 1 ? second != left.front() : first == second) continue;
        CardMap by = same_cards();
        exchange(by, come[0], first);
        if (come.size() == 2) exchange(by, by[come[1]], second);
        poker::State other = state;
        other.exchange_cards(by);
        all.add(shown(other).return_of(me), 1);
      }
    }
    return all.value();
  }
};

TEST(LocalResponses, CountTheCardsToCome) {
  for (const char* const spec : {"stud", "razz", "stud_hi_lo", "draw", "lowball", "draw[draws=2]"}) {
    SCOPED_TRACE(spec);
    const auto game = game_of<poker::Game>(spec);
    const auto agents = by_policy([&](const Observation& seen, Action action) {
      if (!poker::State::decode(game->rules(), seen.data).drawing) return 1.0;
      return action == game->rules().first_discard() + 1 ? 1.0 : 0.0;
    });
    poker::LocalResponse local(game, *agents, 4);
    int counted = 0;
    // Split pots and a low half for only one player are rare.
    for (std::uint64_t seed = 0; counted < 30; ++seed) {
      poker::State state;
      state.reset_and_hold(game->rules(), seed);
      const bool draws = game->rules().draws > 0;
      while (!draws && state.street() + 2 < game->rules().streets) state.apply_and_hold(kCall);
      const Seat me = state.current_player();
      local.begin_hand(state, me);
      state.apply_and_hold(kCall);
      // The cards of earlier draws are those of the hidden hand.
      const SlowRunOut slow{*game, local, me};
      poker::State last = state;
      while (draws && !(last.drawing() && last.street() + 1 == game->rules().streets)) slow.step(last);
      const std::optional<double> mean = slow.mean(last);
      if (!mean) continue;
      EXPECT_NEAR(local.play_down({{state, 1}}), *mean, 1e-9) << seed;
      ++counted;
    }
  }
}

// The player must not use hidden information: the agent's actual cards are as frequent in the belief as any others.
TEST(LocalResponses, KnowNoHiddenCards) {
  const auto game = game_of<poker::Game>("holdem");
  const AgentFactoryPtr random = make_agents("random", game);
  poker::LocalResponse local(game, *random, 100);
  double held = 0, hands = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    poker::State state;
    state.reset_and_hold(game->rules(), seed);
    const Seat me = state.current_player();
    local.begin_hand(state, me);
    local.decide(state, RandomStream(seed, 1));
    for (const Particle<poker::State>& each : local.range()) {
      ++hands;
      for (const CardId card : each.state.cards(1 - me))
        for (const CardId real : state.cards(1 - me)) held += card == real ? 1 : 0;
    }
  }
  EXPECT_NEAR(held / hands, 2 * 2 / 50.0, 0.006);
}

}  // namespace
}  // namespace dealer::local_responses_test
