import {useEffect, useState} from 'preact/hooks';
import {useStore} from '../core/store';
import type {TableClient} from '../core/table_client';
import {handEnded, type TableState} from '../core/table_state';
import {signed, t} from '../i18n';
import {gameName} from '../i18n/game_names';
import {AdviceTable} from '../play/coach';
import {Log} from '../play/log';
import {Closed, viewProps} from '../play/table_screen';
import {useKeys} from '../ui/keys';
import {viewOf} from '../views';
import {seatName} from '../views/seats';

const paces = [100, 250, 500, 1000, 2000, 4000];

/** How likely the agent to act makes each choice; while all cards are seen. */
function Policy({state, client}: {state: TableState; client: TableClient}) {
  const [shown, setShown] = useState(false);
  const {advice, position, toAct, legal} = state;
  useEffect(() => {
    if (shown && toAct !== null) client.advise();
  }, [shown, position]);
  const request = advice && position && toAct !== null ? {id: advice.id, seat: toAct, legal, position} : null;
  return (
    <section class="panel coach" aria-label={t('history.choices')}>
      <h2>{t('history.choices')}</h2>
      <button type="button" class="chip-button" aria-pressed={shown} onClick={() => setShown(!shown)}>{t('watch.policy')}</button>
      {shown && request && advice && <AdviceTable advice={advice} request={request} />}
    </section>
  );
}

/** Agents play each other: pace, pause, single steps. */
export function Live({client, pace: first, all, onClosed}: {client: TableClient; pace: number; all: boolean; onClosed: (why?: string | null) => void}) {
  const state = useStore(client.state);
  const [paused, setPaused] = useState(false);
  const [pace, setPace] = useState(first);
  const pause = (value: boolean) => {
    setPaused(value);
    client.control(value ? 'pause' : 'resume');
  };
  const slower = (by: number) => {
    const at = Math.min(Math.max(paces.findIndex(one => one >= pace) + by, 0), paces.length - 1);
    setPace(paces[at]!);
    client.pace(paces[at]!);
  };
  const step = () => {
    if (!paused) pause(true);
    client.control('step');
  };
  useKeys({' ': () => pause(!paused), ArrowRight: step, '+': () => slower(-1), '-': () => slower(1)});
  if (state.link === 'closed') return <Closed state={state} onClosed={onClosed} />;
  const View = state.position ? viewOf(state.position).Table : null;
  return (
    <div class="table-screen" data-hand={state.hand}>
      <header class="table-head">
        <h1>{gameName(state.hello?.spec ?? '')}</h1>
        <span class="muted">{t('table.hand', {n: state.hand})}</span>
        <ul class="scores" aria-label={t('table.score')}>
          {state.scores.map((n, i) => <li key={i}>{seatName(i, state.names, null)} <b>{signed(n)}</b></li>)}
        </ul>
        <span class="grow" />
        <button type="button" class="quiet" data-act="leave" onClick={() => client.leave()}>{t('table.leave')}</button>
      </header>
      {state.link === 'lost' && <p class="banner" role="alert">{t('link.lost')}</p>}
      <div class="table-main">
        <div class="table-area" role="region" aria-label={t('table.label')}>
          {View ? <View {...viewProps(state, null)} over={handEnded(state)} /> : <div class="felt felt-empty"><p class="muted">{t('link.connecting')}</p></div>}
        </div>
        {state.error && <p class="banner" role="alert">{state.error}</p>}
        <div class="turn-area">
          <div class="steps" role="group" aria-label={t('watch.pace')}>
            <button type="button" class="action action-raise" data-act="pause" aria-pressed={paused} onClick={() => pause(!paused)}>
              {paused ? t('watch.resume') : t('watch.pause')}
            </button>
            <button type="button" class="action" data-act="step" onClick={step}>{t('watch.step')}</button>
            <label class="inline">
              <span>{t('watch.pace')}</span>
              <input
                type="range" min={0} max={paces.length - 1} step={1} value={paces.length - 1 - Math.max(0, paces.findIndex(one => one >= pace))}
                aria-valuetext={t('watch.pace.of', {n: pace / 1000})}
                onInput={event => {
                  const next = paces[paces.length - 1 - Number(event.currentTarget.value)]!;
                  setPace(next);
                  client.pace(next);
                }}
              />
            </label>
            <span class="muted">{t('watch.pace.of', {n: pace / 1000})}</span>
          </div>
        </div>
      </div>
      <aside class="side">
        {all && <Policy state={state} client={client} />}
        <Log events={state.events} seats={{names: state.names, me: null}} />
      </aside>
    </div>
  );
}
