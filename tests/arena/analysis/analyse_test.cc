// Whole logs: figures, OFC, reports.
#include "arena/analysis/analyse.h"

#include "agents/ofc/model_play.h"
#include "arena/analysis/report.h"
#include "arena/report/text.h"
#include "env/core/lru_cache.h"
#include "env/core/student_t.h"
#include "tests/arena/analysis/analysis_support.h"

namespace dealer::analysis::analyse_test {
namespace {

using namespace test;

TEST(Analyse, ThreadsChangeNothing) {
  for (const char* game : {"leduc", "draw"}) {
    const auto hands = record(game, {"rule", "random"}, 6, 4);
    const std::string one = to_json(analysed(hands, "default", 40, true, 1)).dump();
    EXPECT_EQ(to_json(analysed(hands, "default", 40, true, 3)).dump(), one) << game;
  }
}

TEST(Analyse, AnOfcAgentAgreesWithItself) {
  const auto hands = record("ofc", {"default", "random"}, 6, 7, true);
  const Analysis analysis = analysed(hands, "default");
  const PlayerFigures &agent = figures_of(analysis, "default"), &random = figures_of(analysis, "random");
  EXPECT_EQ(agent.loss_per_hand.value, 0);
  EXPECT_EQ(agent.mistakes, 0);
  EXPECT_GT(random.loss_per_hand.value, 3);
  EXPECT_GT(random.mistakes, random.judged / 2);
  EXPECT_EQ(analysis.unit, "points");
  for (const JudgedDecision& decision : analysis.decisions) {
    const Judgement& judgement = decision.judgement;
    ASSERT_NE(judgement.verdict, Verdict::kUnjudged) << judgement.why;
    EXPECT_GE(*judgement.loss, 0);
    EXPECT_NEAR(*judgement.loss, *judgement.choices[judgement.best].value - *judgement.choices[judgement.chosen].value,
                1e-9);
    EXPECT_LT(decision.street, 5);
  }
}

TEST(Analyse, SearchComparesItsChoiceWithTheGivenOne) {
  const auto hands = record("ofc", {"random"}, 2, 3);
  const Analysis network = analysed(hands, "default"), search = analysed(hands, "default", 60);
  EXPECT_EQ(search.agent, "default[simulations=60]");
  ASSERT_EQ(network.decisions.size(), search.decisions.size());
  int sampled = 0;
  for (std::size_t i = 0; i < network.decisions.size(); ++i) {
    const Judgement &a = network.decisions[i].judgement, &b = search.decisions[i].judgement;
    ASSERT_TRUE(b.loss);
    EXPECT_EQ(network.decisions[i].chosen, search.decisions[i].chosen);
    EXPECT_NEAR(*a.loss, *b.loss, 1.5 + 4 * b.error + 0.3 * *a.loss) << network.decisions[i].chosen;
    sampled += b.error > 0 ? 1 : 0;
  }
  EXPECT_GT(sampled, 10);
}

TEST(Analyse, SevenHandIsAnalysedBySearch) {
  const Analysis analysis = analysed(record("seven_hand", {"random"}, 1, 3), "default", 60);
  EXPECT_EQ(analysis.methods, Words{"search"});
  ASSERT_FALSE(analysis.decisions.empty());
  for (const JudgedDecision& decision : analysis.decisions) {
    EXPECT_NE(decision.judgement.verdict, Verdict::kUnjudged) << decision.judgement.why;
    EXPECT_EQ(decision.scale, 0.2) << "values lie between -1 and 1";
  }
  EXPECT_GT(analysis.players.front().loss_per_decision.value, 0);
}

// The solver's setting has the maximum value, and a foul the minimum.
TEST(Analyse, FantasylandIsExact) {
  int settings = 0;
  const auto hands = record("ofc", {"rule"}, 40, 5, true);
  const Analysis analysis = analysed(hands, "default");
  for (const JudgedDecision& decision : analysis.decisions) {
    if (decision.judgement.method != "exact") continue;
    ++settings;
    EXPECT_EQ(decision.judgement.error, 0);
    EXPECT_LT(*decision.judgement.loss, 12);
  }
  EXPECT_GT(settings, 3);
  const ofc::FantasylandGoal goal{10, nullptr, &ofc::kStandardRules};
  const ofc::Board fine = ofc::parse_board("Qd Qh 6h / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d");
  const ofc::Board foul = ofc::parse_board("Js Jh Jd / 5h 5c 3h 3c 6s / Qd Qh 6h 7s 7d");
  EXPECT_EQ(ofc::setting_value(fine, goal, 1), 13);  // queens in front 7, a full house in the back 6
  EXPECT_EQ(ofc::setting_value(fine, goal, 2), 26);
  EXPECT_EQ(ofc::setting_value(foul, goal, 1), -6);
}

TEST(Analyse, OneSeatOrPlayerAlone) {
  const auto hands = record("leduc", {"rule", "random"}, 20, 4);
  AnalysisOptions options;
  options.seats = {1};
  for (const JudgedDecision& decision : analyse(hands, options).decisions) EXPECT_EQ(decision.seat, 1);
  options.seats.clear();
  options.players = {"random"};
  const Analysis random = analyse(hands, options);
  ASSERT_EQ(random.players.size(), 1U);
  EXPECT_EQ(random.players.front().hands, 20);
  for (const JudgedDecision& decision : random.decisions) EXPECT_EQ(decision.player, "random");
  // The analysis of a player does not depend on other players being analysed, too.
  options.players.clear();
  const Analysis all = analyse(hands, options);
  EXPECT_EQ(figures_of(all, "random").loss_per_hand.value, random.players.front().loss_per_hand.value);
}

// Every hand is played in two seatings, which form one cluster.
TEST(Analyse, HandsOfOneDealAreOneCase) {
  const auto once = record("leduc", {"random"}, 20, 4);
  std::vector<RecordedHand> twice;
  for (const RecordedHand& hand : once)
    for (const char* seating : {"-0-0", "-1-0"}) twice.emplace_back(hand).name += seating;
  const PlayerFigures one = analysed(once, "default").players.front(), two = analysed(twice, "default").players.front();
  EXPECT_EQ(two.hands, 2 * one.hands);
  EXPECT_NEAR(two.loss_per_hand.ci95, one.loss_per_hand.ci95, 1e-9);
  EXPECT_NEAR(two.cost_per_decision.ci95, one.cost_per_decision.ci95, 1e-9);
}

// Sums stay unbiased: negative differences are included.
TEST(Analyse, SumsAreOfUncutDifferences) {
  const Analysis analysis = analysed(record("leduc", {"random"}, 40, 4), "default", 30, true);
  double difference = 0, cost = 0, loss = 0;
  int judged = 0;
  for (const JudgedDecision& decision : analysis.decisions) {
    if (!decision.judgement.difference) continue;
    ++judged;
    difference += *decision.judgement.difference;
    cost += *decision.judgement.cost;
    loss += *decision.judgement.loss;
    EXPECT_GE(*decision.judgement.loss, 0);
  }
  EXPECT_LT(difference, loss - 0.1);
  const PlayerFigures& player = analysis.players.front();
  EXPECT_EQ(player.judged, judged);
  EXPECT_NEAR(player.loss_per_decision.value, difference / judged, 1e-9);
  EXPECT_NEAR(player.cost_per_decision.value, cost / judged, 1e-9);
  // With search as well.
  int below = 0;
  for (const JudgedDecision& decision :
       analysed(record("leduc", {"random"}, 20, 4), "search[simulations=20]").decisions) {
    EXPECT_EQ(decision.judgement.cost.value(), decision.judgement.difference.value());
    below += *decision.judgement.difference < 0 ? 1 : 0;
  }
  EXPECT_GT(below, 2);
}

// Per-hand figures use only hands whose decisions were all analysed.
TEST(Analyse, DecisionsWithoutAnalysisAreNotCounted) {
  const auto hands = record("kuhn", {"random"}, 60, 3);
  const Analysis analysis = analysed(hands, "rule");
  struct Hand {
    double loss = 0, cost = 0;
    bool judged = true;
  };
  std::map<std::pair<std::int64_t, Seat>, Hand> by_hand;
  std::int64_t unjudged = 0;
  for (const RecordedHand& hand : hands)
    for (Seat seat = 0; seat < 2; ++seat) by_hand[{hand.number, seat}] = {};
  for (const JudgedDecision& decision : analysis.decisions) {
    Hand& hand = by_hand[{decision.number, decision.seat}];
    const bool known = decision.judgement.verdict != Verdict::kUnjudged;
    unjudged += known ? 0 : 1;
    hand.judged = hand.judged && known;
    hand.loss += decision.judgement.difference.value_or(0);
    hand.cost += decision.judgement.cost.value_or(0);
  }
  std::erase_if(by_hand, [](const auto& hand) { return !hand.second.judged; });
  const auto judged = static_cast<std::int64_t>(by_hand.size());
  Hand sum;
  for (const auto& [key, hand] : by_hand) {
    sum.loss += hand.loss;
    sum.cost += hand.cost;
  }
  const PlayerFigures& player = analysis.players.front();
  ASSERT_GT(unjudged, 0);
  EXPECT_EQ(player.hands, 120);
  EXPECT_EQ(player.hands_judged, judged);
  EXPECT_LT(judged, 120);
  EXPECT_NEAR(player.loss_per_hand.value, sum.loss / static_cast<double>(judged), 1e-9);
  EXPECT_NEAR(player.cost_per_hand.value, sum.cost / static_cast<double>(judged), 1e-9);
  EXPECT_EQ(analysis.decided, static_cast<std::int64_t>(analysis.decisions.size()));
  EXPECT_EQ(analysis.judged, analysis.decided - unjudged);
  ASSERT_EQ(analysis.unjudged.size(), 1U);
  EXPECT_EQ(analysis.unjudged.begin()->second, unjudged);
  expect_parts(text_of(analysis, {.worst = 0}),
               {fmt::format("{} decisions were not judged: the opponents acted as the agent never would", unjudged),
                fmt::format("{} of them judged by rule", analysis.judged)});
  EXPECT_TRUE(has(page_of(analysis, 3), fmt::format("{} decisions were not judged", unjudged)));
  const nlohmann::json json = to_json(analysis);
  EXPECT_EQ(json["unjudged"][0]["decisions"], unjudged);
  EXPECT_EQ(json["judged"], analysis.judged);
  EXPECT_EQ(json["players"][0]["hands_judged"], judged);
}

// From a long log only the decisions of the worst hands are kept; all figures are unchanged.
TEST(Analyse, KeepsTheWorstHandsAlone) {
  const auto hands = record("leduc", {"random", "rule"}, 60, 4);
  AnalysisOptions options;
  const Analysis all = analyse(hands, options);
  options.hands_kept = 7;
  options.tables = false;
  const Analysis few = analyse(hands, options);
  std::set<std::int64_t> kept;
  for (const JudgedDecision& decision : few.decisions) {
    kept.insert(decision.number);
    EXPECT_EQ(decision.table, "");
  }
  EXPECT_EQ(kept.size(), 7U);
  EXPECT_EQ(few.hands_recorded, all.hands_recorded);
  EXPECT_EQ(few.decided, all.decided);
  EXPECT_EQ(few.players.front().loss_per_hand.value, all.players.front().loss_per_hand.value);
  ASSERT_GE(few.worst.size(), 7U);
  for (std::size_t i = 0; i < 7; ++i) {
    const JudgedDecision &a = few.decisions[few.worst[i]], &b = all.decisions[all.worst[i]];
    EXPECT_EQ(std::pair(a.number, a.in_hand), std::pair(b.number, b.in_hand)) << i;
  }
  for (std::size_t i = 1; i < few.decisions.size(); ++i)
    EXPECT_LE(few.decisions[i - 1].number, few.decisions[i].number);
}

TEST(Analyse, KeepsFewAnalysers) {
  LruCache<char> cache(3);
  std::string made;
  for (const char name : std::string("abcadcabd"))
    EXPECT_EQ(cache.get(std::string(1, name), [&] { return made += name, name; }), name);
  EXPECT_EQ(made, "abcdbd") << "b, which nobody had asked for, went when d came";
  EXPECT_EQ(cache.size(), 3U);
}

TEST(Analyse, TakesALogOfMoreGamesThanItKeepsAnalysersOf) {
  std::vector<RecordedHand> hands;
  for (int chips = 1; chips <= 20; ++chips)
    for (RecordedHand& hand : record("kuhn[bet=" + std::to_string(chips) + "]", {"random"}, 2, 4)) {
      hand.number = static_cast<std::int64_t>(hands.size()) + 1;
      hands.push_back(std::move(hand));
    }
  const Analysis analysis = analysed(hands, "random");
  EXPECT_EQ(analysis.games.size(), 20U);
  EXPECT_EQ(analysis.hands, 40);
  EXPECT_EQ(analysis.judged, analysis.decided);
}

TEST(Analyse, StopsWhenAsked) {
  const auto hands = record("leduc", {"random"}, 30, 4);
  AnalysisOptions options;
  options.threads = 1;
  std::int64_t done = 0;
  options.progress = [&](std::int64_t count) { done = count; };
  options.stop = [&] { return done >= 7; };
  const Analysis analysis = analyse(hands, options);
  EXPECT_TRUE(analysis.interrupted);
  EXPECT_EQ(analysis.hands, 7);
  EXPECT_EQ(analysis.hands_in_log, 30);
  EXPECT_EQ(analysis.decisions.back().number, 7);
}

TEST(Analyse, TheWorstComeFirst) {
  const Analysis analysis = analysed(record("leduc", {"random"}, 60, 4), "default");
  ASSERT_GT(analysis.worst.size(), 10U);
  for (std::size_t i = 1; i < analysis.worst.size(); ++i) {
    const Judgement &before = analysis.decisions[analysis.worst[i - 1]].judgement,
                    &after = analysis.decisions[analysis.worst[i]].judgement;
    if ((before.verdict == Verdict::kMistake) == (after.verdict == Verdict::kMistake))
      EXPECT_GE(*before.loss, *after.loss);
    else
      EXPECT_EQ(before.verdict, Verdict::kMistake);
  }
}

TEST(Analyse, JsonKeepsTheContract) {
  const Analysis analysis = analysed(record("leduc", {"random"}, 10, 4), "default");
  const nlohmann::json json = to_json(analysis);
  ASSERT_EQ(json["decisions"].size(), analysis.decisions.size());
  double loss = 0;
  std::int64_t judged = 0;
  for (const auto& decision : json["decisions"]) {
    for (const char* key : {"hand", "seat", "chosen", "best", "loss"}) EXPECT_TRUE(decision.contains(key)) << key;
    if (decision["loss"].is_null()) {
      EXPECT_FALSE(decision["why"].get<std::string>().empty());
      continue;
    }
    ++judged;
    loss += decision["loss"].get<double>();
    if (decision["chosen"] == decision["best"]) {
      EXPECT_EQ(decision["loss"], 0);
    }
  }
  EXPECT_NEAR(json["players"][0]["loss_per_decision"]["value"], loss / static_cast<double>(judged), 1e-9);
  const nlohmann::json worst = to_json(analysis, 3);
  ASSERT_EQ(worst["decisions"].size(), 3U);
  EXPECT_EQ(worst["worst"], nlohmann::json({0, 1, 2}));
  EXPECT_EQ(worst["decisions"][0]["chosen"], json["decisions"][json["worst"][0].get<std::size_t>()]["chosen"]);
}

TEST(AnalyseMarks, GoByTheScale) {
  JudgedDecision decision;
  decision.scale = 20;
  decision.judgement.verdict = Verdict::kMistake;
  const auto mark = [&](double loss) {
    decision.judgement.loss = loss;
    return std::string(mark_of(decision));
  };
  for (const auto& [loss, expected] : {std::pair(4.9, "?!"), {5, "?"}, {19.9, "?"}, {20, "??"}})
    EXPECT_EQ(mark(loss), expected) << loss;
  // The lower end of the interval decides: 80 ± 80 may be nothing, 24 ± 4 is at least 20.
  for (const auto& [loss, half, expected] :
       {std::tuple(80.0, 80.0, "?!"), {24, 4, "??"}, {23.9, 4, "?"}, {9, 4.1, "?!"}, {1, 4, "?!"}}) {
    decision.judgement.error = half / kNormal975;
    EXPECT_EQ(mark(loss), expected) << loss << " ± " << half;
  }
  decision.judgement.verdict = Verdict::kUnclear;
  EXPECT_EQ(mark(20), "");
}

// The seat's cards are drawn below the line of its decision, if a drawing function is given.
TEST(AnalyseReport, ShowsTheCardsThatWereDrawn) {
  AnalysisOptions options;
  options.judge.agent = "default";
  options.draw = [](const Env& table, Seat seat) {
    return fmt::format("seat {} of {}\nsecond line\n", seat, table.current_player());
  };
  const std::string text = text_of(analyse(record("kuhn", {"random"}, 3, 4), options), {.all = true});
  EXPECT_TRUE(has(text, "\n    seat 0 of 0\n    second line\n")) << text;
  EXPECT_TRUE(has(text, "\n    seat 1 of 1\n    second line\n")) << text;
  EXPECT_FALSE(has(text_of(analysed(record("kuhn", {"random"}, 3, 4), "default"), {.all = true}), "second line"));
}

TEST(AnalyseReport, IsWellFormedAndItsLinksLead) {
  const Analysis analysis = analysed(record("leduc", {"random", "rule"}, 30, 4), "default");
  const std::string page = page_of(analysis, 12);
  EXPECT_EQ(xml_fault(page), "");
  std::set<std::string> ids;
  static const std::regex id("id=\"(d[0-9]+)\""), link("href=\"#(d[0-9]+)\"");
  for (std::sregex_iterator i(page.begin(), page.end(), id), end; i != end; ++i)
    EXPECT_TRUE(ids.insert((*i)[1]).second) << (*i)[1];
  EXPECT_EQ(ids.size(), analysis.decisions.size());
  int links = 0;
  for (std::sregex_iterator i(page.begin(), page.end(), link), end; i != end; ++i, ++links)
    EXPECT_TRUE(ids.contains((*i)[1])) << (*i)[1];
  EXPECT_EQ(links, 12);
  for (const char* tone : {"tone1", "tone4"}) EXPECT_TRUE(has(page, tone)) << tone;
}

TEST(AnalyseReport, SaysWhatItListsAtTheLimit) {
  auto hands = record("kuhn", {"random"}, static_cast<int>(kMostHands) + 1, 4);
  const std::string more = page_of(analysed(hands, "default"), 0);
  EXPECT_TRUE(has(more, "hands with the largest losses, of 301."));
  // Nothing was requested, so nothing is shown.
  EXPECT_FALSE(has(more, "The largest losses"));
  EXPECT_FALSE(has(more, "None: every choice"));
  EXPECT_EQ(count(page_of(analysed(record("kuhn", {"random"}, 700, 4), "default"), 5), "<h3>"), int{kMostHands});
  hands.pop_back();
  const std::string all = page_of(analysed(hands, "default"), 5);
  EXPECT_FALSE(has(all, "hands with the largest losses"));
  EXPECT_TRUE(has(all, "The largest losses"));
}

// The table as a terminal shows it, line by line.
TEST(AnalyseReport, PositionsKeepTheirLines) {
  const Analysis analysis = analysed(record("leduc", {"random", "rule"}, 4, 4), "default");
  ASSERT_FALSE(analysis.decisions.empty());
  const std::string& table = analysis.decisions[0].table;
  ASSERT_GT(std::count(table.begin(), table.end(), '\n'), 1);
  EXPECT_TRUE(has(page_of(analysis, 4), "<pre>" + studies::escape(table) + "</pre>"));
  EXPECT_TRUE(has(studies::escape(table), "\n"));
}

TEST(AnalyseText, OfNoHandsHasNoTable) {
  Analysis analysis;
  analysis.hands_in_log = 7;
  analysis.interrupted = true;
  EXPECT_EQ(text_of(analysis, {.worst = 3}), "no hands were analysed, of 7\n");
  analysis.left_out = 2;
  EXPECT_EQ(text_of(analysis, {.worst = 3}), "no hands were analysed, of 7, 2 left out\n");
}

TEST(AnalyseText, ListsLossesOrAll) {
  const Analysis analysis = analysed(record("leduc", {"random"}, 10, 4), "default");
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  const std::string none = text_of(analysis, {.worst = 0}), three = text_of(analysis, {.worst = 3}),
                    all = text_of(analysis, {.all = true});
  EXPECT_EQ(lines(three), lines(none) + 4);
  EXPECT_EQ(lines(all), lines(none) + 1 + static_cast<std::ptrdiff_t>(analysis.decisions.size()));
  EXPECT_TRUE(has(none, "of them judged by default (exact); values in chips"));
}

}  // namespace
}  // namespace dealer::analysis::analyse_test
