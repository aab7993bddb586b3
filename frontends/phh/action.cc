// The grammar of actions.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "env/core/error.h"
#include "env/core/numbers.h"
#include "frontends/phh/amount.h"
#include "frontends/phh/hand_history.h"

namespace dealer::phh {
namespace {

using Kind = HandAction::Kind;

constexpr int kMaxPlayers = 99;

struct Verb {
  std::string_view word;
  Kind kind;
  bool takes, needs;  // an argument
};
constexpr std::array<Verb, 7> kVerbs = {{{"pb", Kind::kBringIn, false, false},
                                         {"cbr", Kind::kBetTo, true, true},
                                         {"cc", Kind::kCall, false, false},
                                         {"f", Kind::kFold, false, false},
                                         {"sd", Kind::kDiscard, true, false},
                                         {"sm", Kind::kShow, true, false},
                                         {"m", Kind::kMove, true, true}}};

constexpr std::string_view kBlanks = " \t\r\n";

// Cuts the first word off.
std::string_view take_word(std::string_view& text) {
  text = trimmed(text, kBlanks);
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text = trimmed(text.substr(word.size()), kBlanks);
  return word;
}

int parse_player(std::string_view word) {
  const std::optional<int> number = word.starts_with('p') ? number_in<int>(word.substr(1)) : std::nullopt;
  if (number >= 1 && number <= kMaxPlayers) return *number - 1;
  throw ParseError(fmt::format("'{}' is not an actor; expected d or a player: p1, p2 ...", word));
}

void parse_dealing(std::string_view rest, HandAction& action) {
  const std::string_view verb = take_word(rest);
  if (verb == "dh") {
    action.kind = Kind::kDealHole;
    action.player = parse_player(take_word(rest));
  } else if (verb == "db") {
    action.kind = Kind::kDealBoard;
  } else {
    throw ParseError(fmt::format("the dealer cannot '{}'; expected 'd dh pN CARDS' or 'd db CARDS'", verb));
  }
  action.cards = split_cards(take_word(rest));
  if (action.cards.empty()) throw ParseError("no cards are dealt; expected cards as in AsKh, or ??");
  if (!rest.empty()) throw ParseError(fmt::format("'{}' after the cards; expected no blanks between them", rest));
}

void parse_argument(const Verb& verb, std::string_view rest, int decimals, HandAction& action) {
  if (rest.empty() && verb.needs) throw ParseError(fmt::format("'{}' needs something after it", verb.word));
  if (!rest.empty() && !verb.takes) throw ParseError(fmt::format("'{}' after '{}'; expected nothing", rest, verb.word));
  if (verb.kind == Kind::kMove) {
    action.move = rest;
    return;
  }
  const std::string_view argument = take_word(rest);
  if (!rest.empty()) throw ParseError(fmt::format("'{}' after '{}'; expected nothing", rest, argument));
  if (verb.kind == Kind::kBetTo) {
    action.amount = parse_amount(argument, decimals);
    if (action.amount < 0) throw ParseError(fmt::format("'{}' is not an amount; expected 0 or more", argument));
  } else if (verb.kind == Kind::kShow && argument == "-") {
    action.cards = {"-"};
  } else {
    action.cards = split_cards(argument);
  }
}

}  // namespace

std::vector<std::string> split_cards(std::string_view text) {
  std::vector<std::string> cards;
  const auto refuse = [&] {
    throw ParseError(fmt::format("'{}' are not cards; expected cards as in AsKh, or ?? for each unknown one", text));
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = text[at] == 't' ? 3 : 2;
    const std::string_view card = text.substr(at, length);
    const auto is_letter = [](char c) {
      return c == '?' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    if (card.size() < length || !std::all_of(card.begin(), card.end(), is_letter)) refuse();
    if ((card[0] == '?') != (card[1] == '?')) refuse();
    cards.emplace_back(card);
    at += length;
  }
  return cards;
}

HandAction parse_action(std::string_view text, int decimals) {
  HandAction action;
  if (const std::size_t hash = text.find('#'); hash != std::string_view::npos) {
    action.comment = trimmed(text.substr(hash + 1), kBlanks);
    text = text.substr(0, hash);
  }
  const std::string_view actor = take_word(text);
  if (actor.empty()) return action;
  if (actor == "d") {
    parse_dealing(text, action);
    return action;
  }
  action.player = parse_player(actor);
  const std::string_view word = take_word(text);
  const auto verb = std::find_if(kVerbs.begin(), kVerbs.end(), [&](const Verb& v) { return v.word == word; });
  if (verb == kVerbs.end())
    throw ParseError(fmt::format("a player cannot '{}'; expected one of pb, cbr, cc, f, sd, sm, m", word));
  action.kind = verb->kind;
  parse_argument(*verb, text, decimals, action);
  return action;
}

std::string to_string(const HandAction& action, int decimals) {
  std::string text;
  const std::string cards = fmt::format("{}", fmt::join(action.cards, ""));
  const auto append = [&](std::string_view word) {
    if (!word.empty()) text += text.empty() ? std::string(word) : ' ' + std::string(word);
  };
  if (action.kind == Kind::kDealBoard) {
    append("d db " + cards);
  } else if (action.kind == Kind::kDealHole) {
    append(fmt::format("d dh p{} {}", action.player + 1, cards));
  } else if (action.kind != Kind::kNote) {
    const auto verb = std::find_if(kVerbs.begin(), kVerbs.end(), [&](const Verb& v) { return v.kind == action.kind; });
    append(fmt::format("p{} {}", action.player + 1, verb->word));
    append(action.kind == Kind::kBetTo  ? amount_text(action.amount, decimals)
           : action.kind == Kind::kMove ? action.move
                                        : cards);
  }
  if (!action.comment.empty()) append("# " + action.comment);
  return text;
}

}  // namespace dealer::phh
