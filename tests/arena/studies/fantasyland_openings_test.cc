// Openings up to renaming suits, and their chart.
#include "agents/ofc/placements.h"
#include "arena/studies/fantasyland/opening_chart.h"
#include "arena/studies/fantasyland/openings.h"
#include "env/games/ofc/game.h"
#include "tests/arena/studies/testing.h"
#include "tests/support/evaluators.h"

namespace dealer::studies::fantasyland::fantasyland_openings_test {
namespace {

using namespace test;
using dealer::ofc::Board;
using dealer::ofc::kBack;
using dealer::ofc::kFront;
using dealer::ofc::kMiddle;

// The slow way: among all renamings the one whose sorted cards come first.
OpeningCards canonical_by_trying(CardSet set) {
  std::array<int, kSuits> suits = {0, 1, 2, 3};
  OpeningCards best{};
  bool any = false;
  do {
    OpeningCards renamed{};
    std::size_t i = 0;
    for_each(set, [&](Card c) { renamed[i++] = make_card(rank_of(c), suits[static_cast<std::size_t>(suit_of(c))]); });
    std::sort(renamed.begin(), renamed.end(), [](Card a, Card b) {
      return rank_of(a) != rank_of(b) ? rank_of(a) > rank_of(b) : suit_of(a) < suit_of(b);
    });
    if (!any || renamed < best) best = renamed;
    any = true;
  } while (std::next_permutation(suits.begin(), suits.end()));
  return best;
}

TEST(Openings, AreAllThereAreUpToSuits) {
  const std::vector<Opening> all = all_openings();
  EXPECT_EQ(all.size(), std::size_t{kOpenings});
  std::int64_t deals = 0;
  std::set<CardSet> sets;
  for (const Opening& opening : all) {
    deals += opening.deals;
    sets.insert(set_of(opening.cards));
    ASSERT_TRUE(opening.deals == 4 || opening.deals == 12 || opening.deals == 24) << to_string(opening.cards);
  }
  EXPECT_EQ(deals, kOpeningDeals);
  EXPECT_EQ(sets.size(), all.size());
  EXPECT_EQ(to_string(all.front().cards), "AsAhAdAcKs");
  EXPECT_EQ(to_string(all.back().cards), "3s2s2h2d2c");
}

TEST(Openings, AnyCardsHaveOneAmongThem) {
  const std::vector<Opening> all = all_openings();
  std::set<CardSet> sets;
  for (const Opening& opening : all) sets.insert(set_of(opening.cards));
  RandomStream rng(3);
  for (int i = 0; i < 3000; ++i) {
    // Few ranks, so that pairs and better occur.
    const CardSet set = random_cards(rng, kOpeningCards, i % 2 == 0 ? kFullDeck : CardSet{0xffff});
    const OpeningCards found = canonical(set);
    ASSERT_EQ(found, canonical_by_trying(set)) << dealer::to_string(set);
    ASSERT_TRUE(sets.contains(set_of(found))) << to_string(found);
    ASSERT_EQ(canonical(set_of(found)), found);
  }
}

TEST(Openings, StandForAsManyDealsAsThereAreRenamings) {
  const std::vector<Opening> all = all_openings();
  for (std::size_t i = 0; i < all.size(); i += 97) {
    std::array<int, kSuits> suits = {0, 1, 2, 3};
    std::set<CardSet> deals;
    do {
      CardSet renamed = 0;
      for (const Card c : all[i].cards) renamed |= bit(make_card(rank_of(c), suits[at(suit_of(c))]));
      deals.insert(renamed);
    } while (std::next_permutation(suits.begin(), suits.end()));
    EXPECT_EQ(static_cast<int>(deals.size()), all[i].deals) << to_string(all[i].cards);
  }
}

TEST(Openings, PlacementsHaveNumbers) {
  const OpeningCards opening = canonical(cards("As Kd Qd 7c 2h"));
  EXPECT_EQ(to_string(opening), "AsKhQh7d2c");
  const Board board{{cards("Kh"), cards("As 2c"), cards("Qh 7d")}};
  const int code = code_of(opening, board);
  EXPECT_EQ(code, 1 + 3 * 0 + 9 * 2 + 27 * 2 + 81 * 1);
  EXPECT_EQ(board_of(opening, code), board);
}

TEST(Openings, MirrorImagesAreTheSamePlacement) {
  const OpeningCards opening = canonical(cards("As Ah Kd 7d 2d"));
  const auto board = [&](const char* front, const char* middle, const char* back) {
    return Board{{cards(front), cards(middle), cards(back)}};
  };
  ASSERT_EQ(to_string(opening), "AsAhKd7d2d");
  EXPECT_TRUE(is_mirrored(opening, board("As", "Ah", "Kd 7d 2d"), board("Ah", "As", "Kd 7d 2d")));
  EXPECT_FALSE(is_mirrored(opening, board("As", "Ah", "Kd 7d 2d"), board("As", "Kd", "Ah 7d 2d")));
  EXPECT_FALSE(is_mirrored(opening, board("As", "Ah", "Kd 7d 2d"), board("", "As Ah", "Kd 7d 2d")));
  // A different suit: not a mirror image.
  const OpeningCards other = canonical(cards("As Ah Ks 7d 2d"));
  EXPECT_FALSE(is_mirrored(other, board("As", "Ah", "Ks 7d 2d"), board("Ah", "As", "Ks 7d 2d")));
}

// Values by the number of cards in each row and, slightly, by the cards: known without a network.
class MadeUpEvaluator final : public PositionEvaluator {
 public:
  EvaluatorAttributes attributes() const override { return {.afterstates = true}; }
  void evaluate(std::span<const Observation>, std::span<double>, std::span<double>) override {}
  std::vector<AfterstateValue> afterstate_values(const Observation& seen, int most) override {
    const dealer::ofc::View view = dealer::ofc::State::decode(dealer::ofc::as_ofc(*game())->rules(), seen.data);
    EXPECT_EQ(view.dealer, 1);
    EXPECT_EQ(view.players, 2);
    EXPECT_EQ(view.turn, 0);
    EXPECT_EQ(size(view.hand), kOpeningCards);
    dealer::ofc::PlacementBuffer buffer;
    const int count = dealer::ofc::enumerate_placements(view.board[0], view.hand, 0, buffer);
    std::vector<AfterstateValue> all;
    for (int i = 0; i < count; ++i) {
      const Board& board = buffer[static_cast<std::size_t>(i)].board;
      AfterstateValue& turn = all.emplace_back(AfterstateValue{{}, 0, 0.25, 0.5});
      for_each(view.hand, [&](Card card) {
        const int row = (board.row[kFront] & bit(card)) != 0 ? 0 : (board.row[kMiddle] & bit(card)) != 0 ? 1 : 2;
        turn.actions.push_back(row);
        turn.value += row * (rank_of(card) + 1) / 10.0;
      });
      // One in front is best.
      turn.value += size(board.row[kFront]) == 1 ? 8 : 0;
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
    all.resize(std::min(all.size(), static_cast<std::size_t>(most)));
    return all;
  }
  static GamePtr game() {
    static const GamePtr kGame = make_game("ofc");
    return kGame;
  }
};

AgentFactoryPtr made_up_agents() {
  return std::make_shared<EvaluatorAgents>("made up", 4, [] { return std::make_unique<MadeUpEvaluator>(); });
}

OpeningEvaluator made_up_evaluator() { return {*MadeUpEvaluator::game(), std::make_unique<MadeUpEvaluator>()}; }

TEST(OpeningEvaluator, TakesTheBestAndTheNextThatIsNoMirrorImage) {
  OpeningEvaluator evaluator = made_up_evaluator();
  const OpeningCards opening = canonical(cards("As Ah Kd 7d 2d"));
  const OpeningAdvice advice = evaluator.advice(opening);
  EXPECT_EQ(board_of(opening, advice.best), (Board{{cards("2d"), 0, cards("As Ah Kd 7d")}}));
  EXPECT_NEAR(advice.value, 8 + 0.2 * (13 + 13 + 12 + 6), 1e-6);
  // The seven in the middle.
  EXPECT_NEAR(advice.second_value, 8 + 0.2 * (13 + 13 + 12) + 0.1 * 6, 1e-6);
  EXPECT_EQ(advice.foul, 0.25);
  EXPECT_EQ(advice.fantasyland, 0.5);
  // Only pairs: the best has a mirror image with the same value.
  const OpeningCards pair = canonical(cards("2s 2h Kd Qd Jd"));
  const OpeningAdvice of_pair = evaluator.advice(pair);
  EXPECT_NEAR(of_pair.value, 8 + 0.2 * (1 + 12 + 11 + 10), 1e-6);
  EXPECT_NEAR(of_pair.second_value, of_pair.value - 0.1, 1e-6);
}

class OpeningFile : public testing::Test {
 protected:
  static std::vector<Opening> some(std::size_t count) {
    std::vector<Opening> all = all_openings();
    all.resize(count);
    return all;
  }
  StudyContext place(int threads) const { return {{}, MadeUpEvaluator::game(), made_up_agents(), 1, threads, {}, {}}; }
  TempFolder folder_;
};

TEST_F(OpeningFile, IsTheSameForAnyThreadsAndAfterAStop) {
  const std::vector<Opening> openings = some(9000);
  EXPECT_TRUE(rate_openings(place(1), openings, folder_ / "one"));
  EXPECT_TRUE(rate_openings(place(3), openings, folder_ / "three"));
  const std::string whole = read_bytes(folder_ / "one");
  EXPECT_EQ(read_bytes(folder_ / "three"), whole);
  StudyContext stopping = place(2);
  std::atomic<int> asked = 0;
  stopping.stop = [&] { return ++asked > 1; };
  EXPECT_FALSE(rate_openings(stopping, openings, folder_ / "parts"));
  const std::string part = read_bytes(folder_ / "parts");
  EXPECT_TRUE(without_sums(part).ends_with("openings 4096\n"));
  write_bytes(folder_ / "parts", part + "AsAhAdAcKs fm");
  std::vector<std::int64_t> observed;
  StudyContext rest = place(2);
  rest.progress = [&](std::string_view, std::int64_t done, std::int64_t) { observed.push_back(done); };
  EXPECT_TRUE(rate_openings(rest, openings, folder_ / "parts"));
  EXPECT_EQ(read_bytes(folder_ / "parts"), whole);
  EXPECT_EQ(observed, (std::vector<std::int64_t>{8192, 9000}));
  EXPECT_TRUE(rate_openings(rest, openings, folder_ / "parts"));
  EXPECT_EQ(read_bytes(folder_ / "parts"), whole);

  const std::vector<OpeningAdvice> read = read_openings(folder_ / "one", openings);
  ASSERT_EQ(read.size(), openings.size());
  OpeningEvaluator evaluator = made_up_evaluator();
  for (std::size_t i = 0; i < read.size(); i += 100) {
    const OpeningAdvice advice = evaluator.advice(openings[i].cards);
    EXPECT_TRUE(read[i].best == advice.best && read[i].second == advice.second) << i;
    for (const auto value :
         {&OpeningAdvice::value, &OpeningAdvice::second_value, &OpeningAdvice::foul, &OpeningAdvice::fantasyland})
      EXPECT_NEAR(read[i].*value, advice.*value, 1e-4);
  }
}

TEST_F(OpeningFile, WithOtherLinesIsRefused) {
  const std::vector<Opening> openings = some(40);
  rate_openings(place(1), openings, folder_ / "file");
  const std::string sound = without_sums(read_bytes(folder_ / "file"));
  const auto refusal = [&](const std::string& text) {
    write_bytes(folder_ / "file", text);
    return error_message<FileError>([&] { read_openings(folder_ / "file", openings); });
  };
  const std::string what = ": this is not a line of the study; start again in another folder";
  const std::string file = (folder_ / "file").string();
  const std::size_t second = sound.find('\n') + 1;
  EXPECT_EQ(refusal(sound.substr(second)), file + ":1" + what);
  EXPECT_EQ(refusal(sound.substr(0, second) + "Ks\nopenings 2\n"), file + ":2" + what);
  std::string other = sound;
  other[11] = 'x';  // a row
  EXPECT_EQ(refusal(other), file + ":1" + what);
  EXPECT_EQ(refusal(sound + sound.substr(0, second) + "openings 41\n"), file + ":42" + what);
}

TEST(OpeningChart, CountsOpeningsAsOftenAsTheyAreDealt) {
  const Fronts fronts{dealer::ofc::Bonus()};
  // AsAhAdAcKs: 4 deals in all with a king of one of the aces' suits; one king, with a king in front.
  const std::vector<Opening> openings = {{canonical(cards("As Ah Ad Ac Ks")), 4},
                                         {canonical(cards("Qs Qh Kd 7c 2c")), 12}};
  const auto advice = [&](std::size_t i, const Board& board, double value, double second, double foul, double enters) {
    return OpeningAdvice{code_of(openings[i].cards, board), 0, value, second, foul, enters};
  };
  const std::vector<OpeningAdvice> all = {
      advice(0, {{cards("Ks"), 0, cards("As Ah Ad Ac")}}, 20, 12, 0.1, 0.2),
      advice(1,
             {{to_set({openings[1].cards[1], openings[1].cards[2]}), to_set({openings[1].cards[0]}),
               to_set({openings[1].cards[3], openings[1].cards[4]})}},
             8, 7.95, 0.3, 0.6)};
  const nlohmann::ordered_json f = count_chart(openings, all, fronts, 2).to_json();
  const auto near = [&](const char* path, double expected) {
    EXPECT_NEAR(f.at(nlohmann::ordered_json::json_pointer(path)).get<double>(), expected, 1e-12) << path;
  };
  EXPECT_EQ(f["count"], 2);
  near("/points", (4 * (20 + 0.2) + 12 * (8 + 0.6)) / 16);
  near("/foul", (4 * 0.1 + 12 * 0.3) / 16);
  near("/fantasyland", (4 * 0.2 + 12 * 0.6) / 16);
  near("/gap", (4 * 8 + 12 * 0.05) / 16);
  near("/close", 0.75);
  ASSERT_EQ(f["ranks"].size(), 3U);
  EXPECT_EQ(f["ranks"][0].dump(), R"({"rank":"Q","one":0.0,"two_both":1.0,"two_one":0.0})");
  near("/ranks/1/one", 0.25);
  ASSERT_EQ(f["classes"].size(), 2U);
  EXPECT_EQ(f["classes"][0]["cards"], dealer::to_string(HandCategory::kPair));
  near("/classes/0/share", 0.75);
  near("/classes/1/points", 20);
  ASSERT_EQ(f["shapes"].size(), 2U);
  EXPECT_EQ(f["shapes"][0].dump(), R"({"front":2,"middle":1,"back":2,"share":0.75})");
  EXPECT_EQ(f["shapes"][1]["back"], 4);
  EXPECT_EQ(f["highest"][0]["points"], 20);
  EXPECT_EQ(f["lowest"][0]["second_points"], 7.95);
}

TEST(OpeningSearch, PacksEightBytesAnOpening) {
  const std::string bytes = packed_chart({{5, 242, -1.5, -4.06, 0.234, 0.987}});
  EXPECT_EQ(bytes, std::string("\x05\xf2\x6a\xff\x00\x01\x17\x63", 8)) << "-150, 256, 23 and 99";
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

}  // namespace
}  // namespace dealer::studies::fantasyland::fantasyland_openings_test
