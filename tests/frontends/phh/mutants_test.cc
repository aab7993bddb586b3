// Histories with words changed at random: none may crash the program, and none in which chips are created, or a card is
// in two places, may be accepted.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <set>

#include "env/core/error.h"
#include "env/core/random.h"
#include "frontends/phh/standard_text.h"
#include "tests/env/harness/game_harness.h"
#include "tests/frontends/phh/replaying.h"
#include "tests/support/paths.h"

namespace dealer::phh::mutants_test {
namespace {

std::vector<std::string> whole_hands() {
  std::vector<std::string> hands;
  for (const char* file : {"tests/frontends/phh/pokerkit.phhs", "tests/frontends/phh/ours.phhs"}) {
    HistoryReader reader(test::read_bytes(std::filesystem::path(test::source_dir()) / file), file);
    while (auto hand = reader.next()) {
      hand->heading.clear();
      std::erase_if(hand->others, [](const TomlEntry& entry) { return entry.key == "_game"; });
      hands.push_back(to_string(*hand));
    }
  }
  return hands;
}

bool in_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '?' || c == '.' ||
         c == '-' || c == '_';
}

class Mutating {
 public:
  explicit Mutating(std::uint64_t seed) : rng_(seed, 77) {}

  std::string mutant(const std::vector<std::string>& hands) {
    std::string text = hands[below(hands.size())];
    for (auto changes = 1 + below(3); changes > 0; --changes) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t count) { return rng_.below(static_cast<std::uint32_t>(count)); }

  // Begin and length of a random word.
  std::pair<std::size_t, std::size_t> some_word(const std::string& text) {
    const std::size_t from = below(text.size());
    std::size_t begin = from;
    while (begin < text.size() && !in_word(text[begin])) ++begin;
    std::size_t end = begin;
    while (end < text.size() && in_word(text[end])) ++end;
    return {begin, end - begin};
  }
  // The same of a line with an action.
  std::pair<std::size_t, std::size_t> some_action(const std::string& text) {
    std::vector<std::size_t> lines;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text.compare(i, 3, "  '") == 0) lines.push_back(i);
    if (lines.empty()) return {text.size(), 0};
    const std::size_t begin = lines[below(lines.size())];
    return {begin, text.find('\n', begin) + 1 - begin};
  }

  void change(std::string& text) {
    if (text.empty()) return;
    const auto [word, length] = some_word(text);
    const auto [action, line] = some_action(text);
    switch (below(8)) {
      case 0: {
        const auto [other, size] = some_word(text);
        text.replace(word, length, std::string(text.substr(other, size)));
        break;
      }
      case 1:
        text.erase(action, line);
        break;
      case 2:
        text.insert(some_action(text).first, std::string(text.substr(action, line)));
        break;
      case 3: {
        const std::string moved = text.substr(action, line);
        text.erase(action, line);
        text.insert(some_action(text).first, moved);
        break;
      }
      case 4: {
        constexpr const char* kActions[] = {"p1 f",  "p2 cc", "p1 sm",   "p2 sm -",      "p1 cbr 400",
                                            "p2 pb", "p1 sd", "d db Ah", "d dh p1 ????", "p2 sm ????"};
        text.insert(action, fmt::format("  '{}',\n", kActions[below(std::size(kActions))]));
        break;
      }
      case 5: {
        constexpr const char* kWords[] = {"0", "1", "inf", "-1", "1e3", "0.5", "true", "'PO'", "'FR'", "'NS'", "??"};
        text.replace(word, length, kWords[below(std::size(kWords))]);
        break;
      }
      case 6:
        for (std::size_t i = word; i < word + length; ++i)
          if (text[i] >= '0' && text[i] <= '9' && below(2) == 0) text[i] = static_cast<char>('0' + below(10));
        break;
      default:
        if (length >= 2) text.replace(word, 2, fmt::format("{}{}", "23456789TJQKA"[below(13)], "cdhs"[below(4)]));
    }
  }

  RandomStream rng_;
};

// Invariants of every hand, whatever the house rules.
void expect_possible(const StandardReplay& replay) {
  const StandardTable& table = *replay.table();
  const HandHistory& hand = replay.history();
  std::set<CardId> seen;
  const bool draws = table.hand().variant->draws() > 0;
  for (const auto& player : table.players())
    for (const CardId card : player.cards)
      EXPECT_TRUE(card == StandardTable::kUnknown || (draws && player.folded) || seen.insert(card).second);
  for (const CardId card : table.board()) EXPECT_TRUE(card == StandardTable::kUnknown || seen.insert(card).second);
  Amount before = 0, after = 0;
  const std::vector<Amount> stacks = replay.finishing_stacks();
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    EXPECT_GE(stacks[i], 0);
    EXPECT_TRUE(!table.players()[i].folded || replay.collected()[i] == 0);
    before += hand.starting_stacks[i];
    after += stacks[i];
    EXPECT_TRUE(hand.finishing_stacks.empty() || hand.finishing_stacks[i] == stacks[i]);
  }
  EXPECT_EQ(before, after + replay.rake());
}

void try_mutants(std::uint64_t seed, int count) {
  const std::vector<std::string> hands = whole_hands();
  ASSERT_GT(hands.size(), 30U);
  int unreadable = 0, wrong = 0, right = 0;
  Replayer replayer;
  for (int i = 0; i < count; ++i) {
    const std::string text = Mutating(seed + static_cast<std::uint64_t>(i)).mutant(hands);
    SCOPED_TRACE(text);
    try {
      const HandHistory hand = parse_hand(text);
      const bool fits = replayer.check(hand).empty();
      ++(fits ? right : wrong);
      if (const StandardReplay* standard = replayer.standard()) {
        standard_text(*standard);
        standard_events(*standard);
        if (fits) expect_possible(*standard);
      }
    } catch (const ParseError&) {
      ++unreadable;
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(unreadable, count / 50);
  EXPECT_GT(wrong, count / 4);
  EXPECT_GT(right, count / 50);
}

TEST(Mutants, AreReadRefusedOrPossible) { try_mutants(0, 2000); }

TEST(MutantsThorough, AreReadRefusedOrPossible) { try_mutants(1'000'000, 1'000'000); }

}  // namespace
}  // namespace dealer::phh::mutants_test
