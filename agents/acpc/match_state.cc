#include "agents/acpc/match_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "env/core/error.h"
#include "env/core/json_fields.h"
#include "env/core/numbers.h"

namespace dealer::acpc {
namespace {

constexpr std::string_view kBegin = "MATCHSTATE:";
constexpr std::size_t kHole = 2;
constexpr std::size_t kMostPlayers = kMaxPlayers;

template <class T>
T take_number(std::string_view& text, const char* what) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) throw ParseError(fmt::format("{} is too large", what));
  if (error != std::errc() || text.front() == '-') throw ParseError(fmt::format("{} is not a number", what));
  text.remove_prefix(at(end - text.data()));
  return number;
}

// Splits off the text before the next separator, and removes the separator.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  if (end == std::string_view::npos) throw ParseError(fmt::format("a '{}' is missing", separator));
  const std::string_view field = text.substr(0, end);
  text.remove_prefix(end + 1);
  return field;
}

std::vector<CardId> read_cards(std::string_view text, const Deck& deck, std::size_t count) {
  const bool readable = std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
  if (text.size() != 2 * count || !readable)
    throw ParseError(fmt::format("{} are not {} cards", quote_line(text), count));
  return deck.parse(text);
}

MatchState parse(std::string_view text, const Deck& deck) {
  MatchState state;
  state.position = take_number<std::uint8_t>(text, "the position");
  if (!take_until(text, ':').empty()) throw ParseError("the position is not a number");
  state.hand = take_number<std::uint32_t>(text, "the number of the hand");
  if (!take_until(text, ':').empty()) throw ParseError("the number of the hand is not a number");
  state.rounds.clear();
  for (std::string_view round : split(take_until(text, ':'), '/')) {
    state.rounds.emplace_back();
    while (!round.empty()) state.rounds.back().push_back(take_move(round));
  }
  const std::vector<std::string_view> cards = split(text, '/');
  for (const std::string_view hand : split(cards.front(), '|'))
    state.hole.push_back(read_cards(hand, deck, hand.empty() ? 0 : kHole));
  for (std::size_t round = 1; round < cards.size(); ++round)
    state.board.push_back(read_cards(cards[round], deck, round == 1 ? 3 : 1));

  if (state.hole.size() < 2 || state.hole.size() > kMostPlayers)
    throw ParseError(fmt::format("{} players; expected 2 to {}", state.hole.size(), kMostPlayers));
  if (at(state.position) >= state.hole.size())
    throw ParseError(fmt::format("position {} of {} players", state.position, state.hole.size()));
  if (state.board.size() + 1 != state.rounds.size())
    throw ParseError(
        fmt::format("{} rounds of betting and {} of cards on the board", state.rounds.size(), state.board.size()));
  std::vector<CardId> all;
  for (const auto* list : {&state.hole, &state.board})
    for (const std::vector<CardId>& some : *list) all.insert(all.end(), some.begin(), some.end());
  std::sort(all.begin(), all.end());
  if (const auto twice = std::adjacent_find(all.begin(), all.end()); twice != all.end())
    throw ParseError(fmt::format("{} lies there twice", deck.to_string(*twice)));
  return state;
}

}  // namespace

std::string to_string(const Move& move) {
  return move.total == 0 ? std::string(1, move.kind) : fmt::format("{}{}", move.kind, move.total);
}

Move take_move(std::string_view& text) {
  Move move{text.empty() ? '\0' : text.front(), 0};
  if (move.kind != 'f' && move.kind != 'c' && move.kind != 'r')
    throw ParseError(fmt::format("{} is not an action; expected f, c or r", quote_line(text.substr(0, 1))));
  text.remove_prefix(1);
  if (move.kind == 'r' && !text.empty() && text.front() >= '0' && text.front() <= '9')
    move.total = take_number<Amount>(text, "the size of a raise");
  return move;
}

MatchState parse_match_state(std::string_view line, const Deck& deck) {
  if (!line.starts_with(kBegin))
    throw ParseError(fmt::format("{} does not begin with {}", quote_line(line.substr(0, kBegin.size())), kBegin));
  return parse(line.substr(kBegin.size()), deck);
}

std::string betting_text(const MatchState& state) {
  std::string text;
  for (std::size_t round = 0; round < state.rounds.size(); ++round) {
    if (round > 0) text += '/';
    for (const Move& move : state.rounds[round]) text += to_string(move);
  }
  return text;
}

std::string cards_text(const MatchState& state, const Deck& deck) {
  std::string text;
  const auto add = [&](const std::vector<CardId>& cards) {
    for (const CardId card : cards) text += deck.to_string(card);
  };
  for (std::size_t position = 0; position < state.hole.size(); ++position) {
    if (position > 0) text += '|';
    add(state.hole[position]);
  }
  for (const std::vector<CardId>& cards : state.board) {
    text += '/';
    add(cards);
  }
  return text;
}

std::string to_string(const MatchState& state, const Deck& deck) {
  return fmt::format("{}{}:{}:{}:{}", kBegin, state.position, state.hand, betting_text(state), cards_text(state, deck));
}

using Kind = Event::Kind;

void MatchStateWriter::begin(Seat viewer, std::uint32_t hand) {
  viewer_ = viewer;
  state_ = {};
  state_.hand = hand;
  unsent_ = false;
  paid_ = bet_ = {};
}

std::size_t MatchStateWriter::position_of(Seat seat) const { return at((seat - dealer_ - 1 + players_) % players_); }

Amount MatchStateWriter::to_call() const { return *std::max_element(bet_.begin(), bet_.end()) - bet_[at(viewer_)]; }

void MatchStateWriter::take(std::span<const Event> events, std::vector<MatchState>& states) {
  for (const Event& event : events) take(event, states);
}

void MatchStateWriter::finish(std::vector<MatchState>& states) {
  if (unsent_) states.push_back(state_);
  unsent_ = false;
}

void MatchStateWriter::take(const Event& event, std::vector<MatchState>& states) {
  switch (event.kind) {
    case Kind::kHandBegun:
      dealer_ = event.seat;
      players_ = static_cast<int>(event.values.size());
      state_.position = static_cast<int>(position_of(viewer_));
      state_.hole.resize(event.values.size());
      break;
    case Kind::kPosted:
      paid_[at(event.seat)] += event.amount;
      bet_[at(event.seat)] += event.amount;
      break;
    case Kind::kDealt:
      if (event.seat >= 0) {
        state_.hole[position_of(event.seat)] = event.cards;
      } else {
        state_.rounds.emplace_back();
        state_.board.push_back(event.cards);
        bet_ = {};
      }
      unsent_ = true;
      break;
    case Kind::kActed:
      finish(states);
      act(event);
      break;
    case Kind::kShown:
      state_.hole[position_of(event.seat)] = event.cards;
      break;
    case Kind::kHandEnded:
      finish(states);
      break;
    default:
      break;
  }
}

void MatchStateWriter::act(const Event& event) {
  paid_[at(event.seat)] += event.amount;
  bet_[at(event.seat)] = event.total;
  Move move;
  if (event.what == "fold")
    move.kind = 'f';
  else if (event.what != "check" && event.what != "call")
    move = {'r', no_limit_ ? paid_[at(event.seat)] : 0};
  state_.rounds.back().push_back(move);
  unsent_ = true;
}

}  // namespace dealer::acpc
