// Whether a state can occur: bytes read from a file are believed only then.
#include <algorithm>
#include <cstring>

#include "env/core/error.h"
#include "env/games/poker/script.h"
#include "env/games/poker/state.h"

namespace dealer::poker {
namespace {

// Far beyond what anybody plays, and far from overflowing.
constexpr std::int32_t kMaxHands = 1'000'000'000;
constexpr std::int64_t kMaxReturn = std::int64_t{1} << 60;

template <class T>
bool same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

}  // namespace

// What was won and lost, as far as it does not follow from the hand in progress.
bool State::results_valid() const {
  const std::int64_t all = std::int64_t{rules_->players} * rules_->stack;
  const auto within = [&](Chips chips) { return -all <= chips && chips <= all; };
  for (const auto* chips : {&net_, &payout_, &reward_})
    if (!std::all_of(chips->begin(), chips->end(), within)) return false;
  return true;
}

// Seats and chips at the beginning of the hand.
bool State::table_valid() const {
  const int n = rules_->players;
  const bool match = rules_->episode == Episode::kMatch;
  if (turn_ < kTerminal || turn_ >= n || dealer_ < 0 || dealer_ >= n) return false;
  if (hands_finished_ < 0 || hands_finished_ > kMaxHands || hand_over_ > 1 || ended_ > 1 || drawing_ > 1) return false;
  if ((turn_ == kTerminal) != (hand_over_ != 0) || hands_finished_ < hand_over_) return false;
  const int before = hands_finished_ - hand_over_;
  if (!match && before != 0) return false;
  if (match && rules_->match_hands > 0 && before >= rules_->match_hands) return false;
  std::int64_t total = 0;
  for (Seat seat = 0; seat < kMaxSeats; ++seat) {
    const Chips chips = chips_[at(seat)];
    if (chips < 0 || ((in_ >> seat & 1) != 0) != (chips > 0) || (seat >= n && chips > 0)) return false;
    if (!match && seat < n && chips != rules_->stack) return false;
    const std::int64_t net = hand_over_ != 0 ? net_[at(seat)] : 0, start = seat < n ? rules_->stack : 0;
    if (return_[at(seat)] < -kMaxReturn || return_[at(seat)] > kMaxReturn) return false;
    if (return_[at(seat)] != chips + net - start) return false;
    total += chips;
  }
  const std::int64_t pile = std::int64_t{n} * rules_->stack - total;
  if (odd_chips_ < 0 || odd_chips_ > discard_pile_ || discard_pile_ != pile + (hand_over_ != 0 ? odd_chips_ : 0))
    return false;
  if (pile > 0 && rules_->bets.odd_chips != betting::OddChips::kDiscard) return false;
  for (std::size_t rank = 0; rank < kMaxRanks; ++rank) {
    const bool used = rules_->random_mix() && rank < rules_->deck->ranks().size();
    if (taken_out_[rank] >= (used ? Deck::kReplaceable : 1)) return false;
  }
  return (in_ >> n) == 0 && (in_ >> dealer_ & 1) != 0 && (in_ & (in_ - 1)) != 0;
}

// Whether lists can be read at all, whatever they say.
bool State::lists_valid() const {
  if (events_ > kMaxEvents || bets_made_ > kMaxBets || rounds_begun_ < 0 || rounds_begun_ > rules_->rounds)
    return false;
  if (street_ < 0 || street_ >= rules_->streets) return false;
  std::size_t begin = 0;
  for (int round = 0; round < rounds_begun_; ++round) {
    if (round_begin_[at(round)] < begin || round_begin_[at(round)] > events_) return false;
    begin = round_begin_[at(round)];
  }
  if ((rounds_begun_ == 0 ? events_ : round_begin_[0]) != 0) return false;
  std::size_t bets = 0;
  for (std::size_t e = 0; e < events_; ++e) {
    if ((event_[e] & 15) >= rules_->players || event_[e] >> 4 > kBet) return false;
    bets += event_[e] >> 4 == kBet ? 1 : 0;
  }
  const auto card = [&](CardId id) { return id < rules_->deck->size(); };
  if (bets != bets_made_ || cards_.board_count > kMaxBoard ||
      !std::all_of(cards_.board.begin(), cards_.board.end(), card))
    return false;
  for (std::size_t s = 0; s < kMaxSeats; ++s) {
    if (cards_.count[s] > kHandCards || !std::all_of(cards_.hand[s].begin(), cards_.hand[s].end(), card)) return false;
    if (!std::all_of(cards_.when[s].begin(), cards_.when[s].end(), [](int t) { return t < Script::kTimes; }))
      return false;
    for (const auto& draw : cards_.discarded) {
      const Discarded& discarded = draw[s];
      if (discarded.count < kNotYet || discarded.count > kDrawHand) return false;
      if (!std::all_of(discarded.card.begin(), discarded.card.end(), card)) return false;
      if (!std::all_of(discarded.when.begin(), discarded.when.end(), [](int t) { return t < Script::kTimes; }))
        return false;
    }
  }
  return true;
}

// The hand as it was played. Precondition: lists_valid().
Script State::script() const {
  Script script;
  script.dealer = dealer();
  script.hand_number = hands_finished_ - hand_over_;
  script.in = in_;
  script.chips = chips_;
  script.taken_out = taken_out_;
  int board = 0;
  for (int s = 0; s <= street_; ++s)
    for (int i = 0; i < rules_->street[at(s)].board && board < cards_.board_count; ++i)
      script.board[at(s)].push_back(cards_.board[at(board++)]);
  if (board < cards_.board_count) script.board[at(street_)].push_back(cards_.board[at(board)]);
  for (Seat seat = 0; seat < rules_->players; ++seat) {
    Script::Player& player = script.player[at(seat)];
    for (std::size_t i = 0; i < cards_.count[at(seat)]; ++i)
      (is_up(i) ? player.up : player.down)[cards_.when[at(seat)][i]].push_back(cards_.hand[at(seat)][i]);
    // Cards are taken from the back.
    for (auto& cards : player.down) std::reverse(cards.begin(), cards.end());
    for (std::size_t draw = 0; draw < kMaxDraws; ++draw) {
      const Discarded& discarded = cards_.discarded[draw][at(seat)];
      player.discarded[draw].count = discarded.size();
      for (std::size_t i = 0; static_cast<int>(i) < discarded.count; ++i) {
        player.down[discarded.when[i]].push_back(discarded.card[i]);
        player.discarded[draw].cards.push_back(discarded.card[i]);
      }
    }
  }
  for (auto& cards : script.board) std::reverse(cards.begin(), cards.end());
  for (const PastAction& action : past_actions())
    script.player[at(action.seat)].bets[at(action.round)].push_back({action.action, action.total});
  return script;
}

// Played again, the hand must come out as it is. The order in which the stock lies is free.
bool State::valid() const {
  if (!table_valid() || !results_valid() || !lists_valid()) return false;
  State again;
  try {
    RandomStream rng(seed_);
    again = play_script(*rules_, script(), rng);
  } catch (const UsageError&) {
    return false;
  }
  again.seed_ = seed_;
  if (hand_over_ == 0) {
    again.net_ = net_;
    again.payout_ = payout_;
    again.odd_chips_ = odd_chips_;
  }
  again.reward_ = reward_;
  again.ended_ = ended_;
  if (again.stock_ != stock_ || again.next_ != next_) return false;
  const auto sorted = [](auto deck, std::size_t from, std::size_t to) {
    std::sort(deck.begin() + static_cast<std::ptrdiff_t>(from), deck.begin() + static_cast<std::ptrdiff_t>(to));
    return deck;
  };
  const auto left = [&](const State& state) { return sorted(state.deck_, state.next_, state.stock_); };
  const auto mine = left(*this), theirs = left(again);
  if (!std::equal(mine.begin() + next_, mine.end(), theirs.begin() + next_)) return false;
  again.deck_ = deck_;
  return same_bytes(again, *this);
}

}  // namespace dealer::poker
