// The shared harness on every registered game and on the option specs that its tests list.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <type_traits>

#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/visit.h"
#include "tests/env/harness/game_harness.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace dealer::test::every_game_test {
namespace {

const std::filesystem::path kTests = std::filesystem::path(test::source_dir()) / "tests/env";

// The lines of tests/env/games/NAME/specs.txt: options to test the game with.
std::vector<std::string> option_specs(const std::string& name) {
  std::vector<std::string> specs;
  std::ifstream file(kTests / "games" / name / "specs.txt");
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#') specs.push_back(line);
  return specs;
}

std::vector<std::string> all_specs() {
  std::vector<std::string> specs = game_names();
  for (const std::string& name : game_names())
    for (std::string& spec : option_specs(name)) specs.push_back(std::move(spec));
  return specs;
}

// Test names may contain only letters and digits.
std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class EveryGame : public testing::TestWithParam<std::string> {
 protected:
  GamePtr game_ = make_game(GetParam());
};

TEST_P(EveryGame, HasASoundObservationSpec) { check_observation_spec(*game_); }
TEST_P(EveryGame, HoldsAtEveryPosition) { check_positions(*game_, repetitions(2000)); }
TEST_P(EveryGame, RefusesWhatIsNotLegal) { check_refusals(*game_, repetitions(100)); }
TEST_P(EveryGame, SaysWhatMayBeDecided) { check_choices(*game_, repetitions(300)); }
TEST_P(EveryGame, ClonesRestoresAndIsDecidedByTheSeed) { check_copies(*game_, repetitions(1500)); }
TEST_P(EveryGame, RefusesMalformedPositions) { check_malformed_positions(*game_, repetitions(100)); }
TEST_P(EveryGame, SamplesWhatTheObserverCannotKnow) { check_sampling(*game_, repetitions(200)); }
TEST_P(EveryGame, DealsAnew) { check_resampling(*game_, repetitions(200)); }
TEST_P(EveryGame, RefusesMalformedObservations) { check_malformed_observations(*game_, repetitions(300)); }
TEST_P(EveryGame, RemembersItsHand) { check_recall(*game_, repetitions(150)); }
TEST_P(EveryGame, TellsWhatHappens) { check_events(*game_, repetitions(300)); }
TEST_P(EveryGame, StepsManyTablesAsOne) { check_vector_env(*game_, repetitions(3000)); }

INSTANTIATE_TEST_SUITE_P(Games, EveryGame, testing::ValuesIn(all_specs()), test_name);

class NamedGame : public testing::TestWithParam<std::string> {};

// The first line of the file is the signature of the game, the others are those of its options.
TEST_P(NamedGame, KeepsItsSignature) {
  std::string text = fmt::format("{:016x} {}\n", signature(*make_game(GetParam()), 3000), GetParam());
  for (const std::string& spec : option_specs(GetParam()))
    text += fmt::format("{:016x} {}\n", signature(*make_game(spec), 500), spec);
  check_recorded(kTests / "golden" / (GetParam() + ".signature"), text);
}

TEST_P(NamedGame, PlaysAsRecorded) {
  check_recorded(kTests / "golden" / (GetParam() + ".txt"), playthrough(*make_game(GetParam())));
}

// From a Game to its typed rules and states: a state dealt from them equals the one at the table.
TEST_P(NamedGame, IsHandedOverWithItsRulesAndStates) {
  const GamePtr game = make_game(GetParam());
  const auto env = game->new_env();
  env->reset(5);
  const auto [seen, family] = visit(*game, [&](const auto& typed) {
    EXPECT_EQ(&typed, game.get());
    using State = typename std::decay_t<decltype(typed)>::State;
    State state;
    state.reset(typed.rules(), 5);
    std::vector<float> numbers(env->observe(0).data.size());
    state.observe(0, numbers.data());
    return std::pair(numbers, std::is_same_v<State, ofc::State>     ? "ofc"
                              : std::is_same_v<State, poker::State> ? "poker"
                              : std::is_same_v<State, small::State> ? "small"
                                                                    : "seven_hand");
  });
  EXPECT_EQ(seen, env->observe(0).data);
  EXPECT_EQ(small::as_small(*game) != nullptr ? "small" : game->id().family, family);
  // The caller gets exactly the template's result, references included.
  const GameId& id = visit(*game, [](const auto& typed) -> const GameId& { return typed.id(); });
  EXPECT_EQ(&id, &game->id());
}

INSTANTIATE_TEST_SUITE_P(Games, NamedGame, testing::ValuesIn(game_names()), test_name);

// Random nonsense, the same on every run: rule files, specs. Each is either accepted or rejected with the error
// documented in the header, and accepted ones can be played.
template <class List>
const auto& pick(const List& list, RandomStream& rng) {
  return list[rng.below(static_cast<std::uint32_t>(std::size(list)))];
}

std::size_t place_in(const std::string& text, RandomStream& rng) {
  return rng.below(static_cast<std::uint32_t>(text.size()) + 1);
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
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  lines.emplace_back();
  const std::size_t a = rng.below(static_cast<std::uint32_t>(lines.size()));
  const std::size_t b = rng.below(static_cast<std::uint32_t>(lines.size()));
  const auto change = rng.below(4);
  const auto place = lines.begin() + static_cast<std::ptrdiff_t>(a);
  if (change == 0) lines.erase(place);
  if (change == 1) lines.insert(place, std::string(lines[b]));
  if (change == 2) std::swap(lines[a], lines[b]);
  if (change == 3) lines[a].insert(0, rng.below(6), ' ');
  text.clear();
  for (const std::string& line : lines) text += line + '\n';
}

std::string mutate(std::string text, RandomStream& rng) {
  constexpr std::array<const char*, 14> kScraps = {":",  " ", "\t", "- ", "&a ", "*a",  "!!int ",
                                                   "\n", "[", "}",  "? ", "%",   "'\"", "---\n"};
  for (auto changes = 1 + rng.below(3); changes > 0; --changes) {
    const auto change = rng.below(6);
    if (change == 0 && !text.empty())
      text[rng.below(static_cast<std::uint32_t>(text.size()))] = static_cast<char>(rng.below(256));
    if (change == 1) text.insert(place_in(text, rng), pick(kScraps, rng));
    if (change == 2) text.erase(place_in(text, rng), rng.below(12));
    if (change == 3) change_lines(text, rng);
    if (change == 4 && rng.below(5) == 0) text.resize(place_in(text, rng));
    if (change == 5) replace_value(text, rng);
  }
  return text;
}

void play_some(const Game& game, RandomStream& rng) {
  const auto env = game.new_env();
  env->reset(rng());
  play_randomly(*env, rng, 100);
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

}  // namespace
}  // namespace dealer::test::every_game_test
