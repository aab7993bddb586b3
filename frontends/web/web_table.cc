// How a table is played. What is said of it: web_table_talk.cc.
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
#include "env/core/random.h"
#include "frontends/web/web_table_place.h"

namespace dealer::web {
namespace {

// Streams of the seed: episodes are dealt from their own, agents draw from theirs.
constexpr std::uint64_t kDeals = 0;
constexpr std::uint64_t kAgents = 1;

// Who only watches reads the end of a hand for as long as so many decisions take, within these milliseconds.
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
    names.push_back(alike == 1 ? agent->spec() : fmt::format("{} {}", agent->spec(), seat));
  }
  return names;
}

}  // namespace

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

WebTable::WebTable(TableSetup setup, TableServices services)
    : setup_(std::move(setup)),
      services_(std::move(services)),
      names_(names_of(setup_)),
      env_(setup_.game->new_env({.hold_hands = true, .keep_events = true})),
      earlier_points_(setup_.agents.size()),
      pace_(setup_.pace),
      left_(steady_seconds()) {
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
    std::string bye;
    remote::write_bye("the table is closed", bye);
    link->send(std::move(bye));
    return link->close("its table is closed");
  }
  if (hands_ == 0) deal();
  if (taken.link) {
    std::string bye;
    remote::write_bye("the seat was taken by a newer connection", bye);
    taken.link->send(std::move(bye));
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
  left_ = steady_seconds();
  --attached_;
  if (!watched()) send_all({{"type", "presence"}, {"seat", taken.viewer}, {"here", false}});
}

void WebTable::close(const std::string& why) {
  closed_ = true;
  std::string bye;
  remote::write_bye(why, bye);
  for (const auto& place : places_) {
    if (!place->link) continue;
    place->link->send(bye);
    place->link->close(why);
    place->link = nullptr;
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

std::vector<double> WebTable::points() const {
  std::vector<double> points = env_->returns();
  for (std::size_t seat = 0; seat < points.size(); ++seat)
    points[seat] = earlier_points_[seat] + (episodes_ == 0 ? 0 : points[seat]);
  return points;
}

void WebTable::deal() {
  moves_.clear();
  over_ = false;
  if (episodes_ == 0 || env_->terminated()) {
    deal_episode();
  } else {
    begun_ = env_->cursor();
    points_before_ = env_->returns();
    env_->next_hand();
    dealer_ = env_->events(kSpectator, begun_).front().seat;
  }
  match_over_ = false;
  shown_ = true;
  hand_begun_ = env_->clone();
  ++hands_;
  for (const auto& agent : agents_)
    if (agent) agent->begin_hand();
  for (const auto& place : places_) {
    if (place->adviser) place->adviser->begin_hand();
    place->result.clear();
    tell_hand(*place);
  }
}

// The button moves left with every hand, where an episode is one hand, too: such deals are passed over in which it
// would not.
void WebTable::deal_cards() {
  const std::uint64_t seed = derive(derive(setup_.seed, kDeals), episodes_);
  const Seat before = dealer_;
  const Seat next = before + 1 == setup_.game->players() ? 0 : before + 1;
  for (std::uint64_t deal = 0;; ++deal) {
    episode_seed_ = deal == 0 ? seed : derive(seed, deal);
    env_->reset(episode_seed_);
    dealer_ = env_->events(kSpectator).front().seat;
    if (before < 0 || match_over_ || dealer_ < 0 || dealer_ == next) return;
  }
}

void WebTable::deal_episode() {
  earlier_points_ = points();
  begun_ = {};
  points_before_.assign(agents_.size(), 0);
  deal_cards();
  const std::uint64_t seed = derive(derive(setup_.seed, kAgents), episodes_++);
  for (std::size_t seat = 0; seat < agents_.size(); ++seat) {
    if (!agents_[seat]) continue;
    agents_[seat]->begin_episode(derive(seed, seat));
    report(*agents_[seat], static_cast<Seat>(seat), false);
  }
  for (const auto& place : places_) {
    place->told = {};
    if (!place->adviser) continue;
    place->adviser->begin_episode(derive(seed, at(place->viewer)));
    report(*place->adviser, place->viewer, true);
  }
}

void WebTable::go_on() {
  if (due_ || asked_ || closed_) return;
  if (over_) {
    if (watched() && !last_hand()) go_on_after(std::clamp(kDecisionsOfPause * pace_, kShortPause, kLongPause));
    return;
  }
  if (env_->hand_over()) return end_hand();
  const Seat seat = env_->current_player();
  if (person(seat)) return ask(seat);
  go_on_after(shown_ ? pace_ : 0);
}

// Where nobody watches nothing is missed.
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
    if (!self->env_->hand_over() && !self->person(self->env_->current_player()))
      self->agent_turn(self->env_->current_player());
    self->go_on();
  });
}

void WebTable::agent_turn(Seat seat) {
  SeatedAgent& agent = *agents_[at(seat)];
  moves_.emplace_back(seat, agent.play(*env_));
  report(agent, seat, false);
  tell_all();
  // Of a turn in several decisions nothing is seen before the last.
  if (shown_) step_ = false;
}

void WebTable::ask(Seat seat) {
  asked_ = true;
  ++request_;
  tell_request(place_of(seat));
}

void WebTable::answer(Place& place, const nlohmann::json& message) {
  const remote::Answer answer = remote::read_answer(message.dump());
  const Seat seat = env_->current_player();
  if (!answer.is_answer) throw UsageError(answer.problem);
  if (!asked_ || place.viewer != seat || answer.id != request_)
    throw UsageError(fmt::format("answer: nobody waits for an answer to request {}", answer.id));
  if (!answer.decided) throw UsageError(answer.problem);
  Decision decision = answer.decision;
  if (answer.by_text && !remote::find_decision(env_->choices(), answer.text, decision))
    throw UsageError(fmt::format("answer: {} is no choice here", shown_json(answer.text)));
  const bool legal = decision.is_amount() ? decision.amount >= 0 && env_->amount_range().contains(decision.amount)
                                          : in_mask(decision.action, env_->legal_mask());
  if (!legal) throw UsageError("answer: that is no choice here");
  std::string words = env_->decision_to_string(decision);
  env_->step(decision);
  moves_.emplace_back(seat, std::move(words));
  asked_ = false;
  tell_all();
  go_on();
}

void WebTable::end_hand() {
  over_ = true;
  for (const auto& agent : agents_)
    if (agent) agent->end_hand(*env_);
  const std::vector<Event> events = env_->events(kSpectator, begun_);
  match_over_ = std::ranges::any_of(events, [](const Event& event) { return event.kind == Event::Kind::kMatchEnded; });
  std::vector<double> won = env_->returns();
  for (std::size_t seat = 0; seat < won.size(); ++seat) won[seat] -= points_before_[seat];
  for (const auto& place : places_) {
    if (place->adviser) place->adviser->end_hand(*env_);
    nlohmann::ordered_json result = {{"type", "hand_over"},       {"won", won},
                                     {"scores", points()},        {"hands", hands_},
                                     {"match_over", match_over_}, {"last", last_hand()}};
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

std::vector<Decision> WebTable::decisions_of_hand() const {
  const std::unique_ptr<Env> env = hand_begun_->clone();
  std::vector<Decision> played;
  for (const auto& [seat, words] : moves_) {
    played.push_back(env->parse_decision(words));
    env->step(played.back());
  }
  return played;
}

}  // namespace dealer::web
