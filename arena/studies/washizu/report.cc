#include "arena/studies/washizu/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "arena/report/grid.h"
#include "arena/report/parts.h"
#include "arena/studies/games.h"
#include "arena/studies/washizu/counter.h"
#include "env/core/counted.h"

namespace dealer::studies::washizu {
namespace {

// The cost of visible cards and their effect on the betting, then the rest.
constexpr Saying kSayings[] = {
    {"worth/like", "Between hands of equal strength, those with more transparent cards win more",
     "Between hands of equal strength, those with more transparent cards win less",
     "No difference was seen between hands of equal strength with more and with fewer transparent cards",
     "{worth/like} chips a hand for each additional card held after the draw"},
    {"differences/bluffs_many_few",
     "A player with three or more transparent cards bluffs more than one with none or one",
     "A player with three or more transparent cards bluffs less than one with none or one",
     "No difference was seen between bluffs with many transparent cards and with few",
     "weak hands with none raise {betting/own/0/first/weak/raise} of the time, with three "
     "{betting/own/3/first/weak/raise}; many and few differ by {differences/bluffs_many_few}"},
    {"differences/folds_many_few", "A raise gets more folds when the raiser shows three or more transparent cards",
     "A raise gets fewer folds when the raiser shows three or more transparent cards",
     "No difference was seen between the folds to raisers with many transparent cards and with few",
     "{betting/against/0/answers/fold} fold to a raiser who shows none, {betting/against/3/answers/fold} to one who "
     "shows three; many and few differ by {differences/folds_many_few}"},
    {"worth/dealt", "Players who are dealt more transparent cards win more",
     "Players who are dealt more transparent cards win less",
     "No difference was seen between the results with more and with fewer transparent cards dealt",
     "{worth/dealt} chips a hand for each additional card; a hand with none wins {by_dealt/0/wins} of the pots, one "
     "with three {by_dealt/3/wins}"},
    {"differences/thrown_visible_hidden", "Transparent cards are discarded more often than others",
     "Transparent cards are discarded less often than others",
     "No difference was seen between how often transparent cards and others are discarded",
     "{cards/thrown_visible} of the transparent cards and {cards/thrown_hidden} of the others"},
    {"differences/value_many_few", "Strong hands with three or more transparent cards raise more than those with few",
     "Strong hands with three or more transparent cards raise less than those with few",
     "No difference was seen between how often strong hands raise with many transparent cards and with few",
     "the difference is {differences/value_many_few}"},
    {.figure = "betting/all/first/raise",
     .above = "Bluffs",
     .rest =
         "where nobody has raised, the weakest third of hands raises {betting/all/first/weak/raise} of the time and "
         "the strongest third {betting/all/first/strong/raise}; {betting/all/bluffs} of these raises are bluffs"},
    {.figure = "by_held/0/folds",
     .above = "Folds",
     .rest = "{by_held/0/folds} of hands fold with no transparent card after the draw, {by_held/1/folds} with one, "
             "{by_held/2/folds} with two, {by_held/3/folds} with three"}};

std::vector<Entry> counts(std::string_view title) { return entries(kCounts, title, "#", 0); }

void add_counts(Page& page, const Figure& counted, std::string_view of) {
  add_table(page, {counted, std::string(of), counts("#"), columns("share points wins folds shown strength")});
}

void add_worth(Page& page, const Figure& f, std::string_view title) {
  page.heading(fmt::format("{}: what transparent cards are worth", title));
  page.paragraph(
      "'points' is the result in chips a hand, 'wins' the share of the pot, 'shown' the share of hands that come to "
      "the showdown, and 'strength' the share of all final hands of the study that the final hand beats.");
  page.paragraph(
      f.fill("The first table is by transparent cards dealt, {cards/dealt} on average; this number is chance:"));
  add_counts(page, f["by_dealt"], "dealt");
  add_bars(page, {f, "transparent cards dealt", counts("#"), {{"points", "by_dealt/*/points"}}},
           "The result by transparent cards dealt: {worth/dealt} chips a hand for each additional card.");
  page.paragraph(
      f.fill("The next table is by transparent cards after the draw, {cards/held} on average. Players discard "
             "{cards/thrown_visible} of the transparent cards and {cards/thrown_hidden} of the others:"));
  add_counts(page, f["by_held"], "held");
  add_dots(page, {f["by_held"], "", counts("# held"), {{"wins of the pot", "*/wins"}, {"folds", "*/folds"}}}, "share",
           "The share of the pot and the share of hands folded, by own transparent cards after the draw.");
  page.paragraph("The next table is by the largest number of transparent cards of an opponent after the draw:");
  add_counts(page, f["by_other"], "opponent's");
  add_table(page, {f["worth"],
                   "chips a hand for each additional card",
                   {{"dealt", "dealt"},
                    {"held after the draw", "held"},
                    {"held, hands of equal strength", "like"},
                    {"of the opponent", "other"}},
                   {{"", "*"}}});
  page.paragraph(
      "For equal strength the study divides final hands into twenty groups of equal size by strength and compares "
      "hands within a group. A player with more transparent cards after the draw has also drawn differently. Nobody "
      "chooses the cards dealt, but cards of one suit make no pairs, so hands with more of them may be weaker.");
}

void add_betting(Page& page, const Figure& f, std::string_view title) {
  page.heading(fmt::format("{}: bets, bluffs and calls", title));
  page.paragraph(
      "Weak hands are the weakest third of the final hands of the study, strong hands the strongest third. A first "
      "raise with a weak hand is a bluff. " +
      f.text(".checks"));
  const Figure &own = f["betting"]["own"], &against = f["betting"]["against"];
  const std::vector<Entry> raises = {{"weak hands", "*/first/weak/raise"}, {"strong hands", "*/first/strong/raise"}};
  constexpr std::string_view kAxis = "share that raises first";
  add_dots(page, {own, "", counts("# own"), raises}, kAxis,
           "How often weak and strong hands raise first, by own transparent cards.");
  add_dots(page, {against, "", counts("# of the opponent"), raises}, kAxis,
           "The same by the most transparent cards of an opponent.");
  add_heat(page,
           {against,
            "",
            counts("raiser: #"),
            {{"fold", "*/answers/fold"}, {"call", "*/answers/call"}, {"raise", "*/answers/raise"}}},
           {.axis = "answer to a raise", .label_width = 110},
           "The answers to a raise, by transparent cards of the raiser.");
  add_table(page, {own,
                   "own",
                   counts("#"),
                   {{"raises", "*/first/raise"},
                    {"bluffs among them", "*/bluffs"},
                    {"weak raise", "*/first/weak/raise"},
                    {"middle raise", "*/first/middle/raise"},
                    {"strong raise", "*/first/strong/raise"},
                    {"folds to a raise", "*/answers/fold"}}});
}

// Compares the ways of mixing.
void add_comparison(Page& page, const Figure& figures, const std::vector<std::string>& titles) {
  page.heading("The ways of mixing");
  std::vector<Entry> games;
  games.reserve(titles.size());
  for (const std::string& title : titles) games.push_back({title, std::to_string(games.size())});
  add_table(page, {figures["games"],
                   "",
                   games,
                   {{"player", "*/agent"},
                    {"dealt", "*/cards/dealt"},
                    {"worth dealt", "*/worth/dealt"},
                    {"worth, equal strength", "*/worth/like"},
                    {"weak raise", "*/betting/all/first/weak/raise"},
                    {"bluffs among raises", "*/betting/all/bluffs"},
                    {"folds to a raise", "*/betting/all/answers/fold"}}});
  page.paragraph(
      "'dealt' is the number of transparent cards a hand, and 'worth' the chips a hand for each additional transparent "
      "card that is dealt, or held by hands of equal strength. Games played by different agents differ by more than "
      "the mixing.");
}

}  // namespace

std::vector<std::string> mixing_titles(const Figure& figures) {
  std::map<std::string, std::set<std::string>> games;  // by mixing
  const Figure& all = figures["games"];
  for (std::size_t g = 0; g < all.size(); ++g) games[all[g].text("mixing")].insert(all[g].text("game"));
  std::vector<std::string> names, agents;
  for (std::size_t g = 0; g < all.size(); ++g) {
    names.push_back(all[g].text(games[all[g].text("mixing")].size() > 1 ? "game" : "mixing"));
    agents.push_back(all[g].text("agent"));
  }
  return distinct(std::move(names), agents);
}

std::vector<std::string> conclusions_of(const Figure& figures) {
  return studies::conclusions_of(figures, mixing_titles(figures),
                                 [](const Figure& game, Sentences& say) { say.say(game, kSayings); });
}

std::string report_of(const Subject& subject, const Figure& figures) {
  const bool rule = std::any_of(subject.games.begin(), subject.games.end(),
                                [](const Subject::Played& game) { return game.agent.starts_with("rule"); });
  Page page = study_page("Washizu poker: what transparent cards are worth",
                         fmt::format("{} {} of each game, each a match of several hands; {}.", who_played(subject),
                                     counted(subject.deals, "deal"), counted(subject.hands, "hand")),
                         subject, conclusions_of(figures), about_intervals("a deal with all hands of its match"));
  if (rule)
    page.paragraph(
        "The heuristic agent 'rule' takes the transparent cards in other hands into account, but not that others see "
        "its own, and it does not look for good bluffs: its figures about bluffing show only how it was written. A "
        "network plays the way of mixing that it was trained with.");
  const std::vector<std::string> titles = mixing_titles(figures);
  if (titles.size() > 1) add_comparison(page, figures, titles);
  for (std::size_t g = 0; g < titles.size(); ++g) {
    add_worth(page, figures["games"][g], titles[g]);
    add_betting(page, figures["games"][g], titles[g]);
  }
  return page.finish(last_line(subject));
}

}  // namespace dealer::studies::washizu
