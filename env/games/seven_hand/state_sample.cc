// Complete states that agree with one seat's observation: unknown cards are drawn at random.
#include <algorithm>
#include <bit>

#include "env/cards/shuffle.h"
#include "env/games/seven_hand/observation_parts.h"
#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {
// The hand as a whole: its dealer, its turn and the points before it.
void State::Sampler::read_hand(const GameRules& rules, std::span<const float> observation, const View& view) {
  State& s = base_;
  s.rules_ = &rules;
  s.dealer_ = static_cast<std::int8_t>(view.starter == 0 ? 1 - view.me : view.me);
  s.turns_ = static_cast<std::uint8_t>(view.turns);
  s.hands_finished_ = count_of(observation[part::kHands], kHandsScale, 0, kMostScaledHands);
  const int points = count_of(observation[part::kPoints], rules.most_points(), -1);
  s.return_ = view.me == 0 ? points : -points;
  const bool over = view.to_act < 0;
  if (over ? view.turns == 0 || view.naming : view.turns == kSeats * kTurns)
    refuse_observation("the hand cannot be over, or must be");
  s.mover_ = static_cast<std::int8_t>(s.mover_of(over ? view.turns - 1 : view.turns));
  s.naming_ = view.naming;
  s.picked_ = view.picked;
}

// The observer's cards, and the chips with what lies at them. Returns the cards.
CardSet State::Sampler::read_own(const View& view) {
  State& s = base_;
  const Seat me = view.me, other = 1 - view.me;
  s.hand_[at(me)] = view.hand;
  CardSet seen = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    const CardSet cards = s.draws_[at(me)][at(draw)] = view.drawn[at(draw)];
    if ((cards != 0) != (draw < s.draws(me))) refuse_observation("a wrong number of own cards");
    seen |= cards;
  }
  for (std::size_t c = 0; c < kChips; ++c) {
    s.laid_[at(me)][c] = view.cards[0][c];
    s.turn_laid_[at(me)][c] = view.turn[0][c];
    s.turn_laid_[at(other)][c] = view.turn[1][c];
    s.chip_[c] = view.owner[c] == kNotYet                 ? Chip::kOpen
                 : view.owner[c] == kNobody               ? Chip::kTied
                 : (view.owner[c] == 0 ? me : other) == 0 ? Chip::kSeat0
                                                          : Chip::kSeat1;
  }
  return seen;
}

// The cards that the opponent has laid, by turn; all other cards are unseen.
void State::Sampler::read_opponent(const View& view, CardSet seen) {
  const State& s = base_;
  const Seat me = view.me, other = 1 - view.me;
  int held = kOpening, hidden = kOwnCards;
  const auto lay = [&](CardSet shown, int count, int chip) {
    if (count < 1 || count > held || (shown != 0 && size(shown) != count) || (shown & seen) != 0)
      refuse_observation("the opponent cannot have laid these");
    seen |= shown;
    hidden -= size(shown);
    held -= count;
    laying_[at(layings_++)] = {shown, static_cast<std::uint8_t>(count), static_cast<std::uint8_t>(chip)};
  };
  for (int turn = 1; turn <= s.finished_turns(other); ++turn) {
    const int chip = s.chip_of(other, turn);
    if (chip == kChips) refuse_observation("a turn of the opponent is missing");
    lay(view.cards[1][at(chip)], view.count[1][at(chip)], chip);
    if (turn < kDraws) held += kDraw;
  }
  if (view.naming && s.mover_ == other) lay(0, view.pending, kChips);

  for_each(kFullDeck & ~seen, [&](Card card) { unseen_[at(unseen_count_++)] = card; });
  if (unseen_count_ != hidden + kOwnCards - (kOpening + kDraw * (s.draws(me) - 1)))
    refuse_observation("cards are missing");
}

// The player to act and the legal actions of the observer, or the result.
void State::Sampler::read_turn(const View& view) {
  State& s = base_;
  if (view.to_act < 0) {
    s.to_act_ = kTerminal;
    s.reward_ = s.result();
    return;
  }
  s.to_act_ = static_cast<std::int8_t>(view.to_act == 0 ? view.me : 1 - view.me);
  if ((s.to_act_ == s.mover_) == view.naming) refuse_observation("the wrong player is to act");
  if (view.naming)
    s.legal_ = LegalMask{s.free_chips(s.mover_)} << kFirstChip;
  else if (view.picked != 0)
    s.legal_ = (view.hand & ~((std::bit_floor(view.picked) << 1) - 1)) | LegalMask{1} << kStop;
  else
    s.legal_ = view.hand;
}

State::Sampler::Sampler(const GameRules& rules, std::span<const float> observation) {
  const View view = decode(rules, observation);
  observer_ = view.me;
  read_hand(rules, observation, view);
  read_opponent(view, read_own(view));
  read_turn(view);

  // Final check: the result must be a valid position with the same observation.
  RandomStream rng;
  const State drawn = draw(rng);
  if (!drawn.valid()) refuse_observation("its parts contradict each other");
  std::array<float, part::kSize> again;
  drawn.observe(observer_, again.data());
  if (!std::equal(again.begin(), again.end(), observation.begin()))
    refuse_observation("its parts contradict each other");
}

// Before the opponent's cards are assigned, they are places, each with the draw that fills it: a turn takes any of
// those in hand, independent of earlier turns. Face-up cards are then assigned to the places of their turn, and the
// unseen ones to all others, in random order: each consistent history has the same probability.
State State::Sampler::draw(RandomStream& rng) const {
  State s = base_;
  s.seed_ = rng.bits64();  // of the hands to come
  std::array<Card, kCards> unseen = unseen_;
  const auto count = static_cast<std::size_t>(unseen_count_);
  shuffle_first(std::span<Card>(unseen.data(), count), count, rng);
  const Card* next = unseen.data();
  const auto deal = [&](CardSet& cards) {
    for (int i = 0; i < kDraw; ++i) cards |= bit(*next++);
  };
  const Seat me = observer_, other = 1 - me;
  for (int draw = s.draws(me); draw < kDraws; ++draw) deal(s.draws_[at(me)][at(draw)]);

  auto& draws = s.draws_[at(other)];
  std::array<std::uint8_t, kOwnCards> place{};  // draw of each card in hand
  std::size_t held = kOpening;
  int draw = 1;
  for (int i = 0; i < layings_; ++i) {
    const Laying& laying = laying_[at(i)];
    CardSet shown = laying.shown, laid = 0;
    for (int k = 0; k < laying.count; ++k) {
      // The last place replaces the one taken.
      const std::size_t which = rng.below(static_cast<std::uint32_t>(held));
      const CardSet card = bit(shown != 0 ? lowest(shown) : *next++);
      shown &= ~card;
      laid |= card;
      draws[place[which]] |= card;
      place[which] = place[--held];
    }
    if (laying.chip == kChips) {
      s.picked_ = laid;
      break;
    }
    s.laid_[at(other)][laying.chip] = laid;
    if (draw == kDraws) break;
    for (int k = 0; k < kDraw; ++k) place[held++] = static_cast<std::uint8_t>(draw);
    ++draw;
  }
  CardSet hand = 0;
  for (std::size_t k = 0; k < held; ++k) {
    const CardSet card = bit(*next++);
    hand |= card;
    draws[place[k]] |= card;
  }
  for (; draw < kDraws; ++draw) deal(draws[at(draw)]);
  s.hand_[at(other)] = hand;
  if (s.to_act_ == other && !s.naming_) s.legal_ = hand;
  return s;
}

}  // namespace dealer::seven_hand
