#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "agents/empirical_cdf.h"
#include "agents/poker/hand_cdf.h"
#include "agents/poker/input_features.h"
#include "agents/poker/sampled_showdowns.h"
#include "agents/poker/shared_tables.h"
#include "env/cards/shuffle.h"

namespace dealer::poker {
namespace {

constexpr int kStudDeals = 8192;
constexpr std::uint64_t kStudFeaturesSeed = 0x57d;
constexpr std::string_view kLowRanks = "A2345678";

// Values of random hands of 1 to 7 cards.
struct StudTables {
  explicit StudTables(const GameRules& rules) : categories(*rules.high) {
    std::vector<std::uint8_t> taken_out(rules.random_mix() ? rules.deck->ranks().size() : 0);
    std::vector<CardId> deck = rules.deck->in_play(taken_out);
    RandomStream rng(kStudFeaturesSeed);
    std::array<std::vector<HandValue>, kHandCards + 1> highs, lows;
    for (int n = 0; n < kStudDeals; ++n) {
      shuffle_first(std::span(deck), kHandCards, rng);
      for (std::size_t size = 1; size <= kHandCards; ++size) {
        highs[size].push_back(rules.high->evaluate(std::span(deck).first(size)));
        if (rules.low) lows[size].push_back(rules.low->evaluate(std::span(deck).first(size)));
      }
    }
    for (std::size_t size = 1; size <= kHandCards; ++size) {
      high[size] = EmpiricalCdf(std::move(highs[size]));
      low[size] = EmpiricalCdf(std::move(lows[size]));
    }
  }
  std::array<EmpiricalCdf<HandValue>, kHandCards + 1> high, low;  // by size
  HandCategories categories;
};

class StudFeatures final : public Encoder {
 public:
  explicit StudFeatures(std::shared_ptr<const Game> game)
      : game_(std::move(game)), rules_(game_->rules()), tables_(shared_tables<StudTables>(cards_key(rules_))) {
    const auto add = [&](const char* name) { names_.emplace_back(name); };
    add_category_names("category", rules_.high->ranking(), names_);
    add("hand.percentile");
    if (rules_.low) add("hand.percentile.low");
    for (int player = 0; player < rules_.players; ++player) names_.push_back(fmt::format("board.{}", player));
    if (rules_.low)
      for (int player = 0; player < rules_.players; ++player) names_.push_back(fmt::format("board.low.{}", player));
    for (const char* name : {"live.pairs", "live.trips", "suit.held", "live.suit", "live.low"}) add(name);
    add("share");
    if (rules_.low)
      for (const char* name : {"share.high", "share.low", "low.becomes"}) add(name);
    for (int player = 1; player < rules_.players; ++player) names_.push_back(fmt::format("against.{}", player));
    add_category_names("becomes", rules_.high->ranking(), names_);
    const Deck& deck = *rules_.deck;
    for (int id = 0; id < deck.size(); ++id) {
      const DeckCard& card = deck.card(static_cast<CardId>(id));
      const bool pip = card.suit >= 0 && deck.suits()[at(card.suit)].kind == SuitKind::kPips;
      rank_.push_back(pip ? card.rank : -1);
      low_.push_back(pip && kLowRanks.find(deck.ranks()[at(card.rank)]) != std::string_view::npos);
    }
  }

  const std::vector<std::string>& names() const override { return names_; }

  void encode(const float* observation, float* input_features) const override {
    std::fill_n(input_features, names_.size(), 0.0F);
    KnownHands known;
    std::array<KnownHands::Hand, kMaxSeats> up;
    std::bitset<kMaxDeckCards> seen;
    read(observation, known, up, seen);
    const KnownHands::Hand& own = known.hand[0];
    if (own.count == 0) return;
    const StudTables& tables = tables_->get([&] { return StudTables(rules_); });

    float* out = input_features;
    // A shared last card belongs to the hand, and to nobody's board.
    KnownHands::Hand mine = own;
    if (known.has_shared) mine.add(known.shared);
    const std::span<const CardId> hand(mine.cards.data(), std::min<std::size_t>(mine.count, kHandCards));
    const HandValue value = rules_.high->evaluate(hand);
    // With fewer than five cards, values are numbered separately by hand size.
    const int size = static_cast<int>(hand.size());
    out[size < kDrawHand ? at(rules_.high->category(value, size)) : tables.categories.of(value)] = 1;
    const std::size_t categories = rules_.high->ranking().categories().size();
    out += categories;
    *out++ = tables.high[hand.size()].below<float>(value);
    if (rules_.low) *out++ = tables.low[hand.size()].below<float>(rules_.low->evaluate(hand));
    add_boards(*rules_.high, tables.high, up, out);
    out += rules_.players;
    if (rules_.low) {
      add_boards(*rules_.low, tables.low, up, out);
      out += rules_.players;
    }
    add_live(hand, seen, out);
    out += 5;

    float* const becomes = input_features + names_.size() - categories;
    const SampledShowdowns::Result result =
        showdowns_.get([&] { return SampledShowdowns(rules_); }).play(known, std::span(becomes, categories));
    *out++ = result.share;
    if (rules_.low) {
      *out++ = result.high;
      *out++ = result.low;
      *out++ = result.qualifies;
    }
    for (std::size_t i = 1; i < known.hands; ++i) out[known.player[i] - 1] = result.against[i];
  }

 private:
  // `up`: the boards of players who are still in. `seen`: all visible cards.
  void read(const float* observation, KnownHands& known, std::array<KnownHands::Hand, kMaxSeats>& up,
            std::bitset<kMaxDeckCards>& seen) const {
    const Parts& part = *rules_.parts;
    const int deck = rules_.deck->size();
    std::array<CardId, kHandCards + 1> cards;
    const auto read_part = [&](int offset) {
      const std::size_t count = read_cards(observation + offset, deck, std::span(cards).first(kHandCards));
      for (const CardId card : std::span(cards).first(count)) seen.set(card);
      return std::span<const CardId>(cards.data(), count);
    };
    known.hands = 1;
    for (const CardId card : read_part(part.hand)) known.hand[0].add(card);
    for (int player = 0; player < rules_.players; ++player) {
      const bool live = is_live(rules_, observation, player);
      if (player > 0 && live) known.player[known.hands++] = player;
      for (const CardId card : read_part(part.up + player * deck)) {
        if (live) up[at(player)].add(card);
        if (player > 0 && live)
          known.hand[known.hands - 1].add(card);
        else if (player > 0)
          known.dead.set(card);
      }
    }
    if (rules_.has_board()) {
      for (const CardId card : read_part(part.board)) {
        known.has_shared = true;
        known.shared = card;
      }
    }
    for_each_taken_out(rules_, observation, [&](CardId card) {
      known.dead.set(card);
      seen.set(card);
    });
  }

  void add_boards(const Evaluator& evaluator, const std::array<EmpiricalCdf<HandValue>, kHandCards + 1>& percentiles,
                  const std::array<KnownHands::Hand, kMaxSeats>& up, float* out) const {
    for (int player = 0; player < rules_.players; ++player) {
      const KnownHands::Hand& cards = up[at(player)];
      if (cards.count == 0) continue;
      out[player] =
          percentiles[cards.count].below<float>(evaluator.evaluate(std::span(cards.cards).first(cards.count)));
    }
  }

  // The live fraction of the cards that improve the hand, relative to all such cards outside the own hand.
  void add_live(std::span<const CardId> hand, const std::bitset<kMaxDeckCards>& seen, float* out) const {
    constexpr std::size_t kNoSuit = kMaxDeckSuits;
    std::array<int, kMaxRanks + 1> held{};
    std::array<int, kMaxDeckSuits + 1> suited{};
    for (const CardId card : hand) {
      if (rank_[card] >= 0) ++held[at(rank_[card])];
      const int suit = rules_.deck->card(card).suit;
      ++suited[suit < 0 ? kNoSuit : at(suit)];
    }
    struct Count {
      int live = 0, all = 0;
      void add(bool is_live) {
        live += is_live ? 1 : 0;
        ++all;
      }
      float share() const { return all == 0 ? 0 : static_cast<float>(live) / static_cast<float>(all); }
    };
    Count pairs, trips, low;
    std::array<Count, kMaxDeckSuits + 1> of_suit;
    const std::size_t deck = rank_.size();
    for (std::size_t card = 0; card < deck; ++card) {
      const bool mine = std::find(hand.begin(), hand.end(), static_cast<CardId>(card)) != hand.end();
      const int suit = rules_.deck->card(static_cast<CardId>(card)).suit;
      if (mine) continue;
      const bool live = !seen[card];
      if (suit >= 0) of_suit[at(suit)].add(live);
      const int count = rank_[card] < 0 ? 0 : held[at(rank_[card])];
      if (count > 0) pairs.add(live);
      if (count > 1) trips.add(live);
      if (count == 0 && low_[card]) low.add(live);
    }
    const int most = *std::max_element(suited.begin(), suited.begin() + kNoSuit);
    float live_suit = 0;
    for (std::size_t suit = 0; suit < kNoSuit; ++suit)
      if (most > 0 && suited[suit] == most) live_suit = std::max(live_suit, of_suit[suit].share());
    out[0] = pairs.share();
    out[1] = trips.share();
    out[2] = std::min(1.0F, static_cast<float>(most) / kDrawHand);
    out[3] = live_suit;
    out[4] = low.share();
  }

  std::shared_ptr<const Game> game_;
  const GameRules& rules_;
  std::shared_ptr<const Lazy<StudTables>> tables_;
  Lazy<SampledShowdowns> showdowns_;
  std::vector<std::string> names_;
  std::vector<int> rank_;  // by card; -1: none
  std::vector<bool> low_;  // by card: eight or lower
};

}  // namespace

EncoderPtr make_stud_features(std::shared_ptr<const Game> game) {
  return std::make_shared<StudFeatures>(std::move(game));
}

}  // namespace dealer::poker
