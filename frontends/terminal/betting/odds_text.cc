#include "frontends/terminal/betting/odds_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "agents/poker/showdown_equity.h"
#include "env/games/poker/game.h"
#include "env/games/small/game.h"
#include "env/hands/ranking.h"
#include "frontends/terminal/screen_text.h"

namespace dealer::terminal {
namespace {

constexpr std::uint64_t kSeed = 0x0dd5;
constexpr int kShareSamples = 20'000;
constexpr int kDiscardSamples = 2'000;
constexpr int kShowdowns = 2'000;
constexpr std::size_t kDiscardsShown = 4;
constexpr double kWorthShowing = 0.005;  // threshold for the probability of a final hand

// Equity needed for a call, rounded up.
std::string percent_up(double share) { return fmt::format("{:.4g}%", std::ceil(1000 * share - 1e-9) / 10); }

class PokerOdds {
 public:
  explicit PokerOdds(const poker::GameRules& rules) : rules_(rules), odds_(rules) {}

  std::string text(const Env& env) const {
    RandomStream rng(kSeed);
    const poker::View view = poker::State::decode(rules_, env.observe(env.current_player()).data);
    if (view.drawing) return discards_text(view, rng);
    std::string text = fmt::format("your equity is {} of the pot if all players stay in",
                                   percent(odds_.equity(view, kShareSamples, rng)));
    const std::vector<Choice> choices = env.choices();
    const bool calls = std::any_of(choices.begin(), choices.end(), [](const Choice& c) { return c.kind == "call"; });
    if (calls)
      text += fmt::format("; calling {} needs {}", view.to_call, percent_up(poker::ShowdownOdds::needed(view)));
    return text + '\n';
  }

 private:
  std::string discards_text(const poker::View& view, RandomStream& rng) const {
    std::string text;
    std::size_t shown = 0;
    for (const poker::DiscardOdds& discard : odds_.discards(view, kDiscardSamples, rng))
      if (shown++ < kDiscardsShown || discard.cards.empty()) text += discard_text(discard);
    return text;
  }

  // "discard 4c 2c: 41% of the pot; no hand 55%, one pair 40%, two pair 5%"
  std::string discard_text(const poker::DiscardOdds& discard) const {
    std::string text = discard.cards.empty() ? "stand pat" : "discard " + rules_.deck->to_string(discard.cards);
    text += fmt::format(": {} of the pot;", percent(discard.share));
    std::vector<std::pair<int, double>> often(discard.becomes.begin(), discard.becomes.end());
    std::stable_sort(often.begin(), often.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    for (const auto& [category, share] : often) {
      if (share < kWorthShowing) continue;
      text += fmt::format("{} {} {}", text.ends_with(';') ? "" : ",",
                          rules_.high->ranking().categories()[static_cast<std::size_t>(category)].name, percent(share));
    }
    return text + '\n';
  }

  const poker::GameRules& rules_;
  poker::ShowdownOdds odds_;
};

Action passive(const Env& env) {
  for (const Choice& choice : env.choices())
    if (choice.kind == "check" || choice.kind == "call" || choice.kind == "keep") return choice.action;
  return env.legal_actions().front();
}

// Equity if every player checks, calls and keeps its cards after the given first decision, if any. The game is played
// to the end from sampled states that agree with the player's observation.
double sampled_share(const Env& env, std::optional<Action> first) {
  const Seat me = env.current_player();
  const std::unique_ptr<StateSampler> sampler = env.game().new_sampler(env.observe(me));
  const std::unique_ptr<Env> played = env.game().new_env({.hold_hands = true});
  double sum = 0;
  for (int n = 0; n < kShowdowns; ++n) {
    sampler->draw(*played, derive(kSeed, static_cast<std::uint64_t>(n)));
    if (first) played->step(*first);
    while (!played->hand_over()) played->step(passive(*played));
    double won = 0, pot = 0;
    for (const Event& event : played->events(me)) {
      if (event.kind != Event::Kind::kWon) continue;
      pot += event.amount;
      if (event.seat == me) won += event.amount;
    }
    sum += won / pot;
  }
  return sum / kShowdowns;
}

std::string small_text(const Env& env) {
  const std::vector<Choice> choices = env.choices();
  const bool drawing = std::any_of(choices.begin(), choices.end(), [](const Choice& c) { return !c.cards.empty(); });
  if (!drawing)
    return fmt::format("your equity is {} of the pot if all players stay in\n", percent(sampled_share(env, {})));
  std::string text;
  for (const Choice& choice : choices)
    text += fmt::format("{}: {} of the pot\n", choice.text, percent(sampled_share(env, choice.action)));
  return text;
}

}  // namespace

OddsText make_odds_text(const Game& game) {
  if (const poker::Game* const betting = poker::as_poker(game))
    return [odds = std::make_shared<const PokerOdds>(betting->rules())](const Env& env) { return odds->text(env); };
  if (small::as_small(game) != nullptr) return small_text;
  return [](const Env&) { return std::string(); };
}

}  // namespace dealer::terminal
