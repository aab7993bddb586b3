#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agents/evaluator.h"
#include "arena/studies/fantasyland/fronts.h"
#include "arena/studies/fantasyland/openings.h"
#include "arena/studies/figure.h"
#include "arena/studies/study.h"

namespace dealer::studies::fantasyland {

// What the agent makes of an opening as the first to act: the other has nothing on the table yet.
struct OpeningAdvice {
  int best = 0, second = 0;            // code_of(); the second is no mirror image of the best
  double value = 0, second_value = 0;  // as AfterstateValue has them
  double foul = 0, fantasyland = 0;    // after the best: predicted chances
};

// Makes an observation of who opens one of these five cards.
void show_opening(const Game& game, CardSet cards, Observation& seen);

class OpeningRater {
 public:
  // game: OFC for two.
  OpeningRater(const Game& game, std::unique_ptr<PositionEvaluator> evaluator);
  OpeningAdvice advice(const OpeningCards& cards);

 private:
  std::unique_ptr<PositionEvaluator> evaluator_;
  GamePtr game_;
  Observation seen_;  // of the first to act
};

// Rates the openings that the file lacks: a line each, "CARDS ROWS VALUE ROWS VALUE FOUL
// FANTASYLAND", the rows f, m or b by card. False when stopped.
bool rate_openings(const StudyContext& place, const std::vector<Opening>& openings, const std::filesystem::path& file);
// What stands in the file. Throws FileError where it is not what rate_openings() leaves.
std::vector<OpeningAdvice> read_openings(const std::filesystem::path& file, const std::vector<Opening>& openings);

// "openings" of docs/study-fields-fantasyland.md: the chart in figures, values without caution; each opening counts as
// often as it is dealt, and nothing is sampled. Null without openings.
Figure count_chart(const std::vector<Opening>& openings, const std::vector<OpeningAdvice>& advice, const Fronts& fronts,
                   double caution);

// The chart in a page, to be searched by cards: a table of eight bytes an opening, and a script that finds them in it.
// XML. Without scripts it says where the chart is.
std::string opening_search(const std::vector<OpeningAdvice>& advice);
// Eight bytes an opening, in the order of all_openings(): rows of the best and of the second, value and gap in
// hundredths of a point (two bytes each, the lower first, the value signed), chances of a foul and of Fantasyland in
// percent.
std::string packed_chart(const std::vector<OpeningAdvice>& advice);
std::string base64(std::string_view bytes);

}  // namespace dealer::studies::fantasyland
