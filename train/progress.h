#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace dealer {

// A live figure beside the bar: name and value.
using Figure = std::pair<std::string, double>;

struct ProgressOptions {
  std::string unit = "steps";
  bool quiet = false;         // say nothing at all
  bool terminal = false;      // a bar redrawn in place; otherwise a plain line now and then
  int width = 80;             // of the terminal, in columns
  double plain_seconds = 10;  // between plain lines
  bool ticks = false;         // drawn anew each second by a thread of its own, so that the clock runs in long steps
  std::ostream* out = nullptr;
  std::function<double()> clock;  // seconds from any start

  // On stderr: a bar if it is a terminal, as wide as that is.
  static ProgressOptions standard(std::string unit, bool quiet);
};

// How far long work has come: rate, time left, live figures. A bar is there at once; the first plain line is due after
// a second, and work that is over before shows none. May be told of progress in any thread.
class Progress {
 public:
  // `total` 0: nobody knows. `first`: what was done before (a job that goes on), which does not count for the rate.
  Progress(std::string title, std::int64_t total, ProgressOptions options, std::int64_t first = 0);
  // Leaves the bar's line, so that what is printed next starts on its own.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // May be called at any rate: draws at most ten times a second.
  void update(std::int64_t done, std::span<const Figure> figures = {});
  // So many more decisions, counted beside `done`, which stands still where a unit of work has many of them.
  void count_decisions(std::int64_t decisions);
  // A figure in words, which stands before the others from now on: how strong a learner is.
  void note(std::string text);
  // The last state, and a new line.
  void finish();

 private:
  void draw_if_due();
  void draw();
  void tick();
  std::string line() const;

  std::string title_;
  std::int64_t total_;
  std::int64_t first_;
  ProgressOptions options_;
  double start_;
  double next_;           // when to draw again
  bool drawn_ = false;    // something was shown
  bool current_ = false;  // and it is the last state
  bool open_ = false;     // the cursor stands on the bar's line
  std::int64_t done_;
  std::vector<Figure> figures_;
  std::string note_;
  std::int64_t decisions_ = 0;
  std::mutex mutex_;  // of all above
  bool over_ = false;
  std::condition_variable ended_;
  std::thread ticker_;
};

// "1.26M", "987", "12.3k": three significant digits.
std::string short_count(double value);
// "0:07", "12:34", "1:02:03", "2d 03:04"
std::string short_duration(double seconds);

}  // namespace dealer
