#include "agents/nn/relu_layers.h"

#include "tests/support/testing.h"

namespace dealer::relu_layers_test {
namespace {

struct Network {
  std::vector<int> widths;
  std::vector<DenseLayer> layers;

  Network(std::vector<int> sizes, std::uint64_t seed) : widths(std::move(sizes)) {
    RandomStream rng(seed);
    for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
      DenseLayer& layer = layers.emplace_back(DenseLayer::zero(widths[i], widths[i + 1]));
      for (auto* numbers : {&layer.weight, &layer.bias})
        for (float& x : *numbers) x = rng.uniform() - 0.5F;
    }
  }

  std::vector<double> one_row(const float* first) const {
    std::vector<double> x(first, first + widths.front());
    for (std::size_t i = 0; i < layers.size(); ++i) {
      std::vector<double> next(layers[i].bias.begin(), layers[i].bias.end());
      for (std::size_t k = 0; k < x.size(); ++k)
        for (std::size_t c = 0; c < next.size(); ++c)
          next[c] += (i == 0 ? x[k] : std::max(x[k], 0.0)) * static_cast<double>(layers[i].weight[k * next.size() + c]);
      x = next;
    }
    return x;
  }
};

TEST(DenseLayer, KnowsHowFarItsOutputsReach) {
  const DenseLayer layer{3, 2, {1, -2, -3, 0.5F, 2, 0}, {0.5F, -4}};
  EXPECT_DOUBLE_EQ(layer.reach(1, 3), 6.5);  // 1 + 3 + 2 + 0.5 against 2 + 0.5 + 4
  EXPECT_DOUBLE_EQ(layer.reach(10, 3), 60.5);
  EXPECT_DOUBLE_EQ(layer.reach(1, 1), 6);  // 2 + 4 against 3 + 0.5
  const auto refused = [&](float weight) {
    const std::vector<DenseLayer> layers = {DenseLayer{1, 1, {weight}, {0}}, DenseLayer{1, 1, {4}, {0}}};
    return !test::error_message<CheckpointError>([&] { refuse_overflow(layers, 1, "file"); }).empty();
  };
  EXPECT_TRUE(refused(1e38F));
  // The overflow is in an inner layer; the next layer multiplies it by 0.
  const std::vector<DenseLayer> between = {DenseLayer{1, 1, {3e38F}, {3e38F}}, DenseLayer{1, 1, {0}, {0}}};
  EXPECT_THROW(refuse_overflow(between, 1, "file"), CheckpointError);
  EXPECT_THROW(refuse_overflow({}, 1e39, "file"), CheckpointError);
  const std::vector<DenseLayer> fine = {DenseLayer{1, 1, {8e37F}, {0}}, DenseLayer{1, 1, {4}, {0}}};
  EXPECT_NO_THROW(refuse_overflow(fine, 1, "file"));
}

// Rows after a ReLU: about half of the entries zero, some rows all zero, some without zeros.
std::vector<float> random_rows(int rows, int width, std::uint64_t seed) {
  RandomStream rng(seed);
  std::vector<float> values;
  for (int row = 0; row < rows; ++row) {
    const float below = row % 7 == 3 ? 1.0F : row % 7 == 5 ? 0.0F : 0.5F;
    for (int i = 0; i < width; ++i) values.push_back(std::max(0.0F, rng.uniform() - below));
  }
  return values;
}

TEST(ReluLayers, AreWhatTheFormulaSays) {
  const std::vector<std::vector<int>> shapes = {{1, 1},           {3, 5, 2},   {16, 16, 4},
                                                {256, 64, 32, 4}, {70, 33, 1}, {65, 130, 17, 3},
                                                {128, 48, 80},    {5, 200, 4}, {300, 64, 64, 7}};
  for (const auto& widths : shapes) {
    const Network network(widths, 1);
    ReluLayers layers(network.layers);
    constexpr int kRows = 23;
    const std::vector<float> first = random_rows(kRows, widths.front(), 2);
    const auto outputs = at(widths.back());
    std::vector<float> out(kRows * outputs + 1, 99.0F);
    layers.forward(first.data(), kRows, out.data());
    EXPECT_EQ(out.back(), 99.0F) << "written beyond the last row";
    for (std::size_t row = 0; row < kRows; ++row) {
      const std::vector<double> expected = network.one_row(first.data() + row * at(widths.front()));
      for (std::size_t c = 0; c < outputs; ++c)
        ASSERT_NEAR(static_cast<double>(out[row * outputs + c]), expected[c], 1e-4) << widths.front() << " row " << row;
    }
  }
}

TEST(ReluLayers, ARowIsTheSameBitForBitInAnyCompany) {
  const std::vector<int> widths = {256, 64, 32, 4};
  ReluLayers layers(Network(widths, 3).layers);
  constexpr std::size_t kRows = 40;
  const std::vector<float> first = random_rows(kRows, widths.front(), 4);
  std::vector<float> alone(kRows * 4);
  for (std::size_t row = 0; row < kRows; ++row) layers.forward(first.data() + row * 256, 1, alone.data() + row * 4);
  for (std::size_t begin = 0; begin < 9; ++begin)
    for (std::size_t count = 1; begin + count <= kRows; ++count) {
      std::vector<float> together(count * 4);
      layers.forward(first.data() + begin * 256, static_cast<int>(count), together.data());
      ASSERT_EQ(std::memcmp(together.data(), alone.data() + begin * 4, together.size() * sizeof(float)), 0)
          << count << " rows from " << begin;
    }
}

}  // namespace
}  // namespace dealer::relu_layers_test
