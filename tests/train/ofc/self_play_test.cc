#include "train/ofc/self_play.h"

#include "agents/nn/safetensors.h"
#include "agents/ofc/features.h"
#include "env/core/data_dir.h"
#include "tests/support/cards.h"
#include "tests/support/testing.h"

namespace dealer::ofc::self_play_test {
namespace {

constexpr std::size_t kTurns = 5;
// The evaluator adds floats in another order than ValueNet::predict.
constexpr double kAccuracy = 2e-3;

// Rows and scoop from a's side; a foul loses all three rows, and the scoop, to a board without one.
double rows_by_hand(const BoardValue& a, const BoardValue& b) {
  if (a.foul || b.foul) return a.foul == b.foul ? 0 : a.foul ? -6 : 6;
  int won = 0, lost = 0;
  for (std::size_t row = 0; row < kRows; ++row) {
    won += a.rank[row] > b.rank[row] ? 1 : 0;
    lost += a.rank[row] < b.rank[row] ? 1 : 0;
  }
  return won - lost + (won == 3 ? 3 : 0) - (lost == 3 ? 3 : 0);
}

// A player's decision and the model's values, recomputed.
struct Decision {
  View view;
  Board board;
  std::array<double, kMaxSeats - 1> best{};  // of the best placement, against each opponent from the left
  double loss = 0;                           // difference from the best placement's value, summed over opponents
  bool same = false;                         // it is the best
};

struct Coverage {
  int hands = 0, samples = 0, explored = 0, fouls = 0, entries = 0, against_fantasyland = 0, chain_steps = 0,
      scoops = 0, two_fouls = 0, as_they_play = 0;
};

// Replays the hands of one table of self-play from its final boards, and checks its samples.
class Check {
 public:
  Check(const std::string& spec, const SelfPlaySettings& settings, ValueModel model, int rounds, int runs = 1)
      : game_(test::game_of<Game>(spec)),
        rules_(game_->rules()),
        settings_(settings),
        model_(std::move(model)),
        goal_{model_.chain.fantasyland(14), nullptr, &rules_.scoring},
        players_(at(rules_.players)),
        play_(game_, settings) {
    for (int run = 0; run < runs; ++run) play_.run(rounds, model_, goal_);
  }

  Coverage run() {
    for (std::uint64_t episode = 0; board_ < play_.boards().size(); ++episode) {
      state_.reset(rules_, derive(derive(settings_.seed, 0), episode));
      while (state_.current_player() != kTerminal && board_ < play_.boards().size()) {
        hand();
        if (testing::Test::HasFatalFailure()) return seen_;
      }
    }
    EXPECT_EQ(sample_, play_.samples().size());
    EXPECT_EQ(step_, play_.chain_steps().size());
    EXPECT_EQ(play_.counts().hands, seen_.hands);
    EXPECT_EQ(play_.counts().fouls, seen_.fouls);
    EXPECT_EQ(play_.counts().entries, seen_.entries);
    return seen_;
  }

 private:
  bool chain() const { return rules_.episode != Episode::kHand; }

  double value(const View& view, const Board& own, std::size_t other) const {
    if (own.complete() && view.board[other].complete())
      return stake(evaluate(own), evaluate(view.board[other]), view.dealer == 0);
    const FeatureList list = features(own, view.board[other], kFullDeck & ~view.seen(), view.fantasyland[other] != 0);
    return static_cast<double>(model_.net.predict(list).stake);
  }

  double share(const BoardValue& board, bool in_fantasyland, bool deals) const {
    const int next = in_fantasyland ? board.stays : board.fantasyland;
    return board.total() + (chain() && next != 0 ? model_.chain(next, 0, deals) : 0.0);
  }
  double stake(const BoardValue& own, const BoardValue& other, bool deals) const {
    return share(own, false, deals) + rows_by_hand(own, other) - (own.foul ? settings_.foul_cost : 0.0);
  }

  Decision decide(const View& view, const Board& final) const {
    Decision decision;
    decision.view = view;
    decision.board = view.board[0];
    for (std::size_t row = 0; row < kRows; ++row) decision.board.row[row] |= view.hand & final.row[row];
    PlacementBuffer placements;
    const int count = enumerate_placements(view.board[0], view.hand, view.discards_left, placements);
    double most = 0, chosen = 0;
    Board best;
    for (int i = 0; i < count; ++i) {
      const Board& board = placements[at(i)].board;
      std::array<double, kMaxSeats - 1> values{};
      double total = 0;
      for (std::size_t other = 1; other < players_; ++other) total += values[other - 1] = value(view, board, other);
      if (board == decision.board) chosen = total;
      if (i > 0 && total <= most) continue;
      most = total;
      best = board;
      decision.best = values;
    }
    decision.loss = most - chosen;
    decision.same = best == decision.board;
    return decision;
  }

  void hand() {
    const int before = state_.hands_finished();
    const Seat dealer = state_.dealer();
    FantasylandCards fantasyland{};
    std::array<Board, kMaxSeats> final;
    std::array<std::vector<Decision>, kMaxSeats> decisions;
    for (std::size_t seat = 0; seat < players_; ++seat) {
      fantasyland[seat] = state_.in_fantasyland(static_cast<Seat>(seat)) ? 14 : 0;
      if (fantasyland[seat] == 0) final[seat] = play_.boards()[board_++];
    }
    while (state_.hands_finished() == before) {
      const Seat seat = state_.current_player();
      const auto s = at(seat);
      const View view = state_.view(seat);
      if (fantasyland[s] != 0)
        final[s] = solve_fantasyland(view.hand, goal_).board;
      else
        decisions[s].push_back(decide(view, final[s]));
      while (state_.hands_finished() == before && state_.current_player() == seat &&
             (state_.view(seat).hand & ~view.hand) == 0)
        state_.apply(place(final[s], lowest(state_.hand(seat))));
    }
    ++seen_.hands;
    explored_ = false;
    for (const auto& of_seat : decisions)
      for (const Decision& decision : of_seat) explored_ |= decision.loss > kAccuracy;
    std::array<BoardValue, kMaxSeats> values;
    for (std::size_t seat = 0; seat < players_; ++seat) {
      ASSERT_EQ(state_.last_hand().board[seat], final[seat]) << "another hand was played";
      values[seat] = evaluate(final[seat]);
      if (fantasyland[seat] != 0) continue;
      seen_.fouls += values[seat].foul ? 1 : 0;
      seen_.entries += values[seat].fantasyland != 0 ? 1 : 0;
    }
    for (std::size_t seat = 0; seat < players_; ++seat)
      for (std::size_t rel = 1; rel < players_; ++rel) {
        const std::size_t other = (seat + rel) % players_;
        const bool deals = at(dealer) == seat;
        if (fantasyland[seat] != 0 || fantasyland[other] != 0)
          check_chain_step(seat, other, fantasyland, values, deals);
        if (fantasyland[seat] != 0) continue;
        seen_.against_fantasyland += fantasyland[other] != 0 ? 1 : 0;
        seen_.two_fouls += values[seat].foul && values[other].foul ? 1 : 0;
        seen_.scoops += std::abs(rows_by_hand(values[seat], values[other])) == 6 ? 1 : 0;
        check_samples(decisions[seat], rel, values[seat], values[other], deals,
                      share(values[other], fantasyland[other] != 0, at(dealer) == other));
        if (testing::Test::HasFatalFailure()) return;
      }
  }

  static Action place(const Board& board, Card card) {
    for (int row = 0; row < kRows; ++row)
      if ((board.row[at(row)] & bit(card)) != 0) return row;
    return kToDiscard;
  }

  void check_chain_step(std::size_t seat, std::size_t other, const FantasylandCards& fantasyland,
                        const std::array<BoardValue, kMaxSeats>& values, bool deals) {
    ASSERT_LT(step_, play_.chain_steps().size());
    const ChainStep& step = play_.chain_steps()[step_++];
    const auto next = [&](std::size_t s) { return fantasyland[s] != 0 ? values[s].stays : values[s].fantasyland; };
    EXPECT_EQ(step.own, fantasyland[seat]);
    EXPECT_EQ(step.other, fantasyland[other]);
    EXPECT_EQ(step.own_deals, deals);
    EXPECT_EQ(step.next_own, next(seat));
    EXPECT_EQ(step.next_other, next(other));
    EXPECT_EQ(step.last, state_.current_player() == kTerminal);
    // A sampled exploration may give the best placement.
    EXPECT_TRUE(step.explored || !explored_);
    EXPECT_FALSE(step.explored && settings_.epsilon == 0);
    seen_.as_they_play += step.explored ? 0 : 1;
    EXPECT_EQ(static_cast<double>(step.points),
              rows_by_hand(values[seat], values[other]) + values[seat].total() - values[other].total());
    ++seen_.chain_steps;
  }

  // The five afterstates of a seat against one opponent.
  void check_samples(const std::vector<Decision>& decisions, std::size_t rel, const BoardValue& own,
                     const BoardValue& other, bool deals, double others_share) {
    ASSERT_EQ(decisions.size(), kTurns);
    ASSERT_LE(sample_ + kTurns, play_.samples().size());
    const TdSample* samples = play_.samples().data() + sample_;
    sample_ += kTurns;
    const double outcome = stake(own, other, deals);
    double target = outcome;
    for (std::size_t turn = kTurns; turn-- > 0;) {
      const Decision& decision = decisions[turn];
      const TdSample& sample = samples[turn];
      SCOPED_TRACE("hand " + std::to_string(seen_.hands) + ", turn " + std::to_string(turn));
      check_features(decision, rel, sample);
      EXPECT_EQ(sample.target[1] != 0, own.foul);
      EXPECT_EQ(sample.target[2] != 0, own.fantasyland != 0);
      EXPECT_NEAR(static_cast<double>(sample.target[3] * kValueScale), others_share, 1e-4);
      const auto observed = static_cast<double>(sample.target[0] * kValueScale);
      if (turn + 1 == kTurns) {
        ASSERT_NEAR(observed, outcome, 1e-4);
      } else if (turn + 2 == kTurns && settings_.last_turn_draws > 0) {
        target = observed;
        check_average(decision, decisions[kTurns - 1], rel, other, deals, observed);
      } else {
        ASSERT_NEAR(observed, target, kAccuracy);
        target = observed;
      }
      if (turn > 0) target = before(decision, rel, target, samples[turn - 1]);
      ++seen_.samples;
    }
  }

  // The target of the turn before this decision.
  double before(const Decision& decision, std::size_t rel, double target, const TdSample& sample) {
    const double best = decision.best[rel - 1];
    const double mixed = (1 - settings_.lambda) * best + settings_.lambda * target;
    if (settings_.epsilon == 0) {
      EXPECT_LT(decision.loss, kAccuracy) << "the best placement is played";
      return mixed;
    }
    if (decision.same) return mixed;
    if (rel == 1) ++seen_.explored;
    // Another placement with the same features: unknown here whether it was the model's best.
    const auto observed = static_cast<double>(sample.target[0] * kValueScale);
    if (decision.loss < kAccuracy) return std::abs(observed - best) < std::abs(observed - mixed) ? best : mixed;
    return best;
  }

  void check_features(const Decision& decision, std::size_t rel, const TdSample& sample) const {
    const FeatureList list = features(decision.board, decision.view.board[rel], kFullDeck & ~decision.view.seen(),
                                      decision.view.fantasyland[rel]);
    std::vector<Feature> expected(list.active().begin(), list.active().end());
    std::vector<Feature> observed(sample.list.active().begin(), sample.list.active().end());
    std::sort(expected.begin(), expected.end());
    std::sort(observed.begin(), observed.end());
    EXPECT_EQ(observed, expected);
  }

  // The mean over draws of the last turn, against all possible draws. The player chooses by what it sees then.
  void check_average(const Decision& decision, const Decision& last, std::size_t rel, const BoardValue& other,
                     bool deals, double observed) const {
    ASSERT_EQ(players_, 2U);
    const Board theirs = state_.last_hand().board[(at(decision.view.me) + rel) % players_];
    std::vector<Card> cards;
    for_each(kFullDeck & ~decision.view.seen() & ~theirs.cards(), [&](Card card) { cards.push_back(card); });
    const bool in_the_dark = !last.view.board[rel].complete();
    double sum = 0, squares = 0, draws = 0;
    PlacementBuffer placements;
    for (std::size_t a = 0; a < cards.size(); ++a)
      for (std::size_t b = a + 1; b < cards.size(); ++b)
        for (std::size_t c = b + 1; c < cards.size(); ++c) {
          const int count =
              enumerate_placements(decision.board, bit(cards[a]) | bit(cards[b]) | bit(cards[c]), 1, placements);
          double most = -1e9, worth = 0;
          for (int i = 0; i < count; ++i) {
            const BoardValue own = evaluate(placements[at(i)].board);
            const double result = stake(own, other, deals);
            // Without the opponent's rows: the own share, which a foul loses.
            const double seen =
                in_the_dark ? share(own, false, deals) - (own.foul ? 3 + settings_.foul_cost : 0.0) : result;
            if (seen <= most) continue;
            most = seen;
            worth = result;
          }
          sum += worth;
          squares += worth * worth;
          ++draws;
        }
    const double mean = sum / draws, deviation = std::sqrt(squares / draws - mean * mean);
    EXPECT_NEAR(observed, mean, 6 * deviation / std::sqrt(settings_.last_turn_draws) + 1e-4);
  }

  std::shared_ptr<const Game> game_;
  const GameRules& rules_;
  SelfPlaySettings settings_;
  ValueModel model_;
  FantasylandGoal goal_;
  std::size_t players_;
  SelfPlay play_;
  State state_;
  std::size_t board_ = 0, sample_ = 0, step_ = 0;
  bool explored_ = false;  // the hand has a placement other than the best
  Coverage seen_;
};

ValueModel shipped_model() { return load_value_model(read_safetensors(data_path("models/ofc.safetensors"))); }

SelfPlaySettings one_table(std::uint64_t seed) {
  SelfPlaySettings settings;
  settings.tables = 1;
  settings.lambda = 0.6;
  settings.last_turn_draws = 0;
  settings.epsilon = 0;
  settings.seed = seed;
  return settings;
}

TEST(SelfPlay, TargetsAreLambdaReturnsOfTheStakes) {
  const Coverage seen = Check("ofc", one_table(4), shipped_model(), 11 * 60).run();
  EXPECT_GT(seen.hands, 50);
  EXPECT_GT(seen.entries, 5);
  EXPECT_GT(seen.fouls, 2);
  EXPECT_GT(seen.scoops, 2);
  EXPECT_GT(seen.against_fantasyland, 3);
  EXPECT_GT(seen.chain_steps, 6);
}

// Every run draws its own explorations, and hands continue from one run to the next.
TEST(SelfPlay, TargetsAreCutAtExploratoryMoves) {
  SelfPlaySettings settings = one_table(5);
  settings.epsilon = 0.3;
  settings.temperature = 2;
  settings.foul_cost = 1.5;
  const Coverage seen = Check("ofc", settings, shipped_model(), 7, 80).run();
  EXPECT_GT(seen.hands, 40);
  EXPECT_GT(seen.explored, 40);
  EXPECT_GT(seen.two_fouls, 0);
}

TEST(SelfPlay, HasSamplesAgainstEachOfTwoOpponents) {
  SelfPlaySettings settings = one_table(6);
  settings.epsilon = 0.1;
  const Coverage seen = Check("ofc[players=3]", settings, shipped_model(), 380).run();
  EXPECT_GT(seen.hands, 20);
  EXPECT_GT(seen.chain_steps, 4);
  EXPECT_GT(seen.as_they_play, 0);
  EXPECT_LT(seen.as_they_play, seen.chain_steps);
  EXPECT_GT(seen.samples, 20 * 3 * 2 * 5 / 2);
}

TEST(SelfPlay, InSingleHandsFantasylandIsWorthNothing) {
  const Coverage seen = Check("ofc[episode=hand]", one_table(7), shipped_model(), 300).run();
  EXPECT_GT(seen.entries, 1);
  EXPECT_EQ(seen.chain_steps, 0);
}

TEST(SelfPlay, TheTargetBeforeTheLastIsAveragedOverDraws) {
  SelfPlaySettings settings = one_table(8);
  settings.last_turn_draws = 10000;
  settings.foul_cost = 0.5;
  const Coverage seen = Check("ofc", settings, shipped_model(), 220).run();
  EXPECT_GT(seen.hands, 15);
}

// Leftovers of earlier hands and of the stack are not saved with the decisions in progress.
TEST(SelfPlay, EqualRunsSaveEqualBytes) {
  const auto game = test::game_of<Game>("ofc");
  SelfPlaySettings settings;
  settings.tables = 16;
  const ValueModel model = shipped_model();
  const FantasylandGoal goal{model.chain.fantasyland(14), nullptr, &game->rules().scoring};
  SelfPlay whole(game, settings), resumed(game, settings);
  whole.run(17, model, goal);
  const std::vector<std::uint8_t> half = whole.save();
  // Other earlier hands, which the saved ones replace.
  resumed.run(40, model, goal);
  resumed.load(half);
  EXPECT_EQ(resumed.save(), half);
  for (SelfPlay* play : {&whole, &resumed}) {
    play->clear();
    play->run(13, model, goal);
  }
  EXPECT_EQ(resumed.save(), whole.save());
}

}  // namespace
}  // namespace dealer::ofc::self_play_test
