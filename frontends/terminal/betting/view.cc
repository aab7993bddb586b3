#include "frontends/terminal/betting/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "env/core/counted.h"
#include "env/core/error.h"
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

// The choice to keep the current card.
std::optional<Choice> choice_to_keep(const Env& env, Seat me) {
  if (env.hand_over() || env.current_player() != me) return std::nullopt;
  for (const Choice& choice : env.choices())
    if (choice.kind == "keep") return choice;
  return std::nullopt;
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

std::unique_ptr<Env> BettingView::after_plan(const Env& env) const {
  std::unique_ptr<Env> after = env.clone();
  for (const Decision& decision : planned()) after->step(decision);
  return after;
}

// The chosen discards, and the card to decide upon.
TableMarks BettingView::marks(const Env& env) const {
  TableMarks marks;
  if (asked_.empty()) {
    for (const Choice& choice : env.choices()) {
      if (choice.kind != "discard") continue;
      marks.numbers = true;
      if (complete() && planned()[0].action == choice.action) marks.cards = choice.cards;
    }
    return marks;
  }
  const Action keep = choice_to_keep(env, seats().me).value().action;
  for (std::size_t i = 0; i < planned().size(); ++i)
    if (planned()[i].action != keep) marks.cards.push_back(asked_[i]);
  if (!complete()) marks.asked = asked_[planned().size()];
  return marks;
}

std::string BettingView::plan_text(const Env& env) const {
  if (asked_.empty()) return describe(env, planned());
  const TableMarks marked = marks(env);
  std::string text;
  for (const CardId card : asked_)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                        std::ranges::find(marked.cards, card) == marked.cards.end() ? "keep" : "discard",
                        env.game().card_to_string(card));
  return text;
}

std::string BettingView::picture(const Env& env) const {
  const bool mine = env.current_player() == seats().me;
  const TableMarks marked = mine ? marks(env) : TableMarks();
  std::string table = table_text(table_of(env, seats().me), env.game(), seats(), style(), marked);
  if (!mine) return table;
  if (discarding_ && complete())
    return table + wrap_list(fmt::format("\nyou {}: Enter confirms, undo takes {} back\n", plan_text(env),
                                         asked_.empty() ? "it" : "the last"),
                             style().width);
  return table + '\n' +
         wrap_list(fmt::format("you may: {}\n", choices_text(asked_.empty() ? env : *after_plan(env))), style().width);
}

void BettingView::begin_turn(const Env& env) {
  OneDecisionView::begin_turn(env);
  asked_.clear();
  const std::unique_ptr<Env> ahead = env.clone();
  while (const std::optional<Choice> keep = choice_to_keep(*ahead, seats().me)) {
    asked_.push_back(keep->cards.front());
    ahead->step(keep->action);
  }
  discarding_ = !asked_.empty() || Choices(env).discards_sets();
}

void BettingView::enter(const Env& env, std::string_view text) {
  if (asked_.empty()) return plan(parse_betting(env, text));
  if (complete()) throw UsageError("all cards are decided upon: Enter confirms, undo takes the last back");
  plan_also(parse_betting(*after_plan(env), text));
}

bool BettingView::complete() const { return planned().size() == std::max<std::size_t>(1, asked_.size()); }

std::string BettingView::missing() const {
  return asked_.empty() ? OneDecisionView::missing()
                        : dealer::counted(static_cast<std::int64_t>(asked_.size() - planned().size()), "card") +
                              " to keep or discard";
}

Decision BettingView::next_decision(const Env& env) const {
  if (asked_.empty()) return OneDecisionView::next_decision(env);
  const CardId card = choice_to_keep(env, seats().me).value().cards.front();
  return planned().at(static_cast<std::size_t>(std::find(asked_.begin(), asked_.end(), card) - asked_.begin()));
}

// A betting decision may be followed by a discarding turn.
bool BettingView::turn_goes_on(const Env& now) const {
  return !asked_.empty() && choice_to_keep(now, seats().me).has_value();
}

std::string BettingView::question(const Env& env) const {
  // Every bet of Kuhn poker takes the last chip.
  if (small::as_small(env.game()) != nullptr) return {};
  return OneDecisionView::question(env);
}

std::vector<std::string> BettingView::words(const Env& env) const { return betting_words(env); }

std::string BettingView::odds(const Env& env) const {
  if (!odds_) odds_ = make_odds_text(env.game());
  return wrap_list(odds_(env), style().width);
}

std::string BettingView::line_of(const Env& env, const Event& event) const {
  // hand_result() shows the end.
  return of_the_end(event) ? std::string() : wrap(event_text(event, env.game(), seats(), style()), style().width);
}

std::string BettingView::hand_result(const Env& env) const {
  return hand_end_text(events_of_hand(env, seats().me), env.game(), seats(), style());
}

namespace {

// A street: the deals and draws, the table, then the betting.
std::string betting_replay(const Game& game, std::span<const Event> events, const Seats& seats, const Style& style) {
  std::string text;
  BettingTable table;
  bool drawn = true;  // the table shows the current cards of the street
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
    // Before the first bet of a street; later cards of the street change the table again.
    const bool dealt = event.kind == Event::Kind::kDealt;
    if (dealt || event.kind == Event::Kind::kDrew || event.kind == Event::Kind::kDiscarded) drawn = false;
    // The table shows dealt cards.
    if (!dealt || event.seat < 0) text += event_line(event, game, seats, style);
  }
  draw();
  const bool over = std::any_of(events.begin(), events.end(),
                                [](const Event& event) { return event.kind == Event::Kind::kHandEnded; });
  return over ? text + '\n' + hand_end_text(events, game, seats, style) : text;
}

std::string betting_cards(const Env& env, Seat seat, const Style& style) {
  const std::vector<CardId> hand = cards_in_order(env, seat), board = table_of(env, seat).board();
  std::size_t letters = 2;
  for (const std::vector<CardId>* cards : {&hand, &board})
    for (const CardId card : *cards) letters = std::max(letters, env.game().card_to_string(card).size());
  const auto row = [&](const char* name, const std::vector<CardId>& cards) {
    std::string line = fmt::format("{:<7}", name);
    for (const CardId card : cards) line += card_slot(card_face(env.game(), card), static_cast<int>(letters), style);
    return cards.empty() ? std::string() : as_line(std::move(line));
  };
  return row("hand", hand) + row("board", board);
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
  for (const char* family : {"poker", "kuhn", "leduc", "mini_draw"})
    tables[family] = {betting_view, betting_replay, betting_cards};
}

}  // namespace dealer::terminal
