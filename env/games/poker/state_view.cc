// A state as one seat may see it, and the inverse: decoding an observation.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "env/core/at.h"
#include "env/games/poker/parts.h"
#include "env/games/poker/state.h"

namespace dealer::poker {
namespace {

// Reads numbers one by one, without checking that the parts agree with each other.
class Reader {
 public:
  Reader(const GameRules& rules, std::span<const float> data)
      : rules_(rules), part_(*rules.parts), data_(data), n_(rules.players), deck_(rules.deck->size()) {
    if (data.size() != at(part_.size))
      refuse_observation(fmt::format("{} numbers, expected {}", data.size(), part_.size));
  }

  View read() {
    view_.players = n_;
    view_.me = one_hot(part_.seat, n_, "seat");
    view_.dealer = absolute(one_hot(part_.dealer, n_, "dealer"));
    const int turn = find_one(part_.turn, n_);
    view_.turn = turn < 0 ? kTerminal : absolute(turn);
    view_.street = one_hot(part_.street, rules_.streets, "street");
    view_.round = rules_.street[at(view_.street)].round;
    if (rules_.episode == Episode::kMatch)
      view_.hand_number = static_cast<int>(count(part_.hands, kHandsScale, kHandsScale));
    view_.pot = chips(part_.pot);
    view_.player.resize(at(n_));
    for (int rel = 0; rel < n_; ++rel) read_player(rel);
    if (rules_.has_board()) read_board();
    read_mix();
    read_actions();
    read_turn();
    if (rules_.procedure == Procedure::kStud) count_stud_cards();
    return std::move(view_);
  }

 private:
  float number(int i) const { return data_[at(i)]; }
  Seat absolute(int rel) const { return view_.me + rel < n_ ? view_.me + rel : view_.me + rel - n_; }
  int relative(Seat seat) const { return seat - view_.me + (seat < view_.me ? n_ : 0); }

  int find_one(int offset, int size) const {
    for (int i = 0; i < size; ++i)
      if (number(offset + i) != 0) return i;
    return -1;
  }
  int one_hot(int offset, int size, const char* name) const {
    const int found = find_one(offset, size);
    if (found < 0) refuse_observation(fmt::format("part '{}' is empty", name));
    return found;
  }
  std::int64_t count(int offset, double scale, double most) const {
    const double value = static_cast<double>(number(offset)) * scale;
    if (!(value >= 0 && value <= most))
      refuse_observation(fmt::format("{} is not a count", static_cast<double>(number(offset))));
    return std::llround(value);
  }
  Chips chips(int offset) const {
    if (number(offset) == 0) return 0;
    return static_cast<Chips>(count(offset, 1 / static_cast<double>(rules_.scale), betting::kMaxChips));
  }

  // Calls f(index, time) for the cards of a part written as 1 - t / 8.
  template <class F>
  void cards(int offset, int size, F f) const {
    for (int i = 0; i < size; ++i) {
      const float value = number(offset + i);
      if (value == 0) continue;
      const float time = (1 - value) / kLater;
      if (!(time >= 0 && time < kMaxStreets) || time != std::floor(time))
        refuse_observation(fmt::format("{} is not a time of a card", static_cast<double>(value)));
      f(static_cast<CardId>(i), static_cast<int>(time));
    }
  }

  void read_player(int rel) {
    View::Player& player = view_.player[at(absolute(rel))];
    player.out = rules_.episode == Episode::kMatch && number(part_.out + rel) != 0;
    player.folded = number(part_.folded + rel) != 0;
    player.stack = chips(part_.stack + rel);
    player.bet = chips(part_.bet + rel);
    player.paid = chips(part_.paid + rel);
    if (rules_.procedure != Procedure::kStud) player.card_count = player.out ? 0 : rules_.hand_cards;
    for (int draw = 0; draw < rules_.draws; ++draw)
      player.drawn[at(draw)] =
          find_one(part_.draws + (draw * n_ + rel) * (rules_.hand_cards + 1), rules_.hand_cards + 1);
    const auto add = [](std::vector<SeenCard>& list) {
      return [&list](CardId card, int time) { list.push_back({card, time}); };
    };
    if (rules_.procedure == Procedure::kStud) read_up(rel, player);
    if (rel == 0) {
      cards(part_.hand, deck_, add(player.cards));
      for (int draw = 0; draw < rules_.draws; ++draw)
        cards(part_.discarded + draw * deck_, deck_, add(player.discarded[at(draw)]));
    } else if (!rules_.transparent.empty()) {
      read_open(rel, player);
    }
    const int showdown = find_one(part_.showdown + rel * 2, 2);
    player.showed = showdown == 0;
    player.mucked = showdown == 1;
    if (!player.showed) return;
    if (rel == 0)
      for (const SeenCard& own : player.cards) player.shown.push_back(own.card);
    else
      for (int card = 0; card < deck_; ++card)
        if (number(part_.shown + card) == shown_by(rel)) player.shown.push_back(static_cast<CardId>(card));
  }

  void read_up(int rel, View::Player& player) const {
    std::vector<SeenCard> up;
    cards(part_.up + rel * deck_, deck_, [&](CardId card, int time) { up.push_back({card, time}); });
    if (rel != 0) player.cards = up;
    std::stable_sort(up.begin(), up.end(), [](const SeenCard& a, const SeenCard& b) { return a.when < b.when; });
    for (const SeenCard& card : up) player.up.push_back(card.card);
  }

  void read_open(int rel, View::Player& player) const {
    const int open = static_cast<int>(rules_.transparent.size());
    const auto add = [&](int offset, std::vector<SeenCard>& list) {
      cards(offset, open, [&](std::size_t i, int time) { list.push_back({rules_.transparent[i], time}); });
    };
    add(part_.open + (rel - 1) * open, player.cards);
    for (int draw = 0; draw < rules_.draws; ++draw)
      add(part_.open_discarded + (draw * (n_ - 1) + rel - 1) * open, player.discarded[at(draw)]);
    std::sort(player.cards.begin(), player.cards.end(),
              [](const SeenCard& a, const SeenCard& b) { return a.card < b.card; });
  }

  // In the order of dealing; the flop from high to low.
  void read_board() {
    std::vector<SeenCard> board;
    cards(part_.board, deck_, [&](CardId card, int time) { board.push_back({card, time}); });
    std::sort(board.begin(), board.end(), [](const SeenCard& a, const SeenCard& b) {
      return a.when != b.when ? a.when < b.when : a.card > b.card;
    });
    for (const SeenCard& card : board) view_.board.push_back(card.card);
  }

  void read_mix() {
    if (!rules_.random_mix()) return;
    for (std::size_t rank = 0; rank < rules_.deck->ranks().size(); ++rank)
      view_.taken_out.push_back(static_cast<std::uint8_t>(
          one_hot(part_.taken_out + static_cast<int>(rank) * Deck::kReplaceable, Deck::kReplaceable, "taken_out")));
  }

  // The betting history has a slot for the k-th action of every player in a round. A player who acts again does so in
  // its next turn, so that the order follows from the first to act.
  void read_actions() {
    SeatSet live = 0;
    for (Seat seat = 0; seat < n_; ++seat)
      if (!view_.player[at(seat)].out) live = static_cast<SeatSet>(live | betting::bit(seat));
    if ((live >> view_.dealer & 1) == 0 || (live & (live - 1)) == 0) refuse_observation("too few players are in");
    for (int street = 0; street <= view_.street; ++street) {
      const int round = rules_.street[at(street)].round;
      if (round < 0) continue;
      std::array<int, kMaxSeats> turn{};
      Seat seat = round == 0 && rules_.bets.big_blind > 0 ? betting::Bets::big_blind_seat(live, view_.dealer) + 1
                                                          : opener(street, live);
      for (int passed = 0; passed < n_; seat = seat + 1 < n_ ? seat + 1 : 0) {
        if (seat >= n_) seat = 0;
        const int k = turn[at(seat)];
        const int slot = part_.history + ((round * rules_.turns + k) * n_ + relative(seat)) * kSlot;
        const int kind = k < rules_.turns ? find_one(slot, kSlot - 1) : -1;
        if (kind < 0) {
          ++passed;
          continue;
        }
        passed = 0;
        ++turn[at(seat)];
        view_.actions.push_back({round, seat, kind, kind == kFirstBet ? chips(slot + kSlot - 1) : 0});
        if (kind == kFold) live = static_cast<SeatSet>(live & ~betting::bit(seat));
      }
    }
  }

  // The seat from which the search for the first to act in a later round, or without blinds, begins.
  Seat opener(int street, SeatSet live) const {
    const Seat left = view_.dealer + 1 < n_ ? view_.dealer + 1 : 0;
    if (rules_.opens_left_of_dealer) return left;
    Seat best = left;
    HandValue most = 0;
    Seat seat = left;
    for (int i = 0; i < n_; ++i, seat = seat + 1 < n_ ? seat + 1 : 0) {
      const std::vector<CardId>& up = view_.player[at(seat)].up;
      const std::size_t shown = std::min(at(street) + 1, kStudUp);
      if ((live >> seat & 1) == 0) continue;
      if (up.size() < shown || up.size() > kStudUp)
        refuse_observation("players have not as many up cards as were dealt");
      const HandValue value = rules_.opening_value(street, std::span(up).first(shown));
      if (value <= most) continue;
      most = value;
      best = seat;
    }
    return best;
  }

  void read_turn() {
    if (view_.turn == kTerminal) return;
    const int draw = view_.street - (rules_.streets - rules_.draws);
    view_.drawing = draw >= 0 && rules_.draws > 0 && view_.player[at(view_.turn)].drawn[at(draw)] < 0;
    view_.to_call = chips(part_.to_call);
    for (int offer = 0; offer < rules_.offers(); ++offer)
      if (const Chips total = chips(part_.raise_to + offer); total > 0)
        view_.raises.push_back({kFirstBet + offer, total});
  }

  // A card with every street, as long as a player is in; the last may be a shared one.
  void count_stud_cards() {
    std::array<int, kMaxSeats> streets{};
    streets.fill(view_.street + 1);
    for (const PastAction& action : view_.actions)
      if (action.action == kFold) streets[at(action.seat)] = action.round + 1;
    for (Seat seat = 0; seat < n_; ++seat) {
      const bool shared = streets[at(seat)] == rules_.streets && !view_.board.empty();
      view_.player[at(seat)].card_count = view_.player[at(seat)].out ? 0 : 2 + streets[at(seat)] - (shared ? 1 : 0);
    }
  }

  static constexpr std::size_t kStudUp = 4;

  const GameRules& rules_;
  const Parts& part_;
  std::span<const float> data_;
  int n_, deck_;
  View view_;
};

}  // namespace

View State::view(Seat seat) const {
  View view;
  view.players = rules_->players;
  view.me = seat;
  view.dealer = dealer();
  view.turn = current_player();
  view.drawing = drawing_ != 0;
  view.street = street();
  view.hand_number = std::min<int>(hands_finished_ - hand_over_, kHandsScale);
  view.board.assign(board().begin(), board().end());
  // The three flop cards come at once.
  if (view.board.size() >= 3) std::sort(view.board.begin(), view.board.begin() + 3, std::greater<>());
  view.taken_out.assign(suits_taken_out().begin(), suits_taken_out().end());
  view.round = rules_->street[at(street_)].round;
  view.pot = bets_.pot();
  if (turn_ == seat && drawing_ == 0) {
    view.to_call = bets_.to_call();
    for (std::uint64_t rest = legal_ >> kFirstBet; rest != 0; rest &= rest - 1) {
      const int offer = std::countr_zero(rest);
      view.raises.push_back({kFirstBet + offer, bets_.offered(rules_->bets.offers[at(offer)])});
    }
  }
  const SeatSet in = at_showdown(), show = shown();
  for (Seat owner = 0; owner < rules_->players; ++owner) {
    View::Player player;
    player.out = is_out(owner);
    player.folded = !player.out && !bets_.is_live(owner);
    player.stack = bets_.stack(owner);
    player.bet = bets_.bet(owner);
    player.paid = bets_.paid(owner);
    player.card_count = count_[at(owner)];
    for (std::size_t i = 0; i < cards(owner).size(); ++i) {
      if (sees(seat, owner, i)) player.cards.push_back({cards(owner)[i], when(owner, i)});
      if (is_up(i)) player.up.push_back(cards(owner)[i]);
    }
    // The two down cards of stud, the cards of hold'em: their order carries no information.
    std::sort(player.cards.begin(), player.cards.end(),
              [](const SeenCard& a, const SeenCard& b) { return a.card < b.card; });
    for (int draw = 0; draw < rules_->draws; ++draw) {
      player.drawn[at(draw)] = discard_count(draw, owner);
      for (int i = 0; i < discard_count(draw, owner); ++i)
        if (const SeenCard gone = discarded(draw, owner, i); owner == seat || !rules_->is_opaque(gone.card))
          player.discarded[at(draw)].push_back(gone);
    }
    player.showed = (show >> owner & 1) != 0;
    player.mucked = (in >> owner & 1) != 0 && !player.showed;
    if (player.showed) {
      player.shown.assign(cards(owner).begin(), cards(owner).end());
      std::sort(player.shown.begin(), player.shown.end());
    }
    view.player.push_back(std::move(player));
  }
  view.actions = past_actions();
  return view;
}

bool State::PastActions::next(const State& state) {
  const int players = state.rules().players;
  // The remaining orbit: two bits per seat.
  const auto row = [&] {
    if (orbit_ < 0) return 0U;
    return static_cast<unsigned>(state.orbits_from(orbit_)) >> (2 * position_) &
           ((1U << (2 * (players - position_))) - 1);
  };
  while (row() == 0) {
    if (orbit_ + 1 >= state.orbits_) return false;
    ++orbit_;
    position_ = 0;
    while (round + 1 < state.rounds_begun_ && state.round_begin_[at(round + 1)] <= orbit_) ++round;
    turn = orbit_ - state.round_begin_[at(round)];
  }
  position_ += std::countr_zero(row()) / 2;
  const unsigned code = row() & 3U;
  seat = state.first_[at(round)] + position_;
  seat -= seat >= players ? players : 0;
  kind = static_cast<Kind>(code - 1);
  total = kind == kBet ? state.amount(state.packing().amounts + kAmountBytes * amounts_++) : 0;
  ++position_;
  return true;
}

std::vector<PastAction> State::past_actions() const {
  std::vector<PastAction> actions;
  for (PastActions past; past.next(*this);) actions.push_back({past.round, past.seat, past.kind, past.total});
  return actions;
}

View State::decode(const Rules& rules, std::span<const float> observation) { return Reader(rules, observation).read(); }

}  // namespace dealer::poker
