// The shared harness on every registered game and on the option specs that its tests list.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "env/core/registry.h"
#include "tests/env/harness/game_harness.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/paths.h"

namespace dealer::test::every_game_test {
namespace {

const std::filesystem::path kTests = std::filesystem::path(test::source_dir()) / "tests/env";

// The lines of tests/env/games/NAME/specs.txt: options to try the game with.
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

// Test names know letters and digits only.
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
TEST_P(EveryGame, IsDecidedByTheSeed) { check_seeds(*game_, repetitions(1500)); }
TEST_P(EveryGame, ClonesAndRestores) { check_copies(*game_, repetitions(1000)); }
TEST_P(EveryGame, RefusesMalformedPositions) { check_malformed_positions(*game_, repetitions(100)); }
TEST_P(EveryGame, SamplesWhatTheObserverCannotKnow) { check_sampling(*game_, repetitions(200)); }
TEST_P(EveryGame, DealsAnew) { check_redealing(*game_, repetitions(200)); }
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

INSTANTIATE_TEST_SUITE_P(Games, NamedGame, testing::ValuesIn(game_names()), test_name);

}  // namespace
}  // namespace dealer::test::every_game_test
