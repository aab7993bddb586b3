#include "agents/poker/rule_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/poker/pot_share.h"
#include "env/games/poker/game.h"

namespace dealer::poker {
namespace {

class RuleAgent final : public Agent {
 public:
  RuleAgent(std::shared_ptr<const Game> game, std::shared_ptr<const DrawBook> book, const RuleStyle& style, int samples)
      : game_(std::move(game)), book_(std::move(book)), style_(style), samples_(samples) {}

  void reset(Seat, std::uint64_t seed) override { rng_ = RandomStream(seed); }

  Decision act(const Observation& observation) override {
    const View view = State::decode(rules(), observation.data);
    if (view.drawing) return choose_discard(view, observation.legal_mask);
    return choose_bet(view, observation.legal_mask, pot_share(rules(), view, book_.get(), samples_, rng_));
  }

 private:
  const GameRules& rules() const { return game_->rules(); }

  Action choose_discard(const View& view, std::uint64_t legal) {
    std::vector<CardId> hand;
    for (const SeenCard& seen : view.own().cards) hand.push_back(seen.card);
    const auto allowed = static_cast<std::uint32_t>(legal >> rules().first_discard());
    const int opponents = std::max(1, view.live_count() - 1);
    const auto best = book_->best_discard(hand, unseen_cards(rules(), view), allowed, opponents, samples_, rng_);
    return rules().first_discard() + static_cast<Action>(best.mask);
  }

  static double pot_odds(const View& view) {
    const double cost = view.to_call;
    return cost / (view.pot + cost);
  }

  // Bets and raises of others in this round.
  static int heat(const View& view) {
    return static_cast<int>(std::count_if(view.actions.begin(), view.actions.end(), [&](const PastAction& past) {
      return past.round == view.round && past.seat != view.me && past.action == kFirstBet;
    }));
  }

  Action choose_bet(const View& view, std::uint64_t legal, double share) {
    const double fair = 1.0 / view.live_count();
    const double feared = share * std::max(0.0, 1 - style_.fear * heat(view));
    const bool free = view.to_call == 0;
    const double wanted = std::min(0.93, fair * (free ? style_.bet : style_.raise));
    if (!view.raises.empty() && feared > wanted) return choose_size(view, (feared - wanted) / (1.001 - wanted));
    if (!view.raises.empty() && free && rng_.uniform() < style_.bluff) return choose_size(view, 0.3);
    if (free || feared > style_.call * pot_odds(view) || (legal & 1) == 0) return kCall;
    return kFold;
  }

  // Half the pot with confidence 0, one and a half with 1, and with the best hands now and then everything.
  Action choose_size(const View& view, double confidence) {
    const double pot = view.pot + view.to_call;
    double target = view.own().bet + view.to_call + pot * (0.5 + confidence);
    if (confidence > 0.8 && rng_.uniform() < 0.3) target = betting::kMaxChips;
    const auto distance = [&](const View::Raise& raise) { return std::abs(raise.total - target); };
    return std::min_element(view.raises.begin(), view.raises.end(),
                            [&](const View::Raise& a, const View::Raise& b) { return distance(a) < distance(b); })
        ->action;
  }

  std::shared_ptr<const Game> game_;
  std::shared_ptr<const DrawBook> book_;  // draw games
  RuleStyle style_;
  int samples_;
  RandomStream rng_;
};

}  // namespace

AgentFactoryPtr make_rule_agents(const Spec& spec, const GamePtr& game) {
  Config options = agent_options(spec);
  std::array<std::string_view, kRuleStyles.size()> names;
  std::transform(kRuleStyles.begin(), kRuleStyles.end(), names.begin(),
                 [](const RuleStyle& style) { return style.name; });
  const RuleStyle style = kRuleStyles[options.get_choice("style", kRuleStyles[0].name, names)];
  constexpr int kSamples = 100;
  const int samples = options.get_int<int>("samples", kSamples, 1, 1'000'000);
  options.finish();
  const auto poker = std::dynamic_pointer_cast<const Game>(game);
  const auto book = poker->rules().draws > 0 ? std::make_shared<const DrawBook>(poker->rules()) : nullptr;
  return make_factory(to_string(spec), [=] { return std::make_unique<RuleAgent>(poker, book, style, samples); });
}

}  // namespace dealer::poker
