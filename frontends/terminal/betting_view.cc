#include "frontends/terminal/betting_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "env/games/small/game.h"
#include "frontends/terminal/betting_text.h"
#include "frontends/terminal/event_text.h"
#include "frontends/terminal/screen_text.h"

namespace dealer::terminal {
namespace {

bool throws_cards(const Choice& choice) { return choice.kind == "discard" || choice.kind == "keep"; }

// The cards of a turn of discarding: those planned and, where they are decided upon one by one, those decided before.
TableMarks marks_of(const Env& env, Seat me, const std::optional<Decision>& planned) {
  TableMarks marks;
  for (const Choice& choice : env.choices()) {
    marks.numbers = marks.numbers || throws_cards(choice);
    if (planned && planned->action == choice.action && choice.kind == "discard") marks.cards = choice.cards;
  }
  if (!marks.numbers) return marks;
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
  const bool mine = env.current_player() == seats_.me;
  const TableMarks marks = mine ? marks_of(env, seats_.me, planned_) : TableMarks();
  const std::string table = table_text(table_of(env, seats_.me), env.game(), seats_, style_, marks);
  return mine ? table + '\n' + choices(env) : table;
}

std::string BettingView::choices(const Env& env) const {
  std::string text;
  const std::vector<Choice> choices = env.choices();
  for (const Choice& choice : choices) {
    // A range of one amount is an action, too.
    if (choice.action == kNoAction && choice.amount.low == choice.amount.high) continue;
    text += (text.empty() ? "" : ", ") + choice.text;
    if (choice.action != kNoAction) continue;
    text += fmt::format(" any amount from {} to {}", choice.amount.low, choice.amount.high);
    if (choice.amount.step > 1) text += fmt::format(" in steps of {}", choice.amount.step);
  }
  text = fmt::format("you may: {}\n", text);
  // Small draw games ask card by card.
  if (choices.front().kind == "keep")
    text = fmt::format("{}: {}", env.game().card_to_string(choices.front().cards.front()), text);
  if (planned_) text += fmt::format("your plan: {}\n", bold(env.decision_to_string(*planned_), style_));
  return wrap(text, style_.width);
}

void BettingView::begin_turn(const Env&) { planned_.reset(); }
void BettingView::enter(const Env& env, std::string_view text) { planned_ = env.parse_decision(text); }
void BettingView::adopt(const Env&, std::span<const Decision> decisions) {
  if (!decisions.empty()) planned_ = decisions.front();
}

bool BettingView::undo() {
  const bool had = planned_.has_value();
  planned_.reset();
  return had;
}

Decision BettingView::next_decision(const Env&) const { return planned_.value(); }
bool BettingView::turn_goes_on(const Env&) const { return false; }

std::string BettingView::describe(const Env& start, std::span<const Decision> decisions) const {
  const std::unique_ptr<Env> env = start.clone();
  std::string text;
  for (const Decision& decision : decisions) {
    text += (text.empty() ? "" : ", ") + env->decision_to_string(decision);
    env->step(decision);
  }
  return text;
}

std::string BettingView::told(const Env& env, const Event& event) const {
  using Kind = Event::Kind;
  // The end is told by hand_result().
  const bool end = event.kind == Kind::kShown || event.kind == Kind::kMucked || event.kind == Kind::kWon ||
                   event.kind == Kind::kHandEnded || event.kind == Kind::kMatchEnded;
  return end ? std::string() : wrap(event_text(event, env.game(), seats_, style_), style_.width);
}

std::string BettingView::hand_result(const Env& env) const {
  return hand_end_text(events_of_hand(env, seats_.me), env.game(), seats_, style_);
}

std::string BettingView::how_to_type() const {
  return "  TEXT             a choice by its text: call 10, raise to 250\n";
}

}  // namespace dealer::terminal
