// A state for people and for programs, as one seat may see it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "env/games/poker/state.h"

namespace dealer::poker {
namespace {

// From high to low, as people hold them.
std::string cards_text(const Deck& deck, std::span<const CardId> cards) {
  std::vector<CardId> sorted(cards.rbegin(), cards.rend());
  std::sort(sorted.rbegin(), sorted.rend());
  return deck.to_string(sorted);
}

std::string cards_text(const Deck& deck, const std::vector<SeenCard>& cards) {
  std::vector<CardId> plain;
  plain.reserve(cards.size());
  for (const SeenCard& card : cards) plain.push_back(card.card);
  return cards_text(deck, plain);
}

std::vector<int> seats_of(SeatSet set) {
  std::vector<int> seats;
  for (unsigned rest = set; rest != 0; rest &= rest - 1) seats.push_back(std::countr_zero(rest));
  return seats;
}

std::string action_text(const PastAction& action) {
  if (action.action == kFold) return fmt::format("{} folds", action.seat);
  if (action.action == kCall) return fmt::format("{} calls", action.seat);
  return fmt::format("{} bets to {}", action.seat, action.total);
}

std::string history_text(const View& view) {
  std::string text;
  for (std::size_t i = 0; i < view.actions.size(); ++i) {
    const bool new_round = i == 0 || view.actions[i].round != view.actions[i - 1].round;
    text += fmt::format("{}{}", new_round ? fmt::format("\nround {}: ", view.actions[i].round + 1) : ", ",
                        action_text(view.actions[i]));
  }
  return text.empty() ? text : text.substr(1) + '\n';
}

std::string player_text(const GameRules& rules, const View& view, Seat seat) {
  const View::Player& player = view.player[static_cast<std::size_t>(seat)];
  if (player.out) return fmt::format("seat {}, out\n", seat);
  std::string text =
      fmt::format("seat {}{}{}{}: {} chips, {} in the pot", seat, seat == view.me ? " (you)" : "",
                  seat == view.dealer ? ", dealer" : "", player.folded ? ", folded" : "", player.stack, player.paid);
  if (player.bet > 0) text += fmt::format(", {} in this round", player.bet);
  if (!player.cards.empty()) text += "; " + cards_text(*rules.deck, player.cards);
  if (!player.up.empty()) text += "; up " + rules.deck->to_string(player.up);
  if (player.showed) text += "; showed " + cards_text(*rules.deck, player.shown);
  if (player.mucked) text += "; mucked";
  for (int draw = 0; draw < rules.draws; ++draw) {
    const auto d = static_cast<std::size_t>(draw);
    if (player.drawn[d] < 0) continue;
    text += fmt::format("; drew {}", player.drawn[d]);
    if (!player.discarded[d].empty()) text += " for " + cards_text(*rules.deck, player.discarded[d]);
  }
  return text + '\n';
}

nlohmann::json player_json(const GameRules& rules, const View& view, Seat seat) {
  const View::Player& player = view.player[static_cast<std::size_t>(seat)];
  nlohmann::json json = {
      {"chips", player.stack},          {"bet", player.bet}, {"paid", player.paid},
      {"folded", player.folded},        {"out", player.out}, {"cards", cards_text(*rules.deck, player.cards)},
      {"card_count", player.card_count}};
  if (rules.procedure == Procedure::kStud) json["up"] = rules.deck->to_string(player.up);
  for (int draw = 0; draw < rules.draws; ++draw) {
    const auto d = static_cast<std::size_t>(draw);
    if (player.drawn[d] < 0) continue;
    json["drawn"].push_back(player.drawn[d]);
    json["discarded"].push_back(cards_text(*rules.deck, player.discarded[d]));
  }
  return json;
}

nlohmann::json record_json(const GameRules& rules, const HandRecord& hand) {
  nlohmann::json json = {
      {"dealer", hand.dealer},
      {"board", rules.deck->to_string(std::span(hand.board).first(static_cast<std::size_t>(hand.board_count)))},
      {"discarded", hand.odd_chips},
      {"shown", nlohmann::json::array()},
      {"pots", nlohmann::json::array()}};
  for (Seat seat = 0; seat < rules.players; ++seat) {
    const auto s = static_cast<std::size_t>(seat);
    json["net"].push_back(hand.net[s]);
    json["payout"].push_back(hand.payout[s]);
    if ((hand.shown >> seat & 1) != 0)
      json["shown"].push_back(
          {{"seat", seat}, {"cards", cards_text(*rules.deck, std::span(hand.cards[s]).first(hand.card_count[s]))}});
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(hand.pots); ++i)
    json["pots"].push_back({{"chips", hand.pot_chips[i]},
                            {"eligible", seats_of(hand.pot_eligible[i])},
                            {"high", seats_of(hand.pot_high[i])},
                            {"low", seats_of(hand.pot_low[i])}});
  return json;
}

}  // namespace

Choice State::choice(Action action) const {
  Choice choice{action, fmt::format("action {}", action), "", {}, {}};
  if (action < 0 || action >= kMaxActions || (legal_ >> action & 1) == 0) return choice;
  if (drawing_ != 0) {
    for (std::size_t i = 0; i < kDrawHand; ++i)
      if (((action - rules_->first_discard()) >> i & 1) != 0) choice.cards.push_back(cards(turn_)[i]);
    choice.kind = "discard";
    choice.text = choice.cards.empty() ? "stand pat" : "discard " + cards_text(*rules_->deck, choice.cards);
    return choice;
  }
  const auto bet = [&](std::string_view kind, const char* words, Chips total) {
    choice.kind = kind;
    choice.text = fmt::format("{} {}", words, total);
    choice.amount = {total, total, 1};
  };
  if (action == kFold) {
    choice.kind = choice.text = "fold";
  } else if (action == kCall && bets_.to_call() == 0) {
    choice.kind = choice.text = "check";
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

// [PLACEHOLDER]
void State::events(std::vector<Event>&) const {}

std::string State::to_string(Seat seat) const {
  const View seen = view(seat);
  std::string text = fmt::format("hand {}, street {}, {}\n", seen.hand_number + 1, seen.street,
                                 turn_ == kTerminal ? std::string("over") : fmt::format("seat {} to act", seen.turn));
  for (Seat owner = 0; owner < seen.players; ++owner) text += player_text(*rules_, seen, owner);
  if (!seen.board.empty()) text += "board " + rules_->deck->to_string(seen.board) + '\n';
  if (!seen.taken_out.empty()) {
    text += "taken out";
    for (std::size_t rank = 0; rank < seen.taken_out.size(); ++rank)
      text += fmt::format(" {}{}", rules_->deck->ranks()[rank], rules_->deck->suits()[seen.taken_out[rank]].symbol);
    text += '\n';
  }
  text += history_text(seen);
  if (seen.turn == seat && !seen.drawing) text += fmt::format("pot {}, to call {}\n", seen.pot, seen.to_call);
  return text;
}

nlohmann::json State::table_json(Seat seat) const {
  const View seen = view(seat);
  nlohmann::json json = {{"seat", seat},
                         {"hand_number", seen.hand_number + 1},
                         {"street", seen.street},
                         {"dealer", seen.dealer},
                         {"to_act", seen.turn == kTerminal ? nlohmann::json(nullptr) : nlohmann::json(seen.turn)},
                         {"drawing", seen.drawing},
                         {"pot", seen.pot},
                         {"board", rules_->deck->to_string(seen.board)},
                         {"history", nlohmann::json::array()}};
  if (seen.turn >= 0 && !seen.drawing) {
    json["to_call"] = bets_.to_call();
    json["bet_from"] = bets_.range().low;
    json["bet_up_to"] = bets_.range().high;
  }
  if (!seen.taken_out.empty()) json["taken_out"] = seen.taken_out;
  for (Seat owner = 0; owner < seen.players; ++owner) json["players"].push_back(player_json(*rules_, seen, owner));
  for (const PastAction& action : seen.actions) {
    nlohmann::json entry = {{"round", action.round},
                            {"seat", action.seat},
                            {"action", action.action == kFold   ? "fold"
                                       : action.action == kCall ? "call"
                                                                : "bet"}};
    if (action.action == kFirstBet) entry["total"] = action.total;
    json["history"].push_back(entry);
  }
  if (hand_over()) json["last_hand"] = record_json(*rules_, last_hand());
  return json;
}

}  // namespace dealer::poker
