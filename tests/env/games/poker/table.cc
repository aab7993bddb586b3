#include "tests/env/games/poker/table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "env/cards/shuffle.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "tests/support/event_lines.h"

namespace dealer::poker {
namespace {

// The time at which the i-th given card comes.
std::size_t time_of(const GameRules& rules, std::size_t i) {
  if (rules.procedure == Procedure::kHoldem) return 0;
  if (rules.procedure == Procedure::kDraw) return i < kDrawHand ? 0 : 1;
  return i < 3 ? 0 : i - 2;
}

class Writer {
 public:
  explicit Writer(RandomStream& rng) : rng_(rng) {}

  std::string write() {
    static constexpr std::array<std::string_view, 3> kProcedures = {"draw", "stud", "holdem"};
    const std::string_view procedure = pick(kProcedures);
    washizu_ = procedure == "draw" && one_in(6);
    set("procedure", procedure);
    write_cards(procedure);
    write_chips(procedure);
    if (procedure == "draw" && !washizu_) {
      set("draws", 1 + below(3));
      if (one_in(3)) set("betting_before_draw", "false");
    }
    if (one_in(2)) set("odd_chips", one_in(2) ? "discard" : "left_of_dealer");
    if (one_in(3)) set("open_fold", "false");
    if (one_in(3)) set("check_raise", "false");
    if (one_in(5)) set("show_all", one_in(2) ? "true" : "false");
    return text_;
  }

 private:
  int below(int n) { return static_cast<int>(rng_.below(static_cast<std::uint32_t>(n))); }
  bool one_in(int n) { return below(n) == 0; }
  template <class List>
  std::string_view pick(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(std::size(list))))];
  }
  template <class Value>
  void set(std::string_view key, const Value& value) {
    text_ += fmt::format("{}: {}\n", key, value);
  }

  // Few different pairs of deck and ranking: each is compiled once.
  void write_cards(std::string_view procedure) {
    const bool court = !washizu_ && one_in(4);
    set("players", 2 + below(court || procedure == "draw" ? 5 : procedure == "stud" ? 7 : 9));
    if (court) {
      static constexpr std::array<std::string_view, 4> kDecks = {"court_tarot_54", "court_extra_52", "court_color_52",
                                                                 "tarot_78"};
      set("deck", pick(kDecks));
      return;
    }
    if (washizu_ || one_in(6)) {
      static constexpr std::array<std::string_view, 4> kMixes = {"none", "replace_suit", "replace_random", "add"};
      set("washizu", pick(kMixes));
      set("jokers", 1);
      return;
    }
    if (one_in(4)) set("jokers", 1 + below(2));
    if (one_in(3))
      set("ranking", "ace_to_five");
    else if (one_in(4))
      set("low", "eight_or_better");
  }

  void write_chips(std::string_view procedure) {
    const bool match = one_in(2);
    set("episode", match ? "match" : "hand");
    if (washizu_) {
      set("limit", "washizu");
      set("stack", 10 + below(11));
      if (one_in(2)) set("ante", below(4));
      if (match) set("match_hands", 1 + below(5));
      return;
    }
    static constexpr std::array<std::string_view, 3> kLimits = {"structured", "pot_limit", "no_limit"};
    const std::string_view limit = pick(kLimits);
    set("limit", limit);
    // Small and large stacks with equal frequency.
    const int stack = std::max(1, static_cast<int>(std::pow(1000.0, static_cast<double>(rng_.uniform()))));
    const int size = 1 + below(std::max(1, std::min(stack, 40)));
    set("stack", stack);
    set("min_bet", size);
    if (one_in(3)) set("big_bet", size + below(2 * size));
    if (procedure != "stud" && one_in(2)) {
      set("blinds", fmt::format("[{}, {}]", size / 2, size));
      set("ante", one_in(3) ? below(size + 1) : 0);
    } else {
      set("ante", below(std::min(stack, 2 * size) + 1));
      if (procedure == "stud" && size > 1 && one_in(2)) set("bring_in", 1 + below(size - 1));
    }
    if (match) set("match_hands", 1 + below(20));
    if (one_in(2)) set("raises_per_player", one_in(3) ? std::string("null") : std::to_string(below(4)));
    if (one_in(3)) set("raises_per_round", below(6));
    static constexpr std::array<std::string_view, 5> kBets = {"[min]", "[0.5, 1]", "[min, 0.33, 0.75, all_in]",
                                                              "[all_in]", "[min, 0.1, 0.2, 0.5, 1, 1.5, 2, 3, all_in]"};
    if (one_in(2)) set("bets", pick(kBets));
  }

  RandomStream& rng_;
  bool washizu_ = false;
  std::string text_;
};

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

std::vector<std::string> lines(const State& state, Viewer viewer, int street) {
  std::vector<std::string> observed;
  for (const Event& event : seen_by(story(state), viewer))
    if (event.street >= street)
      observed.push_back(test::line_of(event, [&](const auto& cards) { return text_of(state.rules(), cards); }));
  return observed;
}

std::vector<float> observed(const State& state, Seat seat) {
  std::vector<float> data(at(State::observation_spec(state.rules()).size()));
  state.observe(seat, data.data());
  return data;
}

std::string small_deck(std::string_view ranks, std::string_view suits, std::string_view transparent) {
  std::string text = fmt::format("ranks: {}\nsuits:\n", ranks);
  for (const std::string_view name : {"spades", "hearts", "diamonds", "clubs"})
    if (suits.find(name[0]) != std::string_view::npos)
      text += fmt::format("  {}: {{symbol: {}, transparent: {}}}\n", name, name[0],
                          transparent.find(name[0]) != std::string_view::npos);
  return text;
}

std::string text_of(const GameRules& rules, std::span<const CardId> cards) { return rules.deck->to_string(cards); }

std::string random_rules_text(RandomStream& rng) { return Writer(rng).write(); }

std::optional<GameRules> allowed_rules(const std::string& text) {
  try {
    return rules_of(text);
  } catch (const ConfigError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return std::nullopt;
  }
}

}  // namespace dealer::poker
