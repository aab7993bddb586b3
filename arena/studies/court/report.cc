#include "arena/studies/court/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "arena/studies/court/conclusions.h"
#include "arena/studies/court/pictures.h"
#include "arena/studies/report/parts.h"

namespace dealer::studies::court {
namespace {

std::string ratio_text(const Step& step) { return step.ratio ? fixed(*step.ratio, 2) : "–"; }
std::string exact(int count) { return std::to_string(count); }

// For labels of pictures, which have little room.
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
      "Verdicts look at each category from the next weaker one. XXX: it is the more common of the two, so that the "
      "order contradicts the odds. XX: the weaker is less than 1.05 times as common. X: less than 1.1 times, or more "
      "than three times where more than one hand in a thousand is of that category, too large a step. A ranking is the "
      "better balanced, the fewer XXX it has; of equal ones the fewer XX, then the fewer X.");
  DotChart chart;
  chart.what = "How many categories of each ranking have a verdict, as dealt and after the draw.";
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
      "Pairs: any two categories, neighbours or not, of which the stronger is the more common; as dealt and after the "
      "draw.");
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
      "The order of the ranking, of the odds as dealt and of those after the best draw. Lines of another colour "
      "lead to what is more common than its place before.",
      orders);
  page.table(cells);
  std::string discards;
  for (std::size_t n = 0; n < deck.discarded.size(); ++n)
    discards += fmt::format("{}{}: {}%", n == 0 ? "" : ", ", n, fixed(100 * deck.discarded[n], 1));
  page.paragraph(
      fmt::format("The best draw raises the share of dealt hands that a hand beats from {}% to {}%. Cards "
                  "discarded, {}.",
                  fixed(100 * deck.strength_dealt, 1), fixed(100 * deck.strength, 1), discards));
}

std::string title_of(const GameFigures& game, const Subject::Played& played) {
  return fmt::format("{} players, {}", game.players, played.agent);
}

void add_showdowns(Page& page, const Subject& subject, const Figures& figures, std::size_t deck_index) {
  const DeckOdds& deck = figures.decks[deck_index];
  std::vector<std::size_t> games;
  for (std::size_t i = 0; i < figures.games.size(); ++i)
    if (figures.games[i].deck == deck_index) games.push_back(i);
  // Charts have room for two.
  for (std::size_t first = 0; first < games.size(); first += 2) {
    const std::vector<std::size_t> pair(games.begin() + static_cast<std::ptrdiff_t>(first),
                                        games.begin() + static_cast<std::ptrdiff_t>(std::min(first + 2, games.size())));
    DotChart chart;
    chart.unit = Unit::kPercent;
    chart.axis = "showdowns won";
    Cells cells = {{"category", "after the draw"}}, wins = {{"category"}};
    std::vector<std::string> series, agents;
    std::string caption = "How often each hand wins the showdown it comes to, a tie of n counting 1/n.";
    for (const std::size_t i : pair) {
      const std::string title = title_of(figures.games[i], subject.games[i]);
      series.push_back(fmt::format("{} players", figures.games[i].players));
      agents.push_back(subject.games[i].agent);
      cells[0].push_back("showdowns: " + title);
      wins[0].push_back("wins: " + title);
      caption +=
          fmt::format(" {}: {} of the hands come to a showdown.", title, percent(figures.games[i].showdowns.reached));
    }
    chart.series = told_apart(std::move(series), agents);
    for (std::size_t c = 0; c < deck.names.size(); ++c) {
      chart.rows.push_back({deck.names[c].second, {}});
      cells.push_back({deck.names[c].second, share_text(deck.drawn.steps[c].share)});
      wins.push_back({deck.names[c].second});
      for (const std::size_t i : pair) {
        const ShowdownFigures::Category& category = figures.games[i].showdowns.categories[c];
        chart.rows.back().dots.push_back(category.wins);
        cells.back().push_back(percent(category.share));
        wins.back().push_back(percent(category.wins));
      }
    }
    chart.what = caption;
    page.table(cells);
    page.figure(dot_chart(chart), caption, wins);
  }
  for (const std::size_t i : games)
    if (const std::string seen = contradictions_seen(figures.games[i], deck); !seen.empty())
      page.paragraph(fmt::format("At showdowns, {}: {}.", title_of(figures.games[i], subject.games[i]), seen));
}

}  // namespace

std::string report_of(const Subject& subject, const Figures& figures) {
  const std::int64_t samples = figures.decks.empty() ? 0 : figures.decks.front().samples;
  const std::string of_draws = samples == 0
                                   ? "all hands counted"
                                   : fmt::format("all hands as dealt counted, of {} drawn by lot the draws", samples);
  Page page("Court Poker: rankings and odds",
            fmt::format("{} rankings, {}; {} games of five-card draw, {} hands of an agent against itself.",
                        figures.decks.size(), of_draws, figures.games.size(), subject.hands));
  page.conclusions(conclusions_of(figures));
  page.paragraph(
      "The odds as dealt are those of all hands of five cards. After the draw: every hand discards what makes it as "
      "strong as possible on average, strength being the share of all dealt hands that it beats, ties half; " +
      (samples == 0 ? std::string("all draws are counted")
                    : fmt::format("all draws of {} hands by lot are counted, so that the shares after the draw have "
                                  "intervals, which places, ratios and verdicts pass over",
                                  samples)) +
      ". So what is drawn for depends on the ranking, and with it how often it comes. At showdowns: the hands of all "
      "who are still in at the end, as the agents played. Behind ± stands half of the 95% interval.");
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
      fmt::format("dealer {}, study {}, {} deals of each game, seed {}. Played: {}. docs/studies.md says how every "
                  "figure is defined; "
                  "results.json has them all.",
                  subject.version, subject.study, subject.deals, subject.seed, played));
}

}  // namespace dealer::studies::court
