#include "arena/local_poker.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "env/cards/shuffle.h"
#include "env/core/error.h"

namespace dealer::poker {
namespace {

// The range is dealt again and again until it counts for this share of the samples, but not more often than kDeals.
constexpr double kEffective = 0.25;
constexpr int kDeals = 4;
// Hidden hands of less than this share of the mean weight are left out.
constexpr double kUnlikely = 1e-3;
// Ways to deal the cards to come, for every hidden hand.
constexpr int kCompletions = 8;
// Discards that come nearest to the best, of so many numbers of cards, if they lose no more than this share of hands.
constexpr std::size_t kThrows = 3;
constexpr float kThrowMargin = 0.12F;

void exchange_at_random(std::span<const CardId> from, std::span<CardId> to, std::span<CardId> by, RandomStream& rng) {
  shuffle_first(to, to.size(), rng);
  for (std::size_t i = 0; i < from.size(); ++i) by[from[i]] = to[i];
}

std::array<CardId, kMaxDeckCards> same_cards() {
  std::array<CardId, kMaxDeckCards> by;
  std::iota(by.begin(), by.end(), CardId{0});
  return by;
}

}  // namespace

LocalPlayer::LocalPlayer(std::shared_ptr<const Game> game, const AgentFactory& against, int samples)
    : game_(std::move(game)),
      rules_(game_->rules()),
      policies_(make_policies(against, *game_)),
      samples_(static_cast<std::size_t>(samples)) {
  if (rules_.draws == 0) return;
  const int most = rules_.players * kDrawHand * (1 + rules_.draws);
  if (most > rules_.deck->cards_in_play())
    throw UsageError(
        fmt::format("'{}' may run out of cards: {} are in play and {} may be dealt; a local best response "
                    "keeps no hands through reshuffles",
                    game_->spec(), rules_.deck->cards_in_play(), most));
  if (DrawMeans::bytes(rules_) > DrawMeans::kMostBytes)
    throw UsageError(
        fmt::format("'{}' has more hands of five cards than a local best response has tables for", game_->spec()));
  tables_ = shared_draw_tables(rules_);
}

void LocalPlayer::begin_hand(const State& dealt, Seat me) {
  dealt_ = dealt;
  me_ = me;
  course_.clear();
  range_.clear();
  in_play_.clear();
  if (!rules_.random_mix()) {
    in_play_.assign(rules_.new_deck.begin(), rules_.new_deck.begin() + rules_.deck->cards_in_play());
    return;
  }
  const std::vector<CardId> out = dealt.taken_out();
  for (int card = 0; card < rules_.deck->size(); ++card)
    if (std::find(out.begin(), out.end(), static_cast<CardId>(card)) == out.end())
      in_play_.push_back(static_cast<CardId>(card));
}

void LocalPlayer::played(const State& before, const Decision& decision) {
  course_.push_back({before.current_player(), before.drawing(), decision});
}

Decision LocalPlayer::decide(const State& now, RandomStream rng) {
  find_range(now, rng);
  completions_ = rng.bits64();
  return choose_locally(*this, range_, me_);
}

LocalPlayer::CardSet LocalPlayer::seen_cards(const State& now) const {
  const View view = now.view(me_);
  CardSet seen;
  for (const CardId card : view.board) seen.set(card);
  for (const View::Player& player : view.player) {
    for (const SeenCard& card : player.cards) seen.set(card.card);
    for (const std::vector<SeenCard>& gone : player.discarded)
      for (const SeenCard& card : gone) seen.set(card.card);
  }
  return seen;
}

// Goes on with the range of the last decision unless new cards have been seen since.
void LocalPlayer::find_range(const State& now, RandomStream& rng) {
  const CardSet seen = seen_cards(now);
  std::vector<Likely<State>> all;
  for (int deals = 0; deals < kDeals; ++deals) {
    const bool goes_on = deals == 0 && !range_.empty() && seen == seen_;
    if (!goes_on) deal(now, seen, rng);
    replay(now, goes_on ? played_ : 0, rng);
    all.insert(all.end(), range_.begin(), range_.end());
    double sum = 0, squares = 0;
    for (const Likely<State>& each : all) {
      sum += each.weight;
      squares += each.weight * each.weight;
    }
    if (sum * sum >= kEffective * static_cast<double>(samples_) * squares && sum > 0) break;
  }
  range_ = std::move(all);
  seen_ = seen;
  played_ = course_.size();
  drop_unlikely();
}

// Hidden hands at the beginning of the hand. Cards that were not seen become any others of them; those that the agent
// has held, which only opaque cards can be, opaque ones.
void LocalPlayer::deal(const State& now, const CardSet& seen, RandomStream& rng) {
  CardSet held;
  for (const CardId card : now.cards(other())) held.set(card);
  for (int draw = 0; draw < rules_.draws; ++draw)
    for (int i = 0; i < now.discard_count(draw, other()); ++i) held.set(now.discarded(draw, other(), i).card);
  std::vector<CardId> hidden, others, opaque, transparent, pool;
  for (const CardId card : in_play_) {
    if (seen[card]) continue;
    (held[card] ? hidden : others).push_back(card);
    (rules_.is_opaque(card) ? opaque : transparent).push_back(card);
  }
  std::array<CardId, kMaxDeckCards> by = same_cards();
  range_.clear();
  for (std::size_t i = 0; i < samples_; ++i) {
    shuffle_first(std::span(opaque), opaque.size(), rng);
    for (std::size_t h = 0; h < hidden.size(); ++h) by[hidden[h]] = opaque[h];
    pool.assign(opaque.begin() + static_cast<std::ptrdiff_t>(hidden.size()), opaque.end());
    pool.insert(pool.end(), transparent.begin(), transparent.end());
    exchange_at_random(others, pool, by, rng);
    range_.push_back({dealt_, 1});
    range_.back().state.exchange_cards(by);
  }
}

void LocalPlayer::replay(const State& now, std::size_t from, RandomStream& rng) {
  for (std::size_t i = from; i < course_.size(); ++i) {
    const Move& move = course_[i];
    if (move.seat == other() && move.drawing) {
      weigh_draw(now, rng);
      continue;
    }
    if (move.seat == other()) weigh_bet(move.decision);
    for (Likely<State>& each : range_) {
      if (move.decision.is_amount())
        each.state.bet_to_and_hold(move.decision.amount);
      else
        each.state.apply_and_hold(move.decision.action);
    }
  }
}

template <class StateOf>
std::span<const double> LocalPlayer::ask(std::size_t count, StateOf state_of) {
  if (questions_.size() < count) questions_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const State& state = state_of(i);
    Observation& question = questions_[i];
    question.player = state.current_player();
    question.data.resize(static_cast<std::size_t>(game_->observation_spec().size()));
    state.observe(question.player, question.data.data());
    question.legal_mask = state.legal_mask();
    question.amounts = state.amount_range();
  }
  answers_.resize(count * static_cast<std::size_t>(game_->num_actions()));
  policies_->ask(std::span(questions_).first(count), answers_);
  return answers_;
}

// Amounts that no action stands for have no probability: they tell nothing.
void LocalPlayer::weigh_bet(const Decision& decision) {
  Action action = decision.action;
  if (decision.is_amount()) {
    const State& state = range_.front().state;
    for (LegalMask bets = state.legal_mask() >> kFirstBet << kFirstBet; bets != 0; bets &= bets - 1)
      if (state.choice(std::countr_zero(bets)).amount.low == decision.amount) action = std::countr_zero(bets);
    if (action == kNoAction) return;
  }
  const auto actions = static_cast<std::size_t>(game_->num_actions());
  const std::span<const double> answers =
      ask(range_.size(), [&](std::size_t i) -> const State& { return range_[i].state; });
  for (std::size_t i = 0; i < range_.size(); ++i)
    range_[i].weight *= answers[i * actions + static_cast<std::size_t>(action)];
}

void LocalPlayer::weigh_draw(const State& now, RandomStream& rng) {
  const int draw = range_.front().state.street() - (rules_.streets - rules_.draws);
  const int count = now.discard_count(draw, other());
  CardSet gone;  // transparent ones
  for (int i = 0; i < count; ++i) {
    const CardId card = now.discarded(draw, other(), i).card;
    if (!rules_.is_opaque(card)) gone.set(card);
  }
  const auto actions = static_cast<std::size_t>(game_->num_actions());
  const std::span<const double> answers =
      ask(range_.size(), [&](std::size_t i) -> const State& { return range_[i].state; });
  for (std::size_t i = 0; i < range_.size(); ++i) {
    State& state = range_[i].state;
    const std::span<const CardId> hand = state.cards(other());
    const double* const chance = &answers[i * actions + static_cast<std::size_t>(rules_.first_discard())];
    std::array<double, kDiscardChoices> possible{};
    double sum = 0;
    unsigned chosen = 0;
    for (unsigned mask = 0; mask < kDiscardChoices; ++mask) {
      bool agrees = std::popcount(mask) == count;
      for (std::size_t c = 0; c < kDrawHand && agrees; ++c)
        agrees = rules_.is_opaque(hand[c]) || gone[hand[c]] == ((mask >> c & 1) != 0);
      if (!agrees) continue;
      possible[mask] = chance[mask];
      sum += chance[mask];
      chosen = mask;
    }
    double point = static_cast<double>(rng.uniform()) * sum;
    for (unsigned mask = 0; mask < kDiscardChoices && sum > 0; ++mask) {
      if (possible[mask] <= 0) continue;
      chosen = mask;
      point -= possible[mask];
      if (point < 0) break;
    }
    range_[i].weight *= sum;
    state.apply_and_hold(rules_.first_discard() + static_cast<Action>(chosen));
  }
}

// An agent that did what it never does may have anything.
void LocalPlayer::drop_unlikely() {
  double sum = 0;
  for (const Likely<State>& each : range_) sum += each.weight;
  if (!(sum > 0)) {
    for (Likely<State>& each : range_) each.weight = 1;
    return;
  }
  const double least = kUnlikely * sum / static_cast<double>(range_.size());
  std::erase_if(range_, [&](const Likely<State>& each) { return each.weight < least; });
}

std::vector<Action> LocalPlayer::throws(const State& state) const {
  if (!state.drawing()) return {};
  DrawMeans::Means means;
  const std::span<const CardId, kDrawHand> hand(state.cards(me_).data(), kDrawHand);
  tables_->get([&] { return DrawTables(rules_); }).means.find(hand, rules_.streets - state.street(), means);
  std::array<unsigned, kDrawHand + 1> best{};  // of every number of cards
  for (std::size_t count = 0; count <= kDrawHand; ++count) best[count] = (1U << count) - 1;
  for (unsigned mask = 0; mask < kDiscardChoices; ++mask) {
    unsigned& known = best[static_cast<std::size_t>(std::popcount(mask))];
    if (means[mask].share > means[known].share) known = mask;
  }
  std::sort(best.begin(), best.end(), [&](unsigned a, unsigned b) { return means[a].share > means[b].share; });
  std::vector<Action> actions;
  for (const unsigned mask : std::span(best).first(kThrows))
    if (means[mask].share >= means[best[0]].share - kThrowMargin)
      actions.push_back(rules_.first_discard() + static_cast<Action>(mask));
  return actions;
}

Action LocalPlayer::best_throw(const State& state) const { return throws(state).front(); }

std::vector<double> LocalPlayer::fold_chances(std::span<const Likely<State>> range) {
  const std::span<const double> answers =
      ask(range.size(), [&](std::size_t i) -> const State& { return range[i].state; });
  std::vector<double> chances;
  for (std::size_t i = 0; i < range.size(); ++i)
    chances.push_back(answers[i * static_cast<std::size_t>(game_->num_actions()) + kFold]);
  return chances;
}

void LocalPlayer::check_down(State& state) const {
  while (state.current_player() != kTerminal) {
    if (!state.drawing())
      state.apply_and_hold(kCall);
    else if (state.current_player() == me_)
      state.apply_and_hold(best_throw(state));
    else
      return;
  }
}

// The agent discards no more but by `discard`, if that is an action: the mean over cards to come.
double LocalPlayer::showdowns(const State& state, Action discard, RandomStream& rng) const {
  const bool to_come =
      discard != kNoAction || state.drawing() || (rules_.draws == 0 && state.street() + 1 < rules_.streets);
  if (state.hand_over() || !to_come) {
    State end = state;
    check_down(end);
    return end.return_of(me_);
  }
  CardSet lie = {};
  for (const CardId card : state.board()) lie.set(card);
  for (Seat seat = 0; seat < rules_.players; ++seat) {
    for (const CardId card : state.cards(seat)) lie.set(card);
    for (int draw = 0; draw < rules_.draws; ++draw)
      for (int i = 0; i < state.discard_count(draw, seat); ++i) lie.set(state.discarded(draw, seat, i).card);
  }
  std::vector<CardId> left;
  std::copy_if(in_play_.begin(), in_play_.end(), std::back_inserter(left), [&](CardId card) { return !lie[card]; });
  std::vector<CardId> pool = left;
  std::array<CardId, kMaxDeckCards> by = same_cards();
  double sum = 0;
  for (int i = 0; i < kCompletions; ++i) {
    State end = state;
    exchange_at_random(left, pool, by, rng);
    end.exchange_cards(by);
    if (discard != kNoAction) end.apply_and_hold(discard);
    check_down(end);
    sum += end.return_of(me_);
  }
  return sum / kCompletions;
}

double LocalPlayer::play_down(std::vector<Likely<State>> range) {
  double sum = 0;
  std::vector<Playing> playing;
  for (std::size_t i = 0; i < range.size(); ++i)
    if (range[i].weight > 0) playing.push_back({range[i].state, range[i].weight, RandomStream(completions_, i)});
  const auto done = [&](Playing& each, Action discard) {
    sum += each.weight * showdowns(each.state, discard, each.rng);
    each.weight = 0;
  };
  while (!playing.empty()) {
    for (Playing& each : playing) {
      if (rules_.draws == 0 || each.state.discard_count(rules_.draws - 1, other()) >= 0) {
        done(each, kNoAction);
        continue;
      }
      check_down(each.state);
      if (each.state.hand_over()) done(each, kNoAction);
    }
    std::erase_if(playing, [](const Playing& each) { return each.weight == 0; });
    if (playing.empty()) break;
    const auto actions = static_cast<std::size_t>(game_->num_actions());
    const std::span<const double> answers =
        ask(playing.size(), [&](std::size_t i) -> const State& { return playing[i].state; });
    for (std::size_t i = 0; i < playing.size(); ++i) {
      Playing& each = playing[i];
      const Action first = rules_.first_discard();
      const double* const chance = &answers[i * actions + static_cast<std::size_t>(first)];
      double point = each.rng.uniform();
      Action discard = first;
      for (Action mask = 0; mask < kDiscardChoices; ++mask) {
        if (chance[mask] <= 0) continue;
        discard = first + mask;
        point -= chance[mask];
        if (point < 0) break;
      }
      if (each.state.street() + 1 == rules_.streets)
        done(each, discard);
      else
        each.state.apply_and_hold(discard);
    }
    std::erase_if(playing, [](const Playing& each) { return each.weight == 0; });
  }
  return sum;
}

}  // namespace dealer::poker
