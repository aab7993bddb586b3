#include "frontends/terminal/hint_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "frontends/terminal/screen_text.h"

namespace dealer::terminal {
namespace {

constexpr double kUnlikely = 0.005;

using Likely = std::vector<std::pair<double, Action>>;

// The likeliest first.
Likely by_probability(const std::vector<Action>& legal, const std::vector<double>& policy) {
  Likely likely;
  for (std::size_t i = 0; i < legal.size(); ++i) likely.emplace_back(policy[i], legal[i]);
  std::stable_sort(likely.begin(), likely.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  return likely;
}

// Formats values in columns, with the digits that the largest one needs.
class ValueColumn {
 public:
  explicit ValueColumn(const ActionValues& values) {
    double most = 0;
    for (const ChoiceValue& choice : values.choices) most = std::max(most, std::abs(choice.value));
    digits_ = most >= 100 ? 1 : most >= 10 ? 2 : 3;
    for (const ChoiceValue& choice : values.choices) {
      value_ = std::max(value_, columns(value_of(choice)));
      error_ = std::max(error_, columns(error_of(choice)));
    }
  }

  // Null: the choice was not valued.
  std::string cell(const ChoiceValue* choice) const {
    if (value_ == 0) return {};
    std::string text = pad_left(choice == nullptr ? "-" : value_of(*choice), value_);
    return pad_right(text + (choice == nullptr ? "" : error_of(*choice)), value_ + error_) + "  ";
  }

 private:
  std::string value_of(const ChoiceValue& choice) const { return fmt::format("{:+.{}f}", choice.value, digits_); }
  std::string error_of(const ChoiceValue& choice) const {
    return choice.error > 0 ? fmt::format(" +- {:.{}f}", choice.error, digits_) : std::string();
  }

  int digits_ = 1, value_ = 0, error_ = 0;
};

const ChoiceValue* value_of(const ActionValues& values, Action action) {
  for (const ChoiceValue& choice : values.choices)
    if (choice.actions.size() == 1 && choice.actions.front() == action) return &choice;
  return nullptr;
}

}  // namespace

std::string policy_text(const Env& env, const std::string& agent, const std::vector<double>& policy) {
  const std::vector<Action> legal = env.legal_actions();
  if (policy.size() != legal.size()) return {};
  Likely likely = by_probability(legal, policy);
  std::erase_if(likely, [](const auto& one) { return one.first < kUnlikely; });
  constexpr std::size_t kShown = 6;
  // A single choice is the advice itself.
  if (likely.size() < 2) return {};
  std::string text;
  for (std::size_t i = 0; i < std::min(likely.size(), kShown); ++i)
    text +=
        fmt::format("{} {} {}", i == 0 ? "" : ",", env.action_to_string(likely[i].second), percent(likely[i].first));
  return fmt::format("{} plays:{}{}\n", agent, text, likely.size() > kShown ? ", ..." : "");
}

std::string choices_text(const Env& env, const std::vector<double>& policy, const ActionValues& values) {
  const std::vector<Action> legal = env.legal_actions();
  if (policy.size() != legal.size()) return {};
  const Likely likely = by_probability(legal, policy);
  const ValueColumn column(values);
  std::string text;
  double others = 1;
  for (std::size_t i = 0; i < std::min(likely.size(), kChoicesShown); ++i) {
    const auto& [chance, action] = likely[i];
    text += fmt::format("{:>4}  {}{}\n", percent(chance), column.cell(value_of(values, action)),
                        env.action_to_string(action));
    others -= chance;
  }
  if (likely.size() > kChoicesShown)
    text += fmt::format("{:>4}  {} other choices together\n", percent(std::max(0.0, others)),
                        likely.size() - kChoicesShown);
  return text;
}

std::string turns_text(const ActionValues& values) {
  const ValueColumn column(values);
  std::string text;
  for (std::size_t i = 0; i < std::min(values.choices.size(), kChoicesShown); ++i)
    text += fmt::format("  {}{}\n", column.cell(&values.choices[i]), values.choices[i].text);
  return text;
}

}  // namespace dealer::terminal
