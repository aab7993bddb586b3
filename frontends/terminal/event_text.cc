#include "frontends/terminal/event_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <utility>

#include "env/core/counted.h"
#include "frontends/terminal/screen_text.h"

namespace dealer::terminal {
namespace {

std::string cards_text(const std::vector<CardId>& cards, const Game& game) {
  std::string text;
  for (const CardId card : cards) text += (text.empty() ? "" : " ") + game.card_to_string(card);
  return text;
}

// From high to low, in the usual order of display.
std::string sorted_text(std::vector<CardId> cards, const Game& game) {
  std::sort(cards.begin(), cards.end(), std::greater<>());
  return cards_text(cards, game);
}

// The visible cards, or their number.
std::string seen_cards(const Event& event, const Game& game, const std::string& unseen) {
  std::string seen = sorted_text(event.cards, game);
  if (static_cast<int>(event.cards.size()) == event.count) return seen;
  return unseen + (seen.empty() ? "" : fmt::format(", {} among them", seen));
}

class EventText {
 public:
  EventText(const Event& event, const Game& game, const Seats& seats, const Style& style)
      : event_(event), game_(game), seats_(seats), style_(style) {}

  std::string text() const {
    switch (event_.kind) {
      case Event::Kind::kHandBegun:
        return begun();
      case Event::Kind::kPosted:
        return posted();
      case Event::Kind::kDealt:
        return dealt();
      case Event::Kind::kActed:
        return acted();
      case Event::Kind::kDiscarded:
        return event_.count == 0 ? does("stand") + " pat" : cards("discard");
      case Event::Kind::kDrew:
        return event_.count == 0 ? "" : cards("draw");
      case Event::Kind::kPlaced:
        return event_.cards.empty() ? fmt::format("{} {}, unseen", does("set"), dealer::counted(event_.count, "card"))
                                    : fmt::format("{}: {}", seats_.name(event_.seat), places_text(event_, game_));
      case Event::Kind::kOwn:
        return own();
      case Event::Kind::kReturned:
        return fmt::format("{} {} back", does("take"), event_.amount);
      case Event::Kind::kShown:
        return shown();
      case Event::Kind::kMucked:
        return does("muck");
      case Event::Kind::kWon:
        return won();
      case Event::Kind::kHandEnded:
        return "this hand: " + points() + (event_.amount == 0 ? "" : fmt::format("; {} off the table", event_.amount));
      case Event::Kind::kMatchEnded:
        return fmt::format("The match is over: {}; {} {}", points(), names(event_.seats), winning());
    }
    return {};
  }

 private:
  // "you call", "rule calls"
  std::string does(std::string_view verb) const {
    return fmt::format("{} {}{}", seats_.name(event_.seat), verb, event_.seat == seats_.me ? "" : "s");
  }
  std::string all_in() const { return event_.all_in ? ", all-in" : ""; }
  std::string cards(std::string_view verb) const {
    return does(verb) + ' ' + seen_cards(event_, game_, std::to_string(event_.count));
  }
  std::string names(unsigned set) const {
    set &= (1U << seats_.names.size()) - 1;
    std::string text;
    for (Seat seat = 0; set >> seat != 0; ++seat) {
      if ((set >> seat & 1) == 0) continue;
      const bool last = set >> seat == 1;
      text += (text.empty() ? "" : last ? " and " : ", ") + seats_.name(seat);
    }
    return text;
  }
  std::string points() const {
    std::string text;
    for (std::size_t seat = 0; seat < event_.values.size(); ++seat)
      text += fmt::format("{}{} {}", seat == 0 ? "" : ", ", seats_.names[seat],
                          signed_points(static_cast<double>(event_.values[seat]), style_));
    return text;
  }
  std::string winning() const {
    if (std::popcount(event_.seats) > 1) return "share the win";
    return seats_.me >= 0 && event_.seats == 1U << seats_.me ? "win" : "wins";
  }

  std::string begun() const {
    std::string text = event_.seat < 0 ? "" : does("deal");
    const auto add = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
    unsigned in = 0;
    for (std::size_t seat = 0; seat < event_.values.size(); ++seat)
      if (event_.values[seat] != 0) in |= 1U << seat;
    // In games without stacks all players begin at 0.
    if (const std::string out = names(~in); in != 0 && !out.empty()) add("out: " + out);
    if (event_.seats != 0) add("in Fantasyland: " + names(event_.seats));
    if (!event_.cards.empty() && event_.hand <= 0) add("taken out of the deck: " + cards_text(event_.cards, game_));
    return text;
  }

  std::string posted() const {
    std::string what = event_.what;
    std::replace(what.begin(), what.end(), '_', ' ');
    const std::string text =
        what == "bring in" ? does("bring") + " in" : fmt::format("{} the {} of", does("post"), what);
    return fmt::format("{} {}{}", text, event_.amount, all_in());
  }

  std::string dealt() const {
    if (event_.seat < 0) return "on the board: " + cards_text(event_.cards, game_);
    if (event_.cards.empty()) return {};
    const std::string what = seen_cards(event_, game_, dealer::counted(event_.count, "card"));
    return fmt::format("{} {}{}", does("get"), what, event_.what == "up" ? ", face up" : "");
  }

  std::string acted() const {
    std::string text = does(event_.what);
    if (event_.what == "raise" || event_.what == "complete") {
      text += fmt::format(" to {}", event_.total);
    } else if (event_.amount > 0) {
      text += fmt::format(" {}", event_.amount);
    }
    return text + all_in();
  }

  std::string shown() const {
    const std::string what = event_.places.empty() ? sorted_text(event_.cards, game_) : places_text(event_, game_);
    return fmt::format("{} {}{}{}", does("show"), what, event_.slot == 0 ? "" : " at " + slot(),
                       event_.what.empty() ? "" : ": " + event_.what);
  }

  std::string slot() const { return fmt::format("{} {}", event_words().slot, event_.slot); }

  std::string own() const {
    std::string text = seats_.name(event_.seat);
    for (const EventWords::Own& known : event_words().own)
      if (known.name == event_.what) text = does(known.verb);
    if (event_.count > 0) text += ' ' + seen_cards(event_, game_, dealer::counted(event_.count, "card"));
    return event_.slot == 0 ? text : text + ' ' + slot();
  }

  std::string won() const {
    if (event_.slot != 0) return fmt::format("{} {} with {}", does("win"), slot(), event_.what);
    std::string text = fmt::format("{} {}", does("win"), event_.amount);
    if (!event_.half.empty()) text += fmt::format(" of the {} half", event_.half);
    if (event_.pot > 0) text += fmt::format("{} side pot {}", event_.half.empty() ? " from" : " of", event_.pot);
    return event_.what.empty() ? text : fmt::format("{} with {}", text, event_.what);
  }

  const Event& event_;
  const Game& game_;
  const Seats& seats_;
  const Style& style_;
};

}  // namespace

std::string places_text(const Event& event, const Game& game) {
  std::string text;
  for (const std::string_view place : {"front", "middle", "back", "discard"}) {
    std::vector<CardId> cards;
    for (std::size_t i = 0; i < event.cards.size(); ++i)
      if (event.places[i] == place) cards.push_back(event.cards[i]);
    if (!cards.empty()) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", sorted_text(cards, game), place);
  }
  return text;
}

std::string event_text(const Event& event, const Game& game, const Seats& seats, const Style& style) {
  return EventText(event, game, seats, style).text();
}

std::string event_line(const Event& event, const Game& game, const Seats& seats, const Style& style) {
  const std::string text = event_text(event, game, seats, style);
  const bool points = event.kind == Event::Kind::kHandEnded || event.kind == Event::Kind::kMatchEnded;
  return text.empty() ? text : (points ? wrap_list : wrap)(text, style.width) + '\n';
}

bool of_the_end(const Event& event) {
  using Kind = Event::Kind;
  return event.kind == Kind::kShown || event.kind == Kind::kMucked || event.kind == Kind::kWon ||
         event.kind == Kind::kHandEnded || event.kind == Kind::kMatchEnded;
}

std::vector<Event> events_of_hand(const Env& env, Viewer viewer) {
  std::vector<Event> events = env.events(viewer);
  const auto begun = std::find_if(events.rbegin(), events.rend(),
                                  [](const Event& event) { return event.kind == Event::Kind::kHandBegun; });
  if (begun != events.rend()) events.erase(events.begin(), std::prev(begun.base()));
  return events;
}

}  // namespace dealer::terminal
