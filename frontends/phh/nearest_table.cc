#include "frontends/phh/nearest_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"
#include "env/games/poker/script.h"
#include "frontends/phh/poker_cards.h"
#include "frontends/phh/poker_history.h"

namespace dealer::phh {
namespace {

using Kind = HandAction::Kind;
using poker::Script;

// Games are cached.
GamePtr game_named(const std::string& spec) {
  static std::mutex mutex;
  static std::map<std::string, GamePtr> made;
  const std::lock_guard lock(mutex);
  GamePtr& known = made[spec];
  if (!known) known = make_game(spec);
  return known;
}

class Nearing {
 public:
  explicit Nearing(const StandardReplay& replay)
      : hand_(replay.history()), table_(*replay.table()), variant_(*table_.hand().variant) {
    for (const HandAction& action : hand_.actions)
      if (action.is_decision()) acts_.push_back(&action);
  }

  NearestTable run() {
    const std::string base = game_of_variant(hand_.variant);
    if (base.empty() || !choose_seats(base)) return std::move(result_);
    game_ = poker::as_poker(*result_.game);
    name_differences();
    read_cards();
    play();
    return std::move(result_);
  }

 private:
  const poker::GameRules& rules() const { return game_->rules(); }
  void note(const std::string& what) {
    auto& list = result_.brought_near;
    if (std::find(list.begin(), list.end(), what) == list.end()) list.push_back(what);
  }

  // Players who fold at their first decision and have posted no blind.
  std::vector<bool> folding_at_once() const {
    std::vector<bool> folding(at(hand_.players())), seen = folding;
    for (const HandAction* act : acts_) {
      if (!seen[at(act->player)])
        folding[at(act->player)] = act->kind == Kind::kFold && table_.hand().blinds[at(act->player)] == 0;
      seen[at(act->player)] = true;
    }
    return folding;
  }

  // Table sizes that agents are trained for: two players, in hold'em also six. Otherwise the hand's own number.
  bool choose_seats(const std::string& base) {
    const int players = hand_.players();
    const bool holdem = variant_.streets.size() == 4 && variant_.streets[1].board == 3;
    std::vector<bool> folding = folding_at_once();
    int stay = players, seats = players;
    std::vector<bool> out(at(players), false);
    const auto leave_out = [&](int most) {
      for (int i = 0; i < players && stay > most; ++i)
        if (folding[at(i)]) out[at(i)] = true, --stay;
    };
    if (holdem && players > 2) {
      leave_out(6);
      seats = std::max(stay, 6);
    } else if (players > 2) {
      // A small blind who folds is left out, too: heads-up the dealer posts it.
      if (!variant_.has_bring_in() && folds_first(0)) folding[0] = true;
      leave_out(2);
      const bool big_blind_stays = variant_.has_bring_in() || !out[1];
      if (stay > 2 || !big_blind_stays || (!variant_.has_bring_in() && !out[0]))
        out.assign(at(players), false), stay = players;
      seats = stay;
    }
    const GamePtr game = make(base, seats);
    if (!game) return false;
    result_.game = game;
    if (seats != players) note("players");
    // The last player is the dealer; empty seats are those that act first.
    result_.seats.assign(at(players), -1);
    int place = 0;
    for (int i = 0; i < players; ++i) {
      if (out[at(i)]) continue;
      const bool blind = place < 2;
      result_.seats[at(i)] = blind || seats == stay ? place : seats - stay + place;
      ++place;
    }
    player_.assign(at(seats), -1);
    for (int i = 0; i < players; ++i)
      if (result_.seats[at(i)] >= 0) player_[at(result_.seats[at(i)])] = i;
    return true;
  }

  bool folds_first(int player) const {
    for (const HandAction* act : acts_)
      if (act->player == player) return act->kind == Kind::kFold;
    return false;
  }

  static GamePtr make(const std::string& base, int players) {
    if (players == 2) return game_named(base);
    try {
      const bool options = base.back() == ']';
      return game_named(options ? fmt::format("{},players={}]", base.substr(0, base.size() - 1), players)
                                : fmt::format("{}[players={}]", base, players));
    } catch (const ConfigError&) {
      return nullptr;  // not playable with this many players
    }
  }

  void name_differences() {
    const betting::BetRules& bets = rules().bets;
    const StandardHand& hand = table_.hand();
    const auto bet = static_cast<double>(hand.small_bet);
    const auto differs = [&](Amount amount, double ours) {
      return std::abs(static_cast<double>(amount) / bet - ours) > 1e-9;
    };
    const double unit = bets.size[0];
    for (std::size_t i = 0; i < hand.stacks.size(); ++i) {
      if (differs(hand.stacks[i], rules().stack / unit)) note("stacks");
      if (differs(hand.antes[i], bets.ante / unit)) note("antes");
    }
    if (differs(hand.bring_in, bets.bring_in / unit)) note("bring-in");
    std::vector<double> blinds(hand.blinds.size(), 0.0);
    const bool two = blinds.size() == 2;
    blinds[two ? 1 : 0] = bets.small_blind / unit;
    blinds[two ? 0 : 1] = bets.big_blind / unit;
    for (std::size_t i = 0; i < blinds.size(); ++i)
      if (differs(hand.blinds[i], blinds[i])) note("blinds");
    if (variant_.limit == BetLimit::kFixed && differs(hand.big_bet, bets.size[at(rules().rounds - 1)] / unit))
      note("bets");
  }

  // ---- Cards: unknown ones are replaced by arbitrary cards not in the history.

  void read_cards() {
    const Deck& deck = *rules().deck;
    const std::vector<bool> named = named_cards(deck, hand_);
    for (int card = deck.size() - 1; card >= 0; --card)
      if (!named[at(card)]) spare_.push_back(static_cast<CardId>(card));
    result_.decisions.unknown.assign(player_.size(), false);
    for (std::size_t seat = 0; seat < player_.size(); ++seat) {
      if (variant_.draws() > 0)
        read_draws(seat);
      else
        read_hand(seat);
    }
    int street = 0, dealt = 0;
    for (const CardId card : table_.board()) {
      while (street + 1 < rules().streets && dealt == board_of(street)) ++street, dealt = 0;
      script_.board[at(street)].push_back(card == StandardTable::kUnknown ? spare() : card);
      ++dealt;
    }
    // Seats that stay in longer here see more of the board than the file has.
    for (street = 0; street < rules().streets; ++street)
      while (static_cast<int>(script_.board[at(street)].size()) < board_of(street) && !spare_.empty())
        script_.board[at(street)].push_back(spare());
    script_.dealer = static_cast<int>(player_.size()) - 1;
    for (std::size_t seat = 0; seat < player_.size(); ++seat) {
      script_.in = static_cast<betting::SeatSet>(script_.in | betting::bit(static_cast<int>(seat)));
      script_.chips[seat] = rules().stack;
    }
  }
  int board_of(int street) const { return rules().street[at(street)].board; }

  CardId spare() {
    if (spare_.empty()) return 0;  // the script then fails
    const CardId card = spare_.back();
    spare_.pop_back();
    return card;
  }

  void read_hand(std::size_t seat) {
    static const std::vector<CardId> kNone;
    const int player = player_[seat];
    const std::vector<CardId>& cards = player < 0 ? kNone : table_.players()[at(player)].cards;
    std::size_t index = 0;
    for (int street = 0; street < rules().streets; ++street) {
      const auto& dealt = rules().street[at(street)];
      for (int i = 0; i < dealt.down + dealt.up; ++i, ++index) {
        const bool known = index < cards.size() && cards[index] != StandardTable::kUnknown;
        if (index < cards.size() && !known) result_.decisions.unknown[seat] = true;
        // Cards after the end of the recorded hand are needed only for seats that stay in longer here.
        if (!known && index >= cards.size() && spare_.size() <= 10) return;
        (i < dealt.down ? script_.player[seat].down : script_.player[seat].up)[at(street)].push_back(
            known ? cards[index] : spare());
      }
    }
  }

  // In draw games cards follow from the deals and discards, both in order.
  void read_draws(std::size_t seat) {
    std::vector<CardId> held;
    const auto to_card = [&](const std::string& text) {
      const auto card = try_card(*rules().deck, text);
      if (!card) result_.decisions.unknown[seat] = true;
      return card ? *card : spare();
    };
    const int player = player_[seat];
    if (player < 0) {
      for (int i = 0; i < rules().hand_cards; ++i) script_.player[seat].down[0].push_back(spare());
      return;
    }
    for (const StandardEvent& event : table_.events()) {
      if (event.player != player) continue;
      if (event.kind == StandardEvent::Kind::kDealt) {
        for (const std::string& text : event.cards) {
          held.push_back(to_card(text));
          script_.player[seat].down[at(event.street)].push_back(held.back());
        }
      } else if (event.kind == StandardEvent::Kind::kDiscarded) {
        std::vector<CardId> thrown;
        for (const std::string& text : event.cards) {
          const auto card = try_card(*rules().deck, text);
          auto found = card ? std::find(held.begin(), held.end(), *card) : held.begin();
          if (found == held.end()) found = held.begin();
          thrown.push_back(*found);
          held.erase(found);
        }
        discards_[{seat, event.street}] = thrown;
      }
    }
  }

  // ---- Decisions

  Amount scaled(Amount amount) const {
    return std::llround(static_cast<double>(amount) / static_cast<double>(table_.hand().small_bet) *
                        rules().bets.size[0]);
  }

  bool acts_later(int player, std::size_t from) const {
    return std::any_of(acts_.begin() + static_cast<std::ptrdiff_t>(from), acts_.end(),
                       [&](const HandAction* act) { return act->player == player; });
  }

  void play() {
    std::size_t next = 0;
    std::optional<poker::State> last;
    std::vector<HandAction> steps;
    try {
      while (next < acts_.size()) {
        const HandAction& act = *acts_[next];
        if (result_.seats[at(act.player)] < 0) {
          ++next;
          continue;
        }
        last = poker::play_script(rules(), script_);
        if (last->hand_over()) break;
        const int seat = last->current_player(), player = player_[at(seat)];
        if (act.player == player && (act.kind == Kind::kDiscard) == last->drawing()) {
          steps.push_back(step_of(*last, seat, act));
          ++next;
        } else if (player < 0 || (!acts_later(player, next) && !last->drawing())) {
          // An empty seat folds; a player who is all-in in the file, and has chips here, calls.
          HandAction lead;
          lead.kind = player < 0 ? Kind::kFold : Kind::kCall;
          lead.line = -1;
          steps.push_back(step_of(*last, seat, lead));
        } else {
          break;
        }
      }
      last = poker::play_script(rules(), script_);
    } catch (const UsageError&) {
      // The file's cards do not continue from the last step at this table.
      if (!steps.empty()) steps.pop_back();
    }
    const std::optional<poker::State> first = last ? poker::first_decision(*last) : std::nullopt;
    if (!first) return;
    add_decisions(*game_, *first, steps, result_.decisions);
  }

  // The nearest legal choice.
  HandAction step_of(const poker::State& state, int seat, const HandAction& act) {
    HandAction step;
    step.kind = act.kind;
    step.line = act.line;
    Script::Player& player = script_.player[at(seat)];
    if (state.drawing()) {
      const int street = state.street();
      const std::vector<CardId>& thrown = discards_[{at(seat), street}];
      player.discarded[at(street - (rules().streets - rules().draws))] = {static_cast<int>(thrown.size()), thrown};
      step.cards = card_texts(*rules().deck, thrown);
      return step;
    }
    const betting::Bets& bets = state.bets();
    const auto [low, high] = bets.range();
    if (act.kind == Kind::kFold && !bets.may_fold(rules().bets)) step.kind = Kind::kCall;
    if (act.kind == Kind::kBetTo) {
      if (low == 0) {
        note("house rules");
        step.kind = Kind::kCall;
      } else {
        step.amount = std::clamp<Amount>(scaled(act.amount), low, high);
        if (step.amount != scaled(act.amount) && variant_.limit != BetLimit::kFixed) note("bets");
      }
    }
    const Action action = step.kind == Kind::kFold    ? poker::kFold
                          : step.kind == Kind::kBetTo ? poker::kFirstBet
                                                      : poker::kCall;
    player.bets[at(bets.round())].push_back({action, static_cast<betting::Chips>(step.amount)});
    return step;
  }

  const HandHistory& hand_;
  const StandardTable& table_;
  const StandardVariant& variant_;
  const poker::Game* game_ = nullptr;
  std::vector<const HandAction*> acts_;
  std::vector<int> player_;  // by seat; -1: no player of the file
  std::vector<CardId> spare_;
  std::map<std::pair<std::size_t, int>, std::vector<CardId>> discards_;  // by seat and street
  Script script_;
  NearestTable result_;
};

}  // namespace

NearestTable nearest_table(const StandardReplay& replay) { return Nearing(replay).run(); }

}  // namespace dealer::phh
