// From an observation back to what it tells, and to a whole state that agrees with it.
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "env/core/error.h"
#include "env/games/poker/parts.h"
#include "env/games/poker/parts.h"
#include "env/games/poker/script.h"
#include "env/games/poker/state.h"

namespace dealer::poker {
namespace {

// Reads an observation. What does not add up is found afterwards, by observing the state that comes out.
class Reader {
 public:
  Reader(const GameRules& rules, std::span<const float> data)
      : rules_(rules), part_(*rules.parts), data_(data), n_(rules.players), deck_(rules.deck->size()) {
    if (data.size() != static_cast<std::size_t>(part_.size))
      refuse_observation(fmt::format("{} numbers, expected {}", data.size(), part_.size));
  }

  Script read() {
    script_.me = one_hot(part_.seat, n_, "seat");
    script_.dealer = absolute(one_hot(part_.dealer, n_, "dealer"));
    if (rules_.episode == Episode::kMatch)
      script_.hand_number = static_cast<int>(count(part_.hands, kHandsScale, kHandsScale));
    for (int rel = 0; rel < n_; ++rel) read_player(rel);
    if ((script_.in >> script_.dealer & 1) == 0 || (script_.in & (script_.in - 1)) == 0)
      refuse_observation("too few players are in");
    if (rules_.has_board()) read_board();
    if (rules_.random_mix())
      for (std::size_t rank = 0; rank < rules_.deck->ranks().size(); ++rank)
        script_.taken_out[rank] = static_cast<std::uint8_t>(
            one_hot(part_.taken_out + static_cast<int>(rank) * Deck::kReplaceable, Deck::kReplaceable, "taken_out"));
    return std::move(script_);
  }

 private:
  float at(int i) const { return data_[static_cast<std::size_t>(i)]; }
  int absolute(int rel) const { return (script_.me + rel) % n_; }

  int find_one(int offset, int size) const {
    for (int i = 0; i < size; ++i)
      if (at(offset + i) != 0) return i;
    return -1;
  }
  int one_hot(int offset, int size, const char* name) const {
    const int found = find_one(offset, size);
    if (found < 0) refuse_observation(fmt::format("part '{}' is empty", name));
    return found;
  }
  std::int64_t count(int offset, double scale, double most) const {
    const double value = static_cast<double>(at(offset)) * scale;
    if (!(value >= 0 && value <= most))
      refuse_observation(fmt::format("{} is no count", static_cast<double>(at(offset))));
    return std::llround(value);
  }
  Chips chips(int offset) const {
    return static_cast<Chips>(count(offset, 1 / static_cast<double>(rules_.scale), betting::kMaxChips));
  }

  // Calls f(index, time) for the cards of a part written as 1 - t / 8.
  template <class F>
  void cards(int offset, int size, F f) const {
    for (int i = 0; i < size; ++i) {
      if (at(offset + i) == 0) continue;
      const double time = (1 - static_cast<double>(at(offset + i))) / static_cast<double>(kLater);
      if (!(time >= 0 && time < Script::kTimes) || time != std::floor(time))
        refuse_observation(fmt::format("{} is no time of a card", static_cast<double>(at(offset + i))));
      f(static_cast<std::size_t>(i), static_cast<std::size_t>(time));
    }
  }

  void read_player(int rel) {
    const int seat = absolute(rel);
    Script::Player& player = script_.player[static_cast<std::size_t>(seat)];
    script_.chips[static_cast<std::size_t>(seat)] = chips(part_.stack + rel) + chips(part_.paid + rel);
    if (rules_.episode != Episode::kMatch || at(part_.out + rel) == 0)
      script_.in = static_cast<SeatSet>(script_.in | betting::bit(seat));
    read_bets(rel, player);
    for (int draw = 0; draw < rules_.draws; ++draw)
      player.discarded[static_cast<std::size_t>(draw)].count =
          find_one(part_.draws + (draw * n_ + rel) * (kDrawHand + 1), kDrawHand + 1);
    if (rel == 0)
      read_own(player);
    else if (!rules_.transparent.empty())
      read_open(rel, player);
    if (rules_.procedure == Procedure::kStud)
      cards(part_.up + rel * deck_, deck_,
            [&](std::size_t card, std::size_t time) { player.up[time].push_back(static_cast<CardId>(card)); });
  }

  void read_bets(int rel, Script::Player& player) const {
    for (int round = 0; round < rules_.rounds; ++round)
      for (int turn = 0; turn < rules_.turns; ++turn) {
        const int slot = part_.history + ((round * rules_.turns + turn) * n_ + rel) * kSlot;
        const int kind = find_one(slot, kSlot - 1);
        if (kind < 0) break;
        player.bets[static_cast<std::size_t>(round)].push_back({kind, chips(slot + kSlot - 1)});
      }
  }

  void read_own(Script::Player& player) const {
    const auto is_up = [&](std::size_t card) {
      return rules_.procedure == Procedure::kStud && at(part_.up + static_cast<int>(card)) != 0;
    };
    cards(part_.hand, deck_, [&](std::size_t card, std::size_t time) {
      if (!is_up(card)) player.down[time].push_back(static_cast<CardId>(card));
    });
    for (int draw = 0; draw < rules_.draws; ++draw)
      cards(part_.discarded + draw * deck_, deck_, [&](std::size_t card, std::size_t time) {
        player.down[time].push_back(static_cast<CardId>(card));
        player.discarded[static_cast<std::size_t>(draw)].cards.push_back(static_cast<CardId>(card));
      });
  }

  void read_open(int rel, Script::Player& player) const {
    const int open = static_cast<int>(rules_.transparent.size());
    cards(part_.open + (rel - 1) * open, open,
          [&](std::size_t i, std::size_t time) { player.down[time].push_back(rules_.transparent[i]); });
    for (int draw = 0; draw < rules_.draws; ++draw)
      cards(part_.open_discarded + (draw * (n_ - 1) + rel - 1) * open, open, [&](std::size_t i, std::size_t time) {
        player.down[time].push_back(rules_.transparent[i]);
        player.discarded[static_cast<std::size_t>(draw)].cards.push_back(rules_.transparent[i]);
      });
  }

  void read_board() {
    const bool stud = rules_.procedure == Procedure::kStud;
    cards(part_.board, deck_, [&](std::size_t card, std::size_t time) {
      const std::size_t street = stud ? static_cast<std::size_t>(rules_.streets - 1) : time + 1;
      if (street < Script::kTimes) script_.board[street].push_back(static_cast<CardId>(card));
    });
  }

  const GameRules& rules_;
  const Parts& part_;
  std::span<const float> data_;
  int n_, deck_;
  Script script_;
};

}  // namespace

State::Sampler::Sampler(const Rules& rules, std::span<const float> observation)
    : rules_(&rules), observation_(observation.begin(), observation.end()) {
  RandomStream rng(0);
  draw(rng);
}

State State::sample_state(const Rules& rules, std::span<const float> observation, RandomStream& rng) {
  const Script script = Reader(rules, observation).read();
  const Seat me = script.me;
  std::int64_t total = 0;
  for (Seat seat = 0; seat < rules.players; ++seat) {
    const Chips chips = script.chips[at(seat)];
    if (rules.episode == Episode::kHand ? chips != rules.stack : (chips == 0) == ((script.in >> seat & 1) != 0))
      refuse_observation(fmt::format("a player has {} chips", chips));
    total += chips;
  }
  const std::int64_t missing = std::int64_t{rules.stack} * rules.players - total;
  if (missing < 0 || (missing > 0 && rules.bets.odd_chips != betting::OddChips::kDiscard))
    refuse_observation("the chips do not add up");
  State state = play_script(rules, script, rng);
  std::vector<float> again(observation.size());
  state.observe(me, again.data());
  if (std::memcmp(again.data(), observation.data(), observation.size() * sizeof(float)) != 0)
    refuse_observation("its parts do not agree with each other");
  return state;
}

}  // namespace dealer::poker
