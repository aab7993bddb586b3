#include "frontends/terminal/betting/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <utility>

#include "env/core/error.h"
#include "env/core/nearest.h"
#include "env/core/numbers.h"
#include "frontends/terminal/betting/choices.h"
#include "frontends/terminal/commands.h"
#include "frontends/terminal/one_decision_view.h"

namespace dealer::terminal {
namespace {

struct Word {
  std::string_view text;
  Verb verb;
};
// A single letter or a prefix stands for the first of them that is legal now.
constexpr std::array<Word, 18> kWords = {{{"fold", Verb::kFold},
                                          {"call", Verb::kCall},
                                          {"check", Verb::kCheck},
                                          {"complete", Verb::kBet},
                                          {"bet", Verb::kBet},
                                          {"bring", Verb::kCall},
                                          {"raise", Verb::kBet},
                                          {"allin", Verb::kAllIn},
                                          {"all-in", Verb::kAllIn},
                                          {"all_in", Verb::kAllIn},
                                          {"shove", Verb::kAllIn},
                                          {"jam", Verb::kAllIn},
                                          {"discard", Verb::kDiscard},
                                          {"throw", Verb::kDiscard},
                                          {"draw", Verb::kDiscard},
                                          {"pat", Verb::kPat},
                                          {"stand", Verb::kPat},
                                          {"keep", Verb::kKeep}}};

class Parser {
 public:
  Parser(const Env& env, std::string_view text)
      : env_(env), text_(text), choices_(env), tokens_(words_of(text, " \t,")) {}

  Decision parse() {
    if (const std::optional<Decision> exact = by_text()) return *exact;
    if (tokens_.empty()) fail("nothing typed");
    separate_number();
    const std::string word = lower_case(tokens_.front());
    // "pot", "half pot"
    if (is_part_of_pot(word)) return decide(Verb::kBet);
    const std::optional<Verb> verb = verb_of(word);
    if (!verb) fail(fmt::format("'{}' is not possible here", tokens_.front()) + did_you_mean(word, words()));
    tokens_.erase(tokens_.begin());
    return decide(*verb);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(fmt::format("{}; you may: {}", what, choices_text(env_)));
  }

  static std::vector<std::string> words() {
    std::vector<std::string> words;
    for (const Word& word : kWords) words.emplace_back(word.text);
    return words;
  }

  // The exact text of a choice.
  std::optional<Decision> by_text() const {
    for (const Choice& choice : env_.choices())
      if (choice.action != kNoAction && lower_case(choice.text) == lower_case(std::string(text_)))
        return Decision(choice.action);
    return std::nullopt;
  }

  // "r250", "d135": the letters are the word.
  void separate_number() {
    std::string& first = tokens_.front();
    const std::size_t digits = first.find_first_of("0123456789");
    if (digits == std::string::npos || digits == 0) return;
    if (!std::all_of(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(digits),
                     [](unsigned char c) { return std::isalpha(c) != 0; }))
      return;
    std::string rest = first.substr(digits);
    first.resize(digits);
    tokens_.insert(tokens_.begin() + 1, std::move(rest));
  }

  std::optional<Verb> verb_of(const std::string& word) const {
    // Established abbreviations, which take precedence over prefixes.
    if (word == "k" || word == "x") return choices_.keep != nullptr ? Verb::kKeep : Verb::kCheck;
    if (word == "b" && choices_.call != nullptr && choices_.call->kind == "bring_in") return Verb::kCall;
    std::optional<Verb> known;
    for (const Word& candidate : kWords) {
      if (!candidate.text.starts_with(word)) continue;
      if (choices_.has(candidate.verb)) return candidate.verb;
      if (!known) known = candidate.verb;
    }
    return known;
  }

  Decision decide(Verb verb) {
    switch (verb) {
      case Verb::kFold:
        return plain(choices_.fold, "fold");
      case Verb::kCheck:
        return plain(choices_.check, "check");
      case Verb::kCall:
        return call();
      case Verb::kBet:
        return bet();
      case Verb::kAllIn:
        return all_in();
      case Verb::kDiscard:
        return choices_.discards_sets() ? discard() : plain(first(choices_.discards), "discard");
      case Verb::kPat:
        return plain(choices_.pat(), "stand pat");
      case Verb::kKeep:
        return choices_.discards_sets() ? keep() : plain(choices_.keep, "keep");
    }
    fail("nothing can be done here");
  }

  static const Choice* first(const std::vector<const Choice*>& choices) {
    return choices.empty() ? nullptr : choices.front();
  }

  // A choice without parameters; its card, its amount and small words may follow.
  Decision plain(const Choice* choice, std::string_view what) const {
    if (choice == nullptr) fail(fmt::format("you cannot {} now", what));
    const std::string& text = choice == choices_.call ? choices_.call_text : choice->text;
    for (const std::string& token : tokens_)
      if (lower_case(text).find(lower_case(token)) == std::string::npos)
        fail(fmt::format("'{}' cannot follow '{}'", token, text));
    return choice->action;
  }

  Decision call() const {
    if (choices_.call == nullptr && choices_.check != nullptr && tokens_.empty()) return choices_.check->action;
    return plain(choices_.call, "call");
  }

  static bool is_part_of_pot(const std::string& word) { return word == "pot" || word == "half"; }

  Decision bet() {
    if (choices_.bets.empty()) fail("you cannot bet or raise now");
    if (!tokens_.empty() && lower_case(tokens_.front()) == "to") tokens_.erase(tokens_.begin());
    // "half the pot"
    std::erase_if(tokens_, [](const std::string& token) { return lower_case(token) == "the"; });
    if (tokens_.size() == 2 && lower_case(tokens_[0]) == "half" && lower_case(tokens_[1]) == "pot") tokens_.pop_back();
    const std::string word = choices_.bet_word();
    if (tokens_.empty()) {
      if (choices_.lowest() != choices_.highest())
        fail(fmt::format("{} how much? {} to {}", word, choices_.lowest(), choices_.highest()));
      return total(choices_.lowest());
    }
    if (tokens_.size() > 1) fail(fmt::format("'{}' cannot follow a {}", tokens_[1], word));
    return total(amount(lower_case(tokens_.front())));
  }

  Amount amount(const std::string& text) const {
    if (text == "min") return choices_.lowest();
    if (text == "max" || (!choices_.range.empty() && text.starts_with("all"))) return choices_.highest();
    if (is_part_of_pot(text)) return of_the_pot(text == "half" ? 2 : 1);
    const std::optional<Amount> chips = number_in<Amount>(text);
    if (!chips) fail(fmt::format("'{}' is not a number of chips (nor min, half, pot, max)", text));
    return *chips;
  }

  // Calls and adds the pot, or half of it, as far as that is legal.
  Amount of_the_pot(int part) const {
    const nlohmann::json json = env_.to_json(env_.current_player()).at("table");
    if (!json.contains("pot") || !json.contains("to_call")) fail("this table does not show the pot");
    const auto pot = json.at("pot").get<Amount>(), to_call = json.at("to_call").get<Amount>();
    const auto mine = json.at("players").at(static_cast<std::size_t>(env_.current_player())).at("bet").get<Amount>();
    return std::clamp(mine + to_call + (pot + to_call + part / 2) / part, choices_.lowest(), choices_.highest());
  }

  Decision total(Amount chips) const {
    for (const Choice* choice : choices_.bets)
      if (choice->amount.low == chips) return choice->action;
    if (choices_.range.contains(chips)) return Decision::bet_to(chips);
    fail(fmt::format("you cannot {} {}", choices_.bet_words(), chips));
  }

  Decision all_in() const {
    if (!tokens_.empty() && lower_case(tokens_.front()) != "in")
      fail(fmt::format("'{}' cannot follow all-in", tokens_.front()));
    for (const Decision& decision : everything())
      if (goes_all_in(env_, decision)) return decision;
    fail("you cannot go all-in now");
  }

  // The largest bet, or the call, which may also take all the chips.
  std::vector<Decision> everything() const {
    std::vector<Decision> decisions;
    if (!choices_.bets.empty()) decisions.push_back(total(choices_.highest()));
    if (choices_.call != nullptr) decisions.emplace_back(choices_.call->action);
    return decisions;
  }

  Decision discard() {
    const std::vector<CardId> hand = hand_in_order(env_);
    std::vector<bool> gone(hand.size());
    if (tokens_.empty()) fail("discard which cards?");
    for (const std::string& token : tokens_) mark(token, hand, gone);
    return discard(hand, gone);
  }

  // Discards the other cards.
  Decision keep() {
    const std::vector<CardId> hand = hand_in_order(env_);
    std::vector<bool> kept(hand.size());
    if (tokens_.empty()) fail("keep which cards?");
    for (const std::string& token : tokens_) mark(token, hand, kept);
    kept.flip();
    return discard(hand, kept);
  }

  Decision discard(const std::vector<CardId>& hand, const std::vector<bool>& gone) const {
    std::vector<CardId> cards;
    for (std::size_t i = 0; i < hand.size(); ++i)
      if (gone[i]) cards.push_back(hand[i]);
    for (const Choice* choice : choices_.discards) {
      std::vector<CardId> these = choice->cards;
      std::sort(these.begin(), these.end(), std::greater<>());
      if (these == cards) return choice->action;
    }
    fail(fmt::format("you may not discard {}", tokens_.size() == 1 ? "that card" : "those cards"));
  }

  // "4c", "3", "135", "4c2c", "10s", "all", "none".
  void mark(const std::string& token, const std::vector<CardId>& hand, std::vector<bool>& gone) const {
    const std::string word = lower_case(token);
    if (word == "none" || word == "0") return;
    if (word == "all") {
      gone.assign(gone.size(), true);
      return;
    }
    if (mark_rank(word, hand, gone)) return;
    for (std::size_t at = 0; at < token.size();) {
      const std::string_view rest = std::string_view(token).substr(at);
      if (const std::size_t length = mark_card(rest, hand, gone)) {
        at += length;
        continue;
      }
      const bool number = rest.find_first_not_of("0123456789") == std::string_view::npos;
      const std::size_t place = static_cast<std::size_t>(rest[0] - '1');
      if (!number || rest[0] == '0' || place >= hand.size())
        fail(fmt::format("'{}' is not a card of your hand, nor a number from 1 to {}", rest, hand.size()));
      set(place, hand, gone);
      ++at;
    }
  }

  // "10s", and "8s" if the eight of spades is not in hand: all cards of that rank. False if it is not a rank.
  bool mark_rank(const std::string& word, const std::vector<CardId>& hand, std::vector<bool>& gone) const {
    if (word != "10s" && (word.size() != 2 || word[1] != 's')) return false;
    const char rank = word == "10s" ? 't' : word[0];
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < hand.size(); ++i) {
      const std::string name = lower_case(env_.game().card_to_string(hand[i]));
      if (name == word) return false;
      if (name.size() == 2 && name[0] == rank) places.push_back(i);
    }
    for (const std::size_t place : places) set(place, hand, gone);
    return !places.empty();
  }

  void set(std::size_t place, const std::vector<CardId>& hand, std::vector<bool>& gone) const {
    if (gone[place]) fail(fmt::format("{} is named twice", env_.game().card_to_string(hand[place])));
    gone[place] = true;
  }

  // Length of the card name at the start of the text; 0 if there is none. Cards with the same name are taken once each.
  // The longest name counts, and letter case only where names differ in it.
  std::size_t mark_card(std::string_view text, const std::vector<CardId>& hand, std::vector<bool>& gone) const {
    std::size_t best = 0, length = 0;
    std::tuple<std::size_t, bool, bool> best_fit{};
    for (std::size_t i = 0; i < hand.size(); ++i) {
      const std::string name = env_.game().card_to_string(hand[i]);
      if (lower_case(std::string(text.substr(0, name.size()))) != lower_case(name)) continue;
      const std::tuple fit(name.size(), text.starts_with(name), !gone[i]);
      if (fit <= best_fit) continue;
      best_fit = fit;
      best = i;
      length = name.size();
    }
    if (length != 0) set(best, hand, gone);
    return length;
  }

  const Env& env_;
  std::string_view text_;
  Choices choices_;
  std::vector<std::string> tokens_;
};

}  // namespace

Decision parse_betting(const Env& env, std::string_view text) { return Parser(env, text).parse(); }

std::vector<std::string> betting_words(const Env& env) {
  const Choices choices(env);
  std::vector<std::string> words;
  for (const Word& word : kWords) {
    const bool bet = word.verb == Verb::kBet;
    const bool said = word.text != "all-in" && word.text != "all_in" && word.text != "shove" && word.text != "jam" &&
                      word.text != "throw" && word.text != "draw" && word.text != "stand";
    const bool other = (bet && choices.has(word.verb) && word.text != choices.bet_word()) ||
                       (word.verb == Verb::kCall && choices.call != nullptr &&
                        (word.text == "bring") != (choices.call->kind == "bring_in"));
    if (said && !other && choices.has(word.verb)) words.emplace_back(word.text);
  }
  return words;
}

}  // namespace dealer::terminal
