// From a hand played to its history.
#include "frontends/phh/poker_history.h"

#include <fmt/format.h>

#include <algorithm>

#include "env/cards/card.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "frontends/phh/poker_cards.h"

namespace dealer::phh {
namespace {

using poker::HandEvent;
using Kind = HandAction::Kind;

class Writer {
 public:
  Writer(const poker::State& state, const std::string& game)
      : state_(state), rules_(state.rules()), deck_(*rules_.deck), log_(state.log()) {
    const int n = rules_.players;
    for (int i = 1; i <= n; ++i) {
      const Seat seat = (log_.dealer + i) % n;
      if (log_.chips[at(seat)] > 0) seats_.push_back(seat);
    }
    hand_ = stakes_of(rules_, parse_spec(game).name, static_cast<int>(seats_.size()));
  }

  HandHistory write(const std::string& game, const std::vector<std::string>& players) {
    for (const HandEvent& event : log_.events) write_event(event);
    write_showdown();
    for (const Seat seat : seats_) {
      hand_.starting_stacks.push_back(log_.chips[at(seat)]);
      hand_.finishing_stacks.push_back(log_.chips[at(seat)] + state_.last_hand().net[at(seat)]);
    }
    write_seats(players);
    hand_.set_text("_game", game);
    if (rules_.random_mix()) {
      std::string suits;
      for (std::size_t rank = 0; rank < deck_.ranks().size(); ++rank)
        suits += deck_.suits()[state_.view(0).taken_out[rank]].symbol;
      hand_.set_text("_taken_out", suits);
    }
    return std::move(hand_);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int player(Seat seat) const {
    return static_cast<int>(std::find(seats_.begin(), seats_.end(), seat) - seats_.begin());
  }

  HandAction& add(Kind kind, Seat seat, std::span<const CardId> cards = {}) {
    HandAction action;
    action.kind = kind;
    action.player = seat < 0 ? -1 : player(seat);
    action.cards = card_texts(deck_, cards);
    hand_.actions.push_back(std::move(action));
    return hand_.actions.back();
  }

  void write_event(const HandEvent& event) {
    switch (event.kind) {
      case HandEvent::Kind::kDealtDown:
      case HandEvent::Kind::kDealtUp:
        write_deal(event);
        return;
      case HandEvent::Kind::kBoard:
        add(Kind::kDealBoard, -1, event.cards);
        return;
      case HandEvent::Kind::kDrew:
        add(Kind::kDiscard, event.seat, event.cards);
        if (!event.drawn.empty()) add(Kind::kDealHole, event.seat, event.drawn);
        return;
      case HandEvent::Kind::kFolded:
        add(Kind::kFold, event.seat);
        break;
      case HandEvent::Kind::kCalled:
        // The first to act posts the bring-in unless it completes.
        add(rules_.bets.bring_in > 0 && !acted_ ? Kind::kBringIn : Kind::kCall, event.seat);
        break;
      case HandEvent::Kind::kBetTo:
        add(Kind::kBetTo, event.seat).amount = event.total;
    }
    acted_ = true;
  }

  // What comes down and up at once is one deal.
  void write_deal(const HandEvent& event) {
    if (event.kind == HandEvent::Kind::kDealtUp && !hand_.actions.empty()) {
      HandAction& last = hand_.actions.back();
      if (last.kind == Kind::kDealHole && last.player == player(event.seat)) {
        for (std::string& text : card_texts(deck_, event.cards)) last.cards.push_back(std::move(text));
        return;
      }
    }
    add(Kind::kDealHole, event.seat, event.cards);
  }

  void write_showdown() {
    const poker::HandRecord record = state_.last_hand();
    if (record.showdown == 0) return;
    Seat first = state_.bets().shows_first();
    if (first < 0) first = seats_[0];
    for (int i = 0; i < rules_.players; ++i) {
      const Seat seat = (first + i) % rules_.players;
      if ((record.showdown >> seat & 1) == 0) continue;
      const bool shows = (record.shown >> seat & 1) != 0;
      add(Kind::kShow, seat, shows ? state_.cards(seat) : std::span<const CardId>());
    }
  }

  void write_seats(const std::vector<std::string>& players) {
    TomlValue seats, names;
    seats.kind = names.kind = TomlValue::Kind::kArray;
    for (const Seat seat : seats_) {
      TomlValue number;
      number.kind = TomlValue::Kind::kNumber;
      number.text = std::to_string(seat + 1);
      seats.items.push_back(number);
      if (players.empty()) continue;
      TomlValue name;
      name.text = players[at(seat)];
      names.items.push_back(name);
    }
    hand_.others.emplace_back("seats", std::move(seats));
    hand_.set_number("seat_count", rules_.players);
    if (!players.empty()) hand_.others.emplace_back("players", std::move(names));
  }

  const poker::State& state_;
  const poker::GameRules& rules_;
  const Deck& deck_;
  const poker::HandLog log_;
  std::vector<Seat> seats_;  // by player
  HandHistory hand_;
  bool acted_ = false;
};

bool is_plain_deck(const Deck& deck) { return deck.begins_as_standard() && deck.size() == kCards; }

}  // namespace

HandHistory poker_history(const poker::State& state, const std::string& game, const std::vector<std::string>& players) {
  return Writer(state, game).write(game, players);
}

HandHistory stakes_of(const poker::GameRules& rules, const std::string& game_name, int players) {
  const betting::BetRules& bets = rules.bets;
  const auto n = static_cast<std::size_t>(players);
  HandHistory hand;
  hand.variant = variant_of(rules, game_name);
  hand.antes.assign(n, bets.ante);
  if (rules.procedure != poker::Procedure::kStud) {
    hand.blinds_or_straddles.assign(n, 0);
    hand.blinds_or_straddles[0] = bets.small_blind;
    hand.blinds_or_straddles[1] = bets.big_blind;
  }
  if (bets.bring_in > 0) hand.bring_in = bets.bring_in;
  if (bets.limit == betting::Limit::kStructured) {
    hand.small_bet = bets.size[0];
    hand.big_bet = bets.size[static_cast<std::size_t>(rules.rounds - 1)];
  } else {
    hand.min_bet = bets.size[0];
  }
  return hand;
}

std::string variant_of(const poker::GameRules& rules, const std::string& game_name) {
  const betting::BetRules& bets = rules.bets;
  const std::string high = rules.high->ranking().name(), low = rules.low ? rules.low->ranking().name() : "";
  const bool structured = bets.limit == betting::Limit::kStructured;
  if (is_plain_deck(*rules.deck) && bets.odd_chips == betting::OddChips::kLeftOfDealer) {
    if (rules.procedure == poker::Procedure::kHoldem && high == "high" && low.empty() && bets.big_blind > 0) {
      if (structured) return "FT";
      if (bets.limit == betting::Limit::kNoLimit) return "NT";
    }
    if (rules.procedure == poker::Procedure::kStud && structured && bets.bring_in > 0 && !rules.shared_card()) {
      if (high == "high" && low.empty()) return "F7S";
      if (high == "high" && low == "eight_or_better") return "F7S/8";
      if (high == "ace_to_five" && low.empty()) return "FR";
    }
  }
  return std::string(kOwnVariant) + game_name;
}

std::string standard_game(const HandHistory& hand) {
  const auto refuse = [](const std::string& what) { throw ParseError(what + ", which is not played here"); };
  std::string name;
  if (hand.variant == "FT" || hand.variant == "NT") name = "holdem";
  if (hand.variant == "F7S") name = "stud";
  if (hand.variant == "F7S/8") name = "stud_hi_lo";
  if (hand.variant == "FR") name = "razz";
  if (name.empty()) refuse(fmt::format("this is a hand of variant {}", hand.variant));
  for (const Amount ante : hand.antes)
    if (ante != hand.antes[0]) refuse("the players pay different antes");
  const std::vector<Amount>& blinds = hand.blinds_or_straddles;
  // The file tells everybody's chips; the stack must only be one that the rules allow. A cap that this hand cannot
  // reach keeps hands with deep stacks short enough for the game.
  const Amount posted = hand.antes[0] + (name == "holdem" ? blinds[1] : 0);
  const Amount stack =
      std::max(*std::max_element(hand.starting_stacks.begin(), hand.starting_stacks.end()), posted + 1);
  const auto raises = 1 + std::count_if(hand.actions.begin(), hand.actions.end(), [](const HandAction& action) {
                        return action.kind == HandAction::Kind::kBetTo;
                      });
  std::string options = fmt::format("players={},raises_per_player=null,raises_per_round={},ante={},stack={}",
                                    hand.players(), raises, hand.antes[0], stack);
  if (hand.variant == "NT")
    options += fmt::format(",limit=no_limit,min_bet={}", *hand.min_bet);
  else
    options += fmt::format(",limit=structured,min_bet={},big_bet={}", *hand.small_bet, *hand.big_bet);
  if (name == "holdem") {
    if (std::any_of(blinds.begin() + 2, blinds.end(), [](Amount blind) { return blind != 0; }))
      refuse("there is a straddle");
    options += fmt::format(",blinds=[{},{}]", blinds[0], blinds[1]);
  } else {
    options += fmt::format(",bring_in={}", *hand.bring_in);
  }
  return fmt::format("{}[{}]", name, options);
}

}  // namespace dealer::phh
