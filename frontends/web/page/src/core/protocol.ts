/** Messages of the WebSocket: docs/web-protocol.md, docs/bot-protocol.md, docs/events.md, docs/environment.md. */

export interface Legal {
  index: number | null;
  text: string;
  kind: string;
  cards?: string[];
  amount?: number;
  min?: number;
  max?: number;
  step?: number;
}

export interface GameEvent {
  event: string;
  seat?: number | null;
  street?: number;
  what?: string;
  action?: string;
  amount?: number;
  total?: number;
  all_in?: boolean;
  cards?: string[];
  count?: number;
  places?: string[];
  hand?: string | number;
  dealer?: number | null;
  stacks?: number[];
  fantasyland?: number[];
  taken_out?: string[];
  chip?: number;
  pot?: number;
  half?: string | null;
  net?: number[];
  winners?: number[];
  odd_chips?: number;
}

export interface PlayerPosition {
  seat: number;
  out?: boolean;
  cards?: string[];
  card_count?: number;
  picked?: string[];
  discarded?: string[] | string[][];
  chips?: number;
  bet?: number;
  paid?: number;
  folded?: boolean;
  all_in?: boolean;
  up?: string[];
  shown?: string[];
  drawn?: number[];
  points?: number;
  fantasyland?: boolean;
  rows?: Record<string, string[]>;
}

export interface LineChip {
  chip: number;
  taken_by: number | null;
  tied: boolean;
  laid: {cards: string[]; card_count: number; turn: number}[];
}

export interface Position {
  street?: number;
  dealer?: number | null;
  board?: string[];
  pot?: number;
  to_call?: number;
  taken_out?: string[];
  history?: string[];
  next?: string | null;
  places_left?: number;
  discards_left?: number;
  mover?: number | null;
  naming?: boolean;
  pending?: number;
  stock?: number;
  /** A tied chip counts for both. */
  ties_count?: boolean;
  chips?: LineChip[];
  players?: PlayerPosition[];
  [field: string]: unknown;
}

export interface Request {
  id: number;
  seat: number;
  legal: Legal[];
  position: Position;
}

export interface Hello {
  game: string;
  spec: string;
  rules?: string;
  players: number;
  unit: string;
  options?: Record<string, unknown>;
}

export interface AdviceChoice {
  index?: number | null;
  amount?: number;
  /** The indices of a turn that is told card by card; `text` has it in words. */
  turn?: number[];
  text?: string;
  probability?: number;
  value?: number;
  standard_error?: number | null;
}

/** The estimates of a whole turn, in the order of `values`, whose `value` it has. */
export interface TurnChance {
  turn: number[];
  value: number;
  foul: number;
  fantasyland: number;
}

export interface Advice {
  id: number;
  adviser: string;
  policy: AdviceChoice[] | null;
  values: AdviceChoice[] | null;
  method?: string;
  plays?: ({index: number} | {amount: number})[];
  /** Shares of the pot, of the stock, of the turns of open-face poker: as many as the game has. */
  chances?: ({turns?: TurnChance[]} & Record<string, unknown>) | null;
  reason?: string | null;
}

export interface AnalysedChoice {
  choice: string;
  probability?: number | null;
  value?: number | null;
  ci95?: number | null;
}

export interface AnalysedDecision {
  hand?: string;
  number?: number;
  seat: number;
  player?: string;
  street?: number;
  turn?: number;
  chosen: string;
  best: string | null;
  loss: number | null;
  cost?: number | null;
  ci95?: number | null;
  verdict?: string;
  mark?: string;
  unit?: string;
  why?: string;
  choices?: AnalysedChoice[];
}

/** The decisions of a hand, or why they cannot be judged. */
export interface Review {
  hand: number;
  decisions: AnalysedDecision[];
  problem?: string;
}

export interface HandOver {
  won: number[];
  scores?: number[];
  hands?: number;
  log?: string;
  match_over?: boolean;
  /** No hand follows. */
  last?: boolean;
}

export type Message = {type: string} & Record<string, unknown>;

export interface OpenTable {
  game: string;
  seats: string[];
  seed?: string;
  hands?: number;
  adviser?: string;
  pace?: number;
  view?: 'all' | number;
}
