import {useEffect, useState} from 'preact/hooks';
import {get, getText} from '../core/api';
import {go, route} from '../core/route';
import {useStore} from '../core/store';
import {number, signed, t, tOr} from '../i18n';
import {gameName} from '../i18n/game_names';
import {Show, useLoaded} from '../ui/loading';
import {DataTable} from '../ui/table';
import {replay, type Replay} from '../watch/replay';
import {configDiff} from './config_diff';
import {curveColours, Curves} from './curves';
import {measures, seriesOf, type MetricLine} from './metrics';
import {Reports} from './reports';

interface RunInfo {
  run: string;
  game: string;
  state: string;
  hands: number;
  planned: number;
  age_seconds: number;
  measure?: string;
  value?: number;
  ci95?: number;
}

interface RunDetail {
  name: string;
  config: string;
  running: boolean;
}

const kPoll = 1500;
const short = (run: string): string => run.replace(/^.*\//, '');
const path = (run: string): string => `/api/runs/${short(run).split('/').map(encodeURIComponent).join('/')}`;

/** Lines of metrics.jsonl of every run that is shown; asks again for what has been added since. */
function useMetrics(runs: readonly string[]): Record<string, MetricLine[]> {
  const [lines, setLines] = useState<Record<string, MetricLine[]>>({});
  useEffect(() => {
    let stopped = false;
    const next: Record<string, number> = {};
    const kept: Record<string, MetricLine[]> = {};
    const poll = async () => {
      for (const run of runs) {
        try {
          const told = await get<{next: number; reset?: boolean; lines: MetricLine[]}>(`${path(run)}/metrics?from=${next[run] ?? 0}`);
          // A run that goes on from a checkpoint has fewer lines than before.
          next[run] = told.next;
          kept[run] = told.reset ? told.lines : [...(kept[run] ?? []), ...told.lines];
        } catch {
          kept[run] ??= [];
        }
      }
      if (stopped) return;
      setLines({...kept});
      timer = setTimeout(() => void poll(), kPoll);
    };
    let timer = setTimeout(() => void poll(), 0);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [runs.join('\n')]);
  return lines;
}

function useRuns() {
  const [list, setList] = useState<RunInfo[] | null>(null);
  const first = useLoaded('runs', () => get<RunInfo[]>('/api/runs'));
  useEffect(() => {
    const timer = setInterval(() => get<RunInfo[]>('/api/runs').then(setList, () => undefined), 2 * kPoll);
    return () => clearInterval(timer);
  }, []);
  return {...first, value: list ?? first.value};
}

/** What is shown before anybody has chosen. */
const newest = (list: readonly RunInfo[]): string[] =>
  list.length === 0 ? [] : [short(list.reduce((a, b) => (b.age_seconds < a.age_seconds ? b : a)).run)];

export function Runs() {
  const {params} = useStore(route);
  const loaded = useRuns();
  const shown = params.runs?.split(',').filter(Boolean) ?? newest(loaded.value ?? []);
  const choose = (run: string, on: boolean) => {
    const next = on ? [...shown, run] : shown.filter(other => other !== run);
    go('runs', {runs: next.join(',')}, true);
  };
  return (
    <div class="runs-page">
      <section class="panel">
        <h1>{t('runs.title')}</h1>
        <Show of={loaded}>
          {list => list.length === 0 ? <p class="muted">{t('runs.none')}</p> : <RunList list={list} shown={shown} choose={choose} />}
        </Show>
      </section>
      {shown.length > 0 && <Curved runs={shown} />}
      {shown.length > 0 && <Configs runs={shown} />}
      {shown.length > 0 && <Samples run={shown.at(-1)!} />}
      <Reports />
    </div>
  );
}

function strength({measure, value, ci95}: RunInfo): string {
  if (value === undefined) return '–';
  const text = measure === 'exploitability' ? number(value, 3) : signed(value, 3);
  return ci95 ? `${text} ± ${number(ci95, 3)}` : text;
}

function RunList({list, shown, choose}: {list: RunInfo[]; shown: string[]; choose: (run: string, on: boolean) => void}) {
  return (
    <DataTable
      kind="run-list" label={t('runs.title')}
      titles={[t('runs.name'), t('runs.game'), t('runs.state'), {num: t('runs.hands')}, {num: t('runs.strength')}]}
    >
      {list.map(run => {
        const name = short(run.run);
        const at = shown.indexOf(name);
        return (
          <tr key={run.run}>
            <th scope="row">
              <label class="run-choice">
                <input type="checkbox" checked={at >= 0} aria-label={t('runs.compare', {run: name})} onChange={event => choose(name, event.currentTarget.checked)} />
                <span class="swatch" style={{'--swatch': at >= 0 ? curveColours[at % curveColours.length]! : 'transparent'}} aria-hidden="true" />
                {name}
              </label>
            </th>
            <td>{gameName(run.game)}</td>
            <td><span class={`badge state-${run.state.replace(/\W+/g, '-')}`}>{tOr(`runs.state.${run.state}`, run.state)}</span></td>
            <td class="num">
              {number(run.hands)}
              {run.planned > 0 && <span class="bar" style={{'--share': Math.min(1, run.hands / run.planned)}} aria-hidden="true" />}
            </td>
            <td class="num">{strength(run)} {run.measure && <small class="muted">{run.measure}</small>}</td>
          </tr>
        );
      })}
    </DataTable>
  );
}

function Curved({runs}: {runs: string[]}) {
  const lines = useMetrics(runs);
  const [measure, setMeasure] = useState('');
  const [by, setBy] = useState<'hands' | 'step'>('hands');
  const names = measures(runs.map(run => lines[run] ?? []));
  const chosen = names.includes(measure) ? measure : (names[0] ?? '');
  const series = runs.map(run => seriesOf(run, lines[run] ?? [], chosen, by));
  return (
    <section class="panel" aria-label={t('runs.curves')}>
      <h2>{t('runs.curves')}</h2>
      <div class="inline-fields">
        <label class="inline">
          <span>{t('runs.measure')}</span>
          <select value={chosen} onChange={event => setMeasure(event.currentTarget.value)}>
            {names.map(name => <option key={name} value={name}>{name}</option>)}
          </select>
        </label>
        <label class="inline">
          <span>{t('runs.by')}</span>
          <select value={by} onChange={event => setBy(event.currentTarget.value as 'hands' | 'step')}>
            <option value="hands">{t('runs.by.hands')}</option>
            <option value="step">{t('runs.by.step')}</option>
          </select>
        </label>
      </div>
      {series.some(one => one.x.length > 0) ? <Curves series={series} label={`${t('runs.curves')}: ${chosen}`} /> : <p class="muted">{t('runs.empty')}</p>}
      <ul class="legend">
        {series.map((one, i) => {
          const last = one.y.at(-1);
          const half = (one.high.at(-1) ?? 0) - (last ?? 0);
          return (
            <li key={one.run}>
              <span class="swatch" style={{'--swatch': curveColours[i % curveColours.length]!}} aria-hidden="true" /> {one.run}{' '}
              {typeof last === 'number' && <b>{signed(last, 3)}{half > 0 && ` ± ${half.toFixed(3)}`}</b>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Configs({runs}: {runs: string[]}) {
  const loaded = useLoaded(runs.join('\n'), () => Promise.all(runs.slice(-2).map(run => get<RunDetail>(path(run)))));
  return (
    <section class="panel">
      <h2>{runs.length > 1 ? t('runs.config.diff') : t('runs.config')}</h2>
      <Show of={loaded}>
        {([first, second]) => {
          if (!second) return <pre class="config" tabIndex={0} aria-label={t('runs.config')}>{first!.config}</pre>;
          const differences = configDiff(first!.config, second.config);
          if (differences.length === 0) return <p class="muted">{t('runs.config.same')}</p>;
          return (
            <DataTable label={t('runs.config.diff')} titles={[t('runs.config'), first!.name, second.name]}>
              {differences.map(({key, a, b}) => <tr key={key}><th scope="row"><code>{key}</code></th><td>{a ?? '–'}</td><td>{b ?? '–'}</td></tr>)}
            </DataTable>
          );
        }}
      </Show>
    </section>
  );
}

function Samples({run}: {run: string}) {
  const [wanted, setWanted] = useState('');
  const loaded = useLoaded<Replay | null>(`hands ${wanted}`, async () => {
    if (!wanted) return null;
    const text = await getText(`${path(wanted)}/hands?hands=3`);
    sessionStorage.setItem('dealer.history', text);
    const found = await replay(text);
    go('watch', {hand: '1', step: '1'});
    return found;
  });
  return (
    <section class="panel">
      <h2>{t('runs.sample')}</h2>
      <button type="button" class="action" onClick={() => setWanted(run)}>{t('runs.sample.show')}: {run}</button>
      {wanted && !loaded.value && !loaded.error && <p class="muted" role="status">{t('common.loading')}</p>}
      {loaded.error ? <Show of={loaded}>{() => null}</Show> : null}
    </section>
  );
}
