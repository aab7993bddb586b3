#include "env/games/small/tree.h"

#include <algorithm>

namespace dealer::small {
namespace {

enum class Phase : std::uint8_t { kHand0, kHand1, kBetting, kBoard, kDraw0, kDraw1, kEnd };

std::vector<Phase> phases_of(const Options& options) {
  switch (options.variant) {
    case Variant::kKuhn:
      return {Phase::kHand0, Phase::kHand1, Phase::kBetting, Phase::kEnd};
    case Variant::kLeduc:
      return {Phase::kHand0, Phase::kHand1, Phase::kBetting, Phase::kBoard, Phase::kBetting, Phase::kEnd};
    case Variant::kDraw:
      break;
  }
  if (options.rounds == 1)
    return {Phase::kHand0, Phase::kHand1, Phase::kDraw0, Phase::kDraw1, Phase::kBetting, Phase::kEnd};
  return {Phase::kHand0, Phase::kHand1, Phase::kBetting, Phase::kDraw0, Phase::kDraw1, Phase::kBetting, Phase::kEnd};
}

std::string bytes_of(std::span<const float> history) {
  return {reinterpret_cast<const char*>(history.data()), history.size() * sizeof(float)};
}

}  // namespace

std::string_view move_name(const Node& from, Action move) {
  const bool to_call = from.turn >= 0 && from.paid[0] != from.paid[1];
  switch (move) {
    case kFold:
      return "fold";
    case kCall:
      return to_call ? "call" : "check";
    case kRaise:
      return to_call ? "raise" : "bet";
    case kKeep:
      return "keep";
    case kDiscard:
      return "discard";
    default:
      return "nothing";
  }
}

struct Tree::Position {
  std::size_t phase = 0;
  int round = 0, slot = 0, raises = 0;  // of the betting round; moves made in it, bets and raises among them
  Seat turn = 0;
  std::vector<int> moves;  // entries of Parts::betting that are 1
  Node public_part;        // paid, board, discarded, drawn
};

class Tree::Builder {
 public:
  Builder(const Options& options, Tree& tree)
      : options_(options), parts_(options), phases_(phases_of(options)), tree_(tree) {}

  void build() {
    Position start;
    start.public_part.paid.fill(options_.ante);
    phase(start, 0, 0);
    skip_board();
  }

 private:
  // Each returns the index of the node it makes.
  std::uint16_t phase(const Position& at, std::uint16_t parent, Action move) {
    switch (phases_[at.phase]) {
      case Phase::kHand0:
      case Phase::kHand1:
        return chance(at, parent, move, Kind::kDealHand, phases_[at.phase] == Phase::kHand0 ? 0 : 1, next_phase(at));
      case Phase::kBoard: {
        Position next = next_phase(at);
        next.public_part.board = true;
        return chance(at, parent, move, Kind::kDealBoard, 0, next);
      }
      case Phase::kBetting:
        return betting(at, parent, move);
      case Phase::kDraw0:
      case Phase::kDraw1: {
        Decided made{};
        return drawing(at, parent, move, phases_[at.phase] == Phase::kDraw0 ? 0 : 1, 0, made);
      }
      case Phase::kEnd:
        break;
    }
    return add(at, parent, move, Kind::kShowdown, kTerminal, 0);
  }

  static Position next_phase(Position at) {
    ++at.phase;
    at.slot = at.raises = 0;
    at.turn = 0;
    return at;
  }

  std::uint16_t chance(const Position& at, std::uint16_t parent, Action move, Kind kind, Seat seat,
                       const Position& next) {
    const std::uint16_t index = add(at, parent, move, kind, kChance, seat);
    return link(index, 0, phase(next, index, 0));
  }

  std::uint16_t betting(const Position& at, std::uint16_t parent, Action move) {
    const auto me = static_cast<std::size_t>(at.turn), other = 1 - me;
    const std::uint16_t index = add(at, parent, move, Kind::kBet, at.turn, at.turn);
    const std::int32_t highest = at.public_part.paid[other];
    const bool to_call = highest > at.public_part.paid[me];
    const auto after = [&](Action action) {
      Position next = at;
      next.moves.push_back((at.round * parts_.moves + at.slot) * kBettingMoves + action);
      ++next.slot;
      next.turn = 1 - at.turn;
      return next;
    };
    if (to_call) link(index, kFold, add(after(kFold), index, kFold, Kind::kFold, kTerminal, at.turn));
    Position called = after(kCall);
    called.public_part.paid[me] = highest;
    if (to_call || at.slot > 0) {
      called = next_phase(called);
      ++called.round;
    }
    link(index, kCall, phase(called, index, kCall));
    if (at.raises < options_.raises) {
      Position raised = after(kRaise);
      raised.public_part.paid[me] = highest + options_.bet[static_cast<std::size_t>(at.round)];
      ++raised.raises;
      link(index, kRaise, phase(raised, index, kRaise));
    }
    return index;
  }

  // Nodes made so far, by the cards decided upon and discarded: most are reached in several ways. 0: none, since the
  // first node is not a draw.
  using Decided = std::array<std::array<std::uint16_t, kMaxHand + 1>, kMaxHand + 1>;

  std::uint16_t drawing(Position at, std::uint16_t parent, Action move, Seat seat, int step, Decided& made) {
    const auto s = static_cast<std::size_t>(seat);
    const std::uint8_t discarded = at.public_part.discarded[s];
    std::uint16_t& known = made[static_cast<std::size_t>(step)][discarded];
    if (known != 0) return known;
    if (step == options_.hand) {
      Position next = next_phase(at);
      next.public_part.drawn[s] = true;
      return known = discarded == 0 ? phase(next, parent, move) : chance(at, parent, move, Kind::kDealDraw, seat, next);
    }
    const std::uint16_t index = known = add(at, parent, move, Kind::kDraw, seat, seat);
    tree_.nodes_[index].step = static_cast<std::uint8_t>(step);
    link(index, kKeep, drawing(at, index, kKeep, seat, step + 1, made));
    ++at.public_part.discarded[s];
    link(index, kDiscard, drawing(at, index, kDiscard, seat, step + 1, made));
    return index;
  }

  std::uint16_t link(std::uint16_t from, Action move, std::uint16_t to) {
    Node& node = tree_.nodes_[from];
    node.next[0][static_cast<std::size_t>(move)] = node.next[1][static_cast<std::size_t>(move)] = to;
    if (node.turn >= 0) node.legal = static_cast<std::uint8_t>(node.legal | 1U << move);
    return from;
  }

  std::uint16_t add(const Position& at, std::uint16_t parent, Action move, Kind kind, Seat turn, Seat seat) {
    Node node = at.public_part;
    node.parent = parent;
    node.move = static_cast<std::uint8_t>(move);
    node.kind = kind;
    node.turn = static_cast<std::int8_t>(turn);
    node.seat = static_cast<std::uint8_t>(seat);
    node.round = static_cast<std::uint8_t>(at.round);
    if (kind == Kind::kFold) node.gain = seat == 0 ? -node.paid[0] : node.paid[1];
    if (kind == Kind::kShowdown) node.stake = node.paid[0];  // equal to the other's
    const auto index = static_cast<std::uint16_t>(tree_.nodes_.size());
    tree_.nodes_.push_back(node);
    for (Seat observer = 0; observer < kSeats; ++observer) add_row(at, node, observer);
    return index;
  }

  void add_row(const Position& at, const Node& node, Seat observer) {
    std::vector<float> row(static_cast<std::size_t>(parts_.size));
    const auto set = [&](int place, float value) { row[static_cast<std::size_t>(place)] = value; };
    for (const int move : at.moves) set(parts_.betting + move, 1);
    const int most = options_.most_chips();
    for (int relative = 0; relative < kSeats; ++relative) {
      const auto owner = static_cast<std::size_t>((observer + relative) % kSeats);
      if (node.drawn[owner]) set(parts_.draws + relative * (options_.hand + 1) + node.discarded[owner], 1);
      set(parts_.paid + relative, static_cast<float>(node.paid[owner]) / static_cast<float>(most));
      if (node.turn == static_cast<Seat>(owner)) set(parts_.turn + relative, 1);
    }
    set(parts_.seat + observer, 1);
    tree_.rows_.insert(tree_.rows_.end(), row.begin(), row.end());
  }

  void skip_board() {
    for (Node& node : tree_.nodes_) {
      if (node.turn < 0) continue;
      for (std::uint16_t& next : node.next[0])
        if (tree_.nodes_[next].kind == Kind::kDealBoard) next = tree_.nodes_[next].next[0][0];
    }
  }

  const Options& options_;
  const Parts parts_;
  const std::vector<Phase> phases_;
  Tree& tree_;
};

Tree::Tree(const Options& options)
    : width_(static_cast<std::size_t>(Parts(options).size)),
      history_(static_cast<std::size_t>(Parts(options).history)) {
  Builder(options, *this).build();
  first_decision_ = nodes_[nodes_[0].next[0][0]].next[0][0];
  for (std::size_t index = 0; index < nodes_.size(); ++index) {
    if (nodes_[index].turn == kChance) continue;
    for (Seat seat = 0; seat < kSeats; ++seat)
      by_history_[static_cast<std::size_t>(seat)][bytes_of({row(index, seat) + history_, width_ - history_})].push_back(
          static_cast<std::uint16_t>(index));
  }
}

std::span<const std::uint16_t> Tree::find(Seat seat, std::span<const float> history) const {
  const auto& rows = by_history_[static_cast<std::size_t>(seat)];
  const auto found = rows.find(bytes_of(history));
  return found == rows.end() ? std::span<const std::uint16_t>() : std::span(found->second);
}

}  // namespace dealer::small
