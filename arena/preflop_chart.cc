#include "arena/preflop_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "env/cards/card.h"
#include "env/core/error.h"
#include "env/core/typed_env.h"
#include "env/games/poker/game.h"

namespace dealer {
namespace {

constexpr std::string_view kLetters = "AKQJT98765432";
using Cell = PreflopChart::Cell;

class Asking {
 public:
  Asking(const Env& table, Agent& agent)
      : state_(dynamic_cast<const TypedEnv<poker::State>&>(table).state()),
        table_(table),
        agent_(agent),
        seat_(table.current_player()),
        seen_(table.observe(seat_)),
        choices_(table.choices()) {}

  // Adds the agent's action frequencies with these cards.
  void ask(CardId first, CardId second, Cell& cell, bool& sampled) {
    poker::State state = state_;
    state.exchange_cards(exchanged(first, second));
    state.observe(seat_, seen_.data.data());
    sampled |= ask_agent(agent_, seen_, [&](const Decision& decision, double weight) {
      cell.add(choice_of(choices_, decision), table_.decision_to_string(decision), weight);
    });
  }

 private:
  // Swaps the cards of the player to act with these two, wherever they are.
  std::vector<CardId> exchanged(CardId first, CardId second) const {
    std::vector<CardId> by(static_cast<std::size_t>(table_.game().num_cards()));
    std::iota(by.begin(), by.end(), CardId{0});
    const std::span<const CardId> own = state_.cards(seat_);
    std::swap(by[own[0]], by[first]);
    std::swap(by[own[1]], *std::find(by.begin(), by.end(), second));
    return by;
  }

  const poker::State& state_;
  const Env& table_;
  Agent& agent_;
  Seat seat_;
  Observation seen_;
  std::vector<Choice> choices_;
};

}  // namespace

bool has_preflop_chart(const Game& game) {
  const poker::Game* const poker = poker::as_poker(game);
  return poker != nullptr && poker->rules().procedure == poker::Procedure::kHoldem &&
         poker->rules().deck->begins_as_standard() && poker->rules().deck->size() == kCards;
}

PreflopChart preflop_chart(const Env& table, Agent& agent) {
  const auto& state = dynamic_cast<const TypedEnv<poker::State>&>(table).state();
  if (state.hand_over() || state.street() > 0) throw UsageError("the betting before the flop is over");
  if (agent.observes())
    throw UsageError("the agent observes events, so it cannot be asked about hands that were not dealt");
  PreflopChart chart;
  for (const Choice& choice : table.choices()) chart.free = chart.free || choice.kind == "check";
  Asking asking(table, agent);
  for (std::size_t row = 0; row < PreflopChart::kRanks; ++row) {
    for (std::size_t column = 0; column < PreflopChart::kRanks; ++column) {
      Cell& cell = chart.cells[row][column];
      const bool suited = row < column;
      const std::size_t high = std::min(row, column), low = std::max(row, column);
      cell.hand = fmt::format("{}{}{}", kLetters[high], kLetters[low], high == low ? "" : suited ? "s" : "o");
      for (int a = 0; a < kSuits; ++a) {
        for (int b = 0; b < kSuits; ++b) {
          if (suited ? a != b : high == low ? a >= b : a == b) continue;
          const auto rank = [](std::size_t place) { return kRanks - 1 - static_cast<int>(place); };
          asking.ask(make_card(rank(high), a), make_card(rank(low), b), cell, chart.sampled);
          ++cell.combinations;
        }
      }
      chart.all.combinations += cell.combinations;
      chart.all.add(cell, 1);
      cell.scale(1.0 / cell.combinations);
    }
  }
  chart.all.scale(1.0 / chart.all.combinations);
  return chart;
}

}  // namespace dealer
