#pragma once

#include <fmt/format.h>

#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "env/core/env_text.h"
#include "env/core/error.h"
#include "env/core/game.h"
#include "env/core/state_bytes.h"

namespace dealer {

// One table of a game whose states are of type S.
template <GameState S>
class TypedEnv final : public Env {
 public:
  TypedEnv(GamePtr game, const typename S::Rules& rules, const EnvOptions& options)
      : game_(std::move(game)), rules_(&rules), options_(options) {
    if (options.max_steps < 0)
      throw UsageError(fmt::format("max_steps of {}; expected 0 (no limit) or more", options.max_steps));
    reset(0);
  }

  const Game& game() const override { return *game_; }
  const EnvOptions& options() const override { return options_; }
  const S& state() const { return state_; }

  void reset(std::uint64_t seed) override {
    start_episode();
    state_.reset_and_hold(*rules_, seed);
    if (options_.hold_hands) return;
    Step ignored;
    clear(ignored);
    go_on(ignored);
  }

  void reset(std::uint64_t seed, const TableStart& start) override {
    if constexpr (requires(S & state) { state.start_from(*rules_, seed, start); }) {
      S begun;
      begun.start_from(*rules_, seed, start);
      set_state(begun);
    } else {
      throw UsageError(fmt::format("'{}' has no tables of tournaments", game_->spec()));
    }
  }

  TableStart carry_over() const override {
    if constexpr (requires { state_.carry_over(); }) {
      if (!state_.hand_over()) throw UsageError("the hand is not over yet");
      return state_.carry_over();
    } else {
      throw UsageError(fmt::format("'{}' does not carry chips over", game_->spec()));
    }
  }

  using Env::step;
  void step(Decision decision, Step& result) override {
    check(decision);
    clear(result);
    if constexpr (BetsAnyAmount<S>) {
      if (decision.is_amount())
        state_.bet_to_and_hold(decision.amount);
      else
        state_.apply_and_hold(decision.action);
    } else {
      state_.apply_and_hold(decision.action);
    }
    ++steps_;
    finish(result);
  }

  Step next_hand() override {
    if (!state_.hand_over() || state_.episode_over() || truncated_)
      throw UsageError(state_.hand_over() ? "no hand follows: the episode is over" : "the hand is not over yet");
    Step result;
    clear(result);
    deal_next();
    finish(result);
    return result;
  }

  Seat current_player() const override { return truncated_ ? kTerminal : state_.current_player(); }
  bool hand_over() const override { return state_.hand_over() || truncated_; }
  bool terminated() const override { return state_.hand_over() && state_.episode_over(); }
  bool truncated() const override { return truncated_; }
  LegalMask legal_mask() const override { return truncated_ ? 0 : state_.legal_mask(); }
  std::vector<Action> legal_actions() const override { return Observation{0, {}, legal_mask()}.legal_actions(); }
  AmountRange amount_range() const override {
    if constexpr (BetsAnyAmount<S>)
      return truncated_ ? AmountRange{} : state_.amount_range();
    else
      return {};
  }
  std::vector<Choice> choices() const override {
    std::vector<Choice> list;
    for (const Action action : legal_actions()) list.push_back(state_.choice(action));
    add_range(amount_range(), list);
    return list;
  }

  using Env::observe;
  void observe(Seat player, Observation& observation) const override {
    const bool to_act = check(player) == current_player();
    observation.player = player;
    observation.data.resize(static_cast<std::size_t>(game_->observation_spec().size()));
    observation.legal_mask = to_act ? legal_mask() : 0;
    observation.amounts = to_act ? amount_range() : AmountRange{};
    state_.observe(player, observation.data.data());
  }

  std::vector<double> returns() const override {
    std::vector<double> result(static_cast<std::size_t>(players()));
    for (Seat seat = 0; seat < players(); ++seat)
      result[static_cast<std::size_t>(seat)] = static_cast<double>(state_.return_of(seat));
    return result;
  }
  int hands_finished() const override { return state_.hands_finished(); }
  Statistics statistics(Seat player) const override {
    const Statistics& before = last_figures_[static_cast<std::size_t>(check(player))];
    return state_.hand_over() || before.size() == 0 ? state_.statistics(player) : before;
  }
  std::unique_ptr<Env> clone() const override { return std::make_unique<TypedEnv>(*this); }
  void assign(const Env& other) override {
    const auto* same = dynamic_cast<const TypedEnv*>(&other);
    if (same == nullptr || &same->game() != game_.get())
      throw UsageError(fmt::format("a table of '{}' cannot become one of '{}'", game_->spec(), other.game().spec()));
    *this = *same;
  }
  int unseen_cards() const override { return state_.unseen_cards(); }
  void resample_future(std::uint64_t seed) override {
    RandomStream rng(seed);
    state_.resample_future(rng);
    written_ = {};
  }

  std::string serialize() const override {
    ByteWriter out(header());
    S saved = state_;
    saved.attach(nullptr);
    out.add(saved);
    out.add(seen_before_);
    out.add(steps_);
    return std::move(out).finish();
  }

  void deserialize(std::string_view bytes) override {
    const std::string expected = header();
    const std::size_t size =
        expected.size() + sizeof(S) + sizeof(seen_before_) + sizeof(steps_) + sizeof(std::uint64_t);
    if (bytes.size() != size || bytes.substr(0, expected.size()) != expected)
      throw ParseError(fmt::format("saved position is not one of '{}': expected {} bytes, got {}", game_->spec(), size,
                                   bytes.size()));
    if (!ByteReader::sum_is_right(bytes))
      throw ParseError(fmt::format("saved position of '{}' is malformed: the checksum differs", game_->spec()));
    ByteReader in(bytes.substr(expected.size()));
    S loaded;
    in.get(loaded);
    loaded.attach(rules_);
    if (!loaded.valid() || (loaded.hand_over() && !loaded.episode_over() && !options_.hold_hands))
      throw ParseError(fmt::format("saved position of '{}' cannot occur", game_->spec()));
    set_state(loaded);
    in.get(seen_before_);
    in.get(steps_);
    truncated_ = cut_off();
  }

  std::vector<Event> events(Viewer viewer, EventCursor since) const override {
    if (viewer != kSpectator && viewer != kOmniscient) check(viewer);
    const int now = hand_number();
    if (since.episode == 0) since = {episode_, kept_from_, 0};
    const auto refuse = [&](const std::string& why) { throw UsageError(fmt::format("stale cursor: {}", why)); };
    if (since.episode != episode_) refuse("it is from another episode");
    if (since.hand > now || since.hand < 0 || since.next < 0) refuse("it lies beyond the present");
    if (since.hand < kept_from_)
      refuse(fmt::format("the events of hand {} were not kept; expected hand {} or later", since.hand, kept_from_));
    std::vector<Event> all;
    for (int hand = since.hand; hand <= now; ++hand) {
      const std::vector<Event>& of_hand =
          hand == now ? hand_events() : kept_[static_cast<std::size_t>(hand - kept_from_)];
      const std::size_t skip = hand == since.hand ? static_cast<std::size_t>(since.next) : 0;
      if (skip > of_hand.size()) refuse("it lies beyond the present");
      for (std::size_t i = skip; i < of_hand.size(); ++i)
        if (std::optional<Event> seen = seen_by(of_hand[i], viewer)) all.push_back(*std::move(seen));
    }
    return all;
  }

  EventCursor cursor() const override {
    return {episode_, hand_number(), static_cast<std::int32_t>(hand_events().size())};
  }

  int hand_number() const override { return state_.hands_finished() - (state_.hand_over() ? 1 : 0); }

  InformationState information_state(Seat player) const override {
    const Observation seen = observe(player);
    std::string text = information_text(*game_, seen, seen_before_[static_cast<std::size_t>(player)]);
    if constexpr (requires { state_.information_text(player); }) text = state_.information_text(player);
    return {std::move(text), observation_hash(seen.data, seen_before_[static_cast<std::size_t>(player)])};
  }

  std::string action_to_string(Action action) const override { return state_.choice(action).text; }
  std::string to_string(Seat player) const override { return state_.to_string(check(player)); }
  void write_table(Seat player, JsonWriter& json) const override { state_.write_table(json, check(player)); }

  void sample_state(const Observation& observation, std::uint64_t seed) override {
    check_size(*game_, observation);
    typename S::Sampler sampler(*rules_, observation.data);
    RandomStream rng(seed);
    set_state(sampler.draw(rng));
  }

  // Puts the table into a position; its events begin with the hand in progress.
  void set_state(const S& state) {
    start_episode();
    state_ = state;
    kept_from_ = hand_number();
  }

 private:
  int players() const { return S::players(*rules_); }
  bool cut_off() const { return options_.max_steps > 0 && steps_ >= options_.max_steps && !terminated(); }
  Seat check(Seat player) const {
    if (player < 0 || player >= players())
      throw UsageError(fmt::format("there is no seat {}; seats are 0 to {}", player, players() - 1));
    return player;
  }
  void check(const Decision& decision) const {
    if (decision.is_amount()) {
      if (!amount_range().contains(decision.amount))
        throw IllegalAction(illegal_amount_message(decision.amount, amount_range()));
      return;
    }
    if (!in_mask(decision.action, legal_mask()))
      throw IllegalAction(illegal_action_message(decision.action, legal_mask(), S::num_actions(*rules_)));
  }
  std::string header() const { return "dealer:" + game_->spec() + '\n'; }

  // The events of the hand in progress.
  const std::vector<Event>& hand_events() const {
    if constexpr (WritesEvents<S>) {
      state_.write_events(written_.story, written_.events);
    } else {
      written_.events.clear();
      state_.events(written_.events);
    }
    return written_.events;
  }

  void start_episode() {
    ++episode_;
    written_ = {};
    kept_.clear();
    kept_from_ = 0;
    seen_before_ = {};
    last_figures_ = {};
    steps_ = 0;
    truncated_ = false;
  }
  void clear(Step& step) const {
    step.rewards.assign(static_cast<std::size_t>(players()), 0);
    step.terminated = step.truncated = false;
    step.hands_finished = 0;
  }

  // Stores the hand that has ended and deals the next one.
  void deal_next() {
    if (options_.keep_events)
      kept_.push_back(hand_events());
    else
      kept_from_ = hand_number() + 1;
    written_ = {};
    std::vector<float> seen(static_cast<std::size_t>(game_->observation_spec().size()));
    for (Seat seat = 0; seat < players(); ++seat) {
      state_.observe(seat, seen.data());
      std::uint64_t& before = seen_before_[static_cast<std::size_t>(seat)];
      before = observation_hash(seen, before);
      last_figures_[static_cast<std::size_t>(seat)] = state_.statistics(seat);
    }
    state_.next_hand();
  }
  void count_rewards(Step& step) const {
    if (!state_.hand_over()) return;
    ++step.hands_finished;
    for (Seat seat = 0; seat < players(); ++seat)
      step.rewards[static_cast<std::size_t>(seat)] += static_cast<double>(state_.reward(seat));
  }
  void go_on(Step& step) {
    while (state_.hand_over() && !state_.episode_over()) {
      deal_next();
      count_rewards(step);
    }
  }
  void finish(Step& step) {
    count_rewards(step);
    if (!options_.hold_hands) go_on(step);
    step.terminated = terminated();
    step.truncated = truncated_ = cut_off();
  }

  // Cached results for the hand in progress. A copy of a table starts with an empty cache: most copies never need it.
  struct NoStory {};
  template <class T>
  struct StoryOf {
    using type = NoStory;
  };
  template <WritesEvents T>
  struct StoryOf<T> {
    using type = typename T::Story;
  };
  struct WrittenEvents {
    WrittenEvents() = default;
    WrittenEvents(const WrittenEvents& /*other*/) : WrittenEvents() {}
    WrittenEvents& operator=(const WrittenEvents& /*other*/) {
      story = {};
      events.clear();
      return *this;
    }
    typename StoryOf<S>::type story{};
    std::vector<Event> events;
  };

  GamePtr game_;
  const typename S::Rules* rules_;
  EnvOptions options_;
  S state_;
  std::uint32_t episode_ = 0;
  mutable WrittenEvents written_;
  std::vector<std::vector<Event>> kept_;  // by hand, from kept_from_
  int kept_from_ = 0;
  // Hash per seat of everything it has seen in earlier hands.
  std::array<std::uint64_t, kMaxPlayers> seen_before_{};
  std::array<Statistics, kMaxPlayers> last_figures_{};  // of the hand before this one, by seat
  std::int64_t steps_ = 0;
  bool truncated_ = false;
};

}  // namespace dealer
