#include "env/core/vector_env.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/random_action.h"
#include "python/bindings/bindings.h"

namespace dealer::python {
namespace {

struct Wanted {
  bool action_mask = true;
  BatchParts parts;
};

// The buffers, kept alive by the arrays.
struct Buffers {
  Buffers(const Game& game, int num_envs, const Wanted& wanted) : owned(game, num_envs, wanted.parts) {
    const auto envs = static_cast<std::size_t>(num_envs), actions = static_cast<std::size_t>(game.num_actions());
    if (wanted.action_mask) action_mask = std::make_unique<bool[]>(envs * actions);
    random_actions.resize(envs);
    actor_rewards.resize(envs);
    actors.resize(envs);
  }

  OwnedBatch owned;
  std::unique_ptr<bool[]> action_mask;  // [num_envs, num_actions], or null
  std::vector<Action> random_actions;
  std::vector<float> actor_rewards;
  std::vector<std::int8_t> actors;  // seats that acted in the last step
};

// Byte i of the result is bit i of the argument.
std::uint64_t spread(std::uint64_t bits) {
  const std::uint64_t kept = (bits & 0xff) * 0x0101010101010101ULL & 0x8040201008040201ULL;
  return (kept + 0x7f7f7f7f7f7f7f7fULL) >> 7 & 0x0101010101010101ULL;
}

std::string text_of(const nb::object& object) { return nb::str(object).c_str(); }

class Tables {
 public:
  Tables(GamePtr game, const VectorEnvOptions& options, const Wanted& wanted)
      : game_(std::move(game)),
        options_(options),
        wanted_(wanted),
        envs_(game_->new_vector_env(options)),
        buffers_(std::make_shared<Buffers>(*game_, options.num_envs, wanted)),
        actions_(static_cast<std::size_t>(options.num_envs)) {
    make_arrays(static_cast<std::size_t>(options.num_envs));
  }

  const Game& game() const { return *game_; }
  int num_envs() const { return envs_->num_envs(); }
  std::int64_t hands_finished() const { return envs_->hands_finished(); }

  void reset(std::uint64_t seed) {
    const Turn turn(*this);
    const nb::gil_scoped_release release;
    envs_->reset(seed, batch());
    random_ = mix64(seed);
    began_ = true;
    spread_masks();
  }

  void step(nb::handle actions) {
    const Turn turn(*this);
    check_began();
    const std::span<const Action> chosen = actions_of(actions);
    const nb::gil_scoped_release release;
    std::ranges::copy(batch().current_players, buffers_->actors.begin());
    envs_->step(chosen, batch());
    spread_masks();
    const auto seats = static_cast<std::size_t>(game_->players());
    for (std::size_t e = 0; e < actions_.size(); ++e)
      buffers_->actor_rewards[e] = batch().rewards[e * seats + static_cast<std::size_t>(buffers_->actors[e])];
  }

  nb::object random_actions() {
    const Turn turn(*this);
    check_began();
    for (std::size_t e = 0; e < actions_.size(); ++e)
      buffers_->random_actions[e] = random_action(batch().legal[e], random_);
    return arrays_["random_actions"];
  }

  nb::bytes save() {
    const Turn turn(*this);
    const std::string bytes = envs_->save();
    return nb::bytes(bytes.data(), bytes.size());
  }

  void load(const nb::bytes& bytes) {
    const Turn turn(*this);
    envs_->load({bytes.c_str(), bytes.size()}, batch());
    began_ = true;
    spread_masks();
  }

  // Game, options, complete state, and the contents of the buffers.
  nb::tuple saved() {
    nb::dict held;
    for (const auto [name, array] : arrays_) held[name] = array.attr("copy")();
    const BatchParts& parts = wanted_.parts;
    return nb::make_tuple(std::const_pointer_cast<Game>(game_), options_.num_envs, options_.threads, options_.max_steps,
                          nb::make_tuple(wanted_.action_mask, parts.all_observations, parts.final_observations,
                                         parts.returns, parts.statistics),
                          began_ ? nb::object(save()) : nb::none(), random_, held);
  }
  void restore(const nb::object& bytes, std::uint64_t random, const nb::dict& held) {
    if (!bytes.is_none()) load(nb::cast<nb::bytes>(bytes));
    random_ = random;
    for (const auto [name, array] : held) nb::object(arrays_[name]).attr("__setitem__")(nb::ellipsis(), array);
  }

  nb::object array(const char* name) const {
    if (!arrays_.contains(name))
      throw UsageError(fmt::format("there is no buffer '{0}'; ask for it: vector_env(..., {0}=True)", name));
    return arrays_[name];
  }

 private:
  // Without the interpreter's lock another thread could interfere.
  class Turn {
   public:
    explicit Turn(Tables& tables) : busy_(tables.busy_) {
      if (busy_.exchange(true)) throw UsageError("another thread is stepping these tables; one at a time");
    }
    ~Turn() { busy_ = false; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    std::atomic<bool>& busy_;
  };

  const Batch& batch() const { return buffers_->owned.batch(); }

  void check_began() const {
    if (!began_) throw UsageError("the tables have not been dealt; call reset(seed) first");
  }

  template <class T>
  void add(const char* name, std::span<T> numbers, std::initializer_list<std::size_t> shape) {
    if (numbers.empty()) return;
    const nb::capsule owner(new std::shared_ptr<Buffers>(buffers_),
                            [](void* held) noexcept { delete static_cast<std::shared_ptr<Buffers>*>(held); });
    arrays_[name] = nb::cast(nb::ndarray<nb::numpy, T>(numbers.data(), shape, owner));
  }

  void make_arrays(std::size_t envs) {
    const Batch& all = batch();
    const auto seats = static_cast<std::size_t>(game_->players());
    const auto size = static_cast<std::size_t>(game_->observation_spec().size());
    const auto actions = static_cast<std::size_t>(game_->num_actions());
    add("observations", all.observations, {envs, size});
    add("legal_mask", all.legal, {envs});
    add("rewards", all.rewards, {envs, seats});
    add("current_players", all.current_players, {envs});
    add("terminated", as_bools(all.terminated), {envs});
    add("truncated", as_bools(all.truncated), {envs});
    add("all_observations", all.all_observations, {envs, seats, size});
    add("final_observations", all.final_observations, {envs, seats, size});
    add("returns", all.returns, {envs, seats});
    add("statistics", all.statistics, {envs, seats, game_->statistic_names().size(), 2});
    add("random_actions", std::span(buffers_->random_actions), {envs});
    add("actor_rewards", std::span(buffers_->actor_rewards), {envs});
    add("actors", std::span(buffers_->actors), {envs});
    if (buffers_->action_mask)
      add("action_mask", std::span(buffers_->action_mask.get(), envs * actions), {envs, actions});
  }

  // They contain only 0 and 1, and a bool is a byte here.
  static std::span<bool> as_bools(std::span<std::uint8_t> flags) {
    static_assert(sizeof(bool) == 1);
    return {reinterpret_cast<bool*>(flags.data()), flags.size()};
  }

  void spread_masks() {
    if (!buffers_->action_mask) return;
    const auto actions = static_cast<std::size_t>(game_->num_actions());
    bool* to = buffers_->action_mask.get();
    for (LegalMask mask : batch().legal) {
      static_assert(std::endian::native == std::endian::little);
      for (std::size_t a = 0; a < actions; a += 8, mask >>= 8) {
        const std::uint64_t eight = spread(mask);
        std::memcpy(to + a, &eight, std::min<std::size_t>(8, actions - a));
      }
      to += actions;
    }
  }

  // int32 is used in place; other integers are copied.
  std::span<const Action> actions_of(nb::handle given) {
    using Exact = nb::ndarray<const Action, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    using Wide = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::device::cpu>;
    if (Exact exact; nb::try_cast(given, exact, false)) {
      check_count(exact.shape(0));
      std::copy_n(exact.data(), actions_.size(), actions_.begin());
      return actions_;
    }
    const nb::module_ numpy = nb::module_::import_("numpy");
    const nb::object array = numpy.attr("asarray")(given);
    const auto kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
    if (kind != "i" && kind != "u")
      throw UsageError(fmt::format("actions of type {}; expected integers", text_of(array.attr("dtype"))));
    Wide wide;
    if (nb::cast<int>(array.attr("ndim")) != 1 || !nb::try_cast(array.attr("astype")("int64"), wide, false))
      throw UsageError(fmt::format("actions of shape {}; expected ({},)", text_of(array.attr("shape")), num_envs()));
    check_count(wide.shape(0));
    for (std::size_t e = 0; e < actions_.size(); ++e) {
      const std::int64_t action = wide(e);
      actions_[e] = action < 0 || action >= kMaxActions ? kNoAction : static_cast<Action>(action);
    }
    return actions_;
  }

  void check_count(std::size_t count) const {
    if (count != actions_.size())
      throw UsageError(fmt::format("{} actions; expected one for each of {} tables", count, num_envs()));
  }

  GamePtr game_;
  VectorEnvOptions options_;
  Wanted wanted_;
  std::unique_ptr<VectorEnv> envs_;
  std::shared_ptr<Buffers> buffers_;
  std::vector<Action> actions_;  // copied, so that no other thread changes them during the step
  nb::dict arrays_;
  std::uint64_t random_ = 0;
  bool began_ = false;
  std::atomic<bool> busy_ = false;
};

void make_tables(Tables* self, nb::handle spec, int num_envs, int threads, std::int64_t max_steps, bool action_mask,
                 bool all_observations, bool final_observations, bool returns, bool statistics) {
  const GamePtr game = to_game(spec);
  if (threads < 0) throw UsageError(fmt::format("{} threads; expected 0 (all) or more", threads));
  const VectorEnvOptions options{.num_envs = num_envs, .threads = threads, .max_steps = max_steps};
  const BatchParts parts{.truncated = true,
                         .all_observations = all_observations,
                         .final_observations = final_observations,
                         .returns = returns,
                         .statistics = statistics};
  new (self) Tables(game, options, {action_mask, parts});
}

void restore_tables(Tables& self, const nb::tuple& state) {
  const auto [action_mask, all_observations, final_observations, returns, statistics] =
      nb::cast<std::tuple<bool, bool, bool, bool, bool>>(state[4]);
  make_tables(&self, state[0], nb::cast<int>(state[1]), nb::cast<int>(state[2]), nb::cast<std::int64_t>(state[3]),
              action_mask, all_observations, final_observations, returns, statistics);
  self.restore(nb::borrow(state[5]), nb::cast<std::uint64_t>(state[6]), nb::cast<nb::dict>(state[7]));
}

struct ArrayDoc {
  const char* name;
  const char* sig;
  const char* doc;
};
constexpr ArrayDoc kArrays[] = {
    {"observations", "def observations(self) -> NDArray[numpy.float32]",
     "float32 [num_envs, observation_size] of the player to act."},
    {"legal_mask", "def legal_mask(self) -> NDArray[numpy.uint64]",
     "uint64 [num_envs] of the player to act; bit a: action a is legal."},
    {"action_mask", "def action_mask(self) -> NDArray[numpy.bool_]",
     "bool [num_envs, num_actions]: the same, an action each."},
    {"rewards", "def rewards(self) -> NDArray[numpy.float32]",
     "float32 [num_envs, players] of the last step, in the game's unit."},
    {"actors", "def actors(self) -> NDArray[numpy.int8]", "int8 [num_envs]: the seat that acted in the last step."},
    {"actor_rewards", "def actor_rewards(self) -> NDArray[numpy.float32]",
     "float32 [num_envs]: of the last step, of the seat that acted."},
    {"current_players", "def current_players(self) -> NDArray[numpy.int8]", "int8 [num_envs]: the seat to act."},
    {"terminated", "def terminated(self) -> NDArray[numpy.bool_]",
     "bool [num_envs]: the last step ended an episode; the next is dealt."},
    {"truncated", "def truncated(self) -> NDArray[numpy.bool_]",
     "bool [num_envs]: the last step cut an episode off (max_steps); the next is dealt."},
    {"all_observations", "def all_observations(self) -> NDArray[numpy.float32]",
     "float32 [num_envs, players, observation_size] of all seats. On wish."},
    {"final_observations", "def final_observations(self) -> NDArray[numpy.float32]",
     "float32 [num_envs, players, observation_size] of all seats at the end of an episode; written only where one has\n"
     "ended or was cut off. On wish."},
    {"returns", "def returns(self) -> NDArray[numpy.float64]",
     "float64 [num_envs, players] of the episode; written only where one has ended or was cut off. On wish."},
    {"statistics", "def statistics(self) -> NDArray[numpy.float64]",
     "float64 [num_envs, players, names, 2]: numerators and denominators, summed over the hands of the episode; "
     "written\n"
     "only where one has ended or was cut off. On wish."},
};

}  // namespace

void bind_vector_env(nb::module_& module) {
  nb::class_<Tables> tables(
      module, "Tables",
      "What a VectorEnv steps: many tables, dealt anew at once when an episode ends.\n\n"
      "The arrays are views of the buffers that every step() writes: the same objects for ever,\n"
      "without copies, and with __dlpack__. Copy what must last. Results do not depend on threads.");
  tables
      .def("__init__", &make_tables, nb::arg("spec"), nb::arg("num_envs"), nb::arg("threads") = 1, nb::kw_only(),
           nb::arg("max_steps") = 0, nb::arg("action_mask") = true, nb::arg("all_observations") = false,
           nb::arg("final_observations") = false, nb::arg("returns") = false, nb::arg("statistics") = false,
           nb::sig("def __init__(self, spec: str | Game, num_envs: int, threads: int = 1, *, max_steps: int = 0, "
                   "action_mask: bool = True, all_observations: bool = False, final_observations: bool = False, "
                   "returns: bool = False, statistics: bool = False) -> None"))
      .def_prop_ro("game",
                   [](const Tables& self) { return std::const_pointer_cast<Game>(self.game().shared_from_this()); })
      .def_prop_ro("num_envs", &Tables::num_envs)
      .def("__len__", &Tables::num_envs)
      .def_prop_ro("hands_finished", &Tables::hands_finished, "At all tables, since reset().")
      .def("reset", &Tables::reset, nb::arg("seed"), "Deals every table anew and fills the buffers.")
      .def("step", &Tables::step, nb::arg("actions"), nb::sig("def step(self, actions: ArrayLike) -> None"),
           "Plays an action at every table: integers [num_envs], best int32. Other threads of Python run meanwhile.\n"
           "Raises IllegalAction, before any table moves, when one of them is not legal.")
      .def(
          "random_actions", &Tables::random_actions, nb::sig("def random_actions(self) -> NDArray[numpy.int32]"),
          "int32 [num_envs]: a legal action for each table, uniform; follows from the seed of reset(). The same array\n"
          "every time.")
      .def("save", &Tables::save, "All that decides the future, as bytes.")
      .def("load", &Tables::load, nb::arg("data"),
           "Takes what save() of the same game, num_envs and max_steps gave, and fills the buffers. Raises\n"
           "CheckpointError, and changes nothing, on anything else.")
      .def("__getstate__", &Tables::saved)
      .def("__setstate__", &restore_tables)
      .def("__repr__",
           [](const Tables& self) { return fmt::format("Tables('{}', {})", self.game().spec(), self.num_envs()); });
  for (const ArrayDoc& array : kArrays)
    tables.def_prop_ro(
        array.name, [name = array.name](const Tables& self) { return self.array(name); }, nb::sig(array.sig),
        array.doc);
}

}  // namespace dealer::python
