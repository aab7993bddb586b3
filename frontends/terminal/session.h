#pragma once

#include <cstdint>
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
#include "frontends/phh/history.h"
#include "frontends/seated_agent.h"
#include "frontends/terminal/line_reader.h"
#include "frontends/terminal/table_view.h"

namespace dealer::terminal {

struct SessionOptions {
  // One for every opponent, in the order of the seats left of the person.
  std::vector<AgentFactoryPtr> opponents;
  // Whose advice `hint` gives.
  AgentFactoryPtr adviser;
  // What the choices of a turn are worth to the adviser. begun: the table before the first decision of the hand;
  // played: all decisions since then, the adviser's own for the turn behind them. Throws UsageError with the reason
  // where that cannot be told. Empty: nobody tells.
  std::function<ActionValues(const Env& begun, std::span<const Decision> played)> values;
  // Said before the first hand; empty: nothing.
  std::string notice;
  // The same seed and the same play give the same cards.
  std::uint64_t seed = 0;
  // Ends after so many hands; 0: when the person quits.
  int hands = 0;
  Style style;
  // The terminal's columns, asked for whenever something is drawn or said; without it style.width stays.
  std::function<int()> width;
  // Reads the lines instead of the session's input, for instance an editor; must outlive the session.
  LineReader* lines = nullptr;
  // Repeats what was read, so that the output reads well when the input is no terminal.
  bool echo = false;
  // Called with every hand when it is over, and the names of those who sit there.
  std::function<void(const phh::HandPlayed&, const std::vector<std::string>&)> log;
};

// A person at seat 0 against agents, hand after hand, until they quit or the input ends.
class Session {
 public:
  // Throws UsageError when there is not one opponent for every other seat.
  Session(GamePtr game, SessionOptions options, std::istream& in, std::ostream& out);
  // Throws FileError when the output cannot be written; at the end AgentError where an opponent that failed has not
  // decided a single time.
  void run();

  // Hands that were played to their end, and what every seat has won in them.
  int hands() const { return hands_; }
  std::vector<double> points() const;

 private:
  enum class Answer { kGoOn, kQuit };
  enum class How { kLikeliest, kSampled };

  // The next hand, of the next episode where one is over.
  void deal();
  void deal_episode();
  void deal_cards();
  Answer play_hand();
  Answer own_turn();
  void other_turn(Seat seat);
  void play_plan();
  void end_hand();
  void log_hand();
  Answer pause();
  // What has happened since the person was told last.
  void tell();
  // What went wrong with an agent, and what comes of it.
  void report(Seat seat);

  // A line of input, nothing at its end. `words` may begin it, beside the commands.
  std::optional<std::string> ask(const std::string& prompt, std::vector<std::string> words = {});
  std::string prompt() const;
  // Commands that are the same at any time; false when it is none of them.
  bool common_command(const std::string& command);
  // The command that a line means in a turn; empty when it is for the view.
  std::string turn_command_of(const std::string& line) const;
  // Takes a line typed during a turn; true when the turn is to be played.
  bool turn_command(const std::string& line);
  // Of a complete turn that may be played, or has to wait for an answer.
  bool play_or_ask();
  void hint();
  void take_hint(How how);
  // The whole turn's, each decision the adviser's after those before it: its likeliest, or what it does now. Throws
  // UsageError when the adviser fails.
  std::vector<Decision> advice(How how);
  // What the choices of the turn are worth, or why that is not told; empty where nobody tells.
  std::string worth(const std::vector<double>& policy, std::span<const Decision> turn);
  void greet();
  void help();
  void score(bool final);
  void say(std::string_view text);
  void show_table();
  // People make their terminals wider and narrower while they play.
  void take_width();

  GamePtr game_;
  SessionOptions options_;
  std::istream& in_;
  std::ostream& out_;
  Seats seats_;
  std::unique_ptr<TableView> view_;
  std::unique_ptr<Env> env_;
  std::vector<SeatedAgent> agents_;  // by seat; the person's is the adviser
  EventCursor told_;
  std::vector<double> earlier_points_;  // of the episodes before
  std::uint64_t episodes_ = 0;
  std::uint64_t episode_seed_ = 0;   // of the episode in progress
  Seat dealer_ = -1;                 // of the last hand; -1: there is none
  bool match_over_ = false;          // the episode before ended as a match
  std::unique_ptr<Env> hand_begun_;  // before the first decision
  // Of the hand in progress, for the log.
  EventCursor begun_;
  std::vector<double> points_before_;
  std::vector<std::pair<Seat, std::string>> moves_;
  int hands_ = 0;
  bool quit_ = false;
};

}  // namespace dealer::terminal
