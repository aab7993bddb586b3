// dealer models.

#include "tests/cli/run_dealer.h"

namespace dealer::test::models_test {
namespace {

class Models : public CommandInFolder {};

nlohmann::json entry_of(const nlohmann::json& models, const std::string& name) {
  for (const nlohmann::json& model : models)
    if (model["model"] == name) return model;
  return nullptr;
}

TEST_F(Models, ListsWhatComesWithTheProject) {
  const nlohmann::json models = json_of({"models", at("none")});
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/models"))
    files += entry.path().extension() != ".json" ? 1 : 0;
  EXPECT_EQ(models.size(), files);
  for (const nlohmann::json& model : models) {
    EXPECT_GT(model["bytes"], 0) << model;
    EXPECT_NE(model["made_by"], "") << model;
    EXPECT_EQ(model["game"].get<std::string>().find("own rules"), std::string::npos) << model;
  }
  expect_members(entry_of(models, "badugi"), {{"game", "badugi"}, {"made_by", "badugi_default"}, {"hands", 1601465}});
  expect_members(entry_of(models, "court_tarot_heads_up"), {{"game", "court_tarot[players=2]"}, {"strength", ""}});
  expect_members(
      entry_of(models, "solved_kuhn"),
      {{"game", "kuhn"}, {"made_by", "dcfr"}, {"iterations", 1000000}, {"strength", "exploitability 3.84449e-07"}});
  const nlohmann::json mixture = entry_of(models, "mixture_holdem_no_limit");
  expect_members(mixture, {{"game", "holdem[limit=no_limit]"},
                           {"made_by", "mixture of holdem_no_limit, buckets_holdem_no_limit"}});
  EXPECT_FALSE(mixture.contains("hands"));
  EXPECT_NE(entry_of(models, "badugi")["strength"].get<std::string>().find("zoo:trapper wins -1.46 ± 0.21 chips"),
            std::string::npos);
}

TEST_F(Models, ListsOnesOwn) {
  json_of({"solve", "kuhn", "--iterations", "10", "--out", at("mine.safetensors")});
  write("broken.safetensors", "no model");
  const ProgramResult ran = run_here({"models", at("")});
  EXPECT_EQ(ran.status, 0);
  expect_parts(ran.out, {"model ", "strength\n", "mine.safetensors", "dcfr", "10 iterations"});
  expect_parts(ran.err, {"warning: ", "broken.safetensors"});
}

}  // namespace
}  // namespace dealer::test::models_test
