#include "cli/hint_values.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "arena/analysis/analyser.h"
#include "arena/analysis/turns.h"
#include "env/core/error.h"
#include "frontends/terminal/hint_text.h"

namespace dealer::cli {
namespace {

// A fixed seed: the same position always gets the same analysis.
constexpr std::uint64_t kSeed = 0;

class HintValues {
 public:
  HintValues(GamePtr game, std::string adviser) : game_(std::move(game)), adviser_(std::move(adviser)) {}

  ActionValues of(const Env& begun, std::span<const Decision> played) {
    if (!analyser_) {
      analysis::AnalyserOptions options;
      options.agent = adviser_;
      analysers_ = analysis::make_analysers(game_, options);
      analyser_ = analysers_.make();
    }
    analysis::RecordedHand hand;
    hand.table = begun.clone();
    hand.decisions.assign(played.begin(), played.end());
    analysis::Question question = std::move(analysis::turns_of(hand).back().question);
    ActionValues values;
    add(question, values);
    // Rare choices of the adviser are analysed only on request. With many choices that takes too long.
    if (question.chosen.size() > 1 || question.choices.size() > terminal::kChoicesShown) return values;
    for (const Choice& choice : question.choices) {
      if (choice.action == kNoAction || has(values, choice.text)) continue;
      question.chosen = {choice.action};
      add(question, values);
    }
    return values;
  }

 private:
  static bool has(const ActionValues& values, const std::string& text) {
    return std::any_of(values.choices.begin(), values.choices.end(),
                       [&](const ChoiceValue& known) { return known.text == text; });
  }

  void add(const analysis::Question& question, ActionValues& values) {
    const analysis::Judgement judgement = analyser_->judge(question, kSeed);
    if (judgement.verdict == analysis::Verdict::kUnjudged) throw UsageError(judgement.why);
    values.method = judgement.method;
    for (const analysis::JudgedChoice& choice : judgement.choices) {
      if (!choice.value || has(values, choice.text)) continue;
      ChoiceValue& value = values.choices.emplace_back();
      value.text = choice.text;
      value.value = *choice.value;
      value.error = choice.error;
      for (const Choice& legal : question.choices)
        if (legal.action != kNoAction && legal.text == choice.text) value.actions = {legal.action};
    }
  }

  GamePtr game_;
  std::string adviser_;
  analysis::Analysers analysers_;  // an analyser may keep references to its maker
  std::unique_ptr<analysis::Analyser> analyser_;
};

}  // namespace

std::function<ActionValues(const Env& begun, std::span<const Decision> played)> hint_values(GamePtr game,
                                                                                            std::string adviser) {
  return [values = std::make_shared<HintValues>(std::move(game), std::move(adviser))](
             const Env& begun, std::span<const Decision> played) { return values->of(begun, played); };
}

}  // namespace dealer::cli
