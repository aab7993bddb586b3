import {listGames} from './connection';

export interface GameInfo {
  name: string;
  players: [number, number];
  default_players?: number;
  unit?: string;
  agents: string[];
  /** Every rule of the game, a line of YAML each. */
  rules?: string;
}

/** Values of rules that are words; all others are typed. */
const words: Record<string, readonly string[]> = {
  limit: ['structured', 'pot_limit', 'no_limit'],
  procedure: ['draw', 'stud', 'holdem'],
  episode: ['hand', 'match', 'chain'],
  washizu: ['none', 'replace_suit', 'replace_random', 'add'],
  short_blind: ['posted', 'full'],
  odd_chips: ['left_of_dealer', 'discard'],
  ties: ['nobody', 'second_mover', 'first_mover', 'both'],
};

export interface Rule {
  name: string;
  value: string;
  words?: readonly string[];
}

/** The rules that can be changed in brackets, with the values in use: `fantasyland.cards` for one of a section. */
export function rulesOf(game: GameInfo): Rule[] {
  const rules: Rule[] = [];
  const path: string[] = [];
  for (const line of (game.rules ?? '').split('\n')) {
    const found = /^( *)(\w+):(?: +([^#]*))?/.exec(line);
    if (!found) continue;
    const [, indent = '', key = '', told = ''] = found;
    path.splice(indent.length / 2, Infinity, key);
    const name = path.join('.');
    const value = told.trim();
    if (value === '' || name === 'game' || name === 'players') continue;
    const known = words[name] ?? (/^(true|false)$/.test(value) ? ['true', 'false'] : undefined);
    rules.push({name, value, words: known?.includes(value) || known === undefined ? known : [...known, value]});
  }
  return rules;
}

let known: Promise<GameInfo[]> | null = null;

/** The games of the server, asked once. */
export function games(): Promise<GameInfo[]> {
  known ??= listGames().catch((error: unknown) => {
    known = null;
    throw error;
  });
  return known;
}

/** `holdem[limit=no_limit,players=3]`; options that are left out stay as the game says. */
export function specOf(name: string, options: Record<string, string>): string {
  const told = Object.entries(options).filter(([, value]) => value !== '');
  return told.length === 0 ? name : `${name}[${told.map(([key, value]) => `${key}=${value}`).join(',')}]`;
}
