import type {PlayerPosition, Position} from '../core/protocol';
import type {Plan} from '../core/table_client';
import {rowNames, rowSizes, type RowName, type Rows} from './ofc_rows';
import {indexAnswer} from './view';

export type Place = RowName | 'discard';
export const places: readonly Place[] = [...rowNames, 'discard'];

/** The player's planned placements of this turn, in the order in which the cards were moved. */
export type Moves = readonly {card: string; place: Place}[];

/** Cards that are no longer in hand have been placed. */
export const pending = (moves: Moves, hand: readonly string[]): Moves => moves.filter(move => hand.includes(move.card));

export function rowsWith(player: PlayerPosition, moves: Moves): Rows {
  const rows = {} as Rows;
  for (const row of rowNames)
    rows[row] = [...(player.rows?.[row] ?? []), ...moves.filter(move => move.place === row).map(move => move.card)];
  return rows;
}

/** The number of further cards that fit into the place. */
export function free(place: Place, player: PlayerPosition, position: Position, moves: Moves): number {
  const moved = moves.filter(move => move.place === place).length;
  if (place === 'discard') return (position.discards_left ?? 0) - moved;
  const open = rowSizes[place] - (player.rows?.[place]?.length ?? 0) - moved;
  const placed = moves.filter(move => move.place !== 'discard').length;
  return Math.min(open, (position.places_left ?? 0) - placed);
}

/** Moves a card to a place; one that lies elsewhere is taken from there. Unchanged where there is no room. */
export function move(moves: Moves, card: string, place: Place, player: PlayerPosition, position: Position): Moves {
  const others = moves.filter(other => other.card !== card);
  return free(place, player, position, others) > 0 ? [...others, {card, place}] : moves;
}

/**
 * With the same number of cards left as room, a turn is complete: every card in hand has its place. The last card to be
 * discarded may go without saying.
 */
export function complete(moves: Moves, hand: readonly string[], position: Position): Moves | null {
  const left = hand.filter(card => !moves.some(move => move.card === card));
  const discards = (position.discards_left ?? 0) - moves.filter(move => move.place === 'discard').length;
  if (left.length === 0) return moves;
  return left.length === discards ? [...moves, ...left.map(card => ({card, place: 'discard' as Place}))] : null;
}

/** The protocol asks card by card: each is answered from the plan. */
export function placementPlan(moves: Moves): Plan {
  const where = new Map(moves.map(({card, place}) => [card, place]));
  return legal => {
    const card = legal[0]?.cards?.[0];
    const place = card === undefined ? undefined : where.get(card);
    return place === undefined ? null : indexAnswer(legal.find(choice => choice.text === place));
  };
}

/**
 * Reads "7h 3d 3h middle, 9s 6s back, discard 2s" and "Qd / Td 7h / 9s 6s discard 2s": how advice tells a turn. The second
 * form has whole rows, of which the cards in hand are the move. Null where it is neither.
 */
export function movesFrom(text: string, hand: readonly string[]): Moves | null {
  const card = /[2-9TJQKA][shdc]/g;
  const moves: {card: string; place: Place}[] = [];
  const add = (part: string, place: Place) => {
    for (const [found] of part.matchAll(card)) if (hand.includes(found)) moves.push({card: found, place});
  };
  if (text.includes('/')) {
    const [board = '', away = ''] = text.split(/discard/);
    const rows = board.split('/');
    if (rows.length !== 3) return null;
    rows.forEach((part, i) => add(part, rowNames[i]!));
    add(away, 'discard');
  } else {
    for (const part of text.split(',')) {
      const place = places.find(name => part.includes(name));
      if (!place) return null;
      add(part, place);
    }
  }
  return moves.length > 0 && moves.length === new Set(moves.map(m => m.card)).size ? moves : null;
}
