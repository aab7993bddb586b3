#pragma once

#include <cstdint>
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

// The other players of an opening's hand: all in normal hands, or all in Fantasyland.
enum class Opponents : std::uint8_t { kNormal, kInFantasyland };

// The agent's evaluation of an opening as the first to act: the other board is empty or hidden.
struct OpeningAdvice {
  int best = 0, second = 0;            // code_of(); the second is not a mirror image of the best
  double value = 0, second_value = 0;  // as in AfterstateValue
  double foul = 0, fantasyland = 0;    // after the best: predicted probabilities
};

// The observation of the first to act, who is in a normal hand. game: OFC.
Observation first_turn(const Game& game, Opponents opponents);
// Changes an observation of first_turn() to one with these five cards.
void show_opening(const Game& game, CardSet cards, Observation& seen);

class OpeningEvaluator {
 public:
  // game: OFC for two.
  OpeningEvaluator(const Game& game, std::unique_ptr<PositionEvaluator> evaluator,
                   Opponents opponents = Opponents::kNormal);
  OpeningAdvice advice(const OpeningCards& cards);

 private:
  std::unique_ptr<PositionEvaluator> evaluator_;
  GamePtr game_;
  Observation seen_;  // of the first to act
};

// Evaluates the openings missing in the file: one line each, "CARDS ROWS VALUE ROWS VALUE FOUL FANTASYLAND", the rows
// f, m or b by card. Returns false if stopped.
bool rate_openings(const StudyContext& place, const std::vector<Opening>& openings, const std::filesystem::path& file);
// Reads the file. Throws FileError unless it is as rate_openings() writes it.
std::vector<OpeningAdvice> read_openings(const std::filesystem::path& file, const std::vector<Opening>& openings);

// "openings" of docs/study-fields-fantasyland.md: summaries of the chart, values without caution; each opening is
// weighted by its frequency, without sampling. Null without openings.
Figure count_chart(const std::vector<Opening>& openings, const std::vector<OpeningAdvice>& advice, const Fronts& fronts,
                   double caution);

// The chart as searchable XML for a page: a table of eight bytes per opening, and a script that looks cards up in it.
// Without scripts it says where the chart is.
std::string opening_search(const std::vector<OpeningAdvice>& advice);
// Eight bytes per opening, in the order of all_openings(): rows of the best and of the second, value and
// gap in hundredths of a point (two bytes each, little-endian, the value signed), probabilities of a foul
// and of Fantasyland in percent.
std::string packed_chart(const std::vector<OpeningAdvice>& advice);
std::string base64(std::string_view bytes);

}  // namespace dealer::studies::fantasyland
