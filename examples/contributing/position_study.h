// A study in one file, for docs/contributing.md: what each seat wins in self-play, and how many hands end with a fold.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arena/report/grid.h"
#include "arena/report/parts.h"
#include "arena/report/sentences.h"
#include "arena/studies/study.h"

namespace dealer::examples {

class PositionStudy final : public studies::Study {
 public:
  // The figures have the shape of results.json: a share is counted with 0 and 1, a mean with any number.
  explicit PositionStudy(int seats)
      : figures_(studies::object(
            {{"seats", studies::list(seats, studies::counters("points wins%"))}, {"folds", studies::share()}})) {}

  void add(std::int64_t deal, std::span<const Event> hand) override {
    bool folded = false;
    for (const Event& event : hand) {
      folded = folded || event.what == "fold";
      if (event.kind != Event::Kind::kHandEnded) continue;
      for (std::size_t seat = 0; seat < event.values.size(); ++seat) {
        figures_["seats"][seat]["points"].add(deal, static_cast<double>(event.values[seat]));
        figures_["seats"][seat]["wins"].add(deal, studies::when(event.values[seat] > 0));
      }
    }
    figures_["folds"].add(deal, studies::when(folded));
  }

  studies::StudyResults results(const studies::Subject& subject) const override {
    studies::Sentences say;
    say.say(figures_, {"seats/0/points", "The first seat wins", "The first seat loses",
                       "No difference was seen between the seats", "{seats/0/points} chips a hand"});
    say.say(figures_, {.figure = "folds", .above = "Folds", .rest = "{folds} of hands end with one"});
    const std::vector<std::string> conclusions = say.take();
    studies::Page page("What each seat wins", subject.agent + " against itself in " + subject.game + '.');
    page.paragraph(subject.strength);
    page.conclusions(conclusions);
    page.paragraph(studies::about_intervals("a deal"));
    const std::vector<studies::Entry> seats =
        studies::entries(static_cast<std::int64_t>(figures_["seats"].size()), "seat #", "seats/#", 0);
    add_bars(page, {figures_, "", seats, {{"chips a hand", "*/points"}}}, "What each seat wins a hand.", 0);
    add_table(page, {figures_, "seat", seats, studies::columns("points wins")});
    return {figures_.to_json(), conclusions, page.finish(last_line(subject))};
  }

 private:
  studies::Figure figures_;
};

// A study reads its own keys from the config; this one has none.
inline std::unique_ptr<studies::Study> make_position_study(Config&, const GamePtr& game) {
  return std::make_unique<PositionStudy>(game->players());
}

inline constexpr studies::Headline kPositionHeadlines[] = {
    {"", "/seats/0/points", "first", "result of the first seat", "chips a hand"},
    {"", "/folds", "folds", "hands that end with a fold", "", studies::Unit::kPercent}};
inline constexpr studies::StudyKind kPositionStudy = {
    .what = "what each seat wins", .game = "kuhn", .make = make_position_study, .headlines = kPositionHeadlines};

}  // namespace dealer::examples
