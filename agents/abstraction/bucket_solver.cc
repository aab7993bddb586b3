#include "agents/abstraction/bucket_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "agents/abstraction/board_sampling.h"
#include "agents/abstraction/bucket_mccfr.h"
#include "agents/abstraction/draw_cards.h"
#include "agents/abstraction/holdem_cards.h"
#include "agents/agent_registry.h"
#include "agents/evaluator.h"
#include "agents/policy/softmax.h"
#include "env/core/error.h"
#include "env/core/numbers.h"
#include "env/core/weighted_index.h"

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
  const std::string& algorithm() const override { return algorithm_; }
  std::int64_t usual_iterations() const override { return Sampling::kUsualIterations; }
  const PublicTree& tree() const override { return cards_->tree(); }
  std::int64_t memory() const override {
    return std::int64_t{2 * sizeof(typename Sampling::Number)} * tree().numbers * options_.tables;
  }
  std::vector<double> average() const override { return solver_.average(); }

  void load(const TensorFile& file) override { solver_.load(file); }

  TensorFile to_file(bool state) const override {
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
      const auto options = at(block.options);
      for (int bucket = 0; bucket < block.buckets; ++bucket) {
        const auto first = at(block.base) + at(bucket) * options;
        const std::span<double> probability = std::span(policy).subspan(first, options);
        apply_threshold(probability, options_.threshold);
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
    if (state) solver_.save(file);
    return file;
  }

 private:
  std::string algorithm_;
  std::uint64_t seed_;
  BucketMccfrOptions options_;
  std::unique_ptr<Cards> cards_;
  BucketMccfr<Sampling> solver_;
};

// The data shared by all agents of a file.
class Player {
 public:
  virtual ~Player() = default;
  // The policy over the legal actions.
  virtual std::vector<double> policy(const poker::View& view, LegalMask legal) const = 0;
  virtual const PublicTree& tree() const = 0;
  virtual const poker::Game& game() const = 0;

  std::vector<std::uint8_t> parts;  // indexed as the tree's table
  virtual int whole() const = 0;    // the number of parts that make up probability 1
  // Throws CheckpointError if the file has fewer parts.
  virtual std::vector<std::uint8_t> read(const TensorFile& file) const = 0;

 protected:
  const std::uint8_t* parts_of(std::int64_t base, int bucket, int options) const {
    return &parts[at(base + std::int64_t{bucket} * options)];
  }
};

class DrawPlayer final : public Player {
 public:
  DrawPlayer(std::shared_ptr<const poker::Game> game, int buckets) : cards_(std::move(game), buckets) {}

  const PublicTree& tree() const override { return cards_.tree(); }
  const poker::Game& game() const override { return cards_.game(); }
  int whole() const override { return kParts; }
  std::vector<std::uint8_t> read(const TensorFile& file) const override {
    return file.get<std::uint8_t>(kPolicyTensor, {tree().numbers});
  }

  std::vector<double> policy(const poker::View& view, LegalMask legal) const override {
    const PublicNode& node = find(view);
    const poker::View::Player& own = view.own();
    DrawCards::Hand hand{};
    for (std::size_t i = 0; i < hand.size(); ++i) hand[i] = own.cards[i].card;
    const int draws = node.stage;
    DrawCards::Throws throws{};
    const int bucket = cards_.find(hand, draws, draws > 0 ? own.drawn[at(draws - 1)] : 0, throws);
    const std::uint8_t* const part = parts_of(node.base, bucket, node.options);
    std::vector<double> probability(at(std::popcount(legal)));
    for (std::size_t option = 0; option < node.options; ++option) {
      // All discards are legal; at a bet the options are the legal actions.
      const std::size_t place = node.kind == PublicNode::Kind::kDraw ? throws[option] : option;
      probability[place] = static_cast<double>(part[option]) / kParts;
    }
    return probability;
  }

 private:
  // Follows the betting history of the hand to the observer's decision.
  const PublicNode& find(const poker::View& view) const {
    const PublicNode* node = &tree().nodes.front();
    std::size_t bets = 0;
    std::array<std::size_t, 2> draws{};
    while (node->options > 0) {
      const int position = node->position;
      const Seat seat = position == 1 ? view.dealer : 1 - view.dealer;
      if (node->kind == PublicNode::Kind::kDraw) {
        const int drawn = view.player[at(seat)].drawn[draws[at(position)]++];
        if (drawn < 0) return decision(*node, seat, view);
        node = &tree().child(*node, drawn);
        continue;
      }
      if (bets == view.actions.size()) return decision(*node, seat, view);
      // Either all bet nodes allow a fold, or only those facing a bet; then it is the first option.
      const poker::PastAction& past = view.actions[bets++];
      const int without_fold = may_fold(*node) ? 0 : 1;
      node = &tree().child(*node, past.action - without_fold);
    }
    throw UsageError("the observer has no decision");
  }
  bool may_fold(const PublicNode& node) const { return tree().child(node, 0).kind == PublicNode::Kind::kFold; }
  const PublicNode& decision(const PublicNode& node, Seat seat, const poker::View& view) const {
    if (seat != view.me || view.turn != view.me)
      throw UsageError("there is nothing to choose: the observer is not to act");
    return node;
  }

  DrawCards cards_;
};

class HoldemPlayer final : public Player {
 public:
  HoldemPlayer(std::shared_ptr<const poker::Game> game, int buckets, double step)
      : cards_(std::move(game), buckets, step) {}

  const PublicTree& tree() const override { return cards_.tree(); }
  const poker::Game& game() const override { return cards_.game(); }
  int whole() const override { return kFewParts; }
  std::vector<std::uint8_t> read(const TensorFile& file) const override {
    const auto& bytes = file.get<std::uint8_t>(kHalvesTensor, {(tree().numbers + 1) / 2});
    std::vector<std::uint8_t> numbers(at(tree().numbers));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = bytes[i / 2] >> (4 * (i % 2)) & kFewParts;
    return numbers;
  }

  std::vector<double> policy(const poker::View& view, LegalMask legal) const override {
    const std::array own = {view.own().cards[0].card, view.own().cards[1].card};
    const HoldemTree::Group& group = cards_.betting().find(spot_of(view, legal));
    const int bucket = cards_.find(own, view.board);
    const LegalMask options = group.first.options;
    const std::uint8_t* part = parts_of(group.base, bucket, std::popcount(options));
    std::vector<double> probability(at(std::popcount(legal)));
    for (LegalMask rest = options; rest != 0; rest &= rest - 1, ++part) {
      const Action action = nearest(std::countr_zero(rest), legal);
      const LegalMask below = legal & ((LegalMask{1} << action) - 1);
      probability[at(std::popcount(below))] += static_cast<double>(*part) / kFewParts;
    }
    return probability;
  }

 private:
  // If the group is not the spot's own, its bet may be unavailable: then the next smaller one, or a call, is used.
  static Action nearest(Action action, LegalMask legal) {
    while ((legal >> action & 1) == 0) --action;
    return action;
  }

  HoldemCards cards_;
};

// The playing options, as those of networks.
struct HowToPlay {
  double temperature, threshold;

  void apply(std::span<double> probability) const {
    if (temperature != 1) {
      const double most = *std::max_element(probability.begin(), probability.end());
      double sum = 0;
      for (double& each : probability)
        sum += each = temperature > 0 ? std::pow(each / most, 1 / temperature) : static_cast<double>(each == most);
      for (double& each : probability) each /= sum;
    }
    if (threshold > 0) apply_threshold(probability, threshold);
  }
};

class BucketAgent final : public Agent {
 public:
  BucketAgent(std::shared_ptr<const Player> player, HowToPlay how) : player_(std::move(player)), how_(how) {}

  void reset(Seat, std::uint64_t seed) override { rng_ = RandomStream(seed); }

  Decision act(const Observation& observation) override {
    const std::vector<double> probability = *policy(observation);
    return observation.legal_actions()[weighted_index(probability, static_cast<double>(rng_.uniform()))];
  }

  std::optional<std::vector<double>> policy(const Observation& observation) override {
    const poker::View view = poker::State::decode(player_->game().rules(), observation.data);
    if (view.turn != view.me) throw UsageError("there is nothing to choose: the observer is not to act");
    std::vector<double> probability = player_->policy(view, observation.legal_mask);
    how_.apply(probability);
    return probability;
  }

 private:
  std::shared_ptr<const Player> player_;
  HowToPlay how_;
  RandomStream rng_;
};

class BucketFactory final : public AgentFactory {
 public:
  BucketFactory(std::string spec, std::shared_ptr<const Player> player, HowToPlay how)
      : AgentFactory(std::move(spec)), player_(std::move(player)), how_(how) {}

  std::unique_ptr<Agent> make() const override { return std::make_unique<BucketAgent>(player_, how_); }
  int tables_at_once() const override { return 1; }
  EvaluatorAttributes attributes() const override { return {.policy = true, .cheap = true}; }
  std::unique_ptr<PositionEvaluator> make_evaluator() const override {
    return std::make_unique<AgentEvaluator>(make(), player_->game(), spec(), attributes());
  }

 private:
  std::shared_ptr<const Player> player_;
  HowToPlay how_;
};

void check_solved_rules(const TensorFile& file, const Game& game) {
  if (file.meta("format") != kBucketPolicyFormat)
    throw CheckpointError(
        fmt::format("{}: its format is '{}'; expected '{}'", file.name, file.meta("format"), kBucketPolicyFormat));
  if (dynamic_cast<const poker::Game*>(&game) == nullptr || file.meta("rules") != game.id().rules)
    throw CheckpointError(
        fmt::format("{}: it solves a game under other rules than those of '{}'", file.name, game.spec()));
}

std::shared_ptr<Player> make_player(const TensorFile& file, std::shared_ptr<const poker::Game> game) {
  const std::int64_t buckets = file.get<std::int64_t>(kBucketsTensor, {}).front();
  if (buckets < 1 || buckets > kMostBuckets)
    throw CheckpointError(fmt::format("{}: {} buckets; expected 1 to {}", file.name, buckets, kMostBuckets));
  if (game->rules().procedure != poker::Procedure::kHoldem)
    return std::make_shared<DrawPlayer>(std::move(game), static_cast<int>(buckets));
  const double step = file.get<double>(kStepTensor, {}).front();
  if (!(step >= kLeastStep && step <= kMostStep))
    throw CheckpointError(fmt::format("{}: a step of {}; expected {} to {}", file.name, step, kLeastStep, kMostStep));
  return std::make_shared<HoldemPlayer>(std::move(game), static_cast<int>(buckets), step);
}

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

std::unique_ptr<BucketSolver> read_bucket_solver(const TensorFile& file, const GamePtr& game, int threads) {
  check_solved_rules(file, *game);
  const std::string& algorithm = file.meta("algorithm");
  const std::optional<std::uint64_t> seed = number_in<std::uint64_t>(file.meta("seed"));
  if (!seed)
    throw CheckpointError(fmt::format("{}: the seed is '{}'; expected a number", file.name, file.meta("seed")));
  std::unique_ptr<BucketSolver> solver;
  try {
    solver = make_bucket_solver(game, algorithm, *seed, threads);
  } catch (const UsageError& error) {
    throw CheckpointError(fmt::format("{}: {}", file.name, error.what()));
  }
  solver->load(file);
  return solver;
}

std::string bucket_refusal(const Game& game) {
  const auto poker = std::dynamic_pointer_cast<const poker::Game>(game.shared_from_this());
  if (poker == nullptr) return fmt::format("bucket_mccfr is for draw games and hold'em; '{}' is neither", game.spec());
  try {
    poker->rules().procedure == poker::Procedure::kHoldem ? holdem_game(poker) : draw_game(poker);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
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

AgentFactoryPtr make_bucket_agents(const Spec& spec, const TensorFile& file, const GamePtr& game) {
  Config options = agent_options(spec);
  const HowToPlay how{options.get_double("temperature", 1, 0, 100), options.get_double("threshold", 0, 0, 1)};
  options.finish();
  check_solved_rules(file, *game);
  const std::shared_ptr<Player> player = make_player(file, std::dynamic_pointer_cast<const poker::Game>(game));
  player->parts = player->read(file);
  for (const PublicTree::Block& block : player->tree().blocks) {
    auto first = player->parts.begin() + static_cast<std::ptrdiff_t>(block.base);
    for (int bucket = 0; bucket < block.buckets; ++bucket, first += block.options)
      if (std::accumulate(first, first + block.options, 0) != player->whole())
        throw CheckpointError(fmt::format("{}: its probabilities are not a distribution", file.name));
  }
  return std::make_shared<BucketFactory>(to_string(spec), player, how);
}

}  // namespace dealer::abstraction
