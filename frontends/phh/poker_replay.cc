// From a history back to a hand played, and what differs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "env/core/error.h"
#include "env/games/poker/script.h"
#include "frontends/phh/amount.h"
#include "frontends/phh/poker_cards.h"
#include "frontends/phh/poker_history.h"

namespace dealer::phh {
namespace {

using Kind = HandAction::Kind;
using poker::Procedure;
using poker::Script;

struct Refusal {
  int line;
  std::string message;
};

bool is_act(const HandAction& action) {
  return action.kind == Kind::kBringIn || action.kind == Kind::kBetTo || action.kind == Kind::kCall ||
         action.kind == Kind::kFold || action.kind == Kind::kDiscard;
}

// Turns actions into a script: which round or draw each belongs to follows from the cards dealt before it.
class Reader {
 public:
  Reader(const poker::GameRules& rules, const HandHistory& hand) : rules_(rules), hand_(hand), deck_(*rules.deck) {
    read_seats();
    read_chips();
    read_mix();
    find_unknown();
  }

  const std::vector<Seat>& seats() const { return seats_; }

  // With all the cards and the first `acts` acts of players.
  Script script(std::size_t acts) {
    Script script = start_;
    received_.assign(seats_.size(), 0);
    draws_.assign(seats_.size(), 0);
    held_.clear();
    hands_.assign(seats_.size(), {});
    unused_ = spare_;
    street_ = 0, board_ = 0;
    std::size_t done = 0;
    for (const HandAction& action : hand_.actions) {
      action_ = &action;
      if (action.kind == Kind::kMove) fail("this is no betting game; expected cbr, cc, f, sd, sm or pb");
      if (action.kind == Kind::kDealHole) deal_hole(script);
      if (action.kind == Kind::kDealBoard) deal_board(script);
      if (is_act(action)) act(script, done++ < acts);
    }
    return script;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  [[noreturn]] void fail(const std::string& what) const {
    throw Refusal{action_->line, fmt::format("'{}': {}", to_string(*action_, hand_.decimals), what)};
  }

  // Seats are told by `seats`; without it the players sit in their order. The last is the dealer.
  void read_seats() {
    const TomlValue* list = hand_.other("seats");
    for (int i = 0; i < hand_.players(); ++i) {
      Seat seat = i;
      if (list != nullptr) {
        const std::string text = at(i) < list->items.size() ? list->items[at(i)].text : "";
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seat);
        if (error != std::errc() || end != text.data() + text.size()) seat = 0;
        --seat;
      }
      if (seat < 0 || seat >= rules_.players || std::find(seats_.begin(), seats_.end(), seat) != seats_.end())
        throw Refusal{hand_.line_of(list != nullptr ? "seats" : "starting_stacks"),
                      fmt::format("{} players do not fit into {} seats of their own", hand_.players(), rules_.players)};
      seats_.push_back(seat);
    }
    // Clockwise from the dealer's left.
    const auto turn = [&](Seat seat) { return (seat - seats_.back() - 1 + rules_.players) % rules_.players; };
    if (!std::is_sorted(seats_.begin(), seats_.end(), [&](Seat a, Seat b) { return turn(a) < turn(b); }))
      throw Refusal{hand_.line_of("seats"), "the seats are not in clockwise order, the dealer's last"};
    start_.dealer = seats_.back();
    for (const Seat seat : seats_) start_.in = static_cast<betting::SeatSet>(start_.in | betting::bit(seat));
  }

  void read_chips() {
    Amount total = 0;
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      total += hand_.starting_stacks[i];
      if (total >= betting::kMaxChips)
        throw Refusal{hand_.line_of("starting_stacks"),
                      fmt::format("there are more than {} chips at the table", betting::kMaxChips - 1)};
      start_.chips[at(seats_[i])] = static_cast<betting::Chips>(hand_.starting_stacks[i]);
    }
  }

  void read_mix() {
    if (!rules_.random_mix()) return;
    const std::string suits = hand_.other_text("_taken_out").value_or("");
    const std::size_t ranks = deck_.ranks().size();
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      int found = -1;
      for (int suit = 0; suit < Deck::kReplaceable && rank < suits.size(); ++suit)
        if (deck_.suits()[at(suit)].symbol == suits[rank]) found = suit;
      if (found < 0 || suits.size() != ranks)
        throw Refusal{hand_.line_of("_taken_out"),
                      fmt::format("_taken_out: expected a suit for each of the ranks {}", deck_.ranks())};
      start_.taken_out[rank] = static_cast<std::uint8_t>(found);
    }
  }

  // Cards nobody is known to have stand in for unknown ones of players who fold, and of the last one left, who wins
  // without a showdown.
  void find_unknown() {
    std::vector<bool> named(at(deck_.size()));
    may_hide_.assign(seats_.size(), false);
    for (const HandAction& action : hand_.actions) {
      if (action.kind == Kind::kFold) may_hide_[at(action.player)] = true;
      for (const std::string& text : action.cards)
        if (const auto card = try_card(deck_, text)) named[*card] = true;
    }
    if (std::count(may_hide_.begin(), may_hide_.end(), false) == 1) may_hide_.assign(seats_.size(), true);
    for (const CardId card : deck_.in_play(std::span(start_.taken_out).first(deck_.ranks().size())))
      if (!named[card]) spare_.push_back(card);
  }

  CardId read_card(const std::string& text) {
    if (text == "??") {
      const bool may_be_unknown = action_->player >= 0 && may_hide_[at(action_->player)];
      if (!may_be_unknown || rules_.procedure == Procedure::kDraw || unused_.empty())
        fail("a card that decides is unknown, so that the hand cannot be played again");
      const CardId card = unused_.back();
      unused_.pop_back();
      return card;
    }
    const auto card = try_card(deck_, text);
    if (!card) fail(fmt::format("'{}' is no card of the deck '{}'", text, deck_.name()));
    return *card;
  }

  // A card may come again only after it was discarded or folded.
  void hold(CardId card) {
    if (std::find(held_.begin(), held_.end(), card) != held_.end())
      fail(fmt::format("{} is dealt twice", card_text(deck_, card)));
    held_.push_back(card);
  }

  void deal_hole(Script& script) {
    const std::size_t p = at(action_->player);
    Script::Player& player = script.player[at(seats_[p])];
    for (const std::string& text : action_->cards) {
      const CardId card = read_card(text);
      hold(card);
      hands_[p].push_back(card);
      const int index = received_[p]++;
      if (rules_.draws > 0) {
        if (index >= poker::kDrawHand && draws_[p] == 0) fail("more cards than a hand has");
        player.down[at(index < poker::kDrawHand ? 0 : draws_[p])].push_back(card);
        continue;
      }
      int before = 0, street = 0;
      while (street < rules_.streets && index >= before + size_of(street)) before += size_of(street++);
      if (street == rules_.streets) fail("more cards than a hand has");
      street_ = std::max(street_, street);
      (index - before < rules_.street[at(street)].down ? player.down : player.up)[at(street)].push_back(card);
    }
  }

  int size_of(int street) const { return rules_.street[at(street)].down + rules_.street[at(street)].up; }

  void deal_board(Script& script) {
    for (const std::string& text : action_->cards) {
      const CardId card = read_card(text);
      hold(card);
      int street = rules_.streets - 1;
      if (rules_.procedure == Procedure::kHoldem) {
        int before = 0;
        for (street = 0; street < rules_.streets && board_ >= before + rules_.street[at(street)].board; ++street)
          before += rules_.street[at(street)].board;
      }
      if (!rules_.has_board() || street == rules_.streets) fail("more cards than the board has");
      ++board_;
      street_ = std::max(street_, street);
      script.board[at(street)].push_back(card);
    }
  }

  void act(Script& script, bool done) {
    const std::size_t p = at(action_->player);
    Script::Player& player = script.player[at(seats_[p])];
    if (action_->kind == Kind::kDiscard) {
      if (draws_[p] == rules_.draws) fail("there is no draw left");
      Script::Discard& discarded = player.discarded[at(draws_[p]++)];
      street_ = std::max(street_, rules_.streets - rules_.draws + draws_[p] - 1);
      std::vector<CardId> cards;
      for (const std::string& text : action_->cards) {
        cards.push_back(read_card(text));
        std::erase(held_, cards.back());
        std::erase(hands_[p], cards.back());
      }
      if (done) discarded = {static_cast<int>(cards.size()), cards};
      return;
    }
    const int round = rules_.street[at(street_)].round;
    if (round < 0) fail("nobody may bet before the draw");
    if (action_->amount >= betting::kMaxChips) fail("there are not so many chips");
    const Action action = action_->kind == Kind::kFold    ? poker::kFold
                          : action_->kind == Kind::kBetTo ? poker::kFirstBet
                                                          : poker::kCall;
    // Folded hands go into the stock when it is used up.
    if (action_->kind == Kind::kFold && rules_.draws > 0)
      for (const CardId card : std::exchange(hands_[p], {})) std::erase(held_, card);
    if (done) player.bets[at(round)].push_back({action, static_cast<betting::Chips>(action_->amount)});
  }

  const poker::GameRules& rules_;
  const HandHistory& hand_;
  const Deck& deck_;
  Script start_;
  std::vector<Seat> seats_;
  std::vector<bool> may_hide_;
  std::vector<CardId> spare_, unused_, held_;
  std::vector<std::vector<CardId>> hands_;  // by player, what it holds now
  const HandAction* action_ = nullptr;
  std::vector<int> received_, draws_;
  int street_ = 0, board_ = 0;
};

class Replay {
 public:
  Replay(const poker::GameRules& rules, const HandHistory& hand, bool exact)
      : rules_(rules), hand_(hand), exact_(exact), reader_(rules, hand) {
    for (const HandAction& action : hand.actions)
      if (is_act(action)) acts_.push_back(&action);
  }

  // `events`: see replay_poker().
  std::vector<Problem> run(std::vector<Event>* events) {
    std::string why;
    const std::optional<poker::State> state = play(acts_.size(), why);
    if (state && events != nullptr) tell(*state, *events);
    if (!state) {
      report_illegal(why, events);
    } else if (!state->hand_over()) {
      add(last_line(), fmt::format("the hand is not over: p{} is to act", player(state->current_player()) + 1));
    } else {
      compare(*state);
    }
    return problems_;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  void add(int line, std::string message) { problems_.push_back({line, std::move(message)}); }
  int last_line() const { return hand_.actions.empty() ? hand_.line : hand_.actions.back().line; }
  int player(Seat seat) const {
    const auto& seats = reader_.seats();
    return static_cast<int>(std::find(seats.begin(), seats.end(), seat) - seats.begin());
  }
  std::string text(const HandAction& action) const { return to_string(action, hand_.decimals); }

  std::optional<poker::State> play(std::size_t acts, std::string& why) {
    try {
      return poker::play_script(rules_, reader_.script(acts));
    } catch (const UsageError& error) {
      why = error.what();
      // It is no observation of anybody that is played here.
      if (const std::size_t colon = why.find(": "); colon != std::string::npos) why = why.substr(colon + 2);
      return std::nullopt;
    }
  }

  // The longest beginning that can be played ends before the culprit.
  void report_illegal(const std::string& why, std::vector<Event>* events) {
    std::string ignored;
    std::size_t good = acts_.size();
    std::optional<poker::State> before;
    while (good > 0 && !(before = play(good - 1, ignored))) --good;
    if (before && events != nullptr) tell(*before, *events);
    if (good == 0 || acts_.empty()) return add(hand_.line_of("actions"), "the cards cannot be dealt so: " + why);
    const HandAction& culprit = *acts_[good - 1];
    add(culprit.line, fmt::format("'{}': {}", text(culprit), why));
  }

  // Cards that stand in for unknown ones are nowhere in the history.
  void tell(const poker::State& state, std::vector<Event>& events) const {
    state.events(events);
    std::vector<bool> named(at(rules_.deck->size()));
    for (const HandAction& action : hand_.actions)
      for (const std::string& text : action.cards)
        if (const auto card = try_card(*rules_.deck, text)) named[*card] = true;
    for (Event& event : events)
      if (event.kind != Event::Kind::kHandBegun) std::erase_if(event.cards, [&](CardId card) { return !named[card]; });
  }

  static bool same_act(const HandAction& a, const HandAction& b) {
    std::vector<std::string> x = a.cards, y = b.cards;
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    return a.kind == b.kind && a.player == b.player && a.amount == b.amount && x == y;
  }

  void compare(const poker::State& state) {
    std::vector<Event> events;
    state.events(events);
    const HandHistory played = poker_history(rules_, "replay", events, {});
    std::vector<const HandAction*> expected;
    for (const HandAction& action : played.actions)
      if (is_act(action)) expected.push_back(&action);
    for (std::size_t i = 0; i < acts_.size(); ++i) {
      // A discard may name unknown cards only where the hand is unknown, which the reader refuses in draw games.
      if (i < expected.size() && same_act(*acts_[i], *expected[i])) continue;
      return add(acts_[i]->line, i < expected.size() ? fmt::format("'{}' is out of turn; expected '{}'",
                                                                   text(*acts_[i]), text(*expected[i]))
                                                     : fmt::format("'{}': the hand is over", text(*acts_[i])));
    }
    if (expected.size() > acts_.size())
      return add(last_line(), fmt::format("'{}' is missing", text(*expected[acts_.size()])));
    exact_ ? compare_shown_exactly(played) : compare_shown(state);
    compare_stacks(state);
  }

  void compare_shown_exactly(const HandHistory& played) {
    std::vector<const HandAction*> shown, expected;
    for (const HandAction& action : hand_.actions)
      if (action.kind == Kind::kShow) shown.push_back(&action);
    for (const HandAction& action : played.actions)
      if (action.kind == Kind::kShow) expected.push_back(&action);
    for (std::size_t i = 0; i < std::max(shown.size(), expected.size()); ++i) {
      if (i == shown.size()) return add(last_line(), fmt::format("'{}' is missing", text(*expected[i])));
      if (i == expected.size()) return add(shown[i]->line, fmt::format("'{}': nobody shows now", text(*shown[i])));
      if (!same_act(*shown[i], *expected[i]))
        return add(shown[i]->line, fmt::format("'{}'; expected '{}'", text(*shown[i]), text(*expected[i])));
    }
  }

  // Whoever shows must have those cards; whoever mucks wins nothing at a showdown.
  void compare_shown(const poker::State& state) {
    const poker::HandRecord record = state.last_hand();
    for (const HandAction& action : hand_.actions) {
      if (action.kind != Kind::kShow || action.player < 0) continue;
      const Seat seat = reader_.seats()[at(action.player)];
      const std::vector<std::string> own = card_texts(*rules_.deck, state.cards(seat));
      for (const std::string& card : action.cards)
        if (card != "-" && card != "??" && std::find(own.begin(), own.end(), card) == own.end())
          add(action.line, fmt::format("'{}': the player has {}", text(action), fmt::join(own, "")));
      if (action.cards.empty() && (record.showdown >> seat & 1) != 0 && record.payout[at(seat)] > 0)
        add(action.line, fmt::format("'{}': the player wins {}", text(action),
                                     amount_text(record.payout[at(seat)], hand_.decimals)));
    }
  }

  void compare_stacks(const poker::State& state) {
    const poker::HandRecord record = state.last_hand();
    for (std::size_t i = 0; i < hand_.finishing_stacks.size(); ++i) {
      const Amount right = hand_.starting_stacks[i] + record.net[at(reader_.seats()[i])];
      if (hand_.finishing_stacks[i] != right)
        add(hand_.line_of("finishing_stacks"),
            fmt::format("p{} is said to finish with {}; it has {}", i + 1,
                        amount_text(hand_.finishing_stacks[i], hand_.decimals), amount_text(right, hand_.decimals)));
    }
    const TomlValue* winnings = hand_.other("winnings");
    if (winnings == nullptr) return;
    for (std::size_t i = 0; i < reader_.seats().size() && i < winnings->items.size(); ++i) {
      const std::string right = amount_text(record.payout[at(reader_.seats()[i])], hand_.decimals);
      bool same = false;
      try {
        same = parse_amount(winnings->items[i].text, hand_.decimals) == record.payout[at(reader_.seats()[i])];
      } catch (const ParseError&) {
      }
      if (!same)
        add(winnings->line, fmt::format("p{} is said to win {}; it wins {}", i + 1, winnings->items[i].text, right));
    }
  }

  const poker::GameRules& rules_;
  const HandHistory& hand_;
  const bool exact_;
  Reader reader_;
  std::vector<const HandAction*> acts_;
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<Problem> replay_poker(const poker::GameRules& rules, const HandHistory& hand, bool exact,
                                  std::vector<Event>* events) {
  try {
    return Replay(rules, hand, exact).run(events);
  } catch (const Refusal& refusal) {
    return {{refusal.line, refusal.message}};
  }
}

}  // namespace dealer::phh
