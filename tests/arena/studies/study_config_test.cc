// Configs of studies: agents and substitutes, and what is refused.
#include "tests/arena/studies/testing.h"

namespace dealer::studies::study_config_test {
namespace {

using namespace test;

TEST(StudyConfig, ASubstitutePlaysWhatTheAgentDoesNot) {
  const StudyJob mixed =
      read_study("court", {"games=[court_tarot, 'court_tarot[deck=court_tarot_53]']", "agent=default"});
  ASSERT_EQ(mixed.tables.size(), 2U);
  EXPECT_EQ(mixed.tables[0].agent->spec(), "default");
  EXPECT_EQ(mixed.tables[1].agent->spec(), "rule");
  const auto refusal = [](const Words& overrides) {
    return error_message<UsageError>([&] { read_study("court", overrides); });
  };
  // No agent stands in if none is named, or for all games, so that a misspelt agent is reported.
  EXPECT_TRUE(has(refusal({"games=[court_tarot, 'court_tarot[deck=court_tarot_53]']", "substitute=none"}),
                  "agent 'default' does not play 'court_tarot[deck=court_tarot_53]'"));
  // So is an invalid option of a game, even though the agent plays another and a substitute could play this one.
  register_agent_kind("choosy", {.make =
                                     [](const Spec& spec, const GamePtr& game) {
                                       if (game->players() == 3) agent_options(spec).finish();
                                       return make_agents("random", game);
                                     },
                                 .plays = {},
                                 .what = "has options for two",
                                 .recognises = {}});
  const std::string misspelt = refusal({"games=['court_color[players=2]', court_color]", "agent='choosy[threds=2]'"});
  EXPECT_TRUE(has(misspelt, "agent 'choosy[threds=2]'"));
  EXPECT_TRUE(has(misspelt, "threds"));
  EXPECT_TRUE(has(refusal({"agent=defualt"}), "did you mean 'default'?"));
}

TEST(StudyConfig, CourtRefusesOtherGames) {
  const char* const kOther = " is not five-card draw with one draw";
  const std::pair<const char*, std::string> games[] = {
      {"[]", "override 'games=[]': games: the list is empty; expected one game or more"},
      {"[draw, ofc]",
       std::string("override 'games=[draw, ofc]': games.1: 'ofc'") + kOther + ", the subject of this study"},
      {"['court_tarot[procedure=stud]']", std::string("'court_tarot[procedure=stud]'") + kOther},
      {"['court_tarot[procedure=holdem]']", std::string("'court_tarot[procedure=holdem]'") + kOther},
      {"['draw[draws=2]']", std::string("'draw[draws=2]'") + kOther},
      {"[lowball]", "'lowball' has low hands; the study counts high hands"},
      {"['draw[washizu=replace_random]']", "draws the cards in play anew"},
      {"['draw[episode=match]']", "has several hands an episode"}};
  for (const auto& [list, why] : games)
    EXPECT_TRUE(refuses<UsageError>(why, [&] { read_study("court", {std::string("games=") + list, "agent=random"}); }));
  EXPECT_TRUE(refuses<UsageError>("override 'game=draw': unknown key 'game'; did you mean 'games'?", [] {
    read_study("court", {"game=draw", "games=[draw]", "agent=random"});
  }));
}

TEST(StudyConfig, EveryShippedOneCanBeRead) {
  for (const std::string& name : config_names("configs/studies")) {
    const StudyJob study = read_study(name, {});
    EXPECT_EQ(study.kind, name);
    EXPECT_GE(study.deals, 1000) << name;
  }
}

TEST(StudyConfig, RefusesWhatIsNotThere) {
  const TempFolder folder;
  write_bytes(folder / "game.yaml", "game: seven_hand\nplayers: 2\n");
  const auto expect = [](const std::string& name, const Words& overrides, const char* why) {
    EXPECT_TRUE(refuses<UsageError>(why, [&] { read_study(name, overrides); }));
  };
  expect("seven_hnd", {}, "there is no study 'seven_hnd'; did you mean 'seven_hand'?; studies: court, draw, ");
  expect("seven_hand", {"deal=5"}, "override 'deal=5': unknown key 'deal'; did you mean 'deals'?");
  expect("seven_hand", {"deals=1"}, "deals: 1 is not allowed; expected an integer from 2 to 10000000");
  expect("seven_hand", {"agent=rul"}, "did you mean 'rule'?");
  expect("seven_hand", {"game=ofc"}, "game: 'ofc' is not 7-Hand Poker, the subject of this study");
  expect("seven_hand", {"game=seven_hand[hands=2]"}, "'seven_hand[hands=2]' has several hands an episode");
  expect("seven_hand", {"study=eight_hand"}, "study: eight_hand is not allowed; expected one of court, draw");
  expect((folder / "game.yaml").string(), {}, "this is a game, as its key 'game' says; expected a study");
  // Options of the game can be varied, too.
  EXPECT_NO_THROW(read_study("seven_hand", {"game=seven_hand[margin=true,ties=second_mover]"}));
}

}  // namespace
}  // namespace dealer::studies::study_config_test
