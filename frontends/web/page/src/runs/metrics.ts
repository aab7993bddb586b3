export type MetricLine = Record<string, number | null>;

export interface Series {
  run: string;
  x: number[];
  y: (number | null)[];
  low: (number | null)[];
  high: (number | null)[];
}

const kInterval = '_ci95';

/** Names of figures, strength first: exploitability, matches, losses, all others; the single final results last. */
export function measures(runs: readonly (readonly MetricLine[])[]): string[] {
  const names = new Set<string>();
  for (const lines of runs)
    for (const line of lines)
      for (const name of Object.keys(line)) if (!name.endsWith(kInterval) && name !== 'step' && name !== 'hands') names.add(name);
  const weight = (name: string): number =>
    name === 'exploitability' ? 0 : name.includes('match/') ? 1 : name.startsWith('loss') ? 2 : name.startsWith('final/') ? 4 : 3;
  return [...names].sort((a, b) => weight(a) - weight(b) || a.localeCompare(b));
}

/** The points of a run that have the figure, with the interval where there is one. */
export function seriesOf(run: string, lines: readonly MetricLine[], measure: string, by: 'hands' | 'step'): Series {
  const series: Series = {run, x: [], y: [], low: [], high: []};
  for (const line of lines) {
    const x = line[by];
    const y = line[measure];
    if (typeof x !== 'number' || y === undefined) continue;
    const half = line[measure + kInterval];
    const known = typeof y === 'number' && typeof half === 'number';
    // A finished run tells its final results at the step before: the later line counts.
    if (series.x.at(-1) === x) for (const list of [series.x, series.y, series.low, series.high]) list.pop();
    series.x.push(x);
    series.y.push(y);
    series.low.push(known ? y - half : y);
    series.high.push(known ? y + half : y);
  }
  return series;
}

/** All series over one axis, as uPlot wants them: x, then y, low and high of each. */
export function joined(all: readonly Series[]): (number | null)[][] {
  const axis = [...new Set(all.flatMap(series => series.x))].sort((a, b) => a - b);
  const data: (number | null)[][] = [axis];
  for (const series of all) {
    const at = new Map(series.x.map((x, i) => [x, i]));
    for (const list of [series.y, series.low, series.high])
      data.push(axis.map(x => (at.has(x) ? (list[at.get(x)!] ?? null) : null)));
  }
  return data;
}
