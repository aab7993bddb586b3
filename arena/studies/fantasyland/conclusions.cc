#include <fmt/format.h>

#include <string_view>

#include "arena/report/sentences.h"
#include "arena/studies/fantasyland/report.h"
#include "arena/studies/fantasyland/rivals.h"

namespace dealer::studies::fantasyland {
namespace {

// "18", "its own 10.4"
std::string counted_text(const Figure& f, const Figure& rival) {
  if (!rival["counts"].is_null()) return fmt::format("{:g}", rival.number("counts"));
  return f["counts"].is_null() ? "its own value" : fmt::format("its own {}", fixed(f.number("counts"), 1));
}

// " (the agent assumes 9.46, which is too high)"
std::string assumed(const Figure& size) {
  if (size["counts"].is_null()) return "";
  const double counts = size.number("counts");
  const Estimate value = size.estimate("value");
  return fmt::format(" (the agent assumes {}{})", fixed(counts, 2),
                     value.above(counts)   ? ", which is too low"
                     : value.below(counts) ? ", which is too high"
                                           : "");
}

void say_value(const Figure& chain, Sentences& say) {
  const Figure& sizes = chain["sizes"];
  std::string values;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!sizes[i].estimate("value").known()) continue;
    values += values.empty() ? "" : ", ";
    values += sizes[i].text("value") + (values.empty() ? " points" : "");
    if (sizes.size() > 1) values += fmt::format(" with {} cards", sizes[i].text("cards"));
    values += assumed(sizes[i]);
  }
  if (!values.empty())
    say.add(
        fmt::format("Entering Fantasyland is worth {}: the amount that the player wins from an opponent who did "
                    "not enter, until nobody is in Fantasyland.",
                    values));
}

void say_best_rival(const Figure& f, Sentences& say) {
  const Figure& rivals = f["rivals"];
  const Figure* const best = best_of(rivals);
  if (best == nullptr || own_of(rivals) == nullptr || !best->estimate("score").known()) return;
  std::string level;
  for (std::size_t r = 0; r < rivals.size(); ++r)
    if (&rivals[r] != best && !rivals[r].estimate("less_than_best").below(0))
      level += (level.empty() ? "" : ", ") + counted_text(f, rivals[r]);
  say.add(fmt::format(
      "How hard to chase it: of the agents that value Fantasyland differently, the one with {} does best, {} points a "
      "hand against all others; {}.",
      counted_text(f, *best), best->text("score"),
      level.empty() ? "all others do worse" : "no difference was seen between it and those with " + level));
}

// The agents with the lowest and the highest value of Fantasyland.
void say_extreme_rivals(const Figure& f, Sentences& say) {
  const Figure& rivals = f["rivals"];
  const Figure* const best = best_of(rivals);
  if (best == nullptr || own_of(rivals) == nullptr || !best->estimate("score").known()) return;
  const Figure *least = nullptr, *most = nullptr;
  for (std::size_t r = 0; r < rivals.size(); ++r) {
    if (rivals[r]["counts"].is_null()) continue;
    const double counts = rivals[r].number("counts");
    if (least == nullptr || counts < least->number("counts")) least = &rivals[r];
    if (most == nullptr || counts > most->number("counts")) most = &rivals[r];
  }
  const auto extreme = [&](const Figure* rival, std::string_view who) {
    if (rival == nullptr || rival == best) return;
    Estimate loss = rival->estimate("less_than_best");
    loss.value = -loss.value;
    say.add(fmt::format("{}: the agent with {} enters from {} of the normal hands, fouls {} of them and wins {} points "
                        "a hand less than the best{}.",
                        who, counted_text(f, *rival), rival->text("entry"), rival->text("foul"), number(loss),
                        loss.above(0) ? "" : "; no difference was seen"),
            loss.above(0));
  };
  extreme(least, "Chasing it the least");
  if (most != least) extreme(most, "Chasing it the most");
}

bool differs(const Estimate& difference) { return difference.above(0) || difference.below(0); }

// Compares entry rates and winnings, which may disagree.
std::string ahead_and_behind(const Estimate& rate, const Estimate& total) {
  if (!differs(rate) && !differs(total))
    return "No difference was seen between players ahead and players behind, in how often they enter and in what they "
           "win";
  if (!differs(rate))
    return fmt::format(
        "{}; no difference was seen in how often they enter",
        total.above(0) ? "Players ahead win more than players behind" : "Players behind win more than players ahead");
  const std::string_view often = rate.above(0) ? "Players ahead enter more often than players behind"
                                               : "Players behind enter more often than players ahead";
  if (!differs(total)) return fmt::format("{}; no difference was seen in what they win", often);
  return fmt::format("{} and win {}", often, rate.above(0) == total.above(0) ? "more" : "less");
}

// The lowest and the highest pair that qualify.
void say_fronts(const Figure& fronts, Sentences& say) {
  if (fronts.size() < 3) return;
  const Estimate low = fronts.estimate("0/total"), high = fronts.estimate("-2/total");
  const Estimate apart{high.value - low.value, high.ci95 + low.ci95, low.count};
  if (!apart.known()) return;
  const std::string_view seen = differs(apart) ? "" : "; no difference was seen";
  say.add(
      fronts.fill(fmt::format(
          "By front: boards that end with {{0/front}} in front foul {{0/foul}} of the time, boards with "
          "{{-2/front}} {{-2/foul}}; entering with them brings {{0/total}} and {{-2/total}} points in that hand and "
          "those that follow{}.",
          seen)),
      differs(apart));
}

void say_tries(const Figure& tries, Sentences& say) {
  const Estimate early_late = tries.estimate("early_late"), rate = tries.estimate("ahead_behind"),
                 total = tries.estimate("ahead_behind_total");
  if (early_late.known()) {
    const std::string_view than = early_late.above(0)   ? "more than"
                                  : early_late.below(0) ? "less than"
                                                        : "with no difference seen from";
    say.add(
        tries.fill(fmt::format(
            "By street: a front that qualifies on streets 1 to 5 enters {{turns/0/entered}}, {{turns/1/entered}}, "
            "{{turns/2/entered}}, {{turns/3/entered}} and {{turns/4/entered}} of the time, and the rest fouls. On "
            "streets 1 to 3 that hand and those after it bring {{early}} points, {} the {{late}} of streets 4 and 5.",
            than)),
        differs(early_late));
  }
  if (rate.known())
    say.add(tries.fill(ahead_and_behind(rate, total) +
                       ": a player ahead when its front qualifies enters {standings/ahead/entered} of the time, a "
                       "player behind {standings/behind/entered}, a difference of {ahead_behind}; that hand and those "
                       "that follow bring {standings/ahead/total} and {standings/behind/total} points, a difference of "
                       "{ahead_behind_total}."),
            differs(rate) || differs(total));
}

void say_choices(const Figure& choices, Sentences& say) {
  for (std::size_t r = 0; r < choices.size(); ++r) {
    const Figure& rank = choices[r];
    const auto turns = [&](std::string_view which) {
      std::string text;
      for (std::size_t t = 0; t < rank[which]["turns"].size(); ++t)
        text += (t == 0 ? "" : ", ") + rank[which]["turns"][t].text();
      return text;
    };
    if (rank.estimate("first/turns/0").count == 0) continue;
    say.add(
        fmt::format("{} in hand: when it can go in front but need not, the first {} goes there {} of the time on "
                    "streets 1 to 5, the second beside it {}.",
                    rank.text("rank"), rank.text(".name"), turns("first"), turns("second")));
  }
}

void say_openings(const Figure& chart, Sentences& say) {
  if (chart.is_null()) return;
  std::string ranks;
  for (std::size_t r = 0; r < chart["ranks"].size(); ++r)
    ranks += fmt::format("{}a lone {} {}%", ranks.empty() ? "" : ", ", chart["ranks"][r].text(".name"),
                         fixed(100 * chart["ranks"][r].number("one"), 0));
  say.add(
      fmt::format("Openings: the best placement is worth {} points more than the second best on average, and less than "
                  "a tenth of a point more in {}% of the deals. Set in front: {}.",
                  fixed(chart.number("gap"), 2), fixed(100 * chart.number("close"), 0), ranks));
}

}  // namespace

std::vector<std::string> conclusions_of(const Figure& figures) {
  Sentences say;
  say_value(figures["chain"], say);
  say_best_rival(figures, say);
  say.say(figures,
          {.figure = "play/normal/entry",
           .above = "How often",
           .rest = "{play/normal/entry} of the normal hands enter Fantasyland and {play/normal/foul} foul; a player in "
                   "Fantasyland stays {play/stays} of the time"});
  say_fronts(figures["fronts"], say);
  say_tries(figures["tries"], say);
  say_openings(figures["openings"], say);
  say_choices(figures["choices"], say);
  say_extreme_rivals(figures, say);
  return say.take();
}

}  // namespace dealer::studies::fantasyland
