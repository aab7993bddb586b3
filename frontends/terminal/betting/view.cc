#include "frontends/terminal/betting/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "env/games/poker/game.h"
#include "env/games/small/game.h"
#include "frontends/terminal/betting/choices.h"
#include "frontends/terminal/betting/input.h"
#include "frontends/terminal/betting/rules.h"
#include "frontends/terminal/betting/text.h"
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
  if (!mine) return table;
  if (discarding_ && complete())
    return table +
           wrap_list(fmt::format("\nyou {}: Enter confirms, undo takes it back\n", env.decision_to_string(*planned())),
                     style().width);
  return table + '\n' + wrap_list(fmt::format("you may: {}\n", choices_text(env)), style().width);
}

void BettingView::begin_turn(const Env& env) {
  OneDecisionView::begin_turn(env);
  discarding_ = Choices(env).discards_sets();
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
  return of_the_end(event) ? std::string() : wrap(event_text(event, env.game(), seats(), style()), style().width);
}

std::string BettingView::hand_result(const Env& env) const {
  return hand_end_text(events_of_hand(env, seats().me), env.game(), seats(), style());
}

namespace {

// A street: what is dealt and drawn, the table, and what is bet then.
std::string betting_replay(const Game& game, std::span<const Event> events, const Seats& seats, const Style& style) {
  std::string text;
  BettingTable table;
  bool drawn = true;  // the table, as the cards of the street lie
  int street = 0;
  const auto draw = [&] {
    if (!std::exchange(drawn, true)) text += '\n' + table_text(table, game, seats, style) + '\n';
  };
  for (const Event& event : events) {
    if (of_the_end(event)) continue;
    if (event.street != street || event.kind == Event::Kind::kActed || event.what == "bring_in") draw();
    if (event.street != street) text += '\n';
    street = event.street;
    table.see(event);
    // Before the first bet of a street; cards that come later in it change the table again.
    const bool dealt = event.kind == Event::Kind::kDealt;
    if (dealt || event.kind == Event::Kind::kDrew || event.kind == Event::Kind::kDiscarded) drawn = false;
    // Cards that were dealt lie on the table.
    if (!dealt || event.seat < 0) text += event_line(event, game, seats, style);
  }
  draw();
  const bool over = std::any_of(events.begin(), events.end(),
                                [](const Event& event) { return event.kind == Event::Kind::kHandEnded; });
  return over ? text + '\n' + hand_end_text(events, game, seats, style) : text;
}

std::unique_ptr<TableView> betting_view(const Game& game, const Seats& seats, const Style& style) {
  const auto view = [&](const auto& rules) {
    return std::make_unique<BettingView>(rules_text(rules), typing_text(rules), seats, style);
  };
  const small::Game* small = small::as_small(game);
  return small != nullptr ? view(small->rules()) : view(poker::as_poker(game)->rules());
}

}  // namespace

void register_betting(GameTables& tables) {
  for (const char* family : {"poker", "kuhn", "leduc", "mini_draw"}) tables[family] = {betting_view, betting_replay};
}

}  // namespace dealer::terminal
