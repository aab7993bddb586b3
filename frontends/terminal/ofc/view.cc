#include "frontends/terminal/ofc/view.h"

#include <fmt/format.h>

#include <algorithm>

#include "env/core/at.h"
#include "env/core/error.h"
#include "env/games/ofc/game.h"
#include "frontends/terminal/event_text.h"
#include "frontends/terminal/ofc/text.h"
#include "frontends/terminal/screen_text.h"

namespace dealer::terminal {
namespace {

// The view of that seat; no other information is read during a hand.
ofc::View view_of(const Env& env, Seat seat, const ofc::GameRules& rules) {
  return ofc::State::decode(rules, env.observe(seat).data);
}

const ofc::State& state_of(const Env& env) { return dynamic_cast<const TypedEnv<ofc::State>&>(env).state(); }

std::string header(const ofc::View& view, const Env& env, const Seats& seats, const ofc::GameRules& rules) {
  const Seat dealer = (view.me + view.dealer) % view.players;
  std::string line = fmt::format("street {} of 5", view.street + 1);
  if (view.fantasyland[0] != 0) line = fmt::format("{} cards of Fantasyland", view.fantasyland[0]);
  line += dealer == seats.me ? ", you deal" : fmt::format(", {} deals", seats.name(dealer));
  if (rules.episode != ofc::Episode::kMatch) return line + '\n';
  line += "; points:";
  for (Seat seat = 0; seat < view.players; ++seat)
    line += fmt::format("{} {} {}", seat == 0 ? "" : ",", seats.name(seat), state_of(env).points(seat));
  if (const int factor = state_of(env).multiplier(); factor > 1) line += fmt::format("; points count x{}", factor);
  return line + '\n';
}

std::string cards_to_place(const OfcPlan& plan, const Style& style) {
  std::string text = bold(fmt::format("{:<10}", "to place"), style);
  for (const Card card : high_to_low(plan.open())) text += card_slot(card, style);
  return text;
}

}  // namespace

std::string OfcView::picture(const Env& env) const {
  const ofc::View view = view_of(env, seats_.me, *rules_);
  std::string text = wrap_list(header(view, env, seats_, *rules_), style().width);
  for (int rel = 1; rel < view.players; ++rel) {
    const auto r = static_cast<std::size_t>(rel);
    if (view.out[r]) continue;
    text += '\n' + bold(seats_.name((seats_.me + rel) % view.players), style());
    text += view.fantasyland[r] != 0 ? fmt::format(" sets {} cards of Fantasyland unseen\n", view.fantasyland[r])
                                     : "\n" + board_text(view.board[rel], *rules_, style());
  }
  if (view.out[0]) return text;
  text += '\n' + bold(seats_.name(seats_.me), style()) + '\n';
  if (view.turn != 0) return text + board_text(view.board[0], *rules_, style());
  text += board_text(plan_.board(), *rules_, style(), plan_.cards());
  const CardSet discards = view.discards | plan_.discards();
  if (discards != 0) {
    std::string line = dim(fmt::format("  {:<8}", "discard"), style());
    for_each(discards, [&](Card card) { line += card_slot(card, style(), (plan_.discards() & bit(card)) != 0); });
    text += as_line(std::move(line));
  }
  if (plan_.complete()) return text + "\nEnter confirms, undo takes the last back\n";
  return text + '\n' + cards_to_place(plan_, style()) + ' ' + dim(missing(), style()) + '\n';
}

void OfcView::begin_turn(const Env& env) { plan_ = OfcPlan(view_of(env, seats_.me, *rules_)); }

void OfcView::enter(const Env&, std::string_view text) { plan_.enter(text); }

void OfcView::adopt(const Env& env, std::span<const Decision> decisions) { plan_.adopt(moves(env, decisions)); }

std::string OfcView::missing() const {
  std::string text;
  if (plan_.places_left() > 0) text = fmt::format("place {}", plan_.places_left());
  if (plan_.discards_left() > 0) text += fmt::format("{}discard {}", text.empty() ? "" : ", ", plan_.discards_left());
  return text;
}

Decision OfcView::next_decision(const Env& env) const {
  return plan_.place_of(lowest(view_of(env, seats_.me, *rules_).hand)).value();
}

bool OfcView::turn_goes_on(const Env& now) const {
  return now.current_player() == seats_.me && (view_of(now, seats_.me, *rules_).hand & ~plan_.cards()) == 0;
}

std::vector<std::pair<Card, ofc::Place>> OfcView::moves(const Env& start, std::span<const Decision> decisions) const {
  const ofc::View view = view_of(start, seats_.me, *rules_);
  std::vector<std::pair<Card, ofc::Place>> result;
  const std::unique_ptr<Env> env = start.clone();
  for (const Decision& decision : decisions) {
    result.emplace_back(lowest(view_of(*env, seats_.me, *rules_).hand), static_cast<ofc::Place>(decision.action));
    env->step(decision);
  }
  // The game moves a card with one destination by itself, like a plan.
  OfcPlan plan(view);
  plan.adopt(result);
  result.clear();
  for_each(view.hand, [&](Card card) {
    if (const auto place = plan.place_of(card)) result.emplace_back(card, *place);
  });
  return result;
}

std::string OfcView::describe(const Env& start, std::span<const Decision> decisions) const {
  Event placing;
  for (const auto& [card, place] : moves(start, decisions)) {
    placing.cards.push_back(card);
    placing.places.push_back(ofc::kPlaceNames[static_cast<std::size_t>(place)]);
  }
  return places_text(placing, start.game());
}

std::string OfcView::line_of(const Env& env, const Event& event) const {
  // Boards are shown at the end with the result, and before that to a player setting a Fantasyland hand.
  const bool shown = event.kind == Event::Kind::kShown && !env.hand_over();
  const bool placed = event.kind == Event::Kind::kPlaced && event.seat != seats_.me;
  return shown || placed ? event_text(event, env.game(), seats_, style()) : std::string();
}

std::string OfcView::hand_result(const Env& env) const {
  std::string text;
  for (const Event& event : env.events(seats_.me)) {
    if (event.kind == Event::Kind::kHandEnded)
      text = hand_text(view_of(env, seats_.me, *rules_), event.values, *rules_, seats_, style());
    if (event.kind == Event::Kind::kMatchEnded) text += event_line(event, env.game(), seats_, style());
  }
  return text;
}

std::string OfcView::rules() const { return rules_text(*rules_); }

std::string OfcView::how_to_type() const {
  return "  Kd f, 6h x       cards and where they go: f front, m middle, b back, x discard\n"
         "  Kd Qd f          several cards for one row; a card already placed is moved\n"
         "  f f m b x        rows for the open cards in the order shown; ffmbx is the same\n";
}

namespace {

// The boards after every street, with its new cards marked.
class OfcReplay {
 public:
  OfcReplay(const ofc::GameRules& rules, const Seats& seats, const Style& style)
      : rules_(rules), seats_(seats), style_(style), boards_(seats.names.size()) {}

  std::string text(const Game& game, std::span<const Event> events) {
    int street = 0;
    for (const Event& event : events) {
      const bool placed = event.kind == Event::Kind::kPlaced;
      if ((placed && event.street != street) || of_the_end(event)) draw();
      if (placed) place(event);
      street = placed ? event.street : street;
      if (event.kind != Event::Kind::kShown) text_ += event_line(event, game, seats_, style_);
    }
    draw();
    return text_;
  }

 private:
  void place(const Event& event) {
    for (std::size_t i = 0; i < event.cards.size(); ++i) {
      const auto row = std::find(ofc::kPlaceNames.begin(), ofc::kPlaceNames.end(), event.places[i]);
      if (row - ofc::kPlaceNames.begin() >= ofc::kRows) continue;
      boards_[at(event.seat)].row[at(row - ofc::kPlaceNames.begin())] |= bit(event.cards[i]);
      placed_ |= bit(event.cards[i]);
    }
  }

  void draw() {
    if (placed_ == 0) return;
    for (std::size_t seat = 0; seat < boards_.size(); ++seat)
      if (boards_[seat].cards() != 0)
        text_ += '\n' + bold(seats_.names[seat], style_) + '\n' +
                 wrap(board_text(boards_[seat], rules_, style_, placed_), style_.width);
    text_ += '\n';
    placed_ = 0;
  }

  const ofc::GameRules& rules_;
  const Seats& seats_;
  const Style& style_;
  std::vector<ofc::Board> boards_;
  CardSet placed_ = 0;  // placed on this street
  std::string text_;
};

}  // namespace

void register_ofc(GameTables& tables) {
  tables["ofc"] = {[](const Game& game, const Seats& seats, const Style& style) -> std::unique_ptr<TableView> {
                     return std::make_unique<OfcView>(ofc::as_ofc(game)->rules(), seats, style);
                   },
                   [](const Game& game, std::span<const Event> events, const Seats& seats, const Style& style) {
                     return OfcReplay(ofc::as_ofc(game)->rules(), seats, style).text(game, events);
                   },
                   [](const Env& env, Seat seat, const Style& style) {
                     const ofc::GameRules& rules = ofc::as_ofc(env.game())->rules();
                     const ofc::View view = view_of(env, seat, rules);
                     return board_text(view.board[0], rules, style) + as_line(cards_to_place(OfcPlan(view), style));
                   }};
}

}  // namespace dealer::terminal
