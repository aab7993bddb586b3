import {useState} from 'preact/hooks';
import {get} from '../core/api';
import {go, route} from '../core/route';
import {useStore} from '../core/store';
import {number, t} from '../i18n';
import {handName} from '../i18n/hand_names';
import {Show, useLoaded} from '../ui/loading';
import {DataTable} from '../ui/table';
import {calls, cellHand, chartRanks, raises, type Cell} from './preflop';
import {AgentInput, Field} from './field';
import {Openings} from './opening_page';
import {Starting} from './starting';

const kinds = ['preflop', 'starting', 'openings', 'hands'] as const;
type Kind = (typeof kinds)[number];

export function Charts() {
  const {params} = useStore(route);
  const kind: Kind = (kinds as readonly string[]).includes(params.chart ?? '') ? (params.chart as Kind) : 'preflop';
  return (
    <div class="charts-page">
      <div class="segments" role="group" aria-label={t('tab.charts')}>
        {kinds.map(one => (
          <button type="button" key={one} class="segment" aria-pressed={one === kind} onClick={() => go('charts', {chart: one}, true)}>
            {t(`charts.${one}`)}
          </button>
        ))}
      </div>
      {kind === 'preflop' && <Preflop />}
      {kind === 'starting' && <Starting />}
      {kind === 'openings' && <Openings />}
      {kind === 'hands' && <Hands />}
    </div>
  );
}

interface PreflopAnswer {
  game: string;
  agent: string;
  all: Cell;
  hands: Record<string, Cell>;
}

const preflopGames = ['holdem', 'holdem[limit=no_limit]', 'holdem[players=6]', 'holdem[limit=no_limit,players=6]'];

const whole = (cell: Cell) => ({
  raise: Math.round(100 * raises(cell)), call: Math.round(100 * calls(cell)), fold: Math.round(100 * (cell.fold ?? 0)),
});

function Preflop() {
  const [game, setGame] = useState(preflopGames[0]!);
  const [agent, setAgent] = useState('default');
  const [after, setAfter] = useState('');
  const query = new URLSearchParams({game, agent, ...(after ? {after} : {})}).toString();
  const loaded = useLoaded(query, () => get<PreflopAnswer>(`/api/charts/preflop?${query}`));
  return (
    <section class="panel">
      <h1>{t('charts.preflop')}</h1>
      <div class="inline-fields">
        <Field label={t('charts.game')} value={game} onChange={setGame} list={preflopGames} />
        <AgentInput game={game} value={agent} onChange={setAgent} />
        <Field label={t('charts.after')} value={after} onChange={setAfter} help={t('charts.after.help')} />
      </div>
      <Show of={loaded}>
        {chart => (
          <>
            <div class="scroll" tabIndex={0} role="region" aria-label={t('charts.preflop')}>
              <table class="preflop">
                <thead>
                  <tr>
                    <td />
                    {[...chartRanks].map(rank => <th scope="col" key={rank}>{rank}</th>)}
                  </tr>
                </thead>
                <tbody>
                  {[...chartRanks].map((rank, row) => (
                    <tr key={rank}>
                      <th scope="row">{rank}</th>
                      {[...chartRanks].map((_, column) => {
                        const hand = cellHand(row, column);
                        const cell = chart.hands[hand] ?? {};
                        const label = t('charts.cell', {hand, ...whole(cell)});
                        return (
                          <td key={hand} title={label} aria-label={label} style={{'--raise': raises(cell), '--call': calls(cell)}}>
                            <span aria-hidden="true">{hand}</span>
                          </td>
                        );
                      })}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <p class="legend-line">
              <span class="swatch swatch-raise" aria-hidden="true" /> {t('charts.legend.raise')}
              <span class="swatch swatch-call" aria-hidden="true" /> {t('charts.legend.call')}
              <span class="swatch swatch-fold" aria-hidden="true" /> {t('charts.legend.fold')}
            </p>
            <p class="muted">{t('charts.all', whole(chart.all))}</p>
          </>
        )}
      </Show>
    </section>
  );
}

interface Census {
  deck: string;
  total: number;
  ranking?: string;
  categories: {code: string; name: string; count: number; rarity: number | null; ratio: number | null; verdict: string}[];
}

function Hands() {
  const [deck, setDeck] = useState('standard_52');
  const decks = useLoaded('decks', () => get<string[]>('/api/decks'));
  const loaded = useLoaded(deck, () => get<Census>(`/api/hands?deck=${encodeURIComponent(deck)}`));
  return (
    <section class="panel">
      <h1>{t('charts.hands')}</h1>
      <Field label={t('charts.deck')} value={deck} onChange={setDeck} list={decks.value ?? [deck]} />
      <Show of={loaded}>
        {census => {
          const most = Math.max(...census.categories.map(one => Math.log10(Math.max(1, one.count))));
          return (
            <>
              <p class="muted">{t('charts.total', {n: number(census.total)})}</p>
              <DataTable
                kind="census" label={t('charts.hands')}
                titles={[
                  t('charts.category'), {num: t('charts.count')}, {num: t('charts.share')}, {num: t('charts.rarity')}, {num: t('charts.ratio')},
                  t('charts.verdict'),
                ]}
              >
                {[...census.categories].reverse().map(one => (
                  <tr key={one.code}>
                    <th scope="row">{handName(one.name)}</th>
                    <td class="num">
                      <span class="bar" style={{'--share': Math.log10(Math.max(1, one.count)) / most}} aria-hidden="true" />
                      {number(one.count)}
                    </td>
                    <td class="num">{((100 * one.count) / census.total).toPrecision(3)}%</td>
                    <td class="num">{one.rarity?.toFixed(3) ?? '–'}</td>
                    <td class="num">{one.ratio?.toFixed(2) ?? '–'}</td>
                    <td>{one.verdict}</td>
                  </tr>
                ))}
              </DataTable>
            </>
          );
        }}
      </Show>
    </section>
  );
}
