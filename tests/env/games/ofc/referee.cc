#include "tests/env/games/ofc/referee.h"

#include <algorithm>
#include <stdexcept>

namespace dealer::test {
namespace {

const std::string kRanks = "23456789TJQKA";
const std::vector<std::string> kRowNames = {"front", "middle", "back"};

int rank(const std::string& card) { return static_cast<int>(kRanks.find(card[0])) + 2; }

bool before(const std::string& a, const std::string& b) {
  const std::string suits = "shdc";
  return std::pair(rank(a), suits.find(a[1])) < std::pair(rank(b), suits.find(b[1]));
}

std::size_t capacity(const std::string& row) { return row == "front" ? 3 : 5; }

int royalty(const std::string& row, const std::vector<int>& hand) {
  const std::vector<int> back = {0, 0, 0, 0, 2, 4, 6, 10, 15, 25}, middle = {0, 0, 0, 2, 4, 8, 12, 20, 30, 50};
  if (row == "back") return back[static_cast<std::size_t>(hand[0])];
  if (row == "middle") return middle[static_cast<std::size_t>(hand[0])];
  if (hand[0] == 3) return 8 + hand[1];
  return hand[0] == 1 ? std::max(0, hand[1] - 5) : 0;
}

// Rows won less rows lost: a foul loses all three.
int rows_between(const Verdict& a, const Verdict& b) {
  if (a.foul || b.foul) return 3 * (static_cast<int>(b.foul) - static_cast<int>(a.foul));
  int rows = 0;
  for (const auto& name : kRowNames) {
    if (a.hand.at(name) > b.hand.at(name)) ++rows;
    if (a.hand.at(name) < b.hand.at(name)) --rows;
  }
  return rows;
}

}  // namespace

std::vector<int> strength(const std::vector<std::string>& cards) {
  std::map<int, int> count;
  for (const auto& card : cards) ++count[rank(card)];
  std::vector<std::pair<int, int>> groups;
  for (const auto& [r, n] : count) groups.emplace_back(n, r);
  std::sort(groups.rbegin(), groups.rend());
  std::vector<int> result = {0};
  for (const auto& [n, r] : groups) result.push_back(r);
  const int first = groups[0].first, second = groups.size() > 1 ? groups[1].first : 0;
  bool flush = cards.size() == 5;
  for (const auto& card : cards) flush = flush && card[1] == cards[0][1];
  const bool wheel = result == std::vector<int>{0, 14, 5, 4, 3, 2};
  const bool straight = cards.size() == 5 && groups.size() == 5 && (wheel || result[1] - result[5] == 4);
  if (straight) result = {0, wheel ? 5 : result[1]};
  result[0] = straight && flush ? (result[1] == 14 ? 9 : 8)
              : first == 4      ? 7
              : first == 3      ? (second == 2 ? 6 : 3)
              : flush           ? 5
              : straight        ? 4
              : first == 2      ? (second == 2 ? 2 : 1)
                                : 0;
  return result;
}

Verdict judge(const Referee::Rows& rows) {
  Verdict verdict;
  for (const auto& name : kRowNames) {
    if (rows.at(name).size() != capacity(name)) throw std::logic_error("the hand ended before the board was full");
    verdict.hand[name] = strength(rows.at(name));
  }
  verdict.foul = verdict.hand["front"] >= verdict.hand["middle"] || verdict.hand["middle"] > verdict.hand["back"];
  for (const auto& name : kRowNames) verdict.royalty[name] = verdict.foul ? 0 : royalty(name, verdict.hand[name]);
  if (verdict.foul) return verdict;
  const auto& front = verdict.hand["front"];
  verdict.enters = front[0] == 3 || (front[0] == 1 && front[1] >= 12);
  verdict.stays = front[0] == 3 || verdict.hand["back"][0] >= 7;
  return verdict;
}

int compare(const Verdict& a, const Verdict& b) {
  const int rows = rows_between(a, b), scoop = rows / 3 * 3;
  return rows + scoop + a.royalties() - b.royalties();
}

Referee::Referee(const ofc::GameRules& options, int dealer, const std::vector<int>& fantasyland)
    : options_(options), count_(options.players), dealer_(dealer), players_(at(options.players)) {
  for (int seat = 0; seat < count_; ++seat) players_[at(seat)].fantasyland = fantasyland[at(seat)];
  begin_hand();
}

void Referee::begin_hand() {
  dealt_.clear();
  for (Player& player : players_) {
    player.rows = player.shown = {{"front", {}}, {"middle", {}}, {"back", {}}};
    player.discards.clear();
  }
  for (int street = 0; street < 5; ++street)
    for (int i = 1; i <= count_; ++i) {
      const int seat = (dealer_ + i) % count_;
      if (players_[at(seat)].out) continue;
      const int fantasyland = players_[at(seat)].fantasyland;
      if (fantasyland > 0 && street == 0) turns_.push_back({seat, 0, fantasyland, fantasyland - 13});
      if (fantasyland == 0) turns_.push_back({seat, street, street == 0 ? 5 : 3, street == 0 ? 0 : 1});
    }
}

void Referee::deal(Cards cards) {
  if (static_cast<int>(cards.size()) != turns_.front().cards)
    throw std::logic_error("a wrong number of cards was dealt");
  for (const auto& card : cards)
    if (!dealt_.insert(card).second) throw std::logic_error(card + " was dealt twice");
  std::sort(cards.begin(), cards.end(), before);
  hand_ = std::move(cards);
}

std::vector<std::string> Referee::allowed() const {
  const Turn& turn = turns_.front();
  std::vector<std::string> places;
  for (const auto& name : kRowNames)
    if (static_cast<int>(hand_.size()) > turn.discards && players_[at(turn.seat)].rows.at(name).size() < capacity(name))
      places.push_back(name);
  if (turn.discards > 0) places.emplace_back("discard");
  return places;
}

void Referee::put(const std::string& place) {
  Turn& turn = turns_.front();
  Player& player = players_[at(turn.seat)];
  if (place == "discard") {
    player.discards.push_back(hand_.front());
    --turn.discards;
  } else {
    player.rows[place].push_back(hand_.front());
  }
  hand_.erase(hand_.begin());
}

void Referee::move(const std::string& place) {
  put(place);
  while (!hand_.empty() && allowed().size() == 1) put(allowed().front());
  if (!hand_.empty()) return;
  Player& player = players_[at(turns_.front().seat)];
  if (player.fantasyland == 0) player.shown = player.rows;
  turns_.erase(turns_.begin());
  if (turns_.empty()) end_hand();
}

bool Referee::has_set(int seat) const {
  return std::none_of(turns_.begin(), turns_.end(), [&](const Turn& turn) { return turn.seat == seat; });
}

Referee::Rows Referee::seen(int owner, int observer) const {
  if (over_ || owner == observer) return players_[at(owner)].rows;
  if (players_[at(observer)].fantasyland > 0 && !has_set(observer))
    return {{"front", {}}, {"middle", {}}, {"back", {}}};
  return players_[at(owner)].shown;
}

// Progressive Fantasyland: more cards after kings, aces and trips in front.
int Referee::cards_after(const Verdict& verdict, bool in_fantasyland) const {
  const auto& numbers = options_.scoring.bonus.fantasyland_cards;
  if (in_fantasyland) return verdict.stays ? numbers.at(4) : 0;
  if (!verdict.enters) return 0;
  const auto& front = verdict.hand.at("front");
  if (front[0] == 3) return numbers.at(3);
  return front[1] == 14 ? numbers.at(2) : front[1] == 13 ? numbers.at(1) : numbers.at(0);
}

void Referee::end_hand() {
  last.assign(players_.size(), {});
  std::vector<int> net(players_.size(), 0);
  for (int seat = 0; seat < count_; ++seat) {
    const Player& player = players_[at(seat)];
    Result& result = last[at(seat)];
    result.played = !player.out;
    result.fantasyland = player.fantasyland;
    result.won = -player.won;
    if (player.out) continue;
    const Verdict& v = result.verdict = judge(player.rows);
    fouls += v.foul ? 1 : 0;
    const bool in_fantasyland = player.fantasyland > 0;
    result.next = cards_after(v, in_fantasyland);
    (in_fantasyland ? fantasyland_boards : normal_boards) += 1;
    entries += !in_fantasyland && v.enters ? 1 : 0;
    stays += in_fantasyland && v.stays ? 1 : 0;
  }
  int factor = 1;
  if (options_.episode == ofc::Episode::kMatch && options_.multiplier_every > 0)
    factor += hands_ / options_.multiplier_every;
  for (Result& a : last)
    for (const Result& b : last) {
      if (&a == &b || !a.played || !b.played) continue;
      net[static_cast<std::size_t>(&a - last.data())] += factor * compare(a.verdict, b.verdict);
      a.scoops += rows_between(a.verdict, b.verdict) / 3;
    }
  ++hands_;
  pay(net);
  bool any_next = false;
  int in = 0;
  for (int seat = 0; seat < count_; ++seat) {
    const Player& player = players_[at(seat)];
    last[at(seat)].won += player.won;
    any_next = any_next || (!player.out && last[at(seat)].next > 0);
    in += player.out ? 0 : 1;
  }
  if (options_.episode == ofc::Episode::kHand) over_ = true;
  if (options_.episode == ofc::Episode::kChain) over_ = !any_next;
  if (options_.episode == ofc::Episode::kMatch)
    over_ = in == 1 || (options_.first_out_ends && in < count_) ||
            (options_.match_hands > 0 && hands_ == options_.match_hands);
  if (over_) return;
  for (int seat = 0; seat < count_; ++seat)
    players_[at(seat)].fantasyland = players_[at(seat)].out ? 0 : last[at(seat)].next;
  if (!any_next || players_[at(dealer_)].out) do
      dealer_ = (dealer_ + 1) % count_;
    while (players_[at(dealer_)].out);
  begin_hand();
}

void Referee::pay(std::vector<int> net) {
  if (options_.episode != ofc::Episode::kMatch) {
    for (int seat = 0; seat < count_; ++seat) players_[at(seat)].won += net[at(seat)];
    return;
  }
  int pot = 0;
  for (int seat = 0; seat < count_; ++seat) {
    const int has = options_.start_points + players_[at(seat)].won;
    if (net[at(seat)] >= 0) continue;
    const int pays = std::min(has, -net[at(seat)]);
    players_[at(seat)].won -= pays;
    pot += pays;
  }
  for (int i = 1; i <= count_; ++i) {
    const int seat = (dealer_ + i) % count_;
    if (net[at(seat)] <= 0) continue;
    const int gets = std::min(pot, net[at(seat)]);
    players_[at(seat)].won += gets;
    pot -= gets;
  }
  for (Player& player : players_) player.out = options_.start_points + player.won == 0;
}

}  // namespace dealer::test
