import {post} from '../core/api';
import type {AnalysedDecision, GameEvent, Legal, Position} from '../core/protocol';

export interface ReplayStep {
  events: GameEvent[];
  seat: number | null;
  position: Position;
  legal?: Legal[];
  decision?: {index?: number | null; amount?: number; text?: string} | string | null;
}

export interface ReplayHand {
  name: string;
  game: string;
  players: number;
  names: string[];
  unit: string;
  steps: ReplayStep[];
  result: number[];
}

export interface Replay {
  hands: ReplayHand[];
  hands_in_file?: number;
  errors: {hand: string; line: number; message: string}[];
}

const kPage = 100;
const kMost = 1000;

export interface Analysis {
  agent: string;
  decisions: AnalysedDecision[];
  players?: {
    player: string;
    hands: number;
    judged: number;
    mistakes: number;
    loss_per_decision?: {value: number | null; ci95: number | null};
    loss_per_hand?: {value: number | null; ci95: number | null};
  }[];
  worst?: number[];
}

/** Plays the hands of a text again, page by page. Hands that have no single decisions are left out. */
export async function replay(text: string): Promise<Replay> {
  const all: Replay = {hands: [], errors: []};
  for (let from = 1; from <= kMost; from += kPage) {
    const page = await post<Replay>(`/api/replay?from=${from}&hands=${kPage}`, text);
    all.hands.push(...page.hands.filter(hand => (hand.steps ?? []).length > 0));
    all.errors.push(...page.errors.filter(error => !all.errors.some(known => known.hand === error.hand && known.line === error.line)));
    all.hands_in_file = page.hands_in_file;
    if (from + kPage > (page.hands_in_file ?? 0)) break;
  }
  return all;
}

export const analyse = (text: string, agent: string): Promise<Analysis> =>
  post(`/api/analyse?agent=${encodeURIComponent(agent)}`, text);

/** The decision at a step, in words of the program. */
export function decisionText({decision, legal}: ReplayStep): string {
  if (decision === null || decision === undefined) return '';
  if (typeof decision === 'string') return decision;
  if (decision.text) return decision.text;
  const choice = legal?.find(one => one.index !== null && one.index === decision.index);
  return choice?.text ?? (decision.amount !== undefined ? `${decision.amount}` : '');
}

/** The judgement of the turn that the step belongs to: the n-th turn of its hand. */
export function judgementOf(decisions: readonly AnalysedDecision[], hand: ReplayHand, at: number): AnalysedDecision | null {
  const step = hand.steps[at];
  if (!step || step.seat === null) return null;
  const ofHand = decisions.filter(one => one.hand === hand.name);
  const turn = turnOf(hand, at);
  return ofHand.find(one => one.turn === turn) ?? null;
}

/** Steps of one seat after each other without events between them are one turn. */
export function turnOf(hand: ReplayHand, at: number): number {
  let turn = -1;
  let last: number | null = null;
  for (let i = 0; i <= at; ++i) {
    const {seat, events} = hand.steps[i]!;
    if (seat !== null && (seat !== last || events.length > 0)) ++turn;
    last = seat;
  }
  return turn;
}
