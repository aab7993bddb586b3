#include "train/nn/network_torch.h"

#include "agents/nn/relu_layers.h"
#include "env/core/config.h"
#include "tests/support/testing.h"
#include "train/compute.h"
#include "train/nn/dense_pass_torch.h"

namespace dealer::network_torch_test {
namespace {

// A number rounded to bfloat16: 8 bits of the mantissa, to the nearest, ties to even.
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
  const auto w = [&](int layer, int in, int out) { return net.parameters[at(2 * layer)][in][out].item<float>(); };
  // Computed by hand: bfloat16 throughout in the first layer, single precision in the last.
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
    // The processor may round a hidden unit differently.
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
    EXPECT_TRUE(test::refuses<ConfigError>("fastest", [&] { read("precision: bfloat16"); }));
  EXPECT_TRUE(test::refuses<ConfigError>("bfloat16", [&] { read("precision: half"); }));
}

struct Case {
  std::vector<int> widths;
  bool bfloat16;
  bool settled = false;  // biases so large that no unit is near 0
};

// The output and the gradients of a network by autograd, for a loss whose gradient by the output is given.
struct ByAutograd {
  torch::Tensor output;
  std::vector<torch::Tensor> gradients;
};
ByAutograd by_autograd(const DenseNetwork& network, const torch::Tensor& x, const torch::Tensor& by_output) {
  ByAutograd result;
  result.output = network.forward(x);
  result.gradients = torch::autograd::grad({(result.output * by_output).sum()}, network.parameters);
  result.output = result.output.detach();
  return result;
}

// Relative distance.
double difference(const torch::Tensor& a, const torch::Tensor& b) {
  return ((a - b).norm() / b.norm().clamp_min(1e-9)).item<double>();
}

TEST(DensePass, IsWhatAutogradSays) {
  torch::manual_seed(3);
  RandomStream rng(5);
  for (const Case& c : {Case{{7, 5}, false}, Case{{7, 5}, true}, Case{{9, 16, 3}, false}, Case{{40, 96, 130, 5}, false},
                        Case{{40, 96, 130, 5}, true}, Case{{20, 33, 64, 48, 1}, false}, Case{{20, 33, 64, 48, 1}, true},
                        Case{{20, 33, 64, 48, 3}, true, true}}) {
    DenseNetwork network("n", c.widths, 1, rng);
    for (torch::Tensor& parameter : network.parameters) {
      const torch::Tensor random = torch::randn_like(parameter);
      const bool bias = parameter.dim() == 1;
      parameter = (c.settled ? (bias ? random.sign() : 0.02 * random) : 0.2 * random).detach().requires_grad_();
    }
    network.bfloat16 = c.bfloat16;
    DensePass pass(c.widths, c.bfloat16);
    // Fewer rows after more, and more after fewer.
    for (const std::int64_t rows : {100, 30, 150}) {
      const torch::Tensor x = torch::randn({rows, c.widths.front()}), by_output = torch::randn({rows, c.widths.back()});
      const ByAutograd wanted = by_autograd(network, x, by_output);
      pass.start(at(rows));
      for (std::int64_t r = 0; r < rows; ++r)
        for (const int begin : {0, c.widths.front() / 3}) {
          const int end = begin == 0 ? c.widths.front() / 3 : c.widths.front();
          pass.write(at(r), at(begin), {x.data_ptr<float>() + r * c.widths.front() + begin, at(end - begin)});
        }
      const float* const output = pass.forward(network.parameters);
      // bfloat16 has 8 bits: with another order of rounding, some units just above 0 are just below it.
      const double near = c.bfloat16 && c.widths.size() > 2 ? (c.settled ? 0.02 : 0.25) : 1e-5;
      EXPECT_LT(difference(torch::from_blob(const_cast<float*>(output), wanted.output.sizes()), wanted.output), near);
      std::copy_n(by_output.data_ptr<float>(), by_output.numel(), pass.output_gradient());
      const std::vector<torch::Tensor>& found = pass.backward();
      ASSERT_EQ(found.size(), network.parameters.size());
      for (std::size_t p = 0; p < found.size(); ++p)
        EXPECT_LT(difference(found[p], wanted.gradients[p]), near)
            << network.names[p] << ' ' << rows << " rows, " << (c.bfloat16 ? "bfloat16" : "single");
    }
  }
}

// bfloat16 has a step of 1/128 above 1.
TEST(DensePass, RoundsToTheNearest) {
  const std::vector<torch::Tensor> one = {torch::ones({1, 1}), torch::zeros({1}), torch::ones({1, 1}),
                                          torch::zeros({1})};
  DensePass pass({1, 1, 1}, true);
  const std::vector<std::pair<float, float>> cases = {{1, 1},
                                                      {1 + 0.3F / 128, 1},
                                                      {1 + 0.7F / 128, 1 + 1.0F / 128},
                                                      {1 + 0.5F / 128, 1},
                                                      {1 + 1.5F / 128, 1 + 2.0F / 128}};
  pass.start(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) pass.write(i, 0, {&cases[i].first, 1});
  const float* const output = pass.forward(one);
  for (std::size_t i = 0; i < cases.size(); ++i) EXPECT_EQ(output[i], cases[i].second) << cases[i].first;
}

TEST(DensePass, NoRowsHaveNoGradient) {
  RandomStream rng(5);
  for (const bool bfloat16 : {false, true}) {
    const DenseNetwork network("n", {4, 8, 8, 2}, 1, rng);
    DensePass pass({4, 8, 8, 2}, bfloat16);
    for (const std::size_t rows : {std::size_t{0}, std::size_t{5}, std::size_t{0}}) {
      pass.start(rows);
      const float numbers[4] = {1, 2, 3, 4};
      for (std::size_t r = 0; r < rows; ++r) pass.write(r, 0, numbers);
      pass.forward(network.parameters);
      std::fill_n(pass.output_gradient(), rows * 2, 1.0F);
      double sum = 0;
      for (const torch::Tensor& gradient : pass.backward()) sum += gradient.abs().sum().item<double>();
      EXPECT_EQ(sum > 0, rows > 0);
    }
  }
}

}  // namespace
}  // namespace dealer::network_torch_test
