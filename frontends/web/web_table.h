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
#include "frontends/seated_agent.h"

namespace dealer::web {

struct TableSetup {
  GamePtr game;
  std::vector<AgentFactoryPtr> agents;  // by seat; null: a person
  AgentFactoryPtr adviser;              // of the people
  std::uint64_t seed = 0;
  int hands = 0;              // after which it is over; 0: never
  int pace = 0;               // milliseconds between what agents do
  Viewer view = kOmniscient;  // of who watches, where nobody plays
  int id = 0;
  std::vector<std::string> keys;  // one a place
  int opener = 0;                 // the place of who has opened the table, and gives the others their keys
};

// Who judges decisions at a table. Each may take long, and serves one thread at a time.
struct TableJudge {
  // What the choices are worth after what was played in a hand; `turn` is what the adviser would do now. Throws
  // UsageError where nobody can tell.
  std::function<ActionValues(const Env& begun, std::span<const Decision> played, std::span<const Decision> turn)>
      values;
  // A list of the hand's decisions and what each cost: those of a seat, or of all where it is kOmniscient.
  std::function<nlohmann::ordered_json(const Env& begun, std::span<const Decision> played,
                                       const std::vector<std::string>& names, Viewer seat)>
      review;
  // What the seat to act can hope for; null where nothing is told.
  std::function<nlohmann::ordered_json(const Env& now)> chances;
};

// What a table has of its server.
struct TableServices {
  // Calls it later in the table's turn; a table does one thing at a time.
  std::function<void(std::chrono::milliseconds, std::function<void()>)> later;
  // Calls it elsewhere, and does not hold the table up.
  std::function<void(std::function<void()>)> aside;
  TableJudge judge;
};

// A table with people and agents: it takes their messages and tells each what its seat may know (docs/web-protocol.md).
// A place is a person's seat or, where no people play, the one of who watches. Everything sent is made from what that
// seat observes and hears. All calls come in the table's turn; agents think in it.
class WebTable : public std::enable_shared_from_this<WebTable> {
 public:
  WebTable(TableSetup setup, TableServices services);
  ~WebTable();

  // Somebody takes a place, and is told how things stand; who had it before is sent away.
  void attach(int place, std::shared_ptr<PeerLink> link);
  // The connection has gone; nothing happens where another one has the place.
  void detach(int place, const PeerLink* link);
  // Throws UsageError when the message is none that can be taken now.
  void take(int place, const nlohmann::json& message);
  // For the last time: tells everybody, and lets go of them.
  void close(const std::string& why);

  const TableSetup& setup() const { return setup_; }
  const Env& env() const { return *env_; }
  // From any thread: how many places are taken, and when one was left last, in steady seconds.
  int attached() const { return attached_; }
  double left() const { return left_; }

 private:
  friend struct WebTableProbe;  // of tests: puts other cards where nobody at the table can see them
  struct Place;
  struct Judged;

  bool watched() const { return people_ == 0; }
  bool person(Seat seat) const { return setup_.agents[static_cast<std::size_t>(seat)] == nullptr; }
  Place& place_of(Seat seat);

  void deal();
  void deal_episode();
  void deal_cards();
  void go_on();
  void go_on_after(int milliseconds);
  bool waits() const;
  bool last_hand() const { return setup_.hands > 0 && hands_ >= setup_.hands; }
  void agent_turn(Seat seat);
  void ask(Seat seat);
  void end_hand();
  void next();
  void report(SeatedAgent& agent, Seat seat, bool adviser);

  void answer(Place& place, const nlohmann::json& message);
  void advise(Place& place, const nlohmann::json& message);
  void review(Place& place);
  std::vector<Decision> decisions_of_hand() const;
  std::vector<Decision> plan(SeatedAgent& adviser, Seat seat);

  void send(Place& place, const nlohmann::ordered_json& message);
  void send_lines(Place& place, std::string lines);
  void send_all(const nlohmann::ordered_json& message);
  void tell_all();
  // What the place has not been told yet; false when that is nothing.
  bool tell(Place& place);
  void tell_position(Place& place);
  void tell_hand(Place& place);
  void tell_request(Place& place);
  void welcome(Place& place);
  std::string log_of(const Place& place) const;
  std::vector<double> points() const;

  const TableSetup setup_;
  const TableServices services_;
  std::vector<std::string> names_;
  std::unique_ptr<Env> env_;
  std::vector<std::unique_ptr<SeatedAgent>> agents_;  // by seat; null: a person
  std::vector<std::unique_ptr<Place>> places_;
  int people_ = 0;

  std::uint64_t episodes_ = 0, episode_seed_ = 0;
  Seat dealer_ = -1;
  int hands_ = 0;                       // begun
  bool over_ = false;                   // the hand is, and the next waits
  bool match_over_ = false;             // with it
  std::vector<double> earlier_points_;  // of the episodes before
  std::vector<double> points_before_;   // of the episode, when the hand began
  std::unique_ptr<Env> hand_begun_;     // before the first decision
  EventCursor begun_;                   // of the hand
  std::vector<std::pair<Seat, std::string>> moves_;
  std::uint64_t request_ = 0;  // the last
  bool asked_ = false;         // it is open
  bool due_ = false;           // go_on() comes
  bool shown_ = false;         // the last decision was seen by somebody
  bool paused_ = false, closed_ = false;
  bool step_ = false;  // although it is paused, until something is seen
  int pace_ = 0;
  std::shared_ptr<std::mutex> judging_ = std::make_shared<std::mutex>();
  std::atomic<int> attached_{0};
  std::atomic<double> left_{0};
};

double steady_seconds();

}  // namespace dealer::web
