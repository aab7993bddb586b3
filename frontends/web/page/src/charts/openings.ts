export interface Opening {
  /** "As Kd Qd 7c 2h" */
  cards: string;
  /** front / middle / back */
  placement: string;
  value: number;
  foul?: number;
  fantasyland?: number;
  second?: string;
  second_value?: number;
}

const kShown = 60;

const counts = (ranks: readonly string[]): Map<string, number> => {
  const of = new Map<string, number>();
  for (const rank of ranks) of.set(rank, (of.get(rank) ?? 0) + 1);
  return of;
};

/** Openings whose cards include those that are asked for: whole cards, or ranks alone ("QQ7"). */
export function findOpenings(all: readonly Opening[], wanted: string): {shown: Opening[]; count: number} {
  const cards: string[] = wanted.match(/[2-9TJQKA][shdc]/g) ?? [];
  const ranks = counts([...wanted.replace(/[2-9TJQKA][shdc]/g, '').toUpperCase()].filter(char => /[2-9TJQKA]/.test(char)));
  const found = all.filter(opening => {
    const held = opening.cards.split(' ');
    if (!cards.every(card => held.includes(card))) return false;
    const rest = counts(held.filter(card => !cards.includes(card)).map(card => card[0]!));
    return [...ranks].every(([rank, n]) => (rest.get(rank) ?? 0) >= n);
  });
  const shown = [...found].sort((a, b) => b.value - a.value).slice(0, kShown);
  return {shown, count: found.length};
}
