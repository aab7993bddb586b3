#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "agents/evaluator.h"
#include "frontends/bot/peer_session.h"
#include "frontends/dealt_table.h"
#include "frontends/seated_agent.h"

namespace dealer::web {

struct TableSetup {
  GamePtr game;
  std::vector<AgentFactoryPtr> agents;  // by seat; null: a person
  AgentFactoryPtr adviser;              // for the people
  std::uint64_t seed = 0;
  int hands = 0;              // number of hands to play; 0: no limit
  int pace = 0;               // milliseconds between actions of agents
  Viewer view = kOmniscient;  // of the spectator, if no people play
  int id = 0;
  std::string how_to_play;        // the rules in words; may be empty
  std::vector<std::string> keys;  // one per place
  int opener = 0;                 // the place of the person who opened the table and passes on the other keys
};

// Analyses decisions at a table. Each function may take long, and is called by one thread at a time.
struct TableAnalyser {
  // Values of the choices after the decisions played in a hand; `turn` is what the adviser would play now. Throws
  // UsageError if there are none.
  std::function<ActionValues(const Env& begun, std::span<const Decision> played, std::span<const Decision> turn)>
      values;
  // A list of the hand's decisions and the cost of each: those of one seat, or of all with kOmniscient.
  std::function<nlohmann::ordered_json(const Env& begun, std::span<const Decision> played,
                                       const std::vector<std::string>& names, Viewer seat)>
      review;
  // Equity and probabilities for the seat to act; null if there are none.
  std::function<nlohmann::ordered_json(const Env& now)> odds;
};

// Services of the server for a table.
struct TableServices {
  // Calls the function later in the table's turn; a table runs one function at a time.
  std::function<void(std::chrono::milliseconds, std::function<void()>)> later;
  // Calls the function in another thread, without blocking the table.
  std::function<void(std::function<void()>)> aside;
  TableAnalyser judge;
};

// A table with people and agents: takes their messages and sends each the events its seat may see
// (docs/web-protocol.md). A place is a person's seat or, if no people play, the spectator's. Every message is made from
// that seat's observations and events. All calls are made in the table's turn; agents compute in it.
class WebTable : public std::enable_shared_from_this<WebTable> {
 public:
  WebTable(TableSetup setup, TableServices services);
  ~WebTable();

  // A connection takes a place and gets the current state; the previous one of that place is closed.
  void attach(int place, std::shared_ptr<PeerLink> link);
  // The connection has gone; no effect if another one has the place.
  void detach(int place, const PeerLink* link);
  // Throws UsageError when the message is not valid now.
  void take(int place, const nlohmann::json& message);
  // The person leaves for good, which ends the table: nobody waits for somebody who will not come back. False if the
  // table goes on: another connection has the place, or the last hand is over.
  bool leave(int place, const PeerLink* link);
  // The last call: sends every place the reason, and closes the connections. `left`: the seat of the person who left.
  void close(const std::string& why, Seat left = -1);

  const TableSetup& setup() const { return setup_; }
  const Env& env() const { return env_; }
  // From any thread: number of places taken, and the last time that one was left, in wall_seconds().
  int attached() const { return attached_; }
  double left() const { return left_; }

 private:
  friend struct WebTableProbe;  // for tests: changes hidden cards
  struct Place;
  // A decision of the table, by its hand and the number of decisions before it.
  struct DecisionId {
    int hand = 0;
    std::size_t before = 0;
    friend bool operator==(const DecisionId&, const DecisionId&) = default;
  };

  bool watched() const { return people_ == 0; }
  bool person(Seat seat) const { return setup_.agents[static_cast<std::size_t>(seat)] == nullptr; }
  Place& place_of(Seat seat);

  void deal();
  void begin_episode();
  void go_on();
  void go_on_after(int milliseconds);
  bool waits() const;
  bool last_hand() const { return setup_.hands > 0 && hands_ >= setup_.hands; }
  DecisionId decision_now() const { return {hands_, table_.decisions().size()}; }
  void agent_turn(Seat seat);
  void ask(Seat seat);
  void end_hand();
  void next();
  void report(SeatedAgent& agent, Seat seat, bool adviser);

  void answer(Place& place, const nlohmann::json& message);
  void advise(Place& place, const nlohmann::json& message);
  void compute_advice(Place& place, SeatedAgent& adviser, Seat seat);
  void send_advice(Place& place, const nlohmann::ordered_json& advice);
  SeatedAgent* adviser_of(Place& place, Seat seat);
  void review(Place& place);
  void compute_review(Place& place);
  std::vector<Decision> plan(SeatedAgent& adviser, Seat seat);

  void send(Place& place, const nlohmann::ordered_json& message);
  void send_lines(Place& place, std::string lines);
  void send_all(const nlohmann::ordered_json& message);
  void send_all();
  // Sends the events that are new to the place; false when there are none.
  bool send_events(Place& place);
  void send_position(Place& place);
  void send_hand(Place& place);
  void send_request(Place& place);
  void welcome(Place& place);
  std::string log_of(const Place& place) const;

  const TableSetup setup_;
  const TableServices services_;
  std::vector<std::string> names_;
  DealtTable table_;
  Env& env_;                                          // of table_
  std::vector<std::unique_ptr<SeatedAgent>> agents_;  // by seat; null: a person
  std::vector<std::unique_ptr<Place>> places_;
  int people_ = 0;

  int hands_ = 0;              // number of hands begun
  bool over_ = false;          // the hand is over, and the next waits
  std::uint64_t request_ = 0;  // id of the last request
  bool asked_ = false;         // that request is open
  bool due_ = false;           // a call of go_on() is scheduled
  bool shown_ = false;         // a connection saw the last decision
  bool paused_ = false, closed_ = false;
  bool step_ = false;  // plays on although paused, until an event is seen
  int pace_ = 0;
  std::shared_ptr<std::mutex> judging_ = std::make_shared<std::mutex>();
  std::atomic<int> attached_{0};
  std::atomic<double> left_{0};
};

}  // namespace dealer::web
