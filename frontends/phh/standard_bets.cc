// The betting of a standard hand.
#include <fmt/format.h>

#include <algorithm>

#include "env/core/at.h"
#include "env/core/error.h"
#include "frontends/phh/amount.h"
#include "frontends/phh/standard_table.h"

namespace dealer::phh {

using Kind = HandAction::Kind;
using BetEvent = StandardEvent::Kind;

int StandardTable::live() const {
  return static_cast<int>(std::count_if(players_.begin(), players_.end(), [](const Player& p) { return !p.folded; }));
}

// Live players with chips left.
int StandardTable::able() const {
  return static_cast<int>(
      std::count_if(players_.begin(), players_.end(), [](const Player& p) { return !p.folded && p.stack > 0; }));
}

Amount StandardTable::pot() const {
  Amount pot = antes_;
  for (const Player& player : players_) pot += player.paid + player.bet;
  return pot;
}

void StandardTable::pay(int player, Amount amount) {
  players_[at(player)].stack -= amount;
  players_[at(player)].bet += amount;
}

// Antes first, then blinds and straddles.
void StandardTable::post_forced() {
  for (int i = 0; i < hand_->players(); ++i) {
    Player& player = players_[at(i)];
    const Amount ante = std::min(hand_->antes[at(i)], player.stack);
    if (ante == 0) continue;
    pay(i, ante);
    StandardEvent& event = add_event(BetEvent::kPosted, i);
    event.what = "ante";
    event.amount = ante;
    event.all_in = player.stack == 0;
  }
  if (hand_->trim_antes) return_excess(true);
  for (Player& player : players_) {
    (hand_->trim_antes ? player.paid : antes_) += player.bet;
    player.bet = 0;
  }
  Amount most = 0;
  for (int i = 0; i < hand_->players(); ++i) {
    Player& player = players_[at(i)];
    const Amount due = hand_->blinds[at(i)], blind = std::min(due, player.stack);
    if (!hand_->out_of_turn[at(i)]) most = std::max(most, due);
    if (blind == 0) continue;
    pay(i, blind);
    level_ = std::max(level_, blind);
    StandardEvent& event = add_event(BetEvent::kPosted, i);
    event.what = hand_->players() > 2 && i > 1 ? "straddle" : "blind";
    event.amount = blind;
    event.all_in = player.stack == 0;
  }
  posted_short_ = most > level_;
  if (house_.full_short_blind) level_ = std::max(level_, most);
}

// Returns the unmatched part of a bet.
void StandardTable::return_excess(bool antes) {
  int top = 0;
  for (int i = 1; i < hand_->players(); ++i)
    if (players_[at(i)].bet > players_[at(top)].bet) top = i;
  Amount second = 0;
  for (int i = 0; i < hand_->players(); ++i)
    if (i != top) second = std::max(second, players_[at(i)].bet);
  const Amount excess = players_[at(top)].bet - second;
  if (excess == 0) return;
  pay(top, -excess);
  if (!antes) players_[at(top)].returned += excess;
  add_event(BetEvent::kReturned, top).amount = excess;
}

void StandardTable::begin_bets() {
  stage_ = Stage::kBets;
  if (street_ > 0) level_ = 0;
  raise_ = bet_size();
  bring_in_due_ = completing_ = street_ == 0 && variant().has_bring_in();
  for (Player& player : players_) {
    player.acted = false;
    player.asked = !player.folded && player.stack > 0;
  }
  opener_open_ = opener_unknown();
  ask(opener_open_ ? 0 : opener());
}

// Finds the next player to act, from a given player on, or ends the round.
void StandardTable::ask(int from) {
  actor_ = may_check_ = -1;
  const int n = hand_->players();
  if (live() == 1) return end_bets();
  if (able() <= 1) {
    for (int i = 0; i < n; ++i) {
      Player& player = players_[at(i)];
      if (player.folded || player.stack == 0) continue;
      Amount others = 0;
      for (int j = 0; j < n; ++j)
        if (j != i && !players_[at(j)].folded) others = std::max(others, players_[at(j)].bet);
      // The only player still able to bet is asked only to call.
      if (player.bet < others) continue;
      if (player.asked && street_ == 0) may_check_ = i;
      player.asked = false;
    }
  }
  for (int i = 0; i < n && actor_ < 0; ++i)
    if (players_[at((from + i) % n)].asked) actor_ = (from + i) % n;
  if (actor_ < 0) end_bets();
}

void StandardTable::end_bets() {
  actor_ = -1;
  for (Player& player : players_) player.asked = false;
  return_excess(false);
  for (Player& player : players_) {
    player.paid += player.bet;
    player.bet = 0;
  }
  level_ = 0;
  if (live() == 1 || street_ + 1 == static_cast<int>(variant().streets.size()))
    stage_ = Stage::kOver;
  else
    begin_street(street_ + 1);
}

// The total of a full bet or raise.
Amount StandardTable::full_bet() const { return completing_ && level_ < bet_size() ? bet_size() : level_ + raise_; }

// Empty if the player at turn may bet or raise.
std::string StandardTable::why_no_bet() const {
  const Player& player = players_[at(actor_)];
  if (player.stack + player.bet <= level_) return "it can only call with what it has left";
  if (player.acted && level_ - player.bet < raise_) return "it has acted, and there was no full raise since";
  if (most_callable() > level_) return {};
  return "nobody else can bet any more";
}

// The highest total that another player could call.
Amount StandardTable::most_callable() const {
  Amount most = 0;
  for (int i = 0; i < hand_->players(); ++i) {
    const Player& other = players_[at(i)];
    if (i != actor_ && !other.folded && other.stack > 0) most = std::max(most, other.stack + other.bet);
  }
  return most;
}

StandardTable::Range StandardTable::range() const {
  if (actor_ < 0 || stage_ != Stage::kBets || !why_no_bet().empty()) return {};
  const Player& player = players_[at(actor_)];
  const Amount all = player.stack + player.bet;
  Range range;
  range.low = range.high = std::min(full_bet(), all);
  if (variant().limit == BetLimit::kNone) range.high = all;
  if (variant().limit == BetLimit::kPot) range.high = std::clamp(level_ + pot() + level_ - player.bet, range.low, all);
  return range;
}

// Throws ParseError if the player at turn may not act so.
void StandardTable::expect_allowed(const HandAction& action) const {
  if (bring_in_due_ && (action.kind == Kind::kFold || action.kind == Kind::kCall))
    throw ParseError(fmt::format("expected 'p{0} pb' or a completion to the small bet", action.player + 1));
  if (!bring_in_due_ && action.kind == Kind::kBringIn) throw ParseError("there is no bring-in to be posted now");
  if (action.kind != Kind::kBetTo) return;
  if (const std::string why = why_no_bet(); !why.empty())
    throw ParseError(fmt::format("p{} may not bet or raise then: {}", action.player + 1, why));
  const auto [low, high] = range();
  // A bet that puts all other players all-in is never too small.
  if (action.amount > high || (action.amount < low && action.amount != most_callable())) {
    const auto text = [this](Amount amount) { return amount_text(amount, hand_->decimals); };
    throw ParseError(
        low == high ? fmt::format("a bet to {}; expected {}", text(action.amount), text(low))
                    : fmt::format("a bet to {}; expected from {} to {}", text(action.amount), text(low), text(high)));
  }
}

// Gives the turn to the player of an action, if it may act so.
void StandardTable::take_turn(const HandAction& action) {
  if (stage_ != Stage::kBets || (action.player != actor_ && !opener_open_)) fail_turn(action.player);
  if (opener_open_ && (players_[at(action.player)].folded || !players_[at(action.player)].asked))
    fail_turn(action.player);
  const int before = actor_;
  actor_ = action.player;
  try {
    expect_allowed(action);
  } catch (const ParseError&) {
    actor_ = before;
    throw;
  }
  opener_open_ = false;
  at_turn().asked = false;
}

void StandardTable::fold() {
  Player& player = at_turn();
  player.folded = true;
  for (const CardId card : player.cards)
    if (card != kUnknown) gone_[card] = true;
}

// Returns its name.
std::string_view StandardTable::bet_to(Amount amount) {
  Player& player = at_turn();
  const bool full = amount >= full_bet();
  const std::string_view what = completing_ && level_ < bet_size() ? "complete" : level_ == 0 ? "bet" : "raise";
  const Amount added = amount - level_;
  pay(actor_, amount - player.bet);
  level_ = amount;
  for (Player& other : players_) {
    other.asked = !other.folded && other.stack > 0;
    if (full) other.acted = false;
  }
  player.asked = false;
  if (full) completing_ = false;
  if (full && variant().limit != BetLimit::kFixed) raise_ = std::max(raise_, added);
  return what;
}

// Returns its name.
std::string_view StandardTable::call() {
  const Player& player = at_turn();
  const Amount to = std::min(level_, player.bet + player.stack);
  const std::string_view what = to > player.bet ? "call" : "check";
  pay(actor_, to - player.bet);
  return what;
}

void StandardTable::bring_in() {
  const Player& player = at_turn();
  const Amount to = std::min(hand_->bring_in, player.bet + player.stack);
  pay(actor_, to - player.bet);
  level_ = to;
  posted_short_ = posted_short_ || to < hand_->bring_in;
  if (house_.full_short_blind) level_ = hand_->bring_in;
}

void StandardTable::bet(const HandAction& action) {
  if (action.player == may_check_ && action.kind == Kind::kCall) {
    may_check_ = -1;
    return;
  }
  take_turn(action);
  Player& player = at_turn();
  StandardEvent event;
  event.kind = action.kind == Kind::kBringIn ? BetEvent::kPosted : BetEvent::kActed;
  event.player = actor_;
  event.street = street_;
  const Amount had = player.bet;
  if (action.kind == Kind::kFold) {
    event.what = "fold";
    fold();
  } else if (action.kind == Kind::kBetTo) {
    event.what = bet_to(action.amount);
  } else if (action.kind == Kind::kBringIn) {
    event.what = "bring_in";
    bring_in();
  } else {
    event.what = call();
  }
  player.acted = true;
  bring_in_due_ = false;
  event.amount = player.bet - had;
  event.total = player.bet;
  event.all_in = player.stack == 0 && action.kind != Kind::kFold;
  events_.push_back(std::move(event));
  ask(actor_ + 1);
}

}  // namespace dealer::phh
