#include "frontends/phh/settlement.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "env/core/at.h"
#include "frontends/phh/amount.h"

namespace dealer::phh {
namespace {

using Amounts = std::vector<Amount>;
using Winners = std::vector<int>;

// Limits of the search: unknown hands, and ways to distribute the pots.
constexpr std::size_t kMostUnknown = 12;
constexpr int kMostWays = 200'000;

// A pot and the players eligible for it.
struct Pot {
  Amount amount = 0;
  std::vector<bool> for_player;
};

// The original pot first, then the side pots.
std::vector<Pot> pots_of(const StandardTable& table) {
  const auto& players = table.players();
  Amounts levels;
  for (const StandardTable::Player& player : players)
    if (!player.folded) levels.push_back(player.paid);
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  std::vector<Pot> pots;
  Amount before = 0, rest = table.antes();
  for (const Amount level : levels) {
    Pot pot{std::exchange(rest, 0), {}};
    for (const StandardTable::Player& player : players) {
      // Chips of folded players beyond all others' payments stay in the last pot.
      const Amount top = level == levels.back() && player.folded ? player.paid : std::min(player.paid, level);
      pot.amount += std::max<Amount>(top - before, 0);
      pot.for_player.push_back(!player.folded && player.paid >= level);
    }
    before = level;
    if (pot.amount == 0) continue;
    // A player who has mucked does not start a separate pot.
    if (!pots.empty() && pots.back().for_player == pot.for_player)
      pots.back().amount += pot.amount;
    else
      pots.push_back(std::move(pot));
  }
  return pots;
}

// A player's hand at the showdown.
struct Holding {
  bool unknown = false;
  std::optional<HandValue> high, low;
};

// Winners of a pot, or of its halves; without low winners the high ones get all of it.
struct Way {
  Winners high, low;
};

Amount total_of(const Amounts& amounts) { return std::accumulate(amounts.begin(), amounts.end(), Amount{0}); }

class Settling {
 public:
  Settling(const StandardTable& table, const std::optional<Amounts>& said, bool by_stacks)
      : table_(table), said_(said), by_stacks_(by_stacks), chip_(table.hand().chip), pots_(pots_of(table)) {
    for (const Pot& pot : pots_) total_ += pot.amount;
    least_.assign(table.players().size(), 0);
    most_ = least_;
    shares_.assign(table.players().size(), 0);
  }

  Settlement run() {
    read_holdings();
    for (const Pot& pot : pots_) ways_.push_back(ways_of(pot));
    for (const Pot& pot : pots_)
      if (!any_winner(pot, [](const Holding&) { return true; })) return failed("all who could win a pot have mucked");
    const bool unique = std::all_of(ways_.begin(), ways_.end(), [](const auto& ways) { return ways.size() == 1; });
    if (!said_) {
      if (unique) result_.collected = by_cards();
      return std::move(result_);
    }
    const Amount said = total_of(*said_);
    // Some sites include the returned bet in the winnings. Stacks already contain it.
    for (const bool counted_in : {false, true}) {
      if (counted_in && by_stacks_) break;
      due_ = *said_;
      for (std::size_t i = 0; counted_in && i < due_.size(); ++i) due_[i] -= table_.players()[i].returned;
      rake_ = total_ - total_of(due_);
      if (rake_ < 0 || 2 * rake_ > total_ || !fits(0)) continue;
      result_.collected = due_;
      result_.rake = rake_;
      return std::move(result_);
    }
    if (unique) result_.by_cards = by_cards();
    const std::string pots = amount_text(total_, table_.hand().decimals);
    return failed(said > total_ ? fmt::format("{} is said to be collected from pots of {}",
                                              amount_text(said, table_.hand().decimals), pots)
                                : fmt::format("no winners collect so much from pots of {}", pots));
  }

 private:
  Settlement failed(std::string fault) {
    result_.fault = std::move(fault);
    return std::move(result_);
  }

  // A player who has mucked wins nothing, unless all others have folded.
  bool out(std::size_t player) const { return table_.players()[player].mucked && !table_.uncontested(); }

  // True if this holds of a player who can win the pot.
  bool any_winner(const Pot& pot, const std::function<bool(const Holding&)>& is) const {
    for (std::size_t i = 0; i < holdings_.size(); ++i)
      if (pot.for_player[i] && !out(i) && is(holdings_[i])) return true;
    return false;
  }

  void read_holdings() {
    const StandardVariant& variant = *table_.hand().variant;
    const auto unknown = [](CardId card) { return card == StandardTable::kUnknown; };
    const bool board = std::none_of(table_.board().begin(), table_.board().end(), unknown);
    for (const StandardTable::Player& player : table_.players()) {
      Holding holding;
      holding.unknown = !board || std::any_of(player.cards.begin(), player.cards.end(), unknown);
      if (!player.folded && !holding.unknown && !table_.uncontested()) {
        std::vector<CardId> hand = player.cards;
        // A last card that was dealt to all.
        if (variant.has_bring_in()) hand.insert(hand.end(), table_.board().begin(), table_.board().end());
        const std::vector<CardId> board_cards = variant.has_bring_in() ? std::vector<CardId>() : table_.board();
        holding.high = variant.high_value(hand, board_cards);
        holding.low = variant.low_value(hand, board_cards);
      }
      holdings_.push_back(holding);
    }
  }

  // The possible sets of winners: the best of the known hands, and any of the unknown ones, with it or alone.
  std::vector<Winners> winners_of(const Pot& pot, std::optional<HandValue> Holding::*value) const {
    std::optional<HandValue> best;
    Winners known, unknown;
    for (std::size_t i = 0; i < holdings_.size(); ++i) {
      if (!pot.for_player[i] || out(i)) continue;
      const std::optional<HandValue>& mine = holdings_[i].*value;
      if (holdings_[i].unknown) {
        // A player recorded as collecting nothing has not won.
        if (!said_ || (*said_)[i] > 0) unknown.push_back(static_cast<int>(i));
      } else if (mine && (!best || *mine >= *best)) {
        if (best && *mine > *best) known.clear();
        best = mine;
        known.push_back(static_cast<int>(i));
      }
    }
    unknown.resize(std::min(unknown.size(), kMostUnknown));
    std::vector<Winners> sets;
    for (std::size_t subset = 0; subset < std::size_t{1} << unknown.size(); ++subset) {
      Winners some;
      for (std::size_t i = 0; i < unknown.size(); ++i)
        if ((subset >> i & 1) != 0) some.push_back(unknown[i]);
      if (!some.empty()) sets.push_back(some);
      if (known.empty()) continue;
      some.insert(some.end(), known.begin(), known.end());
      std::sort(some.begin(), some.end());
      sets.push_back(std::move(some));
    }
    return sets;
  }

  std::vector<Way> ways_of(const Pot& pot) const {
    if (table_.uncontested()) {
      const auto winner = std::find(pot.for_player.begin(), pot.for_player.end(), true) - pot.for_player.begin();
      return {{{static_cast<int>(winner)}, {}}};
    }
    const std::vector<Winners> high = winners_of(pot, &Holding::high);
    std::vector<Winners> low;
    if (!table_.hand().variant->low.empty()) {
      low = winners_of(pot, &Holding::low);
      // Some unknown hand could be a low.
      const bool unknown = any_winner(pot, [](const Holding& holding) { return holding.unknown; });
      if (unknown && !any_winner(pot, [](const Holding& holding) { return holding.low.has_value(); }))
        low.emplace_back();
    }
    if (low.empty()) low.emplace_back();
    std::vector<Way> ways;
    for (const Winners& some : high)
      for (const Winners& others : low) ways.push_back({some, others});
    return ways;
  }

  Amount down(Amount amount) const { return amount / chip_ * chip_; }

  // Shares of an amount from `low` to `high`, of which any of the winners get odd chips, one each or all of them.
  void give(const Winners& winners, Amount low, Amount high, int sign) {
    const auto count = static_cast<Amount>(winners.size());
    const Amount least = down(low / count), share = down(high / count), most = share + high - share * count;
    for (const int winner : winners) {
      least_[at(winner)] += sign * least;
      most_[at(winner)] += sign * most;
      shares_[at(winner)] += sign;
    }
  }
  void give(Amount pot, const Way& way, int sign) {
    if (way.low.empty()) return give(way.high, pot, pot, sign);
    const Amount half = down(pot / 2);
    give(way.high, half, pot - half, sign);
    give(way.low, half, pot - half, sign);
  }

  // True if the pots from this one on can be distributed to match the record.
  bool fits(std::size_t pot) {
    if (pot == pots_.size()) return is_said();
    for (const Way& way : ways_[pot]) {
      if (++tried_ > kMostWays) return false;
      give(pots_[pot].amount, way, 1);
      if (none_too_much() && fits(pot + 1)) return true;
      give(pots_[pot].amount, way, -1);
    }
    return false;
  }

  bool none_too_much() const {
    for (std::size_t i = 0; i < least_.size(); ++i)
      if (least_[i] > due_[i] + rake_) return false;
    return true;
  }

  bool is_said() const {
    for (std::size_t i = 0; i < least_.size(); ++i) {
      const Amount said = due_[i];
      if (shares_[i] == 0 ? said != 0 : said <= 0) return false;
      if (said > most_[i] || said < least_[i] - rake_) return false;
      // Winners with equal shares pay equal rake, except for odd chips.
      for (std::size_t j = 0; j < i; ++j) {
        const Amount between = std::max(said, due_[j]) - std::min(said, due_[j]);
        if (least_[i] == least_[j] && most_[i] == most_[j] && between > most_[i] - least_[i] + (rake_ > 0 ? 1 : 0))
          return false;
      }
    }
    return true;
  }

  // Odd chips go to the first winner from the dealer's left, that of the halves to high.
  Amounts by_cards() const {
    Amounts collected(holdings_.size());
    const auto pay = [&](const Winners& winners, Amount amount) {
      const auto count = static_cast<Amount>(winners.size());
      for (const int winner : winners) collected[at(winner)] += amount / count;
      collected[at(winners.front())] += amount % count;
    };
    for (std::size_t pot = 0; pot < pots_.size(); ++pot) {
      const Way& way = ways_[pot].front();
      const Amount low = way.low.empty() ? 0 : pots_[pot].amount / 2;
      pay(way.high, pots_[pot].amount - low);
      if (low > 0) pay(way.low, low);
    }
    return collected;
  }

  const StandardTable& table_;
  const std::optional<Amounts>& said_;
  const bool by_stacks_;
  const Amount chip_;
  std::vector<Pot> pots_;
  std::vector<std::vector<Way>> ways_;  // by pot
  std::vector<Holding> holdings_;
  Amount total_ = 0, rake_ = 0;
  Amounts due_, least_, most_;
  std::vector<int> shares_;
  int tried_ = 0;
  Settlement result_;
};

}  // namespace

Settlement settle(const StandardTable& table, const std::optional<std::vector<Amount>>& said, bool by_stacks) {
  return Settling(table, said, by_stacks).run();
}

}  // namespace dealer::phh
