export const chartRanks = 'AKQJT98765432';

/** Suited hands lie above the diagonal, pairs on it. */
export function cellHand(row: number, column: number): string {
  const [a, b] = [chartRanks[Math.min(row, column)]!, chartRanks[Math.max(row, column)]!];
  return row === column ? a + b : a + b + (row < column ? 's' : 'o');
}

export interface Cell {
  fold?: number;
  call?: number;
  check?: number;
  raise?: number;
  bet?: number;
  choices?: Record<string, number>;
}

export const calls = (cell: Cell): number => cell.call ?? cell.check ?? 0;
export const raises = (cell: Cell): number => cell.raise ?? cell.bet ?? 0;
