#include "tests/env/games/poker/table.h"

#include <algorithm>
#include <array>
#include <span>

#include "env/cards/shuffle.h"
#include "env/core/at.h"

namespace dealer::poker {
namespace {

// When the i-th card given comes.
std::size_t time_of(const GameRules& rules, std::size_t i) {
  if (rules.procedure == Procedure::kHoldem) return 0;
  if (rules.procedure == Procedure::kDraw) return i < kDrawHand ? 0 : 1;
  return i < 3 ? 0 : i - 2;
}

}  // namespace

GameRules rules_of(std::string_view text) {
  Config config = Config::parse(text, "test");
  GameRules rules = read_rules(config);
  config.finish();
  return rules;
}

GivenHand::GivenHand(const GameRules& rules, std::vector<std::string> hands, std::string_view board) : rules_(rules) {
  script_.in = static_cast<SeatSet>((1U << rules.players) - 1);
  std::fill_n(script_.chips.begin(), rules.players, rules.stack);
  for (std::size_t seat = 0; seat < hands.size(); ++seat) {
    const std::vector<CardId> cards = rules.deck->parse(hands[seat]);
    for (std::size_t i = 0; i < cards.size(); ++i) {
      const bool up = rules.procedure == Procedure::kStud && i >= 2 && i <= 5;
      (up ? script_.player[seat].up : script_.player[seat].down)[time_of(rules, i)].push_back(cards[i]);
    }
  }
  const std::vector<CardId> cards = rules.deck->parse(board);
  for (std::size_t i = cards.size(); i-- > 0;) {
    const std::size_t street = rules.procedure == Procedure::kStud ? 4 : i < 3 ? 1 : i - 1;
    script_.board[street].push_back(cards[i]);
  }
}

GivenHand& GivenHand::dealer(int seat) {
  script_.dealer = seat;
  return *this;
}

GivenHand& GivenHand::chips(std::vector<Chips> chips) {
  std::copy(chips.begin(), chips.end(), script_.chips.begin());
  return *this;
}

GivenHand& GivenHand::discards(Seat seat, std::string_view cards, int draw) {
  Script::Discard& discarded = script_.player[at(seat)].discarded[at(draw)];
  discarded.cards = rules_.deck->parse(cards);
  discarded.count = static_cast<int>(discarded.cards.size());
  return *this;
}

GivenHand& GivenHand::checked(int rounds) {
  for (int round = 0; round < rounds; ++round)
    for (Seat seat = 0; seat < rules_.players; ++seat) bets(round, seat, 0);
  return *this;
}

GivenHand& GivenHand::bets(int round, Seat seat, Chips total) {
  script_.player[at(seat)].bets[at(round)].push_back({total < 0    ? kFold
                                                      : total == 0 ? kCall
                                                                   : kFirstBet,
                                                      std::max(total, 0)});
  return *this;
}

void fill(const GameRules& rules, Script& script) {
  std::array<bool, kMaxDeckCards> given{};
  const auto mark = [&](const std::vector<CardId>& cards) {
    for (const CardId card : cards) given[card] = true;
  };
  for (const Script::Player& player : script.player)
    for (const auto* times : {&player.down, &player.up})
      for (const auto& cards : *times) mark(cards);
  for (const auto& cards : script.board) mark(cards);
  std::vector<CardId> left;
  for (const CardId card : rules.deck->in_play(script.taken_out))
    if (!given[card]) left.push_back(card);
  RandomStream rng(script.seed);
  shuffle_first(std::span(left), left.size(), rng);
  const auto add = [&](std::vector<CardId>& cards, int wanted) {
    while (static_cast<int>(cards.size()) < wanted && !left.empty()) {
      cards.push_back(left.back());
      left.pop_back();
    }
  };
  for (int street = 0; street < rules.streets; ++street) {
    const Street& dealt = rules.street[at(street)];
    add(script.board[at(street)], dealt.board);
    for (int seat = 0; seat < rules.players; ++seat) {
      Script::Player& player = script.player[at(seat)];
      if (!dealt.draw) {
        add(player.down[at(street)], dealt.down);
        add(player.up[at(street)], dealt.up);
      }
    }
  }
  // Draws come last: they need the fewest cards as a rule.
  for (int draw = 0; draw < rules.draws; ++draw)
    for (int seat = 0; seat < rules.players; ++seat) add(script.player[at(seat)].down[at(draw + 1)], kDrawHand);
}

State GivenHand::play(std::uint64_t seed) const {
  Script script = script_;
  script.seed = seed;
  fill(rules_, script);
  return play_script(rules_, script);
}

std::vector<Event> story(const State& state) {
  std::vector<Event> events;
  state.events(events);
  return events;
}

std::vector<float> observed(const State& state, Seat seat) {
  std::vector<float> data(at(State::observation_spec(state.rules()).size()));
  state.observe(seat, data.data());
  return data;
}

std::string text_of(const GameRules& rules, std::span<const CardId> cards) { return rules.deck->to_string(cards); }

}  // namespace dealer::poker
