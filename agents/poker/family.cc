// The agents of this family of games, registered (docs/games.md).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/poker/facts.h"
#include "agents/poker/pot_share.h"
#include "agents/poker/rule_agent.h"
#include "agents/poker/shared_tables.h"
#include "env/games/poker/game.h"

namespace dealer::poker {
namespace {

// Players of one idea each for all betting games. They judge a hand by its chance against one opponent, sampled as
// pot_share() does, and discard as `rule` does unless it is their idea not to. Random choices come from the seed of
// reset() only.

// What a player knows when it is to bet.
struct Spot {
  const View& view;
  double strength;  // chance against one opponent, 0 to 1
  double odds;      // the part of the pot that a call asks for; 0 with nothing to call
  bool last_round;  // no cards come after this betting
  bool stood_pat;   // at its last draw
  RandomStream& rng;

  bool free() const { return view.to_call == 0; }
  bool first_round() const { return view.round == 0; }
};

enum class Bet { kFold, kCall, kSmallest, kPot, kLargest };

// A decision where there is something to bet, and whether the player never draws.
struct Idea {
  Bet (*bet)(const Spot& spot);
  bool stands_pat = false;
};

Bet call_by_odds(const Spot& spot) { return spot.strength > spot.odds ? Bet::kCall : Bet::kFold; }

// Shows no strength before the last betting round.
Bet trap(const Spot& spot) {
  if (spot.last_round && spot.strength > 0.7) return Bet::kLargest;
  return call_by_odds(spot);
}

// Sees all cards for whatever they cost, and then bets good hands and nothing.
Bet wait(const Spot& spot) {
  if (!spot.last_round) return Bet::kCall;
  if (spot.strength > 0.8 || (spot.free() && spot.strength < 0.15)) return Bet::kPot;
  return call_by_odds(spot);
}

// Bets whenever nobody has, whatever it holds; against a bet it needs a hand.
Bet stab(const Spot& spot) {
  if (spot.free()) return Bet::kPot;
  if (spot.first_round() && spot.strength > 0.4) return Bet::kCall;
  return spot.strength > 0.65 ? Bet::kCall : Bet::kFold;
}

Bet always_raise(const Spot&) { return Bet::kPot; }

// Gives nothing up that beats half of all hands, and never raises.
Bet stick(const Spot& spot) { return spot.strength >= 0.5 || spot.free() ? Bet::kCall : Bet::kFold; }

// Plays one hand in seven, for all it can.
Bet wait_for_aces(const Spot& spot) {
  if (spot.strength > 0.85 || (spot.first_round() && spot.strength > 0.62)) return Bet::kLargest;
  return spot.free() ? Bet::kCall : Bet::kFold;
}

// Bets everything with the best hands and with the worst, and calls with those between.
Bet polarise(const Spot& spot) {
  if (!spot.last_round) return spot.free() || spot.strength > spot.odds ? Bet::kCall : Bet::kFold;
  const bool bluff = spot.strength < 0.3 && spot.rng.uniform() < 0.5;
  return spot.strength > 0.85 || bluff ? Bet::kLargest : call_by_odds(spot);
}

Bet bet_little(const Spot& spot) {
  if (spot.free() || spot.strength > 0.75) return Bet::kSmallest;
  return call_by_odds(spot);
}

// Tells a made hand and bets it to the end.
Bet bet_pat(const Spot& spot) { return spot.first_round() || spot.stood_pat ? Bet::kPot : call_by_odds(spot); }

class Simple final : public Agent {
 public:
  Simple(std::shared_ptr<const Game> game, std::shared_ptr<const Lazy<DrawBook>> tables, const Idea& idea)
      : game_(std::move(game)), tables_(std::move(tables)), idea_(idea) {
    if (tables_) book_ = &tables_->get([&] { return DrawBook(rules()); });
  }

  void reset(Seat, std::uint64_t seed) override { rng_ = RandomStream(seed); }

  Decision act(const Observation& observation) override {
    const View view = State::decode(rules(), observation.data);
    if (view.drawing) return discard(view, observation.legal_mask);
    const int opponents = std::max(1, view.live_count() - 1);
    // Chances against several are about those against one, multiplied.
    const double strength =
        std::pow(pot_share(rules(), view, book_, kSamples, rng_), 1.0 / static_cast<double>(opponents));
    const Spot spot{view, strength, Chances::needed(view), view.round + 1 == rules().rounds, stood_pat(view), rng_};
    return decision(spot, idea_.bet(spot), observation.legal_mask);
  }

 private:
  static constexpr int kSamples = 40;

  const GameRules& rules() const { return game_->rules(); }

  static bool stood_pat(const View& view) {
    int last = -1;
    for (const int drawn : view.own().drawn)
      if (drawn >= 0) last = drawn;
    return last == 0;
  }

  Action discard(const View& view, LegalMask legal) {
    if (idea_.stands_pat && (legal >> rules().first_discard() & 1) != 0) return rules().first_discard();
    return best_discard(rules(), view, legal, *book_, kSamples, rng_);
  }

  static Decision decision(const Spot& spot, Bet bet, LegalMask legal) {
    const std::vector<View::Raise>& raises = spot.view.raises;
    if (bet == Bet::kFold && (legal & 1) != 0) return kFold;
    if (bet <= Bet::kCall || raises.empty()) return kCall;
    if (bet == Bet::kSmallest) return raises.front().action;
    if (bet == Bet::kLargest) return raises.back().action;
    const Chips pot = spot.view.own().bet + 2 * spot.view.to_call + spot.view.pot;
    for (const View::Raise& raise : raises)
      if (raise.total >= pot) return raise.action;
    return raises.back().action;
  }

  std::shared_ptr<const Game> game_;
  std::shared_ptr<const Lazy<DrawBook>> tables_;
  const DrawBook* book_ = nullptr;  // draw games
  Idea idea_;
  RandomStream rng_;
};

template <Bet (*kBet)(const Spot&), bool kStandsPat = false>
AgentFactoryPtr make(const SimplePlayer&, const std::string& spec, const GamePtr& game) {
  const auto poker = std::dynamic_pointer_cast<const Game>(game);
  // Dealt when the first agent is made: many games are only listed.
  std::shared_ptr<const Lazy<DrawBook>> tables;
  if (poker->rules().draws > 0) tables = shared_tables<DrawBook>("simple players\n" + poker->id().rules);
  return make_factory(spec, [=] { return std::make_unique<Simple>(poker, tables, Idea{kBet, kStandsPat}); });
}

constexpr std::array<SimplePlayer, 9> kPlayers = {{
    {"trapper", "only calls until the last round, then bets all it can with good hands", make<trap>},
    {"waiter", "calls everything until the last round, then bets the best hands and the worst", make<wait>},
    {"stabber", "bets whenever nobody has; folds to bets without a good hand", make<stab>},
    {"maniac", "bets and raises with everything", make<always_raise>},
    {"sticky", "never folds what beats half of all hands, never raises", make<stick>},
    {"rock", "plays few hands, for all it can", make<wait_for_aces>},
    {"polar", "in the last round bets all it can with the best hands and half of the worst", make<polarise>},
    {"nibbler", "bets as little as it can whenever nobody has", make<bet_little>},
    {"pat", "stands pat with everything and bets; where there is no draw, bets the first round", make<bet_pat, true>},
}};

}  // namespace

void register_agents(AgentFamilies& families) {
  families["poker"] = {.plays = [](const dealer::Game& game) { return as_poker(game) != nullptr; },
                       .rule = make_rule_agents,
                       .styles = rule_styles,
                       .zoo = []() -> std::span<const SimplePlayer> { return kPlayers; },
                       .facts = make_facts,
                       .kinds = action_kinds};
}

}  // namespace dealer::poker
