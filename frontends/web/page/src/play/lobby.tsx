import {useState} from 'preact/hooks';
import {games, specOf, type GameInfo} from '../core/games';
import type {OpenTable} from '../core/protocol';
import {t} from '../i18n';
import {families, familyOf, gameAbout, gameName} from '../i18n/game_names';
import {Show, useLoaded} from '../ui/loading';
import {Emblem} from './emblem';

const kSlot = 'dealer.lobby';

interface Choice {
  game: string;
  players: number;
  options: Record<string, string>;
  seats: string[];
  adviser: string;
  hands: string;
  seed: string;
}

function remembered(): Partial<Choice> {
  try {
    return JSON.parse(localStorage.getItem(kSlot) ?? '{}') as Partial<Choice>;
  } catch {
    return {};
  }
}

/** Options that are shown at once; all others wait under "Rules and options". */
const kFirstOptions = ['limit', 'procedure'];
const kNoOptions = ['players'];

function defaultPlayers(game: GameInfo): number {
  return Math.min(Math.max(2, game.players[0]), game.players[1]);
}

function Option({name, values, value, onChange}: {
  name: string;
  values: GameInfo['options'][string];
  value: string;
  onChange: (value: string) => void;
}) {
  const label = name.replace(/[_.]/g, ' ');
  return (
    <label class="field">
      <span>{label}</span>
      {Array.isArray(values) ? (
        <select value={value} onChange={event => onChange(event.currentTarget.value)}>
          <option value="">{t('common.default')}</option>
          {values.map(one => <option key={String(one)} value={String(one)}>{String(one).replace(/_/g, ' ')}</option>)}
        </select>
      ) : (
        <input inputMode={values === 'number' ? 'decimal' : 'text'} value={value} placeholder={t('common.default')} onChange={event => onChange(event.currentTarget.value)} />
      )}
    </label>
  );
}

function Seat({n, value, agents, onChange}: {n: number; value: string; agents: string[]; onChange: (agent: string) => void}) {
  const known = agents.includes(value) || value === 'guest' || value === 'me';
  return (
    <label class="field">
      <span>{t('lobby.seat', {n})}</span>
      <input list="agents" value={value} aria-label={t('lobby.seat', {n})} class={known ? '' : 'is-own'} onChange={event => onChange(event.currentTarget.value)} />
    </label>
  );
}

/** Game, opponents and options; `watch` leaves the player out. */
export function Lobby({watch, start, children}: {
  watch?: boolean;
  start: (table: OpenTable) => void;
  children?: preact.ComponentChildren;
}) {
  const loaded = useLoaded('games', games);
  return <Show of={loaded}>{list => <Chooser list={list} watch={watch} start={start}>{children}</Chooser>}</Show>;
}

function Chooser({list, watch, start, children}: {
  list: GameInfo[];
  watch?: boolean;
  start: (table: OpenTable) => void;
  children?: preact.ComponentChildren;
}) {
  const before = remembered();
  const first = list.find(game => game.name === before.game) ?? list.find(game => game.name === 'holdem') ?? list[0]!;
  const fresh = (game: GameInfo): Choice => ({
    game: game.name, players: defaultPlayers(game), options: {}, seats: [], adviser: game.agents[0] ?? 'rule', hands: '', seed: '',
  });
  const [choice, setChoice] = useState<Choice>({...fresh(first), ...(first.name === before.game ? before : {}), seed: '', hands: ''});
  const game = list.find(one => one.name === choice.game) ?? first;
  const set = (part: Partial<Choice>) => setChoice(old => ({...old, ...part}));
  const seatOf = (i: number): string => choice.seats[i] ?? (i === 0 && !watch ? 'me' : (game.agents[0] ?? 'rule'));
  const seats = Array.from({length: choice.players}, (_, i) => (i === 0 && !watch ? 'me' : seatOf(i) === 'me' ? (game.agents[0] ?? 'rule') : seatOf(i)));
  const options = Object.entries(game.options).filter(([name]) => !kNoOptions.includes(name));
  const spec = specOf(choice.game, {...choice.options, players: choice.players === defaultPlayersOf(game) ? '' : String(choice.players)});

  const submit = (event: Event) => {
    event.preventDefault();
    localStorage.setItem(kSlot, JSON.stringify(choice));
    start({
      game: spec,
      seats,
      ...(choice.seed ? {seed: choice.seed} : {}),
      ...(choice.hands ? {hands: Number(choice.hands)} : {}),
      ...(choice.adviser ? {adviser: choice.adviser} : {}),
    });
  };
  const optionField = (name: string) => (
    <Option
      key={name} name={name} values={game.options[name]!} value={choice.options[name] ?? ''}
      onChange={value => set({options: {...choice.options, [name]: value}})}
    />
  );
  return (
    <form class="lobby" onSubmit={submit}>
      <fieldset class="games">
        <legend>{watch ? t('watch.title') : t('lobby.title')}</legend>
        {families.map(family => {
          const members = list.filter(one => familyOf(one.name) === family);
          if (members.length === 0) return null;
          return (
            <div class="family" key={family}>
              <h2>{t(`lobby.family.${family}`)}</h2>
              <div class="tiles">
                {members.map(one => (
                  <label class="tile" key={one.name}>
                    <input type="radio" name="game" value={one.name} checked={one.name === choice.game} onChange={() => setChoice(fresh(one))} />
                    <Emblem game={one.name} />
                    <span class="tile-text">
                      <b>{gameName(one.name)}</b>
                      <small>{gameAbout(one.name) || t('common.player.range', {a: one.players[0], b: one.players[1]})}</small>
                    </span>
                  </label>
                ))}
              </div>
            </div>
          );
        })}
      </fieldset>
      <div class="seating panel">
        <h2>{gameName(choice.game)}</h2>
        {game.players[0] < game.players[1] && (
          <div class="segments" role="radiogroup" aria-label={t('lobby.players')}>
            {Array.from({length: game.players[1] - game.players[0] + 1}, (_, i) => game.players[0] + i).map(n => (
              <label key={n}>
                <input type="radio" name="players" checked={n === choice.players} onChange={() => set({players: n})} />
                <span>{n}</span>
              </label>
            ))}
            <span class="muted">{t('lobby.players')}</span>
          </div>
        )}
        <div class="seat-list">
          {seats.map((agent, i) => (agent === 'me' ? null : (
            <Seat key={i} n={i + 1} value={agent} agents={game.agents} onChange={value => {
              const next = [...seats];
              next[i] = value;
              set({seats: next});
            }} />
          )))}
          <datalist id="agents">
            {game.agents.map(agent => <option key={agent} value={agent} />)}
            <option value="guest">{t('lobby.guest')}</option>
          </datalist>
        </div>
        {kFirstOptions.filter(name => name in game.options).map(optionField)}
        {children}
        <details>
          <summary>{t('lobby.options')}</summary>
          <div class="option-list">
            {!watch && (
              <label class="field">
                <span>{t('lobby.adviser')}</span>
                <input list="agents" value={choice.adviser} onChange={event => set({adviser: event.currentTarget.value})} />
              </label>
            )}
            <label class="field">
              <span>{t('lobby.hands')}</span>
              <input type="number" min="1" value={choice.hands} onChange={event => set({hands: event.currentTarget.value})} />
            </label>
            <label class="field">
              <span>{t('lobby.seed')}</span>
              <input inputMode="numeric" pattern="[0-9]*" value={choice.seed} onChange={event => set({seed: event.currentTarget.value})} />
            </label>
            {options.filter(([name]) => !kFirstOptions.includes(name)).map(([name]) => optionField(name))}
          </div>
        </details>
        <p class="spec"><code>{spec}</code></p>
        <button type="submit" class="action action-raise action-big" data-act="start">{watch ? t('watch.start') : t('lobby.sit')}</button>
      </div>
    </form>
  );
}

/** How many play where the spec does not say; the server tells, otherwise two. */
function defaultPlayersOf(game: GameInfo & {default_players?: number}): number {
  return game.default_players ?? 0;
}
