#include <fmt/format.h>

#include "arena/studies/checks.h"
#include "arena/studies/draw/report.h"
#include "arena/studies/games.h"

namespace dealer::studies::draw {
namespace {

constexpr Saying kOpens[] = {
    {"differences/opens_last_first", "The last player to act opens more often than the first",
     "The last player to act opens less often than the first",
     "No difference was seen between how often the first player to act and the last open",
     "the first opens {positions/0/opens} of its chances, and the last {positions/-1/opens} when all others have "
     "passed"},
    {.figure = "positions/0/opens",
     .above = "The weakest hands that open at least half of the time",
     .rest = "the first to act opens {positions/0/.opens_from}; the last opens {positions/-1/.opens_from}"}};

constexpr Saying kPatEarns[] = {
    {"draws/-1/pat/worth_bluff_draw", "Weak hands that stand pat win more from the draw on than weak hands that draw",
     "Weak hands that stand pat win less from the draw on than weak hands that draw",
     "No difference was seen between what weak hands win from the draw on standing pat and drawing",
     "{draws/-1/pat/bluff/worth} and {draws/-1/pat/weak_drawing/worth} chips"},
    {"draws/-1/pat/folds_pat_draw", "A bet after standing pat gets more folds than one after drawing",
     "A bet after standing pat gets fewer folds than one after drawing",
     "No difference was seen between the folds to a bet after standing pat and after drawing",
     "{draws/-1/by_thrown/0/folds} fold to a player who stood pat, a difference of {draws/-1/pat/folds_pat_draw} from "
     "other bets"}};

constexpr Saying kHighThrown[] = {
    {.figure = "draws/0/discards/pair/thrown/3",
     .above = "A pair",
     .rest = "its holder draws three cards {draws/0/discards/pair/thrown/3} of the time and keeps a kicker "
             "{draws/0/discards/pair/thrown/2}; with an ace beside the pair it keeps the ace "
             "{draws/0/discards/pair_ace/kept/pair_ace}"},
    {.figure = "draws/0/discards/trips/thrown/2",
     .above = "Trips",
     .rest = "their holder draws two cards {draws/0/discards/trips/thrown/2} and one card "
             "{draws/0/discards/trips/thrown/1} of the time"}};

constexpr Saying kLowThrown = {
    .figure = "draws/0/discards/nine_smooth/thrown/0",
    .above = "Nines or worse stand pat",
    .rest =
        "a nine over four cards to a six does so {draws/0/discards/nine_smooth/thrown/0} of the time, a rougher "
        "nine {draws/0/discards/nine_rough/thrown/0}, a ten {draws/0/discards/ten/thrown/0} and a jack "
        "{draws/0/discards/jack/thrown/0}"};

constexpr Saying kOpeningsGo[] = {
    {"differences/opens_weak_middle", "The weakest hands open more often than middling ones, as bluffs",
     "The weakest hands open less often than middling ones",
     "No difference was seen between how often the weakest hands and middling ones open",
     "with the weakest tenth the first to act opens {positions/0/tenths/0} and the last {positions/-1/tenths/0}; the "
     "difference to the fifth and sixth tenths is {differences/opens_weak_middle} over all positions"},
    {.figure = "answers/fold",
     .above = "An opening gets these answers",
     .rest = "{answers/fold} fold, {answers/call} call, {answers/raise} raise"}};

void say_game(const Figure& game, const Kinds& kinds, Sentences& say) {
  const bool several = game["draws"].size() > 1, is_high = &kinds == &high_kinds();
  say.say(game, kOpens);
  say.say(game, kPatEarns);
  say_checks(game["checks"], say);
  say.say(game, {.figure = "draws/0/discards/0/best",
                 .above = several ? "First draw" : "The draw",
                 .rest = "{draws/0/discards/0/best} of the discards make the best hand on average"});
  if (is_high) say.say(game, kHighThrown);
  if (!is_high) say.say(game, kLowThrown);
  say.say(game, kOpeningsGo);
  const std::string rate = fmt::format(
      "players do so at {{draws/-1/pat/rate}} of the draws; {{draws/-1/pat/bluff/share}} of these hands are bluffs "
      "({}), {{draws/-1/pat/thin/share}} are thin ({})",
      kinds.pat_classes[2].title, kinds.pat_classes[1].title);
  say.say(game, {.figure = "draws/-1/pat/rate",
                 .above = several ? "Standing pat at the last draw" : "Standing pat",
                 .rest = rate});
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
