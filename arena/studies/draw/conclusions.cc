#include "arena/studies/draw/conclusions.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "arena/studies/report/parts.h"
#include "arena/studies/report/sentences.h"
#include "env/core/at.h"

namespace dealer::studies::draw {
namespace {

// The index of a name.
std::size_t index_of(std::span<const Words> words, std::string_view name) {
  const auto found = std::find_if(words.begin(), words.end(), [&](const Words& word) { return word.name == name; });
  return static_cast<std::size_t>(found - words.begin());
}

void say_who_opens(const GameFigures& f, Sentences& say) {
  const PositionFigures &first = f.positions.front(), &last = f.positions.back();
  const std::string shares = fmt::format(
      "of its chances to open the first takes {} and the last, all others having "
      "passed, {}",
      percent(first.opens), percent(last.opens));
  say.choose(f.opens_last_first, 0, "The last to act opens more often than the first",
             "The last to act opens less often than the first",
             "No difference was seen between how often the first to act and the last open", shares);
  const auto weakest = [&](const PositionFigures& position) {
    if (position.weakest < 0) return std::string("none");
    return fmt::format("{}, {}", openers(f.side)[at(position.weakest)].title,
                       percent(position.hands[at(position.weakest)]));
  };
  say.say(first.opens, "The weakest hands that open at least half the time",
          fmt::format("of the first to act {}, of the last {}", weakest(first), weakest(last)));
}

void say_how_openings_go(const GameFigures& f, Sentences& say) {
  const PositionFigures &first = f.positions.front(), &last = f.positions.back();
  say.choose(f.opens_weak_middle, 0, "The weakest hands open more often than middling ones, as bluffs",
             "The weakest hands open less often than middling ones",
             "No difference was seen between how often the weakest hands and middling ones open",
             fmt::format("of the weakest tenth the first to act opens {}, the last {}; all together they differ by {} "
                         "from the fifth and sixth",
                         percent(first.tenths[0]), percent(last.tenths[0]), percentage_points(f.opens_weak_middle)));
  say.say(f.answers.fold, "Answers to an opening",
          fmt::format("{} fold, {} call, {} raise", percent(f.answers.fold), percent(f.answers.call),
                      percent(f.answers.raise)));
}

void say_what_is_thrown(const GameFigures& f, Sentences& say) {
  const DrawFigures& draw = f.draws.front();
  say.say(draw.all.best, f.draws.size() > 1 ? "First draw" : "The draw",
          fmt::format("{} of the discards are those that make the best hand on average", percent(draw.all.best)));
  const auto kind = [&](std::string_view name) -> const DiscardFigures& {
    return draw.kinds[index_of(kinds(f.side), name)];
  };
  const auto keeps = [&](const DiscardFigures& of, std::string_view what) {
    return percent(of.kept[index_of(kept(f.side), what)]);
  };
  if (f.side == Side::kHigh) {
    const DiscardFigures &plain = kind("pair"), &ace = kind("pair_ace"), &trips = kind("trips");
    say.say(plain.thrown[3], "A pair",
            fmt::format("draws three cards {} of the time and keeps a kicker {}; with an ace beside it the ace is kept "
                        "{}",
                        percent(plain.thrown[3]), percent(plain.thrown[2]), keeps(ace, "pair_ace")));
    say.say(trips.thrown[2], "Trips",
            fmt::format("draw two {}, one {} of the time", percent(trips.thrown[2]), percent(trips.thrown[1])));
    return;
  }
  const auto pat = [&](std::string_view name) { return percent(kind(name).thrown[0]); };
  say.say(kind("nine_smooth").thrown[0], "A nine or worse stands pat",
          fmt::format("a nine over four cards to a six {} of the time, a rougher nine {}, a ten {}, a jack {}",
                      pat("nine_smooth"), pat("nine_rough"), pat("ten"), pat("jack")));
}

void say_what_pat_earns(const GameFigures& f, Sentences& say) {
  const DrawFigures& draw = f.draws.back();
  const PatFigures& bluff = draw.classes[kBluff];
  say.choose(draw.worth_bluff_draw, 0, "A weak hand that stands pat wins more from the draw on than one that draws",
             "A weak hand that stands pat wins less from the draw on than one that draws",
             "No difference was seen between what weak hands win from the draw on that stand pat and that draw",
             fmt::format("{} and {} chips", number(bluff.worth), number(draw.weak_drawing.worth)));
  say.choose(draw.folds_pat_draw, 0, "A bet after standing pat makes more hands fold than one after drawing",
             "A bet after standing pat makes fewer hands fold than one after drawing",
             "No difference was seen between how often hands fold to who stood pat and to who drew",
             fmt::format("{} fold to who stood pat, which differs by {} from others' bets",
                         percent(draw.thrown[0].folds), percentage_points(draw.folds_pat_draw)));
}

void say_who_stands_pat(const GameFigures& f, Sentences& say) {
  const DrawFigures& draw = f.draws.back();
  const auto words = pat_classes(f.side);
  const PatFigures &bluff = draw.classes[kBluff], &made = draw.classes[kMade];
  say.say(
      draw.pat, f.draws.size() > 1 ? "Last draw, standing pat" : "Standing pat",
      fmt::format("{} of the draws; {} of these hands are bluffs ({}), {} thin ({})", percent(draw.pat),
                  percent(bluff.share), words[kBluff].title, percent(draw.classes[kThin].share), words[kThin].title));
  say.say(bluff.wins, "Bluffs that stand pat",
          fmt::format("they bet {} of their chances and win {} of the pots, {} without a showdown; made hands that "
                      "stand pat bet {} and win {}",
                      percent(bluff.bets), percent(bluff.wins), percent(bluff.unseen), percent(made.bets),
                      percent(made.wins)));
}

}  // namespace

std::vector<std::string> titles_of(const Figures& figures) {
  std::vector<std::string> games, agents;
  for (const GameFigures& game : figures.games) {
    games.push_back(game.game);
    agents.push_back(game.agent);
  }
  return told_apart(std::move(games), agents);
}

std::vector<std::string> conclusions_of(const Figures& figures) {
  Sentences say;
  const std::vector<std::string> titles = titles_of(figures);
  for (std::size_t g = 0; g < figures.games.size(); ++g) {
    const GameFigures& game = figures.games[g];
    if (figures.games.size() > 1) say.begin_with(titles[g] + " – ");
    if (game.positions.empty() || game.draws.empty()) continue;
    say_who_opens(game, say);
    say_what_pat_earns(game, say);
    say_what_is_thrown(game, say);
    say_how_openings_go(game, say);
    say_who_stands_pat(game, say);
  }
  return say.take();
}

}  // namespace dealer::studies::draw
