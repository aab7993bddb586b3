#include "arena/studies/court/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "arena/report/charts.h"
#include "arena/report/grid.h"
#include "arena/report/parts.h"
#include "env/core/counted.h"

namespace dealer::studies::court {
namespace {

std::string ratio_text(const Step& step) { return step.ratio ? fixed(*step.ratio, 2) : "–"; }
std::string exact(int count) { return std::to_string(count); }

// For labels in pictures with little room.
std::string short_name(std::string_view deck) {
  constexpr std::string_view kCourt = "court_";
  std::string name(deck.substr(deck.starts_with(kCourt) ? kCourt.size() : 0));
  for (char& letter : name)
    if (letter == '_') letter = ' ';
  return name;
}

void add_balance(Page& page, const Figures& figures) {
  page.heading("Balance");
  page.paragraph(
      "A verdict compares a category with the next weaker one. XXX: the category is the more common of the two, so the "
      "order contradicts the odds. XX: the weaker one is less than 1.05 times as common. X: it is less than 1.1 times "
      "as common, or the step is too large: more than three times as common, where more than one hand in a thousand is "
      "of the stronger category. The better balanced ranking has fewer XXX, then fewer XX, then fewer X.");
  DotChart chart;
  chart.what = "The number of categories with a verdict in each ranking, as dealt and after the draw.";
  chart.series = {"as dealt", "after the draw"};
  chart.axis = "verdicts of any kind";
  Cells cells = {{"ranking", "categories", "as dealt", "after the draw", "pairs dealt", "pairs drawn"}};
  Cells given = {{"ranking", "as dealt", "after the draw"}};
  for (const DeckOdds& deck : figures.decks) {
    const Verdicts &dealt = deck.dealt.verdicts, &drawn = deck.drawn.verdicts;
    const auto dot = [](const Verdicts& verdicts) {
      return Estimate{static_cast<double>(verdicts.given()), std::numeric_limits<double>::infinity(), 1};
    };
    chart.rows.push_back({short_name(deck.deck), {dot(dealt), dot(drawn)}});
    given.push_back({deck.deck, exact(dealt.given()), exact(drawn.given())});
    cells.push_back({deck.deck, exact(drawn.categories), text_of(dealt), text_of(drawn),
                     std::to_string(deck.dealt.contradictions.size()),
                     std::to_string(deck.drawn.contradictions.size())});
  }
  page.table(cells);
  page.paragraph(
      "'pairs' counts any two categories, neighbours or not, of which the stronger is the more common, as dealt and "
      "after the draw.");
  page.figure(dot_chart(chart), chart.what, given);
}

void add_odds(Page& page, const DeckOdds& deck) {
  Cells cells = {
      {"code", "category", "hands dealt", "dealt", "ratio", "verdict", "after the draw", "ratio", "verdict"}};
  for (std::size_t c = 0; c < deck.names.size(); ++c) {
    const Step &dealt = deck.dealt.steps[c], &drawn = deck.drawn.steps[c];
    cells.push_back({deck.names[c].first, deck.names[c].second, std::to_string(deck.counts[c]), share_text(dealt.share),
                     ratio_text(dealt), dealt.verdict,
                     deck.samples == 0 ? share_text(drawn.share)
                                       : percent({drawn.share, drawn.ci95, static_cast<double>(deck.samples)}),
                     ratio_text(drawn), drawn.verdict});
  }
  Cells orders = {{"code", "in the ranking", "as dealt", "after the draw"}};
  for (std::size_t c = 0; c < deck.names.size(); ++c)
    orders.push_back({deck.names[c].first, std::to_string(c + 1), exact(deck.dealt.steps[c].place),
                      exact(deck.drawn.steps[c].place)});
  page.figure(
      picture_of_orders(deck),
      "The order of the categories in the ranking, by frequency as dealt, and by frequency after the best draw. A "
      "coloured line leads to a category that becomes more common.",
      orders);
  page.table(cells);
  std::string discards;
  for (std::size_t n = 0; n < deck.discarded.size(); ++n)
    discards += fmt::format("{}{}: {}%", n == 0 ? "" : ", ", n, fixed(100 * deck.discarded[n], 1));
  page.paragraph(
      fmt::format("The best draw raises the share of dealt hands that a hand beats from {}% to {}%. Hands by number of "
                  "cards discarded: {}.",
                  fixed(100 * deck.strength_dealt, 1), fixed(100 * deck.strength, 1), discards));
}

std::string title_of(const Figure& game, const Subject::Played& played) {
  return fmt::format("{} players, {}", game.text("players"), played.agent);
}

// At most two games, for which charts have room.
void add_showdowns(Page& page, const Subject& subject, const Figures& figures, const DeckOdds& deck,
                   std::span<const std::size_t> games) {
  std::vector<Entry> rows, shares, wins;
  for (const auto& [code, name] : deck.names) rows.push_back({name, std::to_string(rows.size())});
  std::vector<std::string> players, agents;
  std::string caption = "How often each category wins its showdowns; a tie of n counts 1/n.";
  for (const std::size_t g : games) {
    const std::string title = title_of(figures.games[g], subject.games[g]);
    players.push_back(figures.games[g].fill("{players} players"));
    agents.push_back(subject.games[g].agent);
    shares.push_back({"showdowns: " + title, fmt::format("{}/categories/*/share", g)});
    wins.push_back({"wins: " + title, fmt::format("{}/categories/*/wins", g)});
    caption += fmt::format(" {}: {} of hands come to a showdown.", title, figures.games[g].text("reached"));
  }
  Cells cells = cells_of({figures.games, "category", rows, shares});
  cells[0].insert(cells[0].begin() + 1, "after the draw");
  for (std::size_t c = 0; c < rows.size(); ++c)
    cells[c + 1].insert(cells[c + 1].begin() + 1, share_text(deck.drawn.steps[c].share));
  page.table(cells);
  const Cells numbers = cells_of({figures.games, "category", rows, wins});
  const std::vector<std::string> titles = distinct(std::move(players), agents);
  for (std::size_t i = 0; i < titles.size(); ++i) wins[i].title = titles[i];
  add_dots(page, {figures.games, "category", rows, wins}, "showdowns won", caption, {}, numbers);
}

void add_showdowns(Page& page, const Subject& subject, const Figures& figures, std::size_t deck_index) {
  const DeckOdds& deck = figures.decks[deck_index];
  const std::vector<std::size_t> games = games_of_deck(figures, deck_index);
  for (std::size_t first = 0; first < games.size(); first += 2)
    add_showdowns(page, subject, figures, deck,
                  std::span(games).subspan(first, std::min<std::size_t>(2, games.size() - first)));
  for (const std::size_t g : games)
    if (const std::string seen = contradictions_seen(figures.games[g], deck); !seen.empty())
      page.paragraph(fmt::format("At showdowns, {}: {}.", title_of(figures.games[g], subject.games[g]), seen));
}

}  // namespace

std::string report_of(const Subject& subject, const Figures& figures) {
  const std::int64_t samples = figures.decks.empty() ? 0 : figures.decks.front().samples;
  const std::string of_draws = samples == 0
                                   ? "all hands counted"
                                   : fmt::format("all hands counted as dealt, the draws of {} random hands", samples);
  Page page("Court Poker: rankings and odds",
            fmt::format("{}, {}; {} of five-card draw, {} of self-play.", counted(std::ssize(figures.decks), "ranking"),
                        of_draws, counted(std::ssize(figures.games), "game"), counted(subject.hands, "hand")));
  page.paragraph(subject.strength);
  page.conclusions(conclusions_of(figures));
  page.paragraph(
      "The odds as dealt are those of all hands of five cards. After the draw: every hand makes the discard with the "
      "best mean strength, where strength is the share of all dealt hands that it beats (ties count half); " +
      (samples == 0 ? std::string("all draws are counted")
                    : fmt::format("all draws of {} random hands are counted, so the shares after the draw have "
                                  "intervals, which places, ratios and verdicts ignore",
                                  samples)) +
      ". The ranking therefore decides what players draw to, and how often each category comes. Showdowns count the "
      "hands of all players who did not fold. ± is the half-width of the 95% confidence interval.");
  add_balance(page, figures);
  for (std::size_t i = 0; i < figures.decks.size(); ++i) {
    const DeckOdds& deck = figures.decks[i];
    page.heading(deck.court ? deck.deck : deck.deck + ", for comparison");
    add_odds(page, deck);
    add_showdowns(page, subject, figures, i);
  }
  std::string played;
  for (const Subject::Played& game : subject.games)
    played += fmt::format("{}{} by {}", played.empty() ? "" : ", ", game.game, game.agent);
  return page.finish(
      fmt::format("dealer {}, study {}, {} of each game, seed {}. Played: {}. docs/studies.md defines every figure; "
                  "results.json has them all.",
                  subject.version, subject.study, counted(subject.deals, "deal"), subject.seed, played));
}

}  // namespace dealer::studies::court
