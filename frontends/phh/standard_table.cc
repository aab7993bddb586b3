#include "frontends/phh/standard_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "env/core/at.h"
#include "env/core/error.h"
#include "frontends/phh/poker_cards.h"

namespace dealer::phh {

using Kind = HandAction::Kind;
using CardEvent = StandardEvent::Kind;

StandardTable::StandardTable(const StandardHand& hand, HouseRules house)
    : hand_(&hand), house_(house), deck_(&hand.variant->cards()), players_(hand.stacks.size()) {
  used_.assign(at(deck_->size()), false);
  gone_ = used_;
  for (std::size_t i = 0; i < players_.size(); ++i) players_[i].stack = hand.stacks[i];
  post_forced();
  begin_street(0);
}

void StandardTable::play(const HandAction& action) {
  if (action.player >= 0 && players_[at(action.player)].folded)
    throw ParseError(fmt::format("p{} has folded", action.player + 1));
  if (action.kind != Kind::kCall) may_check_ = -1;
  switch (action.kind) {
    case Kind::kDealHole:
      return deal_hole(action);
    case Kind::kDealBoard:
      return deal_board(action);
    case Kind::kDiscard:
      return discard(action);
    case Kind::kShow:
      return show(action);
    case Kind::kMove:
      throw ParseError("a betting game has no moves; expected cbr, cc, f, sd, sm or pb");
    default:
      return bet(action);
  }
}

StandardEvent& StandardTable::add_event(StandardEvent::Kind kind, int player) {
  events_.emplace_back();
  events_.back().kind = kind;
  events_.back().player = player;
  events_.back().street = street_;
  return events_.back();
}

int StandardTable::to_act() const {
  if (stage_ == Stage::kBets) return opener_open_ ? -1 : actor_;
  for (std::size_t i = 0; i < players_.size(); ++i)
    if (players_[i].discards) return static_cast<int>(i);
  return -1;
}

std::string StandardTable::waiting_for() const {
  if (over()) return "nothing is left to do";
  if (stage_ == Stage::kBets && opener_open_) return "somebody is to open the betting";
  return to_act() >= 0 ? fmt::format("p{} is to act", to_act() + 1) : "a card is missing";
}

void StandardTable::fail_turn(int player) const {
  if (over()) throw ParseError("the hand is over");
  if (stage_ == Stage::kCards && to_act() < 0) throw ParseError("a card is missing before it");
  if (to_act() == player && stage_ == Stage::kCards) throw ParseError("expected what it discards: sd");
  throw ParseError(fmt::format("out of turn; {}", waiting_for()));
}

// ---- Cards

void StandardTable::begin_street(int street) {
  stage_ = Stage::kCards;
  street_ = street;
  for (Player& player : players_) {
    if (player.folded) continue;
    player.wanted = this->street().down + this->street().up;
    player.discards = this->street().draw;
  }
  board_wanted_ = this->street().board;
}

void StandardTable::cards_dealt() {
  const auto waits = [](const Player& player) { return player.wanted > 0 || player.discards; };
  if (board_wanted_ == 0 && std::none_of(players_.begin(), players_.end(), waits)) begin_bets();
}

CardId StandardTable::read_card(const std::string& text) const {
  if (text == "??") return kUnknown;
  const auto card = try_card(*deck_, text);
  if (!card) throw ParseError(fmt::format("'{}' is not a card of the deck '{}'", text, deck_->name()));
  return *card;
}

// In games with draws the discards come back when the stock is used up; up to this many cards may have been
// burned.
void StandardTable::expect_free(CardId card) const {
  if (card == kUnknown || !used_[card]) return;
  const bool shuffled_again = street().draw && dealt_ >= deck_->size() - street_;
  if (!gone_[card] || !shuffled_again) throw ParseError(fmt::format("{} is dealt twice", card_text(*deck_, card)));
}

void StandardTable::take_card(CardId card) {
  if (card == kUnknown) return;
  used_[card] = true;
  gone_[card] = false;
}

std::vector<std::string> StandardTable::texts(const std::vector<CardId>& cards) const {
  std::vector<std::string> texts;
  texts.reserve(cards.size());
  for (const CardId card : cards) texts.push_back(card == kUnknown ? "??" : card_text(*deck_, card));
  return texts;
}

std::vector<CardId> StandardTable::read_dealt(const std::vector<std::string>& texts) const {
  std::vector<CardId> cards;
  for (const std::string& text : texts) {
    cards.push_back(read_card(text));
    expect_free(cards.back());
    if (cards.back() != kUnknown && std::count(cards.begin(), cards.end(), cards.back()) > 1)
      throw ParseError(fmt::format("{} is dealt twice", text));
  }
  return cards;
}

void StandardTable::deal_hole(const HandAction& action) {
  Player& player = players_[at(action.player)];
  if (stage_ != Stage::kCards || player.discards)
    throw ParseError(over() ? "the hand is over" : fmt::format("no cards are dealt now; {}", waiting_for()));
  if (static_cast<int>(action.cards.size()) > player.wanted) throw ParseError("more cards than a hand has");
  const std::vector<CardId> cards = read_dealt(action.cards);
  if (!street().draw && dealt_ + static_cast<int>(cards.size()) > deck_->size())
    throw ParseError("more cards than the deck has");
  for (const CardId card : cards) {
    take_card(card);
    ++dealt_;
    // The up cards of a street come last.
    player.open.push_back(player.wanted <= street().up);
    player.cards.push_back(card);
    --player.wanted;
  }
  add_event(CardEvent::kDealt, action.player).cards = texts(cards);
  cards_dealt();
}

void StandardTable::deal_board(const HandAction& action) {
  if (stage_ != Stage::kCards || to_act() >= 0)
    throw ParseError(over() ? "the hand is over" : fmt::format("no cards are dealt now; {}", waiting_for()));
  const int count = static_cast<int>(action.cards.size());
  // If the deck is too small for a last card each, one is dealt to all. Up to this many cards may have been burned.
  const bool shared = variant().has_bring_in() && street_ + 1 == static_cast<int>(variant().streets.size()) &&
                      board_wanted_ == 0 && count == 1 && dealt_ + live() > deck_->size() - street_ - 1 &&
                      std::all_of(players_.begin(), players_.end(),
                                  [](const Player& player) { return player.folded || player.wanted == 1; });
  if (count > board_wanted_ && !shared) throw ParseError("more cards than the board has");
  const std::vector<CardId> cards = read_dealt(action.cards);
  if (dealt_ + count > deck_->size()) throw ParseError("more cards than the deck has");
  for (const CardId card : cards) take_card(card);
  board_.insert(board_.end(), cards.begin(), cards.end());
  dealt_ += count;
  if (shared)
    for (Player& player : players_) player.wanted = 0;
  else
    board_wanted_ -= count;
  add_event(CardEvent::kBoard, -1).cards = texts(cards);
  cards_dealt();
}

void StandardTable::discard(const HandAction& action) {
  if (stage_ != Stage::kCards || to_act() < 0) {
    if (variant().draws() == 0) throw ParseError(fmt::format("variant {} has no draw", variant().code));
    if (over()) throw ParseError("the hand is over");
    throw ParseError(stage_ == Stage::kBets ? fmt::format("nobody discards now; {}", waiting_for())
                                            : "there is no draw left");
  }
  if (to_act() != action.player) fail_turn(action.player);
  Player& player = players_[at(action.player)];
  std::vector<CardId> kept = player.cards, thrown;
  for (const std::string& text : action.cards) {
    const CardId card = read_card(text);
    auto found = std::find(kept.begin(), kept.end(), card);
    // A card not known before.
    if (found == kept.end()) {
      found = std::find(kept.begin(), kept.end(), kUnknown);
      if (found == kept.end()) throw ParseError(fmt::format("the player has {}", fmt::join(texts(player.cards), "")));
      expect_free(card);
    }
    kept.erase(found);
    thrown.push_back(card);
    if (card != kUnknown && std::count(thrown.begin(), thrown.end(), card) > 1)
      throw ParseError(fmt::format("{} is discarded twice", text));
  }
  for (const CardId card : thrown)
    if (card != kUnknown) used_[card] = gone_[card] = true;
  player.cards = kept;
  player.open.assign(kept.size(), false);
  player.wanted = static_cast<int>(thrown.size());
  player.discards = false;
  add_event(CardEvent::kDiscarded, action.player).cards = texts(thrown);
  cards_dealt();
}

// ---- The opener

bool StandardTable::opener_unknown() const {
  if (!variant().has_bring_in()) return false;
  for (const Player& player : players_)
    for (std::size_t i = 0; i < player.cards.size() && !player.folded; ++i)
      if (player.open[i] && player.cards[i] == kUnknown) return true;
  return false;
}

int StandardTable::opener() const {
  const int n = hand_->players();
  if (!variant().has_bring_in()) {
    if (street_ > 0) return 0;
    // Left of the largest blind; of equal ones, of the last.
    int last = -1;  // nobody has bet: the first player opens
    Amount most = 0;
    for (int i = 0; i < n; ++i)
      if (!hand_->out_of_turn[at(i)] && players_[at(i)].bet > 0 && players_[at(i)].bet >= most)
        most = players_[at(i)].bet, last = i;
    return last + 1 < n ? last + 1 : 0;
  }
  const bool low_wins = variant().code == "FR";
  int best = -1;
  std::pair<int, int> card{};
  HandValue value = 0;
  for (int i = 0; i < n; ++i) {
    const Player& player = players_[at(i)];
    if (player.folded) continue;
    std::vector<CardId> open;
    for (std::size_t c = 0; c < player.cards.size(); ++c)
      if (player.open[c]) open.push_back(player.cards[c]);
    if (street_ == 0) {
      // The lowest card, in razz the highest, aces being low there; clubs, diamonds, hearts, spades from low to high.
      const DeckCard& face = deck_->card(open.front());
      const int ranks = static_cast<int>(deck_->ranks().size());
      const int rank = low_wins ? (face.rank + 1) % ranks : ranks - face.rank;
      const int suit = static_cast<int>(std::string_view("cdhs").find(face.text[1]));
      const std::pair key{rank, low_wins ? suit : -suit};
      if (best < 0 || key > card) best = i, card = key;
    } else if (const HandValue shown = variant().showing(open); best < 0 || shown > value) {
      best = i, value = shown;
    }
  }
  return best;
}

// ---- Showing

// Called when no more betting or drawing is possible.
bool StandardTable::may_show() const {
  if (over()) return true;
  if (stage_ == Stage::kBets || able() > 1) return false;
  return std::none_of(variant().streets.begin() + street_, variant().streets.end(),
                      [](const DealtStreet& street) { return street.draw; });
}

void StandardTable::show(const HandAction& action) {
  if (!may_show())
    throw ParseError(to_act() < 0 && stage_ == Stage::kCards ? "a card is missing before it"
                                                             : fmt::format("nobody shows now; {}", waiting_for()));
  Player& player = players_[at(action.player)];
  if (player.cards.empty()) throw ParseError("a card is missing before it");
  const std::size_t count = action.cards.empty()                            ? 1
                            : action.cards == std::vector<std::string>{"-"} ? player.cards.size() + 1
                                                                            : action.cards.size() + 1;
  // Some records repeat on every street of a run-out that no cards are shown yet.
  const bool hidden = !action.cards.empty() && std::all_of(action.cards.begin(), action.cards.end(),
                                                           [](const std::string& text) { return text == "??"; });
  if (hidden && !player.mucked && player.shown == 0 && player.kept_hidden < street_ + (over() ? 1 : 0)) {
    if (action.cards.size() > player.cards.size()) throw ParseError("more cards than a hand has");
    player.kept_hidden = street_ + (over() ? 1 : 0);
    return;
  }
  // Once, or again with cards that came later.
  if (player.mucked || player.shown >= count) throw ParseError("the player has shown or mucked its hand");
  if (action.cards.empty()) {
    player.shown = 1;
    player.mucked = true;
    add_event(CardEvent::kMucked, action.player);
    return;
  }
  std::vector<CardId> cards = player.cards;
  if (count == player.cards.size() + 1 && action.cards.front() == "-") {
    if (std::find(cards.begin(), cards.end(), kUnknown) != cards.end()) throw ParseError("its cards are not known");
  } else {
    if (action.cards.size() > cards.size()) throw ParseError("more cards than a hand has");
    const auto has = [&](const std::vector<CardId>& hand, CardId card) {
      return std::find(hand.begin(), hand.end(), card) != hand.end();
    };
    std::vector<CardId> named;
    for (const std::string& text : action.cards) {
      const CardId card = read_card(text);
      if (card == kUnknown) continue;
      if (has(named, card)) throw ParseError(fmt::format("{} is shown twice", text));
      named.push_back(card);
      if (has(cards, card)) continue;
      const auto unknown = std::find(cards.begin(), cards.end(), kUnknown);
      if (unknown == cards.end())
        throw ParseError(fmt::format("the player has {}", fmt::join(texts(player.cards), "")));
      expect_free(card);
      *unknown = card;
    }
  }
  player.shown = count;
  for (const CardId card : cards) take_card(card);
  player.cards = cards;
  add_event(CardEvent::kShown, action.player).cards = texts(player.cards);
}

}  // namespace dealer::phh
