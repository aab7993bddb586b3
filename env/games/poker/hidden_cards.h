#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "env/core/random.h"
#include "env/games/poker/view.h"

namespace dealer::poker {

// The cards that one seat has not seen: where they may lie, with the true distribution under uniform deals. All shuffles
// that agree with what was seen are equally likely; which of their cards others discarded, beside those seen, is uniform.
//
// Without a reshuffle every unseen card may lie anywhere. After one, cards that the observer saw later must have come
// back into the stock. Every unseen card dealt to somebody is a token of the stock (the epoch) it was dealt from, and
// what that stock held beside the cards seen is spread uniformly over its tokens. The course of the hand is played
// again with tokens, discards drawn at random. Where the observer got a card that must be one of them, the chance that
// it lies among those that came back is worked out and one is bound to it; the product of these chances is the weight
// of the course, which is accepted in proportion to it (sequential importance sampling with rejection: Liu, Monte Carlo
// Strategies in Scientific Computing, 2001, chapter 3; exact, since the weight has a bound). Where the observer has seen
// so much that thousands of courses are rejected (small decks after several reshuffles, hands shown at their end), one
// of as many is taken in proportion to its weight, which comes close.
class HiddenCards {
 public:
  static constexpr int kMaxTokens = 128;

  // A card of another player.
  struct Held {
    CardId card = 0;
    std::uint8_t when = 0;      // it came: as SeenCard
    std::int8_t discarded = -1;  // in which draw; -1: still held
  };
  struct Deal {
    // Of every other seat all the cards it got, those seen too; of the observer none.
    std::array<std::array<Held, kDrawHand*(kMaxDraws + 1)>, kMaxSeats> card{};
    std::array<std::uint8_t, kMaxSeats> count{};
    // Undealt: the next one first, in random order as far as the rules may deal; the others behind.
    std::array<CardId, kMaxDeckCards> stock{};
    int stock_count = 0;
    // What seat's card i came to: a discard is listed with its draw.
    std::span<const Held> cards(Seat seat) const {
      return std::span(card[static_cast<std::size_t>(seat)]).first(count[static_cast<std::size_t>(seat)]);
    }
  };

  // Throws UsageError when nothing of the kind can have happened.
  HiddenCards(const GameRules& rules, const View& view);
  HiddenCards(const HiddenCards&) = delete;
  HiddenCards(HiddenCards&&) noexcept;
  ~HiddenCards();

  void draw(RandomStream& rng, Deal& deal);
  // How often the stock was shuffled anew.
  int reshuffles() const { return epochs_ - 1; }
  // Courses played for all draws so far: what is accepted of them is the efficiency.
  std::int64_t attempts() const { return attempts_; }

 private:
  static constexpr int kMaxEpochs = kMaxSeats * kMaxDraws + 1;
  static constexpr std::int8_t kNowhere = -1;  // the observer knows where the card is

  // Which of the observer's cards came before a reshuffle in the middle of its draw: every choice with a weight that is
  // no less than its chance. Cards of one class (the epoch they were in before and after) are alike; the j-th of them to be
  // looked for has these bounds.
  struct SplitChoices {
    std::vector<int> class_of;  // by card of the step; -1: transparent
    std::vector<std::array<double, kDrawHand>> early, late;
    std::vector<std::pair<unsigned, double>> masks;  // bit i: card i came early; weights added up
  };
  struct Step {
    // After kDealSplit, what a seat gets in part from the old stock, the next step is kReshuffle and deals the rest.
    enum class Kind : std::uint8_t { kDeal, kDealSplit, kReshuffle, kDiscard, kSettle, kLeave };
    Kind kind = Kind::kDeal;
    Seat seat = -1;               // -1: the board
    int time = 0;                 // when cards come; kDiscard: the draw
    int hidden = 0;               // cards dealt or discarded unseen
    std::vector<CardId> cards{};  // those seen
    int before = 0;               // kDealSplit: cards, seen or not, from the old stock
    std::vector<double> bounds{};  // kDeal: of each card seen, on the chance that it has come back
    SplitChoices choices{};        // kDealSplit of the observer
  };
  // A card of somebody else that was not seen when it came.
  struct Token {
    std::uint8_t seat = 0, when = 0;
    std::int8_t discarded = -1;
    std::int8_t recycled = -1;  // the epoch into whose stock it came
    std::uint8_t item = 0;      // what it is, once bound
    std::uint8_t epoch = 0;
  };
  // Cards are items, and so are tokens that came back into a stock: kToken and its number.
  using Item = std::uint8_t;
  static constexpr Item kToken = 128;
  struct Course;
  // Where a card must be: in the stock of this epoch, or in this seat's hand.
  struct Target {
    int epoch = -1;
    Seat seat = -1;
    bool holds(const Token& token) const {
      return seat >= 0 ? token.seat == seat && token.discarded < 0 : token.recycled == epoch;
    }
  };

  void list_seen(const View& view);
  void list_steps(const View& view);
  void list_draws(const View& view);
  int draw_seat(const View& view, Seat seat, int draw, int stock, int others);
  void add_deal(const View& view, Seat seat, int when, int count, int stock);
  class Bounds;

  // False when none was found in so many tries.
  bool find_course(RandomStream& rng, std::int64_t most);
  bool attempt(RandomStream& rng, Course& course) const;
  bool play(const Step& step, RandomStream& rng, Course& course) const;
  bool split(const Step& step, RandomStream& rng, Course& course) const;
  bool receive(CardId card, double bound, RandomStream& rng, Course& course) const;
  bool bind(CardId card, const Target& target, double bound, RandomStream& rng, Course& course) const;
  bool show(RandomStream& rng, Course& course) const;
  void finish(RandomStream& rng, Course& course, Deal& deal) const;
  void draw_plain(RandomStream& rng, Deal& deal) const;

  const GameRules* rules_;
  Seat me_ = 0;
  int players_ = 0;
  std::vector<CardId> in_play_;
  std::vector<Step> steps_;
  int epochs_ = 1;
  int undealt_ = 0;
  int needed_ = 0;  // cards of the stock whose order matters
  // Cards of others that the observer sees, up, transparent or discarded open; those shown at the end and not seen
  // before; what is left over without a reshuffle.
  struct Seen {
    Seat seat;
    Held held;
  };
  struct Shown {
    Seat seat;
    CardId card;
    double bound = 1;
  };
  std::vector<Seen> seen_;
  std::vector<Shown> shown_;
  std::vector<CardId> opaque_, transparent_;
  std::int64_t attempts_ = 0;
  std::unique_ptr<Course> course_, chosen_;  // scratch memory
};

}  // namespace dealer::poker
