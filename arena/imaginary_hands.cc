#include "arena/imaginary_hands.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "agents/agent_error.h"
#include "env/cards/card_map.h"
#include "env/cards/shuffle.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/typed_env.h"

namespace dealer {
namespace {

// The number of runouts of an unfinished board: for the one that came, and for each of the others.
constexpr int kOften = 48, kSeldom = 4;
constexpr std::size_t kBoard = poker::kMaxBoard;

std::shared_ptr<const poker::Game> holdem_for_two(const GamePtr& game) {
  auto poker = std::dynamic_pointer_cast<const poker::Game>(game);
  const auto refuse = [&](std::string_view why) {
    throw UsageError(fmt::format("imaginary hands are drawn in heads-up hold'em, not in '{}': {}", game->spec(), why));
  };
  if (!poker || poker->rules().procedure != poker::Procedure::kHoldem) refuse("it is not hold'em");
  const poker::GameRules& rules = poker->rules();
  if (rules.players != 2) refuse(fmt::format("{} players", rules.players));
  if (!rules.fresh_stacks()) refuse("an episode has several hands");
  if (rules.low) refuse("the pot is split between high and low");
  if (rules.hand_cards != 2) refuse("a hand has more than two cards");
  if (!rules.transparent.empty() || rules.random_mix()) refuse("cards can be seen through");
  return poker;
}

bool has(std::span<const CardId> cards, CardId card) {
  return std::find(cards.begin(), cards.end(), card) != cards.end();
}

bool clash(const std::array<CardId, 2>& a, const std::array<CardId, 2>& b) { return has(a, b[0]) || has(a, b[1]); }

std::array<CardId, 2> sorted(CardId a, CardId b) { return {std::min(a, b), std::max(a, b)}; }

}  // namespace

ImaginaryHands::ImaginaryHands(const GamePtr& game, std::span<const AgentFactoryPtr> agents, int hands, int deals)
    : game_(holdem_for_two(game)),
      makers_(agents.begin(), agents.end()),
      hands_(at(hands)),
      deals_(deals),
      in_play_(game_->rules().new_deck.begin(),
               game_->rules().new_deck.begin() + game_->rules().deck->cards_in_play()) {
  for (const AgentFactoryPtr& maker : makers_) {
    expect_there(*maker);
    Agent& agent = *agents_.emplace_back(maker->make());
    if (agent.observes())
      throw UsageError(fmt::format(
          "agent '{}' observes the events of its table, so it cannot be asked how it would play imaginary hands",
          maker->spec()));
    evaluators_.push_back(attributes_of(*maker, *game_).policy
                              ? std::make_unique<StateEvaluator<State>>(make_evaluator(*maker, *game_), *game_)
                              : nullptr);
  }
}

HandCorrection ImaginaryHands::measure(const Hand& hand) {
  follow(hand);
  RandomStream rng(hand.seed);
  for (const Seat seat : {0, 1}) {
    draw_hands(seat, rng);
    weigh(hand, seat);
    std::erase_if(range_[at(seat)], [](const HeldHand& each) { return each.weight <= 0; });
  }
  weigh_pairs();
  HandCorrection correction;
  if (end_.bets().live_count() == 2) {
    const double paid = std::min(end_.bets().paid(0), end_.bets().paid(1));
    here_.clear(pair_.size());
    show(end_.board(), here_);
    double mean = 0;
    for (std::size_t pair = 0; pair < pair_.size(); ++pair) mean += pair_[pair] * here_.sum[pair];
    correction.hands = in_units(end_.return_of(0) - paid * mean);
  }
  for (const Board& board : boards_) {
    const Correction of_cards = in_units(correction_of(board, rng));
    (board.last ? correction.hands : correction.cards[board.street]) += of_cards;
  }
  return correction;
}

// The decisions are known; this records which board cards came when.
void ImaginaryHands::follow(const Hand& hand) {
  dealt_ = dynamic_cast<const TypedEnv<State>&>(hand.dealt).state();
  end_ = dealt_;
  boards_.clear();
  std::size_t street = 0;
  for (const PlayedDecision& played : hand.decisions) {
    const std::size_t from = end_.board().size();
    play_and_hold(end_, played.decision);
    const std::size_t to = end_.board().size();
    if (to == from) continue;
    const double paid = std::min(end_.bets().paid(0), end_.bets().paid(1));
    boards_.push_back({from, to, street, end_.hand_over(), paid});
    street = std::min(street + 1, HandCorrection::kStreets - 1);
  }
}

// Samples alternatives from the cards that are not on the board, excluding the hand held.
void ImaginaryHands::draw_hands(Seat seat, RandomStream& rng) {
  Range& range = range_[at(seat)];
  const TwoCards held = sorted(dealt_.cards(seat)[0], dealt_.cards(seat)[1]);
  const auto board = end_.board();
  std::vector<TwoCards> all;
  for (const CardId high : in_play_)
    for (const CardId low : in_play_)
      if (low < high && sorted(low, high) != held && !has(board, low) && !has(board, high)) all.push_back({low, high});
  range.assign(1, {held});
  for (std::size_t i = 0; i < all.size() && i < hands_; ++i) {
    std::swap(all[i], all[i + rng.below(static_cast<std::uint32_t>(all.size() - i))]);
    range.push_back({all[i]});
  }
}

void ImaginaryHands::weigh(const Hand& hand, Seat seat) {
  Range& range = range_[at(seat)];
  const auto agent = static_cast<std::size_t>(hand.agent_of_seat[at(seat)]);
  states_.clear();
  for (const HeldHand& each : range) {
    CardMap by = same_cards();
    for (std::size_t i = 0; i < 2; ++i) exchange(by, by[range[0].cards[i]], each.cards[i]);
    states_.push_back(dealt_);
    states_.back().exchange_cards(by);
  }
  if (evaluators_[agent])
    ask_evaluator(hand, seat, *evaluators_[agent]);
  else
    ask_agent(hand, seat, *agents_[agent]);
}

void ImaginaryHands::ask_evaluator(const Hand& hand, Seat seat, StateEvaluator<State>& evaluator) {
  Range& range = range_[at(seat)];
  for (const PlayedDecision& played : hand.decisions) {
    if (played.seat == seat) {
      ask_policies(evaluator, states_);
      const Action action = poker::action_of(states_[0], played.decision);
      if (action == kNoAction) deviates(hand, seat);
      for (std::size_t i = 0; i < states_.size(); ++i) range[i].weight *= evaluator.policy(i)[at(action)];
    }
    for (State& state : states_) play_and_hold(state, played.decision);
  }
  if (range[0].weight <= 0) deviates(hand, seat);
}

void ImaginaryHands::ask_agent(const Hand& hand, Seat seat, Agent& agent) {
  Range& range = range_[at(seat)];
  const auto width = static_cast<std::size_t>(game_->observation_spec().size());
  Observation seen;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    agent.reset(seat, hand.agent_seeds[at(seat)]);
    for (const PlayedDecision& played : hand.decisions) {
      if (played.seat == seat) {
        observe_turn(states_[i], width, seen);
        if (agent.act(seen) != played.decision) {
          range[i].weight = 0;
          break;
        }
      }
      play_and_hold(states_[i], played.decision);
    }
  }
  if (range[0].weight <= 0) deviates(hand, seat);
}

void ImaginaryHands::weigh_pairs() {
  pair_.clear();
  double sum = 0;
  for (std::size_t i = 0; i < range_[0].size(); ++i) {
    for (std::size_t j = 0; j < range_[1].size(); ++j) {
      const double both = range_[0][i].weight * range_[1][j].weight;
      pair_.push_back(clash(range_[0][i].cards, range_[1][j].cards) ? 0 : both);
      sum += pair_.back();
    }
  }
  for (double& each : pair_) each /= sum;
}

// Adds the showdowns of pairs of hands compatible with the board.
void ImaginaryHands::show(std::span<const CardId> board, Showdowns& shown) {
  constexpr HandValue kImpossible = std::numeric_limits<HandValue>::max();
  const Evaluator& evaluator = game_->rules().high->compiled();
  std::array<CardId, kBoard + 2> cards{};
  std::copy(board.begin(), board.end(), cards.begin());
  values_.clear();
  for (const Range& range : range_) {
    for (const auto& [hand, weight] : range) {
      std::copy(hand.begin(), hand.end(), cards.end() - 2);
      const bool possible = !has(board, hand[0]) && !has(board, hand[1]);
      values_.push_back(possible ? evaluator.evaluate(cards) : kImpossible);
    }
  }
  const std::size_t first = range_[0].size(), second = range_[1].size();
  for (std::size_t i = 0; i < first; ++i) {
    if (values_[i] == kImpossible) continue;
    for (std::size_t j = 0; j < second; ++j) {
      const HandValue theirs = values_[first + j];
      if (theirs == kImpossible) continue;
      const std::size_t pair = i * second + j;
      shown.sum[pair] += values_[i] > theirs ? 1 : values_[i] < theirs ? -1 : 0;
      shown.count[pair] += 1;
    }
  }
}

// Fills a board that is known up to `from` with random cards up to `to`.
void ImaginaryHands::deal_more(std::span<CardId> board, std::size_t from, std::size_t to, RandomStream& rng) {
  const std::span<const CardId> known = board.first(from);
  pool_.clear();
  for (const CardId card : in_play_)
    if (!has(known, card)) pool_.push_back(card);
  shuffle_first(std::span(pool_), to - from, rng);
  std::copy_n(pool_.begin(), to - from, board.begin() + static_cast<std::ptrdiff_t>(from));
}

// Samples boards that begin with `begun`.
void ImaginaryHands::run_out(std::span<const CardId> begun, int boards, RandomStream& rng, Showdowns& shown) {
  std::array<CardId, kBoard> board{};
  std::copy(begun.begin(), begun.end(), board.begin());
  for (int i = 0; i < boards; ++i) {
    deal_more(board, begun.size(), kBoard, rng);
    show(board, shown);
  }
}

double ImaginaryHands::correction_of(const Board& board, RandomStream& rng) {
  here_.clear(pair_.size());
  others_.clear(pair_.size());
  std::array<CardId, kBoard> other{};
  const auto came = end_.board();
  std::copy(came.begin(), came.end(), other.begin());
  if (board.to == kBoard)
    show(came, here_);
  else
    run_out(came.first(board.to), kOften, rng, here_);
  if (board.to == kBoard) {
    run_out(came.first(board.from), deals_ * (board.last ? kSeldom : 1), rng, others_);
  } else {
    for (int deal = 0; deal < deals_; ++deal) {
      deal_more(other, board.from, board.to, rng);
      run_out(std::span(other).first(board.to), kSeldom, rng, others_);
    }
  }
  double correction = 0;
  for (std::size_t pair = 0; pair < pair_.size(); ++pair)
    if (here_.count[pair] > 0 && others_.count[pair] > 0)
      correction += pair_[pair] * (here_.sum[pair] / here_.count[pair] - others_.sum[pair] / others_.count[pair]);
  return correction * board.paid;
}

void ImaginaryHands::deviates(const Hand& hand, Seat seat) const {
  const std::string& spec = makers_[static_cast<std::size_t>(hand.agent_of_seat[at(seat)])]->spec();
  throw AgentFailure(fmt::format("agent '{}' did not repeat its decision, so imaginary hands cannot be weighted by its "
                                 "policy; expected an agent that is deterministic given its observation and seed",
                                 spec),
                     spec);
}

}  // namespace dealer
