// The agents of this family of games, registered (docs/games.md).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/poker/input_features.h"
#include "agents/poker/rule_agent.h"
#include "agents/poker/shared_tables.h"
#include "agents/poker/showdown_equity.h"
#include "env/games/poker/game.h"

namespace dealer::poker {
namespace {

// Players of one idea each for all betting games. They estimate a hand's equity against one opponent by
// sampling as showdown_equity() does, and discard as `rule` does unless their idea says otherwise. Random choices
// come only from the seed of reset().

// A player's information at a betting decision.
struct Spot {
  const View& view;
  double strength;  // equity against one opponent, 0 to 1
  double odds;      // the equity required to call; 0 with nothing to call
  bool last_round;  // no cards follow this betting round
  bool stood_pat;   // at its last draw
  RandomStream& rng;

  bool free() const { return view.to_call == 0; }
  bool first_round() const { return view.round == 0; }
};

enum class Bet { kFold, kCall, kSmallest, kPot, kLargest };

// The betting decision of an idea, and whether the player never draws.
struct Idea {
  Bet (*bet)(const Spot& spot);
  bool stands_pat = false;
};

Bet call_by_odds(const Spot& spot) { return spot.strength > spot.odds ? Bet::kCall : Bet::kFold; }

// Slow-plays until the last betting round.
Bet trap(const Spot& spot) {
  if (spot.last_round && spot.strength > 0.7) return Bet::kLargest;
  return call_by_odds(spot);
}

// Calls to the end at any price, and then bets only good hands.
Bet wait(const Spot& spot) {
  if (!spot.last_round) return Bet::kCall;
  if (spot.strength > 0.8 || (spot.free() && spot.strength < 0.15)) return Bet::kPot;
  return call_by_odds(spot);
}

// Bets whenever checked to, with any hand; needs a good hand against a bet.
Bet stab(const Spot& spot) {
  if (spot.free()) return Bet::kPot;
  if (spot.first_round() && spot.strength > 0.4) return Bet::kCall;
  return spot.strength > 0.65 ? Bet::kCall : Bet::kFold;
}

Bet always_raise(const Spot&) { return Bet::kPot; }

// Never folds a hand that beats half of all hands, and never raises.
Bet stick(const Spot& spot) { return spot.strength >= 0.5 || spot.free() ? Bet::kCall : Bet::kFold; }

// Plays one hand in seven, as aggressively as possible.
Bet wait_for_aces(const Spot& spot) {
  if (spot.strength > 0.85 || (spot.first_round() && spot.strength > 0.62)) return Bet::kLargest;
  return spot.free() ? Bet::kCall : Bet::kFold;
}

// Bets the maximum with the best and the worst hands, and calls with those between.
Bet polarise(const Spot& spot) {
  if (!spot.last_round) return spot.free() || spot.strength > spot.odds ? Bet::kCall : Bet::kFold;
  const bool bluff = spot.strength < 0.3 && spot.rng.uniform() < 0.5;
  return spot.strength > 0.85 || bluff ? Bet::kLargest : call_by_odds(spot);
}

Bet bet_little(const Spot& spot) {
  if (spot.free() || spot.strength > 0.75) return Bet::kSmallest;
  return call_by_odds(spot);
}

// Represents a made hand and bets it to the end.
Bet bet_pat(const Spot& spot) { return spot.first_round() || spot.stood_pat ? Bet::kPot : call_by_odds(spot); }

class Simple final : public Agent {
 public:
  Simple(std::shared_ptr<const Game> game, std::shared_ptr<const Lazy<HandsAfterDraw>> tables, const Idea& idea)
      : game_(std::move(game)), tables_(std::move(tables)), idea_(idea) {
    if (tables_) book_ = &tables_->get([&] { return HandsAfterDraw(rules()); });
  }

  void reset(Seat, std::uint64_t seed) override { rng_ = RandomStream(seed); }

  Decision act(const Observation& observation) override {
    const View view = State::decode(rules(), observation.data);
    if (view.drawing) return discard(view, observation.legal_mask);
    const int opponents = std::max(1, view.live_count() - 1);
    // The equity against several opponents is approximately the product of those against one.
    const double strength =
        std::pow(showdown_equity(rules(), view, book_, kSamples, rng_), 1.0 / static_cast<double>(opponents));
    const Spot spot{view, strength, ShowdownOdds::needed(view), view.round + 1 == rules().rounds, stood_pat(view),
                    rng_};
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
  std::shared_ptr<const Lazy<HandsAfterDraw>> tables_;
  const HandsAfterDraw* book_ = nullptr;  // draw games
  Idea idea_;
  RandomStream rng_;
};

template <Bet (*kBet)(const Spot&), bool kStandsPat = false>
AgentFactoryPtr make(const SimplePlayer&, const std::string& spec, const GamePtr& game) {
  const auto poker = std::dynamic_pointer_cast<const Game>(game);
  // Dealt when the first agent is made: many games are only listed.
  std::shared_ptr<const Lazy<HandsAfterDraw>> tables;
  if (poker->rules().draws > 0) tables = shared_tables<HandsAfterDraw>("simple players\n" + poker->id().rules);
  return make_factory(spec, [=] { return std::make_unique<Simple>(poker, tables, Idea{kBet, kStandsPat}); });
}

constexpr std::array<SimplePlayer, 9> kPlayers = {{
    {"trapper", "only calls until the last round, then bets the most it can with good hands", make<trap>},
    {"waiter", "calls everything until the last round, then bets the best hands and the worst", make<wait>},
    {"stabber", "bets whenever nobody has bet; folds to bets without a good hand", make<stab>},
    {"maniac", "bets and raises with everything", make<always_raise>},
    {"sticky", "never folds a hand that beats half of all hands, never raises", make<stick>},
    {"rock", "plays few hands, with the largest bets", make<wait_for_aces>},
    {"polar", "in the last round bets the most it can with the best hands and half of the worst", make<polarise>},
    {"nibbler", "makes the smallest bet whenever nobody has bet", make<bet_little>},
    {"pat", "stands pat with everything and bets; where there is no draw, bets the first round", make<bet_pat, true>},
}};

}  // namespace

void register_agents(AgentFamilies& families) {
  families["poker"] = {.plays = [](const dealer::Game& game) { return as_poker(game) != nullptr; },
                       .rule = make_rule_agents,
                       .styles = rule_styles,
                       .zoo = kPlayers,
                       .input_features = make_input_features,
                       .kinds = action_kinds};
}

}  // namespace dealer::poker
