import {useEffect, useState} from 'preact/hooks';
import {go} from '../core/route';
import {signed, percent, t} from '../i18n';
import {gameName} from '../i18n/game_names';
import {choiceWords} from '../i18n/choice_words';
import {Mark} from '../play/coach';
import {Log} from '../play/log';
import {copy} from '../ui/copy';
import {useKeys} from '../ui/keys';
import {useLoaded, errorText} from '../ui/loading';
import {DataTable} from '../ui/table';
import {viewOf} from '../views';
import {seatName} from '../views/seats';
import {pack} from './pack';
import {analyse, decisionText, judgementOf, type Replay, type ReplayHand} from './replay';

/** The longest address that browsers and chats pass on whole. */
const kLongest = 6000;

interface Place {
  hand: number;
  step: number;
}

/** Steps through the hands of a history; the address follows, so that each position has a link. */
export function Stepper({text, replay, start, onClose}: {text: string; replay: Replay; start: Place; onClose: () => void}) {
  const [{hand: handNumber, step}, setPlace] = useState<Place>({
    hand: Math.min(Math.max(start.hand, 0), replay.hands.length - 1), step: Math.max(start.step, 0),
  });
  const hand = replay.hands[handNumber]!;
  const at = Math.min(step, hand.steps.length - 1);
  const [packed, setPacked] = useState('');
  const [agent, setAgent] = useState('');
  useEffect(() => {
    void pack(text).then(found => setPacked(found.length <= kLongest ? found : ''));
  }, [text]);
  useEffect(() => {
    go('watch', {...(packed ? {h: packed} : {}), hand: `${handNumber + 1}`, step: `${at + 1}`}, true);
  }, [packed, handNumber, at]);
  const to = (next: number) => setPlace({hand: handNumber, step: Math.min(Math.max(next, 0), hand.steps.length - 1)});
  useKeys({
    ArrowLeft: () => to(at - 1), ArrowRight: () => to(at + 1), Home: () => to(0), End: () => to(hand.steps.length - 1),
  });
  return (
    <div class="table-screen stepper">
      <header class="table-head">
        <h1>{gameName(hand.game)}</h1>
        <label class="inline">
          <span>{t('history.hand')}</span>
          <select value={handNumber} onChange={event => setPlace({hand: Number(event.currentTarget.value), step: 0})}>
            {replay.hands.map((one, i) => <option key={i} value={i}>{one.name}</option>)}
          </select>
        </label>
        <span class="grow" />
        <CopyLink />
        <button type="button" class="quiet" onClick={onClose}>{t('history.close')}</button>
      </header>
      <Errors replay={replay} />
      <StepView hand={hand} at={at} />
      <div class="turn-area">
        <Steps at={at} count={hand.steps.length} to={to} />
        <p class="hint" role="status">{stepWords(hand, at)}</p>
      </div>
      <aside class="side">
        <Judgement text={text} hand={hand} at={at} agent={agent} setAgent={setAgent} />
        <Log events={hand.steps.slice(0, at + 1).flatMap(one => one.events)} seats={{names: hand.names, me: null}} />
      </aside>
    </div>
  );
}

function stepWords(hand: ReplayHand, at: number): string {
  const step = hand.steps[at]!;
  const decided = decisionText(step);
  if (step.seat !== null && decided)
    return t('history.chosen', {name: seatName(step.seat, hand.names, null), choice: choiceWords(decided)});
  return at === hand.steps.length - 1
    ? hand.result.map((n, i) => `${seatName(i, hand.names, null)} ${signed(n)}`).join(' · ')
    : '';
}

function StepView({hand, at}: {hand: ReplayHand; at: number}) {
  const step = hand.steps[at]!;
  const View = viewOf(step.position).Table;
  return (
    <div class="table-main">
      <div class="table-area" role="region" aria-label={t('table.label')}>
        <View
          position={step.position} events={hand.steps.slice(0, at + 1).flatMap(one => one.events)} names={hand.names} seat={null}
          toAct={step.seat} request={null} over={at === hand.steps.length - 1} unit={hand.unit} here={{}}
          answer={() => undefined} follow={() => undefined}
        />
      </div>
    </div>
  );
}

function Steps({at, count, to}: {at: number; count: number; to: (step: number) => void}) {
  const last = count - 1;
  return (
    <div class="steps" role="group" aria-label={t('history.step', {n: at + 1, all: count})}>
      <button type="button" class="action" disabled={at === 0} aria-label={t('history.first')} onClick={() => to(0)}>«</button>
      <button type="button" class="action" data-act="back" disabled={at === 0} onClick={() => to(at - 1)}>{t('history.back')}</button>
      <input type="range" min={0} max={last} value={at} aria-label={t('history.step', {n: at + 1, all: count})} onInput={event => to(Number(event.currentTarget.value))} />
      <button type="button" class="action" data-act="forward" disabled={at === last} onClick={() => to(at + 1)}>{t('history.forward')}</button>
      <button type="button" class="action" disabled={at === last} aria-label={t('history.last')} onClick={() => to(last)}>»</button>
      <span class="muted">{t('history.step', {n: at + 1, all: count})}</span>
    </div>
  );
}

function CopyLink() {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button" class="quiet"
      onClick={() => void copy(location.href).then(setCopied)}
    >
      {copied ? t('common.copied') : t('history.link')}
    </button>
  );
}

export function Errors({replay}: {replay: Pick<Replay, 'errors'>}) {
  if (replay.errors.length === 0) return null;
  return (
    <details class="banner">
      <summary>{t('history.errors')}</summary>
      <ul>{replay.errors.map((error, i) => <li key={i}>{t('history.error', {...error})}</li>)}</ul>
    </details>
  );
}

function Judgement({text, hand, at, agent, setAgent}: {
  text: string;
  hand: ReplayHand;
  at: number;
  agent: string;
  setAgent: (agent: string) => void;
}) {
  const [name, setName] = useState('default');
  const loaded = useLoaded(`${agent}\n${text}`, async () => (agent ? analyse(text, agent) : null));
  const decision = loaded.value ? judgementOf(loaded.value.decisions, hand, at) : null;
  return (
    <section class="panel coach" aria-label={t('history.choices')}>
      <h2>{t('history.choices')}</h2>
      {!agent && (
        <form class="inline" onSubmit={event => {
          event.preventDefault();
          setAgent(name);
        }}>
          <label class="field"><span>{t('history.judge')}</span><input value={name} onInput={event => setName(event.currentTarget.value)} /></label>
          <button type="submit" class="chip-button">{t('history.analyse')}</button>
        </form>
      )}
      {loaded.error ? <p class="warning" role="alert">{errorText(loaded.error)}</p> : null}
      {agent && !loaded.value && !loaded.error && <p class="muted" role="status">{t('review.wait')}</p>}
      {decision && (
        <>
          <p>{choiceWords(decision.chosen)} <Mark decision={decision} /> {decision.loss !== null && <b>{signed(-decision.loss, 2)}</b>}</p>
          <DataTable titles={[t('coach.choice'), {num: t('coach.frequency')}, {num: t('coach.value')}]}>
            {(decision.choices ?? []).map(choice => (
              <tr key={choice.choice} class={choice.choice === decision.best ? 'is-best' : ''}>
                <th scope="row">{choiceWords(choice.choice)}</th>
                <td class="num">{choice.probability === null || choice.probability === undefined ? '–' : percent(choice.probability)}</td>
                <td class="num">{choice.value === null || choice.value === undefined ? '–' : signed(choice.value, 2)}</td>
              </tr>
            ))}
          </DataTable>
        </>
      )}
      {loaded.value && !decision && <p class="muted">{t('coach.none')}</p>}
    </section>
  );
}
