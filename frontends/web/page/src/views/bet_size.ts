import type {Legal, Position} from '../core/protocol';

const kRaises = ['bet', 'raise', 'complete'];

/** The choices of a betting decision, by what they do. */
export interface BetChoices {
  fold?: Legal;
  /** Check, call or bring in. */
  passive?: Legal;
  /** Bets and raises with an amount of their own. */
  sizes: Legal[];
  /** Any amount between `min` and `max`, totals of this round. */
  range?: Legal & AmountRange;
}

export function betChoices(legal: readonly Legal[]): BetChoices {
  const range = legal.find(choice => choice.index === null && choice.min !== undefined);
  return {
    fold: legal.find(choice => choice.kind === 'fold'),
    passive: legal.find(choice => ['check', 'call', 'bring_in'].includes(choice.kind)),
    sizes: legal.filter(choice => choice.index !== null && kRaises.includes(choice.kind)),
    range: range ? {...range, min: range.min!, max: range.max!, step: range.step ?? 1} : undefined,
  };
}

export const isBetting = (legal: readonly Legal[]): boolean =>
  legal.some(choice => ['fold', 'check', 'call', 'bring_in', ...kRaises].includes(choice.kind));

export interface AmountRange {
  min: number;
  max: number;
  step: number;
}

/** The nearest allowed amount. */
export function clamped(amount: number, {min, max, step}: AmountRange): number {
  if (Number.isNaN(amount)) return min;
  if (amount >= max) return max;
  return Math.max(min, min + Math.round((amount - min) / step) * step);
}

/** The amount that this text names; null unless it is allowed as it stands. */
export function typedAmount(text: string, range: AmountRange): number | null {
  const amount = Number(text);
  return text.trim() !== '' && clamped(amount, range) === amount ? amount : null;
}

/** The total to bet for a raise of this fraction of the pot, which is counted after the call. */
export function potFraction(fraction: number, position: Position, seat: number): number {
  const own = position.players?.[seat]?.bet ?? 0;
  const call = position.to_call ?? 0;
  return own + call + fraction * ((position.pot ?? 0) + call);
}
