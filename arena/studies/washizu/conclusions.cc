#include "arena/studies/washizu/conclusions.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "arena/studies/report/parts.h"
#include "arena/studies/report/sentences.h"

namespace dealer::studies::washizu {
namespace {

// What being seen costs, and what it does to the betting.
void say_what_being_seen_does(const GameFigures& f, Sentences& say) {
  say.choose(f.worth_like, 0, "With hands of like strength, more transparent cards win more",
             "With hands of like strength, more transparent cards win less",
             "No difference was seen between hands of like strength with more and with fewer transparent cards",
             fmt::format("{} chips a hand for every card more that is held after the draw", number(f.worth_like)));
  say.choose(f.bluffs_many_few, 0, "With three transparent cards and more one bluffs more than with none or one",
             "With three transparent cards and more one bluffs less than with none or one",
             "No difference was seen between bluffs with many transparent cards and with few",
             fmt::format("weak hands with none raise {}, with three {}; many and few differ by {}",
                         percent(f.own[0].thirds[kWeak].raise), percent(f.own[3].thirds[kWeak].raise),
                         percentage_points(f.bluffs_many_few)));
  say.choose(f.folds_many_few, 0,
             "A raise by who shows three transparent cards and more makes more hands fold than one by who shows none "
             "or one",
             "A raise by who shows three transparent cards and more makes fewer hands fold than one by who shows none "
             "or one",
             "No difference was seen between folds to a raise by who shows many transparent cards and few",
             fmt::format("{} fold to who shows none, {} to who shows three; many and few differ by {}",
                         percent(f.against[0].answers.fold), percent(f.against[3].answers.fold),
                         percentage_points(f.folds_many_few)));
}

void say_the_rest(const GameFigures& f, Sentences& say) {
  say.choose(f.worth_dealt, 0, "Who is dealt transparent cards wins more", "Who is dealt transparent cards wins less",
             "No difference was seen by how many transparent cards are dealt",
             fmt::format("{} chips a hand for every card more; {} of the pots are won with none, {} with three",
                         number(f.worth_dealt), percent(f.dealt[0].wins), percent(f.dealt[3].wins)));
  say.choose(f.thrown_visible_hidden, 0, "Transparent cards are thrown more often than others",
             "Transparent cards are thrown less often than others",
             "No difference was seen between how often transparent cards and others are thrown",
             fmt::format("{} and {}", percent(f.thrown_visible), percent(f.thrown_hidden)));
  say.choose(f.value_many_few, 0, "Strong hands raise more with three transparent cards and more than with none or one",
             "Strong hands raise less with three transparent cards and more than with none or one",
             "No difference was seen between how often strong hands raise with many transparent cards and with few",
             fmt::format("they differ by {}", percentage_points(f.value_many_few)));
  say.say(f.all.first.raise, "Bluffs",
          fmt::format("where nobody has raised, the weakest third of hands raises {} of the time, the strongest {}; {} "
                      "of these raises are bluffs",
                      percent(f.all.thirds[kWeak].raise), percent(f.all.thirds[kStrong].raise), percent(f.all.bluffs)));
  say.say(f.held[0].folds, "Hands folded",
          fmt::format("{} with no transparent card after the draw, {} with one, {} with two, {} with three",
                      percent(f.held[0].folds), percent(f.held[1].folds), percent(f.held[2].folds),
                      percent(f.held[3].folds)));
}

}  // namespace

std::vector<std::string> titles_of(const Figures& figures) {
  std::map<std::string, std::set<std::string>> games;  // by mixing
  for (const GameFigures& game : figures.games) games[game.mixing].insert(game.game);
  std::vector<std::string> names, agents;
  for (const GameFigures& game : figures.games) {
    names.push_back(games[game.mixing].size() > 1 ? game.game : game.mixing);
    agents.push_back(game.agent);
  }
  return told_apart(std::move(names), agents);
}

std::vector<std::string> conclusions_of(const Figures& figures) {
  Sentences say;
  const std::vector<std::string> titles = titles_of(figures);
  for (std::size_t g = 0; g < figures.games.size(); ++g) {
    if (figures.games.size() > 1) say.begin_with(titles[g] + " – ");
    say_what_being_seen_does(figures.games[g], say);
    say_the_rest(figures.games[g], say);
  }
  return say.take();
}

}  // namespace dealer::studies::washizu
