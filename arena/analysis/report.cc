#include "arena/analysis/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "arena/output.h"
#include "arena/report/charts.h"
#include "arena/report/page.h"
#include "arena/report/text.h"
#include "env/core/counted.h"

namespace dealer::analysis {
namespace {

using Json = nlohmann::ordered_json;
using studies::Cells;
using studies::Estimate;
using studies::fixed;
using studies::number;
using studies::Page;

// The counts of a player with their names in the JSON and, if they are shown to people, in the report.
struct Count {
  const char *key, *name;
  std::int64_t PlayerFigures::*count;
  bool of_all = false;  // redundant if every decision was analysed
};
constexpr Count kCounts[] = {{"hands", "hands", &PlayerFigures::hands},
                             {"hands_judged", "hands judged", &PlayerFigures::hands_judged, true},
                             {"decisions", "decisions", &PlayerFigures::decisions},
                             {"judged", "judged", &PlayerFigures::judged, true},
                             {"mistakes", "mistakes", &PlayerFigures::mistakes},
                             {"unclear", "within noise", &PlayerFigures::unclear}};
struct Mean {
  const char *key, *name;
  Estimate PlayerFigures::*mean;
};
constexpr Mean kMeans[] = {{"cost_per_hand", "cost a hand", &PlayerFigures::cost_per_hand},
                           {"cost_per_decision", nullptr, &PlayerFigures::cost_per_decision},
                           {"loss_per_hand", "loss a hand", &PlayerFigures::loss_per_hand},
                           {"loss_per_decision", "loss a decision", &PlayerFigures::loss_per_decision}};

std::string name_of_player(const std::string& player) { return player.empty() ? "all" : player; }

// A heading, then one column per player: its name and its figures.
Cells player_columns(const Analysis& analysis, const char* heading, bool all) {
  Cells columns = {{heading}};
  for (const PlayerFigures& player : analysis.players) columns.push_back({name_of_player(player.player)});
  const auto add = [&](const char* name, const auto& figure) {
    columns[0].emplace_back(name);
    for (std::size_t p = 0; p < analysis.players.size(); ++p) columns[p + 1].push_back(figure(analysis.players[p]));
  };
  for (const Count& each : kCounts)
    if (all || !each.of_all)
      add(each.name, [&](const PlayerFigures& player) { return std::to_string(player.*each.count); });
  for (const Mean& each : kMeans)
    if (each.name != nullptr) add(each.name, [&](const PlayerFigures& player) { return number(player.*each.mean); });
  return columns;
}

std::string percent(double share) { return fmt::format("{:.0f}%", 100 * share); }

// The text of a loss: "1.25 ± 0.40", or "1.25" if nothing is left to chance.
std::string loss_text(const Judgement& judgement) {
  if (!judgement.loss) return "–";
  const double half = kHalfWidth * judgement.error;
  if (half == 0) return fixed(*judgement.loss, 3);
  const int digits = studies::digits_of(half);
  return fixed(*judgement.loss, digits) + " ± " + fixed(half, digits);
}

std::string choice_text(const JudgedDecision& decision, std::size_t choice) {
  return choice == decision.judgement.chosen ? decision.chosen : decision.judgement.choices[choice].text;
}

// The best choice: "raise to 60 (82%)".
std::string best_text(const JudgedDecision& decision) {
  const Judgement& judgement = decision.judgement;
  if (judgement.verdict == Verdict::kUnjudged) return "–";
  const std::optional<double> probability = judgement.choices[judgement.best].probability;
  return choice_text(decision, judgement.best) + (probability ? fmt::format(" ({})", percent(*probability)) : "");
}

// The probability with which the agent itself makes the choice.
std::string chosen_share(const Judgement& judgement) {
  return percent(judgement.choices[judgement.chosen].probability.value_or(0));
}

// "12 decisions not judged: why", for every reason; before them the adaptations of hands from other sites.
std::vector<std::string> not_judged(const Analysis& analysis) {
  std::vector<std::string> lines;
  std::string near;
  for (const auto& [what, hands] : analysis.brought_near)
    near += fmt::format("{}{} in {}", near.empty() ? "" : ", ", what, counted(hands, "hand"));
  if (!near.empty())
    lines.push_back(fmt::format("judged at the nearest table of a game here, in its chips; brought near: {}", near));
  for (const auto& [why, decisions] : analysis.unjudged)
    lines.push_back(
        fmt::format("{} {} not judged: {}", decisions, decisions == 1 ? "decision was" : "decisions were", why));
  return lines;
}

// ---- JSON

Json number_json(const std::optional<double>& number) { return number_or_null(number.value_or(0), number.has_value()); }

Json interval_json(const std::optional<double>& number, double error) {
  return number ? Json(kHalfWidth * error) : Json(nullptr);
}

Json decision_json(const JudgedDecision& decision) {
  const Judgement& judgement = decision.judgement;
  Json json{{"hand", decision.hand},
            {"number", decision.number},
            {"line", decision.line},
            {"game", decision.game},
            {"seat", decision.seat},
            {"player", decision.player},
            {"street", decision.street},
            {"turn", decision.in_hand},
            {"chosen", decision.chosen},
            {"best", nullptr},
            {"loss", nullptr},
            {"ci95", nullptr},
            {"verdict", name_of(judgement.verdict)},
            {"unit", decision.unit}};
  if (judgement.verdict == Verdict::kUnjudged) {
    json["why"] = judgement.why;
    return json;
  }
  const JudgedChoice &chosen = judgement.choices[judgement.chosen], &best = judgement.choices[judgement.best];
  json["best"] = choice_text(decision, judgement.best);
  json["loss"] = *judgement.loss;
  json["ci95"] = kHalfWidth * judgement.error;
  json["difference"] = *judgement.difference;
  json["mark"] = mark_of(decision);
  json["method"] = judgement.method;
  json["agent_choice"] = choice_text(decision, judgement.agent);
  json["probability"] = number_json(chosen.probability);
  json["probability_best"] = number_json(best.probability);
  json["value"] = number_json(chosen.value);
  json["value_best"] = number_json(best.value);
  json["cost"] = number_json(judgement.cost);
  json["cost_ci95"] = interval_json(judgement.cost, judgement.cost_error);
  json["choices"] = Json::array();
  for (std::size_t i = 0; i < judgement.choices.size(); ++i) {
    const JudgedChoice& choice = judgement.choices[i];
    json["choices"].push_back({{"choice", choice_text(decision, i)},
                               {"probability", number_json(choice.probability)},
                               {"value", number_json(choice.value)},
                               {"ci95", interval_json(choice.value, choice.error)}});
  }
  return json;
}

Json player_json(const PlayerFigures& player) {
  Json json = {{"player", player.player}};
  for (const Count& each : kCounts) json[each.key] = player.*each.count;
  for (auto mean = std::rbegin(kMeans); mean != std::rend(kMeans); ++mean)
    json[mean->key] = studies::to_json(player.*mean->mean);
  return json;
}

// ---- Page

Cells choice_cells(const JudgedDecision& decision) {
  Cells cells = {{"choice", "the agent does so", "worth", "less than the best"}};
  const Judgement& judgement = decision.judgement;
  const std::optional<double> best = judgement.choices[judgement.best].value;
  for (std::size_t i = 0; i < judgement.choices.size(); ++i) {
    const JudgedChoice& choice = judgement.choices[i];
    std::string text = choice_text(decision, i);
    if (i == judgement.chosen) text += " (chosen)";
    if (i == judgement.best && i != judgement.chosen) text += " (best)";
    std::string worth = choice.value ? fixed(*choice.value, 2) : "–";
    if (choice.value && choice.error > 0) worth += " ± " + fixed(kHalfWidth * choice.error, 2);
    cells.push_back({std::move(text), choice.probability ? percent(*choice.probability) : "–", std::move(worth),
                     choice.value && best ? fixed(*best - *choice.value, 2) : "–"});
  }
  return cells;
}

int tone_of(const JudgedDecision& decision) {
  const std::string_view mark = mark_of(decision);
  if (decision.judgement.verdict == Verdict::kUnjudged) return 0;
  return mark == "??" ? 4 : mark == "?" ? 3 : mark == "?!" ? 2 : 1;
}

std::string note_of(const JudgedDecision& decision) {
  const Judgement& judgement = decision.judgement;
  switch (judgement.verdict) {
    case Verdict::kUnjudged:
      return "Not judged: " + judgement.why + '.';
    case Verdict::kSame:
      return "What the agent would do, or worth as much.";
    case Verdict::kAlso:
      return fmt::format("The agent does so {} of the time. Best: {}, worth {} more.", chosen_share(judgement),
                         best_text(decision), loss_text(judgement));
    case Verdict::kUnclear:
      return fmt::format("Best: {}, worth {} more: within noise.", best_text(decision), loss_text(judgement));
    case Verdict::kMistake:
      return fmt::format("Best: {}. Loss: {} {}.", best_text(decision), loss_text(judgement), decision.unit);
  }
  return {};
}

Page::Entry entry_of(const Analysis& analysis, std::size_t number, bool in_hand) {
  const JudgedDecision& decision = analysis.decisions[number];
  Page::Entry entry;
  const std::string_view mark = mark_of(decision);
  entry.title = fmt::format("{}seat {}: {}{}{}", decision.player.empty() ? "" : decision.player + ", ", decision.seat,
                            decision.chosen, mark.empty() ? "" : " ", mark);
  if (in_hand) {
    entry.id = fmt::format("d{}", number);
    entry.details = decision.table;
    if (decision.judgement.verdict != Verdict::kUnjudged) entry.numbers = choice_cells(decision);
  } else {
    entry.link = fmt::format("d{}", number);
    entry.title = fmt::format("Hand {}, {}", decision.hand, entry.title);
  }
  entry.tone = tone_of(decision);
  entry.text = note_of(decision);
  return entry;
}

bool lists_all(const Analysis& analysis) { return analysis.hands_recorded <= static_cast<std::int64_t>(kMostHands); }

// The hands whose decisions are listed: all, or those with the largest losses. Ordered by number in the file.
std::set<std::int64_t> hands_listed(const Analysis& analysis) {
  std::set<std::int64_t> all, worst;
  for (const JudgedDecision& decision : analysis.decisions) all.insert(decision.number);
  if (lists_all(analysis)) return all;
  for (const std::size_t i : analysis.worst) {
    if (worst.size() == kMostHands) break;
    worst.insert(analysis.decisions[i].number);
  }
  return worst;
}

void add_players(Page& page, const Analysis& analysis) {
  page.heading("Who loses how much");
  studies::BarChart chart;
  chart.what = "What the choices of each player cost a hand against the agent's own play.";
  chart.axis = "player";
  for (const PlayerFigures& player : analysis.players) {
    chart.labels.push_back(name_of_player(player.player));
    chart.bars.push_back(player.cost_per_hand);
  }
  page.figure(
      studies::bar_chart(chart),
      fmt::format("What the choices of each player cost against the agent's own play, in {} a hand.", analysis.unit),
      player_columns(analysis, "player", true));
  page.paragraph(
      "A cost is what the agent's own play, mixed as it is, would have been worth more: 0 on average for who plays as "
      "the agent does, below 0 for who plays better in these places. The loss is the same against its best choice. "
      "Both are means of what came out, above or below 0, so that chance adds nothing to them; behind ± stands half of "
      "the 95% interval. Figures a hand are of the hands all of whose decisions were judged.");
}

void add_largest(Page& page, const Analysis& analysis, const std::set<std::int64_t>& hands, std::size_t worst) {
  if (worst == 0) return;
  std::vector<Page::Entry> entries;
  for (const std::size_t i : analysis.worst) {
    if (entries.size() == worst) break;
    if (hands.contains(analysis.decisions[i].number)) entries.push_back(entry_of(analysis, i, false));
  }
  page.heading("The largest losses");
  if (entries.empty()) page.paragraph("None: every choice that was judged was the best, or worth as much.");
  page.entries(entries);
}

void add_hands(Page& page, const Analysis& analysis, const std::set<std::int64_t>& hands) {
  page.heading("Hand by hand");
  if (!lists_all(analysis))
    page.paragraph(fmt::format("The {} with the largest losses, of {}.", counted(std::ssize(hands), "hand"),
                               analysis.hands_recorded));
  std::vector<Page::Entry> entries;
  std::int64_t hand = 0;
  const auto close = [&] {
    if (!entries.empty()) page.entries(entries);
    entries.clear();
  };
  for (std::size_t i = 0; i < analysis.decisions.size(); ++i) {
    const JudgedDecision& decision = analysis.decisions[i];
    if (!hands.contains(decision.number)) continue;
    if (decision.number != hand) {
      close();
      page.subheading("Hand " + decision.hand);
      hand = decision.number;
    }
    entries.push_back(entry_of(analysis, i, true));
  }
  close();
}

// ---- Text

std::vector<std::string> row_of(const JudgedDecision& decision) {
  const Judgement& judgement = decision.judgement;
  std::string loss, better, mark(mark_of(decision));
  if (judgement.verdict == Verdict::kUnjudged) {
    better = "not judged: " + judgement.why;
  } else if (judgement.verdict != Verdict::kSame) {
    loss = loss_text(judgement);
    better = "better: " + best_text(decision);
  }
  if (judgement.verdict == Verdict::kUnclear) mark = "within noise";
  if (judgement.verdict == Verdict::kAlso) mark = fmt::format("done {} of the time", chosen_share(judgement));
  return {decision.hand, fmt::format("seat {}", decision.seat), decision.player, decision.chosen, loss, better, mark};
}

// One line for each, with the cards that its player saw below it.
std::string decisions_text(const std::vector<const JudgedDecision*>& decisions) {
  Cells rows;
  for (const JudgedDecision* decision : decisions) rows.push_back(row_of(*decision));
  std::istringstream table(text_table(rows, [](std::size_t column) { return column == 4; }));
  std::string text;
  for (const JudgedDecision* decision : decisions) {
    std::string line;
    std::getline(table, line);
    text += line + '\n';
    std::istringstream cards(decision->cards);
    while (std::getline(cards, line)) text += "    " + line + '\n';
  }
  return text;
}

}  // namespace

Json to_json(const Analysis& analysis, std::optional<std::size_t> worst) {
  Json json{{"agent", analysis.agent},
            {"games", analysis.games},
            {"unit", analysis.unit},
            {"methods", analysis.methods},
            {"seed", analysis.seed},
            {"hands", analysis.hands},
            {"hands_in_log", analysis.hands_in_log},
            {"interrupted", analysis.interrupted},
            {"left_out", analysis.left_out},
            {"brought_near", Json::array()},
            {"forced", analysis.forced},
            {"decided", analysis.decided},
            {"judged", analysis.judged},
            {"unjudged", Json::array()},
            {"players", Json::array()},
            {"worst", Json::array()},
            {"decisions", Json::array()}};
  for (const auto& [what, hands] : analysis.brought_near)
    json["brought_near"].push_back({{"what", what}, {"hands", hands}});
  for (const auto& [why, decisions] : analysis.unjudged)
    json["unjudged"].push_back({{"why", why}, {"decisions", decisions}});
  for (const PlayerFigures& player : analysis.players) json["players"].push_back(player_json(player));
  const std::size_t listed = std::min(worst.value_or(10), analysis.worst.size());
  for (std::size_t i = 0; i < listed; ++i) {
    json["worst"].push_back(worst ? i : analysis.worst[i]);
    if (worst) json["decisions"].push_back(decision_json(analysis.decisions[analysis.worst[i]]));
  }
  if (!worst)
    for (const JudgedDecision& decision : analysis.decisions) json["decisions"].push_back(decision_json(decision));
  return json;
}

std::string page_of(const Analysis& analysis, std::size_t worst) {
  constexpr std::size_t kNamed = 3;
  const std::vector<std::string>& games = analysis.games;
  std::string title = fmt::format(
      "Analysis of {}",
      fmt::join(games.begin(), games.begin() + static_cast<std::ptrdiff_t>(std::min(kNamed, games.size())), ", "));
  if (games.size() > kNamed) title += fmt::format(" and {} more", games.size() - kNamed);
  Page page(title, fmt::format("{}, {}, {} of them judged by {}{}.", counted(analysis.hands, "hand"),
                               counted(analysis.decided, "decision"), analysis.judged, analysis.agent,
                               analysis.interrupted ? fmt::format("; interrupted: {} of {}", analysis.hands,
                                                                  counted(analysis.hands_in_log, "hand"))
                                                    : ""));
  std::vector<std::string> conclusions;
  for (const PlayerFigures& player : analysis.players)
    conclusions.push_back(fmt::format(
        "{}: its choices cost {} {} a hand against the agent's own play, {} against the best ones; {} in {}, {}",
        name_of_player(player.player), number(player.cost_per_hand), analysis.unit, number(player.loss_per_hand),
        counted(player.mistakes, "mistake"), counted(player.judged, "decision"), counted(player.hands_judged, "hand")));
  for (std::string& line : not_judged(analysis)) conclusions.push_back(std::move(line));
  page.list(conclusions);
  page.paragraph(
      "A loss is what the best choice is worth more than the one that was made, by what the player knew: hidden cards "
      "have no part in it. ?! is a small mistake, ? a mistake, ?? a grave one. What the agent itself does now and then "
      "is no mistake, nor is a difference within noise. The largest of many sampled losses are somewhat too large: "
      "chance has helped to pick them.");
  if (!analysis.players.empty()) add_players(page, analysis);
  const std::set<std::int64_t> hands = hands_listed(analysis);
  add_largest(page, analysis, hands, worst);
  add_hands(page, analysis, hands);
  return page.finish(
      fmt::format("dealer analyse, seed {}. docs/analyse.md tells how losses are worked out.", analysis.seed));
}

std::string text_of(const Analysis& analysis, const TextOptions& options) {
  if (analysis.hands == 0)
    return fmt::format("no hand was judged of {}{}\n", analysis.hands_in_log,
                       analysis.left_out > 0 ? fmt::format(", {} left out", analysis.left_out) : "");
  std::vector<const JudgedDecision*> listed;
  if (options.all) {
    for (const JudgedDecision& decision : analysis.decisions) listed.push_back(&decision);
  } else {
    for (std::size_t i = 0; i < std::min(options.worst, analysis.worst.size()); ++i)
      listed.push_back(&analysis.decisions[analysis.worst[i]]);
  }
  std::string text = listed.empty() ? "" : decisions_text(listed) + '\n';
  Cells rows;
  const Cells columns = player_columns(analysis, "", !analysis.unjudged.empty());
  rows.assign(columns[0].size(), {});
  for (const std::vector<std::string>& column : columns)
    for (std::size_t row = 0; row < column.size(); ++row) rows[row].push_back(column[row]);
  text += text_table(rows, [](std::size_t column) { return column > 0; });
  text += fmt::format("\n{}, {}, {} of them judged by {} ({}), in {}\n", counted(analysis.hands, "hand"),
                      counted(analysis.decided, "decision"), analysis.judged, analysis.agent,
                      analysis.methods.empty() ? "none" : fmt::format("{}", fmt::join(analysis.methods, ", ")),
                      analysis.unit);
  for (const std::string& line : not_judged(analysis)) text += line + '\n';
  text += "cost: against the agent's own play, 0 on average for who plays so; loss: against its best choice\n";
  return text;
}

}  // namespace dealer::analysis
