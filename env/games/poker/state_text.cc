// A state as text and JSON, as one seat may see it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "env/core/json_writer.h"
#include "env/games/poker/state.h"

namespace dealer::poker {
namespace {

// From high to low, in the usual order of display.
std::vector<CardId> high_to_low(std::vector<CardId> cards) {
  std::sort(cards.rbegin(), cards.rend());
  return cards;
}
std::vector<CardId> high_to_low(const std::vector<SeenCard>& cards) {
  std::vector<CardId> plain;
  plain.reserve(cards.size());
  for (const SeenCard& card : cards) plain.push_back(card.card);
  return high_to_low(std::move(plain));
}

// "1 raises to 40 all-in"; empty for other events.
std::string betting_text(const Event& event) {
  if (event.kind == Event::Kind::kReturned) return fmt::format("{} go back to {}", event.amount, event.seat);
  if (event.kind != Event::Kind::kActed && event.what != "bring_in") return {};
  std::string text = fmt::format("{} ", event.seat);
  if (event.what == "fold" || event.what == "check")
    text += event.what + 's';
  else if (event.what == "call" || event.what == "bet")
    text += fmt::format("{}s {}", event.what, event.amount);
  else if (event.what == "bring_in")
    text += fmt::format("brings in {}", event.amount);
  else
    text += fmt::format("{}s to {}", event.what, event.total);
  return text + (event.all_in ? " all-in" : "");
}

// A line for every street with betting.
std::string history_text(const std::vector<Event>& story) {
  std::string text;
  int street = -1;
  for (const Event& event : story) {
    const std::string line = betting_text(event);
    if (line.empty()) continue;
    if (event.street != street)
      text += fmt::format("{}street {}: {}", street < 0 ? "" : "\n", event.street, line);
    else
      text += ", " + line;
    street = event.street;
  }
  return text.empty() ? text : text + '\n';
}

std::string player_text(const GameRules& rules, const View& view, Seat seat) {
  const View::Player& player = view.player[static_cast<std::size_t>(seat)];
  if (player.out) return fmt::format("seat {}, out\n", seat);
  std::string text =
      fmt::format("seat {}{}{}{}: {} chips, {} in the pot", seat, seat == view.me ? " (you)" : "",
                  seat == view.dealer ? ", dealer" : "", player.folded ? ", folded" : "", player.stack, player.paid);
  if (!view.drawing && player.bet > 0) text += fmt::format(", {} in this round", player.bet);
  if (!player.cards.empty()) text += "; " + rules.deck->to_string(high_to_low(player.cards));
  if (!player.up.empty()) text += "; up " + rules.deck->to_string(player.up);
  for (int draw = 0; draw < rules.draws; ++draw) {
    const auto d = static_cast<std::size_t>(draw);
    if (player.drawn[d] < 0) continue;
    text += fmt::format("; drew {}", player.drawn[d]);
    if (!player.discarded[d].empty()) text += " for " + rules.deck->to_string(high_to_low(player.discarded[d]));
  }
  return text + '\n';
}

// The shown hands, and the winners of each pot.
std::string end_text(const GameRules& rules, const Event& event) {
  if (event.kind == Event::Kind::kShown)
    return fmt::format("seat {} shows {}: {}\n", event.seat, rules.deck->to_string(event.cards), event.what);
  if (event.kind == Event::Kind::kMucked) return fmt::format("seat {} mucks\n", event.seat);
  if (event.kind != Event::Kind::kWon) return {};
  std::string text = fmt::format("seat {} wins {}", event.seat, event.amount);
  if (event.pot > 0) text += fmt::format(" of side pot {}", event.pot);
  if (!event.half.empty()) text += fmt::format(", {} half", event.half);
  return text + (event.what.empty() ? "\n" : fmt::format(" with {}\n", event.what));
}

void write_player(JsonWriter& json, const GameRules& rules, const View& view, Seat seat) {
  const View::Player& player = view.player[static_cast<std::size_t>(seat)];
  const auto& drawn = player.drawn;
  const auto text = [&](CardId card) { return rules.deck->to_string(card); };
  json.begin_object();
  json.member("seat", seat);
  json.member("chips", player.stack);
  json.member("bet", view.drawing ? 0 : player.bet);  // a draw ends the round
  json.member("paid", player.paid);
  json.member("folded", player.folded);
  json.member("out", player.out);
  json.member("all_in", player.all_in());
  json.array("cards", high_to_low(player.cards), text);
  json.member("card_count", player.card_count);
  json.array("up", player.up, text);
  json.begin_array("discarded");
  for (std::size_t draw = 0; draw < static_cast<std::size_t>(rules.draws); ++draw)
    if (drawn[draw] >= 0) json.values(high_to_low(player.discarded[draw]), text);
  json.end_array();
  json.begin_array("drawn");
  for (std::size_t draw = 0; draw < static_cast<std::size_t>(rules.draws); ++draw)
    if (drawn[draw] >= 0) json.value(drawn[draw]);
  json.end_array();
  json.array("shown", high_to_low(player.shown), text);
  json.end_object();
}

}  // namespace

Choice State::choice(Action action) const {
  Choice choice{action, fmt::format("action {}", action), "", {}, {}};
  if (action < 0 || action >= kMaxActions || (legal_ >> action & 1) == 0) return choice;
  if (drawing_ != 0) {
    for (std::size_t i = 0; i < at(rules_->hand_cards); ++i)
      if (((action - rules_->first_discard()) >> i & 1) != 0) choice.cards.push_back(cards(turn_)[i]);
    choice.kind = "discard";
    choice.text = choice.cards.empty() ? "stand pat" : "discard " + rules_->deck->to_string(high_to_low(choice.cards));
    return choice;
  }
  const auto bet = [&](std::string_view kind, const char* words, Chips total) {
    choice.kind = kind;
    choice.text = fmt::format("{} {}", words, total);
    choice.amount = {total, total, 1};
  };
  if (action == kFold) {
    choice.text = choice.kind = "fold";
  } else if (action == kCall && bets_.to_call() == 0) {
    choice.text = choice.kind = "check";
  } else if (action == kCall) {
    choice.kind = bets_.bring_in_due() ? "bring_in" : "call";
    choice.text = fmt::format("{} {}", bets_.bring_in_due() ? "bring in" : "call", bets_.to_call());
  } else if (bets_.completes() || bets_.bring_in_due()) {
    bet("complete", "complete to", total_of(action));
  } else if (bets_.level() == 0) {
    bet("bet", "bet", total_of(action));
  } else {
    bet("raise", "raise to", total_of(action));
  }
  return choice;
}

Action action_of(const State& state, const Decision& decision) {
  if (!decision.is_amount()) return decision.action;
  for (LegalMask bets = state.legal_mask() >> kFirstBet << kFirstBet; bets != 0; bets &= bets - 1)
    if (state.choice(std::countr_zero(bets)).amount.low == decision.amount) return std::countr_zero(bets);
  return kNoAction;
}

std::string State::to_string(Seat seat) const {
  const View seen = view(seat);
  std::string text = fmt::format("hand {}, street {}, {}\n", seen.hand_number + 1, seen.street,
                                 turn_ == kTerminal ? std::string("over") : fmt::format("seat {} to act", seen.turn));
  for (Seat owner = 0; owner < seen.players; ++owner) text += player_text(*rules_, seen, owner);
  if (!seen.board.empty()) text += "board " + rules_->deck->to_string(seen.board) + '\n';
  if (!seen.taken_out.empty()) text += "taken out " + rules_->deck->to_string(taken_out()) + '\n';
  std::vector<Event> story;
  events(story);
  text += history_text(story);
  if (seen.turn == seat && !seen.drawing) text += fmt::format("pot {}, to call {}\n", seen.pot, seen.to_call);
  for (const Event& event : story) text += end_text(*rules_, event);
  return text;
}

void State::write_table(JsonWriter& json, Seat seat) const {
  const View seen = view(seat);
  const auto text = [&](CardId card) { return rules_->deck->to_string(card); };
  json.begin_object();
  json.member("street", seen.street);
  json.member("dealer", seen.dealer);
  json.array("board", seen.board, text);
  json.member("pot", seen.pot);
  json.member("to_call", seen.turn >= 0 && !seen.drawing ? bets_.to_call() : 0);
  json.array("taken_out", taken_out(), text);
  json.begin_array("players");
  for (Seat owner = 0; owner < seen.players; ++owner) write_player(json, *rules_, seen, owner);
  json.end_array();
  json.end_object();
}

}  // namespace dealer::poker
