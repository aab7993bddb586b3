import type {LineChip, Position} from '../core/protocol';

/** Taking this chip would give the seat three adjacent ones. */
export function threatens({chips = [], ties_count}: Pick<Position, 'chips' | 'ties_count'>, at: number, seat: number): boolean {
  const chip = chips[at];
  const owns = (other: LineChip | undefined): boolean =>
    other !== undefined && (other.taken_by === seat || (other.tied && ties_count === true));
  if (!chip || chip.taken_by !== null || chip.tied) return false;
  for (let from = at - 2; from <= at; ++from)
    if ([from, from + 1, from + 2].every(i => i === at || owns(chips[i]))) return true;
  return false;
}
