#include "arena/studies/fantasyland/rivals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "arena/confidence.h"
#include "arena/lines_file.h"
#include "arena/studies/fantasyland/hand.h"
#include "arena/studies/game_log.h"
#include "env/core/at.h"
#include "env/core/numbers.h"
#include "env/core/random.h"
#include "env/core/registry.h"
#include "env/core/student_t.h"

namespace dealer::studies::fantasyland {
namespace {

constexpr std::string_view kDealsUnit = "deals";
// The deals differ from those of the self-play.
constexpr std::uint64_t kOtherDeals = 0x52495641;
enum Flag : int { kThere = 1, kFoul = 2, kNext = 4 };

int flags_of(const Side& side) {
  return (side.fantasyland > 0 ? kThere : 0) | (side.value.foul ? kFoul : 0) | (side.next > 0 ? kNext : 0);
}

// The result of one rival in one deal against another.
struct Fared {
  double normal = 0, fouls = 0, entries = 0, there = 0, stays = 0;
  void add(int flags) {
    const double next = (flags & kNext) != 0 ? 1 : 0;
    if ((flags & kThere) != 0) {
      there += 1;
      stays += next;
    } else {
      normal += 1;
      fouls += (flags & kFoul) != 0 ? 1 : 0;
      entries += next;
    }
  }
};

// The result of a pair in a deal.
struct Score {
  double points = 0;  // of the first of the pair
  double hands = 0;
  std::array<Fared, 2> fared;
};

// [pair][deal]
using Scores = std::vector<std::vector<Score>>;

bool read_deal(std::string_view line, Scores& scores) {
  Words words(line);
  const auto pair = words.number<std::size_t>(), deal = words.number<std::size_t>();
  const auto points = words.number<std::int64_t>();
  const auto first = words.number<int>(), second = words.number<int>();
  if (!pair || *pair >= scores.size() || !deal || *deal >= scores[*pair].size() || !points || !first || !second ||
      !words.at_end())
    return false;
  Score& score = scores[*pair][*deal];
  score.points += static_cast<double>(*points);
  score.hands += 1;
  score.fared[0].add(*first);
  score.fared[1].add(*second);
  return true;
}

// The influence of each deal on a rival's score: residuals of its ratios, summed over the others.
using Influence = std::vector<double>;

Estimate estimate_of(double value, const Influence& influence, const Influence* less, double count) {
  double squares = 0;
  for (std::size_t d = 0; d < influence.size(); ++d) {
    const double moved = influence[d] - (less == nullptr ? 0 : (*less)[d]);
    squares += moved * moved;
  }
  Estimate estimate{value, std::numeric_limits<double>::infinity(), count};
  const auto n = static_cast<double>(influence.size());
  if (influence.size() >= static_cast<std::size_t>(kFewestDeals) && squares > 0)
    estimate.ci95 = student_t975(static_cast<std::int64_t>(influence.size()) - 1) * std::sqrt(squares * n / (n - 1));
  return estimate;
}

// The 97.5% quantile of the normal distribution for simultaneous comparisons
// (Bonferroni), relative to that for one.
double wider_for(std::size_t comparisons) {
  const auto beyond = [](double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); };
  const auto quantile = [&](double tail) {
    double low = 0, high = 40;
    for (int i = 0; i < 100; ++i) (beyond((low + high) / 2) > tail ? low : high) = (low + high) / 2;
    return low;
  };
  return quantile(0.025 / static_cast<double>(comparisons)) / quantile(0.025);
}

Figure rival_figures(const Rival& rival, std::size_t rivals) {
  return object({{"agent", value(rival.agent->spec())},
                 {"counts", rival.value ? value(*rival.value) : value(nullptr)},
                 {"best", value(false)},
                 {"score", mean()},
                 // The score less that of the best. All these intervals hold simultaneously, whichever rival is best:
                 // Bonferroni, over all pairs.
                 {"less_than_best", Figure(Estimate(), Unit::kNumber)},
                 {"foul", share()},
                 {"entry", share()},
                 {"stays", share()},
                 {"against", list(static_cast<std::int64_t>(rivals), mean())}});
}

// The mean winnings of each rival against the others, and the influence of each deal.
struct Standings {
  std::vector<double> score, hands;
  std::vector<Influence> influence;
};

Standings count_pairs(const Scores& scores, Figure& rivals) {
  const auto pairs = pairs_of(static_cast<int>(rivals.size()));
  const std::size_t deals = scores.front().size();
  const auto others = static_cast<double>(rivals.size() - 1);
  const std::vector<double> none(rivals.size());
  Standings all{none, none, std::vector<Influence>(rivals.size(), Influence(deals))};
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto [a, b] = pairs[p];
    double points = 0, played = 0;
    for (std::size_t d = 0; d < deals; ++d) {
      const Score& score = scores[p][d];
      points += score.points;
      played += score.hands;
      rivals[a]["against"][b].add(static_cast<std::int64_t>(d), score.points, score.hands);
      rivals[b]["against"][a].add(static_cast<std::int64_t>(d), -score.points, score.hands);
    }
    const double ratio = points / played;
    for (std::size_t d = 0; d < deals; ++d) {
      const double moved = (scores[p][d].points - ratio * scores[p][d].hands) / played / others;
      all.influence[at(a)][d] += moved;
      all.influence[at(b)][d] -= moved;
    }
    for (const int side : {a, b}) {
      all.score[at(side)] += (side == a ? ratio : -ratio) / others;
      all.hands[at(side)] += played;
    }
  }
  return all;
}

void count_scores(const Scores& scores, Figure& rivals) {
  const Standings all = count_pairs(scores, rivals);
  const auto best = static_cast<std::size_t>(std::max_element(all.score.begin(), all.score.end()) - all.score.begin());
  const std::size_t pairs = scores.size();
  rivals[best].set("best", value(true));
  for (std::size_t r = 0; r < rivals.size(); ++r) {
    rivals[r].set("score", Figure(estimate_of(all.score[r], all.influence[r], nullptr, all.hands[r]), Unit::kNumber));
    if (r == best) continue;
    Estimate less = estimate_of(all.score[r] - all.score[best], all.influence[r], &all.influence[best], all.hands[r]);
    // The best is selected by the same scores: any pair might have been the one compared.
    less.ci95 *= wider_for(pairs);
    rivals[r].set("less_than_best", Figure(less, Unit::kNumber));
  }
}

void count_rates(const Scores& scores, Figure& rivals) {
  const auto pairs = pairs_of(static_cast<int>(rivals.size()));
  for (std::size_t d = 0; d < scores.front().size(); ++d)
    for (std::size_t p = 0; p < pairs.size(); ++p)
      for (std::size_t side = 0; side < 2; ++side) {
        const Fared& fared = scores[p][d].fared[side];
        Figure& rival = rivals[pairs[p][side]];
        const auto deal = static_cast<std::int64_t>(d);
        rival["foul"].add(deal, fared.fouls, fared.normal);
        rival["entry"].add(deal, fared.entries, fared.normal);
        rival["stays"].add(deal, fared.stays, fared.there);
      }
}

const Figure* find_rival(const Figure& rivals, std::string_view member, const nlohmann::ordered_json& of) {
  for (std::size_t r = 0; r < rivals.size(); ++r)
    if (rivals[r][member].to_json() == of) return &rivals[r];
  return nullptr;
}

}  // namespace

std::string with_counted_value(const std::string& agent, double value) {
  Spec spec = parse_spec(agent);
  std::erase_if(spec.options, [](const auto& option) { return option.first == "fantasyland"; });
  spec.options.emplace_back("fantasyland", fmt::format("{}", value));
  return to_string(spec);
}

std::vector<std::array<int, 2>> pairs_of(int rivals) {
  std::vector<std::array<int, 2>> pairs;
  for (int a = 0; a < rivals; ++a)
    for (int b = a + 1; b < rivals; ++b) pairs.push_back({a, b});
  return pairs;
}

bool play_rivals(const StudyContext& place, const std::vector<Rival>& rivals, std::int64_t deals,
                 const dealer::ofc::Rules& rules, const std::filesystem::path& file) {
  const auto pairs = pairs_of(static_cast<int>(rivals.size()));
  const std::int64_t total = static_cast<std::int64_t>(pairs.size()) * deals;
  LinesFile lines(file, std::string(kDealsUnit));
  while (lines.done() < total) {
    const std::int64_t pair = lines.done() / deals;
    const auto [a, b] = pairs[at(pair)];
    MatchOptions match;
    match.game = place.game;
    match.agents = {rivals[at(a)].agent, rivals[at(b)].agent};
    match.seed = derive(place.seed, kOtherDeals);
    match.first_deal = lines.done() - pair * deals;
    match.deals = deals - match.first_deal;
    match.threads = place.threads;
    match.strict = true;
    match.stop = place.stop;
    match.describe = [&](const PlayedHand& played) {
      const Hand hand = read_hand(played.events, rules);
      const std::size_t seat = played.agent_of_seat[0] == 0 ? 0 : 1;
      return fmt::format("{} {} {} {} {}\n", pair, played.deal, static_cast<std::int64_t>(hand.sides[seat].points),
                         flags_of(hand.sides[seat]), flags_of(hand.sides[1 - seat]));
    };
    const auto progress = [&](std::int64_t done) {
      if (place.progress) place.progress("deals of matches", done, total);
    };
    if (play_into(lines, std::move(match), progress).interrupted) return false;
  }
  return true;
}

Figure count_rivals(const std::filesystem::path& file, const std::vector<Rival>& rivals, std::int64_t deals) {
  Figure all = list();
  for (const Rival& rival : rivals) all.push_back(rival_figures(rival, rivals.size()));
  std::int64_t hands = 0;
  const auto pairs = pairs_of(static_cast<int>(rivals.size()));
  if (!pairs.empty()) {
    Scores scores(pairs.size(), std::vector<Score>(at(deals)));
    LinesFile::read(file, kDealsUnit, [&](std::string_view line) {
      ++hands;
      return read_deal(line, scores);
    });
    count_scores(scores, all);
    count_rates(scores, all);
  }
  return object({{"rivals", all}, {".hands", value(hands)}});
}

const Figure* best_of(const Figure& rivals) { return find_rival(rivals, "best", true); }
const Figure* own_of(const Figure& rivals) { return find_rival(rivals, "counts", nullptr); }

}  // namespace dealer::studies::fantasyland
