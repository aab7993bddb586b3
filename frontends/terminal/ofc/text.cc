#include "frontends/terminal/ofc/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "env/core/at.h"
#include "env/core/counted.h"
#include "frontends/terminal/hand_ladder.h"
#include "frontends/terminal/screen_text.h"

namespace dealer::terminal {
namespace {

constexpr std::array<ofc::Row, ofc::kRows> kAllRows = {ofc::kFront, ofc::kMiddle, ofc::kBack};

bool row_full(const ofc::Board& board, ofc::Row row) { return board.room(row) == 0; }

HandRank rank_of_row(const ofc::Board& board, ofc::Row row) { return evaluate(board.row[row]); }

// Two full rows in the wrong order are a foul, whatever follows.
bool breaks_order(const ofc::Board& board, ofc::Row row) {
  if (!row_full(board, row)) return false;
  const HandRank rank = rank_of_row(board, row);
  if (row == ofc::kMiddle && row_full(board, ofc::kFront) && rank_of_row(board, ofc::kFront) >= rank) return true;
  return row == ofc::kBack && row_full(board, ofc::kMiddle) && rank_of_row(board, ofc::kMiddle) > rank;
}

// Cards by descending rank, groups of equal rank first.
std::vector<Card> in_order(CardSet cards) {
  std::vector<Card> list;
  for_each(cards, [&](Card card) { list.push_back(card); });
  const auto same_rank = [&](Card card) { return size(cards & (CardSet{0xF} << (4 * rank_of(card)))); };
  std::sort(list.begin(), list.end(),
            [&](Card a, Card b) { return same_rank(a) != same_rank(b) ? same_rank(a) > same_rank(b) : a > b; });
  return list;
}

std::string row_note(const ofc::Board& board, ofc::Row row, const ofc::GameRules& rules, const Style& style) {
  const HandRank rank = rank_of_row(board, row);
  if (breaks_order(board, row))
    return warning(fmt::format("{}, below the {}: a foul", describe(rank), ofc::kRowNames[row - 1]), style);
  if (category(rank) == HandCategory::kHighCard) return row_full(board, row) ? dim(describe(rank), style) : "";
  std::string note = describe(rank);
  if (!row_full(board, row)) return dim(note, style);
  if (board.complete() && evaluate(board, rules.scoring).foul) return note;
  if (const int royalty = row_royalty(row, rank, rules.scoring.royalties); royalty > 0)
    note += fmt::format("  {}", signed_points(royalty, style));
  return note;
}

std::string row_text(const ofc::Board& board, ofc::Row row, const Style& style, CardSet marked) {
  std::string text = dim(fmt::format("  {:<8}", ofc::kRowNames[row]), style);
  for (const Card card : in_order(board.row[row])) text += card_slot(card, style, (marked & bit(card)) != 0);
  for (int i = 0; i < board.room(row); ++i) text += empty_slot(style);
  const int missing = ofc::kRowSize[ofc::kBack] - ofc::kRowSize[row];
  text.append(static_cast<std::size_t>(missing) * static_cast<std::size_t>(slot_width(style)), ' ');
  return text;
}

// A seat at the end of a hand.
struct Finished {
  Seat seat = 0;
  ofc::Board board;
  ofc::BoardValue value;
  bool fantasyland = false;
};

// From the observer leftwards. A seat that was out before the hand has no board.
std::vector<Finished> finished(const ofc::View& end, const ofc::GameRules& rules) {
  std::vector<Finished> all;
  for (int rel = 0; rel < end.players; ++rel) {
    const ofc::Board& board = end.board[rel];
    if (!board.complete()) continue;
    all.push_back({(end.me + rel) % end.players, board, evaluate(board, rules.scoring),
                   end.fantasyland[static_cast<std::size_t>(rel)] != 0});
  }
  return all;
}

std::string headline(const Finished& hand, const ofc::GameRules& rules, const Seats& seats, const Style& style) {
  std::string line = bold(seats.name(hand.seat), style);
  if (hand.fantasyland) line += ", in Fantasyland";
  line += hand.value.foul ? ": " + warning("foul", style) : fmt::format(": royalties {}", hand.value.total());
  const int cards = hand.fantasyland ? hand.value.stays : hand.value.fantasyland;
  if (cards != 0 && rules.episode != ofc::Episode::kHand) {
    line += hand.fantasyland ? ", stays in Fantasyland" : ", goes to Fantasyland";
    if (rules.scoring.bonus.progressive()) line += fmt::format(" with {} cards", cards);
  }
  return line + '\n';
}

std::string settlement(const Finished& me, const Finished& other, const ofc::PairScore& score, const Seats& seats,
                       const Style& style) {
  std::string line = fmt::format("{} against {}: ", seats.name(me.seat), seats.name(other.seat));
  for (const ofc::Row row : kAllRows)
    line += fmt::format("{} {}, ", ofc::kRowNames[row], signed_points(score.rows[row], style));
  if (score.scoop != 0) line += fmt::format("scoop {}, ", signed_points(score.scoop, style));
  return line + fmt::format("royalties {}; {}\n", signed_points(score.royalties, style),
                            bold(fmt::format("together {}", signed_points(score.total(), {})), style));
}

std::string fantasyland_text(const ofc::GameRules& rules) {
  if (rules.episode == ofc::Episode::kHand) return "Every hand stands alone: there is no Fantasyland.\n";
  const ofc::Bonus& bonus = rules.scoring.bonus;
  const char entry = kRankLetters[at(bonus.entry_pair_rank)], trips = kRankLetters[at(bonus.stay_trips_rank)];
  std::string text = fmt::format(
      "Fantasyland: with {0}{0} or better in front and no foul you get {1} cards at once on the next hand, and "
      "set them unseen. You stay with {2}{2}{2} or better in front or {3} or better in the back.\n",
      entry, bonus.fantasyland_cards[ofc::kAfterPair], trips, to_string(bonus.stay_back));
  if (bonus.progressive())
    text += fmt::format("KK in front gives {} cards, AA {}, trips {}; a player who stays gets {}.\n",
                        bonus.fantasyland_cards[ofc::kAfterKings], bonus.fantasyland_cards[ofc::kAfterAces],
                        bonus.fantasyland_cards[ofc::kAfterTrips], bonus.fantasyland_cards[ofc::kAfterStay]);
  return text;
}

std::string match_text(const ofc::GameRules& rules) {
  if (rules.episode != ofc::Episode::kMatch) return {};
  std::string text = fmt::format(
      "\nMatch: every player begins with {} points, loses no more than that, and is out without points. It ends when "
      "{}",
      rules.start_points, rules.first_out_ends ? "a player is out" : "one player is left");
  if (rules.match_hands > 0) text += fmt::format(", or after {}", counted(rules.match_hands, "hand"));
  text += ".\n";
  if (rules.multiplier_every > 0)
    text += fmt::format("After {} points count double, after as many again threefold, and so on.\n",
                        counted(rules.multiplier_every, "hand"));
  return text;
}

}  // namespace

std::string board_text(const ofc::Board& board, const ofc::GameRules& rules, const Style& style, CardSet marked) {
  std::string text;
  for (const ofc::Row row : kAllRows)
    text += as_line(row_text(board, row, style, marked) + row_note(board, row, rules, style));
  return text;
}

std::string hand_text(const ofc::View& end, std::span<const std::int64_t> points, const ofc::GameRules& rules,
                      const Seats& seats, const Style& style) {
  std::vector<Finished> all = finished(end, rules);
  const bool played = !all.empty() && all.front().seat == seats.me;
  if (played) std::rotate(all.begin(), all.begin() + 1, all.end());
  std::string text;
  for (const Finished& hand : all)
    text += headline(hand, rules, seats, style) + board_text(hand.board, rules, style) + '\n';
  if (!played) return text;
  int scored = 0;
  for (std::size_t other = 0; other + 1 < all.size(); ++other) {
    const ofc::PairScore score = pair_score(all.back().value, all[other].value, rules.scoring.bonus);
    text += wrap_list(settlement(all.back(), all[other], score, seats, style), style.width);
    scored += score.total();
  }
  // In a match points may be multiplied, and players lose at most what they have.
  const std::int64_t paid = points[static_cast<std::size_t>(seats.me)];
  if (scored == paid) return text;
  return text + fmt::format("paid to {}: {}\n", seats.name(seats.me), signed_points(static_cast<double>(paid), style));
}

std::string rules_text(const ofc::GameRules& rules) {
  const ofc::Bonus& bonus = rules.scoring.bonus;
  const ofc::Royalties& royalties = rules.scoring.royalties;
  std::string text = fmt::format(
      "Build three rows: front (3 cards), middle (5) and back (5). The back must be at least as strong as the middle, "
      "the middle stronger than the front; otherwise the board is a foul and loses every row and all royalties.\nYou "
      "get five cards, then four times three cards, of which you discard one face down. Placed cards never "
      "move.\nEvery row won from an opponent is worth {}, all three {} more; royalties come on top.\n\nroyalties",
      bonus.row_point, bonus.scoop);
  text += fmt::format("{:>13}{:>8}\n", "back", "middle");
  for (std::size_t i = static_cast<std::size_t>(HandCategory::kTrips); i < royalties.back.size(); ++i)
    text += fmt::format("  {:<16}{:>4}{:>8}\n", to_string(static_cast<HandCategory>(i)), royalties.back[i],
                        royalties.middle[i]);
  text += fmt::format("\n{:<18}{:>4}{:>8}\n", "in front", "pair", "trips");
  for (std::size_t rank = 0; rank < kRanks; ++rank)
    text += fmt::format("  {0}{0}, {0}{0}{0}{1:>13}{2:>8}\n", kRankLetters[rank], royalties.front_pair[rank],
                        royalties.front_trips[rank]);
  return text + '\n' + fantasyland_text(rules) + match_text(rules) + '\n' + standard_hand_ladder();
}

}  // namespace dealer::terminal
