import {t} from '../i18n';
import type {GameEvent} from '../core/protocol';

export const seatName = (seat: number, names: readonly string[], me: number | null): string =>
  seat === me ? t('table.you') : (names[seat] ?? t('table.seat', {n: seat + 1}));

/** Seats in the order in which they sit, from the viewer's left; the viewer itself left out. */
export function othersInOrder(players: number, me: number | null): number[] {
  const from = me ?? 0;
  return Array.from({length: me === null ? players : players - 1}, (_, i) => (from + i + (me === null ? 0 : 1)) % players);
}

/** The last of the seat's events that pass, of this street or any. */
export function lastOf(events: readonly GameEvent[], pass: (event: GameEvent) => boolean): GameEvent | undefined {
  for (let i = events.length - 1; i >= 0; --i) if (pass(events[i]!)) return events[i];
  return undefined;
}

/** Room for the viewer's own hand, which is the widest: the smallest angle to a neighbour. */
const kOwnGap = 1.1;

/** The positions of the seats around an oval table, in percent: the viewer at the bottom, the others clockwise. */
export function seatPlaces(count: number): {x: number; y: number}[] {
  const gap = Math.max(kOwnGap, (2 * Math.PI) / count);
  const between = (2 * (Math.PI - gap)) / Math.max(count - 2, 1);
  return Array.from({length: count}, (_, i) => {
    const angle = Math.PI / 2 + (i === 0 ? 0 : gap + between * (i - 1));
    return {x: 50 + 39 * Math.cos(angle), y: 50 + 41 * Math.sin(angle)};
  });
}
