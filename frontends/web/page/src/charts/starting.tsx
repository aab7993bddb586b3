import {useState} from 'preact/hooks';
import {get} from '../core/api';
import {percent, t} from '../i18n';
import {className} from '../i18n/class_names';
import {Show, useLoaded} from '../ui/loading';
import {DataTable} from '../ui/table';
import {AgentInput, Field} from './field';
import {calls, raises, type Cell} from './preflop';
import {shareOfDeals} from './shares';

export interface StartingHand extends Cell {
  hand?: string;
  name?: string;
  share: number;
  asked: number;
  drew?: number;
  /** How often so many cards are drawn, none first. */
  thrown?: number[];
  kept?: Record<string, number>;
}

export interface StartingHands {
  game: string;
  agent: string;
  sampled: boolean;
  all: StartingHand;
  hands: StartingHand[];
}

const startingGames = [
  'draw', 'lowball', 'triple_draw', 'deuce_single_draw', 'deuce_triple_draw', 'badugi', 'washizu', 'court_tarot', 'court_extra', 'court_color',
  'stud', 'razz', 'stud_hi_lo',
];

const bets = (hand: StartingHand): boolean => hand.fold !== undefined;
const keeps = (chart: StartingHands): boolean => Object.keys(chart.hands[0]?.kept ?? {}).length > 0;
const least = 0.005;

/** "3 cards 97%, pat 3%": the most frequent first. */
export function drawWords(thrown: readonly number[]): string {
  return thrown
    .map((share, cards) => ({share, cards}))
    .filter(({share}) => share >= least)
    .sort((a, b) => b.share - a.share)
    .map(({share, cards}) => `${cards === 0 ? t('charts.pat') : t('charts.cards', {n: cards})} ${percent(share)}`)
    .join(', ');
}

const kept = (hand: StartingHand): string =>
  Object.entries(hand.kept ?? {})
    .filter(([, share]) => share >= 0.05)
    .slice(0, 2)
    .map(([words, share]) => `${className(words)} ${percent(share)}`)
    .join(', ');

function Row({hand, name, chart}: {hand: StartingHand; name: string; chart: StartingHands}) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {bets(chart.all) && (
        <>
          <td class="split split-acts" style={{'--raise': raises(hand), '--call': calls(hand)}} aria-hidden="true" />
          <td class="num">{percent(raises(hand))}</td>
          <td class="num">{percent(calls(hand))}</td>
          <td class="num">{percent(hand.fold ?? 0)}</td>
        </>
      )}
      {chart.all.thrown && <td class="words">{hand.drew ? drawWords(hand.thrown!) : '–'}</td>}
      {keeps(chart) && <td class="words">{kept(hand) || '–'}</td>}
      <td class="num">{shareOfDeals(hand.share)}</td>
    </tr>
  );
}

export function Starting() {
  const [game, setGame] = useState(startingGames[0]!);
  const [agent, setAgent] = useState('default');
  const [after, setAfter] = useState('');
  const query = new URLSearchParams({game, agent, ...(after ? {after} : {})}).toString();
  const loaded = useLoaded(query, () => get<StartingHands>(`/api/charts/starting-hands?${query}`));
  return (
    <section class="panel">
      <h1>{t('charts.starting')}</h1>
      <div class="inline-fields">
        <Field label={t('charts.game')} value={game} onChange={setGame} list={startingGames} />
        <AgentInput game={game} value={agent} onChange={setAgent} />
        <Field label={t('charts.after')} value={after} onChange={setAfter} help={t('charts.after.help')} />
      </div>
      <Show of={loaded}>
        {chart => (
          <>
            <DataTable
              kind="starting" label={t('charts.starting')}
              titles={[
                t('charts.category'),
                ...(bets(chart.all) ? [
                  null,
                  {num: t(chart.all.bet === undefined ? 'charts.raises' : 'charts.bets')},
                  {num: t(chart.all.check === undefined ? 'charts.calls' : 'charts.checks')},
                  {num: t('charts.folds')},
                ] : []),
                chart.all.thrown !== undefined && t('charts.draws'),
                keeps(chart) && t('charts.keeps'),
                {num: t('charts.dealt')},
              ]}
            >
              {[...chart.hands].reverse().map(hand => <Row key={hand.hand} hand={hand} name={className(hand.name ?? '')} chart={chart} />)}
              <Row hand={chart.all} name={t('charts.every')} chart={chart} />
            </DataTable>
            <p class="muted">{t(chart.sampled ? 'charts.sampled' : 'charts.means')}</p>
          </>
        )}
      </Show>
    </section>
  );
}
