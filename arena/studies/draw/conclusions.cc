#include <fmt/format.h>

#include <utility>

#include "arena/studies/checks.h"
#include "arena/studies/draw/report.h"
#include "arena/studies/games.h"

namespace dealer::studies::draw {
namespace {

constexpr Saying kOpens[] = {
    {"differences/opens_last_first", "The last to act opens more often than the first",
     "The last to act opens less often than the first",
     "No difference was seen between how often the first to act and the last open",
     "of its chances to open the first takes {positions/0/opens} and the last, all others having passed, "
     "{positions/-1/opens}"},
    {.figure = "positions/0/opens",
     .above = "The weakest hands that open at least half the time",
     .rest = "of the first to act {positions/0/.opens_from}, of the last {positions/-1/.opens_from}"}};

constexpr Saying kPatEarns[] = {
    {"draws/-1/pat/worth_bluff_draw", "A weak hand that stands pat wins more from the draw on than one that draws",
     "A weak hand that stands pat wins less from the draw on than one that draws",
     "No difference was seen between what weak hands win from the draw on that stand pat and that draw",
     "{draws/-1/pat/bluff/worth} and {draws/-1/pat/weak_drawing/worth} chips"},
    {"draws/-1/pat/folds_pat_draw", "A bet after standing pat makes more hands fold than one after drawing",
     "A bet after standing pat makes fewer hands fold than one after drawing",
     "No difference was seen between how often hands fold to who stood pat and to who drew",
     "{draws/-1/by_thrown/0/folds} fold to who stood pat, which differs by {draws/-1/pat/folds_pat_draw} from others' "
     "bets"}};

constexpr Saying kHighThrown[] = {
    {.figure = "draws/0/discards/pair/thrown/3",
     .above = "A pair",
     .rest = "draws three cards {draws/0/discards/pair/thrown/3} of the time and keeps a kicker "
             "{draws/0/discards/pair/thrown/2}; with an ace beside it the ace is kept "
             "{draws/0/discards/pair_ace/kept/pair_ace}"},
    {.figure = "draws/0/discards/trips/thrown/2",
     .above = "Trips",
     .rest = "draw two {draws/0/discards/trips/thrown/2}, one {draws/0/discards/trips/thrown/1} of the time"}};

constexpr Saying kLowThrown = {
    .figure = "draws/0/discards/nine_smooth/thrown/0",
    .above = "A nine or worse stands pat",
    .rest =
        "a nine over four cards to a six {draws/0/discards/nine_smooth/thrown/0} of the time, a rougher nine "
        "{draws/0/discards/nine_rough/thrown/0}, a ten {draws/0/discards/ten/thrown/0}, a jack "
        "{draws/0/discards/jack/thrown/0}"};

constexpr Saying kOpeningsGo[] = {
    {"differences/opens_weak_middle", "The weakest hands open more often than middling ones, as bluffs",
     "The weakest hands open less often than middling ones",
     "No difference was seen between how often the weakest hands and middling ones open",
     "of the weakest tenth the first to act opens {positions/0/tenths/0}, the last {positions/-1/tenths/0}; all "
     "together they differ by {differences/opens_weak_middle} from the fifth and sixth"},
    {.figure = "answers/fold",
     .above = "Answers to an opening",
     .rest = "{answers/fold} fold, {answers/call} call, {answers/raise} raise"}};

void say_game(const Figure& game, const Kinds& kinds, Sentences& say) {
  const bool several = game["draws"].size() > 1, is_high = &kinds == &high_kinds();
  say.say(game, kOpens);
  say.say(game, kPatEarns);
  say_checks(game["checks"], say);
  say.say(game, {.figure = "draws/0/discards/0/best",
                 .above = several ? "First draw" : "The draw",
                 .rest = "{draws/0/discards/0/best} of the discards are those that make the best hand on average"});
  if (is_high) say.say(game, kHighThrown);
  if (!is_high) say.say(game, kLowThrown);
  say.say(game, kOpeningsGo);
  const std::string rate = fmt::format(
      "{{draws/-1/pat/rate}} of the draws; {{draws/-1/pat/bluff/share}} of these hands are bluffs ({}), "
      "{{draws/-1/pat/thin/share}} thin ({})",
      kinds.pat_classes[2].title, kinds.pat_classes[1].title);
  say.say(game,
          {.figure = "draws/-1/pat/rate", .above = several ? "Last draw, standing pat" : "Standing pat", .rest = rate});
  say.say(game, {.figure = "draws/-1/pat/bluff/wins",
                 .above = "Bluffs that stand pat",
                 .rest = "they bet {draws/-1/pat/bluff/bets} of their chances and win {draws/-1/pat/bluff/wins} of the "
                         "pots, {draws/-1/pat/bluff/unseen} without a showdown; made hands that stand pat bet "
                         "{draws/-1/pat/made/bets} and win {draws/-1/pat/made/wins}"});
}

}  // namespace

std::vector<std::string> conclusions_of(const Figure& figures, std::span<const Kinds* const> kinds) {
  std::size_t g = 0;
  return studies::conclusions_of(figures, titles_of(figures),
                                 [&](const Figure& game, Sentences& say) { say_game(game, *kinds[g++], say); });
}

}  // namespace dealer::studies::draw
