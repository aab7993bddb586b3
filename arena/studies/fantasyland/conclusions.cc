#include "arena/studies/fantasyland/conclusions.h"

#include <fmt/format.h>

#include <string_view>

#include "arena/studies/report/parts.h"
#include "arena/studies/report/sentences.h"

namespace dealer::studies::fantasyland {
namespace {

// "18 points", "what it has learned (10.4)"
std::string counted_text(const Figures& f, const RivalFigures& rival) {
  if (rival.value) return fmt::format("{:g}", *rival.value);
  return f.counted ? fmt::format("its own {}", fixed(*f.counted, 1)) : "its own value";
}

void say_value(const Figures& f, Sentences& say) {
  const Estimate& value = f.chain.value;
  if (!value.known()) return;
  std::string own;
  if (f.counted) {
    own = fmt::format("; the agent counts {}", fixed(*f.counted, 2));
    own += value.above(*f.counted) ? ", which is less" : value.below(*f.counted) ? ", which is more" : "";
  }
  say.add(
      fmt::format("Entering Fantasyland is worth {} points: what its hands bring against a player who is not "
                  "there, until nobody is in Fantasyland{}.",
                  number(value), own));
}

void say_rates(const Figures& f, Sentences& say) {
  if (!f.play.normal.entry.known()) return;
  say.add(
      fmt::format("How often: {} of the normal hands enter Fantasyland and {} foul; who is there stays {} of "
                  "the time.",
                  percent(f.play.normal.entry), percent(f.play.normal.foul), percent(f.play.stays)));
}

// Of the round robin the best; then, of less weight, those that count Fantasyland the least and the most.
void say_rivals(const Figures& f, Sentences& say, bool extremes) {
  if (f.rivals.best < 0 || f.rivals.own < 0) return;
  const RivalFigures& best = f.rivals.rivals[static_cast<std::size_t>(f.rivals.best)];
  if (!best.score.known()) return;
  std::string level;
  const RivalFigures *least = nullptr, *most = nullptr;
  for (const RivalFigures& rival : f.rivals.rivals) {
    if (&rival != &best && !rival.less_than_best.below(0))
      level += (level.empty() ? "" : ", ") + counted_text(f, rival);
    if (rival.value && (least == nullptr || *rival.value < *least->value)) least = &rival;
    if (rival.value && (most == nullptr || *rival.value > *most->value)) most = &rival;
  }
  if (!extremes)
    return say.add(fmt::format(
        "How much to chase it: of the players that count Fantasyland differently, the one that counts {} does best, {} "
        "points a hand against all others; {}.",
        counted_text(f, best), number(best.score),
        level.empty() ? "all others do worse" : "no difference was seen between it and who counts " + level));
  const auto extreme = [&](const RivalFigures* rival, std::string_view who) {
    if (rival == nullptr || rival == &best) return;
    const Estimate loss{-rival->less_than_best.value, rival->less_than_best.ci95, rival->less_than_best.count};
    say.add(fmt::format("{}: who counts {} enters from {} of the normal hands, fouls {} and wins {} points a "
                        "hand less than the best{}.",
                        who, counted_text(f, *rival), percent(rival->entry), percent(rival->foul), number(loss),
                        loss.above(0) ? "" : ", which is no difference seen"),
            loss.above(0));
  };
  extreme(least, "To chase it the least");
  if (most != least) extreme(most, "To chase it the most");
}

bool differs(const Estimate& difference) { return difference.above(0) || difference.below(0); }

// How often it works and what it brings are two questions.
std::string ahead_and_behind(const PlayFigures& play) {
  const Estimate &rate = play.ahead_behind, &total = play.ahead_behind_total;
  if (!differs(rate) && !differs(total))
    return "No difference was seen between ahead and behind, in how often it works and in what it brings";
  if (!differs(rate))
    return fmt::format("{}; no difference was seen in how often it works",
                       total.above(0) ? "Ahead it brings more than behind" : "Behind it brings more than ahead");
  const std::string_view often =
      rate.above(0) ? "Ahead it works more often than behind" : "Behind it works more often than ahead";
  if (!differs(total)) return fmt::format("{}; no difference was seen in what it brings", often);
  return fmt::format("{} and brings {}", often, rate.above(0) == total.above(0) ? "more" : "less");
}

void say_tries(const Figures& f, Sentences& say) {
  const PlayFigures& play = f.play;
  if (play.fronts.size() >= 3) {
    const FrontFigures& low = play.fronts.front();
    const FrontFigures& high = play.fronts[play.fronts.size() - 2];
    const Estimate apart{high.total.value - low.total.value, high.total.ci95 + low.total.ci95, low.total.count};
    if (apart.known())
      say.add(fmt::format("By front: boards that end with {} in front foul {} of the time, with {} {}; who enters "
                          "with them wins {} and {} points in that hand and those that follow{}.",
                          f.fronts.name(0), percent(low.foul), f.fronts.name(f.fronts.kinds() - 2), percent(high.foul),
                          number(low.total), number(high.total), differs(apart) ? "" : ", which is no difference seen"),
              differs(apart));
  }
  if (play.early_late.known()) {
    const std::string_view than = play.early_late.above(0)   ? "which is more than"
                                  : play.early_late.below(0) ? "which is less than"
                                                             : "which is no difference seen from";
    say.add(fmt::format("By turn: a front that comes to enter in turns 1 to 5 gets there {}, {}, {}, {} and {} of "
                        "the time, the rest fouls; in turns 1 to 3 that hand and those after it bring {} points, "
                        "{} the {} of turns 4 and 5.",
                        percent(play.turns[0].entered), percent(play.turns[1].entered), percent(play.turns[2].entered),
                        percent(play.turns[3].entered), percent(play.turns[4].entered), number(play.early), than,
                        number(play.late)),
            differs(play.early_late));
  }
  if (play.ahead_behind.known()) {
    say.add(
        fmt::format("{}: who led in more rows when the front came to enter gets there {} of the time, who "
                    "trailed {}, which differs by {}; that hand and those that follow bring {} and {} points, which "
                    "differs by {}.",
                    ahead_and_behind(play), percent(play.standings[kAhead].entered),
                    percent(play.standings[kBehind].entered), percentage_points(play.ahead_behind),
                    number(play.standings[kAhead].total), number(play.standings[kBehind].total),
                    number(play.ahead_behind_total)),
        differs(play.ahead_behind) || differs(play.ahead_behind_total));
  }
}

void say_choices(const Figures& f, Sentences& say) {
  for (std::size_t r = 0; r < f.choices.size(); ++r) {
    const auto turns = [&](Case which) {
      std::string text;
      for (const Estimate& share : f.choices[r][which].turns)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", percent(share));
      return text;
    };
    if (f.choices[r][kFirstCard].turns[0].count == 0) continue;
    const std::string name = f.fronts.rank_name(static_cast<int>(r));
    say.add(
        fmt::format("{} in hand: of the times that it could and need not, the first {} goes in front {} in turns 1 to "
                    "5; the second beside it {}.",
                    f.fronts.rank_letter(static_cast<int>(r)), name, turns(kFirstCard), turns(kSecondCard)));
  }
}

void say_openings(const Figures& f, Sentences& say) {
  if (!f.chart || f.chart->openings == 0) return;
  const ChartFigures& chart = *f.chart;
  std::string ranks;
  for (std::size_t r = 0; r < chart.ranks.size(); ++r)
    ranks += fmt::format("{}a lone {} {}%", ranks.empty() ? "" : ", ", f.fronts.rank_name(static_cast<int>(r)),
                         fixed(100 * chart.ranks[r].one, 0));
  say.add(
      fmt::format("Openings: the best placement is worth {} points more than the next on average, and less "
                  "than a tenth of a point more in {}% of the deals; in front go {}.",
                  fixed(chart.gap, 2), fixed(100 * chart.close, 0), ranks));
}

}  // namespace

std::vector<std::string> conclusions_of(const Figures& figures) {
  Sentences say;
  say_value(figures, say);
  say_rivals(figures, say, false);
  say_rates(figures, say);
  say_tries(figures, say);
  say_openings(figures, say);
  say_choices(figures, say);
  say_rivals(figures, say, true);
  return say.take();
}

}  // namespace dealer::studies::fantasyland
