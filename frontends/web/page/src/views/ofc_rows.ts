import {faceOf} from '../cards/deck';

/**
 * Strength of rows of open-face poker, for names and warnings on the board: three or five cards of the standard deck.
 * The first number is the category, the ranks behind it decide among equals.
 */
export type Strength = number[];

export const rowNames = ['front', 'middle', 'back'] as const;
export type RowName = (typeof rowNames)[number];
export const rowSizes: Record<RowName, number> = {front: 3, middle: 5, back: 5};

const order = '23456789TJQKA';
const categories = [
  'high card', 'one pair', 'two pair', 'three of a kind', 'straight', 'flush', 'full house', 'four of a kind',
  'straight flush', 'royal flush',
];
const words = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'jack', 'queen', 'king', 'ace'];
const plural = (rank: number): string => words[rank] + (rank === 4 ? 'es' : 's');

function ranksOf(cards: readonly string[]): number[] {
  return cards.map(card => {
    const face = faceOf(card);
    return face.kind === 'pip' ? order.indexOf(face.rank) : -1;
  });
}

/** The highest card of a straight, or -1. */
function straight(ranks: readonly number[]): number {
  const sorted = [...new Set(ranks)].sort((a, b) => b - a);
  if (sorted.length !== 5) return -1;
  if (sorted[0]! - sorted[4]! === 4) return sorted[0]!;
  return sorted.join() === '12,3,2,1,0' ? 3 : -1;
}

export function strength(cards: readonly string[]): Strength {
  const ranks = ranksOf(cards);
  const counts = new Map<number, number>();
  for (const rank of ranks) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  const groups = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  const sizes = groups.map(group => group[1]).join('');
  const flush = cards.length === 5 && new Set(cards.map(card => card[1])).size === 1;
  const high = cards.length === 5 ? straight(ranks) : -1;
  const category =
    flush && high === 12 ? 9
    : flush && high >= 0 ? 8
    : sizes.startsWith('4') ? 7
    : sizes === '32' ? 6
    : flush ? 5
    : high >= 0 ? 4
    : sizes.startsWith('3') ? 3
    : sizes.startsWith('22') ? 2
    : sizes.startsWith('2') ? 1
    : 0;
  if (category === 4 || category >= 8) return [category, high];
  return [category, ...groups.map(group => group[0])];
}

/** Above 0 where `a` is stronger; with all compared ranks equal the row with more cards is. */
export function compare(a: Strength, b: Strength): number {
  for (let i = 0; i < Math.max(a.length, b.length); ++i) {
    const difference = (a[i] ?? -1) - (b[i] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** As the program names hands: "one pair, threes". */
export function rowHand(cards: readonly string[]): string {
  if (cards.length === 0) return '';
  const [category = 0, first = 0, second = 0] = strength(cards);
  switch (category) {
    case 0:
      return `${words[first]} high`;
    case 1:
    case 3:
    case 7:
      return `${categories[category]}, ${plural(first)}`;
    case 2:
      return `two pair, ${plural(first)} and ${plural(second)}`;
    case 6:
      return `full house, ${plural(first)} over ${plural(second)}`;
    case 9:
      return 'royal flush';
    default:
      return `${categories[category]}, ${words[first]} high`;
  }
}

export type Rows = Record<RowName, string[]>;

/** Complete rows that are in the wrong order: nothing can mend it any more. */
export function isFoul(rows: Rows): boolean {
  const full = (row: RowName): boolean => rows[row].length === rowSizes[row];
  const below = (a: RowName, b: RowName, equal: boolean): boolean => {
    const difference = compare(strength(rows[b]), strength(rows[a]));
    return equal ? difference >= 0 : difference > 0;
  };
  return (full('front') && full('middle') && !below('front', 'middle', false)) ||
    (full('middle') && full('back') && !below('middle', 'back', true)) ||
    (full('front') && full('back') && !below('front', 'back', false));
}
