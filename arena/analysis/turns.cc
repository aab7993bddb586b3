#include "arena/analysis/turns.h"

#include <bit>
#include <utility>

#include "env/core/at.h"
#include "env/core/typed_env.h"
#include "env/games/ofc/game.h"
#include "env/games/poker/game.h"
#include "env/games/seven_hand/game.h"

namespace dealer::analysis {
namespace {

template <class S>
const S* state_of(const Env& table) {
  const auto* typed = dynamic_cast<const TypedEnv<S>*>(&table);
  return typed == nullptr ? nullptr : &typed->state();
}

// Equal while the seat to act continues the same turn; -1: every decision is a turn.
int turn_number(const Env& table) {
  if (const auto* ofc = state_of<ofc::State>(table)) return ofc->street();
  if (const auto* seven = state_of<seven_hand::State>(table)) return seven->naming() ? -1 : seven->turns();
  return -1;
}

int street_of(const Env& table) {
  if (const auto* ofc = state_of<ofc::State>(table)) return ofc->street();
  if (const auto* poker = state_of<poker::State>(table)) return poker->street();
  const std::vector<Event> events = table.events(kSpectator);
  return events.empty() ? 0 : events.back().street;
}

bool discards(const Env& table) {
  for (const Choice& choice : table.choices())
    if (choice.kind == "discard" || choice.kind == "keep") return true;
  return false;
}

// Cards that are handled alike are grouped, as in the text of a search.
void add_text(const Env& table, const Decision& decision, std::string& text, std::string_view& last) {
  if (decision.is_amount()) {
    text += (text.empty() ? "" : ", ") + table.decision_to_string(decision);
    return;
  }
  for (const Choice& choice : table.choices()) {
    if (choice.action != decision.action || choice.action == kNoAction) continue;
    const bool same = !choice.cards.empty() && choice.kind == last;
    if (choice.kind != "stop") text += (text.empty() ? "" : same ? " " : ", ") + choice.text;
    last = choice.kind;
  }
}

}  // namespace

std::vector<Turn> turns_of(const RecordedHand& hand, const DrawCards& draw) {
  std::vector<Turn> turns;
  std::vector<PastDecision> history;
  const std::unique_ptr<Env> table = hand.table->clone();
  int number = -1;
  std::string_view last;
  for (std::size_t i = 0; i < hand.decisions.size(); ++i) {
    const Seat seat = table->current_player();
    const Decision& decision = hand.decisions[i];
    Observation seen = table->observe(seat);
    const bool goes_on = !turns.empty() && turns.back().seat == seat && number >= 0 && turn_number(*table) == number;
    number = turn_number(*table);
    if (!goes_on) {
      Turn& turn = turns.emplace_back();
      last = {};
      turn.seat = seat;
      turn.street = street_of(*table);
      turn.line = i < hand.lines.size() ? hand.lines[i] : 0;
      turn.table = table->to_string(seat);
      turn.forced = true;
      turn.unknown = !hand.unknown.empty() && hand.unknown[at(seat)];
      if (draw && !turn.unknown) turn.cards = draw(*table, seat);
      turn.question.seen = seen;
      turn.question.choices = table->choices();
      for (const PastDecision& past : history) {
        const bool own = past.seat == seat;
        turn.question.before.push_back({past.seat, past.drawing, own || !past.drawing ? past.decision : Decision(),
                                        own ? past.seen : std::vector<float>()});
      }
    }
    Turn& turn = turns.back();
    if (!std::has_single_bit(table->legal_mask()) || !table->amount_range().empty()) turn.forced = false;
    turn.question.chosen.push_back(decision);
    add_text(*table, decision, turn.text, last);
    history.push_back({seat, discards(*table), decision, std::move(seen.data)});
    table->step(decision);
  }
  return turns;
}

}  // namespace dealer::analysis
