/** The meaning of a card's text: `As`, `Tw` (transparent), `t13` (a trump), `X1` (a joker), or the name of an own card. */
export type Face =
  | {kind: 'pip'; rank: string; suit: Suit}
  | {kind: 'trump'; number: number}
  | {kind: 'joker'; number: number}
  | {kind: 'named'; name: string};

export type Suit = 's' | 'h' | 'd' | 'c' | 'w';

export const ranksLowToHigh = '23456789TJCQKA';

export function faceOf(card: string): Face {
  const pip = /^([2-9TJQKAC])([shdcw])$/.exec(card);
  if (pip) return {kind: 'pip', rank: pip[1]!, suit: pip[2] as Suit};
  const trump = /^t(\d{1,2})$/.exec(card);
  if (trump) return {kind: 'trump', number: Number(trump[1])};
  const joker = /^X([12])$/.exec(card);
  if (joker) return {kind: 'joker', number: Number(joker[1])};
  return {kind: 'named', name: card};
}

/** As printed: `10` for the ten. */
export const rankText = (rank: string): string => (rank === 'T' ? '10' : rank);

export const isTransparent = (card: string): boolean => /^[2-9TJQKAC]w$/.test(card);

// Numbers stay as printed: what is read aloud has what is seen in it.
const english: Record<string, string> = {A: 'ace', K: 'king', Q: 'queen', C: 'knight', J: 'jack'};
const suitNames: Record<Suit, readonly [string, string]> = {
  s: ['spades', 'スペード'], h: ['hearts', 'ハート'], d: ['diamonds', 'ダイヤ'], c: ['clubs', 'クラブ'], w: ['glass', '透明'],
};

/** The text for a screen reader. `language`: 0 English, 1 Japanese. */
export function spokenCard(card: string, language: 0 | 1): string {
  const face = faceOf(card);
  switch (face.kind) {
    case 'pip':
      return language ? `${suitNames[face.suit][1]}の${rankText(face.rank)}` : `${english[face.rank] ?? rankText(face.rank)} of ${suitNames[face.suit][0]}`;
    case 'trump':
      return language ? `切り札${face.number}` : `trump ${face.number}`;
    case 'joker':
      return language ? `ジョーカー${face.number}` : `joker ${face.number}`;
    case 'named':
      return face.name;
  }
}

const suitSigns: Record<Suit, string> = {s: '♠', h: '♥', d: '♦', c: '♣', w: '◈'};

/** Short, for logs: `A♠`. */
export function cardSign(card: string): string {
  const face = faceOf(card);
  switch (face.kind) {
    case 'pip':
      return rankText(face.rank) + suitSigns[face.suit];
    case 'trump':
      return `T${face.number}`;
    case 'joker':
      return `★${face.number}`;
    case 'named':
      return face.name;
  }
}

export const cardSigns = (cards: readonly string[]): string => cards.map(cardSign).join(' ');

const suitOrder = 'cdhsw';

/** Higher cards first; trumps before pips, jokers before all. */
function weight(card: string): number {
  const face = faceOf(card);
  switch (face.kind) {
    case 'joker':
      return 9000 + face.number;
    case 'trump':
      return 5000 + face.number;
    case 'named':
      return 4000;
    case 'pip':
      return ranksLowToHigh.indexOf(face.rank) * 10 + suitOrder.indexOf(face.suit);
  }
}

export const byRank = (cards: readonly string[]): string[] => [...cards].sort((a, b) => weight(b) - weight(a));

export function bySuit(cards: readonly string[]): string[] {
  const suit = (card: string): number => {
    const face = faceOf(card);
    return face.kind === 'pip' ? 's h d c w'.indexOf(face.suit) : -1;
  };
  return [...cards].sort((a, b) => suit(a) - suit(b) || weight(b) - weight(a));
}

/** The number of a card of the standard deck, 4 × rank + suit: the order in which turns are told card by card. */
export function cardNumber(card: string): number {
  const face = faceOf(card);
  return face.kind === 'pip' ? '23456789TJQKA'.indexOf(face.rank) * 4 + 'shdc'.indexOf(face.suit) : -1;
}
