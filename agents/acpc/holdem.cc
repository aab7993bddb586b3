#include "agents/acpc/holdem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <vector>

#include "env/core/at.h"
#include "env/core/error.h"
#include "env/games/poker/script.h"

namespace dealer::acpc {
namespace {

using poker::Chips;
using poker::Script;

constexpr int kRounds = 4;
constexpr CardId kStandardCards = 52;
// The maximum number of raises in the fixed limit of the competitions: a bet and three raises.
constexpr int kRaises = 3;

// The maximum number of bets and raises that a server allows in a round, not counting the big blind.
int most_raises_in(const betting::BetRules& bets, int round) {
  return (bets.raises_per_round == betting::kNoCap ? kRaises : bets.raises_per_round) + (round == 0 ? 0 : 1);
}

// The reason why ACPC servers cannot play the game; empty if they can.
std::string obstacle(const poker::GameRules& rules) {
  const betting::BetRules& bets = rules.bets;
  if (rules.procedure != poker::Procedure::kHoldem) return "procedure: holdem";
  if (!rules.fresh_stacks()) return "episode: hand, and no tournament";
  if (rules.deck->size() != kStandardCards || !rules.deck->begins_as_standard())
    return "deck: standard_52 without jokers";
  if (rules.high->ranking().name() != "high" || rules.low) return "ranking: high and no low half";
  if (bets.limit != betting::Limit::kNoLimit && bets.limit != betting::Limit::kStructured)
    return "limit: structured or no_limit";
  if (bets.small_blind == 0 || bets.big_blind == 0 || bets.ante != 0) return "two blinds and no ante";
  if (bets.limit == betting::Limit::kNoLimit && bets.size[0] != bets.big_blind) return "min_bet: the big blind";
  if (!bets.check_raise) return "check_raise: true";
  if (bets.limit == betting::Limit::kStructured) {
    // Servers ignore stacks in limit games.
    std::int64_t most = bets.big_blind;
    for (int round = 0; round < kRounds; ++round)
      most += std::int64_t{bets.size[at(round)]} * most_raises_in(bets, round);
    if (rules.stack < most) return fmt::format("stack: {} or more, so that nobody is all-in", most);
  }
  return {};
}

// Tracks whose turn it is in hold'em as servers play it, by position.
class Turns {
 public:
  explicit Turns(const poker::GameRules& rules) : rules_(rules) {
    const int small_blind = rules.players == 2 ? 1 : 0, big_blind = 1 - small_blind;
    spent_[at(small_blind)] = rules.bets.small_blind;
    spent_[at(big_blind)] = most_ = rules.bets.big_blind;
    next_ = (big_blind + 1) % rules.players;
    to_go_ = able();
  }

  void open(int round) {
    round_ = round;
    if (round == 0) return;
    before_ = spent_;
    next_ = 0;
    to_go_ = able();
  }
  // -1: the round is over.
  int next() const {
    for (int i = 0; i < rules_.players && to_go_ > 0; ++i)
      if (const int position = (next_ + i) % rules_.players; is_able(position)) return position;
    return -1;
  }
  Chips spent(int position) const { return spent_[at(position)]; }
  bool folded(int position) const { return folded_[at(position)]; }
  int live() const {
    return rules_.players - static_cast<int>(std::count(folded_.begin(), folded_.begin() + rules_.players, true));
  }

  // Applies the move of the next player.
  Script::Bet play(const Move& move, int& position) {
    position = live() > 1 ? next() : -1;
    if (position < 0) throw ParseError("an action when nobody has one");
    next_ = (position + 1) % rules_.players;
    --to_go_;
    Chips& spent = spent_[at(position)];
    if (move.kind == 'f') {
      folded_[at(position)] = true;
      return {poker::kFold, 0};
    }
    if (move.kind == 'c') {
      spent = std::min(most_, rules_.stack);
      return {poker::kCall, 0};
    }
    const bool no_limit = rules_.bets.limit == betting::Limit::kNoLimit;
    if (no_limit != (move.total > 0))
      throw ParseError(no_limit ? "a raise without its size" : "a raise with a size, in limit");
    if (move.total > rules_.stack)
      throw ParseError(fmt::format("a raise to {} in all, more than the stack of {}", move.total, rules_.stack));
    most_ = spent = no_limit ? move.total : most_ + rules_.bets.size[at(round_)];
    to_go_ = able() - (is_able(position) ? 1 : 0);
    return {poker::kFirstBet, spent - (round_ == 0 ? 0 : before_[at(position)])};
  }

 private:
  bool is_able(int position) const { return !folded_[at(position)] && spent_[at(position)] < rules_.stack; }
  int able() const {
    int count = 0;
    for (int position = 0; position < rules_.players; ++position) count += is_able(position) ? 1 : 0;
    return count;
  }

  const poker::GameRules& rules_;
  std::array<Chips, poker::kMaxSeats> spent_{}, before_{};
  std::array<bool, poker::kMaxSeats> folded_{};
  Chips most_ = 0;
  int round_ = 0, next_ = 0;
  int to_go_ = 0;  // players who have not acted since the last bet
};

// Applies all reported moves. Throws ParseError.
Turns turns_of(const poker::GameRules& rules, const MatchState& match_state) {
  if (match_state.rounds.size() > kRounds)
    throw ParseError(fmt::format("{} rounds of betting", match_state.rounds.size()));
  Turns turns(rules);
  int position = 0;
  for (std::size_t round = 0; round < match_state.rounds.size(); ++round) {
    turns.open(static_cast<int>(round));
    for (const Move& move : match_state.rounds[round]) turns.play(move, position);
  }
  return turns;
}

// The weakest two cards with this board, which lose against every winning hand.
std::vector<CardId> weakest(const poker::GameRules& rules, std::vector<CardId> board,
                            std::bitset<kStandardCards> known) {
  const Evaluator& evaluator = rules.high->compiled();
  std::vector<CardId> best;
  HandValue least = 0;
  board.resize(board.size() + 2);
  for (CardId a = 0; a < kStandardCards; ++a)
    for (CardId b = 0; b < a; ++b) {
      if (known[a] || known[b]) continue;
      board.end()[-2] = a;
      board.end()[-1] = b;
      const HandValue value = evaluator.evaluate(board);
      if (!best.empty() && value >= least) continue;
      least = value;
      best = {a, b};
    }
  return best;
}

}  // namespace

bool Holdem::is_holdem(const Game& game) {
  const poker::Game* const poker = poker::as_poker(game);
  return poker != nullptr && poker->rules().procedure == poker::Procedure::kHoldem;
}

Holdem::Holdem(GamePtr game) : game_(std::move(game)), poker_(poker::as_poker(*game_)) {
  const std::string needed = poker_ == nullptr ? "game: poker, procedure: holdem" : obstacle(rules());
  if (!needed.empty())
    throw UsageError(fmt::format("'{}' is not played on servers of the ACPC; they need {}", game_->spec(), needed));
}

void Holdem::check_for_bots() const {
  std::string needed;
  if (rules().bets.open_fold) needed = "open_fold=false";
  if (!no_limit() && rules().bets.raises_per_round == betting::kNoCap)
    needed += fmt::format("{}raises_per_round={}", needed.empty() ? "" : " and ", kRaises);
  if (!needed.empty())
    throw UsageError(
        fmt::format("'{}' has rules that bots of the ACPC cannot follow; they need {}", game_->spec(), needed));
}

int Holdem::most_raises(int round) const { return most_raises_in(rules().bets, round); }

std::string Holdem::definition() const {
  const int n = players();
  const betting::BetRules& bets = rules().bets;
  std::vector<Chips> blinds(at(n)), stacks(at(n), rules().stack), sizes(kRounds);
  blinds[n == 2 ? 1 : 0] = bets.small_blind;
  blinds[n == 2 ? 0 : 1] = bets.big_blind;
  std::vector<int> first(kRounds, 1), raises(kRounds);
  first[0] = n == 2 ? 2 : 2 % n + 1;
  for (int round = 0; round < kRounds; ++round) {
    sizes[at(round)] = bets.size[at(round)];
    raises[at(round)] = most_raises(round);
  }
  std::string text =
      fmt::format("GAMEDEF\n{}\nnumPlayers = {}\nnumRounds = {}\n", no_limit() ? "nolimit" : "limit", n, kRounds);
  if (no_limit()) text += fmt::format("stack = {}\n", fmt::join(stacks, " "));
  text += fmt::format("blind = {}\n", fmt::join(blinds, " "));
  if (!no_limit()) text += fmt::format("raiseSize = {}\n", fmt::join(sizes, " "));
  text += fmt::format("firstPlayer = {}\n", fmt::join(first, " "));
  if (!no_limit() || bets.raises_per_round != betting::kNoCap)
    text += fmt::format("maxRaises = {}\n", fmt::join(raises, " "));
  return text + "numSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND GAMEDEF\n";
}

int Holdem::to_act(const MatchState& match_state) const {
  const Turns turns = turns_of(rules(), match_state);
  return turns.live() == 1 ? -1 : turns.next();
}

std::vector<Amount> Holdem::net(const MatchState& match_state) const {
  const Turns turns = turns_of(rules(), match_state);
  std::vector<CardId> cards;
  for (const std::vector<CardId>& street : match_state.board) cards.insert(cards.end(), street.begin(), street.end());
  const std::size_t board = cards.size();
  std::vector<Amount> net(at(players()));
  std::vector<std::size_t> winners;
  HandValue best = 0;
  Chips pot = 0;
  for (int position = 0; position < players(); ++position) {
    net[at(position)] = -turns.spent(position);
    pot += turns.spent(position);
    if (turns.folded(position)) continue;
    const std::vector<CardId>& hole = match_state.hole[at(position)];
    HandValue value = 0;
    if (turns.live() > 1 && !hole.empty()) {
      cards.resize(board);
      cards.insert(cards.end(), hole.begin(), hole.end());
      value = rules().high->compiled().evaluate(cards) + 1;
    }
    if (value > best) winners.clear();
    best = std::max(best, value);
    if (value == best) winners.push_back(at(position));
  }
  // Stacks are equal, so there are no side pots. Odd chips go to the first winner to the left of the dealer.
  for (const std::size_t winner : winners) net[winner] += pot / static_cast<Chips>(winners.size());
  net[winners.front()] += pot % static_cast<Chips>(winners.size());
  return net;
}

poker::State Holdem::replay(const MatchState& match_state) const {
  const int n = players();
  if (match_state.hole.size() != at(n))
    throw ParseError(fmt::format("{} players; '{}' is a game of {}", match_state.hole.size(), game_->spec(), n));
  const bool over = to_act(match_state) < 0;
  Script script;
  script.dealer = n - 1;
  script.in = static_cast<poker::SeatSet>((1U << n) - 1);
  script.seed = match_state.hand;
  std::fill_n(script.chips.begin(), n, rules().stack);

  std::bitset<kStandardCards> known;
  std::vector<CardId> board;
  for (const auto* list : {&match_state.hole, &match_state.board})
    for (const std::vector<CardId>& cards : *list)
      for (const CardId card : cards) {
        known.set(card);
        if (list == &match_state.board) board.push_back(card);
      }
  for (int position = 0; position < n; ++position) {
    std::vector<CardId>& hole = script.player[at(position)].down[0];
    hole = match_state.hole[at(position)];
    // A player who did not show at the showdown has lost.
    if (hole.empty() && over && board.size() == poker::kMaxBoard) hole = weakest(rules(), board, known);
    for (CardId spare = 0; hole.size() < 2; ++spare)
      if (!known[spare]) hole.push_back(spare);
    for (const CardId card : hole) known.set(card);
  }
  for (std::size_t round = 0; round < match_state.board.size(); ++round)
    script.board[round + 1] = match_state.board[round];

  Turns turns(rules());
  for (std::size_t round = 0; round < match_state.rounds.size(); ++round) {
    turns.open(static_cast<int>(round));
    for (const Move& move : match_state.rounds[round]) {
      int position = 0;
      const Script::Bet bet = turns.play(move, position);
      script.player[at(position)].bets[round].push_back(bet);
    }
  }
  try {
    poker::State state = poker::play_script(rules(), script);
    if (at(state.street()) + 1 == match_state.rounds.size()) return state;
  } catch (const UsageError& error) {
    // The observation does not belong to this game.
    const std::string_view why = error.what();
    const std::size_t colon = why.find(": ");
    throw ParseError(fmt::format("'{}' cannot be played by the rules of '{}': {}", betting_text(match_state),
                                 game_->spec(), colon == std::string_view::npos ? why : why.substr(colon + 2)));
  }
  throw ParseError(fmt::format("'{}' cannot be played by the rules of '{}'", betting_text(match_state), game_->spec()));
}

Move Holdem::move_of(const Decision& decision, const poker::State& state) const {
  const Seat seat = state.current_player();
  const betting::Bets& bets = state.bets();
  if (!decision.is_amount() && decision.action == poker::kFold) return {bets.to_call() > 0 ? 'f' : 'c', 0};
  if (!decision.is_amount() && decision.action == poker::kCall) return {'c', 0};
  const Chips total = decision.is_amount() ? decision.amount : state.choice(decision.action).amount.low;
  if (no_limit()) return {'r', bets.paid(seat) - bets.bet(seat) + total};
  int raises = 0;
  for (const poker::PastAction& past : state.past_actions())
    if (past.round == bets.round() && past.action == poker::kFirstBet) ++raises;
  return {raises < most_raises(bets.round()) ? 'r' : 'c', 0};
}

}  // namespace dealer::acpc
