#include "agents/abstraction/bucket_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "agents/abstraction/board_sampling.h"
#include "agents/abstraction/bucket_mccfr.h"
#include "agents/abstraction/draw_cards.h"
#include "agents/abstraction/external_sampling.h"
#include "agents/abstraction/holdem_cards.h"
#include "agents/agent_registry.h"
#include "env/core/error.h"

namespace dealer::abstraction {
namespace {

std::vector<std::uint8_t> halves_of(const std::vector<std::uint8_t>& parts) {
  std::vector<std::uint8_t> bytes((parts.size() + 1) / 2);
  for (std::size_t i = 0; i < parts.size(); ++i)
    bytes[i / 2] = static_cast<std::uint8_t>(bytes[i / 2] | parts[i] << (4 * (i % 2)));
  return bytes;
}

template <class Cards, class Sampling>
class SolverOf final : public BucketSolver {
 public:
  SolverOf(std::string algorithm, std::uint64_t seed, const BucketMccfrOptions& options, int threads,
           std::unique_ptr<Cards> cards)
      : algorithm_(std::move(algorithm)),
        seed_(seed),
        options_(options),
        cards_(std::move(cards)),
        solver_(cards_->tree(), Sampling(cards_->tree(), *cards_), options, seed, threads) {}

  void run(std::int64_t iterations) override { solver_.run(iterations); }
  std::int64_t iterations() const override { return solver_.iterations(); }
  std::int64_t usual_iterations() const override { return Sampling::kUsualIterations; }
  const PublicTree& tree() const override { return cards_->tree(); }
  std::int64_t memory() const override {
    return std::int64_t{2 * sizeof(typename Sampling::Number)} * tree().numbers * options_.tables;
  }
  std::vector<double> average() const override { return solver_.average(); }

  TensorFile to_file() const override {
    TensorFile file;
    const GameId& id = cards_->game().id();
    file.metadata = {{"format", kBucketPolicyFormat},
                     {"game", id.family},
                     {"rules", id.rules},
                     {"algorithm", algorithm_},
                     {"iterations", std::to_string(iterations())},
                     {"seed", std::to_string(seed_)}};
    constexpr bool kHoldem = std::is_same_v<Cards, HoldemCards>;
    std::vector<double> policy = average();
    std::vector<std::uint8_t> parts(policy.size());
    for (const PublicTree::Block& block : tree().blocks) {
      const auto options = static_cast<std::size_t>(block.options);
      for (int bucket = 0; bucket < block.buckets; ++bucket) {
        const auto first = static_cast<std::size_t>(block.base) + static_cast<std::size_t>(bucket) * options;
        const std::span<double> probability = std::span(policy).subspan(first, options);
        cut_off(probability, options_.threshold);
        quantise(probability, std::span(parts).subspan(first, options), kHoldem ? kFewParts : kParts);
      }
    }
    if constexpr (kHoldem) {
      file.tensors[kHalvesTensor] = {{(tree().numbers + 1) / 2}, halves_of(parts)};
      file.tensors[kStepTensor] = {{}, std::vector<double>{options_.step}};
    } else {
      file.tensors[kPolicyTensor] = {{tree().numbers}, std::move(parts)};
    }
    file.tensors[kBucketsTensor] = {{}, std::vector<std::int64_t>{options_.buckets}};
    return file;
  }

 private:
  std::string algorithm_;
  std::uint64_t seed_;
  BucketMccfrOptions options_;
  std::unique_ptr<Cards> cards_;
  BucketMccfr<Sampling> solver_;
};

}  // namespace

std::unique_ptr<BucketSolver> make_bucket_solver(const GamePtr& game, const std::string& algorithm, std::uint64_t seed,
                                                 int threads) {
  const Spec spec = parse_spec(algorithm);
  const std::string name = to_string(spec);
  Config config = agent_options(spec);
  BucketMccfrOptions options;
  try {
    options = read_bucket_mccfr(config);
    config.finish();
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("algorithm '{}': {}", name, error.what()));
  }
  auto poker = std::dynamic_pointer_cast<const poker::Game>(game);
  if (poker == nullptr)
    throw UsageError(fmt::format("bucket_mccfr is for draw games and hold'em; '{}' is neither", game->spec()));
  if (poker->rules().procedure == poker::Procedure::kHoldem)
    return std::make_unique<SolverOf<HoldemCards, BoardSampling>>(
        name, seed, options, threads, std::make_unique<HoldemCards>(std::move(poker), options.buckets, options.step));
  return std::make_unique<SolverOf<DrawCards, ExternalSampling<DrawCards>>>(
      name, seed, options, threads, std::make_unique<DrawCards>(std::move(poker), options.buckets));
}

void quantise(std::span<const double> probability, std::span<std::uint8_t> parts, int of) {
  std::array<std::pair<double, std::size_t>, 64> rest;
  int left = of;
  for (std::size_t i = 0; i < probability.size(); ++i) {
    const double exact = probability[i] * of;
    parts[i] = static_cast<std::uint8_t>(std::min(exact, static_cast<double>(of)));
    left -= parts[i];
    rest[i] = {exact - parts[i], i};
  }
  const auto end = rest.begin() + static_cast<std::ptrdiff_t>(probability.size());
  std::sort(rest.begin(), end, std::greater<>());
  for (std::size_t i = 0; left > 0; i = (i + 1) % probability.size(), --left) ++parts[rest[i].second];
}

void cut_off(std::span<double> probability, double threshold) {
  const double limit = std::min(threshold, *std::max_element(probability.begin(), probability.end()));
  double sum = 0;
  for (double& each : probability) sum += each = each < limit ? 0 : each;
  for (double& each : probability) each /= sum;
}

}  // namespace dealer::abstraction
