import type {Legal} from '../core/protocol';
import {Store} from '../core/store';
import type {Plan} from '../core/table_client';
import {indexAnswer, sameCards} from './view';

/** The cards that the player has chosen to throw away or to lay, until the request is answered. */
export const chosen = new Store<{request: number; cards: string[]}>({request: -1, cards: []});

export const chosenOf = (request: number | undefined): string[] => {
  const {request: of, cards} = chosen.get();
  return of === request ? cards : [];
};

export function toggle(request: number, card: string, most = 99): void {
  const cards = chosenOf(request);
  if (cards.includes(card)) chosen.set({request, cards: cards.filter(other => other !== card)});
  else if (cards.length < most) chosen.set({request, cards: [...cards, card]});
}

export const isDraw = (legal: readonly Legal[]): boolean =>
  legal.length > 0 && legal.every(choice => choice.kind === 'discard' || choice.kind === 'keep');

/** Throws these cards: at once, or card by card where the game asks so. */
export function discardPlan(cards: readonly string[]): Plan {
  return legal => {
    if (!isDraw(legal)) return null;
    const keep = legal.find(choice => choice.kind === 'keep');
    if (!keep) return indexAnswer(legal.find(choice => sameCards(choice.cards ?? [], cards)));
    const away = legal.find(choice => choice.kind === 'discard');
    const next = (away?.cards ?? keep.cards)?.[0];
    return indexAnswer(next !== undefined && cards.includes(next) ? away : keep);
  };
}
