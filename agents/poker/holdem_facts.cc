#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bitset>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include "agents/poker/facts.h"
#include "agents/poker/fixed_deals.h"
#include "agents/poker/hand_categories.h"
#include "agents/poker/observed.h"
#include "agents/poker/pair_table.h"
#include "agents/poker/pots_won.h"
#include "agents/poker/shared_tables.h"
#include "agents/poker/suit_order.h"
#include "env/core/random.h"

namespace dealer::poker {
namespace {

constexpr std::size_t kHole = 2;
// On the flop so many ways to go on with so many hands of an opponent each, on the turn every river with so many.
constexpr std::size_t kRunouts = 128, kFlopHands = 12, kTurnHands = 16;
// These hands come from so many ways to part the unseen cards into pairs.
constexpr std::size_t kPartings = 8;
constexpr std::size_t kTurnPercentile = 64;  // hands that a hand of six is compared with
constexpr std::size_t kMostPairs = kMaxDeckCards * (kMaxDeckCards - 1) / 2;
static_assert(kRunouts * (kFlopHands + 1) <= kMostPairs && kMaxDeckCards * (kTurnHands + 1) <= kMostPairs);

struct HoldemTables {
  explicit HoldemTables(const GameRules& rules)
      : pairs(rules),
        categories(*rules.high),
        suits(rules),
        qualifying(rules.low ? HandCategories(*rules.low).qualifying() : 0) {}
  PairTable pairs;
  HandCategories categories;
  SuitOrder suits;
  HandValue qualifying;
};

// Hands of five or seven, to be valued together.
class Hands {
 public:
  explicit Hands(std::size_t size) : size_(size) {}
  // `cards` are of at most eight bytes that may be read, `more` are two.
  void add(const CardId* cards, std::size_t count, const CardId* more) {
    CardId* const out = cards_.data() + count_++ * size_;
    std::memcpy(out, cards, sizeof(std::uint64_t));
    std::memcpy(out + count, more, kHole);
  }
  void evaluate(const Evaluator& evaluator, std::array<HandValue, kMostPairs + 1>& values) const {
    const std::span<const CardId> cards(cards_.data(), count_ * size_);
    if (size_ == kHandCards)
      evaluator.evaluate7(cards, std::span(values).first(count_));
    else
      evaluator.evaluate5(cards, std::span(values).first(count_));
  }
  std::size_t count() const { return count_; }

 private:
  std::size_t size_, count_ = 0;
  std::array<CardId, (kMostPairs + 1) * kHandCards + sizeof(std::uint64_t)> cards_;
};

// What is known, in suits of its own.
struct Position {
  std::array<CardId, 8> own{}, board{};
  std::size_t board_count = 0;
  std::array<CardId, kMaxDeckCards> unseen{};
  std::size_t left = 0;
};

struct Outcome {
  float percentile = 0, share = 0, four = 0, all = 0;
  float high = 0, low = 0, qualifies = 0;
};

class HoldemFacts final : public Encoder {
 public:
  explicit HoldemFacts(std::shared_ptr<const Game> game)
      : game_(std::move(game)),
        rules_(game_->rules()),
        tables_(shared_tables<HoldemTables>(fmt::format("{}\n{}", cards_key(rules_), rules_.players))) {
    const auto add = [&](const char* name) { names_.emplace_back(name); };
    add_category_names("category", rules_.high->ranking(), names_);
    for (const char* name : {"hand.percentile", "share", "share.four", "share.all"}) add(name);
    if (rules_.low)
      for (const char* name : {"share.high", "share.low", "low.becomes"}) add(name);
    add_category_names("becomes", rules_.high->ranking(), names_);
  }

  const std::vector<std::string>& names() const override { return names_; }

  void encode(const float* observation, float* facts) const override {
    std::fill_n(facts, names_.size(), 0.0F);
    const HoldemTables& tables = tables_->get([&] { return HoldemTables(rules_); });
    Position position;
    if (!read(tables, observation, position)) return;
    int opponents = 0;
    for (int player = 1; player < rules_.players; ++player) opponents += is_live(rules_, observation, player) ? 1 : 0;
    opponents = std::max(opponents, 1);
    if (rules_.random_mix() || position.board_count == 0) return work_out(tables, position, opponents, facts);
    Remembered& remembered = remember(position, opponents);
    if (remembered.facts.empty()) {
      work_out(tables, position, opponents, facts);
      remembered.facts.assign(facts, facts + names_.size());
    } else {
      std::copy(remembered.facts.begin(), remembered.facts.end(), facts);
    }
  }

 private:
  using Values = std::array<HandValue, kMostPairs + 1>;

  // Bets do not change facts: a player who acts twice on a street, or is judged while the other acts, has them again.
  struct Remembered {
    std::uint64_t encoder = 0, cards = 0;
    std::vector<float> facts;
  };

  // Of these cards, worked out by this thread; without facts where they are not known yet.
  Remembered& remember(const Position& position, int opponents) const {
    constexpr std::size_t kRemembered = 1 << 13;
    thread_local std::vector<Remembered> all(kRemembered);
    static_assert(kMaxDeckCards <= 128 && kHandCards * 7 + 7 <= 64);
    std::uint64_t cards = static_cast<std::uint64_t>(opponents);
    for (const CardId card : std::span(position.own).first(kHole)) cards = cards << 7 | card;
    for (const CardId card : std::span(position.board).first(position.board_count)) cards = cards << 7 | card;
    Remembered& found = all[mix64(cards) % kRemembered];
    if (found.encoder == encoder_ && found.cards == cards) return found;
    found.encoder = encoder_;
    found.cards = cards;
    found.facts.clear();
    return found;
  }

  void work_out(const HoldemTables& tables, const Position& position, int opponents, float* facts) const {
    std::array<CardId, kHandCards> hand{};
    std::copy_n(position.own.begin(), kHole, hand.begin());
    std::copy_n(position.board.begin(), position.board_count, hand.begin() + kHole);
    const std::span<const CardId> cards(hand.data(), kHole + position.board_count);
    const HandValue value = rules_.high->evaluate(cards);
    facts[static_cast<std::size_t>(rules_.high->category(value, static_cast<int>(cards.size())))] = 1;
    const std::size_t categories = rules_.high->ranking().categories().size();
    float* out = facts + categories;
    float* const becomes = facts + names_.size() - categories;
    Outcome outcome;
    if (position.board_count == 0)
      outcome = before_flop(tables, position, opponents, becomes);
    else if (position.board_count < kMaxBoard)
      outcome = sampled(tables, position, opponents, becomes);
    else
      outcome = on_river(tables, position, opponents, becomes);
    for (const float fact : {outcome.percentile, outcome.share, outcome.four, outcome.all}) *out++ = fact;
    if (rules_.low)
      for (const float fact : {outcome.high, outcome.low, outcome.qualifies}) *out++ = fact;
  }

  bool read(const HoldemTables& tables, const float* observation, Position& position) const {
    const Parts& part = *rules_.parts;
    const int deck = rules_.deck->size();
    std::array<CardId, kHole + 1> own{};
    std::array<CardId, kMaxBoard + 1> board{};
    const std::size_t own_count = read_cards(observation + part.hand, deck, own);
    position.board_count = read_cards(observation + part.board, deck, board);
    const bool dealt = position.board_count == 0 || (position.board_count >= 3 && position.board_count <= kMaxBoard);
    if (own_count != kHole || !dealt) return false;
    SuitOrder::Marks marks{};
    for (const CardId card : std::span(own).first(kHole)) tables.suits.mark(card, 0, marks);
    for (const CardId card : std::span(board).first(position.board_count)) tables.suits.mark(card, 1, marks);
    const auto for_taken_out = [&](auto&& use) {
      if (!rules_.random_mix()) return;
      for (int card = 0; card < deck; ++card) {
        const Replaceable& replaceable = rules_.replaceable[static_cast<std::size_t>(card)];
        if (replaceable.suit != Replaceable::kNever &&
            observation[part.taken_out + replaceable.rank * Deck::kReplaceable + replaceable.suit] != 0)
          use(static_cast<CardId>(card));
      }
    };
    for_taken_out([&](CardId card) { tables.suits.mark(card, 2, marks); });
    const SuitOrder::Suits order = tables.suits.order(marks);
    std::bitset<kMaxDeckCards> seen;
    const auto rename = [&](CardId card) {
      const CardId renamed = tables.suits.rename(card, order);
      seen.set(renamed);
      return renamed;
    };
    for (std::size_t i = 0; i < kHole; ++i) position.own[i] = rename(own[i]);
    for (std::size_t i = 0; i < position.board_count; ++i) position.board[i] = rename(board[i]);
    for_taken_out(rename);
    for (int card = 0; card < deck; ++card) {
      position.unseen[position.left] = static_cast<CardId>(card);
      position.left += seen[static_cast<std::size_t>(card)] ? 0 : 1;
    }
    return true;
  }

  Outcome before_flop(const HoldemTables& tables, const Position& position, int opponents, float* becomes) const {
    const PairTable::Pair& pair = tables.pairs(position.own[0], position.own[1]);
    std::copy(pair.becomes.begin(), pair.becomes.end(), becomes);
    return {pair.percentile,
            pair.share[0],
            pair.share[PairTable::kOpponents - 1],
            pair.share[static_cast<std::size_t>(opponents) - 1],
            pair.high,
            pair.low,
            pair.qualifies};
  }

  // Values of the hands; low ones are 0 where they do not qualify or there are none.
  void value(const HoldemTables& tables, const Hands& hands, Values& high, Values& low) const {
    hands.evaluate(*rules_.high, high);
    if (!rules_.low) return;
    hands.evaluate(*rules_.low, low);
    for (HandValue& found : std::span(low).first(hands.count())) found = found >= tables.qualifying ? found + 1 : 0;
  }

  // Takes in a board on which the first of the hands is the observer's.
  void add_board(const HandValue* high, const HandValue* low, std::size_t count, int opponents, float each,
                 Outcome& outcome) const {
    float won = 0, high_won = 0, low_won = 0;
    if (rules_.low) {
      for (std::size_t i = 1; i < count; ++i) {
        won += pot_won(high[0], low[0], high[i], low[i]);
        high_won += beats(high[0], high[i]);
        low_won += low[0] > 0 ? beats(low[0], low[i]) : 0;
      }
      outcome.qualifies += low[0] > 0 ? each : 0;
    } else {
      std::uint32_t twice = 0;
      for (std::size_t i = 1; i < count; ++i) twice += (high[0] > high[i] ? 1U : 0U) + (high[0] >= high[i] ? 1U : 0U);
      won = high_won = static_cast<float>(twice) / 2;
    }
    const float scale = 1 / static_cast<float>(count - 1);
    outcome.share += each * won * scale;
    outcome.four += each * beats_several(won, count - 1, 4);
    outcome.all += each * beats_several(won, count - 1, opponents);
    outcome.high += each * high_won * scale;
    outcome.low += each * low_won * scale;
  }

  // Against every hand that an opponent can have.
  Outcome on_river(const HoldemTables& tables, const Position& position, int opponents, float* becomes) const {
    Hands hands(kHandCards);
    hands.add(position.board.data(), kMaxBoard, position.own.data());
    add_pairs(position, hands);
    Values high, low;
    low[0] = 0;
    value(tables, hands, high, low);
    Outcome outcome;
    if (hands.count() > 1) add_board(high.data(), low.data(), hands.count(), opponents, 1, outcome);
    outcome.percentile = outcome.high;
    becomes[tables.categories.of(high[0])] = 1;
    return outcome;
  }

  static void add_pairs(const Position& position, Hands& hands) {
    for (std::size_t a = 1; a < position.left; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const CardId pair[] = {position.unseen[a], position.unseen[b]};
        hands.add(position.board.data(), position.board_count, pair);
      }
    }
  }

  Outcome sampled(const HoldemTables& tables, const Position& position, int opponents, float* becomes) const {
    const bool flop = position.board_count == 3;
    const std::size_t boards = flop ? kRunouts : position.left, come = kMaxBoard - position.board_count;
    std::array<std::array<CardId, kMaxDeckCards>, kPartings> partings;
    for (std::size_t row = 0; row < kPartings; ++row) {
      partings[row] = position.unseen;
      FixedDeals::of(32).deal(row, std::span(partings[row]).first(position.left),
                              std::min(position.left, FixedDeals::kNumbers));
    }
    const std::size_t pairs = std::min(position.left, FixedDeals::kNumbers) / kHole;
    Outcome outcome;
    if (pairs <= come) return outcome;
    // Cards that come spoil as many pairs at most.
    const std::size_t count = std::min(flop ? kFlopHands : kTurnHands, pairs - come);
    Hands hands(kHandCards);
    std::array<CardId, 8> board = position.board;
    std::array<CardId, kMaxDeckCards> stock = position.unseen;
    for (std::size_t n = 0; n < boards; ++n) {
      CardId* const last = &board[position.board_count];
      if (flop) {
        stock = position.unseen;
        FixedDeals::of(kRunouts).deal(n, std::span(stock).first(position.left), come);
        std::copy_n(stock.begin(), come, last);
      } else {
        *last = position.unseen[n];
      }
      hands.add(board.data(), kMaxBoard, position.own.data());
      const std::array<CardId, kMaxDeckCards>& parting = partings[n % kPartings];
      const CardId first = last[0], second = last[come - 1];
      std::size_t next = n / kPartings * kFlopHands % pairs;
      for (std::size_t found = 0; found < count; next = next + 1 < pairs ? next + 1 : 0) {
        const CardId* const pair = &parting[kHole * next];
        if (pair[0] == first || pair[0] == second || pair[1] == first || pair[1] == second) continue;
        hands.add(board.data(), kMaxBoard, pair);
        ++found;
      }
    }
    Values high, low;
    std::fill_n(low.begin(), rules_.low ? 0 : hands.count(), 0);
    value(tables, hands, high, low);
    const float each = 1 / static_cast<float>(boards);
    for (std::size_t at = 0; at < hands.count(); at += count + 1) {
      becomes[tables.categories.of(high[at])] += each;
      add_board(&high[at], &low[at], count + 1, opponents, each, outcome);
    }
    outcome.percentile = flop ? percentile_on_flop(position) : percentile_on_turn(position);
    return outcome;
  }

  // Of the hand as it is among all that an opponent can have.
  float percentile_on_flop(const Position& position) const {
    Hands hands(kDrawHand);
    hands.add(position.board.data(), position.board_count, position.own.data());
    add_pairs(position, hands);
    Values values;
    hands.evaluate(*rules_.high, values);
    std::uint32_t twice = 0;
    for (std::size_t i = 1; i < hands.count(); ++i)
      twice += (values[0] > values[i] ? 1U : 0U) + (values[0] >= values[i] ? 1U : 0U);
    return static_cast<float>(twice) / (2 * static_cast<float>(hands.count() - 1));
  }

  float percentile_on_turn(const Position& position) const {
    std::array<CardId, kHole + 4> hand{};
    std::copy_n(position.board.begin(), 4, hand.begin() + kHole);
    const auto worth = [&](const CardId* two) {
      std::copy_n(two, kHole, hand.begin());
      return rules_.high->evaluate(hand);
    };
    const HandValue mine = worth(position.own.data());
    const FixedDeals& deals = FixedDeals::of(kTurnPercentile);
    std::array<CardId, kMaxDeckCards> stock;
    float won = 0;
    for (std::size_t n = 0; n < kTurnPercentile; ++n) {
      stock = position.unseen;
      deals.deal(n, std::span(stock).first(position.left), kHole);
      won += beats(mine, worth(stock.data()));
    }
    return won / kTurnPercentile;
  }

  // Tells what is remembered for this object from what is for others.
  static std::uint64_t next_encoder() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
  }

  std::shared_ptr<const Game> game_;
  const GameRules& rules_;
  std::shared_ptr<const Lazy<HoldemTables>> tables_;
  std::vector<std::string> names_;
  std::uint64_t encoder_ = next_encoder();
};

}  // namespace

EncoderPtr make_holdem_facts(std::shared_ptr<const Game> game) {
  return std::make_shared<HoldemFacts>(std::move(game));
}

}  // namespace dealer::poker
