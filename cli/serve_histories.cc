// Hand histories for the page of `dealer serve`: hands step by step, with analysed decisions.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "arena/analysis/analyse.h"
#include "arena/analysis/report.h"
#include "cli/recorded_hand.h"
#include "cli/serve_handlers.h"
#include "env/core/env_text.h"
#include "env/core/error.h"
#include "env/core/json_writer.h"
#include "env/core/wall_seconds.h"
#include "frontends/phh/replay.h"
#include "frontends/phh/standard_text.h"
#include "frontends/web/table_view.h"

namespace dealer::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kHandsAtOnce = 100;  // per answer
constexpr std::size_t kErrorsShown = 100;   // reported
constexpr double kMostSeconds = 60;         // per analysis

// A hand may name any game, so paths must be excluded.
void expect_games(const std::string& text, web::WebSpecs& specs) {
  phh::HistoryReader reader(text, "text");
  while (true) {
    try {
      const std::optional<phh::HandHistory> hand = reader.next();
      if (!hand) return;
      if (const auto game = hand->other_text("_game")) specs.game(*game);
    } catch (const ParseError&) {
      continue;  // reported by the replayer
    }
  }
}

Json events_json(std::span<const Event> events, const Game& game) {
  Json list = Json::array();
  for (const Event& event : events) list.emplace_back(to_json(event, game));
  return list;
}

Json legal_json(const Env& env) {
  std::string text;
  JsonWriter writer(text);
  write_choices(env, writer);
  return Json::parse(text);
}

Json position_json(const Env& env) { return Json(web::table_seen(env, kOmniscient)); }

Json decision_json(const Env& env, const Decision& decision) {
  return {{"index", decision.is_amount() ? Json(nullptr) : Json(decision.action)},
          {"amount", decision.is_amount() ? Json(decision.amount) : Json(nullptr)},
          {"text", env.decision_to_string(decision)}};
}

// The events, with the decision after each step; the last step has none.
Json steps_json(const analysis::RecordedHand& hand) {
  Json steps = Json::array();
  const std::unique_ptr<Env> env = hand.table->clone();
  const Game& game = env->game();
  EventCursor sent;
  const auto step = [&](std::size_t i) {
    const bool decides = i < hand.decisions.size() && !env->hand_over();
    const std::vector<Event> events = env->events(kOmniscient, std::exchange(sent, env->cursor()));
    steps.push_back({{"events", events_json(events, game)},
                     {"seat", decides ? Json(env->current_player()) : Json(nullptr)},
                     {"position", position_json(*env)},
                     {"legal", decides ? legal_json(*env) : Json::array()},
                     {"decision", decides ? decision_json(*env, hand.decisions[i]) : Json(nullptr)},
                     {"line", i < hand.lines.size() ? hand.lines[i] : 0}});
  };
  const int number = env->hand_number();
  sent = {env->cursor().episode, number, 0};
  for (std::size_t i = 0; i < hand.decisions.size(); ++i) {
    step(i);
    env->step(hand.decisions[i]);
    if (env->hand_number() != number) break;
  }
  if (env->hand_number() == number) step(hand.decisions.size());
  return steps;
}

Json hand_json(std::int64_t number, const phh::HandHistory& hand, const phh::Replayer& replayer) {
  Json json = {{"name", hand.heading.empty() ? std::to_string(number) : hand.heading},
               {"number", number},
               {"game", nullptr},
               {"players", hand.players()},
               {"names", phh::names_of(hand)},
               {"unit", nullptr},
               {"variant", hand.variant},
               {"brought_near", Json::array()},
               {"events", Json::array()},
               {"steps", Json::array()},
               {"result", Json::array()}};
  if (const GamePtr& game = replayer.game()) {
    json["events"] = events_json(replayer.events(), *game);
    for (const Event& event : replayer.events())
      if (event.kind == Event::Kind::kHandEnded) json["result"] = event.values;
  } else if (replayer.standard() != nullptr) {
    json["events"] = phh::standard_events(*replayer.standard());
  }
  const std::optional<analysis::RecordedHand> recorded = recorded_hand(number, hand, replayer);
  if (!recorded) return json;
  const Game& game = recorded->table->game();
  json["game"] = game.spec();
  json["players"] = game.players();
  json["names"] = recorded->players;
  json["unit"] = game.unit();
  json["brought_near"] = recorded->brought_near;
  if (recorded->whole) json["steps"] = steps_json(*recorded);
  return json;
}

Json errors_json(const phh::FileReplay& replay) {
  Json errors = Json::array();
  for (const auto& error : replay.errors)
    if (errors.size() < kErrorsShown)
      errors.push_back({{"hand", error.hand}, {"line", error.line}, {"message", error.message}});
  return errors;
}

void expect_text(const WebRequest& request) {
  if (request.method != "POST" || request.body.empty())
    throw UsageError("expected a POST with the text of a hand history");
}

WebAnswer replay(web::WebSpecs& specs, const WebRequest& request) {
  expect_text(request);
  const std::int64_t from = number_of(request, "from", 1, 1, 1'000'000'000);
  const std::int64_t most = number_of(request, "hands", kHandsAtOnce, 1, kHandsAtOnce);
  const SlowWork work;
  expect_games(request.body, specs);
  Json hands = Json::array();
  const phh::FileReplay result =
      phh::replay_text(request.body, [&](std::int64_t number, const phh::HandHistory& hand,
                                         const std::vector<phh::Problem>& problems, const phh::Replayer& replayer) {
        if (problems.empty() && number >= from && number < from + most)
          hands.push_back(hand_json(number, hand, replayer));
      });
  return web::json_answer(
      {{"hands", std::move(hands)}, {"hands_in_file", result.hands}, {"errors", errors_json(result)}});
}

WebAnswer analyse(web::WebSpecs& specs, const WebRequest& request) {
  expect_text(request);
  const SlowWork work;
  expect_games(request.body, specs);
  const double start = wall_seconds();
  analysis::AnalysisOptions options;
  options.judge.agent = specs.agent_spec(request.query("agent").value_or("default"));
  options.threads = 1;
  options.tables = false;
  options.stop = [start] { return wall_seconds() - start > kMostSeconds; };
  analysis::Analyst analyst(options);
  std::int64_t right = 0;
  const phh::FileReplay result =
      phh::replay_text(request.body, [&](std::int64_t number, const phh::HandHistory& hand,
                                         const std::vector<phh::Problem>& problems, const phh::Replayer& replayer) {
        if (!problems.empty() || analyst.stopped() || ++right > kHandsAtOnce) return;
        if (std::optional<analysis::RecordedHand> sent = recorded_hand(number, hand, replayer)) {
          analyst.expect(sent->table->game().shared_from_this());
          analyst.add(*std::move(sent));
        } else {
          analyst.leave_out();
        }
      });
  Json json = analysis::to_json(analyst.finish(std::min(right, kHandsAtOnce)));
  json["hands_in_file"] = result.hands;
  json["errors"] = errors_json(result);
  return web::json_answer(json);
}

}  // namespace

void add_history_handlers(web::WebSpecs& specs, web::WebServer::Handlers& handlers) {
  handlers.emplace_back("/api/replay", [&specs](const WebRequest& request) { return replay(specs, request); });
  handlers.emplace_back("/api/analyse", [&specs](const WebRequest& request) { return analyse(specs, request); });
}

}  // namespace dealer::cli
