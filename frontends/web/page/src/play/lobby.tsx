import {useState} from 'preact/hooks';
import {hasServer} from '../core/connection';
import {games, rulesOf, specOf, type GameInfo, type Rule} from '../core/games';
import type {OpenTable} from '../core/protocol';
import {t, tOr} from '../i18n';
import {families, familyOf, gameAbout, gameName, gameOrder} from '../i18n/game_names';
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

/** Rules that are shown at once; all others wait under "Rules and options". */
const isFirst = (rule: Rule, game: GameInfo): boolean =>
  rule.words !== undefined && (rule.name === 'limit' || (rule.name === 'procedure' && familyOf(game.name) === 'court'));

const ruleWord = (value: string): string => tOr(`rule.${value}`, value.replace(/_/g, ' '));

const defaultPlayers = (game: GameInfo): number => game.default_players ?? Math.max(2, game.players[0]);

function RuleField({rule, value, onChange}: {rule: Rule; value: string; onChange: (value: string) => void}) {
  return (
    <label class="field">
      <span>{tOr(`rule.${rule.name}`, rule.name.replace(/[_.]/g, ' '))}</span>
      {rule.words ? (
        <select data-rule={rule.name} value={value || rule.value} onChange={event => onChange(event.currentTarget.value === rule.value ? '' : event.currentTarget.value)}>
          {rule.words.map(one => <option key={one} value={one}>{ruleWord(one)}</option>)}
        </select>
      ) : (
        <input value={value} placeholder={rule.value} onChange={event => onChange(event.currentTarget.value.trim())} />
      )}
    </label>
  );
}

const kSearch = 'search[simulations=200]';

/** Chooses an agent; any other spec can be typed. */
function AgentField({label, value, agents, guest, onChange}: {
  label: string;
  value: string;
  agents: readonly string[];
  guest?: boolean;
  onChange: (agent: string) => void;
}) {
  const known = [...agents, ...(guest ? ['guest'] : [])];
  const [typed, setTyped] = useState(!known.includes(value));
  return (
    <div class="field">
      <label>
        <span>{label}</span>
        <select
          value={typed ? '' : value}
          onChange={event => {
            const next = event.currentTarget.value;
            setTyped(next === '');
            if (next) onChange(next);
          }}
        >
          {agents.map(agent => <option key={agent} value={agent}>{tOr(`agent.${agent}`, agent)}</option>)}
          {guest && <option value="guest">{t('lobby.guest')}</option>}
          <option value="">{t('lobby.agent.other')}</option>
        </select>
      </label>
      {typed && <input value={value} aria-label={`${label}: ${t('lobby.agent.other')}`} onChange={event => onChange(event.currentTarget.value.trim())} />}
    </div>
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
    game: game.name, players: defaultPlayers(game), options: {}, seats: [], adviser: 'best', hands: '', seed: '',
  });
  const [choice, setChoice] = useState<Choice>({...fresh(first), ...(first.name === before.game ? before : {}), seed: '', hands: ''});
  const game = list.find(one => one.name === choice.game) ?? first;
  const set = (part: Partial<Choice>) => setChoice(old => ({...old, ...part}));
  const seatOf = (i: number): string => choice.seats[i] ?? 'best';
  const seats = Array.from({length: choice.players}, (_, i) => (i === 0 && !watch ? 'me' : seatOf(i) === 'me' ? 'best' : seatOf(i)));
  const rules = rulesOf(game);
  // As many players as there are seats: the server takes the number from the list.
  const spec = specOf(choice.game, choice.options);
  const agents = ['best', ...['default', 'rule', 'random'].filter(agent => game.agents.includes(agent)), kSearch];

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
  const ruleField = (rule: Rule) => (
    <RuleField
      key={rule.name} rule={rule} value={choice.options[rule.name] ?? ''}
      onChange={value => set({options: {...choice.options, [rule.name]: value}})}
    />
  );
  return (
    <form class="lobby" onSubmit={submit}>
      <fieldset class="games">
        <legend>{watch ? t('watch.title') : t('lobby.title')}</legend>
        {families.map(family => {
          const members = list.filter(one => familyOf(one.name) === family).sort((a, b) => gameOrder(a.name) - gameOrder(b.name));
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
            <AgentField key={`${game.name} ${i}`} label={t('lobby.seat', {n: i + 1})} value={agent} agents={agents} guest={!watch && hasServer} onChange={value => {
              const next = [...seats];
              next[i] = value;
              set({seats: next});
            }} />
          )))}
        </div>
        {rules.filter(rule => isFirst(rule, game)).map(ruleField)}
        {children}
        <details>
          <summary>{t('lobby.options')}</summary>
          <div class="option-list">
            {!watch && <AgentField label={t('lobby.adviser')} value={choice.adviser} agents={agents} onChange={value => set({adviser: value})} />}
            <label class="field">
              <span>{t('lobby.hands')}</span>
              <input type="number" min="1" value={choice.hands} onChange={event => set({hands: event.currentTarget.value})} />
            </label>
            <label class="field">
              <span>{t('lobby.seed')}</span>
              <input inputMode="numeric" pattern="[0-9]*" value={choice.seed} onChange={event => set({seed: event.currentTarget.value})} />
            </label>
            {rules.filter(rule => !isFirst(rule, game)).map(ruleField)}
          </div>
        </details>
        <p class="spec"><code>{spec}</code></p>
        <button type="submit" class="action action-raise action-big" data-act="start">{watch ? t('watch.start') : t('lobby.sit')}</button>
      </div>
    </form>
  );
}
