#include "arena/studies/washizu/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "arena/studies/games.h"
#include "arena/studies/report/grid.h"
#include "arena/studies/report/parts.h"
#include "arena/studies/washizu/counter.h"
#include "env/core/counted.h"

namespace dealer::studies::washizu {
namespace {

// What being seen costs, and what it does to the betting; then the rest.
constexpr Saying kSayings[] = {
    {"worth/like", "With hands of like strength, more transparent cards win more",
     "With hands of like strength, more transparent cards win less",
     "No difference was seen between hands of like strength with more and with fewer transparent cards",
     "{worth/like} chips a hand for every card more that is held after the draw"},
    {"differences/bluffs_many_few", "With three transparent cards and more one bluffs more than with none or one",
     "With three transparent cards and more one bluffs less than with none or one",
     "No difference was seen between bluffs with many transparent cards and with few",
     "weak hands with none raise {betting/own/0/first/weak/raise}, with three {betting/own/3/first/weak/raise}; many "
     "and few differ by {differences/bluffs_many_few}"},
    {"differences/folds_many_few",
     "A raise by who shows three transparent cards and more makes more hands fold than one by who shows none or one",
     "A raise by who shows three transparent cards and more makes fewer hands fold than one by who shows none or one",
     "No difference was seen between folds to a raise by who shows many transparent cards and few",
     "{betting/against/0/answers/fold} fold to who shows none, {betting/against/3/answers/fold} to who shows three; "
     "many and few differ by {differences/folds_many_few}"},
    {"worth/dealt", "Who is dealt transparent cards wins more", "Who is dealt transparent cards wins less",
     "No difference was seen by how many transparent cards are dealt",
     "{worth/dealt} chips a hand for every card more; {by_dealt/0/wins} of the pots are won with none, "
     "{by_dealt/3/wins} with three"},
    {"differences/thrown_visible_hidden", "Transparent cards are thrown more often than others",
     "Transparent cards are thrown less often than others",
     "No difference was seen between how often transparent cards and others are thrown",
     "{cards/thrown_visible} and {cards/thrown_hidden}"},
    {"differences/value_many_few",
     "Strong hands raise more with three transparent cards and more than with none or one",
     "Strong hands raise less with three transparent cards and more than with none or one",
     "No difference was seen between how often strong hands raise with many transparent cards and with few",
     "they differ by {differences/value_many_few}"},
    {.figure = "betting/all/first/raise",
     .above = "Bluffs",
     .rest = "where nobody has raised, the weakest third of hands raises {betting/all/first/weak/raise} of the time, "
             "the strongest {betting/all/first/strong/raise}; {betting/all/bluffs} of these raises are bluffs"},
    {.figure = "by_held/0/folds",
     .above = "Hands folded",
     .rest = "{by_held/0/folds} with no transparent card after the draw, {by_held/1/folds} with one, {by_held/2/folds} "
             "with two, {by_held/3/folds} with three"}};

std::vector<Entry> counts(std::string_view title) { return entries(kCounts, title, "#", 0); }

void add_counts(Page& page, const Figure& counted, std::string_view of) {
  add_table(page, {counted, std::string(of), counts("#"), columns("share points wins folds shown strength")});
}

void add_worth(Page& page, const Figure& f, std::string_view title) {
  page.heading(fmt::format("{}: what transparent cards are worth", title));
  page.paragraph(
      "Points are chips a hand; wins, the share of the pot. Shown: hands that come to the showdown. Strength: the "
      "share of all final hands of the study that the final hand beats.");
  page.paragraph(f.fill("By transparent cards dealt, {cards/dealt} on average, which is luck:"));
  add_counts(page, f["by_dealt"], "dealt");
  add_bars(page, {f, "transparent cards dealt", counts("#"), {{"points", "by_dealt/*/points"}}},
           "Chips a hand by transparent cards dealt: {worth/dealt} for every card more.");
  page.paragraph(
      f.fill("By transparent cards after the draw, {cards/held} on average; {cards/thrown_visible} of the transparent "
             "cards dealt are thrown, {cards/thrown_hidden} of the others:"));
  add_counts(page, f["by_held"], "held");
  add_dots(page, {f["by_held"], "", counts("# held"), {{"wins of the pot", "*/wins"}, {"folds", "*/folds"}}}, "share",
           "What is won and how often hands are folded, by own transparent cards after the draw.");
  page.paragraph("By the most transparent cards that an opponent has after the draw:");
  add_counts(page, f["by_other"], "opponent's");
  add_table(page, {f["worth"],
                   "chips a hand for every card more",
                   {{"dealt", "dealt"},
                    {"held after the draw", "held"},
                    {"held, hands of like strength", "like"},
                    {"of the opponent", "other"}},
                   {{"", "*"}}});
  page.paragraph(
      "Like strength: final hands are put into twenty groups of as many hands by strength, and compared within them. "
      "Who holds more transparent cards after the draw has also drawn differently; what is dealt nobody has "
      "chosen, but cards of one suit make no pairs, and hands with more of them may be weaker.");
}

void add_betting(Page& page, const Figure& f, std::string_view title) {
  page.heading(fmt::format("{}: bets, bluffs and calls", title));
  page.paragraph(
      "Weak hands are the weakest third of the final hands of the study, strong ones the strongest. A raise with a "
      "weak hand where nobody has raised is a bluff. " +
      f.text(".checks"));
  const Figure &own = f["betting"]["own"], &against = f["betting"]["against"];
  const std::vector<Entry> raises = {{"weak hands", "*/first/weak/raise"}, {"strong hands", "*/first/strong/raise"}};
  constexpr std::string_view kAxis = "share that raises where nobody has";
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
           "What is done about a raise, by transparent cards of who has raised.");
  add_table(page, {own,
                   "own",
                   counts("#"),
                   {{"raises", "*/first/raise"},
                    {"of these bluffs", "*/bluffs"},
                    {"weak raise", "*/first/weak/raise"},
                    {"middle raise", "*/first/middle/raise"},
                    {"strong raise", "*/first/strong/raise"},
                    {"folds to a raise", "*/answers/fold"}}});
}

// The ways of mixing beside each other.
void add_comparison(Page& page, const Figure& figures, const std::vector<std::string>& titles) {
  page.heading("The ways of mixing");
  std::vector<Entry> games;
  for (const std::string& title : titles) games.push_back({title, std::to_string(games.size())});
  add_table(page, {figures["games"],
                   "",
                   games,
                   {{"player", "*/agent"},
                    {"dealt", "*/cards/dealt"},
                    {"worth dealt", "*/worth/dealt"},
                    {"worth, like strength", "*/worth/like"},
                    {"weak raise", "*/betting/all/first/weak/raise"},
                    {"of raises bluffs", "*/betting/all/bluffs"},
                    {"folds to a raise", "*/betting/all/answers/fold"}}});
  page.paragraph(
      "Dealt: transparent cards a hand. Worth: chips a hand for every transparent card more that is dealt, and that is "
      "held by hands of like strength. Only games with the same player differ by the mixing alone.");
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
  return told_apart(std::move(names), agents);
}

std::vector<std::string> conclusions_of(const Figure& figures) {
  return studies::conclusions_of(figures, mixing_titles(figures),
                                 [](const Figure& game, Sentences& say) { say.say(game, kSayings); });
}

std::string report_of(const Subject& subject, const Figure& figures) {
  const bool rule = std::any_of(subject.games.begin(), subject.games.end(),
                                [](const Subject::Played& game) { return game.agent.starts_with("rule"); });
  Page page("Washizu poker: what transparent cards are worth",
            fmt::format("{} {} of each, matches of several hands, {}.", who_played(subject),
                        counted(subject.deals, "deal"), counted(subject.hands, "hand")));
  page.paragraph(subject.strength);
  page.conclusions(conclusions_of(figures));
  page.paragraph(about_intervals("a deal with all hands of its match"));
  if (rule)
    page.paragraph(
        "The heuristic agent (rule) reckons with the transparent cards that it sees in others' hands, but not with "
        "others seeing its own, nor does it look for bluffs that fit: what its figures say of bluffing is how it was "
        "written. A network plays the mixing that it has learned with; its observation has no place for another.");
  const std::vector<std::string> titles = mixing_titles(figures);
  if (titles.size() > 1) add_comparison(page, figures, titles);
  for (std::size_t g = 0; g < titles.size(); ++g) {
    add_worth(page, figures["games"][g], titles[g]);
    add_betting(page, figures["games"][g], titles[g]);
  }
  return page.finish(last_line(subject));
}

}  // namespace dealer::studies::washizu
