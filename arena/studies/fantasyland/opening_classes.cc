#include "arena/studies/fantasyland/opening_classes.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <map>

#include "arena/studies/draw/kinds.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/student_t.h"
#include "env/core/typed_env.h"
#include "env/core/worker_pool.h"
#include "env/games/ofc/game.h"

namespace dealer::studies::fantasyland {
namespace {

constexpr std::string_view kThreeFlush = "three_flush", kThreeStraightFlush = "three_straight_flush";
constexpr int kDrawCards = 3;  // suited cards for more than a high-card hand
constexpr int kWindow = 5;     // ranks of a straight
constexpr int kAce = 12;

// The cards of the longest suit.
CardSet suited(const OpeningCards& cards) {
  CardSet most = 0;
  for (int suit = 0; suit < kSuits; ++suit)
    if (const CardSet of = set_of(cards) & suit_mask(suit); size(of) > size(most)) most = of;
  return most;
}

// True if the ranks of the cards fit into a straight; an ace is high or low.
bool fit_straight(CardSet cards) {
  unsigned ranks = 0;
  for_each(cards, [&](Card card) { ranks |= 1U << (rank_of(card) + 1) | (rank_of(card) == kAce ? 1U : 0U); });
  for (unsigned window = (1U << kWindow) - 1; window <= ranks * 2; window <<= 1)
    if (std::popcount(ranks & window) >= size(cards)) return true;
  return false;
}

// The classes of draw poker with an additional one: three suited cards.
const std::vector<Named>& classes() {
  static const std::vector<Named> kClasses = [] {
    std::vector<Named> all;
    for (const Named& kind : draw::high_kinds().openers) {
      if (kind.name == "straight_draw") {
        all.push_back({kThreeFlush, "three to a flush"});
        all.push_back({kThreeStraightFlush, "three to a straight flush"});
      }
      all.push_back(kind);
    }
    return all;
  }();
  return kClasses;
}

std::string_view name_of(const OpeningCards& cards) {
  poker::Five five;
  std::copy(cards.begin(), cards.end(), five.begin());
  std::sort(five.begin(), five.end());
  const std::string_view kind = draw::high_kinds().opener_of(five);
  const CardSet same_suit = suited(cards);
  if (!kind.ends_with("_high") || kind.starts_with("two_pair") || size(same_suit) != kDrawCards) return kind;
  return fit_straight(same_suit) ? kThreeStraightFlush : kThreeFlush;
}

// The cards whose rank occurs more than once; for two pair and full houses all of them.
CardSet paired(const OpeningCards& cards) {
  CardSet result = 0;
  for (const Card card : cards)
    for (const Card other : cards)
      if (card != other && rank_of(card) == rank_of(other)) result |= bit(card);
  return result;
}

// Four consecutive cards.
CardSet open_ended(const OpeningCards& cards) {
  for (std::size_t i = 0; i < cards.size(); ++i) {
    CardSet four = set_of(cards) & ~bit(cards[i]);
    if (const int low = rank_of(lowest(four)); fit_straight(four) && paired(cards) == 0)
      if (rank_of(static_cast<Card>(std::bit_width(four) - 1)) == low + 3) return four;
  }
  return set_of(cards);
}

// The openings of a class, with cumulative numbers of deals.
struct Members {
  std::vector<const Opening*> openings;
  std::vector<double> deals_before;
  double deals = 0;
};

// The openings that are evaluated, with their weights: all, or one from each of `most` parts with equally many deals,
// at random so that the order of the openings within a class does not matter.
std::vector<std::pair<const Opening*, double>> chosen(const Members& members, int most) {
  std::vector<std::pair<const Opening*, double>> all;
  if (members.openings.size() <= at(most)) {
    for (const Opening* opening : members.openings) all.emplace_back(opening, opening->deals);
    return all;
  }
  RandomStream random(0, static_cast<std::uint64_t>(members.openings.size()));
  for (int i = 0; i < most; ++i) {
    const double place = members.deals * (i + static_cast<double>(random.uniform())) / most;
    const auto next = std::upper_bound(members.deals_before.begin(), members.deals_before.end(), place);
    all.emplace_back(members.openings[at(next - members.deals_before.begin() - 1)], 1);
  }
  return all;
}

using Shape = std::array<int, dealer::ofc::kRows>;
constexpr int kDivided = dealer::ofc::kRows;

struct Rated {
  const Opening* opening;
  OpeningAdvice advice;
  Shape shape{};
  int key_row = kDivided;
};

OpeningClass summed(const std::vector<std::pair<const Opening*, double>>& openings,
                    std::span<const OpeningAdvice> advice) {
  OpeningClass result;
  std::vector<Rated> all;
  std::map<Shape, double> shapes;
  std::map<std::pair<Shape, int>, double> ways;
  double weights = 0;
  for (std::size_t i = 0; i < openings.size(); ++i) {
    const auto& [opening, weight] = openings[i];
    Rated rated{opening, advice[i]};
    const dealer::ofc::Board board = board_of(opening->cards, rated.advice.best);
    const CardSet key = key_cards(opening->cards);
    for (std::size_t row = 0; row < rated.shape.size(); ++row) {
      rated.shape[row] = size(board.row[row]);
      if ((board.row[row] & key) == key) rated.key_row = static_cast<int>(row);
    }
    (rated.key_row == kDivided ? result.key_divided : result.key_in[at(rated.key_row)]) += weight;
    shapes[rated.shape] += weight;
    ways[{rated.shape, rated.key_row}] += weight;
    result.value += weight * rated.advice.value;
    result.foul += weight * rated.advice.foul;
    result.fantasyland += weight * rated.advice.fantasyland;
    weights += weight;
    all.push_back(rated);
  }
  for (double* sum : {&result.value, &result.foul, &result.fantasyland, &result.key_divided}) *sum /= weights;
  for (double& share : result.key_in) share /= weights;
  for (const auto& [shape, weight] : shapes) result.shapes.push_back({shape, weight / weights});
  std::stable_sort(result.shapes.begin(), result.shapes.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  result.rated = static_cast<int>(all.size());
  double squares = 0;
  for (std::size_t i = 0; i < openings.size(); ++i)
    squares += std::pow(openings[i].second / weights * (advice[i].value - result.value), 2);
  result.value_ci95 = kNormal975 * std::sqrt(squares);
  const auto usual =
      std::max_element(ways.begin(), ways.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::erase_if(all, [&](const Rated& rated) { return std::pair(rated.shape, rated.key_row) != usual->first; });
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end(),
                   [](const Rated& a, const Rated& b) { return a.advice.value < b.advice.value; });
  result.example = middle->opening->cards;
  result.advice = middle->advice;
  return result;
}

}  // namespace

std::span<const Named> opening_classes() { return classes(); }

std::size_t opening_class_of(const OpeningCards& cards) {
  const std::string_view name = name_of(cards);
  return at(std::ranges::find(classes(), name, &Named::name) - classes().begin());
}

CardSet key_cards(const OpeningCards& cards) {
  const std::string_view name = name_of(cards);
  if (name == kThreeFlush || name == kThreeStraightFlush || name == "flush_draw") return suited(cards);
  if (name == "straight_draw") return open_ended(cards);
  if (name == "straight" || name == "flush") return set_of(cards);
  // A straight flush counts as a full house or better.
  if (const CardSet same_rank = paired(cards); same_rank != 0) return same_rank;
  return name == "full_house" ? set_of(cards) : bit(cards.front());
}

std::vector<OpeningClass> opening_chart(const std::function<RateOpening()>& make_rate, int most, int threads) {
  const std::vector<Opening> openings = all_openings();
  std::vector<Members> members(classes().size());
  for (const Opening& opening : openings) {
    Members& of = members[opening_class_of(opening.cards)];
    of.openings.push_back(&opening);
    of.deals_before.push_back(of.deals);
    of.deals += opening.deals;
  }
  std::vector<std::vector<std::pair<const Opening*, double>>> rated;
  std::vector<const Opening*> queue;
  for (const Members& of : members) {
    rated.push_back(chosen(of, most));
    for (const auto& [opening, weight] : rated.back()) queue.push_back(opening);
  }
  WorkerPool pool(thread_count(threads));
  std::vector<RateOpening> rates;
  rates.reserve(at(pool.size()));
  for (int i = 0; i < pool.size(); ++i) rates.push_back(make_rate());
  std::vector<OpeningAdvice> advice(queue.size());
  std::atomic<std::size_t> next = 0;
  pool.run([&](int worker) {
    for (std::size_t i = next++; i < queue.size(); i = next++) advice[i] = rates[at(worker)](queue[i]->cards);
  });
  std::vector<OpeningClass> chart;
  std::span<const OpeningAdvice> rest = advice;
  for (std::size_t i = 0; i < members.size(); ++i) {
    chart.push_back(summed(rated[i], rest.first(rated[i].size())));
    chart.back().share = members[i].deals / kOpeningDeals;
    rest = rest.subspan(rated[i].size());
  }
  return chart;
}

OpeningClass all_openings_of(std::span<const OpeningClass> chart) {
  OpeningClass all;
  double squares = 0;
  for (const OpeningClass& one : chart) {
    all.rated += one.rated;
    for (const auto figure :
         {&OpeningClass::value, &OpeningClass::foul, &OpeningClass::fantasyland, &OpeningClass::key_divided})
      all.*figure += one.share * (one.*figure);
    for (std::size_t row = 0; row < all.key_in.size(); ++row) all.key_in[row] += one.share * one.key_in[row];
    all.share += one.share;
    squares += std::pow(one.share * one.value_ci95, 2);
  }
  all.value_ci95 = std::sqrt(squares);
  return all;
}

OpeningPlayer::OpeningPlayer(const Game& game, const AgentFactory& agents, Opponents opponents)
    : first_turn_(first_turn(game, opponents)), table_(game.new_env({.hold_hands = true})) {
  for (Seat seat = 0; seat < game.players(); ++seat) agents_.push_back(agents.make());
  if (agents_.front()->observes())
    throw UsageError("the agent observes events, so it cannot be asked about openings that were not dealt");
}

OpeningAdvice OpeningPlayer::play(const OpeningCards& cards, std::uint64_t seed) {
  Env& table = *table_;
  // Other openings meet other cards: the deals of a mean over openings are independent.
  const std::uint64_t deal = derive(seed, set_of(cards));
  Observation seen = first_turn_;
  show_opening(table.game(), set_of(cards), seen);
  table.sample_state(seen, deal);
  const Seat seat = table.current_player();
  for (std::size_t s = 0; s < agents_.size(); ++s) agents_[s]->reset(static_cast<Seat>(s), deal);
  const auto play_hand = [&] {
    bool turn = true;
    OpeningAdvice advice;
    while (!table.hand_over()) {
      const Seat next = table.current_player();
      table.observe(next, seen);
      table.step(agents_[at(next)]->act(seen));
      const dealer::ofc::Board& board = dynamic_cast<const TypedEnv<dealer::ofc::State>&>(table).state().board(seat);
      if (turn && size(board.cards()) == kOpeningCards) advice.best = code_of(cards, board), turn = false;
    }
    return advice;
  };
  OpeningAdvice advice = play_hand();
  for (const Statistic& figure : table.statistics(seat)) {
    if (figure.name == std::string_view("foul_rate")) advice.foul = figure.numerator;
    if (figure.name == std::string_view("fantasyland_rate")) advice.fantasyland = figure.numerator;
  }
  while (!table.terminated()) {
    table.next_hand();
    play_hand();
  }
  advice.value = table.returns()[at(seat)];
  return advice;
}

OpeningAdvice OpeningPlayer::mean(const OpeningCards& cards, int hands) {
  OpeningAdvice mean;
  std::map<int, int> placed;
  for (int i = 0; i < hands; ++i) {
    const OpeningAdvice advice = play(cards, static_cast<std::uint64_t>(i));
    ++placed[advice.best];
    mean.value += advice.value;
    mean.foul += advice.foul;
    mean.fantasyland += advice.fantasyland;
  }
  for (double* const sum : {&mean.value, &mean.foul, &mean.fantasyland}) *sum /= hands;
  mean.best = std::ranges::max_element(placed, {}, &std::pair<const int, int>::second)->first;
  return mean;
}

}  // namespace dealer::studies::fantasyland
