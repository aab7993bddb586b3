import type {VNode} from 'preact';
import type {Answer, Plan} from '../core/table_client';
import type {GameEvent, Legal, Position, Request} from '../core/protocol';

/** The input of a view of a game. */
export interface ViewProps {
  position: Position;
  /** Events of the hand in progress, as the seat sees them. */
  events: GameEvent[];
  names: string[];
  /** The seat of who looks; null for a watcher. */
  seat: number | null;
  toAct: number | null;
  /** The decision to be made, null where somebody else is to act. */
  request: Request | null;
  /** The hand is over: cards that were shown stay on the table. */
  over: boolean;
  unit: string;
  here: Record<number, boolean>;
  answer: (answer: Answer) => void;
  /** Decides a turn that is told card by card. */
  follow: (plan: Plan) => void;
}

export interface GameView {
  name: string;
  /** From the position alone, never from the name of a game: own variants are shown, too. */
  shows: (position: Position) => boolean;
  Table: (props: ViewProps) => VNode;
  /** The controls of the player; left out: a button for each choice. */
  Controls?: (props: ViewProps & {request: Request}) => VNode;
  /** For turns that are played card by card: the name of a whole turn, and a function that makes it the plan of the player. */
  turn?: {
    text: (words: string, request: Request) => string | null;
    take: (words: string, request: Request) => void;
  };
}

const views: GameView[] = [];

/** Views that are registered later are asked first. */
export function registerView(view: GameView): void {
  views.unshift(view);
}

export function viewOf(position: Position): GameView {
  const found = views.find(view => view.shows(position));
  if (!found) throw new Error('no view is registered');
  return found;
}

export const sameCards = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && [...a].sort().join() === [...b].sort().join();

export const indexAnswer = (choice: Legal | undefined): Answer | null =>
  choice && choice.index !== null ? {index: choice.index} : null;
