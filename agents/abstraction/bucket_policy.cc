#include "agents/abstraction/bucket_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "agents/agent_registry.h"
#include "env/core/error.h"

namespace dealer::abstraction {
namespace {

constexpr int kParts = 255;
constexpr const char* kPolicy = "policy";
constexpr const char* kBuckets = "buckets";

std::shared_ptr<const poker::Game> as_draw(const GamePtr& game) {
  auto draw = std::dynamic_pointer_cast<const poker::Game>(game);
  if (draw == nullptr) throw UsageError(fmt::format("bucket_mccfr is for draw games; '{}' is none", game->spec()));
  return draw;
}

// What all agents of a file share.
struct Player {
  Player(std::shared_ptr<const poker::Game> game, int buckets)
      : cards(std::move(game), buckets), tree(cards.public_tree()) {}
  DrawCards cards;
  PublicTree tree;
  std::vector<std::uint8_t> parts;  // by number of the tree's table
};

class BucketAgent final : public Agent {
 public:
  explicit BucketAgent(std::shared_ptr<const Player> player) : player_(std::move(player)) {}

  void reset(Seat, std::uint64_t seed) override { rng_ = RandomStream(seed); }

  Decision act(const Observation& observation) override {
    const std::vector<double> probability = *policy(observation);
    auto rest = static_cast<double>(rng_.uniform());
    const std::vector<Action> legal = observation.legal_actions();
    Action last = legal.front();
    for (std::size_t i = 0; i < legal.size(); ++i) {
      if (probability[i] <= 0) continue;
      last = legal[i];
      if ((rest -= probability[i]) < 0) break;
    }
    return last;
  }

  std::optional<std::vector<double>> policy(const Observation& observation) override {
    const poker::GameRules& rules = player_->cards.game().rules();
    const poker::View view = poker::State::decode(rules, observation.data);
    const PublicNode& node = find(view);
    const poker::View::Player& own = view.own();
    DrawCards::Hand hand{};
    for (std::size_t i = 0; i < hand.size(); ++i) hand[i] = own.cards[i].card;
    const int draws = node.stage;
    DrawCards::Throws throws{};
    const int bucket =
        player_->cards.find(hand, draws, draws > 0 ? own.drawn[static_cast<std::size_t>(draws - 1)] : 0, throws);
    const std::uint8_t* const part =
        &player_->parts[static_cast<std::size_t>(node.base + std::int64_t{bucket} * node.options)];
    std::vector<double> probability(static_cast<std::size_t>(std::popcount(observation.legal_mask)));
    for (std::size_t option = 0; option < node.options; ++option) {
      // All discards are legal; of a bet the options are the legal actions.
      const std::size_t place = node.kind == PublicNode::Kind::kDraw ? throws[option] : option;
      probability[place] = static_cast<double>(part[option]) / kParts;
    }
    return probability;
  }

 private:
  // The course of the hand up to the decision of the observer.
  const PublicNode& find(const poker::View& view) const {
    const PublicNode* node = &player_->tree.nodes.front();
    std::size_t bets = 0;
    std::array<std::size_t, 2> draws{};
    while (node->options > 0) {
      const int position = node->position;
      const Seat seat = position == 1 ? view.dealer : 1 - view.dealer;
      if (node->kind == PublicNode::Kind::kDraw) {
        const int drawn =
            view.player[static_cast<std::size_t>(seat)].drawn[draws[static_cast<std::size_t>(position)]++];
        if (drawn < 0) return decision(*node, seat, view);
        node = &player_->tree.child(*node, drawn);
        continue;
      }
      if (bets == view.actions.size()) return decision(*node, seat, view);
      // Fold is legal at all nodes of a bet or at those with a bet to call; then it is the first option.
      const poker::PastAction& past = view.actions[bets++];
      const int without_fold = may_fold(*node) ? 0 : 1;
      node = &player_->tree.child(*node, past.action - without_fold);
    }
    throw UsageError("the observation is none of a decision");
  }
  bool may_fold(const PublicNode& node) const { return player_->tree.child(node, 0).kind == PublicNode::Kind::kFold; }
  const PublicNode& decision(const PublicNode& node, Seat seat, const poker::View& view) const {
    if (seat != view.me || view.turn != view.me)
      throw UsageError("there is nothing to choose: the observer is not to act");
    return node;
  }

  std::shared_ptr<const Player> player_;
  RandomStream rng_;
};

}  // namespace

DrawSolver::DrawSolver(const GamePtr& game, const std::string& algorithm, std::uint64_t seed, int threads)
    : seed_(seed) {
  const Spec spec = parse_spec(algorithm);
  algorithm_ = to_string(spec);
  Config config = agent_options(spec);
  BucketMccfrOptions options;
  try {
    options = read_bucket_mccfr(config);
    config.finish();
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("algorithm '{}': {}", algorithm_, error.what()));
  }
  buckets_ = options.buckets;
  tables_ = options.tables;
  cards_ = std::make_unique<DrawCards>(as_draw(game), buckets_);
  tree_ = cards_->public_tree();
  solver_ = std::make_unique<BucketMccfr<DrawCards>>(tree_, *cards_, options, seed, threads);
}

void quantise(std::span<const double> probability, std::span<std::uint8_t> parts) {
  std::array<std::pair<double, std::size_t>, 64> rest;
  int left = kParts;
  for (std::size_t i = 0; i < probability.size(); ++i) {
    const double exact = probability[i] * kParts;
    parts[i] = static_cast<std::uint8_t>(std::min(exact, double{kParts}));
    left -= parts[i];
    rest[i] = {exact - parts[i], i};
  }
  const auto end = rest.begin() + static_cast<std::ptrdiff_t>(probability.size());
  std::sort(rest.begin(), end, std::greater<>());
  for (std::size_t i = 0; left > 0; i = (i + 1) % probability.size(), --left) ++parts[rest[i].second];
}

TensorFile DrawSolver::to_file() const {
  TensorFile file;
  const GameId& id = cards_->game().id();
  file.metadata = {{"format", kBucketPolicyFormat},
                   {"game", id.family},
                   {"rules", id.rules},
                   {"algorithm", algorithm_},
                   {"iterations", std::to_string(iterations())},
                   {"seed", std::to_string(seed_)}};
  const std::vector<double> policy = average();
  std::vector<std::uint8_t> parts(policy.size());
  for (const PublicNode& node : tree_.nodes) {
    if (node.options == 0) continue;
    for (int bucket = 0; bucket < cards_->buckets(node.stage); ++bucket) {
      const auto first = static_cast<std::size_t>(node.base + std::int64_t{bucket} * node.options);
      quantise(std::span(policy).subspan(first, node.options), std::span(parts).subspan(first, node.options));
    }
  }
  file.tensors[kPolicy] = {{tree_.numbers}, std::move(parts)};
  file.tensors[kBuckets] = {{}, std::vector<std::int64_t>{buckets_}};
  return file;
}

AgentFactoryPtr make_bucket_agents(const Spec& spec, const TensorFile& file, const GamePtr& game) {
  agent_options(spec).finish();
  if (file.meta("format") != kBucketPolicyFormat)
    throw CheckpointError(
        fmt::format("{}: its format is '{}'; expected '{}'", file.name, file.meta("format"), kBucketPolicyFormat));
  if (file.meta("rules") != game->id().rules)
    throw CheckpointError(
        fmt::format("{}: it solves a game under other rules than those of '{}'", file.name, game->spec()));
  const std::int64_t buckets = file.get<std::int64_t>(kBuckets, {}).front();
  if (buckets < 1 || buckets > kMostBuckets)
    throw CheckpointError(fmt::format("{}: {} buckets; expected 1 to {}", file.name, buckets, kMostBuckets));
  auto player = std::make_shared<Player>(as_draw(game), static_cast<int>(buckets));
  player->parts = file.get<std::uint8_t>(kPolicy, {player->tree.numbers});
  for (const PublicNode& node : player->tree.nodes) {
    if (node.options == 0) continue;
    for (int bucket = 0; bucket < player->cards.buckets(node.stage); ++bucket) {
      const auto first =
          player->parts.begin() + static_cast<std::ptrdiff_t>(node.base + std::int64_t{bucket} * node.options);
      if (std::accumulate(first, first + node.options, 0) != kParts)
        throw CheckpointError(fmt::format("{}: its probabilities are no distribution", file.name));
    }
  }
  return make_factory(to_string(spec), [player] { return std::make_unique<BucketAgent>(player); });
}

}  // namespace dealer::abstraction
