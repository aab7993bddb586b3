#include "agents/poker/showdown_equity.h"

#include <algorithm>
#include <bitset>
#include <functional>

#include "env/cards/shuffle.h"

namespace dealer::poker {
namespace {

using Cards = std::vector<CardId>;

std::vector<Seat> opponents_of(const View& view) {
  std::vector<Seat> seats;
  for (Seat seat = 0; seat < view.players; ++seat)
    if (seat != view.me && view.player[at(seat)].live()) seats.push_back(seat);
  return seats;
}

Cards known_cards(const View::Player& player) {
  Cards cards;
  for (const SeenCard& seen : player.cards) cards.push_back(seen.card);
  return cards;
}

// Showdowns with all hidden cards dealt at random.
class Showdowns {
 public:
  Showdowns(const GameRules& rules, const View& view) : rules_(rules), unseen_(unseen_cards(rules, view)) {
    hands_.push_back(known_cards(view.own()));
    for (const Seat seat : opponents_of(view)) hands_.push_back(known_cards(view.player[at(seat)]));
    board_ = view.board;
    const bool holdem = rules.procedure == Procedure::kHoldem;
    own_cards_ = holdem ? 2 : rules.procedure == Procedure::kStud ? kHandCards : at(rules.hand_cards);
    board_cards_ = holdem ? kMaxBoard : 0;
    std::size_t missing = 0;
    for (const Cards& hand : hands_) missing += own_cards_ - std::min(own_cards_, hand.size());
    // Stud with many players: the last card is shared.
    if (rules.procedure == Procedure::kStud && (missing > unseen_.size() || !board_.empty())) {
      --own_cards_;
      board_cards_ = 1;
    }
  }

  double mean(int samples, RandomStream& rng) {
    double sum = 0;
    for (int n = 0; n < samples; ++n) sum += one(rng);
    return sum / samples;
  }

 private:
  double one(RandomStream& rng) {
    std::size_t needed = board_cards_ - std::min(board_cards_, board_.size());
    for (const Cards& hand : hands_) needed += own_cards_ - std::min(own_cards_, hand.size());
    needed = std::min(needed, unseen_.size());
    shuffle_first(std::span(unseen_), needed, rng);
    std::size_t next = 0;
    const auto fill = [&](Cards& cards, std::size_t size) {
      while (cards.size() < size && next < needed) cards.push_back(unseen_[next++]);
    };
    Cards board = board_;
    fill(board, board_cards_);
    high_.clear();
    low_.clear();
    for (const Cards& hand : hands_) {
      Cards cards = hand;
      fill(cards, own_cards_);
      cards.insert(cards.end(), board.begin(), board.end());
      high_.push_back(rules_.high->evaluate(cards) + HandValue{1});
      if (!rules_.low) continue;
      const HandValue low = rules_.low->evaluate(cards);
      low_.push_back(rules_.low->qualifies(low) ? low + 1 : 0);
    }
    const double high = share(high_);
    const bool split = !low_.empty() && *std::max_element(low_.begin(), low_.end()) > 0;
    return split ? (high + share(low_)) / 2 : high;
  }

  static double share(const std::vector<HandValue>& values) {
    const HandValue best = *std::max_element(values.begin(), values.end());
    if (values[0] != best) return 0;
    return 1.0 / static_cast<double>(std::count(values.begin(), values.end(), best));
  }

  const GameRules& rules_;
  Cards unseen_, board_;
  std::vector<Cards> hands_;  // the observer's first
  std::size_t own_cards_ = 0, board_cards_ = 0;
  std::vector<HandValue> high_, low_;
};

int draws_done(const View::Player& player) {
  return static_cast<int>(std::count_if(player.drawn.begin(), player.drawn.end(), [](int n) { return n >= 0; }));
}

double draw_share(const GameRules& rules, const View& view, const HandsAfterDraw& book, int samples,
                  RandomStream& rng) {
  const Cards hand = known_cards(view.own());
  const std::vector<Seat> opponents = opponents_of(view);
  if (draws_done(view.own()) < rules.draws) {
    const Cards unseen = unseen_cards(rules, view);
    return book.best_discard(hand, unseen, kEveryDiscard, static_cast<int>(opponents.size()), samples, rng).share;
  }
  double share = 1;
  for (const Seat seat : opponents) {
    const View::Player& player = view.player[at(seat)];
    const int done = draws_done(player);
    share *= done == 0 ? book.beats(hand) : book.beats(hand, player.drawn[at(done) - 1]);
  }
  return share;
}

}  // namespace

std::vector<CardId> unseen_cards(const GameRules& rules, const View& view) {
  std::bitset<kMaxDeckCards> seen;
  for (const CardId card : view.board) seen.set(card);
  for (const View::Player& player : view.player) {
    for (const SeenCard& card : player.cards) seen.set(card.card);
    for (const auto& discarded : player.discarded)
      for (const SeenCard& card : discarded) seen.set(card.card);
  }
  std::vector<CardId> unseen;
  for (const CardId card : rules.deck->in_play(view.taken_out))
    if (!seen[card]) unseen.push_back(card);
  return unseen;
}

double showdown_equity(const GameRules& rules, const View& view, const HandsAfterDraw* book, int samples,
                       RandomStream& rng) {
  if (book == nullptr) return Showdowns(rules, view).mean(samples, rng);
  // Transparent cards in opponents' hands are more informative than the number of cards they drew.
  const bool open = !rules.transparent.empty() && draws_done(view.own()) == rules.draws;
  return open ? Showdowns(rules, view).mean(samples, rng) : draw_share(rules, view, *book, samples, rng);
}

Action best_discard(const GameRules& rules, const View& view, LegalMask legal, const HandsAfterDraw& book, int samples,
                    RandomStream& rng) {
  const auto allowed = static_cast<std::uint32_t>(legal >> rules.first_discard());
  const auto best = book.best_discard(known_cards(view.own()), unseen_cards(rules, view), allowed,
                                      std::max(1, view.live_count() - 1), samples, rng);
  return rules.first_discard() + static_cast<Action>(best.mask);
}

ShowdownOdds::ShowdownOdds(const GameRules& rules) : rules_(rules) {
  if (rules.draws > 0) book_.emplace(rules);
}

double ShowdownOdds::equity(const View& view, int samples, RandomStream& rng) const {
  return showdown_equity(rules_, view, book_ ? &*book_ : nullptr, samples, rng);
}

double ShowdownOdds::needed(const View& view) {
  if (view.to_call == 0) return 0;
  // Chips that a short call does not match go back or to a side pot.
  const Chips matched = view.own().paid + view.to_call;
  Chips pot = view.pot;
  for (const View::Player& player : view.player) pot -= std::max(0, player.paid - matched);
  return static_cast<double>(view.to_call) / (pot + view.to_call);
}

std::vector<DiscardOdds> ShowdownOdds::discards(const View& view, int samples, RandomStream& rng) const {
  const std::vector<CardId> hand = known_cards(view.own());
  const std::vector<CardId> unseen = unseen_cards(rules_, view);
  const int opponents = std::max(1, view.live_count() - 1);
  std::vector<DiscardOdds> all;
  for (const HandsAfterDraw::Discard& discard : book_->discards(hand, unseen, kEveryDiscard, opponents, samples, rng)) {
    DiscardOdds odds{.cards = {}, .share = discard.share, .becomes = {}};
    std::vector<CardId> kept;
    for (std::size_t i = 0; i < hand.size(); ++i) {
      const bool goes = (discard.mask >> i & 1) != 0;
      if (goes) odds.cards.push_back(hand[i]);
      // As in HandsAfterDraw: if the stock is too small for the discard, its last cards are kept.
      if (!goes || odds.cards.size() > unseen.size()) kept.push_back(hand[i]);
    }
    std::sort(odds.cards.begin(), odds.cards.end(), std::greater<>());
    odds.becomes = becomes(kept, unseen, samples, rng);
    all.push_back(std::move(odds));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const DiscardOdds& a, const DiscardOdds& b) { return a.share > b.share; });
  return all;
}

std::map<int, double> ShowdownOdds::becomes(const std::vector<CardId>& kept, std::vector<CardId> unseen, int samples,
                                            RandomStream rng) const {
  const std::size_t come = at(rules_.hand_cards) - kept.size();
  const int deals = come == 0 ? 1 : samples;
  std::map<int, int> count;
  std::vector<CardId> hand = kept;
  for (int n = 0; n < deals; ++n) {
    shuffle_first(std::span(unseen), come, rng);
    hand.resize(kept.size());
    hand.insert(hand.end(), unseen.begin(), unseen.begin() + static_cast<std::ptrdiff_t>(come));
    ++count[rules_.high->category(rules_.high->evaluate(hand), static_cast<int>(hand.size()))];
  }
  std::map<int, double> often;
  for (const auto& [category, times] : count) often[category] = static_cast<double>(times) / deals;
  return often;
}

}  // namespace dealer::poker
