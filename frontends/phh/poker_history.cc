// From the events of a hand to its history.
#include "frontends/phh/poker_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "env/cards/card.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "frontends/phh/poker_cards.h"
#include "frontends/phh/variants.h"

namespace dealer::phh {
namespace {

using Kind = HandAction::Kind;

class Writer {
 public:
  Writer(const poker::GameRules& rules, const std::string& game, const std::vector<std::string>& players)
      : rules_(rules), game_(game), players_(players), deck_(*rules.deck) {}

  HandHistory write(std::span<const Event> events) {
    for (const Event& event : events) write_event(event);
    return std::move(hand_);
  }

 private:
  int player(Seat seat) const {
    return static_cast<int>(std::find(seats_.begin(), seats_.end(), seat) - seats_.begin());
  }

  HandAction& add(Kind kind, const Event& event) {
    HandAction action;
    action.kind = kind;
    action.player = event.seat < 0 ? -1 : player(event.seat);
    action.cards = card_texts(deck_, event.cards);
    // Unseen cards.
    if (event.kind != Event::Kind::kShown && event.kind != Event::Kind::kMucked)
      action.cards.resize(std::max(action.cards.size(), static_cast<std::size_t>(event.count)), "??");
    hand_.actions.push_back(std::move(action));
    return hand_.actions.back();
  }

  void write_event(const Event& event) {
    // Draws may follow each other without betting between them.
    const bool draws_on =
        event.kind == Event::Kind::kDrew ||
        (event.kind == Event::Kind::kDiscarded && (drawn_.empty() || drawn_.front()->street == event.street));
    if (!draws_on) deal_drawn();
    switch (event.kind) {
      case Event::Kind::kHandBegun:
        begin(event);
        break;
      case Event::Kind::kPosted:
        // The stakes already give antes and blinds.
        if (event.what == "bring_in") add(Kind::kBringIn, event);
        break;
      case Event::Kind::kDealt:
        write_deal(event);
        break;
      case Event::Kind::kActed:
        if (event.what == "fold")
          add(Kind::kFold, event);
        else if (event.what == "check" || event.what == "call")
          add(Kind::kCall, event);
        else
          add(Kind::kBetTo, event).amount = event.total;
        break;
      case Event::Kind::kDiscarded:
        add(Kind::kDiscard, event);
        break;
      case Event::Kind::kDrew:
        if (is_standard_variant(hand_.variant))
          drawn_.push_back(&event);
        else
          add(Kind::kDealHole, event);
        break;
      case Event::Kind::kShown:
      case Event::Kind::kMucked:
        add(Kind::kShow, event);
        break;
      case Event::Kind::kHandEnded:
        end(event);
        break;
      default:
        break;
    }
  }

  void begin(const Event& event) {
    for (int i = 1; i <= rules_.players; ++i) {
      const Seat seat = (event.seat + i) % rules_.players;
      if (event.values[at(seat)] > 0) seats_.push_back(seat);
    }
    hand_ = stakes_of(rules_, parse_spec(game_).name, static_cast<int>(seats_.size()));
    for (const Seat seat : seats_) hand_.starting_stacks.push_back(event.values[at(seat)]);
    taken_out_ = event.cards;
  }

  // In the standard's variants all players discard before new cards are dealt.
  void deal_drawn() {
    for (const Event* event : drawn_) add(Kind::kDealHole, *event);
    drawn_.clear();
  }

  // Cards dealt down and up together form one deal.
  void write_deal(const Event& event) {
    if (event.seat < 0) {
      add(Kind::kDealBoard, event);
      return;
    }
    if (event.what == "up" && !hand_.actions.empty()) {
      HandAction& last = hand_.actions.back();
      if (last.kind == Kind::kDealHole && last.player == player(event.seat)) {
        for (std::string& text : card_texts(deck_, event.cards)) last.cards.push_back(std::move(text));
        return;
      }
    }
    add(Kind::kDealHole, event);
  }

  void end(const Event& event) {
    for (std::size_t i = 0; i < seats_.size(); ++i)
      hand_.finishing_stacks.push_back(hand_.starting_stacks[i] + event.values[at(seats_[i])]);
    write_seats();
    hand_.set_text("_game", game_);
    if (taken_out_.empty()) return;
    std::string suits(deck_.ranks().size(), ' ');
    for (const CardId card : taken_out_)
      suits[at(deck_.card(card).rank)] = deck_.suits()[at(deck_.card(card).suit)].symbol;
    hand_.set_text("_taken_out", suits);
  }

  void write_seats() {
    std::vector<std::int64_t> seats;
    std::vector<std::string> names;
    for (const Seat seat : seats_) {
      seats.push_back(seat + 1);
      if (!players_.empty()) names.push_back(players_[at(seat)]);
    }
    hand_.set_numbers("seats", seats);
    hand_.set_number("seat_count", rules_.players);
    if (!names.empty()) hand_.set_texts("players", names);
    // Includes players who are out of the match.
    if (!names.empty() && names.size() < players_.size()) hand_.set_texts("_players", players_);
  }

  const poker::GameRules& rules_;
  const std::string& game_;
  const std::vector<std::string>& players_;
  const Deck& deck_;
  std::vector<Seat> seats_;  // by player
  std::vector<CardId> taken_out_;
  std::vector<const Event*> drawn_;  // draws to write after the last discard of the round
  HandHistory hand_;
};

// A PHH variant code, and our game with its rules, regardless of stakes.
struct GameOfVariant {
  std::string_view code, game;
  poker::Procedure procedure;
  betting::Limit limit;
};
constexpr auto kDraw = poker::Procedure::kDraw, kStud = poker::Procedure::kStud, kHoldem = poker::Procedure::kHoldem;
constexpr auto kStructured = betting::Limit::kStructured, kNoLimit = betting::Limit::kNoLimit;
constexpr std::array<GameOfVariant, 9> kGamesOfVariants = {{
    {"FT", "holdem", kHoldem, kStructured},
    {"NT", "holdem", kHoldem, kNoLimit},
    {"NS", "holdem", kHoldem, kNoLimit},
    {"F7S", "stud", kStud, kStructured},
    {"F7S/8", "stud_hi_lo", kStud, kStructured},
    {"FR", "razz", kStud, kStructured},
    {"N2L1D", "deuce_single_draw", kDraw, kNoLimit},
    {"F2L3D", "deuce_triple_draw", kDraw, kStructured},
    {"FB", "badugi", kDraw, kStructured},
}};

bool has_rules_of(const poker::GameRules& rules, const GameOfVariant& game) {
  const StandardVariant& variant = *find_variant(game.code);
  if (rules.deck->fingerprint() != variant.cards().fingerprint()) return false;
  const bool stakes = game.procedure == kStud ? rules.bets.bring_in > 0 && !rules.shared_card()
                                              : rules.bets.big_blind > 0 && rules.rounds == rules.streets;
  return stakes && rules.bets.odd_chips == betting::OddChips::kLeftOfDealer && rules.procedure == game.procedure &&
         rules.bets.limit == game.limit && rules.draws == variant.draws() &&
         rules.high->ranking().name() == variant.high && (rules.low ? rules.low->ranking().name() : "") == variant.low;
}

}  // namespace

HandHistory poker_history(const poker::GameRules& rules, const std::string& game, std::span<const Event> events,
                          const std::vector<std::string>& players) {
  return Writer(rules, game, players).write(events);
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
  for (const GameOfVariant& game : kGamesOfVariants)
    if (has_rules_of(rules, game)) return std::string(game.code);
  return std::string(kOwnVariant) + game_name;
}

std::string game_of_variant(std::string_view code) {
  for (const GameOfVariant& game : kGamesOfVariants)
    if (game.code == code && code != "NS")
      return fmt::format("{}{}", game.game, code == "NT" ? "[limit=no_limit]" : "");
  return {};
}

}  // namespace dealer::phh
