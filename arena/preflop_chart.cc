#include "arena/preflop_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "env/cards/card.h"
#include "env/core/error.h"
#include "env/core/typed_env.h"
#include "env/games/poker/game.h"

namespace dealer {
namespace {

constexpr std::string_view kLetters = "AKQJT98765432";
// Of an agent that tells no policy, for every pair of cards.
constexpr std::uint64_t kDraws = 8;

using Cell = PreflopChart::Cell;

void add(Cell& cell, const Choice& choice, const std::string& text, double weight) {
  (choice.kind == "fold"                             ? cell.fold
   : choice.kind == "check" || choice.kind == "call" ? cell.call
                                                     : cell.raise) += weight;
  const auto known =
      std::find_if(cell.choices.begin(), cell.choices.end(), [&](const auto& entry) { return entry.first == text; });
  if (known != cell.choices.end())
    known->second += weight;
  else
    cell.choices.emplace_back(text, weight);
}

class Asking {
 public:
  Asking(const Env& table, Agent& agent)
      : state_(dynamic_cast<const TypedEnv<poker::State>&>(table).state()),
        table_(table),
        agent_(agent),
        seat_(table.current_player()),
        seen_(table.observe(seat_)),
        legal_(seen_.legal_actions()),
        choices_(table.choices()) {}

  // Adds what the agent does with these cards.
  void ask(CardId first, CardId second, Cell& cell, bool& sampled) {
    poker::State state = state_;
    state.exchange_cards(exchanged(first, second));
    state.observe(seat_, seen_.data.data());
    agent_.reset(seat_, 0);
    if (const std::optional<std::vector<double>> policy = agent_.policy(seen_)) {
      if (policy->size() != legal_.size())
        throw UsageError(
            fmt::format("the agent's policy has {} probabilities; expected {}", policy->size(), legal_.size()));
      for (std::size_t i = 0; i < legal_.size(); ++i) add(cell, legal_[i], (*policy)[i]);
      return;
    }
    sampled = true;
    for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
      agent_.reset(seat_, draw);
      add(cell, agent_.act(seen_), 1.0 / static_cast<double>(kDraws));
    }
  }

 private:
  // The cards of the player to act become these two, in place of which its own go where they lay.
  std::vector<CardId> exchanged(CardId first, CardId second) const {
    std::vector<CardId> by(static_cast<std::size_t>(table_.game().num_cards()));
    std::iota(by.begin(), by.end(), CardId{0});
    const std::span<const CardId> own = state_.cards(seat_);
    std::swap(by[own[0]], by[first]);
    std::swap(by[own[1]], *std::find(by.begin(), by.end(), second));
    return by;
  }

  void add(Cell& cell, const Decision& decision, double weight) const {
    const auto choice = std::find_if(choices_.begin(), choices_.end(), [&](const Choice& one) {
      return decision.is_amount() ? one.action == kNoAction : one.action == decision.action;
    });
    if (choice == choices_.end()) throw UsageError("the agent's decision is not legal");
    dealer::add(cell, *choice, table_.decision_to_string(decision), weight);
  }

  const poker::State& state_;
  const Env& table_;
  Agent& agent_;
  Seat seat_;
  Observation seen_;
  std::vector<Action> legal_;
  std::vector<Choice> choices_;
};

void scale(Cell& cell, double factor) {
  cell.fold *= factor, cell.call *= factor, cell.raise *= factor;
  for (auto& [text, share] : cell.choices) share *= factor;
}

}  // namespace

bool has_preflop_chart(const Game& game) {
  const poker::Game* const poker = poker::as_poker(game);
  return poker != nullptr && poker->rules().procedure == poker::Procedure::kHoldem &&
         poker->rules().deck->begins_as_standard() && poker->rules().deck->size() == kCards;
}

PreflopChart preflop_chart(const Env& table, Agent& agent) {
  const auto& state = dynamic_cast<const TypedEnv<poker::State>&>(table).state();
  if (state.hand_over() || state.street() > 0) throw UsageError("the betting before the flop is over");
  if (agent.hears()) throw UsageError("the agent hears events: hands that were not dealt cannot be shown to it");
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
      for (const auto& [text, share] : cell.choices) {
        const auto known = std::find_if(chart.all.choices.begin(), chart.all.choices.end(),
                                        [&, &words = text](const auto& entry) { return entry.first == words; });
        if (known != chart.all.choices.end())
          known->second += share;
        else
          chart.all.choices.emplace_back(text, share);
      }
      chart.all.fold += cell.fold, chart.all.call += cell.call, chart.all.raise += cell.raise;
      scale(cell, 1.0 / cell.combinations);
    }
  }
  scale(chart.all, 1.0 / chart.all.combinations);
  return chart;
}

}  // namespace dealer
