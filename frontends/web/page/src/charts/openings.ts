import {cardNumber} from '../cards';
import type {Rows} from '../views/ofc_rows';

/** The server's advice on five cards. */
export interface Opening {
  best: Rows;
  value: number;
  second?: Rows | null;
  second_value?: number | null;
  foul: number;
  fantasyland: number;
}

export const openingCards = 5;

/** The different cards of the standard deck in a text, in order: "As Kd, Qd7c" has four. */
export function cardsIn(text: string): string[] {
  const found = text.match(/[2-9TJQKA][shdc]/g) ?? [];
  return [...new Set(found)].filter(card => cardNumber(card) >= 0);
}

/** Five cards at random. */
export function randomOpening(random: () => number = Math.random): string[] {
  const deck = [...'23456789TJQKA'].flatMap(rank => [...'shdc'].map(suit => rank + suit));
  for (let i = 0; i < openingCards; ++i) {
    const other = i + Math.floor(random() * (deck.length - i));
    [deck[i], deck[other]] = [deck[other]!, deck[i]!];
  }
  return deck.slice(0, openingCards);
}
