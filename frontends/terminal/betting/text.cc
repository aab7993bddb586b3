#include "frontends/terminal/betting/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "env/games/poker/game.h"
#include "env/games/small/game.h"
#include "env/hands/hand_comparison.h"
#include "frontends/terminal/betting/positions.h"
#include "frontends/terminal/commands.h"
#include "frontends/terminal/event_text.h"
#include "frontends/terminal/screen_text.h"

namespace dealer::terminal {
namespace {

using Kind = Event::Kind;

constexpr int kLongestName = 20, kShortestName = 8;

std::string pot_name(std::size_t pot, bool only) {
  return only ? "pot" : pot == 0 ? "main pot" : fmt::format("side pot {}", pot);
}

// Number of draws up to this street; in small games one.
std::size_t draws_until(const Game& game, int street) {
  const poker::Game* bets = poker::as_poker(game);
  if (bets == nullptr) return 1;
  const poker::GameRules& rules = bets->rules();
  return static_cast<std::size_t>(std::max(0, street - (rules.streets - rules.draws) + 1));
}

class Drawing {
 public:
  Drawing(const BettingTable& table, const Game& game, const Seats& seats, const Style& style, const TableMarks& marks)
      : table_(table), game_(game), seats_(seats), style_(style), marks_(marks), letters_(longest_card()) {
    const int players = static_cast<int>(table_.seats().size());
    for (int i = 1; i <= players; ++i) order_.push_back((std::max(seats_.me, -1) + i + players) % players);
    positions_ = positions(table, game);
  }

  std::string text() {
    measure();
    std::string text =
        heading() + pots() + cards_row("board", table_.board()) + cards_row("taken out", table_.taken_out());
    text += '\n' +
            dim(fmt::format("{} {}  {}{}  {}{}", pad_right("", place_), pad_right("", name_), pad_left("chips", chips_),
                            blinds_ > 0 ? "  " + pad_left("bb", blinds_) : "", pad_left("bet", bet_),
                            below_ ? "" : "  cards"),
                style_) +
            '\n';
    for (const Seat seat : order_) text += seat_text(seat);
    return text;
  }

 private:
  int longest_card() const {
    std::size_t most = 2;
    if (const poker::Game* bets = poker::as_poker(game_))
      for (const DeckCard& card : bets->rules().deck->cards()) most = std::max(most, card.text.size());
    return static_cast<int>(most);
  }
  int width() const { return style_.width; }
  bool fits(int columns) const { return width() <= 0 || columns <= width(); }
  int slots_width(const BettingSeat& seat) const {
    const auto cards = static_cast<int>(seat.down.size() + seat.up.size()) + seat.hidden;
    return cards * slot_width(style_, letters_) + (seat.up.empty() ? 0 : 2);
  }

  // Columns of the seats; cards on a line of their own if needed.
  void measure() {
    chips_ = 5, bet_ = 3;
    constexpr int kRoomForBlinds = 60;  // columns of a screen that has room for stacks in big blinds
    const bool counts_blinds = game_.big_blind() > 0 && fits(kRoomForBlinds);
    int names = 3, cards = 0;
    for (const std::string& position : positions_) place_ = std::max(place_, columns(position));
    for (Seat seat = 0; seat < static_cast<Seat>(table_.seats().size()); ++seat) {
      const BettingSeat& owner = table_.seat(seat);
      names = std::max(names, columns(seats_.name(seat)));
      chips_ = std::max(chips_, static_cast<int>(std::to_string(owner.stack).size()));
      if (counts_blinds) blinds_ = std::max({blinds_, 2, columns(in_blinds(owner.stack))});
      bet_ = std::max(bet_, static_cast<int>(std::to_string(owner.bet).size()));
      cards = std::max(cards, slots_width(owner));
    }
    // Names are shortened first.
    name_ = std::min(names, kLongestName);
    while (name_ > kShortestName && !fits(left() + cards)) --name_;
    below_ = !fits(left() + cards);
    if (below_) name_ = std::min(names, std::max(kShortestName, std::min(kLongestName, width() / 3)));
    cards_ = cards;
  }
  // Columns in front of the cards.
  int left() const { return place_ + 1 + name_ + 2 + chips_ + (blinds_ > 0 ? 2 + blinds_ : 0) + 2 + bet_ + 2; }
  // "97.5"
  std::string in_blinds(Amount chips) const {
    const std::string text = fmt::format("{:.1f}", static_cast<double>(chips) / game_.big_blind());
    return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
  }
  // Without positions the dealer is marked.
  std::string place_of(Seat seat) const {
    return positions_.empty() ? seat == table_.dealer() ? "D" : "" : positions_[static_cast<std::size_t>(seat)];
  }

  std::string heading() const {
    bool shown = false;
    for (const BettingSeat& seat : table_.seats()) shown = shown || seat.shown;
    std::string text = street_name(game_, table_.street());
    if (text.ends_with("raw") && drawn()) text = "After the " + lower_case(text);
    if (table_.over()) text = shown ? "Showdown" : "The end of the hand";
    if (const std::string match = match_text(); !match.empty()) text += (text.empty() ? "" : ", ") + match;
    return text.empty() ? "" : bold(text, style_) + '\n';
  }

  // True if every player has drawn on this street.
  bool drawn() const {
    std::size_t most = 0;
    for (const BettingSeat& seat : table_.seats()) most = std::max(most, seat.drawn.size());
    const auto all = [&](const BettingSeat& seat) { return !seat.live() || seat.drawn.size() == most; };
    return most > 0 && most == draws_until(game_, table_.street()) &&
           std::all_of(table_.seats().begin(), table_.seats().end(), all);
  }

  std::string match_text() const {
    const poker::Game* bets = poker::as_poker(game_);
    if (bets == nullptr || bets->rules().episode != poker::Episode::kMatch || table_.hand() < 0) return {};
    const int hands = bets->rules().match_hands;
    return fmt::format("hand {} of {}", table_.hand() + 1, hands > 0 ? fmt::format("at most {}", hands) : "the match");
  }

  std::string pots() const {
    if (table_.over()) return {};
    std::string text = bold(fmt::format("pot {}", table_.pot()), style_);
    const std::vector<TablePot> pots = table_.pots();
    for (std::size_t i = 0; pots.size() > 1 && i < pots.size(); ++i)
      text += fmt::format("{} {} {}", i == 0 ? ":" : ",", pot_name(i, false), pots[i].chips);
    return wrap_list(text, width()) + '\n';
  }

  std::string slot(CardId card, bool marked = false) const {
    return card_slot(card_face(game_, card), letters_, style_, marked);
  }

  // Wraps slots into lines after `indent` columns, the first after `head`.
  std::string slots(const std::vector<std::string>& list, const std::string& head, int indent) const {
    std::string text, line = pad_right(head, indent);
    bool any = false;
    for (const std::string& one : list) {
      // The blank after the last slot may exceed the width.
      if (any && !fits(columns(line) + columns(one) - 1)) {
        text += as_line(line);
        line = std::string(static_cast<std::size_t>(indent), ' ');
      }
      line += one;
      any = true;
    }
    return text + as_line(line);
  }

  std::string cards_row(const std::string& name, const std::vector<CardId>& cards) const {
    if (cards.empty()) return {};
    std::vector<std::string> list;
    for (const CardId card : cards) list.push_back(slot(card));
    return slots(list, name, 11);
  }

  std::vector<std::string> slots_of(Seat seat) const {
    const BettingSeat& owner = table_.seat(seat);
    const bool own = seat == seats_.me;
    std::vector<std::string> list;
    for (const CardId card : owner.down)
      list.push_back(
          slot(card, own && std::find(marks_.cards.begin(), marks_.cards.end(), card) != marks_.cards.end()));
    for (int i = 0; i < owner.hidden; ++i) list.push_back(hidden_slot(style_, letters_));
    for (std::size_t i = 0; i < owner.up.size(); ++i) list.push_back((i == 0 ? "| " : "") + slot(owner.up[i]));
    return list;
  }

  // "1    2    3" or "     ^", aligned with the slots.
  std::vector<std::string> labels(const BettingSeat& seat) const {
    std::vector<std::string> list;
    for (std::size_t i = 0; i < seat.down.size(); ++i) {
      const std::string label = marks_.numbers ? std::to_string(i + 1) : seat.down[i] == marks_.asked ? "^" : "";
      list.push_back(pad_right((style_.color ? " " : "") + label, slot_width(style_, letters_)));
    }
    return list;
  }

  std::string seat_text(Seat seat) const {
    const BettingSeat& owner = table_.seat(seat);
    std::string name = pad_right(shorten(seats_.name(seat), name_), name_);
    if (seat == seats_.me) name = bold(name, style_);
    std::string line = fmt::format("{} {}  {}{}  {}", pad_right(place_of(seat), place_), name,
                                   pad_left(std::to_string(owner.stack), chips_),
                                   blinds_ > 0 ? "  " + pad_left(in_blinds(owner.stack), blinds_) : "",
                                   pad_left(owner.bet > 0 ? std::to_string(owner.bet) : "", bet_));
    const std::string says = status(seat);
    const std::vector<std::string> list = slots_of(seat);
    const int indent = below_ ? 4 : left();
    if (below_) line = hang(line, says, left());
    std::string text = below_ ? as_line(line) : "";
    if (!list.empty() || !below_) {
      std::string cards = slots(list, below_ ? "" : line, indent);
      cards.pop_back();
      if (!below_) cards = hang(pad_last(cards, indent + cards_), says, indent);
      text += as_line(cards);
    }
    if (seat == seats_.me && (marks_.numbers || marks_.asked)) text += slots(labels(owner), "", indent);
    if (!owner.discarded.empty())
      text += hang(std::string(static_cast<std::size_t>(indent), ' '), thrown(owner), indent) + '\n';
    return text;
  }

  static std::string pad_last(const std::string& lines, int width) {
    const std::size_t last = lines.rfind('\n') + 1;
    return lines.substr(0, last) + pad_right(lines.substr(last), width);
  }

  // Appends the words to the line, or puts them below it at the indent if they do not fit.
  std::string hang(std::string line, const std::string& words, int indent) const {
    if (words.empty()) return line;
    const std::size_t last = line.rfind('\n') + 1;
    const bool blank = line.find_first_not_of(' ', last) == std::string::npos;
    if (!blank) line += below_ ? "  " : " ";
    if (blank || fits(columns(line.substr(last)) + columns(words))) return line + fold(words, indent);
    return as_line(std::move(line)) + std::string(static_cast<std::size_t>(indent), ' ') + fold(words, indent);
  }
  std::string fold(const std::string& words, int indent) const {
    if (width() <= 0) return words;
    const std::string room = std::string(static_cast<std::size_t>(indent), ' ');
    return wrap(room + words, width()).substr(room.size());
  }

  std::string thrown(const BettingSeat& seat) const {
    std::string text = "discarded";
    for (const CardId card : seat.discarded) text += ' ' + game_.card_to_string(card);
    return text;
  }

  std::string verb(Seat seat, std::string_view word) const {
    return fmt::format("{}{}", word, seat == seats_.me ? "" : "s");
  }

  std::string status(Seat seat) const {
    const BettingSeat& owner = table_.seat(seat);
    if (!owner.in) return "out";
    std::string text;
    const auto add = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
    if (!owner.drawn.empty()) add(drawn(owner));
    if (owner.folded) add("folded");
    if (table_.over()) {
      if (owner.shown) add(verb(seat, "show") + (owner.hand.empty() ? "" : ' ' + owner.hand));
      if (owner.mucked) add(verb(seat, "muck"));
      if (owner.won > 0) add(fmt::format("{} {}", verb(seat, "win"), owner.won));
      return text;
    }
    // Posts before a draw are no longer shown after it.
    const bool old = owner.last == Kind::kPosted && !owner.drawn.empty();
    if (!owner.folded && owner.last != Kind::kHandBegun && !old) add(last_act(seat));
    if (owner.all_in()) add("all-in");
    return text;
  }

  static std::string drawn(const BettingSeat& seat) {
    std::string text;
    for (const int count : seat.drawn)
      text += (text.empty() ? "" : ", ") + (count == 0 ? std::string("pat") : fmt::format("drew {}", count));
    return text;
  }

  std::string last_act(Seat seat) const {
    const BettingSeat& owner = table_.seat(seat);
    if (owner.last == Kind::kPosted) {
      if (owner.what == "bring_in") return fmt::format("{} in {}", verb(seat, "bring"), owner.total);
      std::string what = owner.what;
      std::replace(what.begin(), what.end(), '_', ' ');
      return fmt::format("{} {}", what, owner.total);
    }
    const std::string text = verb(seat, owner.what);
    if (owner.what == "raise" || owner.what == "complete") return fmt::format("{} to {}", text, owner.total);
    return owner.what == "bet" ? fmt::format("{} {}", text, owner.total) : text;
  }

  const BettingTable& table_;
  const Game& game_;
  const Seats& seats_;
  const Style& style_;
  const TableMarks& marks_;
  const int letters_;
  std::vector<Seat> order_;
  std::vector<std::string> positions_;
  int place_ = 1, name_ = 0, chips_ = 0, blinds_ = 0, bet_ = 0, cards_ = 0;
  bool below_ = false;
};

std::vector<CardId> hand_with(const BettingTable& table, const BettingSeat& seat) {
  std::vector<CardId> cards = seat.down;
  cards.insert(cards.end(), seat.up.begin(), seat.up.end());
  cards.insert(cards.end(), table.board().begin(), table.board().end());
  return cards;
}

// The winners, below each pot.
std::string won_text(const BettingTable& table, const Game& game, const Seats& seats, const Style& style) {
  const std::vector<Event>& won = table.won();
  std::string text;
  for (std::size_t i = 0; i < won.size(); ++i) {
    const int pot = won[i].pot;
    if (i == 0 || won[i - 1].pot != pot) {
      Amount chips = 0;
      for (const Event& event : won) chips += event.pot == pot ? event.amount : 0;
      const bool only = won.front().pot == won.back().pot;
      text += dim(fmt::format("{} {}", pot_name(static_cast<std::size_t>(pot), only), chips), style) + '\n';
    }
    text += event_line(won[i], game, seats, style);
  }
  return text;
}

// If hands of the same name do not tie: the deciding cards of the best two.
std::string why_text(const BettingTable& table, const Game& game) {
  const poker::Game* bets = poker::as_poker(game);
  if (bets == nullptr || bets->rules().low) return {};
  // Incomplete hands cannot be compared.
  const auto whole = static_cast<std::size_t>(bets->rules().hand_cards);
  for (const BettingSeat& seat : table.seats())
    if (seat.shown && seat.down.size() + seat.up.size() != whole) return {};
  const auto best_of = [&](bool winner) -> const BettingSeat* {
    const BettingSeat* best = nullptr;
    for (const BettingSeat& seat : table.seats()) {
      if (!seat.shown || (seat.won > 0) != winner) continue;
      if (best == nullptr ||
          compare_hands(*bets->rules().high, hand_with(table, seat), hand_with(table, *best)).result > 0)
        best = &seat;
    }
    return best;
  };
  const BettingSeat *winner = best_of(true), *other = best_of(false);
  if (winner == nullptr || other == nullptr || winner->hand != other->hand) return {};
  const HandComparison comparison =
      compare_hands(*bets->rules().high, hand_with(table, *winner), hand_with(table, *other));
  if (comparison.result <= 0) return {};
  std::string why = comparison.why.substr(comparison.why.find(": ") + 2);
  return why + '\n';
}

}  // namespace

std::string table_text(const BettingTable& table, const Game& game, const Seats& seats, const Style& style,
                       const TableMarks& marks) {
  return Drawing(table, game, seats, style, marks).text();
}

std::string hand_end_text(std::span<const Event> events, const Game& game, const Seats& seats, const Style& style) {
  const BettingTable table(events);
  std::string text = table_text(table, game, seats, style) + '\n' + won_text(table, game, seats, style) +
                     wrap(why_text(table, game), style.width);
  for (const Event& event : events)
    if (event.kind == Kind::kHandEnded || event.kind == Kind::kMatchEnded)
      text += event_line(event, game, seats, style);
  return text;
}

std::string street_name(const Game& game, int street) {
  const small::Game* small = small::as_small(game);
  const poker::Game* bets = poker::as_poker(game);
  std::string name = small != nullptr  ? small::street_name(small->rules().options(), street)
                     : bets != nullptr ? poker::street_name(bets->rules(), street)
                                       : fmt::format("street {}", street + 1);
  if (!name.empty()) name.front() = static_cast<char>(name.front() - 'a' + 'A');
  return name;
}

CardFace card_face(const Game& game, CardId card) {
  const poker::Game* bets = poker::as_poker(game);
  CardFace face{game.card_to_string(card)};
  if (bets == nullptr) {
    face.suit = face.text.back();
    return face;
  }
  const Deck& deck = *bets->rules().deck;
  if (deck.is_joker(card)) return face;
  const DeckSuit& suit = deck.suits()[static_cast<std::size_t>(deck.card(card).suit)];
  if (suit.kind == SuitKind::kPips && face.text.size() == 2) face.suit = suit.symbol;
  face.red = suit.color == Color::kRed;
  face.transparent = deck.card(card).transparent;
  return face;
}

}  // namespace dealer::terminal
