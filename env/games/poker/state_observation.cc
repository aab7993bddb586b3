// Encodes a seat's observation as numbers.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "env/games/poker/parts.h"
#include "env/games/poker/state.h"

namespace dealer::poker {
namespace {

struct PartSpec {
  int Parts::*offset;
  const char* name;
  std::vector<int> shape;  // empty: the rule set has no such part
  const char* meaning;
  float high = 1;
};

std::vector<int> when(bool present, std::vector<int> shape) { return present ? std::move(shape) : std::vector<int>{}; }

std::vector<PartSpec> list_parts(const GameRules& rules) {
  const int n = rules.players, cards = rules.deck->size(), open = static_cast<int>(rules.transparent.size());
  const bool stud = rules.procedure == Procedure::kStud, match = rules.episode == Episode::kMatch;
  const float chips = static_cast<float>(rules.all_chips()) * rules.scale;
  return {
      {&Parts::hand, "hand", {cards}, "own cards: 1 - t / 8, t the street (stud) or draw with which it came"},
      {&Parts::up, "up", when(stud, {n, cards}), "up cards, from the observer leftwards: 1 - street / 8"},
      {&Parts::board, "board", when(rules.has_board(), {cards}), "cards of the board: 1 - (street - 1) / 8"},
      {&Parts::discarded, "discarded", when(rules.draws > 0, {rules.draws, cards}),
       "cards the observer discarded, by draw: 1 - t / 8, t as in hand"},
      {&Parts::open, "open", when(open > 0, {n - 1, open}),
       "transparent cards in others' hands, from the left neighbour on: 1 - t / 8"},
      {&Parts::open_discarded, "open_discarded", when(open > 0 && rules.draws > 0, {rules.draws, n - 1, open}),
       "transparent cards others discarded, by draw: 1 - t / 8"},
      {&Parts::taken_out, "taken_out",
       when(rules.random_mix(), {static_cast<int>(rules.deck->ranks().size()), Deck::kReplaceable}),
       "one-hot by rank: the suit whose card is not in this match"},
      {&Parts::draws, "draws", when(rules.draws > 0, {rules.draws, n, rules.hand_cards + 1}),
       "one-hot: cards drawn, by draw and player; all 0 before the draw"},
      {&Parts::history,
       "history",
       {rules.rounds, rules.turns, n, kSlot},
       "betting: the k-th action of a player in a round: fold, check or call, bet or raise, and the total bet to",
       chips},
      {&Parts::stack, "stack", {n}, "chips behind; every amount is scaled by the same power of two", chips},
      {&Parts::bet, "bet", {n}, "chips bet in this round", chips},
      {&Parts::paid, "paid", {n}, "chips paid in this hand", chips},
      {&Parts::folded, "folded", {n}, "1: the player has folded"},
      {&Parts::out, "out", when(match, {n}), "1: the player is out of the match"},
      {&Parts::dealer, "dealer", {n}, "one-hot: the dealer"},
      {&Parts::turn, "turn", {n}, "one-hot: the player to act; all 0 at the end"},
      {&Parts::seat, "seat", {n}, "one-hot: absolute seat of the observer"},
      {&Parts::street, "street", {rules.streets}, "one-hot: the street"},
      {&Parts::pot, "pot", {1}, "chips in the pots", chips},
      {&Parts::to_call, "to_call", {1}, "chips the observer must pay to call; 0 when not to act", chips},
      {&Parts::pot_odds, "pot_odds", {1}, "to_call / (pot + to_call)"},
      {&Parts::raise_to,
       "raise_to",
       {rules.offers()},
       "the total of each bet that the observer is offered; 0 when it is not legal",
       chips},
      {&Parts::hands, "hands", when(match, {1}), "hands finished before this one / 1024, at most 1"},
      {&Parts::showdown, "showdown", {n, 2}, "one-hot: showed or mucked at the showdown; all 0 otherwise"},
      {&Parts::shown, "shown", {cards}, "cards shown at the showdown by others: 1 - k / 16 by the k-th to the left"},
  };
}

}  // namespace

Parts::Parts(const GameRules& rules) {
  for (const PartSpec& part : list_parts(rules)) {
    this->*part.offset = size;
    int count = part.shape.empty() ? 0 : 1;
    for (const int extent : part.shape) count *= extent;
    size += count;
  }
}

ObservationSpec State::observation_spec(const Rules& rules) {
  ObservationSpec spec;
  for (PartSpec& part : list_parts(rules))
    if (!part.shape.empty()) spec.add(part.name, std::move(part.shape), part.meaning, 0, part.high);
  return spec;
}

bool State::sees(Seat observer, Seat owner, std::size_t i) const {
  return owner == observer || is_up(i) || !rules_->is_opaque(hand(owner)[i]);
}

// Round by round, without other branches: they would be unpredictable.
void State::observe_history(Seat seat, float* out) const {
  constexpr std::uint64_t kLowBits = 0x5555555555555555;
  const int n = rules_->players;
  const float scale = rules_->scale;
  int place = packing().amounts;
  for (int round = 0; round < rounds_begun_; ++round) {
    const int begin = round_begin_[at(round)], end = round + 1 < rounds_begun_ ? round_begin_[at(round + 1)] : orbits_;
    const int first = first_[at(round)] - seat + (first_[at(round)] < seat ? n : 0);
    // Number of seats after the observer's right-hand neighbour in the orbit.
    const std::uint64_t orbit_bits = (std::uint64_t{1} << 2 * n) - 1;
    const std::uint64_t wraps = (orbit_bits >> 2 * (n - first) << 2 * (n - first)) * packing().every_orbit;
    for (int orbit = begin; orbit < end; orbit += packing().orbits_at_once) {
      const int orbits = std::min(end - orbit, packing().orbits_at_once);
      const std::uint64_t row = orbits_from(orbit) & ((std::uint64_t{1} << 2 * n * orbits) - 1);
      float* const slots = out + ((round * rules_->turns + orbit - begin) * n + first) * kSlot;
      for (std::uint64_t rest = (row | row >> 1) & kLowBits; rest != 0; rest &= rest - 1) {
        const int bit = std::countr_zero(rest);
        const int kind = static_cast<int>(row >> bit & 3) - 1, bet = kind == kBet ? 1 : 0;
        float* const slot = slots + (bit / 2 - static_cast<int>(wraps >> bit & 1) * n) * kSlot;
        slot[kind] = 1;
        slot[kSlot - 1] = static_cast<float>(amount(place) & -bet) * scale;
        place += kAmountBytes * bet;
      }
    }
  }
}

// When each card of a discard had come, at place(card). Without branches: unused entries write a 0, and come
// first.
template <class Place>
void State::observe_discard(int draw, Seat seat, Place place) const {
  const std::uint8_t* const cards = bytes_.data() + discard_at(draw, seat);
  const int word = discard_word(draw, seat), count = discard_count(draw, seat);
  for (int i = kDrawHand - 1; i >= 0; --i)
    *place(cards[i]) = i < count ? kTime[at(word >> (kWhenBits * i) & kWhenMask)] : 0;
}

// Transparent cards of the others. `hidden` receives the unseen ones, to avoid a branch.
void State::observe_open(Seat seat, float* out, const Parts& part) const {
  const int n = rules_->players, open = static_cast<int>(rules_->transparent.size());
  float hidden = 0;
  for (int rel = 1; rel < n; ++rel) {
    const Seat owner = seat + rel < n ? seat + rel : seat + rel - n;
    float* const row = out + part.open + (rel - 1) * open;
    for (std::size_t i = 0; i < count_[at(owner)]; ++i) {
      const int index = rules_->transparent_index[hand(owner)[i]];
      float* const place = index == GameRules::kOpaque || is_up(i) ? &hidden : row + index;
      *place = kTime[at(when(owner, i))];
    }
    for (int draw = draw_of_street(); draw >= 0; --draw) {
      float* const gone = out + part.open_discarded + (draw * (n - 1) + rel - 1) * open;
      observe_discard(draw, owner, [&](CardId card) {
        const int index = rules_->transparent_index[card];
        return index == GameRules::kOpaque ? &hidden : gone + index;
      });
    }
  }
}

void State::observe_cards(Seat seat, float* out, const Parts& part) const {
  const int n = rules_->players, deck = rules_->deck->size();
  const std::span<const CardId> own = cards(seat), open = board();
  for (std::size_t i = 0; i < own.size(); ++i) out[part.hand + own[i]] = kTime[at(when(seat, i))];
  for (std::size_t i = 0; i < open.size(); ++i) {
    // The flop is the second street; a shared card of stud is alone.
    const std::size_t later = rules_->procedure == Procedure::kStud || i < 3 ? 0 : i - 2;
    out[part.board + open[i]] = kTime[later];
  }
  if (rules_->procedure == Procedure::kStud)
    for (int rel = 0; rel < n; ++rel) {
      const Seat owner = seat + rel < n ? seat + rel : seat + rel - n;
      const std::span<const CardId> up = count_[at(owner)] > 0 ? showing(owner) : std::span<const CardId>();
      for (std::size_t i = 0; i < up.size(); ++i) out[part.up + rel * deck + up[i]] = kTime[i];
    }
  for (int draw = draw_of_street(); draw >= 0; --draw) {
    observe_discard(draw, seat, [&](CardId card) { return out + part.discarded + draw * deck + card; });
    for (int rel = 0; rel < n; ++rel) {
      const int count = discard_count(draw, seat + rel < n ? seat + rel : seat + rel - n);
      if (count >= 0) out[part.draws + (draw * n + rel) * (rules_->hand_cards + 1) + count] = 1;
    }
  }
  if (!rules_->transparent.empty()) observe_open(seat, out, part);
  float* rank = out + part.taken_out;
  for (const std::uint8_t suit : suits_taken_out()) {
    rank[suit] = 1;
    rank += Deck::kReplaceable;
  }
}

// The seats that showed and mucked, and the others' shown cards. The times when those came stay hidden.
void State::observe_showdown(Seat seat, float* out, const Parts& part) const {
  const int n = rules_->players;
  const unsigned show = shown(), in = at_showdown();
  for (int rel = 0; rel < n; ++rel) {
    const Seat owner = seat + rel < n ? seat + rel : seat + rel - n;
    if ((in >> owner & 1) == 0) continue;
    const bool shows = (show >> owner & 1) != 0;
    out[part.showdown + rel * 2 + (shows ? 0 : 1)] = 1;
    if (!shows || rel == 0) continue;
    for (const CardId card : cards(owner)) out[part.shown + card] = shown_by(rel);
  }
}

void State::observe(Seat seat, float* out) const {
  const Parts& part = *rules_->parts;
  const int n = rules_->players;
  const float scale = rules_->scale;
  const auto chips = [&](Chips count) { return static_cast<float>(count) * scale; };
  std::memset(out, 0, static_cast<std::size_t>(part.size) * sizeof(float));
  observe_cards(seat, out, part);
  observe_history(seat, out + part.history);
  for (int rel = 0; rel < n; ++rel) {
    const Seat owner = seat + rel < n ? seat + rel : seat + rel - n;
    out[part.stack + rel] = chips(bets_.stack(owner));
    out[part.bet + rel] = chips(bets_.bet(owner));
    out[part.paid + rel] = chips(bets_.paid(owner));
    out[part.folded + rel] = static_cast<float>((in_ & ~bets_.live()) >> owner & 1);
    if (rules_->episode == Episode::kMatch) out[part.out + rel] = is_out(owner) ? 1.0F : 0.0F;
  }
  out[part.dealer + dealer_ - seat + (dealer_ < seat ? n : 0)] = 1;
  out[part.seat + seat] = 1;
  out[part.street + street_] = 1;
  out[part.pot] = chips(bets_.pot());
  if (rules_->episode == Episode::kMatch)
    out[part.hands] = static_cast<float>(std::min<int>(hands_finished_ - hand_over_, kHandsScale)) / kHandsScale;
  if (hand_over_ != 0) observe_showdown(seat, out, part);
  if (turn_ < 0) return;
  out[part.turn + turn_ - seat + (turn_ < seat ? n : 0)] = 1;
  if (turn_ != seat || drawing_ != 0) return;
  const Chips call = bets_.to_call();
  out[part.to_call] = chips(call);
  if (call > 0) out[part.pot_odds] = static_cast<float>(call) / static_cast<float>(bets_.pot() + call);
  for (std::uint64_t rest = legal_ >> kFirstBet; rest != 0; rest &= rest - 1) {
    const int offer = std::countr_zero(rest);
    out[part.raise_to + offer] = chips(bets_.offered(rules_->bets.offers[at(offer)]));
  }
}

}  // namespace dealer::poker
