import {useState} from 'preact/hooks';
import {go} from '../core/route';
import type {AnalysedDecision} from '../core/protocol';
import {signed, t} from '../i18n';
import {choiceWords} from '../i18n/choice_words';
import {Mark} from '../play/coach';
import {Show, useLoaded} from '../ui/loading';
import {DataTable} from '../ui/table';
import {HistoryInput} from '../watch/history_input';
import {pack} from '../watch/pack';
import {analyse, replay, turnOf, type Analysis} from '../watch/replay';

/** Hands of a file or of this page, every decision judged by an agent. */
export function Review() {
  const [text, setText] = useState('');
  const [agent, setAgent] = useState('default');
  const loaded = useLoaded(`${agent}\n${text}`, async () => (text ? analyse(text, agent) : null));
  return (
    <div class="review-page">
      <HistoryInput title={t('reviews.title')} action={t('reviews.start')} onText={setText}>
        <label class="field">
          <span>{t('history.judge')}</span>
          <input value={agent} onChange={event => setAgent(event.currentTarget.value)} />
        </label>
      </HistoryInput>
      {text && <Show of={loaded as typeof loaded & {value: Analysis | null}}>{found => <Findings found={found!} text={text} />}</Show>}
    </div>
  );
}

const figure = (of?: {value: number | null; ci95: number | null}): string =>
  of?.value === null || of?.value === undefined ? '–' : `${signed(-of.value, 3)}${of.ci95 ? ` ± ${of.ci95.toFixed(3)}` : ''}`;

function Findings({found, text}: {found: Analysis; text: string}) {
  const [byLoss, setByLoss] = useState(true);
  const order = found.decisions.map((_, i) => i);
  if (byLoss) order.sort((a, b) => (found.decisions[b]!.loss ?? -1) - (found.decisions[a]!.loss ?? -1));
  return (
    <section class="panel">
      <h2>{t('reviews.agent', {agent: found.agent})}</h2>
      {(found.players ?? []).length > 0 && (
        <DataTable
          label={t('reviews.player')}
          titles={[
            t('reviews.player'), {num: t('reviews.judged')}, {num: t('reviews.mistakes')}, {num: t('reviews.loss.decision')},
            {num: t('reviews.loss.hand')},
          ]}
        >
          {found.players!.map(player => (
            <tr key={player.player}>
              <th scope="row">{player.player}</th>
              <td class="num">{player.judged}</td>
              <td class="num">{player.mistakes}</td>
              <td class="num">{figure(player.loss_per_decision)}</td>
              <td class="num">{figure(player.loss_per_hand)}</td>
            </tr>
          ))}
        </DataTable>
      )}
      <label class="inline">
        <span>{t('reviews.order')}</span>
        <select value={byLoss ? 'loss' : 'played'} onChange={event => setByLoss(event.currentTarget.value === 'loss')}>
          <option value="loss">{t('reviews.order.loss')}</option>
          <option value="played">{t('reviews.order.played')}</option>
        </select>
      </label>
      <ol class="decisions">
        {order.slice(0, 200).map(i => <Decision key={i} decision={found.decisions[i]!} text={text} />)}
      </ol>
    </section>
  );
}

async function show(decision: AnalysedDecision, text: string): Promise<void> {
  const {hands} = await replay(text);
  const at = hands.findIndex(hand => hand.name === decision.hand);
  const hand = hands[at];
  const step = hand ? hand.steps.findIndex((one, i) => one.seat === decision.seat && turnOf(hand, i) === decision.turn) : -1;
  const packed = await pack(text);
  sessionStorage.setItem('dealer.history', text);
  go('watch', {...(packed.length < 6000 ? {h: packed} : {}), hand: `${at + 1}`, step: `${Math.max(step, 0) + 1}`});
}

function Decision({decision, text}: {decision: AnalysedDecision; text: string}) {
  return (
    <li>
      <span class="decision-loss">{decision.loss === null ? '–' : signed(-decision.loss, 2)}</span>
      <span class="decision-text">
        <b>{decision.player ?? t('table.seat', {n: decision.seat + 1})}</b>: {choiceWords(decision.chosen)} <Mark decision={decision} />
        {decision.best !== null && decision.best !== decision.chosen && <small> {t('review.best')}: {choiceWords(decision.best)}</small>}
        {decision.best === null && decision.why && <small> {decision.why}</small>}
      </span>
      <button type="button" class="chip-button" onClick={() => void show(decision, text)}>{t('reviews.position')}</button>
    </li>
  );
}
