#include "frontends/terminal/hand_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "env/games/ofc/game.h"
#include "env/games/poker/game.h"
#include "env/games/small/game.h"
#include "frontends/terminal/betting_text.h"
#include "frontends/terminal/event_text.h"
#include "frontends/terminal/ofc_plan.h"
#include "frontends/terminal/ofc_text.h"
#include "frontends/terminal/screen_text.h"

namespace dealer::terminal {
namespace {

using Kind = Event::Kind;

bool of_the_end(const Event& event) {
  return event.kind == Kind::kShown || event.kind == Kind::kMucked || event.kind == Kind::kWon ||
         event.kind == Kind::kHandEnded || event.kind == Kind::kMatchEnded;
}

class ReplayTeller {
 public:
  ReplayTeller(const Game& game, std::span<const Event> events, const Seats& seats, const Style& style)
      : game_(game), events_(events.begin(), events.end()), seats_(seats), style_(style) {
    // Histories do not tell which hand of a match it was.
    for (Event& event : events_)
      if (event.kind == Kind::kHandBegun) event.hand = -1;
  }

  // A street: what is dealt and drawn, the table, and what is bet then.
  std::string betting() {
    BettingTable table;
    bool drawn = true;  // the table, as the cards of the street lie
    int street = 0;
    for (const Event& event : events_) {
      if (of_the_end(event)) continue;
      const bool bets = event.kind == Kind::kActed || event.what == "bring_in";
      if (event.street != street || bets) {
        if (!drawn) draw(table);
        drawn = true;
      }
      if (event.street != street) text_ += '\n';
      street = event.street;
      table.see(event);
      // Before the first bet of a street; cards that come later in it change the table again.
      if (event.kind == Kind::kDealt || event.kind == Kind::kDrew || event.kind == Kind::kDiscarded) drawn = false;
      // Cards that were dealt lie on the table.
      if (event.kind != Kind::kDealt || event.seat < 0) tell(event);
    }
    if (!drawn) draw(table);
    const bool over =
        std::any_of(events_.begin(), events_.end(), [](const Event& e) { return e.kind == Kind::kHandEnded; });
    return over ? text_ + '\n' + hand_end_text(events_, game_, seats_, style_) : text_;
  }

  std::string ofc(const ofc::GameRules& rules) {
    std::vector<ofc::Board> boards(seats_.names.size());
    CardSet placed = 0;
    int street = 0;
    for (const Event& event : events_) {
      if (event.kind == Kind::kPlaced && event.street != street) {
        if (placed != 0) draw_boards(boards, rules, placed);
        placed = 0;
        street = event.street;
      }
      if (event.kind == Kind::kPlaced) {
        place(event, boards[static_cast<std::size_t>(event.seat)], placed);
      } else if (of_the_end(event)) {
        if (placed != 0) draw_boards(boards, rules, placed);
        placed = 0;
      }
      if (event.kind != Kind::kShown) tell(event);
    }
    if (placed != 0) draw_boards(boards, rules, placed);
    return text_;
  }

  std::string other() {
    for (const Event& event : events_) tell(event);
    return text_;
  }

 private:
  void tell(const Event& event) {
    const std::string line = event_text(event, game_, seats_, style_);
    const bool points = event.kind == Kind::kHandEnded || event.kind == Kind::kMatchEnded;
    if (!line.empty()) text_ += (points ? wrap_list : wrap)(line, style_.width) + '\n';
  }

  void draw(const BettingTable& table) { text_ += '\n' + table_text(table, game_, seats_, style_) + '\n'; }

  static void place(const Event& event, ofc::Board& board, CardSet& placed) {
    for (std::size_t i = 0; i < event.cards.size(); ++i) {
      const auto row = std::find(kPlaceNames.begin(), kPlaceNames.end(), event.places[i]) - kPlaceNames.begin();
      if (row >= ofc::kRows) continue;
      board.row[static_cast<std::size_t>(row)] |= bit(event.cards[i]);
      placed |= bit(event.cards[i]);
    }
  }

  // The cards of this street are marked.
  void draw_boards(const std::vector<ofc::Board>& boards, const ofc::GameRules& rules, CardSet placed) {
    for (std::size_t seat = 0; seat < boards.size(); ++seat)
      if (boards[seat].cards() != 0)
        text_ += '\n' + bold(seats_.names[seat], style_) + '\n' +
                 wrap(board_text(boards[seat], rules, style_, placed), style_.width);
    text_ += '\n';
  }

  const Game& game_;
  std::vector<Event> events_;
  const Seats& seats_;
  const Style& style_;
  std::string text_;
};

}  // namespace

std::string hand_replay_text(const Game& game, std::span<const Event> events, const Seats& seats, const Style& style) {
  ReplayTeller teller(game, events, seats, style);
  if (poker::as_poker(game) != nullptr || small::as_small(game) != nullptr) return teller.betting();
  if (const ofc::Game* ofc = ofc::as_ofc(game)) return teller.ofc(ofc->rules());
  return teller.other();
}

}  // namespace dealer::terminal
