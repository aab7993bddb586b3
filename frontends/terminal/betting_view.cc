#include "frontends/terminal/betting_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "env/games/small/game.h"
#include "frontends/terminal/betting_choices.h"
#include "frontends/terminal/betting_input.h"
#include "frontends/terminal/betting_text.h"
#include "frontends/terminal/event_text.h"
#include "frontends/terminal/screen_text.h"

namespace dealer::terminal {
namespace {

// The cards of a turn of discarding: those planned and, where they are decided upon one by one, those decided before.
TableMarks marks_of(const Env& env, Seat me, const std::optional<Decision>& planned) {
  TableMarks marks;
  for (const Choice& choice : env.choices()) {
    if (choice.kind == "keep") marks.asked = choice.cards.front();
    if (choice.kind != "discard") continue;
    marks.numbers = true;
    if (planned && planned->action == choice.action) marks.cards = choice.cards;
  }
  if (!marks.asked) return marks;
  marks.numbers = false;
  if (const auto* typed = dynamic_cast<const TypedEnv<small::State>*>(&env)) {
    for (const CardId card : cards_in_order(env, me))
      if ((typed->state().hand(me) & bit(card)) == 0) marks.cards.push_back(card);
  }
  return marks;
}

}  // namespace

std::vector<Event> events_of_hand(const Env& env, Viewer viewer) {
  std::vector<Event> events = env.events(viewer);
  const auto begun = std::find_if(events.rbegin(), events.rend(),
                                  [](const Event& event) { return event.kind == Event::Kind::kHandBegun; });
  if (begun != events.rend()) events.erase(events.begin(), std::prev(begun.base()));
  return events;
}

BettingTable table_of(const Env& env, Seat seat) {
  BettingTable table(events_of_hand(env, seat));
  if (!table.over()) table.go_to(env.to_json(seat)["table"]["street"]);
  return table;
}

std::vector<CardId> cards_in_order(const Env& env, Seat seat) {
  const BettingTable table(events_of_hand(env, seat));
  std::vector<CardId> cards = table.seat(seat).down;
  cards.insert(cards.end(), table.seat(seat).up.begin(), table.seat(seat).up.end());
  return cards;
}

std::string BettingView::picture(const Env& env) const {
  const bool mine = env.current_player() == seats().me;
  const TableMarks marks = mine ? marks_of(env, seats().me, planned()) : TableMarks();
  const std::string table = table_text(table_of(env, seats().me), env.game(), seats(), style(), marks);
  return mine ? table + '\n' + wrap_list(fmt::format("you may: {}\n", choices_text(env)), style().width) : table;
}

void BettingView::enter(const Env& env, std::string_view text) { plan(parse_betting(env, text)); }
std::string BettingView::question(const Env& env) const {
  // Every bet of Kuhn poker takes the last chip.
  if (small::as_small(env.game()) != nullptr) return {};
  return OneDecisionView::question(env);
}

std::vector<std::string> BettingView::words(const Env& env) const { return betting_words(env); }

std::string BettingView::chances(const Env& env) const {
  if (!chances_) chances_ = std::make_unique<const ChancesText>(env.game());
  return wrap_list(chances_->text(env), style().width);
}

std::string BettingView::told(const Env& env, const Event& event) const {
  // The end is told by hand_result().
  const bool end = event.kind == Event::Kind::kShown || event.kind == Event::Kind::kMucked ||
                   event.kind == Event::Kind::kWon || event.kind == Event::Kind::kHandEnded ||
                   event.kind == Event::Kind::kMatchEnded;
  return end ? std::string() : wrap(event_text(event, env.game(), seats(), style()), style().width);
}

std::string BettingView::hand_result(const Env& env) const {
  return hand_end_text(events_of_hand(env, seats().me), env.game(), seats(), style());
}

}  // namespace dealer::terminal
