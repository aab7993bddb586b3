import type {LineChip} from '../core/protocol';

const owns = (chip: LineChip | undefined, seat: number): boolean => chip !== undefined && chip.taken_by === seat;

/** Taking this chip would give the seat three adjacent ones. */
export function threatens(chips: readonly LineChip[], at: number, seat: number): boolean {
  const chip = chips[at];
  if (!chip || chip.taken_by !== null || chip.tied) return false;
  for (let from = at - 2; from <= at; ++from)
    if ([from, from + 1, from + 2].every(i => i === at || owns(chips[i], seat))) return true;
  return false;
}
