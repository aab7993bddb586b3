#include "agents/ofc/value_agent.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/ofc/model_play.h"
#include "env/core/error.h"
#include "env/games/ofc/game.h"
#include "tests/agents/ofc/ofc_support.h"
#include "tests/support/error_message.h"
#include "tests/support/peak_memory.h"
#include "tests/support/raw_safetensors.h"
#include "tests/support/temp_folder.h"

namespace dealer::ofc::value_agent_test {
namespace {

using test::error_message;

// Points of the first agent over `deals` chains, each played in both seatings.
struct Duel {
  double mean = 0, deviation = 0;  // of a deal, and of the mean
};
Duel duel(const std::string& a, const std::string& b, int deals) {
  const GamePtr game = make_game("ofc");
  const std::vector<AgentFactoryPtr> factories = {make_agents(a, game), make_agents(b, game)};
  double sum = 0, squares = 0;
  for (int deal = 0; deal < deals; ++deal) {
    double points = 0;
    for (const int first : {0, 1}) {
      const auto env = game->new_env();
      env->reset(static_cast<std::uint64_t>(deal));
      std::vector<std::unique_ptr<Agent>> seats;
      for (const int seat : {0, 1}) {
        seats.push_back(factories[static_cast<std::size_t>(seat ^ first)]->make());
        seats.back()->reset(seat, derive(static_cast<std::uint64_t>(deal), static_cast<std::uint64_t>(seat)));
      }
      while (env->current_player() != kTerminal) {
        const Seat seat = env->current_player();
        env->step(seats[static_cast<std::size_t>(seat)]->act(env->observe(seat)));
      }
      points += env->returns()[static_cast<std::size_t>(first)];
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
}

TEST(DefaultAgent, AgainstItselfIsExactlyEven) {
  for (const char* agent : {"default", "default[simulations=12,candidates=3]", "default[simulations=12,depth=1]"}) {
    const Duel even = duel(agent, agent, 3);
    EXPECT_EQ(even.mean, 0) << agent;
    EXPECT_EQ(even.deviation, 0) << agent;
  }
}

// What the network expects of its best placement must be what comes of it on average.
TEST(DefaultAgent, ExpectsWhatHappens) {
  const auto game = std::dynamic_pointer_cast<const Game>(make_game("ofc"));
  const std::shared_ptr<const ValueModel> model = test::shipped_model();
  const ModelPlay play(model, game->rules());
  AfterstateEvaluator evaluator(play.net());
  std::array<double, 5> error{}, squares{};
  constexpr int kHands = 600;
  for (std::uint64_t hand = 0; hand < kHands; ++hand) {
    State state;
    state.deal(game->rules(), hand, {}, static_cast<int>(hand % 2));
    std::array<std::array<double, 5>, 2> expected{};
    while (state.hands_finished() == 0) {
      const Seat seat = state.current_player();
      const View view = state.view(seat);
      const std::vector<Placement> placements = test::placements_of(view);
      std::vector<float> values(placements.size());
      evaluator.add(view, placements, play.end_of_hand(), values.data());
      evaluator.flush();
      const std::size_t best = best_of(values);
      const auto street = static_cast<std::size_t>(state.street());
      expected[static_cast<std::size_t>(seat)][street] = static_cast<double>(values[best]);
      while (state.hands_finished() == 0 && state.current_player() == seat &&
             static_cast<std::size_t>(state.street()) == street) {
        const CardSet card = bit(lowest(state.hand(seat)));
        Action action = kToDiscard;
        for (int row = 0; row < kRows; ++row)
          if ((placements[best].board.row[static_cast<std::size_t>(row)] & card) != 0) action = row;
        state.apply(action);
      }
    }
    for (std::size_t seat = 0; seat < 2; ++seat) {
      const BoardValue own = evaluate(state.last_hand().board[seat]),
                       other = evaluate(state.last_hand().board[1 - seat]);
      const double stake = play.end_of_hand().stake(own, other, false, static_cast<std::uint64_t>(seat) == hand % 2);
      for (std::size_t street = 0; street < 5; ++street) {
        const double difference = expected[seat][street] - stake;
        error[street] += difference / (2 * kHands);
        squares[street] += difference * difference / (2 * kHands);
      }
    }
  }
  for (std::size_t street = 0; street < 5; ++street)
    EXPECT_NEAR(error[street], 0, 0.5 + 3 * std::sqrt(squares[street] / (2 * kHands))) << "street " << street;
  // The more is known, the smaller the error.
  EXPECT_LT(squares[4], squares[0] / 2);
  // Entering Fantasyland is worth about nine to ten points heads-up in the literature.
  EXPECT_GT(model->chain.fantasyland(), 7.0);
  EXPECT_LT(model->chain.fantasyland(), 14.0);
}

TEST(DefaultAgent, PlaysOtherFormsOfTheGame) {
  for (const char* spec : {"ofc[players=3]", "ofc[episode=hand]", "ofc[episode=match,match.hands=5]",
                           "ofc[players=3,fantasyland.cards=16]"}) {
    const GamePtr game = make_game(spec);
    const AgentFactoryPtr agents = make_agents("default", game);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const auto env = game->new_env();
      env->reset(seed);
      std::vector<std::unique_ptr<Agent>> seats;
      for (int seat = 0; seat < game->players(); ++seat) {
        seats.push_back(agents->make());
        seats.back()->reset(seat, seed);
      }
      while (env->current_player() != kTerminal) {
        const Seat seat = env->current_player();
        const Observation observation = env->observe(seat);
        ASSERT_FALSE(seats[static_cast<std::size_t>(seat)]->explain(observation).empty());
        env->step(seats[static_cast<std::size_t>(seat)]->act(observation));
      }
    }
  }
}

// What it compares, the best first: its value of the position.
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
            const double told = std::stod(line);
            EXPECT_LE(told, before) << line;
            EXPECT_TRUE(count > 0 || std::abs(told - *value) < 0.00501) << line;
            before = told;
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
    EXPECT_NE(message.find(path.string()), std::string::npos) << message;
    return message;
  }

  test::TempFolder folder_;
  TensorFile file_;
};

TEST_F(ModelFile, ComesBackAsItWas) {
  ValueModel written;
  written.net = test::random_net({8, 4}, 1);
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
  for (std::size_t i = 0; i < 2; ++i) same(model.net.dense()[i], written.net.dense()[i]);
  EXPECT_EQ(model.chain.data(), written.chain.data());
  EXPECT_EQ(model.boards, written.boards);
  EXPECT_EQ(model.caution, 1.25);
  // The agent of the file plays as one of the model does.
  const GamePtr game = make_game("ofc");
  const auto env = game->new_env();
  env->reset(4);
  const Observation first = env->observe(env->current_player());
  const auto shared = std::make_shared<const ValueModel>(written);
  EXPECT_EQ(make_agents(path.string(), game)->make()->explain(first),
            make_value_agents("written", shared, game)->make()->explain(first));
}

TEST_F(ModelFile, OfAnotherGameIsRefused) {
  file_.metadata["format"] = "dealer.leduc.policy";
  EXPECT_NE(refusal().find("dealer.leduc.policy"), std::string::npos);
  file_.metadata.erase("format");
  EXPECT_NE(refusal().find("no trained OFC player"), std::string::npos);
}

TEST_F(ModelFile, WithWrongTensorsIsRefused) {
  const TensorFile sound = file_;
  file_.tensors.erase("sparse.weight");
  EXPECT_NE(refusal().find("sparse.weight"), std::string::npos);
  file_ = sound;
  std::get<std::vector<float>>(file_.tensors["dense.0.bias"].data)[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(refusal().find("not finite"), std::string::npos);
  file_ = sound;
  file_.tensors["dense.1.weight"].shape = {4 * kOutputs};
  EXPECT_NE(refusal().find("dense.1.weight"), std::string::npos);
  file_ = sound;
  std::get<std::vector<std::uint8_t>>(file_.tensors["boards"].data)[0] = 52;
  EXPECT_NE(refusal().find("no card"), std::string::npos);
  file_ = sound;
  std::get<std::vector<std::uint8_t>>(file_.tensors["boards"].data)[0] =
      std::get<std::vector<std::uint8_t>>(file_.tensors["boards"].data)[1];
  EXPECT_NE(refusal().find("twice"), std::string::npos);
}

// One such number would turn every value of the player's into nonsense without a word.
TEST_F(ModelFile, WithNumbersThatAreNotFiniteIsRefused) {
  const TensorFile sound = file_;
  for (const double bad : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    for (const char* name : {"sparse.weight", "sparse.bias", "dense.0.weight", "dense.0.bias", "dense.1.weight"}) {
      auto& numbers = std::get<std::vector<float>>(file_.tensors[name].data);
      for (const std::size_t i : {std::size_t{0}, numbers.size() - 1}) {
        const float good = std::exchange(numbers[i], static_cast<float>(bad));
        EXPECT_NE(refusal().find(std::string("tensor '") + name + "' holds a number that is not finite"),
                  std::string::npos)
            << name << ' ' << bad;
        EXPECT_THROW(load_value_model(file_), CheckpointError) << "not read from a file";
        numbers[i] = good;
      }
    }
    for (std::size_t i = 0; i < 8; ++i) {
      std::get<std::vector<double>>(file_.tensors["chain_values"].data)[i] = bad;
      EXPECT_NE(refusal().find("tensor 'chain_values' holds a number that is not finite"), std::string::npos)
          << i << ' ' << bad;
      file_ = sound;
    }
    std::get<std::vector<double>>(file_.tensors["caution"].data)[0] = bad;
    EXPECT_NE(refusal().find("tensor 'caution' holds "), std::string::npos) << bad;
    file_ = sound;
  }
}

TEST_F(ModelFile, WithCautionOutOfBoundsIsRefused) {
  auto& caution = std::get<std::vector<double>>(file_.tensors["caution"].data)[0];
  for (const double bad : {-0.001, kMaxCaution * 1.001}) {
    caution = bad;
    EXPECT_NE(refusal().find("tensor 'caution' holds "), std::string::npos) << bad;
  }
  for (const double good : {0.0, kMaxCaution}) {
    caution = good;
    EXPECT_EQ(load_value_model(file_).caution, good);
  }
}

TEST(ValueAgentOptions, AreChecked) {
  const GamePtr game = make_game("ofc");
  const auto refusal = [&](const char* spec) { return error_message<UsageError>([&] { make_agents(spec, game); }); };
  EXPECT_NE(refusal("default[cautoin=3]").find("did you mean 'caution'"), std::string::npos);
  EXPECT_NE(refusal("default[caution=-1]").find("caution: -1 is not allowed"), std::string::npos);
  EXPECT_NE(refusal("default[simulations=-1]").find("simulations: -1 is not allowed"), std::string::npos);
}

// The shapes of layers that hold nothing cost nothing to write down.
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
}

TEST(ValueModel, ShapesAreComparedBeforeANetworkIsMade) {
  TensorFile file;
  file.name = "x";
  file.metadata["format"] = "dealer.ofc.afterstate_stakes.1";
  file.tensors["sparse.weight"] = {{kFeatures, 0}, std::vector<float>{}};
  for (int layer = 0; layer < 8; ++layer)
    file.tensors["dense." + std::to_string(layer) + ".weight"] = {{1 << 14, 0}, std::vector<float>{}};
  const std::int64_t before = test::peak_memory();
  EXPECT_EQ(error_message<CheckpointError>([&] { load_value_model(file); }),
            "x: tensor 'sparse.weight' is F32 [" + std::to_string(kFeatures) + ", 0]; expected F32 [" +
                std::to_string(kFeatures) + ", 16384]");
  EXPECT_LT(test::peak_memory() - before, std::int64_t{16} << 20);
}

}  // namespace
}  // namespace dealer::ofc::value_agent_test
