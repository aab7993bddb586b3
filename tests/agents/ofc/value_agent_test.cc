#include "agents/ofc/value_agent.h"

#include <sstream>

#include "agents/agent_registry.h"
#include "agents/evaluator.h"
#include "agents/ofc/model_play.h"
#include "agents/ofc/turn_values.h"
#include "env/games/ofc/game.h"
#include "tests/agents/ofc/ofc_support.h"
#include "tests/support/peak_memory.h"
#include "tests/support/play.h"
#include "tests/support/raw_safetensors.h"
#include "tests/support/testing.h"

namespace dealer::ofc::value_agent_test {
namespace {

using test::error_message;

// The points of the first agent over `deals` chains, each played in both seatings.
struct Duel {
  double mean = 0, deviation = 0;  // per deal, and of the mean
};
Duel duel(const std::string& a, const std::string& b, int deals) {
  const GamePtr game = make_game("ofc");
  const std::array factories = {make_agents(a, game), make_agents(b, game)};
  const auto env = game->new_env();
  double sum = 0, squares = 0;
  for (std::uint64_t deal = 0; deal < at(deals); ++deal) {
    double points = 0;
    for (const std::size_t first : {0U, 1U}) {
      test::Seats seats;
      for (const std::size_t seat : {0U, 1U}) seats.push_back(factories[seat ^ first]->make());
      test::play(*env, seats, deal);
      points += env->returns()[first];
    }
    sum += points / 2;
    squares += points * points / 4;
  }
  const double mean = sum / deals;
  return {mean, std::sqrt((squares / deals - mean * mean) / deals)};
}

TEST(DefaultAgent, BeatsTheHandWrittenPlayers) {
  const Duel fair = duel("default", "rule", 300);
  EXPECT_GT(fair.mean - 2 * fair.deviation, 2.0);
  const Duel random = duel("default", "random", 100);
  EXPECT_GT(random.mean - 2 * random.deviation, 5.0);
  // The literature values entering Fantasyland at about nine to ten points heads-up.
  EXPECT_NEAR(test::shipped_model()->chain.fantasyland(14), 10.5, 3.5);
}

TEST(DefaultAgent, AgainstItselfIsExactlyEven) {
  for (const char* agent : {"default", "default[simulations=12,candidates=3]", "default[simulations=12,depth=1]"}) {
    const Duel even = duel(agent, agent, 3);
    EXPECT_EQ(even.mean, 0) << agent;
    EXPECT_EQ(even.deviation, 0) << agent;
  }
}

TEST(DefaultAgent, ExplainsTheBestPlacementsInOrder) {
  for (const char* spec : {"ofc", "ofc[players=3]"}) {
    const GamePtr game = make_game(spec);
    const std::unique_ptr<Agent> agent = make_agents("default", game)->make();
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto env = game->new_env();
      env->reset(seed);
      while (env->current_player() != kTerminal) {
        const Seat seat = env->current_player();
        agent->reset(seat, seed);
        const Observation observation = env->observe(seat);
        const std::string why = agent->explain(observation);
        const std::optional<double> value = agent->value(observation);
        if (value && !why.starts_with("exact")) {  // not of Fantasyland hands
          std::istringstream lines(why);
          double before = *value + 0.005;
          int count = 0;
          for (std::string line; std::getline(lines, line); ++count) {
            const double observed = std::stod(line);
            EXPECT_LE(observed, before) << line;
            EXPECT_TRUE(count > 0 || std::abs(observed - *value) < 0.00501) << line;
            before = observed;
          }
          EXPECT_GE(count, 1);
        }
        env->step(agent->act(observation));
      }
    }
  }
}

class ModelFile : public testing::Test {
 protected:
  ModelFile() {
    ValueModel model;
    model.net = ValueNet({8, 4});
    model.boards = {parse_board("Kd Qd 6h / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d")};
    store(model, file_);
  }
  std::string refusal() {
    const auto path = folder_ / "model.safetensors";
    test::write_bytes(path, test::raw_safetensors(file_));
    const std::string message = error_message<CheckpointError>([&] { make_agents(path.string(), make_game("ofc")); });
    EXPECT_TRUE(test::has(message, path.string()));
    return message;
  }

  test::TempFolder folder_;
  TensorFile file_;
};

TEST_F(ModelFile, ComesBackAsItWas) {
  ValueModel written;
  written.net = test::random_net({8, 4}, 1, 1, 1, kTurnStacks);
  RandomStream rng(2);
  for (double& value : written.chain.data()) value = 20 * static_cast<double>(rng.uniform()) - 10;
  written.boards = {parse_board("Kd Qd 6h / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d"),
                    parse_board("Ad Ac Qh / As Ah Ts Td 2s / 5d 6d 7h 8d 9d")};
  written.caution = 1.25;
  store(written, file_);
  const auto path = folder_ / "model.safetensors";
  write_safetensors(path, file_);
  const ValueModel model = load_value_model(read_safetensors(path));
  EXPECT_EQ(model.net.hidden_sizes(), (std::vector<int>{8, 4}));
  const auto same = [](const DenseLayer& a, const DenseLayer& b) {
    EXPECT_EQ(a.weight, b.weight);
    EXPECT_EQ(a.bias, b.bias);
  };
  same(model.net.sparse(), written.net.sparse());
  ASSERT_EQ(model.net.stacks().count, kTurnStacks.count);
  for (std::size_t stack = 0; stack < at(kTurnStacks.count); ++stack)
    for (std::size_t i = 0; i < 2; ++i) same(model.net.dense(stack)[i], written.net.dense(stack)[i]);
  EXPECT_EQ(model.chain.data(), written.chain.data());
  EXPECT_EQ(model.boards, written.boards);
  EXPECT_EQ(model.caution, 1.25);
  // The agent from the file plays like one from the model.
  const GamePtr game = make_game("ofc");
  const Observation first = test::first_decision(*game, 4);
  const auto shared = std::make_shared<const ValueModel>(written);
  EXPECT_EQ(make_agents(path.string(), game)->make()->explain(first),
            make_value_agents("written", shared, game)->make()->explain(first));
}

TEST_F(ModelFile, WithSomethingElseIsRefused) {
  const TensorFile sound = file_;
  const auto bytes = [&]() -> auto& { return std::get<std::vector<std::uint8_t>>(file_.tensors["boards"].data); };
  const std::pair<const char*, std::function<void()>> changes[] = {
      {"dealer.leduc.policy", [&] { file_.metadata["format"] = "dealer.leduc.policy"; }},
      {"no trained OFC player", [&] { file_.metadata.erase("format"); }},
      {"sparse.weight", [&] { file_.tensors.erase("sparse.weight"); }},
      {"dense.1.weight", [&] { file_.tensors["dense.1.weight"].shape = {4 * kOutputs}; }},
      {"is not a card", [&] { bytes()[0] = 52; }},
      {"twice", [&] { bytes()[0] = bytes()[1]; }}};
  for (const auto& [why, change] : changes) {
    change();
    EXPECT_TRUE(test::has(refusal(), why));
    file_ = sound;
  }
}

// One such number would silently turn all values of the player into nonsense.
TEST_F(ModelFile, WithNumbersThatAreNotFiniteIsRefused) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {infinity, -infinity, std::nan("")}) {
    for (const char* name : {"sparse.weight", "sparse.bias", "dense.0.weight", "dense.0.bias", "dense.1.weight",
                             "chain_values", "caution"}) {
      std::visit(
          [&](auto& numbers) {
            using Number = std::decay_t<decltype(numbers[0])>;
            for (const std::size_t i : {std::size_t{0}, numbers.size() - 1}) {
              const Number good = std::exchange(numbers[i], static_cast<Number>(bad));
              EXPECT_TRUE(test::has(refusal(), std::string("tensor '") + name + "' holds ")) << bad;
              EXPECT_THROW(load_value_model(file_), CheckpointError) << "not read from a file";
              numbers[i] = good;
            }
          },
          file_.tensors[name].data);
    }
  }
}

TEST_F(ModelFile, WithCautionOutOfBoundsIsRefused) {
  auto& caution = std::get<std::vector<double>>(file_.tensors["caution"].data)[0];
  for (const double bad : {-0.001, kMaxCaution * 1.001}) {
    caution = bad;
    EXPECT_TRUE(test::has(refusal(), "tensor 'caution' holds "));
  }
  for (const double good : {0.0, kMaxCaution}) {
    caution = good;
    EXPECT_EQ(load_value_model(file_).caution, good);
  }
}

// Shapes of empty layers cost nothing to declare: they are checked before a network is allocated.
TEST(ValueModel, WidthsHaveTheirBounds) {
  TensorFile file;
  file.name = "x";
  file.metadata["format"] = "dealer.ofc.afterstate_stakes.1";
  const auto message = [&] { return error_message<CheckpointError>([&] { load_value_model(file); }); };
  EXPECT_EQ(message(), "x: tensor 'dense.0.weight' is missing");
  const std::string start = "x: tensor 'dense.0.weight' has shape ",
                    end = "; expected [in, out] with at most 16384 inputs";
  for (const auto& [shape, text] : std::vector<std::pair<std::vector<std::int64_t>, std::string>>{
           {{16385, 0}, "[16385, 0]"}, {{0, 3}, "[0, 3]"}, {{0}, "[0]"}}) {
    file.tensors["dense.0.weight"] = {shape, std::vector<float>{}};
    EXPECT_EQ(message(), start + text + end);
  }
  file.tensors["sparse.weight"] = {{kFeatures, 0}, std::vector<float>{}};
  for (int layer = 0; layer < 8; ++layer)
    file.tensors["dense." + std::to_string(layer) + ".weight"] = {{1 << 14, 0}, std::vector<float>{}};
  const std::int64_t before = test::peak_memory();
  const std::string features = std::to_string(kFeatures);
  EXPECT_EQ(message(),
            "x: tensor 'sparse.weight' is F32 [" + features + ", 0]; expected F32 [" + features + ", 16384]");
  EXPECT_LT(test::peak_memory() - before, std::int64_t{16} << 20);
}

// Random weights; Fantasyland is worth 6 to the non-dealer and 9 to the dealer.
std::shared_ptr<ValueModel> some_model() {
  auto model = std::make_shared<ValueModel>();
  model->net = test::random_net({8, 4}, 1);
  model->chain.at(14, 0, false) = 6;
  model->chain.at(14, 0, true) = 9;
  model->chain.at(0, 14, true) = -6;
  return model;
}

TEST(FantasylandOption, CountsInProportionToTheChance) {
  const auto game = test::game_of<Game>("ofc");
  const auto model = some_model();
  const ModelPlay own(model, game->rules()), observed(model, game->rules(), {}, 20.0);
  for (const int dealer : {0, 1}) {
    State state;
    state.deal(game->rules(), 3, {}, dealer);
    // The opening and, after it, the other's.
    for (int turn = 0; turn < 2; ++turn) {
      const Seat seat = state.current_player();
      const View view = state.view(seat);
      const std::vector<Placement> placements = test::placements_of(view);
      TurnValues own_values(own, own.caution()), observed_values(observed, observed.caution());
      const std::span<const float> before = own_values.totals(view, placements),
                                   after = observed_values.totals(view, placements);
      const double more = 20 - (seat == dealer ? 9 : 6);
      for (std::size_t i = 0; i < before.size(); ++i) {
        const double chance = static_cast<double>(own.predict(view, placements[i].board, 1).fantasyland);
        EXPECT_NEAR(static_cast<double>(after[i] - before[i]), more * chance, 1e-4) << i;
      }
      while (state.current_player() == seat) state.apply(static_cast<Action>(std::countr_zero(state.legal_mask())));
    }
  }
}

// The inputs tell it what Fantasyland is worth; nothing is added to its values.
TEST(FantasylandOption, IsAnInputOfANetworkThatKnowsIt) {
  const auto game = test::game_of<Game>("ofc");
  const auto model = some_model();
  model->net = test::random_net({8, 4}, 1, 1, 1, {}, kFantasylandFeatures);
  for (const std::optional<double> option : {std::optional<double>(), std::optional(20.0)}) {
    const ModelPlay play(model, game->rules(), {}, option);
    for (const int dealer : {0, 1}) {
      State state;
      state.deal(game->rules(), 3, {}, dealer);
      const Seat seat = state.current_player();
      const View view = state.view(seat);
      const std::vector<Placement> placements = test::placements_of(view);
      TurnValues values(play, play.caution());
      const std::span<const float> totals = values.totals(view, placements);
      EntryValues entry;
      entry.fill(option.value_or(seat == dealer ? 9 : 6));
      for (std::size_t i = 0; i < placements.size(); ++i) {
        FeatureList list = features(placements[i].board, view.board[1], kFullDeck & ~view.seen(), false);
        add_fantasyland_features(entry, 0, list);
        const Prediction expected = model->net.predict(list);
        EXPECT_NEAR(totals[i], expected.stake, 1e-4F) << i;
        EXPECT_EQ(play.predict(view, placements[i].board, 1).stake, expected.stake) << i;
      }
    }
  }
}

TEST(FantasylandOption, ScoresCompleteBoardsWithIt) {
  const auto game = test::game_of<Game>("ofc");
  const auto model = some_model();
  const ModelPlay own(model, game->rules()), observed(model, game->rules(), {}, 20.0);
  const BoardValue enters = evaluate(parse_board("Kd Kc 6h / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d"));
  const BoardValue stays = evaluate(parse_board("2d 2c 2h / 5h 5c 5s 3c 6s / Js Jh Jd Jc 7d"));
  ASSERT_TRUE(!enters.foul && enters.fantasyland == 14 && enters.stays == 0);
  ASSERT_TRUE(!stays.foul && stays.stays);
  const double royalties = enters.total();
  EXPECT_EQ(own.end_of_hand().share(enters, false, false), royalties + 6);
  EXPECT_EQ(own.end_of_hand().share(enters, false, true), royalties + 9);
  EXPECT_EQ(observed.end_of_hand().share(enters, false, false), royalties + 20);
  EXPECT_EQ(observed.end_of_hand().share(enters, false, true), royalties + 20);
  EXPECT_EQ(observed.end_of_hand().share(enters, true, true), royalties);
  EXPECT_EQ(observed.end_of_hand().share(stays, true, true), stays.total() + 20);
  EXPECT_EQ(own.fantasyland_goal().stay_value, 7.5);
  EXPECT_EQ(observed.fantasyland_goal().stay_value, 20);
  EXPECT_EQ(own.fantasyland_value(), 7.5);
  EXPECT_EQ(observed.fantasyland_value(), 20);
  const auto one_hand = test::game_of<Game>("ofc[episode=hand]");
  EXPECT_EQ(ModelPlay(model, one_hand->rules()).chain(), nullptr) << "no hand follows";
  EXPECT_EQ(ModelPlay(model, one_hand->rules()).fantasyland_value(), 0);
  EXPECT_EQ(ModelPlay(model, one_hand->rules(), {}, 4.0).fantasyland_goal().stay_value, 4);
  // The model itself is unchanged.
  EXPECT_EQ(model->chain(14, 0, true), 9);
}

TEST(ValueAgentOptions, AreChecked) {
  const GamePtr game = make_game("ofc");
  for (const auto& [option, why] :
       {std::pair("cautoin=3", "did you mean 'caution'"), std::pair("caution=-1", "caution: -1 is not allowed"),
        std::pair("simulations=-1", "simulations: -1 is not allowed"),
        std::pair("fantasylnd=3", "did you mean 'fantasyland'"), std::pair("fantasyland=many", "fantasyland"),
        std::pair("fantasyland=1001", "fantasyland: 1001 is not allowed")})
    EXPECT_TRUE(
        test::refuses<UsageError>(why, [&, o = std::string(option)] { make_agents("default[" + o + "]", game); }));
  EXPECT_NO_THROW(make_agents("default[fantasyland=-3,simulations=4]", game));
}

TEST(FantasylandOption, MakesThePlayerChase) {
  const auto game = make_game("ofc");
  const auto env = game->new_env();
  double before = -1;
  for (const char* agent : {"default[fantasyland=0]", "default", "default[fantasyland=40]"}) {
    const auto evaluator = make_evaluator(*make_agents(agent, game), *game);
    double chance = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      env->reset(seed);
      chance += evaluator->afterstate_values(test::seen_at(*env), 1).front().fantasyland;
    }
    EXPECT_GT(chance, before + 0.5) << agent;
    before = chance;
  }
}

TEST(Afterstates, AreWhatHintsShow) {
  const GamePtr game = make_game("ofc");
  EXPECT_EQ(make_agents("default[caution=1]", game)->option("caution"), 1);
  const AgentFactoryPtr agents = make_agents("default", game);
  EXPECT_EQ(agents->option("caution"), test::shipped_model()->caution);
  EXPECT_GT(agents->option("fantasyland").value(), 5);
  EXPECT_EQ(agents->option("depth"), std::nullopt);
  const Observation seen = test::first_decision(*game, 11);
  const auto best = make_evaluator(*agents, *game)->afterstate_values(seen, 5);
  ASSERT_EQ(best.size(), 5U);
  for (std::size_t i = 1; i < best.size(); ++i) EXPECT_GE(best[i - 1].value, best[i].value);
  const auto agent = agents->make();
  EXPECT_NEAR(*agent->value(seen), best.front().value, 1e-5);
  // The boards of a hint, line by line.
  const std::string hint = agent->explain(seen);
  std::size_t place = 0;
  for (const AfterstateValue& each : std::span(best).first(3)) {
    Board board;
    auto row = each.actions.begin();
    for_each(State::decode(as_ofc(*game)->rules(), seen.data).hand,
             [&](Card card) { board.row[at(*row++)] |= bit(card); });
    const std::size_t found = hint.find(to_string(board), place);
    ASSERT_NE(found, std::string::npos) << to_string(board) << '\n' << hint;
    place = found + 1;
  }
  EXPECT_GT(best.front().foul, 0);
  EXPECT_LT(best.front().foul, 1);
  EXPECT_FALSE(make_agents("rule", game)->attributes().afterstates);
}

}  // namespace
}  // namespace dealer::ofc::value_agent_test
