#include "python/bindings/agents.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "env/core/error.h"

namespace dealer::python {
namespace {

// Of a class or function its own.
std::string class_name(nb::handle object) {
  const nb::handle named = nb::hasattr(object, "__name__") ? object : object.type();
  return nb::cast<std::string>(named.attr("__name__"));
}

// "ValueError: first line of what it says"
std::string first_line(const nb::python_error& error) {
  const auto text = nb::cast<std::string>(nb::str(error.value()));
  return fmt::format("{}{}{}", class_name(error.type()), text.empty() ? "" : ": ", text.substr(0, text.find('\n')));
}

// An object of Python's, held without the interpreter's lock.
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

// An agent written in Python. It may be called with or without the interpreter's lock.
class PythonAgent : public Agent {
 public:
  PythonAgent(nb::object object, GamePtr game) : object_(std::move(object)), game_(std::move(game)) {
    hears_ = nb::hasattr(*object_, "hear");
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
  bool hears() const override { return hears_; }
  void hear(std::span<const Event> events) override {
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
  // What Python raises becomes one line of text: it may be looked at by threads that know nothing of Python.
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
  bool hears_ = false;
};

// Of an object with act(), or of a class (or any function) that makes such objects.
class PythonFactory : public AgentFactory {
 public:
  PythonFactory(nb::object source, GamePtr game)
      : spec_(class_name(source)),
        single_(!PyType_Check(source.ptr()) && nb::hasattr(source, "act")),
        source_(std::move(source)),
        game_(std::move(game)) {}

  nb::handle single() const { return single_ ? *source_ : nb::handle(); }
  nb::handle source() const { return *source_; }

  // An agent that is this object, made before.
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

// An agent at a seat of one table, for Python. It keeps all that it was asked and told in the episode: an agent made
// anew, with the same seed, that goes through the same is a copy of it. One written in Python is copied as Python does.
class SeatedAgent {
 public:
  SeatedAgent(AgentFactoryPtr factory, GamePtr game)
      : factory_(std::move(factory)), game_(std::move(game)), agent_(factory_->make()) {}
  // The copy of a pickled one: source, game, and what saved_state() gave.
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
    std::tie(heard_.hand, heard_.next) = nb::cast<std::pair<std::int32_t, std::int32_t>>(saved[3]);
    other_episode_ = true;
    if (python_object().is_valid()) return;
    agent_->reset(seat_, seed_);
    for (const nb::handle each : nb::list(saved[4])) {
      const auto [call, what] = nb::cast<std::pair<int, nb::object>>(each);
      Told told{static_cast<Call>(call), {}, {}};
      if (told.call == Call::kHear)
        for (const nb::handle event : what)
          told.events.push_back(event_from_json(nlohmann::json::parse(nb::cast<std::string>(event)), *game_));
      else
        told.seen = nb::cast<Observation>(what);
      repeat(told);
      told_.push_back(std::move(told));
    }
  }

  // (source, game, state): what makes a copy.
  nb::tuple saved() const {
    const auto* const python = dynamic_cast<const PythonFactory*>(factory_.get());
    nb::list told;
    for (const Told& each : told_) {
      nb::object what = nb::cast(each.seen);
      if (each.call == Call::kHear) {
        nb::list events;
        for (const Event& event : each.events) events.append(to_json(event, *game_).dump());
        what = events;
      }
      told.append(nb::make_tuple(static_cast<int>(each.call), what));
    }
    const nb::object object = python != nullptr ? nb::borrow(python_object()) : nb::none();
    return nb::make_tuple(python != nullptr ? nb::borrow(python->source()) : nb::object(nb::str(spec().c_str())),
                          std::const_pointer_cast<Game>(game_->shared_from_this()),
                          nb::make_tuple(object, seat_, seed_, nb::make_tuple(heard_.hand, heard_.next), told));
  }

  const AgentFactoryPtr& factory() const { return factory_; }
  const std::string& spec() const { return factory_->spec(); }
  bool hears() const { return agent_->hears(); }

  void reset(Seat seat, std::uint64_t seed) {
    if (seat < 0 || seat >= game_->players())
      throw UsageError(fmt::format("seat {} of a game of {} players", seat, game_->players()));
    seat_ = seat;
    seed_ = seed;
    heard_ = {};
    other_episode_ = false;
    told_.clear();
    const nb::gil_scoped_release release;
    agent_->reset(seat, seed);
  }
  Decision act(const Observation& observation) {
    check(observation);
    const nb::gil_scoped_release release;
    note(Call::kAct, observation);
    return agent_->act(observation);
  }
  void hear(const Env& env) {
    check_reset();
    check_game(env.game());
    if (!agent_->hears()) return;
    // Pickled tables number their episodes anew.
    if (std::exchange(other_episode_, false)) heard_.episode = env.cursor().episode;
    std::vector<Event> events = env.events(seat_, heard_);
    heard_ = env.cursor();
    const nb::gil_scoped_release release;
    agent_->hear(events);
    if (!python_object().is_valid()) told_.push_back({Call::kHear, {}, std::move(events)});
  }
  std::optional<std::vector<double>> policy(const Observation& observation) {
    check(observation);
    const nb::gil_scoped_release release;
    note(Call::kPolicy, observation);
    return agent_->policy(observation);
  }
  std::optional<double> value(const Observation& observation) {
    check(observation);
    const nb::gil_scoped_release release;
    note(Call::kValue, observation);
    return agent_->value(observation);
  }
  std::string explain(const Observation& observation) {
    check(observation);
    const nb::gil_scoped_release release;
    note(Call::kExplain, observation);
    return agent_->explain(observation);
  }

 private:
  enum class Call : std::uint8_t { kAct, kHear, kPolicy, kValue, kExplain };
  struct Told {
    Call call;
    Observation seen;
    std::vector<Event> events;  // of kHear
  };

  // Null unless the agent is written in Python.
  nb::handle python_object() const {
    const auto* const python = dynamic_cast<const PythonAgent*>(agent_.get());
    return python != nullptr ? python->object() : nb::handle();
  }
  void note(Call call, const Observation& observation) {
    if (!python_object().is_valid()) told_.push_back({call, observation, {}});
  }
  void repeat(const Told& told) {
    const nb::gil_scoped_release release;
    try {
      ask_again(told);
    } catch (const Error&) {
      // As it was the first time.
    }
  }
  void ask_again(const Told& told) {
    switch (told.call) {
      case Call::kAct:
        agent_->act(told.seen);
        break;
      case Call::kHear:
        agent_->hear(told.events);
        break;
      case Call::kPolicy:
        agent_->policy(told.seen);
        break;
      case Call::kValue:
        agent_->value(told.seen);
        break;
      case Call::kExplain:
        agent_->explain(told.seen);
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
  EventCursor heard_;
  bool other_episode_ = false;  // heard_ is of the table that this one's is a copy of
  std::vector<Told> told_;      // since reset(), in order
};

}  // namespace

AgentFactoryPtr to_factory(nb::handle agent, const GamePtr& game) {
  if (nb::isinstance<SeatedAgent>(agent)) return nb::cast<const SeatedAgent&>(agent).factory();
  if (nb::isinstance<nb::str>(agent)) return make_agents(nb::cast<std::string>(agent), game);
  if (nb::hasattr(agent, "act") || PyCallable_Check(agent.ptr()) != 0)
    return std::make_shared<PythonFactory>(nb::borrow(agent), game);
  throw UsageError(fmt::format("{} is no agent; expected a spec such as 'rule', or a class or object with act()",
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
                          "Whoever decides, at one seat of one table. reset() before an episode; hear() before every\n"
                          "act() and at the end of hands, if hears.")
      .def_prop_ro("spec", &SeatedAgent::spec)
      .def_prop_ro("hears", &SeatedAgent::hears, "Whether it wants to be told what happens.")
      .def("reset", &SeatedAgent::reset, nb::arg("seat"), nb::arg("seed"),
           "Takes a seat for an episode. All its randomness comes from the seed.")
      .def("act", &SeatedAgent::act, nb::arg("observation"),
           "A legal decision. What an agent written in Python raises\n"
           "comes out as an Error that names it.")
      .def("hear", &SeatedAgent::hear, nb::arg("env"),
           "Tells it what has happened at the table, as its seat saw it, since the last call. Over several hands the\n"
           "table must keep its events (keep_events).")
      .def("policy", &SeatedAgent::policy, nb::arg("observation"),
           "Probability of each legal action, in the order of legal_actions(); None when it has no such thing.")
      .def("value", &SeatedAgent::value, nb::arg("observation"),
           "Expected return from here, in the game's unit; None when it has no such thing.")
      .def("explain", &SeatedAgent::explain, nb::arg("observation"), "Why it would play so, for people.")
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
