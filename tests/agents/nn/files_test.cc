#include "agents/agent_registry.h"
#include "agents/nn/checkpoints.h"
#include "agents/nn/model_files.h"
#include "agents/nn/safetensors.h"
#include "env/core/data_dir.h"
#include "tests/support/raw_safetensors.h"
#include "tests/support/testing.h"

namespace dealer::nn_files_test {
namespace {

namespace fs = std::filesystem;
using test::error_message;
using test::TempFolder;

TensorFile content(float value) {
  TensorFile file;
  file.tensors["w"] = {{1}, std::vector<float>{value}};
  return file;
}

TEST(Checkpoints, NamesSortAsTheStepsDo) {
  EXPECT_EQ(checkpoint_path("runs/a", 1500), fs::path("runs/a/checkpoints/step-000000001500.safetensors"));
  EXPECT_EQ(checkpoint_path("r", 1234567890123), fs::path("r/checkpoints/step-1234567890123.safetensors"));
}

TEST(Checkpoints, AreListedNewestFirstAndNothingElseIs) {
  const TempFolder run;
  EXPECT_TRUE(list_checkpoints(run.path()).empty());
  fs::create_directory(run / "checkpoints");
  EXPECT_TRUE(list_checkpoints(run.path()).empty());
  for (const char* name :
       {"step-000000000002.safetensors", "step-000000000010.safetensors", "step-1234567890123.safetensors",
        "step-000000000011.safetensors.malformed", "step-000000000012.safetensors.7-1.tmp", "step-.safetensors",
        "step--3.safetensors", "step-x.safetensors", "weights.safetensors", "step-99999999999999999999.safetensors"}) {
    test::write_bytes(run / ("checkpoints/" + std::string(name)), "");
  }
  std::vector<std::int64_t> steps;
  for (const CheckpointFile& file : list_checkpoints(run.path())) steps.push_back(file.step);
  EXPECT_EQ(steps, (std::vector<std::int64_t>{1234567890123, 10, 2}));
}

// Earlier versions saved diverged weights.
TEST(Checkpoints, TheLatestIsTheNewestThatCanBeReadAndIsFinite) {
  const TempFolder run;
  EXPECT_FALSE(latest_checkpoint(run.path(), nullptr).has_value());
  fs::create_directory(run / "checkpoints");
  write_safetensors(checkpoint_path(run.path(), 7), content(7));
  const std::string newest = checkpoint_path(run.path(), 8).string(),
                    shortened = newest + ": malformed or no safetensors file: it has 5 bytes; expected at least 8";
  write_safetensors(newest, content(8));
  std::vector<std::string> malformed;
  EXPECT_EQ(latest_checkpoint(run.path(), &malformed)->step, 8);
  EXPECT_TRUE(malformed.empty());
  test::write_bytes(newest, test::raw_safetensors(content(std::nanf(""))));
  EXPECT_EQ(latest_checkpoint(run.path(), &malformed)->content.get<float>("w"), std::vector<float>{7});
  test::write_bytes(newest, "short");
  EXPECT_EQ(latest_checkpoint(run.path(), &malformed)->step, 7);
  EXPECT_EQ(latest_checkpoint(run.path(), nullptr)->step, 7);
  EXPECT_EQ(malformed, (std::vector{newest + ": tensor 'w' holds a number that is not finite", shortened}));
  fs::remove(checkpoint_path(run.path(), 7));
  EXPECT_EQ(test::error_message<CheckpointError>([&] { latest_checkpoint(run.path(), nullptr); }),
            run.path().string() + ": no checkpoint can be read; of the newest: " + shortened);
}

TEST(Checkpoints, AFileInPlaceOfTheFolderIsAnError) {
  const TempFolder run;
  test::write_bytes(run / "checkpoints", "x");
  EXPECT_EQ(test::error_message<FileError>([&] { list_checkpoints(run.path()); }),
            "cannot read " + (run / "checkpoints").string() + ": Not a directory");
}

void add_model(const fs::path& path, const std::map<std::string, std::string>& metadata) {
  TensorFile file;
  file.metadata = metadata;
  file.tensors["w"] = {{2}, std::vector<float>{1, 2}};
  write_safetensors(path, file);
}

TEST(Metadata, IsReadFromTheHeaderAlone) {
  const TempFolder folder;
  add_model(folder / "a.safetensors", {{"game", "ofc"}, {"hands", "12"}});
  EXPECT_EQ(read_safetensors_metadata(folder / "a.safetensors"),
            (std::map<std::string, std::string>{{"game", "ofc"}, {"hands", "12"}}));
  EXPECT_EQ(read_safetensors_metadata(folder / "a.safetensors"), read_safetensors(folder / "a.safetensors").metadata);
  // The tensors may be arbitrary, or missing.
  const std::string bytes = test::read_bytes(folder / "a.safetensors");
  test::write_bytes(folder / "a.safetensors", bytes.substr(0, bytes.size() - 8));
  EXPECT_EQ(read_safetensors_metadata(folder / "a.safetensors").at("hands"), "12");
  EXPECT_THROW(read_safetensors(folder / "a.safetensors"), CheckpointError);
}

TEST(Metadata, OfMalformedFilesIsRefused) {
  const TempFolder folder;
  add_model(folder / "a.safetensors", {{"game", "ofc"}});
  const std::string whole = test::read_bytes(folder / "a.safetensors");
  std::uint64_t length = 0;
  std::memcpy(&length, whole.data(), sizeof length);
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{8}, std::size_t{20}, 7 + length}) {
    test::write_bytes(folder / "short", whole.substr(0, size));
    const std::string message = error_message<CheckpointError>([&] { read_safetensors_metadata(folder / "short"); });
    EXPECT_TRUE(message.starts_with((folder / "short").string() + ": malformed")) << message;
  }
  test::write_bytes(folder / "long", std::string(8, '\xff') + "{}");
  EXPECT_THROW(read_safetensors_metadata(folder / "long"), CheckpointError);
  EXPECT_THROW(read_safetensors_metadata(folder / "none"), FileError);
  EXPECT_THROW(read_safetensors_metadata("/dev/zero"), FileError);
}

class FindModel : public testing::Test {
 protected:
  std::string found(const std::string& spec) {
    return find_model(*make_game(spec), folder_.path()).filename().string();
  }
  std::string refusal(const std::string& spec) {
    return error_message<UsageError>([&] { find_model(*make_game(spec), folder_.path()); });
  }
  void add(const std::string& name, const std::map<std::string, std::string>& metadata) {
    add_model(folder_ / name, metadata);
  }
  static std::string rules_of(const std::string& spec) { return make_game(spec)->id().rules; }

  TempFolder folder_;
};

TEST_F(FindModel, TakesThatOfTheRulesElseThatOfTheFamily) {
  add("a_leduc.safetensors", {{"game", "leduc"}});
  add("other.safetensors", {{"game", "ofc"}, {"rules", rules_of("ofc[players=3]")}});
  add("zz.safetensors", {{"game", "ofc"}});
  EXPECT_EQ(found("ofc"), "zz.safetensors");
  EXPECT_EQ(found("ofc[players=3]"), "other.safetensors");
  EXPECT_EQ(found("leduc"), "a_leduc.safetensors");
  // The family's own file precedes other general ones, whatever it was trained for.
  add("ofc.safetensors", {{"game", "ofc"}, {"rules", rules_of("ofc[episode=hand]")}});
  EXPECT_EQ(found("ofc"), "ofc.safetensors");
  EXPECT_EQ(found("ofc[episode=hand]"), "ofc.safetensors");
  EXPECT_EQ(found("ofc[players=3]"), "other.safetensors");
  // Between a model of these rules and the family's own file.
  add("told.safetensors", {{"game", "ofc"}, {"rules", rules_of("ofc_progressive")}, {"any_rules", "true"}});
  EXPECT_EQ(found("ofc_progressive"), "told.safetensors");
  EXPECT_EQ(found("ofc[fantasyland.cards=16]"), "told.safetensors");
  EXPECT_EQ(found("ofc[episode=hand]"), "ofc.safetensors");
  EXPECT_EQ(found("leduc"), "a_leduc.safetensors");
  // The first by name on ties.
  add("also.safetensors", {{"game", "ofc"}, {"rules", rules_of("ofc[players=3]")}});
  EXPECT_EQ(found("ofc[players=3]"), "also.safetensors");
}

// A solution is preferred to a network for exactly its rules; a mixture is preferred to both.
TEST_F(FindModel, TakesAMixtureBeforeASolutionBeforeANetwork) {
  const GamePtr draw = make_game("draw"), short_stacks = make_game("draw[stack=200]");
  add("a.safetensors", {{"game", "poker"}, {"rules", rules_of("draw")}});
  for (const std::string best : {"b.safetensors", "c.yaml"}) {
    if (best == "c.yaml")
      test::write_bytes(folder_ / best, "game: draw\nmixture: [a.safetensors, b.safetensors]\n");
    else
      add(best, {{"game", "poker"}, {"rules", rules_of("draw")}, {"algorithm", "bucket_mccfr"}});
    EXPECT_EQ(found("draw"), best);
    EXPECT_EQ(find_model(*draw, *draw, folder_.path()).filename(), best);
    EXPECT_EQ(find_model(*draw, *short_stacks, folder_.path()).filename(), "a.safetensors");
  }
  EXPECT_TRUE(test::has(refusal("draw[players=3]"), "for other rules there is a.safetensors, b.safetensors, c.yaml"));
  const ModelFile mixture = read_model_file(folder_ / "c.yaml");
  EXPECT_EQ(mixture.family, draw->id().family);
  EXPECT_EQ(mixture.rules, draw->id().rules);
  EXPECT_TRUE(mixture.solution);
  EXPECT_EQ(mixture.members, (std::vector<fs::path>{folder_ / "a.safetensors", folder_ / "b.safetensors"}));
}

TEST_F(FindModel, RefusesMalformedMixtures) {
  const auto refused = [&](const std::string& text) {
    test::write_bytes(folder_ / "m.yaml", text);
    std::vector<std::string> unreadable;
    EXPECT_TRUE(list_models(folder_.path(), &unreadable).empty());
    std::string message = error_message<UsageError>([&] { read_model_file(folder_ / "m.yaml"); });
    EXPECT_EQ(unreadable, std::vector{message});
    EXPECT_EQ(refusal("draw"), message) << "no other model plays in its place";
    return message;
  };
  const std::string file = (folder_ / "m.yaml").string();
  EXPECT_EQ(refused("mixture: [a.safetensors, b.safetensors]\n"), file + ": game: which game it plays is missing");
  EXPECT_EQ(refused("game: draw\n"), file + ": mixture: expected a list of two models or more");
  EXPECT_EQ(refused("game: draw\nmixture: [a.safetensors]\n"),
            file + ":2: mixture: expected a list of two models or more");
  EXPECT_EQ(refused("game: draw\nmixture: [a.safetensors, m.yaml]\n"),
            file + ":2: mixture: 'm.yaml' is a mixture itself; expected .safetensors files and run folders");
  EXPECT_TRUE(test::has(refused("game: drow\nmixture: [a.safetensors, b.safetensors]\n"), "drow"));
  EXPECT_TRUE(test::has(refused("game: draw\nmixtures: [a.safetensors, b.safetensors]\n"), "did you mean 'mixture'?"));
}

TEST_F(FindModel, KnowsAGameByItsRulesNotByItsName) {
  const TempFolder games;
  fs::copy_file(data_path("configs/games/ofc.yaml"), games / "kitchen.yaml");
  fs::copy_file(data_path("configs/games/leduc.yaml"), games / "ofc.yaml");
  add("ofc.safetensors", {{"game", "ofc"}});
  add("wide.safetensors", {{"game", "ofc"}, {"rules", rules_of("ofc[fantasyland.cards=16]")}});
  EXPECT_EQ(found((games / "kitchen.yaml").string()), "ofc.safetensors");
  EXPECT_EQ(found((games / "kitchen.yaml").string() + "[fantasyland.cards=16]"), "wide.safetensors");
  const std::string spec = (games / "ofc.yaml").string();
  EXPECT_EQ(refusal(spec), "no model in " + folder_.path().string() + " is for '" + spec +
                               "' (a game of 'leduc'); there are models of 'ofc'");
}

TEST_F(FindModel, SaysWhatThereIs) {
  EXPECT_EQ(refusal("kuhn"),
            "no model in " + folder_.path().string() + " is for 'kuhn' (a game of 'kuhn'); there is none");
  add("b.safetensors", {});
  test::write_bytes(folder_ / "a.safetensors", "none");
  test::write_bytes(folder_ / "kuhn.safetensors.tmp", "no model");
  EXPECT_EQ(refusal("kuhn"), "no model in " + folder_.path().string() +
                                 " is for 'kuhn' (a game of 'kuhn'); there are models of no game; not readable: " +
                                 (folder_ / "a.safetensors").string() +
                                 ": malformed or no safetensors file: it has 4 bytes; expected at least 8");
  add("bb.safetensors", {{"game", "kuhn"}, {"rules", rules_of("kuhn[cards=4]")}});
  EXPECT_TRUE(test::has(refusal("kuhn"), "; for other rules there is bb.safetensors; not readable"));
  // Unreadable files do not affect the others.
  add("c.safetensors", {{"game", "kuhn"}});
  EXPECT_EQ(found("kuhn"), "c.safetensors");
  EXPECT_THROW(find_model(*make_game("kuhn"), folder_ / "nowhere"), FileError);
}

TEST(ShippedModels, TellWhatTheyAreFor) {
  std::vector<std::string> unreadable;
  const std::vector<ModelFile> models = list_models(data_path("models"), &unreadable);
  EXPECT_EQ(unreadable, std::vector<std::string>());
  ASSERT_FALSE(models.empty());
  for (const ModelFile& model : models) EXPECT_TRUE(game_families().contains(model.family)) << model.path;
}

TEST(DefaultAgents, AreThoseOfTheGameWhateverItIsCalled) {
  const TempFolder games;
  fs::copy_file(data_path("configs/games/ofc.yaml"), games / "kitchen.yaml");
  fs::copy_file(data_path("configs/games/kuhn.yaml"), games / "ofc.yaml");
  const GamePtr kitchen = make_game((games / "kitchen.yaml").string());
  const auto agent = make_agents("default", kitchen)->make();
  const auto env = kitchen->new_env();
  env->reset(1);
  agent->reset(env->current_player(), 1);
  const Observation observation = test::seen_at(*env);
  const auto shipped = make_agents("default", make_game("ofc"))->make();
  shipped->reset(env->current_player(), 1);
  EXPECT_EQ(agent->act(observation), shipped->act(observation));
  const GamePtr kuhn = make_game((games / "ofc.yaml").string());
  const auto table = kuhn->new_env();
  table->reset(1);
  EXPECT_EQ(make_agents("default", kuhn)->make()->policy(table->observe(0)).value().size(), 2U);
}

TEST(MixtureFiles, AreAgents) {
  const TempFolder folder;
  const GamePtr game = make_game("court_extra[players=2]");
  for (const char* name : {"buckets_court_extra.safetensors", "court_extra_heads_up.safetensors"})
    fs::copy_file(data_path("models") / name, folder / name);
  const std::string file = (folder / "both.yaml").string();
  const auto write = [&](const std::string& rules, const std::string& second) {
    test::write_bytes(
        file, "game: court_extra[" + rules + "]\nmixture:\n  - buckets_court_extra.safetensors\n  - " + second + "\n");
  };
  write("players=2", "court_extra_heads_up.safetensors");
  const std::string options = "[temperature=0.5]";
  const auto buckets = make_agents((folder / "buckets_court_extra.safetensors").string() + options, game)->make();
  const auto network = make_agents((folder / "court_extra_heads_up.safetensors").string() + options, game)->make();
  const AgentFactoryPtr both = make_agents(file + options, game);
  EXPECT_EQ(both->spec(), file + options);
  const auto agent = both->make();
  const auto env = game->new_env();
  int played_by[2] = {};
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    env->reset(seed);
    const Observation seen = test::seen_at(*env);
    const auto own = agent->policy(seen);
    if (own == buckets->policy(seen))
      ++played_by[0];
    else if (own == network->policy(seen))
      ++played_by[1];
    // Bucket policies have no values.
    EXPECT_FALSE(buckets->value(seen));
    EXPECT_EQ(agent->value(seen), network->value(seen));
  }
  EXPECT_EQ(played_by[0] + played_by[1], 40);
  EXPECT_GT(played_by[0], 8);
  EXPECT_GT(played_by[1], 8);

  EXPECT_TRUE(test::refuses<CheckpointError>(file + ": it plays a game under other rules than those of 'court_extra'",
                                             [&] { make_agents(file, make_game("court_extra")); }));
  EXPECT_TRUE(test::refuses<ConfigError>("temprature", [&] { make_agents(file + "[temprature=1]", game); }));
  write("players=2", "nobody.safetensors");
  EXPECT_TRUE(test::refuses<FileError>((folder / "nobody.safetensors").string(), [&] { make_agents(file, game); }));
}

TEST(DefaultAgents, AtTheTablesOfTournamentsAreThoseOfTheGameAsItIsNamed) {
  const GamePtr table = make_game("draw[stack=2000,min_bet=20,ante=20,tournament_chips=8000]");
  EXPECT_TRUE(test::refuses<UsageError>("does not play 'draw[stack=", [&] { make_agents("default", table); }));
  const GamePtr draw = make_game("draw"), five = make_game("draw[players=5]");
  const auto by_name = make_agents("default", table, *draw)->make();
  const auto by_path = make_agents(data_path("models/draw.safetensors").string(), table)->make();
  const auto env = table->new_env();
  env->reset(1, {.chips = {5000, 3000}});
  const Observation seen = test::seen_at(*env);
  EXPECT_EQ(by_name->policy(seen), by_path->policy(seen));
  EXPECT_EQ(make_agents("default[simulations=5]", table, *draw)->spec(), "default[simulations=5]");
  // Other agents only see the table's game.
  EXPECT_EQ(make_agents("rule", table, *draw)->spec(), "rule");
  EXPECT_TRUE(test::refuses<UsageError>("|agent 'default' does not play 'draw[players=5]'; agents: ",
                                        [&] { make_agents("default", table, *five); }));
}

}  // namespace
}  // namespace dealer::nn_files_test
