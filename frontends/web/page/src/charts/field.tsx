import {gameName} from '../i18n/game_names';
import {t} from '../i18n';

/** "Texas hold'em, 6 players" */
export const withPlayers = (spec: string): string => {
  const players = /players=(\d+)/.exec(spec)?.[1];
  return players ? `${gameName(spec)}, ${t('charts.players', {n: players})}` : gameName(spec);
};

/** A text to be typed, or with `list` one of these games or decks. */
export function Field({label, value, onChange, list, help}: {
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
