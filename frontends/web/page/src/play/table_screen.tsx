import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {useStore} from '../core/store';
import type {TableClient} from '../core/table_client';
import {handEnded, type TableState} from '../core/table_state';
import {number, signed, t} from '../i18n';
import {gameName} from '../i18n/game_names';
import {copy} from '../ui/copy';
import {useKeys} from '../ui/keys';
import {viewOf} from '../views';
import {PlainChoices} from '../views/choices';
import {lastOf, seatName} from '../views/seats';
import type {ViewProps} from '../views/view';
import {AdviceTable, ReviewTable} from './coach';
import {saveHand} from './history_box';
import {Log} from './log';

function Result({state, client}: {state: TableState; client: TableClient}) {
  const {over, seat, names, link, reviewing} = state;
  const won = over?.won ?? lastOf(state.events, e => e.event === 'hand_ended')?.net ?? [];
  const mine = seat === null ? null : (won[seat] ?? 0);
  const next = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => next.current?.focus({preventScroll: true}), [over !== null]);
  useKeys({Enter: () => over && client.next(), n: () => over && client.next()});
  return (
    <div class="result" role="status" aria-label={t('result.label')}>
      {mine !== null && (
        <p class={`result-mine ${mine > 0 ? 'is-plus' : mine < 0 ? 'is-minus' : ''}`}>
          {mine > 0 ? t('result.win', {n: number(mine)}) : mine < 0 ? t('result.lose', {n: number(-mine)}) : t('result.even')}
        </p>
      )}
      <ul class="result-all">
        {won.map((n, i) => (
          <li key={i} class={n > 0 ? 'is-plus' : n < 0 ? 'is-minus' : ''}>
            <span>{seatName(i, names, seat)}</span> <b>{signed(n)}</b>
          </li>
        ))}
      </ul>
      {over && seat !== null && (
        <div class="actions">
          <button type="button" class="action" data-act="review" disabled={link !== 'open' || reviewing} onClick={() => client.review()}>{t('result.review')}</button>
          {over.last ? (
            <button type="button" class="action action-raise" data-act="leave-last" ref={next} onClick={() => client.leave()}>{t('table.leave')}</button>
          ) : (
            <button type="button" class="action action-raise" data-act="next" ref={next} onClick={() => client.next()}>
              {t('act.next')} <kbd aria-hidden="true">↵</kbd>
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Head({state, client}: {state: TableState; client: TableClient}) {
  const {hello, howToPlay, scores, names, seat, hand} = state;
  const [rules, setRules] = useState(false);
  return (
    <header class="table-head">
      <h1>{gameName(hello?.spec ?? '')}</h1>
      <span class="muted">{t('table.hand', {n: hand})}</span>
      {scores.length > 0 && (
        <ul class="scores" aria-label={t('table.score')}>
          {scores.map((n, i) => <li key={i}>{seatName(i, names, seat)} <b>{signed(n)}</b></li>)}
        </ul>
      )}
      <span class="grow" />
      {hello?.rules && <button type="button" class="quiet" aria-expanded={rules} onClick={() => setRules(!rules)}>{t('table.rules')}</button>}
      <button type="button" class="quiet" data-act="leave" onClick={() => client.leave()}>{t('table.leave')}</button>
      {rules && (
        <div class="rules" tabIndex={0} role="region" aria-label={t('table.rules')}>
          {howToPlay && <p lang="en">{howToPlay}</p>}
          <pre>{hello!.rules}</pre>
        </div>
      )}
    </header>
  );
}

function Coach({state, client, adviser}: {state: TableState; client: TableClient; adviser: boolean}) {
  const {request, advice, advising, review, reviewing, link} = state;
  useKeys({h: () => adviser && request && client.advise()});
  if (review || reviewing)
    return (
      <section class="panel coach" aria-label={t('review.title')} aria-live="polite">
        <h2>{t('review.title')}</h2>
        {review ? <ReviewTable review={review} /> : <p class="muted">{t('review.wait')}</p>}
      </section>
    );
  if (!adviser) return null;
  return (
    <section class="panel coach" aria-label={t('coach.title')} aria-live="polite">
      <h2>{t('coach.title')}</h2>
      {request && advice && advice.id === request.id ? (
        <AdviceTable
          advice={advice} request={request}
          take={line => {
            if (line.answer) return client.answer(line.answer);
            viewOf(request.position).turn?.take(line.words, request);
          }}
        />
      ) : request && advising === request.id ? (
        <p class="muted">{t('coach.wait')}</p>
      ) : (
        <button type="button" class="chip-button" data-act="advice" disabled={!request || link !== 'open'} onClick={() => client.advise()}>
          {t('coach.ask')} <kbd aria-hidden="true">H</kbd>
        </button>
      )}
    </section>
  );
}

export function viewProps(state: TableState, client: TableClient | null): ViewProps {
  return {
    position: state.position!,
    events: state.events,
    names: state.names,
    seat: state.seat,
    toAct: state.toAct,
    request: state.answered ? null : state.request,
    over: handEnded(state),
    unit: state.hello?.unit ?? '',
    here: state.here,
    answer: answer => client?.answer(answer),
    follow: plan => client?.follow(plan),
  };
}

function Turn({state, client}: {state: TableState; client: TableClient}) {
  const props = viewProps(state, client);
  if (handEnded(state)) return <Result state={state} client={client} />;
  if (!props.request) {
    const {toAct, names, seat} = state;
    const text = toAct === null ? t('table.dealing') : toAct === seat ? '' : t('table.waiting', {name: seatName(toAct, names, seat)});
    return <p class="waiting" role="status">{text}</p>;
  }
  const Controls = viewOf(props.position).Controls ?? PlainChoices;
  return (
    <div class="turn" data-request={props.request.id}>
      <p class="sr-only" role="status">{t('table.your.turn')}</p>
      <Controls {...props} request={props.request} />
    </div>
  );
}

/** `onClosed` gets the reason where the table was never entered: there is nothing to look at. */
export function Closed({state, onClosed}: {state: TableState; onClosed: (why?: string | null) => void}) {
  const {table, bye: reason, left, names, seat} = state;
  const why = left === null ? reason : t('link.left', {name: seatName(left, names, seat)});
  useLayoutEffect(() => {
    if (table === null) onClosed(reason);
  }, [table]);
  if (table === null) return null;
  return (
    <div class="notice" role="status">
      <p>{why ? t('link.closed.why', {reason: why}) : t('link.closed')}</p>
      <button type="button" class="action action-raise" onClick={() => onClosed()}>{t('link.new')}</button>
    </div>
  );
}

/** Why a table could not be entered; an empty reason: nothing answered. */
export function Refusal({why}: {why: string | null}) {
  return why === null ? null : <p class="banner" role="alert">{why || t('error.unreachable')}</p>;
}

/** A table with people: the game, what may be done, what happened, the coach. */
export function TableScreen({client, adviser, onClosed}: {
  client: TableClient;
  adviser: boolean;
  onClosed: (why?: string | null) => void;
}) {
  const state = useStore(client.state);
  useEffect(() => {
    if (state.over?.log) saveHand(state.over.log);
  }, [state.over?.log]);
  if (state.link === 'closed') return <Closed state={state} onClosed={onClosed} />;
  const View = state.position ? viewOf(state.position).Table : null;
  const props = viewProps(state, client);
  return (
    <div class="table-screen" data-hand={state.hand}>
      <Head state={state} client={client} />
      {state.link === 'lost' && <p class="banner" role="alert">{t('link.lost')}</p>}
      <Invitations state={state} />
      <div class="table-main">
        <div class="table-area" aria-label={t('table.label')} role="region">
          {View ? <View {...props} /> : <div class="felt felt-empty"><p class="muted">{state.link === 'connecting' ? t('link.connecting') : t('table.dealing')}</p></div>}
        </div>
        {state.error && <p class="banner" role="alert">{state.error}</p>}
        <div class="turn-area">{state.position && <Turn state={state} client={client} />}</div>
      </div>
      <aside class="side">
        <Coach state={state} client={client} adviser={adviser} />
        <Log events={state.events} seats={{names: state.names, me: state.seat}} />
      </aside>
    </div>
  );
}

function Invitations({state}: {state: TableState}) {
  const waiting = state.guests.filter(guest => state.here[guest.seat] !== true);
  if (waiting.length === 0) return null;
  return (
    <ul class="banner invitations">
      {waiting.map(({seat, key}) => (
        <li key={seat}><Invitation seat={seat} address={guestLink(key)} /></li>
      ))}
    </ul>
  );
}

function guestLink(key: string): string {
  const secret = sessionStorage.getItem('dealer.token') ?? '';
  return `${location.origin}${location.pathname}#play?key=${encodeURIComponent(key)}&token=${encodeURIComponent(secret)}`;
}

function Invitation({seat, address}: {seat: number; address: string}) {
  const [copied, setCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  return (
    <label class="invitation">
      <span>{t('lobby.invite', {n: seat + 1})}</span>
      <input ref={field} readOnly value={address} title={t('lobby.invite.text', {n: seat + 1})} onFocus={event => event.currentTarget.select()} />
      <button
        type="button" class="chip-button"
        onClick={() => void copy(address, field.current).then(setCopied)}
      >
        {copied ? t('common.copied') : t('common.copy')}
      </button>
    </label>
  );
}
