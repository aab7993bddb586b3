#include "python/bindings/agents.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "env/core/error.h"

namespace dealer::python {
namespace {

// Name of a class or function, or of the object's class.
std::string class_name(nb::handle object) {
  const nb::handle named = nb::hasattr(object, "__name__") ? object : object.type();
  return nb::cast<std::string>(named.attr("__name__"));
}

// "ValueError: first line of the message"
std::string first_line(const nb::python_error& error) {
  const auto text = nb::cast<std::string>(nb::str(error.value()));
  return fmt::format("{}{}{}", class_name(error.type()), text.empty() ? "" : ": ", text.substr(0, text.find('\n')));
}

// A Python object, held without the interpreter's lock.
class Held {
 public:
  explicit Held(nb::object object) : object_(std::move(object)) {}
  ~Held() {
    const nb::gil_scoped_acquire lock;
    object_.reset();
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  nb::handle operator*() const { return object_; }

 private:
  nb::object object_;
};

// An agent written in Python. May be called with or without the interpreter's lock.
class PythonAgent : public Agent {
 public:
  PythonAgent(nb::object object, GamePtr game) : object_(std::move(object)), game_(std::move(game)) {
    observes_ = nb::hasattr(*object_, "hear");
  }

  nb::handle object() const { return *object_; }

  void reset(Seat seat, std::uint64_t seed) override {
    call([&](nb::handle object) {
      if (nb::hasattr(object, "reset")) object.attr("reset")(seat, seed);
    });
  }
  Decision act(const Observation& observation) override {
    return call([&](nb::handle object) { return to_decision(object.attr("act")(nb::cast(Observation(observation)))); });
  }
  bool observes() const override { return observes_; }
  void on_events(std::span<const Event> events) override {
    call([&](nb::handle object) { object.attr("hear")(to_python(events, *game_)); });
  }
  std::optional<std::vector<double>> policy(const Observation& observation) override {
    return ask<std::vector<double>>("policy", observation);
  }
  std::optional<double> value(const Observation& observation) override { return ask<double>("value", observation); }
  std::string explain(const Observation& observation) override {
    return ask<std::string>("explain", observation).value_or("");
  }

 private:
  // A Python exception becomes one line of text, which threads without the interpreter can read.
  template <class F>
  auto call(F&& f) -> decltype(f(nb::handle())) {
    const nb::gil_scoped_acquire lock;
    try {
      return f(*object_);
    } catch (const nb::python_error& error) {
      throw Error(fmt::format("{}: {}", class_name(*object_), first_line(error)));
    } catch (const nb::cast_error&) {
      throw Error(fmt::format("{}: what it has returned is of another type than expected", class_name(*object_)));
    }
  }
  template <class T>
  std::optional<T> ask(const char* method, const Observation& observation) {
    return call([&](nb::handle object) -> std::optional<T> {
      if (!nb::hasattr(object, method)) return std::nullopt;
      return nb::cast<std::optional<T>>(object.attr(method)(nb::cast(Observation(observation))));
    });
  }

  Held object_;
  GamePtr game_;
  bool observes_ = false;
};

// Makes agents from an object with act(), or from a class (or any function) that returns such objects.
class PythonFactory : public AgentFactory {
 public:
  PythonFactory(nb::object source, GamePtr game)
      : spec_(class_name(source)),
        single_(!PyType_Check(source.ptr()) && nb::hasattr(source, "act")),
        source_(std::move(source)),
        game_(std::move(game)) {}

  nb::handle single() const { return single_ ? *source_ : nb::handle(); }
  nb::handle source() const { return *source_; }

  // A factory for one existing object.
  std::unique_ptr<Agent> wrap(nb::object agent) const { return std::make_unique<PythonAgent>(std::move(agent), game_); }

  std::unique_ptr<Agent> make() const override {
    const nb::gil_scoped_acquire lock;
    if (single_) return wrap(nb::borrow(*source_));
    try {
      return wrap((*source_)());
    } catch (const nb::python_error& error) {
      throw UsageError(fmt::format("{}() cannot be made: {}", spec_, first_line(error)));
    }
  }
  int tables_at_once() const override { return 1; }
  const std::string& spec() const override { return spec_; }

 private:
  std::string spec_;
  bool single_;
  Held source_;
  GamePtr game_;
};

// An agent at a seat of one table, for Python. It records its inputs of the episode: a new agent with the same seed and
// the same inputs is a copy of it. Agents written in Python are copied by Python's own means.
class SeatedAgent {
 public:
  SeatedAgent(AgentFactoryPtr factory, GamePtr game)
      : factory_(std::move(factory)), game_(std::move(game)), agent_(factory_->make()) {}
  // Restores a pickled agent from source, game, and the result of saved_state().
  SeatedAgent(nb::handle source, nb::handle game, const nb::object& state)
      : factory_(to_factory(source, to_game(game))), game_(to_game(game)) {
    const nb::tuple saved = nb::borrow<nb::tuple>(state);
    if (const auto* const python = dynamic_cast<const PythonFactory*>(factory_.get()))
      agent_ = python->wrap(saved[0]);
    else
      agent_ = factory_->make();
    seat_ = nb::cast<Seat>(saved[1]);
    if (seat_ < 0) return;
    seed_ = nb::cast<std::uint64_t>(saved[2]);
    std::tie(observed_.hand, observed_.next) = nb::cast<std::pair<std::int32_t, std::int32_t>>(saved[3]);
    other_episode_ = true;
    if (python_object().is_valid()) return;
    agent_->reset(seat_, seed_);
    for (const nb::handle each : nb::list(saved[4])) {
      const auto [call, what] = nb::cast<std::pair<int, nb::object>>(each);
      Received received{static_cast<Call>(call), {}, {}};
      if (received.call == Call::kEvents)
        for (const nb::handle event : what)
          received.events.push_back(event_from_json(nlohmann::json::parse(nb::cast<std::string>(event)), *game_));
      else
        received.seen = nb::cast<Observation>(what);
      repeat(received);
      received_.push_back(std::move(received));
    }
  }

  // (source, game, state): arguments for a copy.
  nb::tuple saved() const {
    const auto* const python = dynamic_cast<const PythonFactory*>(factory_.get());
    nb::list call;
    for (const Received& each : received_) {
      nb::object what = nb::cast(each.seen);
      if (each.call == Call::kEvents) {
        nb::list events;
        for (const Event& event : each.events) events.append(to_json(event, *game_).dump());
        what = events;
      }
      call.append(nb::make_tuple(static_cast<int>(each.call), what));
    }
    const nb::object object = python != nullptr ? nb::borrow(python_object()) : nb::none();
    return nb::make_tuple(python != nullptr ? nb::borrow(python->source()) : nb::object(nb::str(spec().c_str())),
                          std::const_pointer_cast<Game>(game_->shared_from_this()),
                          nb::make_tuple(object, seat_, seed_, nb::make_tuple(observed_.hand, observed_.next), call));
  }

  const AgentFactoryPtr& factory() const { return factory_; }
  const std::string& spec() const { return factory_->spec(); }
  bool observes() const { return agent_->observes(); }

  void reset(Seat seat, std::uint64_t seed) {
    if (seat < 0 || seat >= game_->players())
      throw UsageError(fmt::format("seat {} of a game of {} players", seat, game_->players()));
    seat_ = seat;
    seed_ = seed;
    observed_ = {};
    other_episode_ = false;
    received_.clear();
    const nb::gil_scoped_release release;
    agent_->reset(seat, seed);
  }
  Decision act(const Observation& observation) { return ask(Call::kAct, &Agent::act, observation); }
  void on_events(const Env& env) {
    check_reset();
    check_game(env.game());
    if (!agent_->observes()) return;
    // Unpickled tables renumber their episodes.
    if (std::exchange(other_episode_, false)) observed_.episode = env.cursor().episode;
    std::vector<Event> events = env.events(seat_, observed_);
    observed_ = env.cursor();
    const nb::gil_scoped_release release;
    agent_->on_events(events);
    if (!python_object().is_valid()) received_.push_back({Call::kEvents, {}, std::move(events)});
  }
  std::optional<std::vector<double>> policy(const Observation& observation) {
    return ask(Call::kPolicy, &Agent::policy, observation);
  }
  std::optional<double> value(const Observation& observation) { return ask(Call::kValue, &Agent::value, observation); }
  std::string explain(const Observation& observation) { return ask(Call::kExplain, &Agent::explain, observation); }

 private:
  enum class Call : std::uint8_t { kAct, kEvents, kPolicy, kValue, kExplain };
  struct Received {
    Call call;
    Observation seen;
    std::vector<Event> events;  // of kEvents
  };

  // Null unless the agent is written in Python.
  nb::handle python_object() const {
    const auto* const python = dynamic_cast<const PythonAgent*>(agent_.get());
    return python != nullptr ? python->object() : nb::handle();
  }
  template <class Answer>
  Answer ask(Call call, Answer (Agent::*method)(const Observation&), const Observation& observation) {
    check(observation);
    const nb::gil_scoped_release release;
    if (!python_object().is_valid()) received_.push_back({call, observation, {}});
    return (*agent_.*method)(observation);
  }
  void repeat(const Received& call) {
    const nb::gil_scoped_release release;
    try {
      ask_again(call);
    } catch (const Error&) {
      // Same arguments as in the first run.
    }
  }
  void ask_again(const Received& call) {
    switch (call.call) {
      case Call::kAct:
        agent_->act(call.seen);
        break;
      case Call::kEvents:
        agent_->on_events(call.events);
        break;
      case Call::kPolicy:
        agent_->policy(call.seen);
        break;
      case Call::kValue:
        agent_->value(call.seen);
        break;
      case Call::kExplain:
        agent_->explain(call.seen);
    }
  }

  void check_reset() const {
    if (seat_ < 0) throw UsageError("the agent has no seat; call reset(seat, seed) first");
  }
  void check_game(const Game& game) const {
    if (game.id().rules != game_->id().rules)
      throw UsageError(fmt::format("the agent plays '{}', the table '{}'", game_->spec(), game.spec()));
  }
  void check(const Observation& observation) const {
    check_reset();
    const auto size = static_cast<std::size_t>(game_->observation_spec().size());
    if (observation.data.size() != size)
      throw UsageError(
          fmt::format("an observation of {} numbers; '{}' has {}", observation.data.size(), game_->spec(), size));
    if (observation.player != seat_)
      throw UsageError(fmt::format("an observation of seat {}; the agent has seat {}", observation.player, seat_));
    if (observation.legal_mask == 0) throw UsageError("there is nothing to choose: the observer is not to act");
  }

  AgentFactoryPtr factory_;
  GamePtr game_;
  std::unique_ptr<Agent> agent_;
  Seat seat_ = kTerminal;
  std::uint64_t seed_ = 0;
  EventCursor observed_;
  bool other_episode_ = false;      // observed_ is a cursor of the table from which this one's was copied
  std::vector<Received> received_;  // since reset(), in order
};

}  // namespace

AgentFactoryPtr to_factory(nb::handle agent, const GamePtr& game) {
  if (nb::isinstance<SeatedAgent>(agent)) return nb::cast<const SeatedAgent&>(agent).factory();
  if (nb::isinstance<nb::str>(agent)) return make_agents(nb::cast<std::string>(agent), game);
  if (nb::hasattr(agent, "act") || PyCallable_Check(agent.ptr()) != 0)
    return std::make_shared<PythonFactory>(nb::borrow(agent), game);
  throw UsageError(fmt::format("{} is not an agent; expected a spec such as 'rule', or a class or object with act()",
                               nb::cast<std::string>(nb::repr(agent))));
}

nb::handle single_object(const AgentFactory& factory) {
  const auto* const python = dynamic_cast<const PythonFactory*>(&factory);
  return python != nullptr ? python->single() : nb::handle();
}

bool is_written_in_python(const AgentFactory& factory) {
  return dynamic_cast<const PythonFactory*>(&factory) != nullptr;
}

void bind_agents(nb::module_& module) {
  nb::class_<SeatedAgent>(module, "Agent",
                          "An agent at one seat of one table. Call reset() before an episode, and hear() before "
                          "every\nact() and at the end of hands if `hears` is true.")
      .def_prop_ro("spec", &SeatedAgent::spec)
      .def_prop_ro("hears", &SeatedAgent::observes, "Whether the agent observes events.")
      .def("reset", &SeatedAgent::reset, nb::arg("seat"), nb::arg("seed"),
           "Takes a seat for an episode. All its randomness comes from the seed.")
      .def(
          "act", &SeatedAgent::act, nb::arg("observation"),
          "A legal decision. An exception raised by an agent written\nin Python becomes an Error that names the agent.")
      .def("hear", &SeatedAgent::on_events, nb::arg("env"),
           "Passes the agent the events of the table, as its seat saw them, since the last call. Over several "
           "hands\nthe table must keep its events (keep_events).")
      .def("policy", &SeatedAgent::policy, nb::arg("observation"),
           "Probability of each legal action, in the order of legal_actions(); None if the agent provides none.")
      .def("value", &SeatedAgent::value, nb::arg("observation"),
           "Expected return from here, in the game's unit; None if the agent provides none.")
      .def("explain", &SeatedAgent::explain, nb::arg("observation"), "An explanation of its choice, for people.")
      .def("__reduce__",
           [](const SeatedAgent& agent) {
             return nb::make_tuple(nb::module_::import_("dealers_choice").attr("_restore_agent"), agent.saved());
           })
      .def("__repr__", [](const SeatedAgent& agent) { return fmt::format("Agent('{}')", agent.spec()); });
  module.def("_restore_agent", [](nb::handle source, nb::handle game, const nb::object& state) {
    return SeatedAgent(source, game, state);
  });
  module.def(
      "make_agent",
      [](nb::handle agent, nb::handle game) {
        const GamePtr played = to_game(game);
        return SeatedAgent(to_factory(agent, played), played);
      },
      nb::arg("agent"), nb::arg("game"), nb::sig("def make_agent(agent: Any, game: str | Game) -> Agent"),
      "An agent of a spec ('random', 'rule', 'default[simulations=100]', the folder of a training), or of a class or\n"
      "object with act(observation) -> int | Decision, and, if it likes, reset(seat, seed), hear(events),\n"
      "policy(observation), value(observation), explain(observation).\n"
      "Raises UsageError on an unknown name, FileError, CheckpointError.");
}

}  // namespace dealer::python
