#include "train/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iostream>

#include "env/core/wall_seconds.h"

namespace dealer {
namespace {

constexpr double kFirstLine = 1;  // seconds until the first plain line
constexpr double kBetweenBars = 0.1;
constexpr int kShortestBar = 10;
constexpr int kLongestBar = 40;

std::string bar(double share, int length) {
  const int full = static_cast<int>(share * length);
  std::string text(static_cast<std::size_t>(full), '=');
  if (full < length) text += '>';
  text.resize(static_cast<std::size_t>(length), ' ');
  return "[" + text + "]";
}

}  // namespace

ProgressOptions ProgressOptions::standard(std::string unit, bool quiet) {
  ProgressOptions options;
  options.unit = std::move(unit);
  options.quiet = quiet;
  options.terminal = ::isatty(STDERR_FILENO) != 0;
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) options.width = size.ws_col;
  options.out = &std::cerr;
  options.clock = wall_seconds;
  options.ticks = options.terminal && !quiet;
  return options;
}

Progress::Progress(std::string title, std::int64_t total, ProgressOptions options, std::int64_t first)
    : title_(std::move(title)),
      total_(total),
      first_(first),
      options_(std::move(options)),
      start_(options_.clock()),
      next_(start_ + (options_.terminal ? 0 : std::min(kFirstLine, options_.plain_seconds))),
      done_(first) {
  if (options_.ticks) ticker_ = std::thread([this] { tick(); });
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  if (ticker_.joinable()) ticker_.join();
  if (open_) *options_.out << std::endl;
}

void Progress::update(std::int64_t done, std::span<const Figure> figures) {
  if (options_.quiet) return;
  const std::lock_guard lock(mutex_);
  done_ = done;
  if (!figures.empty()) figures_.assign(figures.begin(), figures.end());
  draw_if_due();
}

void Progress::count_decisions(std::int64_t decisions) {
  if (options_.quiet) return;
  const std::lock_guard lock(mutex_);
  decisions_ += decisions;
  draw_if_due();
}

void Progress::note(std::string text) {
  const std::lock_guard lock(mutex_);
  note_ = std::move(text);
}

void Progress::draw_if_due() {
  current_ = false;
  if (!over_ && options_.clock() >= next_) draw();
}

void Progress::tick() {
  constexpr std::chrono::seconds kBetween{1};
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kBetween, [this] { return over_; })) draw_if_due();
}

void Progress::finish() {
  const std::lock_guard lock(mutex_);
  over_ = true;
  if (!drawn_ || options_.quiet) return;
  if (!current_) draw();
  if (open_) *options_.out << std::endl;
  open_ = false;
}

void Progress::draw() {
  next_ = options_.clock() + (options_.terminal ? kBetweenBars : options_.plain_seconds);
  drawn_ = true;
  current_ = true;
  open_ = options_.terminal;
  if (options_.terminal) {
    *options_.out << '\r' << line() << "\x1b[K" << std::flush;
  } else {
    *options_.out << line() << std::endl;
  }
}

// "ofc  42% [=====>     ] 1.26M/3M hands  12.3k/s  2:21 left  loss 0.012": on a terminal with the bar and as many
// values as its width allows, otherwise with all values and no bar.
std::string Progress::line() const {
  const double elapsed = std::max(1e-9, options_.clock() - start_);
  const double rate = static_cast<double>(done_ - first_) / elapsed;
  const double share =
      total_ > 0 ? std::clamp(static_cast<double>(done_) / static_cast<double>(total_), 0.0, 1.0) : 0.0;
  std::string head = title_;
  std::string tail = short_count(static_cast<double>(done_));
  if (total_ > 0) {
    head += fmt::format(" {:3.0f}%", std::floor(share * 100));
    tail += "/" + short_count(static_cast<double>(total_));
  }
  tail += fmt::format(" {}  {}/s  {}", options_.unit, short_count(rate), short_duration(elapsed));
  if (total_ > done_ && rate > 0) {
    tail += fmt::format("  {} left", short_duration(static_cast<double>(total_ - done_) / rate));
  }
  const int bar_width = total_ > 0 && options_.terminal ? kShortestBar + 3 : 0;
  // The last column stays free: many terminals wrap after writing it.
  const auto room = static_cast<std::size_t>(std::max(0, options_.width - 1));
  std::vector<std::string> figures;
  if (!note_.empty()) figures.push_back(note_);
  if (decisions_ > 0) figures.push_back(short_count(static_cast<double>(decisions_)) + " decisions");
  for (const auto& [name, value] : figures_) figures.push_back(fmt::format("{} {:.4g}", name, value));
  for (const std::string& figure : figures) {
    const std::size_t width = head.size() + static_cast<std::size_t>(bar_width) + tail.size() + figure.size() + 3;
    if (options_.terminal && width > room) break;
    tail += "  " + figure;
  }
  if (!options_.terminal) return head + "  " + tail;
  const int free = static_cast<int>(room) - static_cast<int>(head.size() + tail.size()) - 4;
  if (total_ > 0 && free >= kShortestBar) head += " " + bar(share, std::min(free, kLongestBar));
  return (head + " " + tail).substr(0, room);
}

std::string short_count(double value) {
  constexpr std::array<const char*, 5> kUnits = {"", "k", "M", "G", "T"};
  std::size_t unit = 0;
  // 999.5 would be written as 1000.
  while (std::abs(value) >= 999.5 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.3g}{}", value, kUnits[unit]);
}

std::string short_duration(double seconds) {
  constexpr double kLongest = 1e9;
  const auto s = static_cast<std::int64_t>(std::clamp(seconds, 0.0, kLongest));
  if (s >= 86400) return fmt::format("{}d {:02}:{:02}", s / 86400, s / 3600 % 24, s / 60 % 60);
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

}  // namespace dealer
