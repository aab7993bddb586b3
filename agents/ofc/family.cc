// The agents of this family of games, registered (docs/games.md).
#include <array>
#include <memory>
#include <utility>

#include "agents/agent_registry.h"
#include "agents/ofc/features.h"
#include "agents/ofc/model_play.h"
#include "agents/ofc/placements.h"
#include "agents/ofc/rule_agent.h"
#include "agents/ofc/turn_agent.h"
#include "agents/ofc/value_agent.h"
#include "env/core/random.h"
#include "env/games/ofc/game.h"

namespace dealer::ofc {
namespace {

// Plays every legal placement with equal probability, card by card, and Fantasyland hands exactly.
class Random final : public TurnAgent {
 public:
  using TurnAgent::TurnAgent;

  void reset(Seat seat, std::uint64_t seed) override {
    TurnAgent::reset(seat, seed);
    rng_ = RandomStream(seed);
  }

  std::optional<std::vector<double>> policy(const Observation& observation) override {
    if (decode(observation).fantasyland[0]) return TurnAgent::policy(observation);
    const std::size_t legal = observation.legal_actions().size();
    return std::vector<double>(legal, 1.0 / static_cast<double>(legal));
  }

 private:
  Placement choose(const View& view) override {
    Placement chosen{view.board[0], 0};
    int discards_left = view.discards_left;
    int places_left = view.places_left;
    for_each(view.hand, [&](Card card) {
      std::array<Place, kPlaces> legal{};
      std::uint32_t count = 0;
      for (const Row row : {kFront, kMiddle, kBack})
        if (places_left > 0 && chosen.board.room(row) > 0) legal[count++] = static_cast<Place>(row);
      if (discards_left > 0) legal[count++] = kToDiscard;
      const Place place = legal[rng_.below(count)];
      (place == kToDiscard ? chosen.discards : chosen.board.row[at(place)]) |= bit(card);
      --(place == kToDiscard ? discards_left : places_left);
    });
    return chosen;
  }

  RandomStream rng_;
};

// Players with one goal each. All but `stacker` evaluate every placement like `rule:expert`, with other parameters; all
// are deterministic and set Fantasyland hands optimally.
constexpr RuleStyle kChaser{.foul = 1, .fantasyland = 40};
constexpr RuleStyle kHomebody{.fantasyland = 0};
constexpr RuleStyle kCoward{.foul = 20, .fantasyland = 4};
constexpr RuleStyle kCollector{.foul = 4, .rows = 0};

template <const RuleStyle& kStyle>
AgentFactoryPtr with_wishes(const SimplePlayer&, const std::string& spec, const GamePtr& game) {
  return make_rule_agents(spec, kStyle, game);
}

// Puts its strongest cards in the back: fills the back first, then the middle, then the front.
class Stacker final : public TurnAgent {
 public:
  using TurnAgent::TurnAgent;

 private:
  Placement choose(const View& view) override { return best_placement(view, weight); }

  static double weight(const Board& board) {
    constexpr std::array<double, kRows> kBehind = {1, 10, 100};
    double sum = 0;
    for (std::size_t row = 0; row < kRows; ++row)
      for_each(board.row[row], [&](Card card) { sum += kBehind[row] * (20 + rank_of(card)); });
    return sum;
  }
};

AgentFactoryPtr make_stacker(const SimplePlayer&, const std::string& spec, const GamePtr& game) {
  return make_factory(spec, [game] { return std::make_unique<Stacker>(game); });
}

constexpr std::array<SimplePlayer, 5> kPlayers = {{
    {"chaser", "always chases Fantasyland", with_wishes<kChaser>},
    {"homebody", "never chases Fantasyland", with_wishes<kHomebody>},
    {"coward", "avoids fouls and ignores everything else", with_wishes<kCoward>},
    {"collector", "maximises royalties and ignores winning rows", with_wishes<kCollector>},
    {"stacker", "fills the back with its highest cards, then the middle, then the front", make_stacker},
}};

// Makes random agents; they have no options.
AgentFactoryPtr make_random_agents(const Spec& spec, const GamePtr& game) {
  agent_options(spec).finish();
  return make_factory(to_string(spec), [game] { return std::make_unique<Random>(game); });
}

// The placements of a turn, each against every opponent who is in the game: the inputs of ValueNet.
class PlacementEncoder final : public AfterstateEncoder {
 public:
  explicit PlacementEncoder(std::shared_ptr<const Game> game) : game_(std::move(game)) {}

  int size() const override { return kFeatures; }

  std::vector<EncodedAfterstate> encode(const Observation& seen) const override {
    const View view = decode_turn(game_->rules(), seen);
    if (view.fantasyland[0]) return {};
    PlacementBuffer placements;
    const int count = enumerate_placements(view.board[0], view.hand, view.discards_left, placements);
    const CardSet live = kFullDeck & ~view.seen();
    std::vector<EncodedAfterstate> all;
    for (const Placement& placement : std::span(placements).first(at(count))) {
      EncodedAfterstate& next = all.emplace_back();
      next.text = to_string(placement);
      const MacroAction turn(placement.board, view.discards | placement.discards);
      for_each(view.hand, [&](Card card) { next.actions.push_back(turn.next(bit(card))); });
      for (std::size_t other = 1; other < at(view.players); ++other) {
        if (view.out[other]) continue;
        const FeatureList list = features(placement.board, view.board[other], live, view.fantasyland[other] != 0);
        next.rows.emplace_back(list.active().begin(), list.active().end());
      }
    }
    return all;
  }

 private:
  std::shared_ptr<const Game> game_;
};

AfterstateEncoderPtr make_afterstate_encoder(const GamePtr& game) {
  return std::make_shared<const PlacementEncoder>(std::dynamic_pointer_cast<const Game>(game));
}

}  // namespace

void register_agents(AgentFamilies& families) {
  families["ofc"] = {.plays = [](const dealer::Game& game) { return as_ofc(game) != nullptr; },
                     .random = make_random_agents,
                     .rule = make_rule_agents,
                     .styles = rule_styles,
                     .zoo = kPlayers,
                     .trained = make_value_agents,
                     .afterstates = make_afterstate_encoder};
}

}  // namespace dealer::ofc
