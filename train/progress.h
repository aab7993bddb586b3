#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace dealer {

// A live value beside the bar, with its name.
using Figure = std::pair<std::string, double>;

struct ProgressOptions {
  std::string unit = "steps";
  bool quiet = false;         // print nothing
  bool terminal = false;      // a bar redrawn in place; otherwise a plain line now and then
  int width = 80;             // columns of the terminal
  double plain_seconds = 10;  // between plain lines
  bool ticks = false;         // redrawn each second by its own thread, so that the clock runs during long steps
  std::ostream* out = nullptr;
  std::function<double()> clock;  // seconds from an arbitrary start

  // Options for stderr: a bar of the terminal's width if it is a terminal.
  static ProgressOptions standard(std::string unit, bool quiet);
};

// Progress of long work: rate, time left, live values. A bar is shown at once; the first plain line is due after a
// second, so that shorter work shows none. May be updated from any thread.
class Progress {
 public:
  // `total` 0: unknown. `first`: done before (a resumed job), not counted in the rate.
  Progress(std::string title, std::int64_t total, ProgressOptions options, std::int64_t first = 0);
  // Ends the bar's line, so that the next output starts on a new one.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // May be called at any rate: draws at most ten times a second.
  void update(std::int64_t done, std::span<const Figure> figures = {});
  // Adds decisions, counted separately from `done`, which does not advance within long units of work.
  void count_decisions(std::int64_t decisions);
  // A value as text, shown before the others from now on: the strength of a learner.
  void note(std::string text);
  // Draws the last state and ends the line.
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
  double next_;           // time of the next drawing
  bool drawn_ = false;    // something was shown
  bool current_ = false;  // the bar shows the last state
  bool open_ = false;     // the cursor stands on the bar's line
  std::int64_t done_;
  std::vector<Figure> figures_;
  std::string note_;
  std::int64_t decisions_ = 0;
  std::mutex mutex_;  // guards all above
  bool over_ = false;
  std::condition_variable ended_;
  std::thread ticker_;
};

// "1.26M", "987", "12.3k": three significant digits.
std::string short_count(double value);
// "0:07", "12:34", "1:02:03", "2d 03:04"
std::string short_duration(double seconds);

}  // namespace dealer
