import {useState} from 'preact/hooks';
import {get} from '../core/api';
import {go, route} from '../core/route';
import {useStore} from '../core/store';
import {byRank, Card, Cards} from '../cards';
import {number, percent, signed, t} from '../i18n';
import {gameName} from '../i18n/game_names';
import {handName} from '../i18n/hand_names';
import {Show, useLoaded} from '../ui/loading';
import {calls, cellHand, chartRanks, raises, type Cell} from './preflop';
import {cardsIn, openingCards, randomOpening, type Opening} from './openings';

const kinds = ['preflop', 'openings', 'hands'] as const;
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
      {kind === 'openings' && <Openings />}
      {kind === 'hands' && <Hands />}
    </div>
  );
}

function Field({label, value, onChange, list, help}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  list?: readonly string[];
  help?: string;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      {list ? (
        <select value={value} onChange={event => onChange(event.currentTarget.value)}>
          {list.map(one => <option key={one} value={one}>{withPlayers(one)}</option>)}
        </select>
      ) : (
        <input value={value} placeholder={help} onChange={event => onChange(event.currentTarget.value)} />
      )}
    </label>
  );
}

interface PreflopAnswer {
  game: string;
  agent: string;
  all: Cell;
  hands: Record<string, Cell>;
}

const preflopGames = ['holdem', 'holdem[limit=no_limit]', 'holdem[players=6]', 'holdem[limit=no_limit,players=6]'];

const withPlayers = (spec: string): string => {
  const players = /players=(\d+)/.exec(spec)?.[1];
  return players ? `${gameName(spec)}, ${t('charts.players', {n: players})}` : gameName(spec);
};

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
        <Field label={t('charts.agent')} value={agent} onChange={setAgent} />
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

const rows = ['front', 'middle', 'back'] as const;

function Placement({board, title, value}: {board: NonNullable<Opening['second']>; title: string; value: number}) {
  return (
    <figure class="opening">
      <figcaption>{title} <b>{signed(value, 2)}</b></figcaption>
      {rows.map(row => (
        <div class={`row row-${row}`} key={row} role="group" aria-label={t(`ofc.${row}`)}>
          <div class="cards">
            {byRank(board[row]).map(card => <Card key={card} card={card} />)}
            {Array.from({length: (row === 'front' ? 3 : 5) - board[row].length}, (_, i) => <span class="slot" key={i} aria-hidden="true" />)}
          </div>
        </div>
      ))}
    </figure>
  );
}

function Openings() {
  const [agent, setAgent] = useState('default');
  const [text, setText] = useState(() => randomOpening().join(' '));
  const cards = cardsIn(text);
  const whole = cards.length === openingCards;
  const query = new URLSearchParams({agent, cards: cards.join('')}).toString();
  const loaded = useLoaded<Opening | null>(whole ? query : '', async () => (whole ? get<Opening>(`/api/charts/openings?${query}`) : null));
  return (
    <section class="panel">
      <h1>{t('charts.openings')}</h1>
      <div class="inline-fields">
        <Field label={t('charts.agent')} value={agent} onChange={setAgent} />
        <label class="field">
          <span>{t('charts.openings.find')}</span>
          <input value={text} spellcheck={false} onInput={event => setText(event.currentTarget.value)} />
        </label>
        <button type="button" class="action" onClick={() => setText(randomOpening().join(' '))}>{t('charts.openings.random')}</button>
      </div>
      <Cards cards={byRank(cards)} classes="opening-hand" label={t('charts.openings.cards')} />
      {!whole && <p class="muted" role="status">{t('charts.openings.need', {n: cards.length})}</p>}
      {whole && (
        <Show of={loaded}>
          {opening => (
            <>
              <div class="felt openings">
                <Placement board={opening!.best} title={t('charts.openings.placement')} value={opening!.value} />
                {opening!.second && <Placement board={opening!.second} title={t('charts.openings.second')} value={opening!.second_value ?? 0} />}
              </div>
              <p class="muted">
                {t('coach.chance.foul')} {percent(opening!.foul)} · {t('coach.chance.fantasyland')} {percent(opening!.fantasyland)}
              </p>
            </>
          )}
        </Show>
      )}
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
              <div class="scroll" tabIndex={0} role="region" aria-label={t('charts.hands')}>
                <table class="advice census">
                  <thead>
                    <tr>
                      <th scope="col">{t('charts.category')}</th>
                      <th scope="col" class="num">{t('charts.count')}</th>
                      <th scope="col" class="num">{t('charts.share')}</th>
                      <th scope="col" class="num">{t('charts.rarity')}</th>
                      <th scope="col" class="num">{t('charts.ratio')}</th>
                      <th scope="col">{t('charts.verdict')}</th>
                    </tr>
                  </thead>
                  <tbody>
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
                  </tbody>
                </table>
              </div>
            </>
          );
        }}
      </Show>
    </section>
  );
}
