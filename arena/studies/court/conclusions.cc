#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "arena/studies/court/report.h"
#include "env/core/counted.h"

namespace dealer::studies::court {
namespace {

using Words = std::vector<std::string>;

// "A", "A and B", "A, B and C".
std::string listed(const Words& words) {
  if (words.size() < 2) return words.empty() ? "" : words.front();
  return fmt::format("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

std::string verdicts_with_name(const DeckOdds& deck, Order DeckOdds::*order) {
  const Verdicts& verdicts = (deck.*order).verdicts;
  return fmt::format("{} ({} among {} categories)", deck.deck, text_of(verdicts), verdicts.categories);
}

// Verdicts after the draw are conclusions only if all draws were counted.
bool are_exact(const Figures& figures) {
  return std::ranges::all_of(figures.decks, [](const DeckOdds& deck) { return deck.samples == 0; });
}

void say_best(const Figures& figures, Order DeckOdds::*order, std::string_view when, Words& out) {
  Words names;
  for (const DeckOdds* deck : best_balanced(figures.decks, order)) names.push_back(verdicts_with_name(*deck, order));
  if (!names.empty())
    out.push_back(fmt::format("The best balanced {} {} {}.", names.size() == 1 ? "ranking is" : "rankings are",
                              listed(names), when));
}

// The same with all verdicts weighted alike, which shows whether the kinds of verdicts matter.
void say_best_by_share(const Figures& figures, Words& out) {
  const auto best = [&](Order DeckOdds::*order) {
    double least = 2;
    Words names;
    for (const DeckOdds& deck : figures.decks) {
      const Verdicts& verdicts = (deck.*order).verdicts;
      if (!deck.court || verdicts.categories == 0) continue;
      const double share = static_cast<double>(verdicts.given()) / verdicts.categories;
      if (share < least) names.clear();
      if (share <= least)
        names.push_back(fmt::format("{} ({} of {})", deck.deck, verdicts.given(), verdicts.categories));
      least = std::min(least, share);
    }
    return listed(names);
  };
  const std::string dealt = best(&DeckOdds::dealt);
  if (dealt.empty()) return;
  out.push_back(are_exact(figures)
                    ? fmt::format("If all verdicts count alike, {} as dealt and {} after the draw have the smallest "
                                  "share of categories with one.",
                                  dealt, best(&DeckOdds::drawn))
                    : fmt::format("If all verdicts count alike, {} as dealt has the smallest share of categories with "
                                  "one.",
                                  dealt));
}

void say_how_many(const Figures& figures, Words& out) {
  std::int64_t rankings = 0, dealt = 0, drawn = 0, swapped = 0;
  for (const DeckOdds& deck : figures.decks) {
    if (!deck.court) continue;
    ++rankings;
    dealt += deck.dealt.contradictions.empty() ? 0 : 1;
    drawn += deck.drawn.contradictions.empty() ? 0 : 1;
    swapped += deck.swapped.empty() ? 0 : 1;
  }
  if (rankings == 0) return;
  out.push_back(
      fmt::format("The draw changes which hands are rare: it reorders the categories of {} of {}. A stronger category "
                  "is more common "
                  "than a weaker one in {} of them as dealt and in {} after the draw.",
                  swapped, counted(rankings, "Court ranking"), dealt, drawn));
}

// Rankings of the same cards; the names of a deck's prototypes begin with its own.
void say_prototypes(const Figures& figures, Words& out) {
  for (const DeckOdds& deck : figures.decks) {
    std::vector<const DeckOdds*> family = {&deck};
    for (const DeckOdds& other : figures.decks)
      if (other.deck.starts_with(deck.deck + '_')) family.push_back(&other);
    if (family.size() < 2) continue;
    const auto from_the_best = [&](Order DeckOdds::*order) {
      std::stable_sort(family.begin(), family.end(), [&](const DeckOdds* a, const DeckOdds* b) {
        return (a->*order).verdicts < (b->*order).verdicts;
      });
      std::string text;
      for (std::size_t i = 0; i < family.size(); ++i) {
        const Verdicts& own = (family[i]->*order).verdicts;
        if (i > 0) text += own == (family[i - 1]->*order).verdicts ? " tied with " : ", then ";
        text += fmt::format("{} ({})", family[i]->deck, text_of(own));
      }
      return text;
    };
    std::string text = fmt::format("{} and its prototypes: as dealt the best balanced is {}", deck.deck,
                                   from_the_best(&DeckOdds::dealt));
    if (are_exact(figures)) text += "; after the draw it is " + from_the_best(&DeckOdds::drawn);
    out.push_back(text + '.');
  }
}

// Neighbours in the ranking whose stronger category was more common at showdowns, with the number of such games.
std::string seen_at_showdowns(const Figures& figures, std::size_t deck_index) {
  std::map<std::size_t, int> seen;  // keyed by the stronger category
  const std::vector<std::size_t> games = games_of_deck(figures, deck_index);
  for (const std::size_t g : games) {
    const Figure& categories = figures.games[g]["categories"];
    for (std::size_t c = 1; c < categories.size(); ++c)
      if (seen_against(categories[c])) ++seen[c];
  }
  Words parts;
  const DeckOdds& deck = figures.decks[deck_index];
  for (const auto& [stronger, count] : seen)
    parts.push_back(fmt::format("{}{} than {} ({} of {})", deck.names[stronger].second,
                                parts.empty() ? " comes more often" : "", deck.names[stronger - 1].second, count,
                                counted(std::ssize(games), "game")));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void say_deck(const Figures& figures, std::size_t index, Words& out) {
  const DeckOdds& deck = figures.decks[index];
  std::string text = fmt::format("{}{}: the verdicts are {} as dealt", deck.deck, deck.court ? "" : ", for comparison",
                                 text_of(deck.dealt.verdicts));
  if (deck.samples == 0) text += fmt::format(" and {} after the draw", text_of(deck.drawn.verdicts));
  const auto add = [&](const Order& order, std::string_view when) {
    if (!order.contradictions.empty()) text += fmt::format("; {} {}", when, text_of(order.contradictions, deck));
  };
  add(deck.dealt, "as dealt");
  add(deck.drawn, "after the draw");
  if (const std::string seen = seen_at_showdowns(figures, index); !seen.empty()) text += "; at showdowns " + seen;
  out.push_back(text + '.');
}

void say_showdowns(const Figures& figures, Words& out) {
  struct Range {
    double low = 1, high = 0;
    void add(double share) {
      low = std::min(low, share);
      high = std::max(high, share);
    }
    std::string text() const {
      const std::string from = fixed(100 * low, 1), to = fixed(100 * high, 1);
      return from == to ? from + '%' : fmt::format("{} to {}%", from, to);
    }
  };
  std::int64_t games = 0, against = 0;
  Range shown, drawn;
  for (std::size_t d = 0; d < figures.decks.size(); ++d) {
    const DeckOdds& deck = figures.decks[d];
    for (const std::size_t g : games_of_deck(figures, d)) {
      const Estimate weakest = figures.games[g].estimate("categories/0/share");
      const Step& after = deck.drawn.steps.front();
      const double apart = std::abs(weakest.value - after.share);
      if (!deck.court || !weakest.known() || apart <= weakest.ci95 + after.ci95) continue;
      ++games;
      against += contradictions_seen(figures.games[g], deck).empty() ? 0 : 1;
      shown.add(weakest.value);
      drawn.add(after.share);
    }
  }
  if (games == 0) return;
  out.push_back(fmt::format(
      "Showdowns have other odds: the weakest category makes up {} of the hands there and {} of all hands "
      "after the best draw. In {} of {} some category was more common at showdowns than the next weaker one.",
      shown.text(), drawn.text(), against, counted(games, "Court game")));
}

}  // namespace

std::string text_of(const Verdicts& verdicts) {
  Words words;
  for (const auto& [count, name] : {std::pair{verdicts.xxx, "XXX"}, {verdicts.xx, "XX"}, {verdicts.x, "X"}})
    if (count > 0) words.push_back(fmt::format("{} {}", count, name));
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

std::string text_of(const std::vector<Contradiction>& pairs, const DeckOdds& deck) {
  std::map<std::size_t, Words> weaker;  // keyed by the stronger category
  for (const Contradiction& pair : pairs) weaker[pair.stronger].push_back(deck.names[pair.weaker].second);
  Words parts;
  for (const auto& [stronger, names] : weaker)
    parts.push_back(fmt::format("{}{} than {}", deck.names[stronger].second, parts.empty() ? " comes more often" : "",
                                listed(names)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

bool seen_against(const Figure& category) {
  constexpr double kFewest = 10;
  const Estimate seen = category.estimate("share");
  return category.estimate("less").below(0) && seen.value * seen.count >= kFewest;
}

std::string contradictions_seen(const Figure& game, const DeckOdds& deck) {
  Words parts;
  for (std::size_t c = 1; c < game["categories"].size(); ++c) {
    const Figure& category = game["categories"][c];
    if (!seen_against(category)) continue;
    Estimate more = category.estimate("less");
    more.value = -more.value;
    parts.push_back(fmt::format("{}{} than {} by {}", deck.names[c].second, parts.empty() ? " comes more often" : "",
                                deck.names[c - 1].second, percentage_points(more)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::string> conclusions_of(const Figures& figures) {
  Words out;
  say_best(figures, &DeckOdds::dealt, "as dealt", out);
  if (are_exact(figures)) say_best(figures, &DeckOdds::drawn, "after one draw", out);
  say_best_by_share(figures, out);
  say_how_many(figures, out);
  say_prototypes(figures, out);
  say_showdowns(figures, out);
  for (std::size_t i = 0; i < figures.decks.size(); ++i) say_deck(figures, i, out);
  return out;
}

}  // namespace dealer::studies::court
