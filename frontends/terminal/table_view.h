#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/core/game.h"
#include "frontends/terminal/style.h"

namespace dealer::terminal {

// Who sits where, by seat; the person is at `me`.
struct Seats {
  std::vector<std::string> names;
  Seat me = 0;
  const std::string& name(Seat seat) const { return names[static_cast<std::size_t>(seat)]; }
};

// How one game looks in the terminal and how a turn of it is typed. A turn is everything one player decides before
// anybody else acts or anything new is seen; it is planned first, and where the view says so played only when
// confirmed.
class TableView {
 public:
  explicit TableView(const Style& style) : style_(style) {}
  virtual ~TableView() = default;
  TableView(const TableView&) = delete;
  TableView& operator=(const TableView&) = delete;

  // The terminal's columns from now on.
  void set_width(int columns) { style_.width = columns; }

  // The table as `seats.me` may see it, the plan included. Ends with a newline.
  virtual std::string picture(const Env& env) const = 0;

  // A turn of `seats.me` begins: there is no plan yet.
  virtual void begin_turn(const Env& env) = 0;
  // Takes what was typed into the plan. Throws ParseError or IllegalAction and changes nothing when that cannot be.
  virtual void enter(const Env& env, std::string_view text) = 0;
  // Takes these decisions, the whole turn's, for the plan.
  virtual void adopt(const Env& env, std::span<const Decision> decisions) = 0;
  // Forgets what was entered last; false when there is nothing to forget.
  virtual bool undo() = 0;
  virtual bool complete() const = 0;
  // Whether a complete turn is played without being confirmed, but for what question() asks.
  virtual bool at_once() const { return false; }
  // Whether advice is given decision by decision, also in a turn of several.
  virtual bool advised_one_by_one() const { return false; }
  // What to ask before a complete turn is played at once, without a mark at its end; empty when nothing.
  virtual std::string question(const Env&) const { return {}; }
  // Words that a line may begin with in this turn, for completion.
  virtual std::vector<std::string> words(const Env&) const { return {}; }
  // What is still to be decided, for an incomplete plan: "2 cards to place".
  virtual std::string missing() const = 0;
  // The next decision of a complete plan.
  virtual Decision next_decision(const Env& env) const = 0;
  // Whether the turn that has begun asks for another decision at `now`, which some of its decisions have led to.
  virtual bool turn_goes_on(const Env& now) const = 0;

  // These decisions, played one after the other from `start`, in a line.
  virtual std::string describe(const Env& start, std::span<const Decision> decisions) const = 0;
  // What a hint tells of the chances of the player to act: lines, or nothing.
  virtual std::string chances(const Env&) const { return {}; }
  // An event in a line; empty when the pictures and hand_result() tell it.
  virtual std::string told(const Env& env, const Event& event) const = 0;
  // The hand at whose end the table is held, beyond its events; empty or lines.
  virtual std::string hand_result(const Env& env) const = 0;

  // The rules in short, and how a turn is typed. End with newlines.
  virtual std::string rules() const = 0;
  virtual std::string how_to_type() const = 0;

 protected:
  const Style& style() const { return style_; }

 private:
  Style style_;
};

// What the terminal draws for a family of games in a way of its own; null: as for any game.
struct GameTable {
  std::unique_ptr<TableView> (*view)(const Game& game, const Seats& seats, const Style& style) = nullptr;
  std::string (*replay)(const Game& game, std::span<const Event> events, const Seats& seats,
                        const Style& style) = nullptr;
  std::string (*cards)(const Env& env, Seat seat, const Style& style) = nullptr;
};
// By the key `game:` of the family's files.
using GameTables = std::map<std::string, GameTable, std::less<>>;
const GameTables& game_tables();
// Calls register_FOLDER() of every folder in frontends/terminal with a view.cc. CMake writes it
// (cmake/registrations.cmake).
void register_tables(GameTables& tables);

// The view made for that game; of any other game the one that shows what the game says of itself.
std::unique_ptr<TableView> make_table_view(const Game& game, const Seats& seats, const Style& style);

// The cards that a seat has to decide about, hand and board, drawn as on the table: lines, or nothing where the game
// has no table of its own.
std::string cards_text(const Env& env, Seat seat, const Style& style);

// A hand that was played, street by street on the table that `dealer play` draws, with all the cards that its events
// tell. seats.me is -1 where nobody of the players is looking. Ends with a newline; no line is wider than the style
// says.
std::string hand_replay_text(const Game& game, std::span<const Event> events, const Seats& seats, const Style& style);

}  // namespace dealer::terminal
