#include "arena/analysis/playout_analyser.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "agents/search/playouts.h"
#include "arena/beliefs.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "env/games/poker/script.h"

namespace dealer::analysis {
namespace {

// The number of hidden hands dealt per hand played out.
constexpr int kHandsPerPlayout = 3;
// The maximum number of playouts per deal of hidden hands: more use several deals, so that memory stays bounded.
constexpr std::int64_t kMostPerDealing = 1000;
// Choices of the agent below this probability are not played out separately, unless one was chosen.
constexpr double kRare = 0.01;
// The maximum number of choices played out beside the chosen one, the most probable first.
constexpr std::size_t kMostOptions = 8;
// The agent's other choices are played out together, in proportion, if their total probability is at least this.
constexpr double kRest = 1e-4;
// The number of positions played out as one batch.
constexpr std::size_t kAtOnce = 64;

std::int64_t dealings_of(std::int64_t simulations) { return (simulations + kMostPerDealing - 1) / kMostPerDealing; }
int hands_of(std::int64_t simulations) {
  const std::int64_t dealings = dealings_of(simulations);
  return static_cast<int>((simulations + dealings - 1) / dealings) * kHandsPerPlayout;
}

// The possible states given the information of the seat; null with `why` if they cannot be determined.
const std::vector<Particle<poker::State>>* find(poker::Belief& belief, const poker::GameRules& rules,
                                                const Question& question, RandomStream& rng, std::string& why) {
  const poker::State now = poker::State::Sampler(rules, question.seen.data).draw(rng);
  const std::optional<poker::State> dealt = poker::first_decision(now);
  if (!dealt) {
    why = "the stock ran out and was reshuffled: beliefs about the opponents' hands do not survive a reshuffle";
    return nullptr;
  }
  belief.begin_hand(*dealt, question.seen.player);
  for (const PastDecision& past : question.before) belief.played({past.seat, past.drawing, past.decision});
  return &belief.find(now, rng);
}

const std::vector<Particle<small::State>>* find(small::Belief& belief, const small::Rules&, const Question& question,
                                                RandomStream&, std::string&) {
  belief.begin_hand(question.seen.player);
  for (const PastDecision& past : question.before)
    if (past.seat == question.seen.player) belief.decided(small::Belief::key(past.seen), past.decision.action);
  return &belief.find(small::Belief::key(question.seen.data));
}

template <class Belief>
class PlayoutAnalyser final : public Analyser {
 public:
  using S = typename Belief::State;

  template <class Game>
  PlayoutAnalyser(const std::shared_ptr<const Game>& game, const AgentFactory& agents, std::int64_t simulations)
      : game_(game),
        belief_(game, agents, hands_of(simulations)),
        playouts_(play_, belief_.evaluator(), 0),
        simulations_(simulations) {}

  Judgement judge(const Question& question, std::uint64_t seed) override {
    Judgement judgement;
    RandomStream rng(seed);
    choose_options(question, judgement);
    ChoiceMeans means = means_of(judgement);
    double earlier = 0;
    const std::int64_t dealings = dealings_of(simulations_);
    for (std::int64_t dealing = 0; dealing < dealings; ++dealing) {
      std::string why;
      const std::vector<Particle<S>>* range = find(belief_, game_->rules(), question, rng, why);
      if (range == nullptr) return unjudged(why);
      if (!belief_.agrees()) continue;
      earlier = range->front().state.return_of(question.seen.player);
      const std::int64_t playouts = simulations_ * (dealing + 1) / dealings - simulations_ * dealing / dealings;
      play(question, *range, at(playouts), rng, means);
    }
    if (means.cases() == 0)
      return unjudged("the opponents acted as the agent never would, so it cannot infer their cards");
    judgement.method = "playouts";
    judgement.best = judgement.agent;
    sum_up(means, earlier, judgement);
    settle(judgement, 0);
    return judgement;
  }

 private:
  // The positions of one hidden hand, or one position if all are enumerated, and the sum of results of each column.
  struct Case {
    double positions;
    std::vector<double> sum;
  };

  static Judgement unjudged(const std::string& why) {
    Judgement judgement;
    judgement.why = why;
    return judgement;
  }

  // The agent's probabilities, and the choices to be played out: the most probable first.
  void choose_options(const Question& question, Judgement& judgement) {
    std::vector<double> probability(at(game_->num_actions()));
    belief_.evaluator().evaluator().evaluate(std::span(&question.seen, 1), probability);
    const Decision& chosen = question.chosen.front();
    options_.clear();
    rest_.clear();
    std::vector<Choice> choices = question.choices;
    std::erase_if(choices, [](const Choice& choice) { return choice.action == kNoAction; });
    const auto chance = [&](Action action) { return probability[at(action)]; };
    std::stable_sort(choices.begin(), choices.end(),
                     [&](const Choice& a, const Choice& b) { return chance(a.action) > chance(b.action); });
    for (const Choice& choice : choices) {
      const double p = chance(choice.action);
      const bool is_chosen = Decision(choice.action) == chosen;
      if (!is_chosen && (p < kRare || options_.size() >= kMostOptions)) {
        if (p > 0) rest_.emplace_back(choice.action, p);
        continue;
      }
      if (is_chosen) judgement.chosen = options_.size();
      options_.emplace_back(choice.action);
      judgement.choices.push_back({choice.text, p, {}, 0});
    }
    if (chosen.is_amount()) {
      judgement.chosen = options_.size();
      options_.push_back(chosen);
      judgement.choices.push_back({question.choices.back().text + ' ' + std::to_string(chosen.amount), 0.0, {}, 0});
    }
    rest_sum_ = 0;
    for (const auto& [action, p] : rest_) rest_sum_ += p;
    if (rest_sum_ < kRest) rest_.clear();
    if (rest_.empty()) rest_sum_ = 0;
  }

  // The options, plus one column for all other choices if needed.
  std::size_t columns() const { return options_.size() + (rest_.empty() ? 0 : 1); }

  Action one_of_the_rest(RandomStream& rng) const {
    double point = static_cast<double>(rng.uniform()) * rest_sum_;
    for (const auto& [action, p] : rest_)
      if ((point -= p) < 0) return action;
    return rest_.back().first;
  }

  // The value of each option, then the advantage of the agent's choice and of its whole policy over the chosen one.
  ChoiceMeans means_of(const Judgement& judgement) const {
    std::vector<std::vector<double>> weights(options_.size() + 2, std::vector<double>(columns()));
    for (std::size_t o = 0; o < options_.size(); ++o) weights[o][o] = 1;
    std::vector<double>&difference = weights[options_.size()], &cost = weights[options_.size() + 1];
    difference[judgement.agent] += 1;
    difference[judgement.chosen] -= 1;
    double played = rest_sum_;
    for (const JudgedChoice& choice : judgement.choices) played += *choice.probability;
    for (std::size_t o = 0; o < options_.size(); ++o) cost[o] = *judgement.choices[o].probability / played;
    if (!rest_.empty()) cost.back() = rest_sum_ / played;
    cost[judgement.chosen] -= 1;
    return ChoiceMeans(std::move(weights));
  }

  void play(const Question& question, const std::vector<Particle<S>>& range, std::size_t playouts, RandomStream& rng,
            ChoiceMeans& means) {
    const std::vector<std::size_t> count = resample<S>(range, playouts, rng);
    const std::uint64_t seed = rng.bits64();
    const Seat me = question.seen.player;
    std::uint64_t number = 0;
    Case now{0, std::vector<double>(columns())};
    std::vector<bool> begins;  // of each waiting position: true if it is the first of its case
    states_.clear();
    streams_.clear();
    const auto close = [&] {
      if (now.positions > 0) means.add(now.positions, now.sum);
      now.positions = 0;
      std::fill(now.sum.begin(), now.sum.end(), 0);
    };
    const auto run = [&] {
      results_.resize(states_.size());
      playouts_.run(states_, streams_, me, results_);
      for (std::size_t i = 0; i < begins.size(); ++i) {
        if (begins[i]) close();
        now.positions += 1;
        for (std::size_t c = 0; c < columns(); ++c) now.sum[c] += results_[i * columns() + c];
      }
      states_.clear();
      streams_.clear();
      begins.clear();
    };
    const auto wait = [&](const S& state, const Decision& decision) {
      states_.push_back(state);
      streams_.emplace_back(seed, number);
      play_and_hold(states_.back(), decision);
    };
    for (std::size_t i = 0; i < range.size(); ++i)
      for (std::size_t copy = 0; copy < count[i]; ++copy) {
        begins.push_back(copy == 0 || Belief::kExact);
        for (const Decision& option : options_) wait(range[i].state, option);
        if (!rest_.empty()) {
          RandomStream which(derive(seed, 1), number);
          wait(range[i].state, one_of_the_rest(which));
        }
        ++number;
        if (begins.size() == kAtOnce) run();
      }
    if (!begins.empty()) run();
    close();
  }

  void sum_up(const ChoiceMeans& means, double earlier, Judgement& judgement) const {
    for (std::size_t o = 0; o < options_.size(); ++o) {
      const ChoiceMeans::Mean value = means.mean(o);
      judgement.choices[o].value = value.value - earlier;
      judgement.choices[o].error = value.error;
    }
    const ChoiceMeans::Mean difference = means.mean(options_.size()), cost = means.mean(options_.size() + 1);
    judgement.difference = difference.value;
    judgement.error = difference.error;
    judgement.cost = cost.value;
    judgement.cost_error = cost.error;
  }

  std::shared_ptr<const TypedGame<S>> game_;
  Belief belief_;
  RandomPlay<S> play_;
  AgentPlayouts<S, RandomPlay<S>> playouts_;
  std::int64_t simulations_;
  std::vector<Decision> options_;
  std::vector<std::pair<Action, double>> rest_;  // the agent's other choices, with their probabilities
  double rest_sum_ = 0;
  std::vector<S> states_;
  std::vector<RandomStream> streams_;
  std::vector<double> results_;
};

}  // namespace

bool has_playout_analyser(const Game& game) {
  return poker::as_poker(game) != nullptr || dynamic_cast<const small::Game*>(&game) != nullptr;
}

std::unique_ptr<Analyser> make_playout_analyser(const GamePtr& game, const AgentFactory& agents,
                                                std::int64_t simulations) {
  if (auto poker = std::dynamic_pointer_cast<const poker::Game>(game))
    return std::make_unique<PlayoutAnalyser<poker::Belief>>(poker, agents, simulations);
  if (auto small = std::dynamic_pointer_cast<const small::Game>(game))
    return std::make_unique<PlayoutAnalyser<small::Belief>>(small, agents, simulations);
  throw UsageError("'" + game->spec() + "' is not a betting game with beliefs about hidden hands");
}

}  // namespace dealer::analysis
