#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "arena/studies/poker/draw_hand.h"
#include "env/cards/card.h"

namespace dealer::studies::draw {

using poker::Five;

// Which hands are good: the two that this study knows the kinds of.
enum class Side : std::uint8_t { kHigh, kLow };

// What results.json calls something, and what people do.
struct Words {
  std::string_view name, title;
};

// At most so many of each.
inline constexpr int kMostKinds = 14, kMostOpeners = 24, kMostKept = 14;

// Hands of five before a draw, by what may be thrown of them: high by pairs and draws, low by how many cards up to
// an eight there are without pairs, and how high they go.
std::span<const Words> kinds(Side side);
int kind_of(Side side, const Five& hand);

// The same hands for the betting before the draw: more of them where it matters who opens.
std::span<const Words> openers(Side side);
int opener_of(Side side, const Five& hand);

// What is kept of a hand.
std::span<const Words> kept(Side side);
int kept_of(Side side, std::span<const CardId> cards);

// Hands that stand pat: made ones (high: a straight or better; low: a nine or better), thin ones (high: two pair or
// trips; low: a ten or a jack), and bluffs, which are anything weaker.
enum PatClass : int { kMade, kThin, kBluff, kPatClasses };
std::span<const Words> pat_classes(Side side);
PatClass pat_class(Side side, const Five& hand);

}  // namespace dealer::studies::draw
