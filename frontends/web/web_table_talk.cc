// Messages of a table to its places.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "agents/remote/protocol.h"
#include "env/core/at.h"
#include "env/core/env_text.h"
#include "env/core/error.h"
#include "env/core/json_fields.h"
#include "env/core/json_writer.h"
#include "env/games/poker/game.h"
#include "frontends/phh/history.h"
#include "frontends/web/refusal.h"
#include "frontends/web/table_view.h"
#include "frontends/web/web_table_place.h"

namespace dealer::web {
namespace {

using Json = nlohmann::ordered_json;

std::string line_of(const Json& message) { return message.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n'; }

Json number_or_null(Seat seat) { return seat < 0 ? Json(nullptr) : Json(seat); }

// In the order of the legal actions.
Json policy_json(const Env& env, const std::vector<double>& policy) {
  const std::vector<Action> legal = env.legal_actions();
  Json list = Json::array();
  if (policy.size() == legal.size())
    for (std::size_t i = 0; i < legal.size(); ++i)
      list.push_back({{"index", legal[i]}, {"text", env.action_to_string(legal[i])}, {"probability", policy[i]}});
  return list;
}

Json values_json(const ActionValues& values) {
  Json list = Json::array();
  for (const ChoiceValue& choice : values.choices) {
    Json each = {{"text", choice.text}, {"value", choice.value}, {"standard_error", choice.error}};
    if (choice.actions.size() == 1) each["index"] = choice.actions.front();
    list.push_back(std::move(each));
  }
  return list;
}

Json decision_json(const Decision& decision) {
  return decision.is_amount() ? Json{{"amount", decision.amount}} : Json{{"index", decision.action}};
}

}  // namespace

void WebTable::send_lines(Place& place, std::string lines) {
  if (place.link) place.link->send(std::move(lines));
}
void WebTable::send(Place& place, const Json& message) {
  if (place.link) send_lines(place, line_of(message));
}
void WebTable::send_all(const Json& message) {
  const std::string line = line_of(message);
  for (const auto& place : places_) send_lines(*place, line);
}

void WebTable::send_all() {
  shown_ = false;
  for (const auto& place : places_) shown_ = send_events(*place) || shown_;
}

bool WebTable::send_events(Place& place) {
  const std::vector<Event> events = env_.events(place.viewer, std::exchange(place.sent, env_.cursor()));
  if (events.empty()) return false;
  if (!place.link) return true;
  std::string lines;
  remote::write_events(0, events, *setup_.game, lines);
  send_lines(place, std::move(lines));
  send_position(place);
  return true;
}

void WebTable::send_position(Place& place) {
  Json position = {{"type", "position"},
                   {"position", Json(table_seen(env_, place.viewer))},
                   {"to_act", number_or_null(env_.current_player())}};
  // An omniscient spectator may know the legal choices.
  if (place.viewer == kOmniscient) {
    std::string legal;
    JsonWriter writer(legal);
    write_choices(env_, writer);
    position["legal"] = Json::parse(legal);
  }
  send(place, position);
}

void WebTable::send_hand(Place& place) {
  if (!place.link) {
    place.sent = env_.cursor();
    return;
  }
  // A match of several hands is one episode. The seed would reveal an agent's random draws: people get none.
  if (env_.hand_number() == 0 || place.sent == EventCursor())
    send(place, Json{{"type", "begin"}, {"table", 0}, {"seat", number_or_null(place.viewer)}});
  send(place, Json{{"type", "hand"},
                   {"number", hands_},
                   {"dealer", number_or_null(table_.dealer())},
                   {"scores", table_.points_before()}});
  place.sent = table_.first_event();
  send_events(place);
}

void WebTable::send_request(Place& place) {
  std::string lines;
  remote::write_request({.id = request_, .table = 0, .deadline = 0, .numbers = false}, env_.observe(place.viewer), env_,
                        lines);
  send_lines(place, std::move(lines));
}

void WebTable::welcome(Place& place) {
  Json opened = {
      {"type", "opened"},        {"table", setup_.id},
      {"key", place.key},        {"seat", watched() ? Json(nullptr) : Json(place.viewer)},
      {"names", names_},         {"people", Json::array()},
      {"guests", Json::array()}, {"adviser", setup_.adviser ? Json(page_text(setup_.adviser->spec())) : Json(nullptr)}};
  if (!setup_.how_to_play.empty()) opened["how_to_play"] = setup_.how_to_play;
  for (std::size_t other = 0; !watched() && other < places_.size(); ++other) {
    opened["people"].push_back({{"seat", places_[other]->viewer}, {"here", places_[other]->link != nullptr}});
    if (&place == places_[at(setup_.opener)].get() && places_[other].get() != &place)
      opened["guests"].push_back({{"seat", places_[other]->viewer}, {"key", places_[other]->key}});
  }
  std::string lines = line_of(opened);
  remote::write_hello(*setup_.game, lines);
  send_lines(place, std::move(lines));
  place.sent = {};
  send_hand(place);
  if (over_) send_lines(place, place.result);
  if (asked_ && env_.current_player() == place.viewer) send_request(place);
  if (watched()) return;
  for (const auto& other : places_)
    if (other.get() != &place) send(*other, Json{{"type", "presence"}, {"seat", place.viewer}, {"here", true}});
}

void WebTable::report(SeatedAgent& agent, Seat seat, bool adviser) {
  const std::string failure = agent.take_failure();
  if (failure.empty()) return;
  std::string line;
  remote::write_error(
      "agent",
      fmt::format("{} failed: {}; {} to the end of the {}",
                  adviser ? page_text(setup_.adviser->spec()) : names_[at(seat)], page_text(failure),
                  adviser ? "no advice" : "stand-in moves are played for it", agent.forfeits() ? "episode" : "hand"),
      0, line);
  for (const auto& place : places_)
    if (!adviser || place->viewer == seat) send_lines(*place, line);
}

// In non-betting games the log contains the seed, which reveals hidden cards: only for omniscient viewers.
std::string WebTable::log_of(const Place& place) const {
  const bool bets = poker::as_poker(*setup_.game) != nullptr;
  if (place.viewer != kOmniscient && !bets) return {};
  const std::vector<Event> events = env_.events(place.viewer, table_.first_event());
  return phh::section_of(*setup_.game, table_.played(events), names_, std::to_string(hands_));
}

// All decisions made before anything new is seen.
std::vector<Decision> WebTable::plan(SeatedAgent& adviser, Seat seat) {
  std::vector<Decision> decisions;
  adviser.ask(env_, [&](Agent& agent) {
    const std::unique_ptr<Env> env = env_.clone();
    const EventCursor now = env->cursor();
    do {
      decisions.push_back(likeliest_decision(agent, env->observe(seat)));
      env->step(decisions.back());
    } while (env->current_player() == seat && env->events(seat, now).empty());
  });
  return decisions;
}

SeatedAgent* WebTable::adviser_of(Place& place, Seat seat) {
  return watched() ? agents_[at(seat)].get() : place.adviser.get();
}

void WebTable::advise(Place& place, const nlohmann::json& message) {
  const Seat seat = env_.current_player();
  if (seat < 0) throw UsageError("advise: nobody is to act");
  if (!watched() && (!asked_ || place.viewer != seat || JsonFields(message, "advise: ").id("id") != request_))
    throw UsageError("advise: no request with that id is open");
  if (watched() && place.viewer != kOmniscient && place.viewer != seat)
    throw UsageError("advise: the seat that is to act is not the one you watch");
  SeatedAgent* const adviser = adviser_of(place, seat);
  if (adviser == nullptr) throw UsageError("advise: nobody advises at this table");
  if (place.advice.ask(decision_now())) compute_advice(place, *adviser, seat);
}

void WebTable::compute_advice(Place& place, SeatedAgent& adviser, Seat seat) {
  const std::string& spec = watched() ? setup_.agents[at(seat)]->spec() : setup_.adviser->spec();
  Json advice = {{"type", "advice"},           {"id", watched() ? 0 : request_},
                 {"adviser", page_text(spec)}, {"policy", nullptr},
                 {"values", nullptr},          {"method", ""},
                 {"plays", Json::array()},     {"chances", nullptr},
                 {"reason", nullptr}};
  const std::vector<Decision> turn = plan(adviser, seat);
  for (const Decision& decision : turn) advice["plays"].push_back(decision_json(decision));
  adviser.ask(env_, [&](Agent& agent) {
    const Observation seen = env_.observe(seat);
    if (const auto policy = agent.policy(seen)) advice["policy"] = policy_json(env_, *policy);
    if (std::string reason = agent.explain(seen); !reason.empty()) advice["reason"] = std::move(reason);
  });
  report(adviser, seat, !watched());
  // Values of choices take longer and are computed in another thread.
  const std::shared_ptr<Env> begun = table_.begun().clone(), now = env_.clone();
  place.advice.begin(decision_now());
  services_.aside([self = shared_from_this(), &place, begun, now, advice = std::move(advice),
                   played = table_.decisions(), turn]() mutable {
    const std::lock_guard lock(*self->judging_);
    const TableAnalyser& judge = self->services_.judge;
    try {
      if (judge.odds) advice["chances"] = judge.odds(*now);
      if (judge.values && !turn.empty() && !self->watched()) {
        const ActionValues values = judge.values(*begun, played, turn);
        advice["values"] = values_json(values);
        advice["method"] = values.method;
      }
    } catch (const std::exception& error) {
      advice["method"] = "no values: " + page_text(error.what());
    }
    self->services_.later(std::chrono::milliseconds(0),
                          [self, &place, advice = std::move(advice)] { self->send_advice(place, advice); });
  });
}

// The decision may have been made meanwhile: then the advice is of no use, and that for the decision now may be due.
void WebTable::send_advice(Place& place, const Json& advice) {
  if (place.advice.end() == decision_now()) return send(place, advice);
  const Seat seat = env_.current_player();
  if (place.advice.waited(decision_now()) && seat >= 0) compute_advice(place, *adviser_of(place, seat), seat);
}

void WebTable::review(Place& place) {
  if (!over_) throw UsageError("review: the hand is not over yet");
  if (!services_.judge.review) throw UsageError("review: nobody reviews hands here");
  if (place.reviews.ask(hands_)) compute_review(place);
}

void WebTable::compute_review(Place& place) {
  place.reviews.begin(hands_);
  const std::shared_ptr<Env> begun = table_.begun().clone();
  services_.aside([self = shared_from_this(), &place, begun, played = table_.decisions(), hand = hands_] {
    Json review = {{"type", "review"}, {"hand", hand}, {"decisions", Json::array()}};
    try {
      const std::lock_guard lock(*self->judging_);
      review["decisions"] = self->services_.judge.review(*begun, played, self->names_, place.viewer);
    } catch (const std::exception& error) {
      review["problem"] = page_text(error.what());
    }
    self->services_.later(std::chrono::milliseconds(0), [self, &place, review = std::move(review)] {
      place.reviews.end();
      self->send(place, review);
      if (place.reviews.waited(self->hands_) && self->over_) self->compute_review(place);
    });
  });
}

}  // namespace dealer::web
