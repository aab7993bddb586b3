#include "frontends/terminal/ofc_view.h"

#include <fmt/format.h>

#include <bit>

#include "env/core/error.h"
#include "env/games/ofc/game.h"
#include "frontends/terminal/ofc_text.h"

namespace dealer::terminal {
namespace {

// What that seat may see; never more is looked at while a hand is being played.
ofc::View view_of(const Env& env, Seat seat, const ofc::GameRules& rules) {
  return ofc::State::decode(rules, env.observe(seat).data);
}

const ofc::State& state_of(const Env& env) { return dynamic_cast<const TypedEnv<ofc::State>&>(env).state(); }

std::string header(const ofc::View& view, const Env& env, const Seats& seats, const ofc::GameRules& rules) {
  const Seat dealer = (view.me + view.dealer) % view.players;
  std::string line = fmt::format("street {} of 5", view.street + 1);
  if (view.fantasyland[0]) line = fmt::format("{} cards of Fantasyland", rules.fantasyland_cards);
  line += dealer == seats.me ? ", you deal" : fmt::format(", {} deals", seats.names[static_cast<std::size_t>(dealer)]);
  if (rules.episode != ofc::Episode::kMatch) return line + '\n';
  line += "; points:";
  for (Seat seat = 0; seat < view.players; ++seat)
    line += fmt::format("{} {} {}", seat == 0 ? "" : ",", seats.names[static_cast<std::size_t>(seat)],
                        state_of(env).points(seat));
  if (const int factor = state_of(env).multiplier(); factor > 1) line += fmt::format("; points count x{}", factor);
  return line + '\n';
}

std::string cards_to_place(const OfcPlan& plan, const Style& style) {
  std::string text = bold(fmt::format("{:<10}", "to place"), style);
  CardSet open = plan.open();
  while (open != 0) {
    const Card card = static_cast<Card>(63 - std::countl_zero(open));
    text += card_slot(card, style);
    open &= ~bit(card);
  }
  return text;
}

}  // namespace

std::string OfcView::picture(const Env& env) const {
  const ofc::View view = view_of(env, seats_.me, *rules_);
  std::string text = header(view, env, seats_, *rules_);
  for (int rel = 1; rel < view.players; ++rel) {
    const auto r = static_cast<std::size_t>(rel);
    if (view.out[r]) continue;
    text += '\n' + bold(seats_.names[static_cast<std::size_t>((seats_.me + rel) % view.players)], style_);
    text += view.fantasyland[r] ? fmt::format(" sets {} cards of Fantasyland unseen\n", rules_->fantasyland_cards)
                                : "\n" + board_text(view.board[rel], *rules_, style_);
  }
  if (view.out[0]) return text;
  text += '\n' + bold(seats_.names[static_cast<std::size_t>(seats_.me)], style_) + '\n';
  if (view.turn != 0) return text + board_text(view.board[0], *rules_, style_);
  text += board_text(plan_.board(), *rules_, style_, plan_.cards());
  const CardSet discards = view.discards | plan_.discards();
  if (discards != 0) {
    std::string line = dim(fmt::format("  {:<8}", "discard"), style_);
    for_each(discards, [&](Card card) { line += card_slot(card, style_, (plan_.discards() & bit(card)) != 0); });
    text += trimmed(std::move(line));
  }
  if (plan_.complete()) return text + "\nEnter confirms, undo takes the last back\n";
  return text + '\n' + cards_to_place(plan_, style_) + ' ' + dim(missing(), style_) + '\n';
}

void OfcView::begin_turn(const Env& env) { plan_ = OfcPlan(view_of(env, seats_.me, *rules_)); }

void OfcView::enter(const Env&, std::string_view text) { plan_.enter(text); }

void OfcView::adopt(const Env& env, std::span<const Action> actions) { plan_.adopt(moves(env, actions)); }

std::string OfcView::missing() const {
  std::string text;
  if (plan_.places_left() > 0) text = fmt::format("place {}", plan_.places_left());
  if (plan_.discards_left() > 0) text += fmt::format("{}discard {}", text.empty() ? "" : ", ", plan_.discards_left());
  return text;
}

Action OfcView::next_action(const Env& env) const {
  return plan_.place_of(lowest(view_of(env, seats_.me, *rules_).hand)).value();
}

bool OfcView::same_turn(const Env& start, const Env& now) const {
  const Seat seat = start.current_player();
  if (now.current_player() != seat || now.hands_finished() != start.hands_finished()) return false;
  const CardSet before = view_of(start, seat, *rules_).hand;
  return (view_of(now, seat, *rules_).hand & ~before) == 0;
}

std::vector<std::pair<Card, ofc::Place>> OfcView::moves(const Env& start, std::span<const Action> actions) const {
  const Seat seat = start.current_player();
  CardSet left = view_of(start, seat, *rules_).hand;
  std::vector<std::pair<Card, ofc::Place>> result;
  OfcPlan plan(view_of(start, seat, *rules_));
  const std::unique_ptr<Env> env = start.clone();
  for (const Action action : actions) {
    result.emplace_back(lowest(view_of(*env, seat, *rules_).hand), static_cast<ofc::Place>(action));
    env->step(action);
  }
  // The game moves a card with one destination by itself, as a plan does.
  plan.adopt(result);
  result.clear();
  for_each(left, [&](Card card) {
    if (const auto place = plan.place_of(card)) result.emplace_back(card, *place);
  });
  return result;
}

std::string OfcView::describe(const Env& start, std::span<const Action> actions) const {
  return moves_text(moves(start, actions));
}

std::string OfcView::seen(const Env& before, const Env& after, Seat who) const {
  const std::string& name = seats_.names[static_cast<std::size_t>(who)];
  const int rel = (who - seats_.me + rules_->players) % rules_->players;
  const ofc::View view = view_of(before, seats_.me, *rules_);
  if (view.fantasyland[static_cast<std::size_t>(rel)]) return name + " sets a Fantasyland hand, unseen";
  const ofc::Board now = after.hands_finished() > before.hands_finished()
                             ? state_of(after).last_hand().board[who]
                             : view_of(after, seats_.me, *rules_).board[rel];
  std::vector<std::pair<Card, ofc::Place>> placed;
  for (std::size_t row = 0; row < ofc::kRows; ++row)
    for_each(now.row[row] & ~view.board[rel].row[row],
             [&](Card card) { placed.emplace_back(card, static_cast<ofc::Place>(row)); });
  return fmt::format("{}: {}", name, moves_text(placed));
}

std::string OfcView::hand_result(const Env& env) const {
  return hand_text(state_of(env).last_hand(), *rules_, seats_, style_);
}

std::string OfcView::episode_result(const Env& env) const {
  if (rules_->episode != ofc::Episode::kMatch) return {};
  std::string text = "The match is over:";
  for (Seat seat = 0; seat < rules_->players; ++seat)
    text += fmt::format("{} {} {}", seat == 0 ? "" : ",", seats_.names[static_cast<std::size_t>(seat)],
                        state_of(env).points(seat));
  return text + '\n';
}

std::string OfcView::rules() const { return rules_text(*rules_); }

std::string OfcView::how_to_type() const {
  return "  Kd f, 6h x       cards and where they go: f front, m middle, b back, x discard\n"
         "  Kd Qd f          several cards for one row; a card already placed is moved\n"
         "  f f m b x        rows for the open cards in the order shown; ffmbx is the same\n";
}

}  // namespace dealer::terminal
