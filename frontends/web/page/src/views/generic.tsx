import type {ComponentChildren} from 'preact';
import {Cards} from '../cards';
import {faceOf} from '../cards/deck';
import {PlainChoices} from './choices';
import {seatName} from './seats';
import type {GameView, ViewProps} from './view';

const isCards = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'string' && faceOf(item).kind !== 'named');

function Value({value}: {value: unknown}): ComponentChildren {
  if (isCards(value)) return <Cards cards={value} />;
  if (Array.isArray(value))
    return value.length === 0 ? '–' : <ul class="plain">{value.map((item, i) => <li key={i}><Value value={item} /></li>)}</ul>;
  if (value !== null && typeof value === 'object') return <Fields of={value as Record<string, unknown>} />;
  return value === null || value === undefined ? '–' : String(value);
}

function Fields({of}: {of: Record<string, unknown>}) {
  return (
    <dl class="fields">
      {Object.entries(of).map(([name, value]) => (
        <div key={name}>
          <dt>{name.replace(/_/g, ' ')}</dt>
          <dd><Value value={value} /></dd>
        </div>
      ))}
    </dl>
  );
}

function Table({position, names, seat}: ViewProps) {
  const {players = [], ...table} = position;
  return (
    <div class="felt generic">
      <Fields of={table} />
      {players.map(player => (
        <section key={player.seat} aria-label={seatName(player.seat, names, seat)}>
          <h3>{seatName(player.seat, names, seat)}</h3>
          <Fields of={player as unknown as Record<string, unknown>} />
        </section>
      ))}
    </div>
  );
}

/** Any game that no other view knows. */
export const genericView: GameView = {name: 'generic', shows: () => true, Table, Controls: PlainChoices};
