import {games} from '../core/games';
import {gameName} from '../i18n/game_names';
import {t} from '../i18n';
import {useLoaded} from '../ui/loading';

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

/** An agent by name, with the agents and runs of the game to choose from. */
export function AgentInput({game, value, onChange}: {game: string; value: string; onChange: (agent: string) => void}) {
  const known = useLoaded('games', games);
  const agents = known.value?.find(one => one.name === game.replace(/\[.*$/, ''))?.agents ?? [];
  return (
    <label class="field">
      <span>{t('charts.agent')}</span>
      <input list="chart-agents" value={value} onChange={event => onChange(event.currentTarget.value.trim() || 'default')} />
      <datalist id="chart-agents">{agents.map(agent => <option key={agent} value={agent} />)}</datalist>
    </label>
  );
}
