#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "env/core/at.h"
#include "env/games/poker/game.h"
#include "env/games/poker/parts.h"
#include "env/games/poker/script.h"

namespace dealer::poker {
namespace {

using Kind = Event::Kind;

// Converts the events to a view, and replays it with arbitrary cards in the hidden places.
class ObservedHandReader : ObservedEvents {
 public:
  ObservedHandReader(const GameRules& rules, const ObservedHand& hand) : ObservedEvents(hand), rules_(rules) {}

  std::vector<float> read() {
    begin(hand_.events.front());
    for (index_ = 1; index_ < hand_.events.size(); ++index_) take(hand_.events[index_]);
    Script script = script_of(rules_, view_);
    rules_.draws > 0 ? hide_draws(script) : fill(script);
    try {
      const State state = play_script(rules_, script);
      std::vector<float> out(at(rules_.parts->size));
      state.observe(hand_.viewer, out.data());
      return out;
    } catch (const UsageError&) {
      find_wrong_action(std::move(script));
      throw;
    }
  }

 private:
  View::Player& player(Seat seat) { return view_.player[at(seat)]; }

  void begin(const Event& event) {
    view_.players = rules_.players;
    view_.me = hand_.viewer;
    view_.dealer = event.seat;
    view_.hand_number = rules_.episode == Episode::kMatch ? event.hand : 0;
    view_.player.resize(at(rules_.players));
    int in = 0;
    for (Seat seat = 0; seat < rules_.players; ++seat) {
      const std::int64_t chips = event.values[at(seat)];
      if (rules_.fresh_stacks() ? chips != rules_.stack : chips < 0 || chips > rules_.all_chips())
        refuse("stacks", rules_.fresh_stacks() ? fmt::format("{} for every seat", rules_.stack)
                                               : fmt::format("0 to {} for every seat", rules_.all_chips()));
      player(seat).stack = static_cast<Chips>(chips);
      player(seat).out = chips == 0;
      player(seat).card_count = chips == 0 || rules_.draws == 0 ? 0 : rules_.hand_cards;
      in += chips == 0 ? 0 : 1;
    }
    if (in < 2 || player(hand_.viewer).out) refuse("stacks", "chips of two players at least, the viewer's among them");
    if (event.seat < 0 || player(event.seat).out) refuse("dealer", "a seat with chips");
    begin_mix(event);
  }

  // The suit taken out, by rank.
  void begin_mix(const Event& event) {
    if (!rules_.random_mix()) return;
    constexpr std::uint8_t kNone = 0xff;
    view_.taken_out.assign(rules_.deck->ranks().size(), kNone);
    for (const CardId card : event.cards) {
      const DeckCard& face = rules_.deck->card(card);
      if (face.transparent || face.suit < 0 || face.suit >= Deck::kReplaceable || face.rank < 0) break;
      view_.taken_out[at(face.rank)] = static_cast<std::uint8_t>(face.suit);
    }
    if (std::find(view_.taken_out.begin(), view_.taken_out.end(), kNone) != view_.taken_out.end())
      refuse("taken_out", "an opaque card of every rank");
  }

  void take(const Event& event) {
    if (event.street >= rules_.streets) refuse("street", fmt::format("0 to {}", rules_.streets - 1));
    if (event.seat >= 0 && player(event.seat).out) refuse("seat", "one that plays in this hand");
    if (event.kind != Kind::kPosted) view_.street = std::max(view_.street, event.street);
    switch (event.kind) {
      case Kind::kDealt:
        return deal(event);
      case Kind::kPosted:
        if (event.what == "bring_in") act(event, kCall);
        return;
      case Kind::kActed:
        return act(event);
      case Kind::kDiscarded:
        return discard(event);
      case Kind::kDrew:
        return draw(event);
      default:
        return;
    }
  }

  // After a reshuffle in a draw game, cards can occur twice.
  void see(const Event& event) {
    for (const CardId card : event.cards) {
      const auto& own = player(hand_.viewer).cards;
      const bool held = std::any_of(own.begin(), own.end(), [&](const SeenCard& seen) { return seen.card == card; });
      if (rules_.draws == 0 ? seen_[card] : held) refuse("cards", "cards that have not been dealt before");
      seen_.set(card);
    }
  }

  void deal(const Event& event) {
    see(event);
    if (event.seat < 0) {
      view_.board.insert(view_.board.end(), event.cards.begin(), event.cards.end());
      if (event.cards.size() != at(event.count) || view_.board.size() > kMaxBoard)
        refuse("cards", fmt::format("{} cards of the board", event.count));
      return;
    }
    View::Player& to = player(event.seat);
    if (rules_.draws == 0) to.card_count += event.count;
    add_cards(event, rules_.procedure == Procedure::kStud ? event.street : 0);
    if (event.what == "up") to.up.insert(to.up.end(), event.cards.begin(), event.cards.end());
  }

  void add_cards(const Event& event, int when) {
    View::Player& to = player(event.seat);
    if (event.seat == hand_.viewer && event.cards.size() != at(event.count))
      refuse("cards", fmt::format("all {} cards of its own seat", event.count));
    for (const CardId card : event.cards) to.cards.push_back({card, when});
    if (to.cards.size() > kHandCards) refuse("cards", fmt::format("at most {} in a hand", kHandCards));
  }

  void act(const Event& event) {
    const std::string_view what = event.what;
    if (what == "fold") return act(event, kFold);
    if (what == "check" || what == "call") return act(event, kCall);
    if (what == "bet" || what == "raise" || what == "complete") return act(event, kFirstBet);
    refuse("action", "fold, check, call, bet, raise or complete");
  }

  void act(const Event& event, Action action) {
    const int round = rules_.street[at(event.street)].round;
    if (event.seat < 0) refuse("seat", fmt::format("0 to {}", rules_.players - 1));
    if (round < 0) refuse("street", "one with betting");
    if (!view_.actions.empty() && view_.actions.back().round > round)
      refuse("street", "that of the action before or a later one");
    if (action == kFirstBet && (event.total <= 0 || event.total >= betting::kMaxChips)) refuse("total", "chips");
    if (action == kFold) {
      player(event.seat).folded = true;
      folded_on_[at(event.seat)] = event.street;
    }
    view_.actions.push_back({round, event.seat, action, action == kFirstBet ? event.total : 0});
    acted_.push_back(index_);
  }

  int number_of_draw(const Event& event) const {
    const int draw = event.street - (rules_.streets - rules_.draws);
    if (draw < 0 || rules_.draws == 0) refuse("street", "one with a draw");
    if (event.seat < 0) refuse("seat", fmt::format("0 to {}", rules_.players - 1));
    return draw;
  }

  void discard(const Event& event) {
    const int draw = number_of_draw(event);
    View::Player& from = player(event.seat);
    if (from.drawn[at(draw)] >= 0) refuse("event", "no second draw of a seat on a street");
    if (event.count > rules_.hand_cards) refuse("count", fmt::format("0 to {}", rules_.hand_cards));
    if (event.seat == hand_.viewer && event.cards.size() != at(event.count))
      refuse("cards", fmt::format("all {} cards of its own seat", event.count));
    from.drawn[at(draw)] = event.count;
    for (const CardId card : event.cards) {
      const auto held =
          std::find_if(from.cards.begin(), from.cards.end(), [&](const SeenCard& seen) { return seen.card == card; });
      if (held == from.cards.end()) refuse("cards", "cards of its hand");
      from.discarded[at(draw)].push_back(*held);
      from.cards.erase(held);
    }
  }

  void draw(const Event& event) {
    const int draw = number_of_draw(event);
    const int discarded = player(event.seat).drawn[at(draw)];
    if (event.count != discarded)
      refuse(discarded < 0 ? "event" : "count", discarded < 0 ? "discarded before drew" : std::to_string(discarded));
    see(event);
    add_cards(event, draw + 1);
  }

  void hide_draws(Script& script) {
    index_ = hand_.events.size() - 1;
    if (player(hand_.viewer).cards.size() != at(rules_.hand_cards))
      refuse("event", fmt::format("events by which the seat holds {} cards", rules_.hand_cards));
    const HiddenDeal hidden(rules_, view_);
    RandomStream rng(0);
    HiddenCards cards;
    int tries = 0;
    while (!hidden.draw(rng, cards, true))
      if (++tries == State::Sampler::kTries) throw UsageError("no deal agrees with the events");
    add_hidden(cards, script);
  }

  // Every place of an unknown dealt card, street by street.
  void fill(Script& script) const {
    std::vector<CardId> unseen;
    for (const CardId card : rules_.deck->in_play(view_.taken_out))
      if (!seen_[card] && rules_.is_opaque(card)) unseen.push_back(card);
    const auto fill_to = [&](std::vector<CardId>& cards, int count) {
      for (; static_cast<int>(cards.size()) < count && !unseen.empty(); unseen.pop_back())
        cards.push_back(unseen.back());
    };
    for (int street = 0; street <= view_.street; ++street) {
      const bool shared = street + 1 == rules_.streets && rules_.procedure == Procedure::kStud && !view_.board.empty();
      for (Seat seat = 0; seat < rules_.players && !shared; ++seat) {
        if (view_.player[at(seat)].out || folded_on_[at(seat)] < street) continue;
        fill_to(script.player[at(seat)].down[at(street)], rules_.street[at(street)].down);
        fill_to(script.player[at(seat)].up[at(street)], rules_.street[at(street)].up);
      }
      fill_to(script.board[at(street)], rules_.street[at(street)].board);
    }
  }

  // Replays the hand action by action, up to the first that the rules do not allow.
  void find_wrong_action(Script script) {
    for (Script::Player& player : script.player) player.bets = {};
    for (std::size_t k = 0; k < view_.actions.size(); ++k) {
      const PastAction& action = view_.actions[k];
      index_ = acted_[k];
      const State before = play_script(rules_, script);
      if (before.hand_over()) refuse("event", "the end of the hand");
      if (before.drawing()) refuse("event", "discarded");
      if (before.current_player() != action.seat) refuse("seat", std::to_string(before.current_player()));
      script.player[at(action.seat)].bets[at(action.round)].push_back({action.action, action.total});
      try {
        play_script(rules_, script);
      } catch (const UsageError&) {
        const betting::Bets::Range range = before.bets().range();
        if (action.action == kFirstBet && range.low > 0)
          refuse("total",
                 range.low == range.high ? std::to_string(range.low) : fmt::format("{} to {}", range.low, range.high));
        refuse("action", legal_words(before));
      }
    }
  }

  static std::string legal_words(const State& state) {
    std::string words;
    for (const Action action : {kFold, kCall, kFirstBet})
      if ((state.legal_mask() >> action & 1) != 0)
        words += fmt::format("{}{}", words.empty() ? "" : " or ", state.choice(action).kind);
    return words;
  }

  const GameRules& rules_;
  View view_;
  CardBits seen_;
  std::array<int, kMaxSeats> folded_on_ = [] {
    std::array<int, kMaxSeats> never{};
    never.fill(kMaxStreets);
    return never;
  }();
  std::vector<std::size_t> acted_;  // events of view_.actions
};

}  // namespace

std::vector<float> observe_hand(const GameRules& rules, const ObservedHand& hand) {
  return ObservedHandReader(rules, hand).read();
}

}  // namespace dealer::poker
