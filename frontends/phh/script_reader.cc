// Converts the actions of a history to input for play_script().
#include "frontends/phh/script_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "env/core/error.h"
#include "env/core/numbers.h"
#include "frontends/phh/poker_cards.h"

namespace dealer::phh {

using Kind = HandAction::Kind;
using poker::Procedure;
using poker::Script;

ScriptReader::ScriptReader(const poker::GameRules& rules, const HandHistory& hand)
    : rules_(rules), hand_(hand), deck_(*rules.deck) {
  read_seats();
  read_chips();
  read_mix();
  find_unknown();
}

void ScriptReader::fail(const std::string& what) const {
  throw Problem{action_->line, fmt::format("'{}': {}", to_string(*action_, hand_.decimals), what)};
}

Script ScriptReader::script(std::span<const HandAction* const> actions) {
  Script script = start_;
  received_.assign(seats_.size(), 0);
  draws_.assign(seats_.size(), 0);
  hands_.assign(seats_.size(), {});
  unused_ = spare_;
  street_ = 0, board_ = 0;
  for (const HandAction* action : actions) {
    action_ = action;
    if (action->kind == Kind::kMove) fail("a betting game has no moves; expected cbr, cc, f, sd, sm or pb");
    if (action->kind == Kind::kDealHole) deal_hole(script);
    if (action->kind == Kind::kDealBoard) deal_board(script);
    if (action->is_decision()) action->kind == Kind::kDiscard ? discard(script) : bet(script);
  }
  return script;
}

// `seats` gives the seats; without it the players sit in order. The last is the dealer.
void ScriptReader::read_seats() {
  const TomlValue* list = hand_.other("seats");
  if (list != nullptr && list->items.size() != hand_.starting_stacks.size())
    throw Problem{hand_.line_of("seats"),
                  fmt::format("seats: {} numbers for {} players", list->items.size(), hand_.players())};
  for (int i = 0; i < hand_.players(); ++i) {
    Seat seat = i;
    if (list != nullptr) seat = number_in<Seat>(list->items[at(i)].text).value_or(0) - 1;
    if (seat < 0 || seat >= rules_.players || std::find(seats_.begin(), seats_.end(), seat) != seats_.end())
      throw Problem{hand_.line_of(list != nullptr ? "seats" : "starting_stacks"),
                    fmt::format("{} players do not fit into {} seats of their own", hand_.players(), rules_.players)};
    seats_.push_back(seat);
  }
  // Clockwise from the dealer's left.
  const auto turn = [&](Seat seat) { return (seat - seats_.back() - 1 + rules_.players) % rules_.players; };
  if (!std::is_sorted(seats_.begin(), seats_.end(), [&](Seat a, Seat b) { return turn(a) < turn(b); }))
    throw Problem{hand_.line_of("seats"), "the seats are not in clockwise order, the dealer's last"};
  start_.dealer = seats_.back();
  for (const Seat seat : seats_) start_.in = static_cast<betting::SeatSet>(start_.in | betting::bit(seat));
}

void ScriptReader::read_chips() {
  Amount total = 0;
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    total += hand_.starting_stacks[i];
    if (total >= betting::kMaxChips)
      throw Problem{hand_.line_of("starting_stacks"),
                    fmt::format("there are more than {} chips at the table", betting::kMaxChips - 1)};
    start_.chips[at(seats_[i])] = static_cast<betting::Chips>(hand_.starting_stacks[i]);
  }
}

void ScriptReader::read_mix() {
  if (!rules_.random_mix()) return;
  const std::string suits = hand_.other_text("_taken_out").value_or("");
  const std::size_t ranks = deck_.ranks().size();
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    int found = -1;
    for (int suit = 0; suit < Deck::kReplaceable && rank < suits.size(); ++suit)
      if (deck_.suits()[at(suit)].symbol == suits[rank]) found = suit;
    if (found < 0 || suits.size() != ranks)
      throw Problem{hand_.line_of("_taken_out"),
                    fmt::format("_taken_out: expected a suit for each of the ranks {}", deck_.ranks())};
    start_.taken_out[rank] = static_cast<std::uint8_t>(found);
  }
}

// Arbitrary remaining cards replace the unknown ones of players who fold, and of the last one left, who wins without a
// showdown.
void ScriptReader::find_unknown() {
  may_hide_.assign(seats_.size(), false);
  for (const HandAction& action : hand_.actions)
    if (action.kind == Kind::kFold) may_hide_[at(action.player)] = true;
  if (std::count(may_hide_.begin(), may_hide_.end(), false) == 1) may_hide_.assign(seats_.size(), true);
  const std::vector<bool> named = named_cards(deck_, hand_);
  for (const CardId card : deck_.in_play(std::span(start_.taken_out).first(deck_.ranks().size())))
    if (!named[card]) spare_.push_back(card);
}

CardId ScriptReader::read_card(const std::string& text) {
  if (text == "??") {
    const bool may_be_unknown = action_->player >= 0 && may_hide_[at(action_->player)];
    if (!may_be_unknown || rules_.procedure == Procedure::kDraw || unused_.empty())
      fail("a deciding card is unknown, so that the hand cannot be replayed");
    const CardId card = unused_.back();
    unused_.pop_back();
    return card;
  }
  const auto card = try_card(deck_, text);
  if (!card) fail(fmt::format("'{}' is not a card of the deck '{}'", text, deck_.name()));
  return *card;
}

void ScriptReader::expect_not_dealt(CardId card, const Script& script) const {
  const auto has = [card](const std::vector<CardId>& cards) {
    return std::find(cards.begin(), cards.end(), card) != cards.end();
  };
  if (std::any_of(hands_.begin(), hands_.end(), has) || std::any_of(script.board.begin(), script.board.end(), has))
    fail(fmt::format("{} is dealt twice", card_text(deck_, card)));
}

void ScriptReader::deal_hole(Script& script) {
  const std::size_t p = at(action_->player);
  Script::Player& player = script.player[at(seats_[p])];
  for (const std::string& text : action_->cards) {
    const CardId card = read_card(text);
    expect_not_dealt(card, script);
    hands_[p].push_back(card);
    const int index = received_[p]++;
    if (rules_.draws > 0) {
      if (index >= rules_.hand_cards && draws_[p] == 0) fail("more cards than a hand has");
      player.down[at(index < rules_.hand_cards ? 0 : draws_[p])].push_back(card);
      continue;
    }
    int before = 0, street = 0;
    while (street < rules_.streets && index >= before + size_of(street)) before += size_of(street++);
    if (street == rules_.streets) fail("more cards than a hand has");
    street_ = std::max(street_, street);
    (index - before < rules_.street[at(street)].down ? player.down : player.up)[at(street)].push_back(card);
  }
}

void ScriptReader::deal_board(Script& script) {
  for (const std::string& text : action_->cards) {
    const CardId card = read_card(text);
    expect_not_dealt(card, script);
    int street = rules_.streets - 1;
    if (rules_.procedure == Procedure::kHoldem) {
      int before = 0;
      for (street = 0; street < rules_.streets && board_ >= before + rules_.street[at(street)].board; ++street)
        before += rules_.street[at(street)].board;
    }
    if (!rules_.has_board() || street == rules_.streets) fail("more cards than the board has");
    ++board_;
    street_ = std::max(street_, street);
    script.board[at(street)].push_back(card);
  }
}

void ScriptReader::discard(Script& script) {
  const std::size_t p = at(action_->player);
  if (draws_[p] == rules_.draws) fail("there is no draw left");
  Script::Discard& discarded = script.player[at(seats_[p])].discarded[at(draws_[p]++)];
  street_ = std::max(street_, rules_.streets - rules_.draws + draws_[p] - 1);
  std::vector<CardId> cards;
  for (const std::string& text : action_->cards) {
    cards.push_back(read_card(text));
    std::erase(hands_[p], cards.back());
  }
  discarded = {static_cast<int>(cards.size()), cards};
}

void ScriptReader::bet(Script& script) {
  const std::size_t p = at(action_->player);
  const int round = rules_.street[at(street_)].round;
  if (round < 0) fail("nobody may bet before the draw");
  if (action_->amount >= betting::kMaxChips) fail("there are not so many chips");
  const Action action = action_->kind == Kind::kFold    ? poker::kFold
                        : action_->kind == Kind::kBetTo ? poker::kFirstBet
                                                        : poker::kCall;
  // Folded hands go back into the stock when it is used up.
  if (action_->kind == Kind::kFold && rules_.draws > 0) hands_[p].clear();
  script.player[at(seats_[p])].bets[at(round)].push_back({action, static_cast<betting::Chips>(action_->amount)});
}

}  // namespace dealer::phh
