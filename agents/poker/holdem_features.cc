#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "agents/poker/hand_cdf.h"
#include "agents/poker/holdem_equity.h"
#include "agents/poker/input_features.h"
#include "env/core/random.h"

namespace dealer::poker {
namespace {

class HoldemFeatures final : public Encoder {
 public:
  explicit HoldemFeatures(std::shared_ptr<const Game> game)
      : game_(std::move(game)), rules_(game_->rules()), equities_(rules_) {
    const auto add = [&](const char* name) { names_.emplace_back(name); };
    add_category_names("category", rules_.high->ranking(), names_);
    for (const char* name : {"hand.percentile", "share", "share.four", "share.all"}) add(name);
    if (rules_.low)
      for (const char* name : {"share.high", "share.low", "low.becomes"}) add(name);
    add_category_names("becomes", rules_.high->ranking(), names_);
  }

  const std::vector<std::string>& names() const override { return names_; }

  void encode(const float* observation, float* input_features) const override {
    std::fill_n(input_features, names_.size(), 0.0F);
    HoldemEquities::Position position;
    if (!read(observation, position)) return;
    int opponents = 0;
    for (int player = 1; player < rules_.players; ++player) opponents += is_live(rules_, observation, player) ? 1 : 0;
    opponents = std::max(opponents, 1);
    if (rules_.random_mix() || position.board_count == 0) return work_out(position, opponents, input_features);
    Remembered& remembered = remember(position, opponents);
    if (remembered.input_features.empty()) {
      work_out(position, opponents, input_features);
      remembered.input_features.assign(input_features, input_features + names_.size());
    } else {
      std::copy(remembered.input_features.begin(), remembered.input_features.end(), input_features);
    }
  }

 private:
  // Bets do not change the input features: repeated queries on a street, also for critics, hit this cache.
  struct Remembered {
    std::uint64_t encoder = 0, cards = 0;
    std::vector<float> input_features;
  };

  // This thread's entry for these cards; without features if they are not computed yet.
  Remembered& remember(const HoldemEquities::Position& position, int opponents) const {
    constexpr std::size_t kRemembered = 1 << 13;
    thread_local std::vector<Remembered> all(kRemembered);
    static_assert(kMaxDeckCards <= 128 && kHandCards * 7 + 7 <= 64);
    std::uint64_t cards = static_cast<std::uint64_t>(opponents);
    for (const CardId card : std::span(position.own).first(kHoleCards)) cards = cards << 7 | card;
    for (const CardId card : std::span(position.board).first(position.board_count)) cards = cards << 7 | card;
    Remembered& found = all[mix64(cards) % kRemembered];
    if (found.encoder == encoder_ && found.cards == cards) return found;
    found.encoder = encoder_;
    found.cards = cards;
    found.input_features.clear();
    return found;
  }

  void work_out(const HoldemEquities::Position& position, int opponents, float* input_features) const {
    std::array<CardId, kHandCards> hand{};
    std::copy_n(position.own.begin(), kHoleCards, hand.begin());
    std::copy_n(position.board.begin(), position.board_count, hand.begin() + kHoleCards);
    const std::span<const CardId> cards(hand.data(), kHoleCards + position.board_count);
    const HandValue value = rules_.high->evaluate(cards);
    input_features[at(rules_.high->category(value, static_cast<int>(cards.size())))] = 1;
    const std::size_t categories = rules_.high->ranking().categories().size();
    float* out = input_features + categories;
    float* const becomes = input_features + names_.size() - categories;
    const HoldemEquity equity = equities_.find(position, opponents, true, becomes);
    for (const float feature : {equity.percentile, equity.share, equity.four, equity.all}) *out++ = feature;
    if (rules_.low)
      for (const float feature : {equity.high, equity.low, equity.qualifies}) *out++ = feature;
  }

  bool read(const float* observation, HoldemEquities::Position& position) const {
    const Parts& part = *rules_.parts;
    const int deck = rules_.deck->size();
    std::array<CardId, kHoleCards + 1> own{};
    std::array<CardId, kMaxBoard + 1> board{};
    const std::size_t own_count = read_cards(observation + part.hand, deck, own);
    const std::size_t board_count = read_cards(observation + part.board, deck, board);
    if (own_count != kHoleCards || (board_count != 0 && (board_count < 3 || board_count > kMaxBoard))) return false;
    std::array<CardId, kMaxDeckCards> taken_out;
    std::size_t gone = 0;
    for_each_taken_out(rules_, observation, [&](CardId card) { taken_out[gone++] = card; });
    position = equities_.position(std::span(own).first(own_count), std::span(board).first(board_count),
                                  std::span(taken_out).first(gone));
    return true;
  }

  // Distinguishes this object's cache entries from those of other objects.
  static std::uint64_t next_encoder() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
  }

  std::shared_ptr<const Game> game_;
  const GameRules& rules_;
  HoldemEquities equities_;
  std::vector<std::string> names_;
  std::uint64_t encoder_ = next_encoder();
};

}  // namespace

EncoderPtr make_holdem_features(std::shared_ptr<const Game> game) {
  return std::make_shared<HoldemFeatures>(std::move(game));
}

}  // namespace dealer::poker
