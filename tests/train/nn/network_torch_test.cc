#include "train/nn/network_torch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agents/nn/relu_layers.h"
#include "env/core/config.h"
#include "env/core/error.h"
#include "tests/support/error_message.h"
#include "train/compute.h"

namespace dealer::network_torch_test {
namespace {

// A number as bfloat16 has it: 8 bits of the mantissa, rounded to the nearest, ties to even.
float rounded(float x) {
  int exponent = 0;
  const float mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(mantissa, 8)), exponent - 8);
}

DenseNetwork network(const std::vector<int>& widths) {
  RandomStream rng(5, 0);
  return {"net", widths, 1, rng};
}

TEST(DenseNetwork, HiddenLayersInBfloat16) {
  if (!processor_multiplies_bfloat16()) GTEST_SKIP() << "this processor does not multiply in bfloat16";
  DenseNetwork net = network({3, 2, 2});
  net.bfloat16 = true;
  RandomStream rng(6, 0);
  torch::Tensor x = torch::empty({1, 3});
  for (int i = 0; i < 3; ++i) x.data_ptr<float>()[i] = rng.uniform() - 0.3F;
  const auto w = [&](int layer, int in, int out) {
    return net.parameters[static_cast<std::size_t>(2 * layer)][in][out].item<float>();
  };
  // By hand: bfloat16 throughout in the first layer, single precision in the last.
  float hidden[2];
  for (int j = 0; j < 2; ++j) {
    double sum = 0;
    for (int i = 0; i < 3; ++i)
      sum += static_cast<double>(rounded(x[0][i].item<float>())) * static_cast<double>(rounded(w(0, i, j)));
    hidden[j] = std::max(0.0F, rounded(static_cast<float>(sum)));
  }
  const torch::Tensor said = net.forward(x);
  EXPECT_EQ(said.scalar_type(), torch::kFloat32);
  for (int j = 0; j < 2; ++j) {
    const float wanted = hidden[0] * w(1, 0, j) + hidden[1] * w(1, 1, j);
    // The processor may round a hidden unit the other way.
    EXPECT_NEAR(said[0][j].item<float>(), wanted,
                (std::abs(hidden[0] * w(1, 0, j)) + std::abs(hidden[1] * w(1, 1, j))) / 128)
        << j;
  }
}

TEST(DenseNetwork, Bfloat16GivesNearlyTheSameGradients) {
  if (!processor_multiplies_bfloat16()) GTEST_SKIP() << "this processor does not multiply in bfloat16";
  DenseNetwork net = network({40, 64, 64, 5});
  torch::manual_seed(3);
  const torch::Tensor x = torch::rand({256, 40}), wanted = torch::rand({256, 5});
  const auto gradients = [&](bool bfloat16) {
    net.bfloat16 = bfloat16;
    return torch::autograd::grad({(net.forward(x) - wanted).square().sum()}, net.parameters);
  };
  const auto exact = gradients(false), rough = gradients(true);
  for (std::size_t p = 0; p < exact.size(); ++p) {
    EXPECT_EQ(rough[p].scalar_type(), torch::kFloat32);
    const double error = (exact[p] - rough[p]).norm().item<double>() / exact[p].norm().item<double>();
    EXPECT_LT(error, 0.05) << net.names[p];
    EXPECT_GT(error, 0) << net.names[p];
  }
  // A network of one layer has no hidden ones.
  DenseNetwork flat = network({40, 5});
  const torch::Tensor before = flat.forward(x);
  flat.bfloat16 = true;
  EXPECT_TRUE(torch::equal(flat.forward(x), before));
}

// What agents play with (agents/nn) says what libtorch says.
TEST(DenseNetwork, IsWorkedOutAlikeForPlay) {
  for (const std::vector<int>& widths : {std::vector{332, 256, 256, 6}, {61, 64, 64, 4}, {17, 5}}) {
    const DenseNetwork net = network(widths);
    std::vector<DenseLayer> weights;
    for (std::size_t i = 0; i + 1 < widths.size(); ++i)
      weights.push_back(
          {widths[i], widths[i + 1], values_of(net.parameters[2 * i]), values_of(net.parameters[2 * i + 1])});
    ReluLayers layers(weights);
    torch::manual_seed(4);
    for (const int rows : {1, 3, 64}) {
      // Mostly zeros, as observations are.
      const torch::Tensor x = torch::rand({rows, widths.front()}) * (torch::rand({rows, widths.front()}) < 0.2);
      torch::Tensor out = torch::empty({rows, widths.back()});
      layers.forward(x.data_ptr<float>(), rows, out.data_ptr<float>());
      const torch::Tensor wanted = net.forward(x);
      EXPECT_GT(wanted.abs().max().item<double>(), 0.1);
      EXPECT_LT(((out - wanted).abs() / wanted.abs().clamp_min(1)).max().item<double>(), 1e-5)
          << rows << " rows, " << widths.front() << " inputs";
    }
  }
}

TEST(Precision, IsReadFromTheConfig) {
  const auto read = [](const char* text) {
    Config config = Config::parse(text, "test.yaml");
    return read_precision(config, Device::kCpu);
  };
  EXPECT_FALSE(read("{}"));
  EXPECT_FALSE(read("precision: single"));
  EXPECT_EQ(read("precision: fastest"), processor_multiplies_bfloat16());
  if (processor_multiplies_bfloat16())
    EXPECT_TRUE(read("precision: bfloat16"));
  else
    EXPECT_NE(test::error_message<ConfigError>([&] { read("precision: bfloat16"); }).find("fastest"),
              std::string::npos);
  EXPECT_NE(test::error_message<ConfigError>([&] { read("precision: half"); }).find("bfloat16"), std::string::npos);
}

}  // namespace
}  // namespace dealer::network_torch_test
