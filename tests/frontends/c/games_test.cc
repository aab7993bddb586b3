#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "env/core/registry.h"
#include "env/core/version.h"
#include "tests/frontends/c/c_support.h"
#include "tests/support/markdown.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace dealer::test::c_games_test {
namespace {

TEST(CLibrary, TellsItsVersion) {
  EXPECT_EQ(std::string(dc_version()), version());
  EXPECT_EQ(version().substr(0, std::strlen(DC_VERSION)), DC_VERSION);
  EXPECT_EQ(std::string(DC_VERSION), std::to_string(DC_VERSION_MAJOR) + '.' + std::to_string(DC_VERSION_MINOR) + '.' +
                                         std::to_string(DC_VERSION_PATCH));
  EXPECT_EQ(dc_abi_version(), DC_ABI_VERSION);
}

TEST(CGames, AreThoseThereAre) { EXPECT_EQ(list_of(dc_game_names), game_names()); }

class EveryCGame : public testing::TestWithParam<std::string> {};

TEST_P(EveryCGame, TellsOfItself) {
  const GamePtr game = make_game(GetParam());
  const CGame same = open_game(GetParam());
  const dc_game_info info = info_of(same);
  EXPECT_EQ(info.name, game->name());
  EXPECT_EQ(info.spec, game->spec());
  EXPECT_EQ(info.family, game->id().family);
  EXPECT_EQ(info.rules, game->id().rules);
  EXPECT_EQ(info.unit, game->unit());
  EXPECT_EQ(info.big_blind, game->big_blind());
  EXPECT_EQ(info.players, game->players());
  EXPECT_EQ(std::pair(info.min_players, info.max_players), game->player_range());
  EXPECT_EQ(info.num_actions, game->num_actions());
  EXPECT_EQ(info.observation_size, game->observation_spec().size());
  EXPECT_EQ(info.zero_sum != 0, game->zero_sum());
}

TEST_P(EveryCGame, TellsWhatItsObservationsMean) {
  const GamePtr game = make_game(GetParam());
  const CGame same = open_game(GetParam());
  const std::vector<ObservationPart>& parts = game->observation_spec().parts();
  ASSERT_EQ(info_of(same).num_observation_parts, static_cast<int>(parts.size()));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    dc_observation_part part = {};
    EXPECT_DC_OK(dc_game_get_observation_part(same.get(), static_cast<int>(i), &part));
    EXPECT_EQ(part.name, parts[i].name);
    EXPECT_EQ(part.meaning, parts[i].meaning);
    EXPECT_EQ(std::vector<int>(part.shape, part.shape + part.rank), parts[i].shape);
    EXPECT_EQ(part.offset, parts[i].offset);
    EXPECT_EQ(part.size, parts[i].size());
    EXPECT_EQ(part.low, parts[i].low);
    EXPECT_EQ(part.high, parts[i].high);
  }
  dc_observation_part beyond = {};
  EXPECT_EQ(dc_game_get_observation_part(same.get(), static_cast<int>(parts.size()), &beyond), DC_USAGE);
  EXPECT_EQ(dc_game_get_observation_part(same.get(), -1, &beyond), DC_USAGE);
}

TEST_P(EveryCGame, NamesItsCardsAndStatistics) {
  const GamePtr game = make_game(GetParam());
  const CGame same = open_game(GetParam());
  const dc_game_info info = info_of(same);
  ASSERT_EQ(info.num_statistics, static_cast<int>(game->statistic_names().size()));
  const char* name = nullptr;
  for (int i = 0; i < info.num_statistics; ++i) {
    EXPECT_DC_OK(dc_game_get_statistic_name(same.get(), i, &name));
    EXPECT_EQ(name, game->statistic_names()[static_cast<std::size_t>(i)]);
  }
  EXPECT_EQ(dc_game_get_statistic_name(same.get(), info.num_statistics, &name), DC_USAGE);
  ASSERT_GT(info.num_cards, 2);
  for (int card = 0; card < info.num_cards; ++card) {
    const auto id = static_cast<CardId>(card);
    EXPECT_EQ(text_of([&](char** text) { return dc_game_card_text(same.get(), id, text); }), game->card_to_string(id));
  }
  char* text = nullptr;
  EXPECT_EQ(dc_game_card_text(same.get(), static_cast<CardId>(info.num_cards), &text), DC_USAGE);
  EXPECT_EQ(text, nullptr);
}

INSTANTIATE_TEST_SUITE_P(Games, EveryCGame, testing::ValuesIn(game_names()), [](const auto& one) { return one.param; });

TEST(CGames, HaveTheCardsOfTheirDecks) {
  for (const auto& [spec, cards] : {std::pair("holdem", 52),
                                    {"draw[deck=standard_52[jokers=2]]", 54},
                                    {"kuhn", 3},
                                    {"leduc", 6},
                                    {"ofc", 52},
                                    {"seven_hand", 52}})
    EXPECT_EQ(info_of(open_game(spec)).num_cards, cards) << spec;
  EXPECT_STREQ(info_of(open_game("ofc[players=3]")).spec, "ofc[players=3]");
}

TEST(CGames, ThatAreNoneSayWhy) {
  const auto refused = [](const char* spec) {
    dc_game* game = nullptr;
    const dc_status status = dc_game_open(spec, &game);
    EXPECT_EQ(game, nullptr);
    return status;
  };
  EXPECT_EQ(refused("hodlem"), DC_USAGE);
  EXPECT_NE(std::string(dc_last_error()).find("'holdem'"), std::string::npos) << dc_last_error();
  EXPECT_EQ(refused("ofc[palyers=3]"), DC_CONFIG);
  EXPECT_NE(std::string(dc_last_error()).find("palyers"), std::string::npos) << dc_last_error();
  EXPECT_EQ(refused("ofc[players=3"), DC_PARSE);
}

TEST(CGames, OutliveTheirHandles) {
  CGame game = open_game("leduc");
  const CEnv env = open_env(game);
  const CAgents agents = open_agents(game, "random");
  game.reset();
  EXPECT_DC_OK(dc_env_reset(env.get(), 3));
  EXPECT_EQ(position_of(env).current_player, 0);
  EXPECT_NE(open_agent(agents), nullptr);
}

std::string output_of(const std::string& command) {
  std::string output;
  FILE* const pipe = popen(command.c_str(), "r");  // NOLINT(cert-env33-c)
  if (pipe == nullptr) return output;
  std::array<char, 4096> buffer;
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) output.append(buffer.data(), n);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return output;
}

std::set<std::string> declared() {
  const std::string header = read_bytes(source_dir() + "/include/dealers_choice.h");
  std::set<std::string> names;
  const std::regex function(R"(DC_API [a-z0-9_ *]+?\b(dc_[a-z_]+)\()");
  for (std::sregex_iterator i(header.begin(), header.end(), function), end; i != end; ++i) names.insert((*i)[1]);
  return names;
}

TEST(CLibrary, ExportsTheFunctionsOfTheHeaderAlone) {
  std::set<std::string> exported;
  std::istringstream lines(output_of("nm -D --defined-only " + c_library()));
  for (std::string address, kind, name; lines >> address >> kind >> name;) {
    if (kind == "A") {
      EXPECT_EQ(name, "DEALERS_CHOICE_0.1");
      continue;
    }
    EXPECT_TRUE(name.ends_with("@@DEALERS_CHOICE_0.1")) << name;
    exported.insert(name.substr(0, name.find('@')));
  }
  EXPECT_GT(exported.size(), 60U);
  EXPECT_EQ(exported, declared());
}

TEST(CLibrary, NeedsNoLibtorch) {
  const std::string needed = output_of("readelf -d " + c_library());
  EXPECT_NE(needed.find("libdealers_choice.so." + std::to_string(DC_ABI_VERSION)), std::string::npos) << needed;
  EXPECT_EQ(needed.find("torch"), std::string::npos) << needed;
}

namespace fs = std::filesystem;

TEST(CInterfacePage, ShowsTheExamples) {
  const fs::path root = source_dir();
  std::vector<std::string> examples;
  for (const auto& entry : fs::directory_iterator(root / "examples/c")) examples.push_back(read_bytes(entry.path()));
  EXPECT_GE(examples.size(), 3U);
  int shown = 0;
  for (const CodeBlock& block : read_markdown(root, "docs/c-interface.md").blocks) {
    if (block.language != "c") continue;
    std::string text;
    for (const std::string& line : block.lines) text += line + '\n';
    EXPECT_TRUE(std::any_of(examples.begin(), examples.end(),
                            [&](const std::string& example) { return example.find(text) != std::string::npos; }))
        << "docs/c-interface.md:" << block.line;
    ++shown;
  }
  EXPECT_EQ(shown, 2);
}

// Every `DC_...` and `dc_...` of the page is in the header.
TEST(CInterfacePage, NamesWhatIsInTheHeader) {
  const fs::path root = source_dir();
  const std::string header = read_bytes(root / "include/dealers_choice.h");
  std::set<std::string> names;
  for (const CodeSpan& span : read_markdown(root, "docs/c-interface.md").spans) {
    std::string name = span.text.substr(0, span.text.find('('));
    if ((name.starts_with("dc_") || name.starts_with("DC_")) && name != "dc_" && !name.starts_with("dc_..."))
      names.insert(name);
  }
  EXPECT_GE(names.size(), 15U);
  for (const std::string& name : names) EXPECT_NE(header.find(name), std::string::npos) << name;
}

}  // namespace
}  // namespace dealer::test::c_games_test
