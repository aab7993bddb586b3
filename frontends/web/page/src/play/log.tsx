import {useEffect, useRef} from 'preact/hooks';
import type {GameEvent} from '../core/protocol';
import {t} from '../i18n';
import {eventWords, ofTheEnd, type Seats} from '../i18n/event_words';

/** What has happened in this hand, in sentences; a screen reader hears each as it comes. */
export function Log({events, seats}: {events: readonly GameEvent[]; seats: Seats}) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const element = list.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, [events.length]);
  const lines = events.map(event => ({event, text: eventWords(event, seats)})).filter(({text}) => text !== '');
  return (
    <section class="panel log" aria-label={t('table.log')}>
      <h2>{t('table.log')}</h2>
      <ol ref={list} aria-live="polite" tabIndex={0} aria-label={t('table.log')}>
        {lines.map(({event, text}, i) => <li key={i} class={ofTheEnd(event) ? 'is-end' : ''}>{text}</li>)}
      </ol>
    </section>
  );
}
