#include "arena/holdem_local_response.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "env/cards/shuffle.h"
#include "env/core/at.h"

namespace dealer::poker {
namespace {

using resolve::Hand;

// The number of sampled future boards if more than one card is to come.
constexpr int kBoards = 200;
constexpr std::size_t kBoardCards = 5, kCards = kBoardCards + 2;

// The amount each player has paid if the player to act calls: stacks are equal.
Chips paid_in_the_end(const State& state) { return std::max(state.bets().paid(0), state.bets().paid(1)); }

bool folded(const State& state) { return state.bets().live_count() == 1; }

}  // namespace

HoldemLocalResponse::HoldemLocalResponse(std::shared_ptr<const Game> game, const AgentFactory& against, int samples,
                                         LocalBets bets)
    : game_(std::move(game)),
      rules_(game_->rules()),
      bets_(std::move(bets)),
      samples_(at(samples)),
      agent_(game_, make_evaluator(against, *game_)) {}

void HoldemLocalResponse::begin_hand(const State& dealt, Seat me, RandomStream chance) {
  me_ = me;
  chance_ = chance;
  chance_term_ = 0;
  own_.assign(dealt.cards(me).begin(), dealt.cards(me).end());
  board_.clear();
  hands_ = resolve::hands_beside(rules_, own_);
  weights_.assign(hands_.size(), 1);
  find_edges(edges_.decision);
  find_edges(edges_.correction);
}

// Updates for new board cards, and subtracts their chance term.
void HoldemLocalResponse::see_board(const State& state) {
  const std::span<const CardId> board = state.board();
  if (board.size() == board_.size()) return;
  const double expected = mean(edges_.correction, weights_);
  board_.assign(board.begin(), board.end());
  std::size_t left = 0;
  for (std::size_t h = 0; h < hands_.size(); ++h) {
    const auto lies = [&](CardId card) { return std::find(board_.begin(), board_.end(), card) != board_.end(); };
    if (lies(hands_[h].cards[0]) || lies(hands_[h].cards[1])) continue;
    hands_[left] = hands_[h];
    weights_[left++] = weights_[h];
  }
  hands_.resize(left);
  weights_.resize(left);
  find_edges(edges_.decision);
  edges_.correction = edges_.decision;
  if (kBoardCards - board_.size() > 1) find_edges(edges_.correction);
  chance_term_ += static_cast<double>(paid_in_the_end(state)) * (mean(edges_.correction, weights_) - expected);
}

void HoldemLocalResponse::find_edges(std::vector<float>& edges) {
  CardSet seen;
  for (const CardId card : own_) seen.set(card);
  for (const CardId card : board_) seen.set(card);
  std::vector<CardId> left;
  for (const CardId card : std::span(rules_.new_deck).first(at(rules_.deck->cards_in_play())))
    if (!seen[card]) left.push_back(card);
  const std::size_t to_come = kBoardCards - board_.size();
  const bool all = to_come <= 1;
  const int boards = to_come == 0 ? 1 : all ? static_cast<int>(left.size()) : kBoards;

  edges.assign(hands_.size(), 0);
  std::vector<float> counted(hands_.size());
  std::vector<CardId> cards;
  std::vector<std::size_t> beside;  // number of hands that share no card with the board
  std::vector<HandValue> values;
  for (int b = 0; b < boards; ++b) {
    if (all && to_come == 1) std::swap(left[0], left[at(b)]);
    if (!all) shuffle_first(std::span(left), to_come, chance_);
    CardSet comes;
    for (std::size_t c = 0; c < to_come; ++c) comes.set(left[c]);
    cards.clear();
    beside.clear();
    const auto add = [&](std::span<const CardId> hole) {
      cards.insert(cards.end(), board_.begin(), board_.end());
      cards.insert(cards.end(), left.begin(), left.begin() + static_cast<std::ptrdiff_t>(to_come));
      cards.insert(cards.end(), hole.begin(), hole.end());
    };
    add(own_);
    for (std::size_t h = 0; h < hands_.size(); ++h) {
      if (comes[hands_[h].cards[0]] || comes[hands_[h].cards[1]]) continue;
      add(hands_[h].cards);
      beside.push_back(h);
    }
    values.resize(beside.size() + 1);
    rules_.high->compiled().evaluate_hands(kCards, cards, values);
    for (std::size_t i = 0; i < beside.size(); ++i) {
      const HandValue other = values[i + 1];
      edges[beside[i]] += values[0] > other ? 1.0F : values[0] < other ? -1.0F : 0.0F;
      counted[beside[i]] += 1;
    }
  }
  for (std::size_t h = 0; h < hands_.size(); ++h)
    if (counted[h] > 0) edges[h] /= counted[h];
}

double HoldemLocalResponse::mean(const std::vector<float>& edges, std::span<const double> weights) const {
  double sum = 0, all = 0;
  for (std::size_t h = 0; h < edges.size(); ++h) {
    sum += weights[h] * static_cast<double>(edges[h]);
    all += weights[h];
  }
  return sum / all;
}

double HoldemLocalResponse::played_down(const State& state, const std::vector<float>& edges,
                                        std::span<const double> weights) const {
  if (folded(state)) return state.return_of(me_);
  const Chips paid = paid_in_the_end(state), own = state.bets().paid(me_);
  const double calls = static_cast<double>(paid) * mean(edges, weights);
  const bool may_fold = paid > own && state.street() >= bets_.from;
  return may_fold ? std::max(calls, -static_cast<double>(own)) : calls;
}

void HoldemLocalResponse::played(const State& before, const Decision& decision) {
  see_board(before);
  if (before.current_player() == me_) return;
  if (const Action action = action_of(before, decision); action != kNoAction) learn(before, action);
}

// Updates the range by the agent's action, and subtracts the action's chance term.
void HoldemLocalResponse::learn(const State& before, Action action) {
  agent_.ask(before, hands_);
  double expected = 0, all = 0, came = 0;
  std::vector<double> taken, weights(hands_.size());
  for (LegalMask rest = before.legal_mask(); rest != 0; rest &= rest - 1) {
    const Action each = std::countr_zero(rest);
    double sum = 0;
    for (std::size_t h = 0; h < hands_.size(); ++h) sum += weights[h] = weights_[h] * agent_.policy(h)[at(each)];
    if (each == action) taken = weights;
    if (sum <= 0) continue;
    State after = before;
    after.apply_and_hold(each);
    // The cards of the next street are considered when they are seen.
    const double value = played_down(after, edges_.decision, weights);
    expected += sum * value;
    all += sum;
    if (each == action) came = value;
  }
  // An agent that did something with probability 0 may have any hand.
  if (std::accumulate(taken.begin(), taken.end(), 0.0) <= 0) return;
  chance_term_ += came - expected / all;
  weights_ = std::move(taken);
  const double most = *std::max_element(weights_.begin(), weights_.end());
  for (double& weight : weights_) weight /= most;
}

double HoldemLocalResponse::won(const State& end) {
  // Boards after the last decision are all considered together.
  return played_down(end, edges_.correction, weights_) - chance_term_;
}

// Systematic sampling: a hand is chosen in proportion to its weight, rounded up or down.
void HoldemLocalResponse::choose_hands(RandomStream& rng) {
  chosen_ = hands_;
  chosen_weights_ = weights_;
  chosen_edges_ = edges_.decision;
  if (hands_.size() <= samples_) return;
  const double step = std::accumulate(weights_.begin(), weights_.end(), 0.0) / static_cast<double>(samples_);
  double point = step * static_cast<double>(rng.uniform()), sum = 0;
  std::size_t count = 0;
  for (std::size_t h = 0; h < hands_.size(); ++h) {
    sum += weights_[h];
    double weight = 0;
    for (; point < sum; point += step) weight += 1;
    if (weight == 0) continue;
    chosen_[count] = hands_[h];
    chosen_weights_[count] = weight;
    chosen_edges_[count++] = edges_.decision[h];
  }
  chosen_.resize(count);
  chosen_weights_.resize(count);
  chosen_edges_.resize(count);
}

Decision HoldemLocalResponse::decide(const State& now, RandomStream rng) {
  see_board(now);
  if (now.street() < bets_.from) return kLocalCall;
  choose_hands(rng);
  const double all = std::accumulate(chosen_weights_.begin(), chosen_weights_.end(), 0.0);
  const auto own = static_cast<double>(now.bets().paid(me_)), paid = static_cast<double>(paid_in_the_end(now));
  Decision best = kLocalCall;
  double most = all * paid * mean(chosen_edges_, chosen_weights_);
  const auto consider = [&](const Decision& decision, double value) {
    if (value <= most) return;
    best = decision;
    most = value;
  };
  const LegalMask legal = now.legal_mask();
  if ((legal >> kLocalFold & 1) != 0) consider(kLocalFold, -all * own);
  const auto consider_bet = [&](const Decision& bet) {
    State after = now;
    play_and_hold(after, bet);
    agent_.ask(after, chosen_);
    const auto won = static_cast<double>(after.bets().paid(1 - me_)),
               stake = static_cast<double>(paid_in_the_end(after));
    double value = 0;
    for (std::size_t h = 0; h < chosen_.size(); ++h) {
      const double folds = agent_.policy(h)[kFold];
      value += chosen_weights_[h] * (folds * won + (1 - folds) * stake * static_cast<double>(chosen_edges_[h]));
    }
    consider(bet, value);
  };
  for (LegalMask rest = legal >> kLocalFirstBet << kLocalFirstBet; rest != 0; rest &= rest - 1)
    consider_bet(Action{std::countr_zero(rest)});
  for (const Amount total : amounts_to_bet(now, bets_.sizes)) consider_bet(Decision::bet_to(total));
  return best;
}

}  // namespace dealer::poker
