#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "env/core/registry.h"
#include "frontends/web/table_setup.h"
#include "frontends/web/web_table.h"

namespace dealer::web {

struct WebTableProbe {
  static Env& env(WebTable& table) { return table.env_; }
};

}  // namespace dealer::web

namespace dealer::test {

// A person's end of a connection to a table.
class Listener final : public PeerLink {
 public:
  void send(std::string lines) override {
    if (on_send) on_send(lines);
    text += lines;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) messages.push_back(nlohmann::json::parse(line));
  }
  void close(std::string why) override { closed = std::move(why); }

  // The last message of a type; null: there is none.
  nlohmann::json last(const std::string& type) const {
    for (auto message = messages.rbegin(); message != messages.rend(); ++message)
      if ((*message)["type"] == type) return *message;
    return nullptr;
  }
  int count(const std::string& type) const {
    int count = 0;
    for (const auto& message : messages) count += message["type"] == type ? 1 : 0;
    return count;
  }
  void forget() {
    messages.clear();
    text.clear();
  }

  std::vector<nlohmann::json> messages;
  std::string text;
  std::string closed;
  std::function<void(const std::string&)> on_send;
};

// A table without a server: the test triggers deferred calls.
class Sitting {
 public:
  explicit Sitting(web::TableSetup setup, web::TableAnalyser judge = {}) {
    while (setup.keys.size() < static_cast<std::size_t>(web::places_of(setup)))
      setup.keys.push_back("key " + std::to_string(setup.keys.size()));
    web::TableServices services;
    services.later = [this](std::chrono::milliseconds time, std::function<void()> what) {
      waits.push_back(static_cast<int>(time.count()));
      jobs_.push_back(std::move(what));
    };
    services.aside = [this](std::function<void()> what) { jobs_.push_back(std::move(what)); };
    services.judge = std::move(judge);
    table = std::make_shared<web::WebTable>(std::move(setup), std::move(services));
  }

  // Runs deferred calls while there are any, but at most this many.
  void settle(int most = 100'000) {
    for (; most > 0 && !jobs_.empty(); --most) {
      const std::function<void()> job = std::move(jobs_.front());
      jobs_.pop_front();
      job();
    }
  }
  std::size_t waiting() const { return jobs_.size(); }
  std::shared_ptr<Listener> sit(int place = 0) {
    auto listener = std::make_shared<Listener>();
    table->attach(place, listener);
    return listener;
  }

  std::shared_ptr<web::WebTable> table;
  std::vector<int> waits;  // milliseconds of all deferred calls

 private:
  std::deque<std::function<void()>> jobs_;
};

// Seats like in the message "open": "me", "guest" or agents.
inline web::TableSetup setup_of(const std::string& game, const std::vector<std::string>& seats,
                                std::uint64_t seed = 1) {
  web::TableSetup setup;
  setup.game = make_game(game);
  for (const std::string& seat : seats)
    setup.agents.push_back(seat == "me" || seat == "guest" ? nullptr : make_agents(seat, setup.game));
  setup.adviser = make_agents("random", setup.game);
  setup.seed = seed;
  return setup;
}

// An answer to a request: the choice of that number, for a range its smallest amount.
inline nlohmann::json answer_to(const nlohmann::json& request, std::size_t choice) {
  const nlohmann::json& legal = request["legal"][choice % request["legal"].size()];
  nlohmann::json answer = {{"type", "answer"}, {"id", request["id"]}};
  if (legal["index"].is_null())
    answer["amount"] = legal["min"];
  else
    answer["index"] = legal["index"];
  return answer;
}

}  // namespace dealer::test
