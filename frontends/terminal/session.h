#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "agents/evaluator.h"
#include "frontends/dealt_table.h"
#include "frontends/phh/history.h"
#include "frontends/seated_agent.h"
#include "frontends/terminal/line_reader.h"
#include "frontends/terminal/table_view.h"

namespace dealer::terminal {

struct SessionOptions {
  // One per opponent, in the order of the seats left of the person.
  std::vector<AgentFactoryPtr> opponents;
  // The agent whose advice `hint` gives.
  AgentFactoryPtr adviser;
  // The adviser's values of the choices of a turn. begun: the table before the first decision of the hand; played: all
  // decisions since then, followed by the adviser's own for the turn. Throws UsageError with the reason if there are no
  // values. Empty: values are not shown.
  std::function<ActionValues(const Env& begun, std::span<const Decision> played)> values;
  // Text shown before the first hand; empty: none.
  std::string notice;
  // The same seed and the same decisions give the same cards.
  std::uint64_t seed = 0;
  // Number of hands to play; 0: until the person quits.
  int hands = 0;
  Style style;
  // The terminal's columns, queried at every output; without it style.width is constant.
  std::function<int()> width;
  // Reads the lines in place of the session's input, such as an editor; must outlive the session.
  LineReader* lines = nullptr;
  // Echoes the input, so that the output is readable when the input is not a terminal.
  bool echo = false;
  // Called with every finished hand and the names of the players.
  std::function<void(const phh::HandPlayed&, const std::vector<std::string>&)> log;
};

// A person at seat 0 against agents, hand after hand, until they quit or the input ends.
class Session {
 public:
  // Throws UsageError unless there is one opponent for every other seat.
  Session(GamePtr game, SessionOptions options, std::istream& in, std::ostream& out);
  // Throws FileError when the output cannot be written; at the end AgentFailure if an opponent has failed without a
  // single decision.
  void run();

  // Number of finished hands, and the points each seat has won in them.
  int hands() const { return hands_; }
  std::vector<double> points() const { return table_.points(); }

 private:
  enum class Answer { kGoOn, kQuit };
  enum class How { kLikeliest, kSampled };

  // Deals the next hand, of the next episode if one is over.
  void deal();
  Answer play_hand();
  Answer own_turn();
  void play_plan();
  void end_hand();
  Answer pause();
  // Shows the events since the person's last update.
  void show_events();
  // Reports the failure of an agent and its consequence.
  void report(Seat seat);

  // Reads a line of input, nothing at its end. `words`: possible first words, besides the commands.
  std::optional<std::string> ask(const std::string& prompt, std::vector<std::string> words = {});
  std::string prompt() const;
  // Commands available at any time; false when it is none of them.
  bool common_command(const std::string& command);
  // The command that a line means in a turn; empty if the line is input for the view.
  std::string turn_command_of(const std::string& line) const;
  // Takes a line typed during a turn; true when the turn is to be played.
  bool turn_command(const std::string& line);
  // Plays a complete turn if allowed, or asks for confirmation; true when it was played.
  bool play_or_ask();
  void hint();
  // The adviser's decisions for the whole turn, each after the previous ones: its likeliest, or sampled ones. Throws
  // UsageError when the adviser fails.
  std::vector<Decision> advice(How how);
  // The values of the choices of the turn, or the reason why there are none; empty without SessionOptions::values.
  std::string worth(const std::vector<double>& policy, std::span<const Decision> turn);
  void greet();
  void help();
  void score(bool final);
  void say(std::string_view text);
  void show_table();
  // Updates the width: people resize their terminals while they play.
  void take_width();

  GamePtr game_;
  SessionOptions options_;
  std::istream& in_;
  std::ostream& out_;
  Seats seats_;
  std::unique_ptr<TableView> view_;
  DealtTable table_;
  Env& env_;                        // of table_
  std::deque<SeatedAgent> agents_;  // by seat; the one at the person's seat is the adviser
  EventCursor observed_;            // by the person
  int hands_ = 0;
  bool quit_ = false;
};

}  // namespace dealer::terminal
