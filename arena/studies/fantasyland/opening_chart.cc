#include "arena/studies/fantasyland/opening_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <numeric>

#include "agents/ofc/placements.h"
#include "arena/lines_file.h"
#include "env/core/at.h"
#include "env/core/numbers.h"
#include "env/core/worker_pool.h"
#include "env/games/ofc/game.h"
#include "env/hands/hand_rank.h"

namespace dealer::studies::fantasyland {
namespace {

constexpr std::string_view kOpeningsUnit = "openings";
constexpr std::string_view kRowLetters = "fmb";
constexpr std::size_t kAtOnce = 4096;  // openings between two polls of `stop`
constexpr std::size_t kTogether = 32;  // batch size of a thread
constexpr std::size_t kListed = 10;
constexpr double kClose = 0.1;
// The numbers of placements requested until one is not a mirror image of the best.
constexpr std::array<int, 3> kAsked = {2, 16, dealer::ofc::kMaxPlacements};

std::string rows_of_code(int code) {
  std::string text;
  for (int i = 0; i < kOpeningCards; ++i, code /= dealer::ofc::kRows)
    text += kRowLetters[at(code % dealer::ofc::kRows)];
  return text;
}

// -1: malformed.
int rows_code(std::string_view text) {
  if (text.size() != kOpeningCards) return -1;
  int code = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    const std::size_t row = kRowLetters.find(text[i]);
    if (row == std::string_view::npos) return -1;
    code = code * dealer::ofc::kRows + static_cast<int>(row);
  }
  return code;
}

std::string line_of(const OpeningCards& cards, const OpeningAdvice& advice) {
  return fmt::format("{} {} {:.4f} {} {:.4f} {:.4f} {:.4f}\n", to_string(cards), rows_of_code(advice.best),
                     advice.value, rows_of_code(advice.second), advice.second_value, advice.foul, advice.fantasyland);
}

bool read_opening(std::string_view line, const OpeningCards& cards, OpeningAdvice& advice) {
  Words words(line);
  const auto read = [&](double& value) { return words.number(value, -HUGE_VAL, HUGE_VAL); };
  return words.take() == to_string(cards) && (advice.best = rows_code(words.take())) >= 0 && read(advice.value) &&
         (advice.second = rows_code(words.take())) >= 0 && read(advice.second_value) && read(advice.foul) &&
         read(advice.fantasyland) && words.at_end();
}

int count_of_rank(CardSet cards, int rank) { return size(cards & CardSet{15} << 4 * rank); }

}  // namespace

Observation first_turn(const Game& game, Opponents opponents) {
  const dealer::ofc::GameRules& rules = dealer::ofc::as_ofc(game)->rules();
  dealer::ofc::FantasylandCards cards{};
  if (opponents == Opponents::kInFantasyland)
    std::fill_n(cards.begin() + 1, rules.players - 1, rules.scoring.bonus.fantasyland_cards[dealer::ofc::kAfterPair]);
  dealer::ofc::State state;
  state.deal(rules, 0, cards, rules.players - 1);
  Observation seen;
  seen.data.resize(at(game.observation_spec().size()));
  state.observe(0, seen.data.data());
  seen.legal_mask = state.legal_mask();
  return seen;
}

void show_opening(const Game& game, CardSet cards, Observation& seen) {
  const auto part = [&](const char* name) { return at(game.observation_spec().find(name)->offset); };
  const std::size_t hand = part("hand"), next = part("next");
  for (const std::size_t begin : {hand, next}) std::fill_n(&seen.data[begin], kCards, 0.0F);
  for_each(cards, [&](Card card) { seen.data[hand + card] = 1; });
  seen.data[next + lowest(cards)] = 1;
}

OpeningEvaluator::OpeningEvaluator(const Game& game, std::unique_ptr<PositionEvaluator> evaluator, Opponents opponents)
    : evaluator_(std::move(evaluator)), game_(game.shared_from_this()), seen_(first_turn(game, opponents)) {}

OpeningAdvice OpeningEvaluator::advice(const OpeningCards& cards) {
  const CardSet hand = set_of(cards);
  show_opening(*game_, hand, seen_);
  const auto board = [&](const AfterstateValue& turn) {
    dealer::ofc::Board placed;
    auto row = turn.actions.begin();
    for_each(hand, [&](Card card) { placed.row[at(*row++)] |= bit(card); });
    return placed;
  };
  OpeningAdvice advice;
  for (const int most : kAsked) {
    const std::vector<AfterstateValue> turns = evaluator_->afterstate_values(seen_, most);
    const AfterstateValue& best = turns.front();
    advice.best = code_of(cards, board(best));
    advice.value = best.value;
    advice.foul = best.foul;
    advice.fantasyland = best.fantasyland;
    const auto second = std::find_if(turns.begin() + 1, turns.end(), [&](const AfterstateValue& other) {
      return !is_mirrored(cards, board(best), board(other));
    });
    if (second == turns.end()) continue;
    advice.second = code_of(cards, board(*second));
    advice.second_value = second->value;
    break;
  }
  return advice;
}

bool rate_openings(const StudyContext& place, const std::vector<Opening>& openings, const std::filesystem::path& file) {
  LinesFile lines(file, std::string(kOpeningsUnit));
  auto done = static_cast<std::size_t>(lines.done());
  if (done >= openings.size()) return true;
  WorkerPool pool(thread_count(place.threads));
  std::vector<OpeningEvaluator> evaluators;
  evaluators.reserve(at(pool.size()));
  for (int i = 0; i < pool.size(); ++i) evaluators.emplace_back(*place.game, place.agent->make_evaluator());
  while (done < openings.size()) {
    if (place.stop && place.stop()) return false;
    const std::size_t end = std::min(done + kAtOnce, openings.size());
    std::vector<OpeningAdvice> advice(end - done);
    std::atomic<std::size_t> next = done;
    pool.run([&](int worker) {
      for (std::size_t from = next.fetch_add(kTogether); from < end; from = next.fetch_add(kTogether))
        for (std::size_t i = from; i < std::min(from + kTogether, end); ++i)
          advice[i - done] = evaluators[at(worker)].advice(openings[i].cards);
    });
    std::string text;
    for (std::size_t i = done; i < end; ++i) text += line_of(openings[i].cards, advice[i - done]);
    lines.append(text, static_cast<std::int64_t>(end));
    done = end;
    if (place.progress)
      place.progress(kOpeningsUnit, static_cast<std::int64_t>(done), static_cast<std::int64_t>(openings.size()));
  }
  return true;
}

std::vector<OpeningAdvice> read_openings(const std::filesystem::path& file, const std::vector<Opening>& openings) {
  std::vector<OpeningAdvice> all;
  all.reserve(openings.size());
  LinesFile::read(file, kOpeningsUnit, [&](std::string_view line) {
    if (all.size() == openings.size()) return false;
    const OpeningCards& cards = openings[all.size()].cards;
    return read_opening(line, cards, all.emplace_back());
  });
  return all;
}

namespace {

// Sums over openings, each weighted by its frequency.
struct ChartSums {
  double deals = 0, value = 0, foul = 0, fantasyland = 0, gap = 0, close = 0;

  void add(double n, double points, const OpeningAdvice& advice) {
    const double apart = advice.value - advice.second_value;
    deals += n;
    value += n * points;
    foul += n * advice.foul;
    fantasyland += n * advice.fantasyland;
    gap += n * apart;
    close += apart < kClose ? n : 0;
  }
};

// The number of deals with none, one or both cards of a rank in front; by the number held, one or two.
using InFront = std::array<std::array<double, 3>, 3>;

Figure ranks_of(const Fronts& fronts, const std::vector<InFront>& in_front) {
  Figure ranks = list();
  for (int r = 0; r < fronts.ranks(); ++r) {
    const auto& [none, one, two] = in_front[at(r)];
    const auto rate = [](const std::array<double, 3>& held, std::size_t cards) {
      return value(held[cards] / std::max(1.0, held[0] + held[1] + held[2]));
    };
    ranks.push_back(object({{"rank", value(fronts.rank_letter(r))},
                            {"one", rate(one, 1)},
                            {"two_both", rate(two, 2)},
                            {"two_one", rate(two, 1)},
                            {".name", value(fronts.rank_name(r))}}));
  }
  return ranks;
}

// "Qs / – / As Kd": rows of an opening.
std::string rows_of(const dealer::ofc::Board& board) {
  std::string text;
  for (const CardSet row : board.row)
    text += (text.empty() ? "" : " / ") + (row == 0 ? std::string("–") : dealer::to_string(row));
  return text;
}

Figure listed(const Opening& opening, const OpeningAdvice& advice) {
  const dealer::ofc::Board best = board_of(opening.cards, advice.best), second = board_of(opening.cards, advice.second);
  return object({{"cards", value(to_string(opening.cards))},
                 {"placement", value(dealer::ofc::to_string(best))},
                 {"points", value(advice.value)},
                 {"second", value(dealer::ofc::to_string(second))},
                 {"second_points", value(advice.second_value)},
                 {"foul", value(advice.foul)},
                 {"fantasyland", value(advice.fantasyland)},
                 {".placement", value(rows_of(best))},
                 {".second", value(rows_of(second))}});
}

// The openings with the highest and the lowest values.
std::array<Figure, 2> extremes_of(const std::vector<Opening>& openings, const std::vector<OpeningAdvice>& advice) {
  std::vector<int> order(advice.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return advice[at(a)].value > advice[at(b)].value; });
  std::array<Figure, 2> extremes = {list(), list()};
  for (std::size_t i = 0; i < std::min(kListed, order.size()); ++i) {
    const std::size_t high = at(order[i]), low = at(order[order.size() - 1 - i]);
    extremes[0].push_back(listed(openings[high], advice[high]));
    extremes[1].push_back(listed(openings[low], advice[low]));
  }
  return extremes;
}

}  // namespace

Figure count_chart(const std::vector<Opening>& openings, const std::vector<OpeningAdvice>& advice, const Fronts& fronts,
                   double caution) {
  ChartSums all;
  std::map<HandCategory, ChartSums> of_class;
  std::map<std::array<int, 3>, double> of_shape;
  std::vector<InFront> in_front(at(fronts.ranks()));
  for (std::size_t i = 0; i < advice.size(); ++i) {
    const CardSet cards = set_of(openings[i].cards);
    const dealer::ofc::Board board = board_of(openings[i].cards, advice[i].best);
    const double n = openings[i].deals;
    all.add(n, advice[i].value + caution * advice[i].foul, advice[i]);
    of_class[dealer::category(evaluate(cards))].add(n, advice[i].value, advice[i]);
    of_shape[{size(board.row[0]), size(board.row[1]), size(board.row[2])}] += n;
    for (int r = 0; r < fronts.ranks(); ++r) {
      const int held = count_of_rank(cards, fronts.rank(r)), front = count_of_rank(board.row[0], fronts.rank(r));
      if (held == 1 || held == 2) in_front[at(r)][at(held)][at(front)] += n;
    }
  }
  if (all.deals == 0) return {};
  Figure classes = list();
  for (const auto& [category, of] : of_class)
    classes.push_back(object({{"cards", value(dealer::to_string(category))},
                              {"share", value(of.deals / all.deals)},
                              {"points", value(of.value / of.deals)},
                              {"gap", value(of.gap / of.deals)},
                              {"fantasyland", value(of.fantasyland / of.deals)}}));
  std::vector<std::pair<std::array<int, 3>, double>> by_share(of_shape.begin(), of_shape.end());
  std::stable_sort(by_share.begin(), by_share.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  Figure shapes = list();
  for (const auto& [shape, n] : by_share)
    shapes.push_back(object({{"front", value(shape[0])},
                             {"middle", value(shape[1])},
                             {"back", value(shape[2])},
                             {"share", value(n / all.deals)}}));
  const auto& [highest, lowest] = extremes_of(openings, advice);
  return object({{"count", value(advice.size())},
                 {"points", value(all.value / all.deals)},
                 {"foul", value(all.foul / all.deals)},
                 {"gap", value(all.gap / all.deals)},
                 {"fantasyland", value(all.fantasyland / all.deals)},
                 {"close", value(all.close / all.deals)},
                 {"classes", classes},
                 {"ranks", ranks_of(fronts, in_front)},
                 {"shapes", shapes},
                 {"highest", highest},
                 {"lowest", lowest}});
}

}  // namespace dealer::studies::fantasyland
