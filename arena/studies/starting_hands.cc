#include "arena/studies/starting_hands.h"

#include <algorithm>
#include <bit>
#include <memory>

#include "arena/studies/starting_hand_classes.h"
#include "env/core/at.h"
#include "env/core/typed_env.h"
#include "env/games/poker/game.h"

namespace dealer::studies {
namespace {

constexpr int kWholeDeck = 52;
constexpr double kPlays = 0.005;  // hands played less often count as folded

const dealer::poker::State& state_of(const Env& table) {
  return dynamic_cast<const TypedEnv<dealer::poker::State>&>(table).state();
}

// Queries one deal after the other.
class StartingHandsAsked {
 public:
  StartingHandsAsked(const dealer::poker::Game& game, const AgentFactory& agents, StartingHandsChart& chart)
      : rules_(game.rules()),
        classes_(starting_hand_classes(rules_)),
        table_(game.new_env({.hold_hands = true})),
        agent_(agents.make()),
        chart_(chart) {
    if (agent_->observes())
      throw UsageError("the agent observes events, so it cannot be asked about hands that were not dealt");
    for (const StartingHandClasses::Class& one : classes_.all) {
      chart_.hands.emplace_back();
      chart_.hands.back().code = one.code;
      chart_.hands.back().name = one.name;
    }
  }

  // Returns false if the decisions are impossible at this deal, for example if another seat opens in stud.
  bool deal(std::uint64_t seed, std::span<const Decision> before) {
    table_->reset(seed);
    const int street = state_of(*table_).street();
    try {
      for (const Decision& decision : before) table_->step(decision);
    } catch (const IllegalAction&) {
      return false;
    }
    return !table_->hand_over() && state_of(*table_).street() == street;
  }

  void ask(int most) {
    const Seat seat = table_->current_player();
    StartingHand& hand = chart_.hands[classes_.of(state_of(*table_).cards(seat))];
    hand.share += 1;
    if (hand.asked >= most) return;
    ++hand.asked;
    if (!state_of(*table_).drawing() && !bet(seat, hand)) return;
    if (chart_.draws && comes_to_draw(seat)) draw(seat, hand);
  }

 private:
  // The player to act makes its most probable bet; returns false if it folds.
  bool bet(Seat seat, StartingHand& hand) {
    chart_.bets = true;
    const std::vector<Choice> choices = table_->choices();
    for (const Choice& choice : choices) chart_.free |= choice.kind == "check";
    Decision plays;
    double most = kPlays;
    table_->observe(seat, seen_);
    chart_.sampled |= ask_agent(*agent_, seen_, [&](const Decision& decision, double weight) {
      const Choice& choice = choice_of(choices, decision);
      hand.add(choice, table_->decision_to_string(decision), weight);
      if (choice.kind != "fold" && weight > most) most = weight, plays = decision;
    });
    if (most <= kPlays) return false;
    table_->step(plays);
    return true;
  }

  bool comes_to_draw(Seat seat) {
    while (!table_->hand_over()) {
      const Seat next = table_->current_player();
      if (!state_of(*table_).drawing()) {
        table_->step(Decision(dealer::poker::kCall));
        continue;
      }
      if (next == seat) return true;
      table_->observe(next, seen_);
      agent_->reset(next, 0);
      table_->step(agent_->act(seen_));
    }
    return false;
  }

  void draw(Seat seat, StartingHand& hand) {
    const std::span<const CardId> cards = state_of(*table_).cards(seat);
    table_->observe(seat, seen_);
    ++hand.drew;
    chart_.sampled |= ask_agent(*agent_, seen_, [&](const Decision& decision, double weight) {
      if (weight <= 0) return;
      const auto thrown = static_cast<unsigned>(decision.action - rules_.first_discard());
      hand.thrown[at(std::popcount(thrown))] += weight;
      if (!classes_.kept) return;
      std::vector<CardId> kept;
      for (std::size_t i = 0; i < cards.size(); ++i)
        if ((thrown >> i & 1) == 0) kept.push_back(cards[i]);
      const std::string words = classes_.kept(kept);
      const auto known = std::ranges::find(hand.kept, words, &std::pair<std::string, double>::first);
      if (known != hand.kept.end())
        known->second += weight;
      else
        hand.kept.emplace_back(words, weight);
    });
  }

  const dealer::poker::GameRules& rules_;
  StartingHandClasses classes_;
  std::unique_ptr<Env> table_;
  std::unique_ptr<Agent> agent_;
  StartingHandsChart& chart_;
  Observation seen_;
};

// Converts sums to shares.
void finish(StartingHandsChart& chart, double deals) {
  std::erase_if(chart.hands, [](const StartingHand& hand) { return hand.asked == 0; });
  double drew = 0;
  for (StartingHand& hand : chart.hands) {
    hand.share /= deals;
    hand.scale(1.0 / hand.asked);
    std::ranges::stable_sort(hand.kept, std::greater<>(), &std::pair<std::string, double>::second);
    chart.all.add(hand, hand.share);
    chart.all.asked += hand.asked;
    chart.all.drew += hand.drew;
    const double draws = hand.share * hand.drew / hand.asked;
    drew += draws;
    for (std::size_t i = 0; i < hand.thrown.size() && hand.drew > 0; ++i) {
      hand.thrown[i] /= hand.drew;
      chart.all.thrown[i] += draws * hand.thrown[i];
    }
    for (auto& [words, share] : hand.kept) share /= hand.drew;
  }
  chart.all.share = 1;
  for (double& share : chart.all.thrown) share = drew > 0 ? share / drew : 0;
}

}  // namespace

bool has_starting_hands(const Game& game) {
  const dealer::poker::Game* const poker = dealer::poker::as_poker(game);
  return poker != nullptr && poker->rules().deck->cards_in_play() >= kWholeDeck &&
         has_starting_hand_classes(poker->rules());
}

StartingHandsChart starting_hands_chart(const Game& game, const AgentFactory& agents, std::span<const Decision> before,
                                        const StartingHandsOptions& options) {
  const dealer::poker::Game& poker = *dealer::poker::as_poker(game);
  StartingHandsChart chart;
  chart.draws = poker.rules().draws > 0;
  StartingHandsAsked asking(poker, agents, chart);
  double deals = 0;
  for (int seed = 0; seed < options.deals; ++seed) {
    if (!asking.deal(static_cast<std::uint64_t>(seed), before)) continue;
    asking.ask(options.most);
    deals += 1;
  }
  if (deals == 0) throw UsageError("after these decisions no player has a decision before further cards");
  finish(chart, deals);
  return chart;
}

}  // namespace dealer::studies
