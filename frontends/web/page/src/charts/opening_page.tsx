import {useRef, useState} from 'preact/hooks';
import {get} from '../core/api';
import {byRank, Card, Cards} from '../cards';
import {percent, signed, t} from '../i18n';
import {Show, useLoaded} from '../ui/loading';
import {rowNames, rowSizes, type Rows} from '../views/ofc_rows';
import {AgentInput} from './field';
import {OpeningClasses} from './opening_classes';
import {cardsIn, openingCards, randomOpening, type Opening} from './openings';

function Placement({board, title, value}: {board: Rows; title: string; value: number}) {
  return (
    <figure class="opening">
      <figcaption>{title} <b>{signed(value, 2)}</b></figcaption>
      {rowNames.map(row => (
        <div class={`row row-${row}`} key={row} role="group" aria-label={t(`ofc.${row}`)}>
          <div class="cards">
            {byRank(board[row]).map(card => <Card key={card} card={card} />)}
            {Array.from({length: rowSizes[row] - board[row].length}, (_, i) => <span class="slot" key={i} aria-hidden="true" />)}
          </div>
        </div>
      ))}
    </figure>
  );
}

/** Five cards and how the agent sets them, and the chart of all openings. */
export function Openings() {
  const [agent, setAgent] = useState('default');
  const [text, setText] = useState(() => randomOpening().join(' '));
  const cards = cardsIn(text);
  const whole = cards.length === openingCards;
  const query = new URLSearchParams({agent, cards: cards.join('')}).toString();
  const loaded = useLoaded<Opening | null>(whole ? query : '', async () => (whole ? get<Opening>(`/api/charts/openings?${query}`) : null));
  const field = useRef<HTMLInputElement>(null);
  const look = (example: string) => {
    setText(cardsIn(example).join(' '));
    field.current?.focus();
    field.current?.closest('section')?.scrollIntoView({block: 'start'});
  };
  return (
    <>
      <section class="panel">
        <h1>{t('charts.openings')}</h1>
        <div class="inline-fields">
          <AgentInput game="ofc" value={agent} onChange={setAgent} />
          <label class="field">
            <span>{t('charts.openings.find')}</span>
            <input ref={field} value={text} spellcheck={false} onInput={event => setText(event.currentTarget.value)} />
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
    <OpeningClasses agent={agent} onExample={look} />
    </>
  );
}
