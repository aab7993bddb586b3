// Players of one simple idea: each follows its idea, and the rules.
#include "agents/agent_registry.h"
#include "agents/seven_hand/groups.h"
#include "env/games/poker/game.h"
#include "env/games/seven_hand/game.h"
#include "tests/support/play.h"
#include "tests/support/testing.h"

namespace dealer::simple_players_test {
namespace {

std::vector<std::string> zoo(const GamePtr& game) {
  for (const auto& [name, kind] : agent_kinds())
    if (name == "zoo" && kind.plays(*game)) return kind.arguments(*game);
  return {};
}

using Visit = std::function<void(const Observation& seen, Decision decision)>;

// Plays hands of the player in seat 0 against random players; passes on its decisions.
void play(const std::string& spec, const std::string& player, int hands, const Visit& visit) {
  const GamePtr game = make_game(spec);
  test::Seats seats = test::make_seats(make_agents("random", game), *game);
  seats[0] = make_agents("zoo:" + player, game)->make();
  const auto env = game->new_env();
  for (std::uint64_t hand = 0; hand < at(hands); ++hand)
    test::play(*env, seats, hand, [&](const Env&, const Observation& seen, Decision decision) {
      if (seen.player == 0) visit(seen, decision);
    });
}

TEST(SimplePlayers, AreThereForTheLargeGamesAndNamed) {
  EXPECT_EQ(zoo(make_game("kuhn")), std::vector<std::string>());
  for (const char* spec : {"ofc", "seven_hand", "draw", "holdem"}) EXPECT_GE(zoo(make_game(spec)).size(), 5U) << spec;
  EXPECT_TRUE(test::refuses<UsageError>("did you mean 'strongest'?",
                                        [] { make_agents("zoo:strongst", make_game("seven_hand")); }));
  EXPECT_THROW(make_agents("zoo:strongest[speed=1]", make_game("seven_hand")), ConfigError);
  EXPECT_THROW(make_agents("zoo:strongest", make_game("kuhn")), UsageError);
  const GamePtr seven = make_game("seven_hand");
  const std::vector<std::string> given = {"rule", "zoo", "zoo:need"}, expanded = expand_zoo(given, *seven);
  EXPECT_EQ(expanded.size(), zoo(seven).size() + 1) << "zoo:need once";
  EXPECT_EQ(expanded.front(), "rule");
  EXPECT_EQ(expanded.back(), "zoo:need");
  EXPECT_TRUE(
      test::has(test::error_message<UsageError>([&] { expand_zoo(given, *make_game("kuhn")); }), "no zoo of 'kuhn'"));
}

TEST(SimplePlayers, PlayLegallyAndTheSameAgain) {
  for (const char* spec : {"ofc", "ofc[players=3]", "seven_hand", "triple_draw", "washizu", "court_tarot[players=3]",
                           "holdem[limit=no_limit,players=3]", "holdem[low=eight_or_better]", "razz", "stud_hi_lo"}) {
    for (const std::string& player : zoo(make_game(spec))) {
      std::array<std::vector<Action>, 2> made;
      for (auto& actions : made)
        play(spec, player, 3, [&](const Observation&, Decision d) { actions.push_back(d.action); });
      EXPECT_FALSE(made[0].empty());
      EXPECT_EQ(made[0], made[1]) << spec << ' ' << player;
    }
  }
}

// Statistics of a player of a betting game at betting decisions.
struct Habits {
  int decisions = 0, folds = 0, bets = 0;
  int early_folds = 0, early_bets = 0;  // before the last round
  int not_bet = 0, not_bet_free = 0;    // bets declined
  int smallest = 0, largest = 0;        // the smallest and the largest bets on offer, if there are several
  int sized = 0;
  int draws = 0, pat = 0;
};

Habits habits(const std::string& spec, const std::string& player, int hands) {
  const GamePtr game = make_game(spec);
  const poker::GameRules& rules = poker::as_poker(*game)->rules();
  Habits seen;
  play(spec, player, hands, [&](const Observation& observation, Decision decision) {
    const poker::View view = poker::State::decode(rules, observation.data);
    if (view.drawing) {
      ++seen.draws;
      if (decision.action == rules.first_discard()) ++seen.pat;
      return;
    }
    const bool early = view.round + 1 < rules.rounds, bets = decision.action >= poker::kFirstBet;
    ++seen.decisions;
    if (decision.action == poker::kFold) ++(early ? seen.early_folds : seen.folds);
    if (bets) ++(early ? seen.early_bets : seen.bets);
    if (!bets && !view.raises.empty()) {
      ++seen.not_bet;
      if (view.to_call == 0) ++seen.not_bet_free;
    }
    if (!bets || view.raises.size() < 2) return;
    ++seen.sized;
    if (decision.action == view.raises.front().action) ++seen.smallest;
    if (decision.action == view.raises.back().action) ++seen.largest;
  });
  return seen;
}

TEST(SimplePlayers, OfBettingGamesPlayByTheirIdea) {
  struct Idea {
    const char* player;
    bool (*kept)(const Habits&);
  };
  for (const Idea& idea : {
           Idea{"trapper", [](const Habits& h) { return h.early_bets == 0 && h.early_folds > 0 && h.bets > 0; }},
           {"trapper", [](const Habits& h) { return h.largest == h.sized; }},
           {"waiter", [](const Habits& h) { return h.early_bets + h.early_folds == 0 && h.bets > 0 && h.folds > 0; }},
           {"stabber", [](const Habits& h) { return h.not_bet_free == 0 && h.folds + h.early_folds > 0; }},
           {"maniac", [](const Habits& h) { return h.not_bet == 0 && h.largest < h.sized; }},
           {"sticky", [](const Habits& h) { return h.bets + h.early_bets == 0 && h.folds + h.early_folds > 0; }},
           {"rock", [](const Habits& h) { return h.early_folds > 30 && h.early_bets > 0 && h.largest == h.sized; }},
           {"polar", [](const Habits& h) { return h.early_bets == 0 && h.largest > 0; }},
           {"nibbler", [](const Habits& h) { return h.not_bet_free == 0 && h.smallest == h.sized; }},
       })
    EXPECT_TRUE(idea.kept(habits("holdem[limit=no_limit]", idea.player, 60))) << idea.player;
  const Habits pat = habits("triple_draw", "pat", 20), draws = habits("triple_draw", "sticky", 20);
  EXPECT_GT(pat.draws, 4);
  EXPECT_EQ(pat.pat, pat.draws);
  EXPECT_LT(draws.pat, draws.draws);
}

// The layings of a 7-Hand player, in order, each with the hand it was chosen from.
std::vector<std::pair<CardSet, CardSet>> layings(const std::string& player, int hands) {
  namespace game = seven_hand;
  const GamePtr made = make_game("seven_hand");
  const game::GameRules& rules = game::as_seven_hand(*made)->rules();
  std::vector<std::pair<CardSet, CardSet>> list;
  CardSet laid = 0;
  play("seven_hand", player, hands, [&](const Observation& seen, Decision decision) {
    const game::View view = game::State::decode(rules, seen.data);
    if (view.naming) return;
    if (decision.action != game::kStop) laid = view.picked | bit(static_cast<Card>(decision.action));
    if (view.picked == 0) list.emplace_back(0, view.hand);
    list.back().first = laid;
  });
  return list;
}

TEST(SimplePlayers, OfSevenHandLayByTheirIdea) {
  for (const auto& [laid, hand] : layings("fives", 5)) EXPECT_EQ(size(laid), std::min(5, size(hand)));
  int strong = 0, weak = 0, count = 0;
  for (const auto& [laid, hand] : layings("strongest", 10)) {
    const CardSet best = seven_hand::best_group(hand, false);
    ++count;
    if (category(evaluate(laid)) >= category(evaluate(seven_hand::best_group(hand, true)))) ++strong;
    EXPECT_LE(category(evaluate(laid)), category(evaluate(best)));
  }
  EXPECT_EQ(strong, count);
  for (const auto& [laid, hand] : layings("weakest", 5))
    if (size(hand) == 8 && category(evaluate(laid)) == HandCategory::kHighCard && size(laid) == 1) ++weak;
  EXPECT_GT(weak, 0);
  // The first four turns of a hoarder are single cards as long as it has some outside of combinations.
  int single = 0, early = 0;
  for (const auto& [laid, hand] : layings("hoarder", 5)) {
    if (size(hand) < 8 || size(laid) > 1) continue;
    ++single;
    early += (seven_hand::best_group(hand, false) & laid) == 0 ? 1 : 0;
  }
  EXPECT_GE(single, 10);
  EXPECT_EQ(early, single);
}

TEST(SimplePlayers, OfOfcPlayByTheirIdea) {
  const auto rate = [](const std::string& player, const std::string& figure) {
    double sum = 0, hands = 0;

    const GamePtr game = make_game("ofc");
    const auto agent = make_agents("zoo:" + player, game)->make();
    const auto env = game->new_env({.hold_hands = true});
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      env->reset(seed);
      agent->reset(0, seed);
      while (!env->hand_over()) env->step(agent->act(test::seen_at(*env)));
      for (Seat seat = 0; seat < 2; ++seat)
        for (const Statistic& each : env->statistics(seat))
          if (figure == each.name) {
            sum += each.numerator;
            hands += each.denominator;
          }
    }
    return sum / hands;
  };
  EXPECT_GT(rate("chaser", "fantasyland_rate"), rate("homebody", "fantasyland_rate") + 0.1);
  EXPECT_LT(rate("coward", "foul_rate"), rate("chaser", "foul_rate") - 0.1);
  EXPECT_GT(rate("stacker", "foul_rate"), 0.1);
}

}  // namespace
}  // namespace dealer::simple_players_test
