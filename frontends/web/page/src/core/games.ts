import {get} from './api';

export interface GameInfo {
  name: string;
  players: [number, number];
  unit?: string;
  agents: string[];
  options: Record<string, (string | number | boolean | null)[] | string>;
}

let known: Promise<GameInfo[]> | null = null;

/** The games of the server, asked once. */
export function games(): Promise<GameInfo[]> {
  known ??= get<GameInfo[]>('/api/games').catch((error: unknown) => {
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
