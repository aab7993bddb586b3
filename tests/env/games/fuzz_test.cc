// Random nonsense, the same on every run: actions, rule files, specs. Each is either taken or refused with the error
// that its header promises, and what is taken can be played.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/temp_folder.h"

namespace dealer::test::fuzz_test {
namespace {

template <class List>
const auto& pick(const List& list, RandomStream& rng) {
  return list[rng.below(static_cast<std::uint32_t>(std::size(list)))];
}

std::size_t place_in(const std::string& text, RandomStream& rng) {
  return rng.below(static_cast<std::uint32_t>(text.size()) + 1);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; begin = end + 1, end = text.find('\n', begin))
    lines.push_back(text.substr(begin, end - begin));
  lines.push_back(text.substr(begin));
  return lines;
}

void replace_value(std::string& text, RandomStream& rng) {
  constexpr std::array<const char*, 18> kValues = {
      "-1",  "0",  "1",     "2",  "3",   "1000000", "99999999999999999999", "1.5", "1e9", "nan", "null", "false",
      "[1]", "{}", "\"2\"", "*a", "QQQ", "\xff"};
  std::vector<std::size_t> colons;
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    if (text[i] == ':') colons.push_back(i);
  if (colons.empty()) return;
  const std::size_t colon = pick(colons, rng);
  const std::size_t end = std::min(text.find_first_of(",}\n#", colon), text.size());
  text.replace(colon + 1, end - colon - 1, std::string(" ") + pick(kValues, rng));
}

void change_lines(std::string& text, RandomStream& rng) {
  std::vector<std::string> lines = lines_of(text);
  const std::size_t a = rng.below(static_cast<std::uint32_t>(lines.size()));
  const std::size_t b = rng.below(static_cast<std::uint32_t>(lines.size()));
  switch (rng.below(4)) {
    case 0:
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(a));
      break;
    case 1:
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(a), std::string(lines[b]));
      break;
    case 2:
      std::swap(lines[a], lines[b]);
      break;
    default:
      lines[a].insert(0, rng.below(6), ' ');
  }
  text.clear();
  for (const std::string& line : lines) text += line + '\n';
}

std::string mutate(std::string text, RandomStream& rng) {
  constexpr std::array<const char*, 14> kScraps = {":",  " ", "\t", "- ", "&a ", "*a",  "!!int ",
                                                   "\n", "[", "}",  "? ", "%",   "'\"", "---\n"};
  for (auto changes = 1 + rng.below(3); changes > 0; --changes) {
    switch (rng.below(6)) {
      case 0:
        if (!text.empty()) text[rng.below(static_cast<std::uint32_t>(text.size()))] = static_cast<char>(rng.below(256));
        break;
      case 1:
        text.insert(place_in(text, rng), pick(kScraps, rng));
        break;
      case 2:
        text.erase(place_in(text, rng), rng.below(12));
        break;
      case 3:
        change_lines(text, rng);
        break;
      case 4:
        if (rng.below(5) == 0) text.resize(place_in(text, rng));
        break;
      default:
        replace_value(text, rng);
    }
  }
  return text;
}

void play_some(const Game& game, RandomStream& rng) {
  const auto env = game.new_env();
  env->reset(rng());
  play_randomly(
      *env, rng, [](const Env&) {}, [](const Step&, Seat, Action) {}, 100);
}

TEST(Fuzz, RuleFilesGiveAGameOrAConfigError) {
  const TempFolder folder;
  const std::filesystem::path file = folder / "mutant.yaml";
  for (const std::string& name : game_names()) {
    const std::string original = read_bytes(data_path("configs/games/" + name + ".yaml"));
    int taken = 0, refused = 0;
    for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(repetitions(600)); ++seed) {
      RandomStream rng(seed, 31);
      const std::string text = mutate(original, rng);
      SCOPED_TRACE(text);
      write_bytes(file, text);
      GamePtr game;
      try {
        game = make_game(file.string());
      } catch (const ConfigError& error) {
        ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        ++refused;
        continue;
      }
      ++taken;
      play_some(*game, rng);
    }
    EXPECT_GT(taken, refused / 20) << name;
    EXPECT_GT(refused, taken / 20) << name;
  }
}

TEST(Fuzz, SpecsGiveAGameOrAnError) {
  constexpr std::array<const char*, 22> kScraps = {
      "ofc", "[",  "]", "=", ",", "players", "3",     "episode", "match", "hand", "fantasyland.cards",
      "17",  "\"", "'", " ", "{", "}",       "leduc", ".yaml",   "/",     "-1",   "match.hands"};
  int taken = 0;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(repetitions(20000)); ++seed) {
    RandomStream rng(seed, 32);
    std::string spec = rng.below(2) == 0 ? "ofc[" : "";
    for (auto scraps = rng.below(10); scraps > 0; --scraps) spec += pick(kScraps, rng);
    if (rng.below(2) == 0) spec += ']';
    SCOPED_TRACE(spec);
    try {
      play_some(*make_game(spec), rng);
      ++taken;
    } catch (const Error& error) {
      ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
  }
  EXPECT_GT(taken, 10);
}

TEST(Fuzz, ActionsAreLegalOrRefused) {
  for (const std::string& name : game_names()) {
    const GamePtr game = make_game(name);
    const auto env = game->new_env();
    int refused = 0;
    for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(repetitions(500)); ++seed) {
      RandomStream rng(seed, 33);
      env->reset(seed);
      for (int i = 0; i < 200 && env->current_player() != kTerminal; ++i) {
        const auto any = static_cast<Action>(rng.below(8) == 0 ? rng() : rng.below(64) - 2);
        const std::uint64_t mask = env->legal_mask();
        const bool legal = any >= 0 && any < 64 && ((mask >> any) & 1) != 0;
        try {
          env->step(any);
          ASSERT_TRUE(legal) << any;
        } catch (const IllegalAction&) {
          ASSERT_FALSE(legal) << any;
          ASSERT_EQ(env->legal_mask(), mask);
          ++refused;
        }
      }
    }
    EXPECT_GT(refused, 0);
  }
}

}  // namespace
}  // namespace dealer::test::fuzz_test
