#include "agents/abstraction/tree_mccfr.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>

#include "env/cards/shuffle.h"
#include "env/core/error.h"
#include "env/games/small/game.h"

namespace dealer::abstraction {
namespace {

constexpr std::size_t kMostHistories = 1'000'000;

// All subsets of a given size.
std::vector<CardSet> subsets(CardSet cards, int count) {
  std::vector<CardSet> all = {0};
  for (int i = 0; i < count; ++i) {
    std::vector<CardSet> larger;
    for (const CardSet set : all)
      for_each(cards, [&](Card card) {
        if (bit(card) > set) larger.push_back(set | bit(card));
      });
    all.swap(larger);
  }
  return all;
}

struct History {
  int beaten;  // twice the number of hands that it beats, plus the number of ties
  CardSet dealt, discarded, hand;
};

// Accesses the states of small draw poker for PublicTreeBuilder.
struct MiniTable {
  int hand, discards;
  static int position(const small::State& state) { return state.current_player(); }
  static Seat seat_of(const small::State&, int position) { return position; }
  static bool drawing(const small::State& state) { return (state.legal_mask() >> small::kKeep) != 0; }
  void draw(small::State& state, int count) const {
    for (int card = 0; card < hand; ++card) state.apply(card < count ? small::kDiscard : small::kKeep);
  }
};

}  // namespace

MiniCards::MiniCards(const small::Rules& rules, int buckets) : rules_(rules) {
  const int hand = rules.options().hand;
  const std::vector<CardSet> hands = subsets(rules.deck(), hand);
  std::unordered_map<CardSet, int> beaten;
  for (const CardSet mine : hands) {
    int& count = beaten[mine];
    for (const CardSet other : hands) count += 1 + rules.winner(mine, other, 0);
  }
  std::array<std::vector<History>, 2> stage;
  for (const CardSet dealt : hands) {
    stage[0].push_back({beaten[dealt], dealt, 0, dealt});
    for (int option = 0; option < 1 << hand; ++option) {
      const CardSet gone = thrown(dealt, option);
      for (const CardSet come : subsets(rules.deck() & ~dealt, size(gone))) {
        const CardSet now = (dealt & ~gone) | come;
        stage[1].push_back({beaten[now], dealt, gone, now});
      }
      if (stage[1].size() > kMostHistories)
        throw UsageError(
            fmt::format("more than {} ways to be dealt and to draw; fewer cards have fewer", kMostHistories));
    }
  }
  for (std::size_t s = 0; s < stage.size(); ++s) {
    std::vector<History>& histories = stage[s];
    std::sort(histories.begin(), histories.end(), [](const History& a, const History& b) {
      return std::tie(a.beaten, a.dealt, a.discarded, a.hand) < std::tie(b.beaten, b.dealt, b.discarded, b.hand);
    });
    buckets_[s] = static_cast<int>(std::min<std::size_t>(histories.size(), at(buckets)));
    for (std::size_t i = 0; i < histories.size(); ++i) {
      const auto bucket = static_cast<int>(i * at(buckets_[s]) / histories.size());
      const History& history = histories[i];
      bucket_.emplace(key(history.dealt, history.discarded, history.hand, s == 1), bucket);
    }
  }
}

std::uint64_t MiniCards::key(CardSet dealt, CardSet discarded, CardSet hand, bool drawn) {
  return derive(derive(dealt, discarded), hand) + (drawn ? 1 : 0);
}

CardSet MiniCards::thrown(CardSet hand, int option) {
  CardSet gone = 0;
  for (int i = 0; hand != 0; ++i, hand &= hand - 1)
    if ((option >> i & 1) != 0) gone |= hand & (0 - hand);
  return gone;
}

void MiniCards::deal(Deal& deal, RandomStream& rng) const {
  const auto hand = at(rules_.options().hand);
  std::array<Card, 64> deck{};
  const auto cards = at(rules_.options().cards());
  for (std::size_t i = 0; i < cards; ++i) deck[i] = static_cast<Card>(i);
  const std::size_t most = std::min(cards, 4 * hand);
  draw_first(std::span(deck).first(cards), most, deal.deck.data(), rng);
  for (std::size_t p = 0; p < 2; ++p) {
    deal.dealt[p] = 0;
    for (std::size_t i = 0; i < hand; ++i) deal.dealt[p] |= bit(deal.deck[p * hand + i]);
    deal.hand[p] = deal.dealt[p];
    deal.discarded[p] = 0;
    deal.bucket[p] = first_bucket(deal.dealt[p]);
  }
  deal.next = static_cast<int>(2 * hand);
}

// If the stock runs out, the second player draws the first player's discards: in the order in which
// they were dealt, which is random.
void MiniCards::draw(Deal& deal, int position, int option) const {
  const auto mine = at(position);
  const CardSet gone = thrown(deal.dealt[mine], option);
  deal.discarded[mine] = gone;
  deal.hand[mine] &= ~gone;
  int wanted = size(gone);
  for (; wanted > 0 && deal.next < rules_.options().cards(); --wanted)
    deal.hand[mine] |= bit(deal.deck[at(deal.next++)]);
  for (std::size_t i = 0; wanted > 0; ++i) {
    if ((deal.discarded[0] & bit(deal.deck[i])) == 0) continue;
    deal.hand[mine] |= bit(deal.deck[i]);
    --wanted;
  }
  deal.bucket[mine] = second_bucket(deal.dealt[mine], gone, deal.hand[mine]);
}

PublicTree MiniCards::public_tree() const {
  std::vector<small::State> deals(8);
  for (std::size_t i = 0; i < deals.size(); ++i) deals[i].reset(rules_, i);
  const MiniTable table{rules_.options().hand, 1 << rules_.options().hand};
  PublicTree tree = PublicTreeBuilder<small::State, MiniTable>(table, deals).take();
  tree.lay_out(buckets_);
  return tree;
}

// The actions of a seat so far.
struct TreeMccfr::Seat {
  CardSet dealt = 0;
  int step = 0, option = 0;  // of its draw
  bool drawn = false;
};

TreeMccfr::TreeMccfr(const tabular::GameTree& tree, const BucketMccfrOptions& options,
                     const tabular::SolverOptions& common)
    : tree_(tree), places_(tree.sets().size()) {
  const small::Game* const game = small::as_small(tree.game(), small::Variant::kDraw);
  if (game == nullptr)
    throw UsageError(fmt::format("bucket_mccfr is for draw games; '{}' is none", tree.game().spec()));
  hand_ = game->rules().options().hand;
  cards_ = std::make_unique<MiniCards>(game->rules(), options.buckets);
  public_ = cards_->public_tree();
  solver_ = std::make_unique<Solver>(public_, ExternalSampling<MiniCards>(public_, *cards_), options, common.seed,
                                     common.threads);
  find_places(small::State::start(game->rules()), public_.nodes[0], {});
}

void TreeMccfr::find_places(const small::State& state, const PublicNode& node, std::array<Seat, 2> seats) {
  const dealer::Seat seat = state.current_player();
  if (seat == kTerminal) return;
  if (seat == kChance) {
    for (const ChanceOutcome& outcome : state.chance_outcomes()) {
      small::State next = state;
      next.apply(outcome.action);
      find_places(next, node, seats);
    }
    return;
  }
  for (dealer::Seat each = 0; each < 2; ++each)
    if (Seat& one = seats[at(each)]; one.dealt == 0) one.dealt = state.hand(each);
  Seat& mine = seats[at(seat)];
  const bool drawing = node.kind == PublicNode::Kind::kDraw;
  std::vector<float> seen(at(tree_.game().observation_spec().size()));
  state.observe(seat, seen.data());
  Place& place = places_[at(tree_.find(seat, seen))];
  const int bucket =
      mine.drawn ? cards_->second_bucket(mine.dealt, MiniCards::thrown(mine.dealt, mine.option), state.hand(seat))
                 : cards_->first_bucket(mine.dealt);
  place.first = node.base + std::int64_t{bucket} * node.options;
  place.step = drawing ? mine.step : -1;
  place.thrown = drawing ? mine.option : 0;
  int i = 0;
  for (LegalMask rest = state.legal_mask(); rest != 0; rest &= rest - 1, ++i) {
    const Action action = std::countr_zero(rest);
    small::State next = state;
    next.apply(action);
    if (!drawing) {
      find_places(next, public_.child(node, i), seats);
      continue;
    }
    std::array<Seat, 2> after = seats;
    Seat& me = after[at(seat)];
    if (action == small::kDiscard) me.option |= 1 << me.step;
    me.drawn = ++me.step == hand_;
    find_places(next, me.drawn ? public_.child(node, cards_->cards_of(me.option)) : node, after);
  }
}

tabular::Policy TreeMccfr::expanded(const std::vector<double>& policy) const {
  tabular::Policy all = uniform_policy(tree_);
  for (std::size_t s = 0; s < places_.size(); ++s) {
    const tabular::GameTree::InformationSet& set = tree_.sets()[s];
    const Place& place = places_[s];
    const double* const from = &policy[at(place.first)];
    double* const to = &all.probability[at(set.first)];
    if (place.step < 0) {
      std::copy_n(from, set.actions, to);
      continue;
    }
    // Decides card by card: all discards consistent with the decisions so far, split by whether they keep this card.
    std::array<double, 2> sum{};
    const int decided = (1 << place.step) - 1;
    for (int option = 0; option < 1 << hand_; ++option)
      if ((option & decided) == place.thrown) sum[at(option >> place.step & 1)] += from[option];
    if (sum[0] + sum[1] <= 0) continue;
    to[0] = sum[0] / (sum[0] + sum[1]);
    to[1] = sum[1] / (sum[0] + sum[1]);
  }
  return all;
}

}  // namespace dealer::abstraction
