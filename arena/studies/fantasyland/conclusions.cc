#include <fmt/format.h>

#include <string_view>

#include "arena/studies/fantasyland/report.h"
#include "arena/studies/fantasyland/rivals.h"
#include "arena/studies/report/parts.h"
#include "arena/studies/report/sentences.h"

namespace dealer::studies::fantasyland {
namespace {

double number_at(const Figure& f, std::string_view name) { return f[name].to_json().get<double>(); }

// "18", "its own 10.4"
std::string counted_text(const Figure& f, const Figure& rival) {
  if (!rival["counts"].is_null()) return fmt::format("{:g}", number_at(rival, "counts"));
  return f["counts"].is_null() ? "its own value" : fmt::format("its own {}", fixed(number_at(f, "counts"), 1));
}

void say_value(const Figure& f, Sentences& say) {
  const Estimate value = f.estimate("chain/value");
  std::string own;
  if (!f["counts"].is_null()) {
    const double counts = number_at(f, "counts");
    own = fmt::format("; the agent counts {}", fixed(counts, 2));
    own += value.above(counts) ? ", which is less" : value.below(counts) ? ", which is more" : "";
  }
  if (value.known())
    say.add(
        f.fill("Entering Fantasyland is worth {chain/value} points: what its hands bring against a player who is "
               "not there, until nobody is in Fantasyland" +
               own + "."));
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
      "How much to chase it: of the players that count Fantasyland differently, the one that counts {} does best, {} "
      "points a hand against all others; {}.",
      counted_text(f, *best), best->text("score"),
      level.empty() ? "all others do worse" : "no difference was seen between it and who counts " + level));
}

// Those that count Fantasyland the least and the most.
void say_extreme_rivals(const Figure& f, Sentences& say) {
  const Figure& rivals = f["rivals"];
  const Figure* const best = best_of(rivals);
  if (best == nullptr || own_of(rivals) == nullptr || !best->estimate("score").known()) return;
  const Figure *least = nullptr, *most = nullptr;
  for (std::size_t r = 0; r < rivals.size(); ++r) {
    if (rivals[r]["counts"].is_null()) continue;
    const double counts = number_at(rivals[r], "counts");
    if (least == nullptr || counts < number_at(*least, "counts")) least = &rivals[r];
    if (most == nullptr || counts > number_at(*most, "counts")) most = &rivals[r];
  }
  const auto extreme = [&](const Figure* rival, std::string_view who) {
    if (rival == nullptr || rival == best) return;
    Estimate loss = rival->estimate("less_than_best");
    loss.value = -loss.value;
    say.add(fmt::format("{}: who counts {} enters from {} of the normal hands, fouls {} and wins {} points a hand less "
                        "than the best{}.",
                        who, counted_text(f, *rival), rival->text("entry"), rival->text("foul"), number(loss),
                        loss.above(0) ? "" : ", which is no difference seen"),
            loss.above(0));
  };
  extreme(least, "To chase it the least");
  if (most != least) extreme(most, "To chase it the most");
}

bool differs(const Estimate& difference) { return difference.above(0) || difference.below(0); }

// How often it works and what it brings are two questions.
std::string ahead_and_behind(const Estimate& rate, const Estimate& total) {
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

// The lowest and the highest pair that enter.
void say_fronts(const Figure& fronts, Sentences& say) {
  if (fronts.size() < 3) return;
  const Estimate low = fronts.estimate("0/total"), high = fronts.estimate("-2/total");
  const Estimate apart{high.value - low.value, high.ci95 + low.ci95, low.count};
  if (!apart.known()) return;
  const std::string_view seen = differs(apart) ? "" : ", which is no difference seen";
  say.add(fronts.fill(fmt::format(
              "By front: boards that end with {{0/front}} in front foul {{0/foul}} of the time, with {{-2/front}} "
              "{{-2/foul}}; who enters with them wins {{0/total}} and {{-2/total}} points in that hand and those that "
              "follow{}.",
              seen)),
          differs(apart));
}

void say_tries(const Figure& tries, Sentences& say) {
  const Estimate early_late = tries.estimate("early_late"), rate = tries.estimate("ahead_behind"),
                 total = tries.estimate("ahead_behind_total");
  if (early_late.known()) {
    const std::string_view than = early_late.above(0)   ? "which is more than"
                                  : early_late.below(0) ? "which is less than"
                                                        : "which is no difference seen from";
    say.add(
        tries.fill(fmt::format(
            "By turn: a front that comes to enter in turns 1 to 5 gets there {{turns/0/entered}}, "
            "{{turns/1/entered}}, {{turns/2/entered}}, {{turns/3/entered}} and {{turns/4/entered}} of the time, the "
            "rest fouls; in turns 1 to 3 that hand and those after it bring {{early}} points, {} the {{late}} of "
            "turns 4 and 5.",
            than)),
        differs(early_late));
  }
  if (rate.known())
    say.add(tries.fill(ahead_and_behind(rate, total) +
                       ": who led in more rows when the front came to enter gets there {standings/ahead/entered} of "
                       "the time, who trailed {standings/behind/entered}, which differs by {ahead_behind}; that hand "
                       "and those that follow bring {standings/ahead/total} and {standings/behind/total} points, which "
                       "differs by {ahead_behind_total}."),
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
        fmt::format("{} in hand: of the times that it could and need not, the first {} goes in front {} in turns 1 "
                    "to 5; the second beside it {}.",
                    rank.text("rank"), rank.text(".name"), turns("first"), turns("second")));
  }
}

void say_openings(const Figure& chart, Sentences& say) {
  if (chart.is_null()) return;
  std::string ranks;
  for (std::size_t r = 0; r < chart["ranks"].size(); ++r)
    ranks += fmt::format("{}a lone {} {}%", ranks.empty() ? "" : ", ", chart["ranks"][r].text(".name"),
                         fixed(100 * number_at(chart["ranks"][r], "one"), 0));
  say.add(
      fmt::format("Openings: the best placement is worth {} points more than the next on average, and less than a "
                  "tenth of a point more in {}% of the deals; in front go {}.",
                  fixed(number_at(chart, "gap"), 2), fixed(100 * number_at(chart, "close"), 0), ranks));
}

}  // namespace

std::vector<std::string> conclusions_of(const Figure& figures) {
  Sentences say;
  say_value(figures, say);
  say_best_rival(figures, say);
  say.say(figures,
          {.figure = "play/normal/entry",
           .above = "How often",
           .rest = "{play/normal/entry} of the normal hands enter Fantasyland and {play/normal/foul} foul; who "
                   "is there stays {play/stays} of the time"});
  say_fronts(figures["fronts"], say);
  say_tries(figures["tries"], say);
  say_openings(figures["openings"], say);
  say_choices(figures["choices"], say);
  say_extreme_rivals(figures, say);
  return say.take();
}

}  // namespace dealer::studies::fantasyland
