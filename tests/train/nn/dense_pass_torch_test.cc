#include "train/nn/dense_pass_torch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "train/nn/network_torch.h"

namespace dealer::dense_pass_torch_test {
namespace {

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

// How far apart, as a share of how long.
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
      pass.start(static_cast<std::size_t>(rows));
      for (std::int64_t r = 0; r < rows; ++r)
        for (const int begin : {0, c.widths.front() / 3}) {
          const int end = begin == 0 ? c.widths.front() / 3 : c.widths.front();
          pass.write(static_cast<std::size_t>(r), static_cast<std::size_t>(begin),
                     {x.data_ptr<float>() + r * c.widths.front() + begin, static_cast<std::size_t>(end - begin)});
        }
      const float* const output = pass.forward(network.parameters);
      // bfloat16 has 8 bits: rounded in another order, some units just above 0 are just below it.
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
}  // namespace dealer::dense_pass_torch_test
