#include "arena/studies/game_log.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>

#include "env/core/error.h"
#include "env/core/random.h"

namespace dealer::studies {
namespace {

constexpr std::string_view kEnd = "deals ";

template <class T>
std::optional<T> number(std::string_view text) {
  T value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

// The words of a line, one by one; empty at its end.
std::string_view take_word(std::string_view& line) {
  const std::size_t end = line.find(' ');
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  return word;
}

std::optional<std::int64_t> deals_of_end(std::string_view line) {
  if (!line.starts_with(kEnd)) return std::nullopt;
  return number<std::int64_t>(line.substr(kEnd.size()));
}

// The lines of a file that have an end, one after the other.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& file) : file_(file), stream_(file, std::ios::binary) {
    if (!stream_) fail();
  }

  bool next() {
    std::getline(stream_, line_);
    if (stream_.bad()) fail();
    return stream_.good();
  }
  const std::string& line() const { return line_; }

 private:
  [[noreturn]] void fail() const {
    throw FileError(fmt::format("cannot read {}: {}", file_.string(), std::generic_category().message(errno)));
  }

  const std::filesystem::path& file_;
  std::ifstream stream_;
  std::string line_;
};

// Plays the lines of a file, one after the other.
class Player {
 public:
  explicit Player(const Replay& replay) : replay_(replay) {}

  std::int64_t hands() const { return hands_; }
  // Whether `deals` deals have been played whole.
  bool stands_at(std::int64_t deals) const { return deal_ == deals && seating_ == 0 && hand_ == 0; }

  // False when this cannot be the next hand.
  bool play(std::string_view line) {
    if (number<std::int64_t>(take_word(line)) != deal_) return false;
    // Where a deal is played once, the seatings take turns, which the line tells.
    const auto seating = number<int>(take_word(line));
    if (!seating || *seating < 0 || (replay_.games_per_deal > 1 && *seating != seating_)) return false;
    if (number<int>(take_word(line)) != hand_) return false;
    if (!take_game()) return false;
    if (hand_ == 0)
      replay_.deal(*env_, derive(replay_.seed, static_cast<std::uint64_t>(deal_)), *seating);
    else
      env_->next_hand();
    while (!line.empty()) {
      const std::string_view word = take_word(line);
      const bool is_amount = word.starts_with('=');
      const auto value = number<Amount>(word.substr(is_amount ? 1 : 0));
      if (!value || env_->hand_over()) return false;
      if (!is_amount && (*value < 0 || *value >= game().num_actions())) return false;
      env_->step(is_amount ? Decision::bet_to(*value) : Decision(static_cast<Action>(*value)), step_);
    }
    if (!env_->hand_over()) return false;
    replay_.hand(deal_, env_->events(kOmniscient));
    ++hands_;
    next();
    return true;
  }

 private:
  const Game& game() const { return *replay_.games[static_cast<std::size_t>(game_)]; }

  // Takes the game of the deal; false when there is none.
  bool take_game() {
    const auto games = static_cast<std::int64_t>(replay_.games.size());
    const std::int64_t wanted = games == 1 ? 0 : deal_ / replay_.deals_each;
    if (wanted >= games) return false;
    if (wanted == game_) return true;
    game_ = static_cast<int>(wanted);
    env_ = game().new_env({.hold_hands = true});
    if (replay_.begin_game) replay_.begin_game(game_);
    return true;
  }

  void next() {
    ++hand_;
    if (!env_->terminated()) return;
    hand_ = 0;
    if (++seating_ < replay_.games_per_deal) return;
    seating_ = 0;
    ++deal_;
  }

  const Replay& replay_;
  std::unique_ptr<Env> env_;
  Step step_;
  std::int64_t deal_ = 0, hands_ = 0;
  int seating_ = 0, hand_ = 0;
  int game_ = -1;
};

}  // namespace

std::string line_of(const PlayedHand& hand) {
  std::string line = fmt::format("{} {} {}", hand.deal, hand.seating, hand.hand);
  for (const PlayedDecision& taken : hand.decisions) {
    if (taken.decision.is_amount())
      line += fmt::format(" ={}", taken.decision.amount);
    else
      line += fmt::format(" {}", taken.decision.action);
  }
  return line + '\n';
}

std::string end_line(std::int64_t deals) { return fmt::format("{}{}\n", kEnd, deals); }

LogExtent extent_of_log(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return {};
  LogExtent extent;
  std::uintmax_t bytes = 0;
  for (Lines lines(file); lines.next();) {
    bytes += lines.line().size() + 1;
    if (const auto deals = deals_of_end(lines.line())) extent = {*deals, bytes};
  }
  return extent;
}

std::int64_t replay_log(const std::filesystem::path& file, const Replay& replay) {
  Player player(replay);
  std::int64_t number = 0;
  for (Lines lines(file); lines.next();) {
    ++number;
    const auto fail = [&](const std::string& what) {
      throw FileError(fmt::format("{}:{}: {}; start again in another folder", file.string(), number, what));
    };
    const auto deals = deals_of_end(lines.line());
    if (deals && !player.stands_at(*deals)) fail("the deals above it are not so many");
    if (deals) continue;
    try {
      if (!player.play(lines.line())) fail("this is not the next hand of the study");
    } catch (const IllegalAction& illegal) {
      fail(illegal.what());
    }
  }
  return player.hands();
}

}  // namespace dealer::studies
