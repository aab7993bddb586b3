// Answers of a table that take long: advice and reviews, while the table goes on.
#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "frontends/web/refusal.h"
#include "tests/frontends/web/web_sitting.h"

namespace dealer::test::web_answers_test {
namespace {

using Json = nlohmann::json;

Json advise(const Json& request) { return {{"type", "advise"}, {"id", request["id"]}}; }

TEST(WebAnswers, AdviseTheDecisionOnTheTableAndComputeNoOther) {
  int computed = 0;
  web::TableAnalyser judge;
  judge.odds = [&](const Env&) { return nlohmann::ordered_json(++computed); };
  Sitting sitting(setup_of("ofc", {"me", "random"}), judge);
  const auto person = sitting.sit();
  sitting.settle();
  // The cards of a turn are placed without anybody else's decision between.
  std::vector<Json> requests;
  for (int decision = 0; decision < 3; ++decision) {
    requests.push_back(person->last("request"));
    sitting.table->take(0, advise(requests.back()));
    sitting.table->take(0, advise(requests.back()));
    if (decision < 2) sitting.table->take(0, answer_to(requests.back(), 0));
  }
  EXPECT_THROW(sitting.table->take(0, advise(requests.front())), UsageError);
  sitting.settle();
  EXPECT_EQ(person->count("advice"), 1);
  EXPECT_EQ(person->last("advice")["id"], requests.back()["id"]);
  EXPECT_EQ(computed, 2);
  // Again, for whoever has lost the first one.
  sitting.table->take(0, advise(requests.back()));
  sitting.settle();
  EXPECT_EQ(person->count("advice"), 2);
}

TEST(WebAnswers, AdviseNobodyWhoDecidedMeanwhile) {
  Sitting sitting(setup_of("ofc", {"me", "random"}));
  const auto person = sitting.sit();
  sitting.settle();
  const Json request = person->last("request");
  sitting.table->take(0, advise(request));
  sitting.table->take(0, answer_to(request, 0));
  sitting.settle();
  EXPECT_EQ(person->count("advice"), 0);
  EXPECT_EQ(person->count("error"), 0);
}

TEST(WebAnswers, ReviewEachHandOnceAlthoughTheNextIsOver) {
  std::vector<std::string> reviewed;
  std::function<void()> meanwhile = [] {};
  web::TableAnalyser judge;
  judge.review = [&](const Env&, std::span<const Decision>, const std::vector<std::string>&, Viewer) {
    reviewed.emplace_back("hand");
    std::exchange(meanwhile, [] {})();
    return nlohmann::ordered_json::array();
  };
  Sitting sitting(setup_of("kuhn", {"me", "random"}), judge);
  const auto person = sitting.sit();
  const auto play = [&](int hands) {
    for (sitting.settle(); person->count("hand_over") < hands; sitting.settle())
      sitting.table->take(0, answer_to(person->last("request"), 0));
  };
  const Json review = {{"type", "review"}};
  meanwhile = [&] {
    sitting.table->take(0, {{"type", "next"}});
    play(2);
    sitting.table->take(0, review);
  };
  play(1);
  sitting.table->take(0, review);
  sitting.table->take(0, review);
  sitting.settle();
  std::vector<int> hands;
  for (const Json& message : person->messages)
    if (message["type"] == "review") hands.push_back(message["hand"]);
  EXPECT_EQ(hands, (std::vector<int>{1, 2}));
  EXPECT_EQ(reviewed.size(), 2U);
}

TEST(WebAnswers, NameNoFolders) {
  EXPECT_EQ(web::page_text("/tmp/x/a.yaml: blinds: 5\nmore"), "a.yaml: blinds: 5");
  EXPECT_EQ(web::page_text("cannot read '/home/me/runs/first/model.bin', see /etc/dealer/"),
            "cannot read 'model.bin', see dealer/");
  EXPECT_EQ(web::page_text("model=/a/b.bin: no file"), "model=b.bin: no file");
  // Of the project's data the place within it is left.
  EXPECT_EQ(web::page_text(data_folders().front().string() + "/configs/games/a.yaml: no"), "configs/games/a.yaml: no");
  for (const std::string plain : {"raise to 5: expected 10 to 20", "no layout / Tc Td / Jh 8h", "1/2 and a/b", "", "/"})
    EXPECT_EQ(web::page_text(plain), plain);
}

}  // namespace
}  // namespace dealer::test::web_answers_test
