#include "frontends/terminal/seven_hand/view.h"

#include <fmt/format.h>

#include "env/core/at.h"
#include "env/core/counted.h"
#include "env/core/error.h"
#include "env/games/seven_hand/game.h"
#include "frontends/terminal/event_text.h"
#include "frontends/terminal/screen_text.h"
#include "frontends/terminal/seven_hand/text.h"

namespace dealer::terminal {

seven_hand::View SevenHandView::view_of(const Env& env) const {
  return seven_hand::State::decode(*rules_, env.observe(seats_.me).data);
}

std::string SevenHandView::picture(const Env& env) const {
  const seven_hand::View view = view_of(env);
  const std::string& other = seats_.name(1 - seats_.me);
  std::string text = wrap(fmt::format("turn {} of 7; stock {}, {} holds {}\n\n", view.turns / 2 + 1, view.stock, other,
                                      counted(view.hand_size[1], "card")),
                          style().width);
  text += line_text(view, seats_, style()) + '\n' + hand_text(view.hand, cards_, style());
  if (view.to_act != 0) return text;
  if (!view.naming)
    return text + (complete() ? "\nEnter lays the marked cards, undo takes them back\n" : "\nyou lay 1 to 5 cards\n");
  std::string chips;
  for (const Choice& choice : env.choices())
    chips += fmt::format("{}{}", chips.empty() ? "" : ", ", choice.action - seven_hand::kFirstChip + 1);
  return text + wrap(fmt::format("\n{} has laid {}: name the chip, {}\n", other, counted(view.pending, "card"), chips),
                     style().width);
}

void SevenHandView::begin_turn(const Env& env) {
  undo();
  naming_ = view_of(env).naming;
}

void SevenHandView::enter(const Env& env, std::string_view text) {
  const seven_hand::View view = view_of(env);
  if (!view.naming) {
    cards_ = parse_cards_to_lay(text, view.hand);
    return;
  }
  const int chip = parse_chip(text);
  if ((env.legal_mask() >> (seven_hand::kFirstChip + chip) & 1) == 0)
    throw IllegalAction(fmt::format("{} has laid at chip {} already", seats_.name(1 - seats_.me), chip + 1));
  chip_ = chip;
}

void SevenHandView::adopt(const Env&, std::span<const Decision> decisions) {
  undo();
  for (const Decision& decision : decisions) {
    if (decision.action >= seven_hand::kFirstChip)
      chip_ = decision.action - seven_hand::kFirstChip;
    else if (decision.action != seven_hand::kStop)
      cards_ |= bit(static_cast<Card>(decision.action));
  }
}

bool SevenHandView::undo() {
  const bool planned = complete();
  cards_ = 0;
  chip_.reset();
  return planned;
}

Decision SevenHandView::next_decision(const Env& env) const {
  if (chip_) return seven_hand::kFirstChip + *chip_;
  const CardSet left = cards_ & view_of(env).hand;
  return left == 0 ? Action{seven_hand::kStop} : Action{lowest(left)};
}

bool SevenHandView::turn_goes_on(const Env& now) const {
  return now.current_player() == seats_.me && !now.hand_over() && view_of(now).picked != 0;
}

std::string SevenHandView::describe(const Env&, std::span<const Decision> decisions) const {
  CardSet cards = 0;
  for (const Decision& decision : decisions) {
    if (decision.action >= seven_hand::kFirstChip)
      return fmt::format("chip {}", decision.action - seven_hand::kFirstChip + 1);
    if (decision.action != seven_hand::kStop) cards |= bit(static_cast<Card>(decision.action));
  }
  return "lay " + dealer::to_string(cards);
}

std::string SevenHandView::line_of(const Env& env, const Event& event) const {
  if (event.kind == Event::Kind::kHandEnded || event.kind == Event::Kind::kMatchEnded) return {};
  std::string text = event_text(event, env.game(), seats_, style());
  if (event.kind == Event::Kind::kWon)
    if (const std::string why = extra_card_text(view_of(env), event.slot - 1); !why.empty()) text += "; " + why;
  return wrap(text, style().width);
}

std::string SevenHandView::hand_result(const Env& env) const {
  const seven_hand::View view = view_of(env);
  std::string text = line_text(view, seats_, style()) + '\n';
  for (const Event& event : events_of_hand(env, seats_.me)) {
    if (event.kind == Event::Kind::kHandEnded)
      text += wrap(result_text(view, event.values[at(seats_.me)], seats_), style().width);
    if (event.kind == Event::Kind::kHandEnded || event.kind == Event::Kind::kMatchEnded)
      text += event_line(event, env.game(), seats_, style());
  }
  return text;
}

std::string SevenHandView::rules() const { return rules_text(*rules_); }

std::string SevenHandView::how_to_type() const {
  return "  Kd Kh 4c         cards to lay, 1 to 5, by name\n"
         "  1 2 5            the same by number, from the highest\n"
         "  3                the chip for your opponent's cards; chip 3 is the same\n"
         "  << >> ==         the chip is yours, your opponent's, tied; t2: laid in turn 2\n"
         "  ! ?              who takes the chip has three in a row: you, your opponent\n";
}

void register_seven_hand(GameTables& tables) {
  tables["seven_hand"] = {[](const Game& game, const Seats& seats, const Style& style) -> std::unique_ptr<TableView> {
                            return std::make_unique<SevenHandView>(seven_hand::as_seven_hand(game)->rules(), seats,
                                                                   style);
                          },
                          nullptr,
                          [](const Env& env, Seat seat, const Style& style) {
                            const seven_hand::GameRules& rules = seven_hand::as_seven_hand(env.game())->rules();
                            return cards_line(seven_hand::State::decode(rules, env.observe(seat).data).hand, style);
                          }};
}

}  // namespace dealer::terminal
