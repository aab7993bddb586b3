// The study of docs/contributing.md, registered and run like a built-in one.
#include "examples/contributing/position_study.h"
#include "tests/arena/studies/testing.h"

namespace dealer::studies::own_study_test {
namespace {

using namespace test;

class OwnStudy : public InFolder {
 protected:
  static void SetUpTestSuite() { register_study("positions", examples::kPositionStudy); }
  StudyOutcome study(const std::string& overrides) {
    write_bytes(at("positions.yaml"), "study: positions\n");
    return run_study(read_study(at("positions.yaml").string(), words_in(overrides)), at("out"));
  }
};

// In equilibrium the first player of Kuhn poker loses 1/18 of a chip per hand.
TEST_F(OwnStudy, FindsTheValueOfKuhnPoker) {
  const StudyOutcome outcome = study("agent=default deals=20000");
  const auto& first = outcome.results["figures"]["seats"][0];
  EXPECT_NEAR(first["points"]["value"], -1.0 / 18, first["points"]["ci95"]);
  EXPECT_LT(first["points"]["ci95"], 0.02);
  EXPECT_TRUE(has(outcome.results["conclusions"][0], "The first seat loses: −0.0"));
  expect_page(file("out/report.html"), 1);
}

// Hands with a known result: every fourth ends with a fold and costs the first seat a chip.
TEST_F(OwnStudy, CountsFoldsAndWins) {
  examples::PositionStudy study(2);
  const auto ended = [](std::int64_t first) {
    Event event;
    event.kind = Event::Kind::kHandEnded;
    event.values = {first, -first};
    return event;
  };
  Event fold;
  fold.kind = Event::Kind::kActed;
  fold.what = "fold";
  for (std::int64_t deal = 0; deal < 20; ++deal) {
    study.add(deal, deal % 4 == 0 ? std::vector{fold, ended(-1)} : std::vector{ended(2)});
  }
  const nlohmann::ordered_json figures = study.results({}).figures;
  EXPECT_EQ(figures["folds"]["value"], 0.25);
  EXPECT_EQ(figures["seats"][0]["points"]["value"], 1.25);
  EXPECT_EQ(figures["seats"][1]["wins"]["value"], 0.25);
}

TEST_F(OwnStudy, HasANameOfItsOwn) {
  EXPECT_EQ(error_message<UsageError>([] { register_study("positions", {}); }), "there is a study 'positions' already");
}

}  // namespace
}  // namespace dealer::studies::own_study_test
