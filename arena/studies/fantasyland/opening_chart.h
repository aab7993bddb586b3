#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agents/evaluator.h"
#include "arena/studies/fantasyland/fronts.h"
#include "arena/studies/fantasyland/openings.h"
#include "arena/studies/study.h"
#include "env/hands/hand_rank.h"

namespace dealer::studies::fantasyland {

// What the agent makes of an opening as the first to act: the other has nothing on the table yet.
struct OpeningAdvice {
  int best = 0, second = 0;            // code_of(); the second is no mirror image of the best
  double value = 0, second_value = 0;  // as AfterstateValue has them
  double foul = 0, fantasyland = 0;    // after the best: predicted chances
};

class OpeningRater {
 public:
  // game: OFC for two.
  OpeningRater(const Game& game, std::unique_ptr<PositionEvaluator> evaluator);
  OpeningAdvice advice(const OpeningCards& cards);

 private:
  std::unique_ptr<PositionEvaluator> evaluator_;
  Observation seen_;         // of the first to act
  std::size_t hand_, next_;  // where its parts begin that tell the cards
};

// Rates the openings that the file lacks: a line each, "CARDS ROWS VALUE ROWS VALUE FOUL
// FANTASYLAND", the rows f, m or b by card. False when stopped.
bool rate_openings(const StudyContext& place, const std::vector<Opening>& openings, const std::filesystem::path& file);
// What stands in the file. Throws FileError where it is not what rate_openings() leaves.
std::vector<OpeningAdvice> read_openings(const std::filesystem::path& file, const std::vector<Opening>& openings);

// The chart in figures; each opening counts as often as it is dealt, and nothing is sampled.
struct ChartFigures {
  std::int64_t openings = 0;
  double value = 0;  // points expected, caution left out
  double foul = 0, fantasyland = 0;
  double gap = 0;    // mean of the best's value less the second's
  double close = 0;  // share whose gap is below a tenth of a point
  struct Class {     // by what the five cards are
    HandCategory category = HandCategory::kHighCard;
    double share = 0, value = 0, gap = 0, fantasyland = 0;
  };
  std::vector<Class> classes;
  struct Rank {           // as Fronts counts them
    double one = 0;       // of openings with one card of the rank: the share that puts it in front
    double two_both = 0;  // with two: both in front
    double two_one = 0;   // one of them
  };
  std::vector<Rank> ranks;
  struct Shape {
    int front = 0, middle = 0, back = 0;  // cards
    double share = 0;
  };
  std::vector<Shape> shapes;         // the most frequent first
  std::vector<int> highest, lowest;  // openings by value
};
ChartFigures count_chart(const std::vector<Opening>& openings, const std::vector<OpeningAdvice>& advice,
                         const Fronts& fronts, double caution);

}  // namespace dealer::studies::fantasyland
