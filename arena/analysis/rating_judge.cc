#include "arena/analysis/rating_judge.h"

#include <algorithm>
#include <utility>

namespace dealer::analysis {
namespace {

// Choices that are told beside the chosen one.
constexpr std::size_t kTold = 8;

class RatingJudge final : public Judge {
 public:
  explicit RatingJudge(std::unique_ptr<ChoiceRater> rater) : rater_(std::move(rater)) {}

  Judgement judge(const Question& question, std::uint64_t seed) override {
    std::vector<Action> line;
    for (const Decision& decision : question.chosen) {
      if (decision.is_amount()) {
        Judgement judgement;
        judgement.why = "an amount that is not among the agent's choices";
        return judgement;
      }
      line.push_back(decision.action);
    }
    const ChoiceRating rating = rater_->rate(question.seen, line, seed);
    Judgement judgement;
    judgement.method = rating.method;
    for (std::size_t i = 0; i < rating.choices.size(); ++i) {
      if (i >= kTold && i != rating.given && i != rating.favourite) continue;
      if (i == rating.given) judgement.chosen = judgement.choices.size();
      if (i == rating.favourite) judgement.agent = judgement.choices.size();
      const RatedChoice& choice = rating.choices[i];
      // Searches value nothing where there is but one choice.
      const bool valued = rating.method != "search" || choice.simulations > 0;
      // What the network foresees is none of the choice.
      judgement.choices.push_back({choice.text.substr(0, choice.text.find("  foul ")),
                                   {},
                                   valued ? std::optional(choice.value) : std::nullopt,
                                   choice.error});
    }
    judgement.best = judgement.agent;
    judgement.difference = rating.difference;
    judgement.error = rating.error;
    // Its play from here is its choice.
    judgement.cost = rating.difference;
    judgement.cost_error = rating.error;
    settle(judgement, rating.doubt);
    return judgement;
  }

 private:
  std::unique_ptr<ChoiceRater> rater_;
};

}  // namespace

std::unique_ptr<Judge> make_rating_judge(std::unique_ptr<ChoiceRater> rater) {
  return std::make_unique<RatingJudge>(std::move(rater));
}

}  // namespace dealer::analysis
