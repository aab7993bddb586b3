#include "agents/poker/rule_agent.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/poker/shared_tables.h"
#include "agents/poker/showdown_equity.h"
#include "env/games/poker/game.h"
#include "env/games/poker/state.h"

namespace dealer::poker {
namespace {

constexpr int kOpeningHands = 600;
constexpr int kOpeningSamples = 100;
constexpr std::uint64_t kOpeningSeed = 0x09e2;

// The parameters of a heuristic agent. Shares are of the pot, as estimated by showdown_equity().
struct RuleStyle {
  std::string_view name;
  double bet;    // bets if the share exceeds this multiple of the fair share (1 / players)
  double raise;  // raises above this multiple
  double fear;   // reduces its share for every bet or raise of others in the round
  double call;   // calls above this multiple of the share required by the pot odds
  double bluff;  // probability of betting a weak hand when nobody has bet
  double open;   // fraction of starting hands to raise first in with (see OpeningBook)
};
// rule (the first) follows pot odds; tight waits for good hands; loose bets and calls often; caller
// never raises and rarely folds.
constexpr std::array<RuleStyle, 4> kRuleStyles = {{{"fair", 1.3, 1.55, 0.08, 1.08, 0.06, 0.34},
                                                   {"tight", 1.4, 1.65, 0.1, 1.2, 0.02, 0.2},
                                                   {"loose", 1.1, 1.3, 0.03, 0.85, 0.2, 0.5},
                                                   {"caller", 10, 10, 0, 0.5, 0, 0}}};

class RuleAgent final : public Agent {
 public:
  RuleAgent(std::shared_ptr<const Game> game, std::shared_ptr<const HandsAfterDraw> book,
            std::shared_ptr<const OpeningBook> opening, const RuleStyle& style, int samples)
      : game_(std::move(game)),
        book_(std::move(book)),
        opening_(std::move(opening)),
        style_(style),
        samples_(samples) {}

  void reset(Seat, std::uint64_t seed) override { rng_ = RandomStream(seed); }

  Decision act(const Observation& observation) override {
    const View view = State::decode(rules(), observation.data);
    if (view.drawing) return best_discard(rules(), view, observation.legal_mask, *book_, samples_, rng_);
    const double share = showdown_equity(rules(), view, book_.get(), samples_, rng_);
    if (opening_ && view.round == 0) return open_or_defend(view, observation.legal_mask, share);
    return choose_bet(view, observation.legal_mask, share);
  }

 private:
  const GameRules& rules() const { return game_->rules(); }

  // The number of bets and raises of others in this round.
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
    if (free || feared > style_.call * ShowdownOdds::needed(view) || (legal & 1) == 0) return kCall;
    return kFold;
  }

  // Before more cards come: raises first in with the best hands, defends according to the
  // price, re-raises with the very best.
  Action open_or_defend(const View& view, std::uint64_t legal, double share) {
    const auto count = [&](Action action) {
      return static_cast<int>(std::count_if(view.actions.begin(), view.actions.end(),
                                            [&](const PastAction& past) { return past.action == action; }));
    };
    const int raises = count(kFirstBet);
    const double better = opening_->better(share, std::max(1, view.live_count() - 1));
    // More remaining players require a better hand.
    const double open = style_.open * 4 / (2 + view.live_count());
    const double call_to = view.own().bet + view.to_call;
    if (!view.raises.empty() && raises == 0 && better < open)
      return nearest(view, rules().bets.big_blind * (3.0 + count(kCall)));
    if (!view.raises.empty() && raises > 0 && better < open * kReraise / raises) return nearest(view, 3 * call_to);
    const double defended = open * kDefence * (kWorstPrice - ShowdownOdds::needed(view)) / std::max(1, raises);
    if (view.to_call == 0 || better < defended || (legal & 1) == 0) return kCall;
    return kFold;
  }

  static Action nearest(const View& view, double total) {
    const auto distance = [&](const View::Raise& raise) { return std::abs(raise.total - total); };
    return std::min_element(view.raises.begin(), view.raises.end(),
                            [&](const View::Raise& a, const View::Raise& b) { return distance(a) < distance(b); })
        ->action;
  }

  // Half the pot at confidence 0, one and a half at 1, and with the best hands sometimes all-in.
  Action choose_size(const View& view, double confidence) {
    const double pot = view.pot + view.to_call;
    double target = view.own().bet + view.to_call + pot * (0.5 + confidence);
    if (confidence > 0.8 && rng_.uniform() < 0.3) target = betting::kMaxChips;
    return nearest(view, target);
  }

  // The fraction of opening hands that re-raise.
  static constexpr double kReraise = 0.25;
  // Against one raise of three big blinds heads-up, which requires a third of the pot, the defending range is 1.3 times
  // the opening range; at worse prices it shrinks, to zero at a price of kWorstPrice.
  static constexpr double kWorstPrice = 0.58, kDefence = 5.3;

  std::shared_ptr<const Game> game_;
  std::shared_ptr<const HandsAfterDraw> book_;  // draw games
  std::shared_ptr<const OpeningBook> opening_;  // for games with sized bets and blinds
  RuleStyle style_;
  int samples_;
  RandomStream rng_;
};

}  // namespace

OpeningBook::OpeningBook(const GameRules& rules, const HandsAfterDraw* book) {
  std::vector<std::vector<double>> shares(at(rules.players));
  RandomStream rng(kOpeningSeed);
  State state;
  for (std::uint64_t hand = 0; hand < kOpeningHands; ++hand) {
    state.reset(rules, derive(kOpeningSeed, hand));
    if (state.current_player() == kTerminal) continue;
    View view = state.view(state.current_player());
    // Opponents fold one after the other.
    for (auto opponents = at(view.live_count() - 1); opponents > 0; --opponents) {
      shares[opponents].push_back(showdown_equity(rules, view, book, kOpeningSamples, rng));
      const auto next = std::find_if(view.player.begin(), view.player.end(), [&](const View::Player& player) {
        return player.live() && &player != &view.own();
      });
      next->folded = true;
    }
  }
  for (std::vector<double>& each : shares) shares_.emplace_back(std::move(each));
}

double OpeningBook::better(double share, int opponents) const {
  const EmpiricalCdf<double>& shares = shares_[at(opponents)];
  return shares.size() == 0 ? 0.5 : static_cast<double>(shares.above(share)) / static_cast<double>(shares.size());
}

std::span<const std::string_view> rule_styles() {
  static const auto kNames = [] {
    std::array<std::string_view, kRuleStyles.size()> names;
    std::transform(kRuleStyles.begin(), kRuleStyles.end(), names.begin(),
                   [](const RuleStyle& style) { return style.name; });
    return names;
  }();
  return kNames;
}

AgentFactoryPtr make_rule_agents(const Spec& spec, const GamePtr& game) {
  Config options = rule_options(spec);
  const RuleStyle style = kRuleStyles[options.get_choice("style", kRuleStyles[0].name, rule_styles())];
  constexpr int kSamples = 100;
  const int samples = options.get_int<int>("samples", kSamples, 1, 1'000'000);
  options.finish();
  const auto poker = std::dynamic_pointer_cast<const Game>(game);
  // Built when the first agent is made: many games are only listed, or checked.
  struct Books {
    std::shared_ptr<const HandsAfterDraw> draw;
    std::shared_ptr<const OpeningBook> opening;
  };
  const auto find_books = [poker, style] {
    Books books;
    if (poker->rules().draws > 0) books.draw = std::make_shared<const HandsAfterDraw>(poker->rules());
    const betting::BetRules& bets = poker->rules().bets;
    const bool sized = bets.limit == betting::Limit::kNoLimit || bets.limit == betting::Limit::kPotLimit;
    if (sized && bets.big_blind > 0 && style.open > 0)
      books.opening = std::make_shared<const OpeningBook>(poker->rules(), books.draw.get());
    return books;
  };
  const auto lazy = std::make_shared<const Lazy<Books>>();
  return make_factory(to_string(spec), [=] {
    const Books& books = lazy->get(find_books);
    return std::make_unique<RuleAgent>(poker, books.draw, books.opening, style, samples);
  });
}

}  // namespace dealer::poker
