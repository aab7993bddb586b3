#include "frontends/terminal/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <istream>
#include <ostream>
#include <utility>

#include "agents/agent.h"
#include "env/core/counted.h"
#include "env/core/error.h"
#include "frontends/terminal/commands.h"
#include "frontends/terminal/event_text.h"
#include "frontends/terminal/screen_text.h"

namespace dealer::terminal {

Session::Session(GamePtr game, SessionOptions options, std::istream& in, std::ostream& out)
    : game_(std::move(game)),
      options_(std::move(options)),
      in_(in),
      out_(out),
      table_(game_, options_.seed),
      env_(table_.env()) {
  const auto others = static_cast<std::size_t>(game_->players() - 1);
  if (options_.opponents.size() != others)
    throw UsageError(
        fmt::format("{} opponents given; '{}' has room for {}", options_.opponents.size(), game_->spec(), others));
  seats_.names.emplace_back("you");
  agents_.emplace_back(options_.adviser->make(), seats_.me);
  for (const AgentFactoryPtr& opponent : options_.opponents) {
    const auto alike = std::count_if(options_.opponents.begin(), options_.opponents.end(),
                                     [&](const AgentFactoryPtr& other) { return other->spec() == opponent->spec(); });
    seats_.names.push_back(alike == 1 ? opponent->spec() : fmt::format("{} {}", opponent->spec(), agents_.size()));
    agents_.emplace_back(opponent->make(), static_cast<Seat>(agents_.size()));
  }
  view_ = make_table_view(*game_, seats_, options_.style);
}

void Session::run() {
  greet();
  Answer answer = Answer::kGoOn;
  while (answer == Answer::kGoOn) {
    deal();
    answer = play_hand();
    if (answer == Answer::kGoOn && options_.hands > 0 && hands_ >= options_.hands) break;
    if (answer == Answer::kGoOn) answer = pause();
  }
  score(true);
  out_.flush();
  for (const AgentFactoryPtr& opponent : options_.opponents)
    agents_[static_cast<std::size_t>(&opponent - options_.opponents.data()) + 1].expect_decisions(opponent->spec());
}

void Session::deal() {
  const bool new_match = hands_ > 0 && table_.match_over();
  say(fmt::format("\n{}\n",
                  bold(fmt::format("Hand {}{}", hands_ + 1, new_match ? ", a new match" : ""), options_.style)));
  if (table_.deal()) {
    observed_ = {};
    for (std::size_t seat = 0; seat < agents_.size(); ++seat) {
      agents_[seat].begin_episode(table_.agent_seed(static_cast<Seat>(seat)));
      report(static_cast<Seat>(seat));
    }
  }
}

Session::Answer Session::play_hand() {
  show_events();
  while (!env_.hand_over()) {
    const Seat seat = env_.current_player();
    if (seat == seats_.me) {
      if (own_turn() == Answer::kQuit) return Answer::kQuit;
    } else {
      table_.add_move(seat, agents_[static_cast<std::size_t>(seat)].play(env_));
      report(seat);
    }
    show_events();
  }
  end_hand();
  return Answer::kGoOn;
}

void Session::show_events() {
  take_width();
  for (const Event& event : env_.events(seats_.me, std::exchange(observed_, env_.cursor()))) {
    const std::string line = view_->line_of(env_, event);
    if (!line.empty()) say(line + '\n');
  }
}

void Session::report(Seat seat) {
  SeatedAgent& agent = agents_[static_cast<std::size_t>(seat)];
  const std::string failure = agent.take_failure();
  if (failure.empty()) return;
  const bool adviser = seat == seats_.me;
  say(fmt::format("{} failed: {}; {} to the end of the {}\n", adviser ? options_.adviser->spec() : seats_.name(seat),
                  failure, adviser ? "no hints" : "stand-in moves are played for it",
                  agent.forfeits() ? "episode" : "hand"));
}

Session::Answer Session::own_turn() {
  view_->begin_turn(env_);
  show_table();
  while (true) {
    const std::optional<std::string> line = ask(prompt(), view_->words(env_));
    if (!line) return Answer::kQuit;
    try {
      if (turn_command(*line)) break;
    } catch (const UsageError& error) {
      say(fmt::format("{}\n", error.what()));
    }
    if (quit_) return Answer::kQuit;
  }
  play_plan();
  return Answer::kGoOn;
}

std::string Session::prompt() const {
  if (!view_->complete()) return "> ";
  return view_->at_once() ? view_->question(env_) + "? (y/n) " : "confirm? ";
}

std::string Session::turn_command_of(const std::string& line) const {
  if (view_->complete() && is_yes(line)) return "confirm";
  if (view_->complete() && is_no(line)) return "undo";
  // If actions are played at once there is rarely anything to confirm, and "c" means call.
  std::string command = command_of(line);
  if (!command.empty() && !(view_->at_once() && lower_case(line) == "c")) return command;
  const std::vector<std::string> words = view_->words(env_);
  const bool begins_word = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return lower_case(word).starts_with(lower_case(line));
  });
  return begins_word ? std::string() : command_begun(line);
}

bool Session::turn_command(const std::string& line) {
  const std::string command = turn_command_of(line);
  if (line.empty() || command == "confirm") {
    // An accidental key must not bet everything.
    if (view_->complete() && (!line.empty() || !view_->at_once())) return true;
    say(view_->complete() ? "y plays it, n takes it back\n"
                          : fmt::format("not yet: {}; 'help' says how\n", view_->missing()));
    return false;
  }
  if (common_command(command)) return false;
  if (command == "hint" || command == "solve") {
    hint();
    return false;
  }
  if (command == "take" || command == kTakeSampled) {
    view_->adopt(env_, advice(command == "take" ? How::kLikeliest : How::kSampled));
  } else if (command == "undo") {
    if (!view_->undo()) throw UsageError("there is nothing to undo: confirmed moves stand");
  } else {
    try {
      view_->enter(env_, line);
    } catch (const UsageError& error) {
      throw UsageError(error.what() + likely_command(line));
    }
  }
  return play_or_ask();
}

bool Session::play_or_ask() {
  if (!view_->at_once() || !view_->complete()) {
    show_table();
    return false;
  }
  return view_->question(env_).empty();
}

bool Session::common_command(const std::string& command) {
  if (command == "help") {
    help();
  } else if (command == "score") {
    score(false);
  } else if (command == "rules") {
    say(view_->rules());
  } else if (command == "quit") {
    quit_ = true;
  } else {
    return false;
  }
  return true;
}

void Session::play_plan() {
  do {
    table_.play(view_->next_decision(env_));
  } while (view_->turn_goes_on(env_));
}

void Session::end_hand() {
  ++hands_;
  take_width();
  const std::string result = view_->hand_result(env_);
  if (!result.empty()) say('\n' + result);
  for (std::size_t seat = 0; seat < agents_.size(); ++seat) {
    agents_[seat].end_hand(env_);
    report(static_cast<Seat>(seat));
  }
  if (options_.log) options_.log(table_.played(env_.events(kOmniscient, table_.first_event())), seats_.names);
  score(false);
}

Session::Answer Session::pause() {
  while (true) {
    take_width();
    constexpr int kNarrow = 50;  // columns that leave no room after the long prompt
    const bool narrow = options_.style.width > 0 && options_.style.width < kNarrow;
    const std::optional<std::string> line =
        ask(narrow ? "Enter deals, quit ends > " : "Enter deals the next hand, quit ends > ");
    if (!line) return Answer::kQuit;
    if (line->empty()) return Answer::kGoOn;
    const std::string command = command_of(*line);
    if (!common_command(command.empty() ? command_begun(*line) : command))
      say("Enter deals; help, score, rules and quit work here, too\n");
    if (quit_) return Answer::kQuit;
  }
}

std::optional<std::string> Session::ask(const std::string& prompt, std::vector<std::string> words) {
  if (options_.lines != nullptr) {
    for (const std::string& command : command_names()) words.push_back(command);
    out_.flush();
    if (!out_) throw FileError("cannot write to the terminal");
    std::optional<std::string> line = options_.lines->read(prompt, words);
    if (!line) say("\n");
    return line;
  }
  say(prompt);
  out_.flush();
  std::string line;
  if (!out_ || !std::getline(in_, line)) {
    say("\n");
    return std::nullopt;
  }
  line = clean_line(line);
  if (options_.echo) say(line + '\n');
  return line;
}

void Session::greet() {
  std::string text = "You play " + game_->spec() + " against";
  for (std::size_t seat = 1; seat < seats_.names.size(); ++seat)
    text += fmt::format("{} {}", seat == 1 ? "" : " and", seats_.names[seat]);
  say(fmt::format("{}; seed {}. Type 'help' for the commands.\n", text, options_.seed));
  if (!options_.notice.empty()) say(options_.notice + '\n');
}

void Session::help() {
  say(view_->how_to_type());
  if (!view_->at_once())
    say("  Enter, confirm   plays the complete plan: from then on it stands\n"
        "  undo             takes the last thing planned back\n");
  say("  hint             the adviser's choice, and why\n  take             does what the adviser does most often\n  "
      "take sampled     does what the adviser does now: one of its choices, drawn by its probabilities\n  score        "
      "    the points so far\n  rules            the rules in short\n  quit             leaves the table\n");
}

void Session::score(bool final) {
  std::string text = final ? fmt::format("After {}:", counted(hands_, "hand")) : "Score:";
  const std::vector<double> won = points();
  for (std::size_t seat = 0; seat < won.size(); ++seat)
    text += fmt::format("{} {} {}", seat == 0 ? "" : ",", seats_.names[seat], signed_points(won[seat], options_.style));
  take_width();
  say(wrap_list(text + '\n', options_.style.width));
}

void Session::take_width() {
  if (!options_.width) return;
  options_.style.width = options_.width();
  view_->set_width(options_.style.width);
}

void Session::show_table() {
  take_width();
  say('\n' + view_->picture(env_));
}

void Session::say(std::string_view text) {
  take_width();
  // Thrown here rather than while waiting for input, so that the reason is known.
  errno = 0;
  if (out_ << wrap(text, options_.style.width) << std::flush) return;
  if (errno == EPIPE) throw ClosedPipe("cannot write to the terminal");
  throw FileError("cannot write to the terminal");
}

}  // namespace dealer::terminal
