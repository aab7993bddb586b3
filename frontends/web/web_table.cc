// Play at a table. Messages: web_table_talk.cc.
#include "frontends/web/web_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "agents/remote/protocol.h"
#include "env/core/at.h"
#include "env/core/env_text.h"
#include "env/core/error.h"
#include "env/core/json_fields.h"
#include "env/core/wall_seconds.h"
#include "frontends/web/refusal.h"
#include "frontends/web/web_table_place.h"

namespace dealer::web {
namespace {

// Pause at the end of a hand for spectators, in decisions, within these bounds in milliseconds.
constexpr int kDecisionsOfPause = 4, kShortPause = 20, kLongPause = 4000;

std::vector<std::string> names_of(const TableSetup& setup) {
  std::vector<std::string> names;
  int people = 0;
  for (const AgentFactoryPtr& agent : setup.agents) {
    const auto seat = names.size() + 1;
    if (agent == nullptr) {
      names.push_back(++people == 1 ? "host" : people == 2 ? "guest" : fmt::format("guest {}", people - 1));
      continue;
    }
    const auto alike = std::ranges::count_if(
        setup.agents, [&](const AgentFactoryPtr& other) { return other && other->spec() == agent->spec(); });
    const std::string name = page_text(agent->spec());
    names.push_back(alike == 1 ? name : fmt::format("{} {}", name, seat));
  }
  return names;
}

std::string bye_line(const std::string& why, Seat left = -1) {
  nlohmann::ordered_json bye = {{"type", "bye"}, {"reason", why}};
  if (left >= 0) bye["left"] = left;
  return bye.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

}  // namespace

WebTable::WebTable(TableSetup setup, TableServices services)
    : setup_(std::move(setup)),
      services_(std::move(services)),
      names_(names_of(setup_)),
      table_(setup_.game, setup_.seed),
      env_(table_.env()),
      pace_(setup_.pace),
      left_(wall_seconds()) {
  const auto key = [&] { return places_.size() < setup_.keys.size() ? setup_.keys[places_.size()] : std::string(); };
  for (const AgentFactoryPtr& agent : setup_.agents) {
    const auto seat = static_cast<Seat>(agents_.size());
    agents_.push_back(agent ? std::make_unique<SeatedAgent>(agent->make(), seat) : nullptr);
    if (agent) continue;
    ++people_;
    places_.push_back(std::make_unique<Place>(Place{seat, key(), nullptr, {}}));
    if (setup_.adviser) places_.back()->adviser = std::make_unique<SeatedAgent>(setup_.adviser->make(), seat);
  }
  if (watched()) places_.push_back(std::make_unique<Place>(Place{setup_.view, key(), nullptr, {}}));
}

WebTable::~WebTable() = default;

WebTable::Place& WebTable::place_of(Seat seat) {
  return **std::ranges::find_if(places_, [&](const auto& place) { return place->viewer == seat; });
}

void WebTable::attach(int place, std::shared_ptr<PeerLink> link) {
  Place& taken = *places_[at(place)];
  if (closed_) {
    link->send(bye_line("the table is closed"));
    return link->close("its table is closed");
  }
  if (hands_ == 0) deal();
  if (taken.link) {
    taken.link->send(bye_line("the seat was taken by a newer connection"));
    taken.link->close("replaced by a newer connection");
  } else {
    ++attached_;
  }
  taken.link = std::move(link);
  welcome(taken);
  go_on();
}

void WebTable::detach(int place, const PeerLink* link) {
  Place& taken = *places_[at(place)];
  if (taken.link.get() != link) return;
  taken.link = nullptr;
  left_ = wall_seconds();
  --attached_;
  if (!watched()) send_all({{"type", "presence"}, {"seat", taken.viewer}, {"here", false}});
}

bool WebTable::leave(int number, const PeerLink* link) {
  const Place& place = *places_[at(number)];
  if (place.link.get() != link) return false;
  detach(number, link);
  // After the last hand nobody waits for anybody.
  if (over_ && last_hand()) return false;
  if (watched())
    close("the spectator has left");
  else
    close(fmt::format("{} has left", names_[at(place.viewer)]), place.viewer);
  return true;
}

void WebTable::close(const std::string& why, Seat left) {
  closed_ = true;
  for (const auto& place : places_) {
    if (!place->link) continue;
    place->link->send(bye_line(why, left));
    place->link->close(why);
    place->link = nullptr;
    --attached_;
  }
}

void WebTable::take(int number, const nlohmann::json& message) {
  Place& place = *places_[at(number)];
  const JsonFields fields(message, "");
  const std::string& type = fields.text("type");
  if (type == "answer") return answer(place, message);
  if (type == "next") return next();
  if (type == "advise") return advise(place, message);
  if (type == "review") return review(place);
  if (type == "pause" || type == "resume" || type == "pace" || type == "step") {
    if (!watched()) throw UsageError(fmt::format("'{}' is for tables without people", type));
    if (type == "step" && !paused_) throw UsageError("step: the table is not paused");
    if (type == "pace")
      pace_ = static_cast<int>(fields.whole("ms", 0, 60'000));
    else if (type == "step")
      step_ = true;
    else
      paused_ = type == "pause";
    return go_on();
  }
  throw UsageError(
      fmt::format("there is no message {}; expected answer, next, advise, review, pause, resume, step, pace or leave",
                  shown_json(type)));
}

void WebTable::deal() {
  over_ = false;
  if (table_.deal()) begin_episode();
  shown_ = true;
  ++hands_;
  for (const auto& place : places_) {
    place->result.clear();
    send_hand(*place);
  }
}

void WebTable::begin_episode() {
  const auto begin = [&](SeatedAgent& agent, Seat seat, bool adviser) {
    agent.begin_episode(table_.agent_seed(seat));
    report(agent, seat, adviser);
  };
  for (std::size_t seat = 0; seat < agents_.size(); ++seat)
    if (agents_[seat]) begin(*agents_[seat], static_cast<Seat>(seat), false);
  for (const auto& place : places_) {
    place->sent = {};
    if (place->adviser) begin(*place->adviser, place->viewer, true);
  }
}

void WebTable::go_on() {
  if (due_ || asked_ || closed_) return;
  if (over_) {
    if (watched() && !last_hand()) go_on_after(std::clamp(kDecisionsOfPause * pace_, kShortPause, kLongPause));
    return;
  }
  if (env_.hand_over()) return end_hand();
  const Seat seat = env_.current_player();
  if (person(seat)) return ask(seat);
  go_on_after(shown_ ? pace_ : 0);
}

// Without connections nothing needs to be shown.
bool WebTable::waits() const { return watched() && ((paused_ && !step_) || attached_ == 0); }

void WebTable::go_on_after(int milliseconds) {
  if (waits()) return;
  due_ = true;
  services_.later(std::chrono::milliseconds(milliseconds), [self = shared_from_this()] {
    self->due_ = false;
    if (self->closed_ || self->waits()) return;
    if (self->over_) {
      self->step_ = false;
      return self->next();
    }
    if (!self->env_.hand_over() && !self->person(self->env_.current_player()))
      self->agent_turn(self->env_.current_player());
    self->go_on();
  });
}

void WebTable::agent_turn(Seat seat) {
  SeatedAgent& agent = *agents_[at(seat)];
  table_.add_move(seat, agent.play(env_));
  report(agent, seat, false);
  send_all();
  // In a turn of several decisions nothing is visible before the last.
  if (shown_) step_ = false;
}

void WebTable::ask(Seat seat) {
  asked_ = true;
  ++request_;
  send_request(place_of(seat));
}

void WebTable::answer(Place& place, const nlohmann::json& message) {
  const remote::Answer answer = remote::read_answer(message.dump());
  const Seat seat = env_.current_player();
  if (!answer.is_answer) throw UsageError(answer.problem);
  if (!asked_ || place.viewer != seat || answer.id != request_)
    throw UsageError(fmt::format("answer: request {} is not open", answer.id));
  if (!answer.decided) throw UsageError(answer.problem);
  Decision decision = answer.decision;
  if (answer.by_text && !remote::find_decision(env_.choices(), answer.text, decision))
    throw UsageError(fmt::format("answer: {} is not a choice here", shown_json(answer.text)));
  const bool legal = decision.is_amount() ? decision.amount >= 0 && env_.amount_range().contains(decision.amount)
                                          : in_mask(decision.action, env_.legal_mask());
  if (!legal) throw UsageError("answer: that is not a choice here");
  table_.play(decision);
  asked_ = false;
  send_all();
  go_on();
}

void WebTable::end_hand() {
  over_ = true;
  for (const auto& agent : agents_)
    if (agent) agent->end_hand(env_);
  const bool match_over = table_.match_over();
  for (const auto& place : places_) {
    if (place->adviser) place->adviser->end_hand(env_);
    nlohmann::ordered_json result = {{"type", "hand_over"}, {"won", table_.won()},      {"scores", table_.points()},
                                     {"hands", hands_},     {"match_over", match_over}, {"last", last_hand()}};
    if (std::string log = log_of(*place); !log.empty()) result["log"] = std::move(log);
    place->result = result.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
    send_lines(*place, place->result);
  }
  go_on();
}

void WebTable::next() {
  if (!over_) throw UsageError("next: the hand is not over yet");
  if (last_hand()) throw UsageError("next: that was the last hand");
  deal();
  go_on();
}

}  // namespace dealer::web
