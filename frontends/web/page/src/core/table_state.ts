import type {
  Advice, GameEvent, HandOver, Hello, Legal, Message, Position, Request, Review,
} from './protocol';

/** The page's knowledge of one table: a fold over the messages of the server. */
export interface TableState {
  link: 'connecting' | 'open' | 'lost' | 'closed';
  table: string | null;
  seat: number | null;
  names: string[];
  guests: {seat: number; key: string}[];
  here: Record<number, boolean>;
  /** The rules in words. */
  howToPlay: string;
  hello: Hello | null;
  hand: number;
  scores: number[];
  events: GameEvent[];
  position: Position | null;
  toAct: number | null;
  /** The choices of the player to act, if a watcher may see them. */
  legal: Legal[];
  request: Request | null;
  /** The request has been answered; nothing came back yet. */
  answered: boolean;
  over: HandOver | null;
  advice: Advice | null;
  /** The request for which advice is on its way. */
  advising: number | null;
  review: Review | null;
  /** The review of this hand is on its way. */
  reviewing: boolean;
  error: string | null;
  bye: string | null;
  /** The seat of the person whose leaving has ended the table. */
  left: number | null;
}

export const noTable: TableState = {
  link: 'connecting', table: null, seat: null, names: [], guests: [], here: {}, howToPlay: '', hello: null, hand: 0, scores: [],
  events: [], position: null, toAct: null, legal: [], request: null, answered: false, over: null, advice: null,
  advising: null, review: null, reviewing: false, error: null, bye: null, left: null,
};

/** Nothing of the hand before stays on the table. */
const freshHand = {
  events: [] as GameEvent[], position: null, toAct: null, legal: [] as Legal[], request: null, answered: false, over: null,
  advice: null, advising: null, review: null, reviewing: false, error: null,
};

function withEvents(state: TableState, events: GameEvent[]): TableState {
  let begun = -1;
  events.forEach((event, i) => {
    if (event.event === 'hand_begun') begun = i;
  });
  const cleared = begun >= 0 && state.events.length > 0 ? {...state, ...freshHand} : state;
  const kept = begun >= 0 ? events.slice(begun) : [...cleared.events, ...events];
  return {...cleared, events: kept, request: null, answered: false, advice: null};
}

/** The state after one message. Unknown types leave it as it is. */
export function afterMessage(state: TableState, message: Message): TableState {
  switch (message.type) {
    case 'opened':
      return {
        ...state,
        link: 'open',
        table: String(message.table),
        seat: (message.seat as number | null) ?? null,
        names: (message.names as string[]) ?? state.names,
        howToPlay: String(message.how_to_play ?? ''),
        guests: (message.guests as TableState['guests']) ?? [],
        here: Object.fromEntries(((message.people as {seat: number; here: boolean}[]) ?? []).map(one => [one.seat, one.here])),
        bye: null,
      };
    case 'hello':
      return {...state, link: 'open', hello: message as unknown as Hello};
    case 'begin':
      return {...state, seat: typeof message.seat === 'number' ? message.seat : state.seat};
    case 'hand':
      return {
        ...state,
        ...freshHand,
        hand: Number(message.number),
        scores: (message.scores as number[]) ?? state.scores,
        names: (message.names as string[]) ?? state.names,
      };
    case 'events':
      return withEvents(state, message.events as GameEvent[]);
    case 'position':
      return {
        ...state,
        position: message.position as Position,
        toAct: (message.to_act as number | null) ?? null,
        legal: (message.legal as Legal[]) ?? [],
        advice: null,
      };
    case 'request': {
      const request = message as unknown as Request;
      return {
        ...state,
        request,
        answered: false,
        advice: null,
        error: null,
        toAct: request.seat ?? state.seat,
        position: request.position ?? state.position,
      };
    }
    case 'error':
      // People mistype: the request stays open. What the error refuses will not come.
      return {...state, answered: false, advising: null, reviewing: false, error: String(message.message ?? message.error ?? '')};
    case 'hand_over':
      return {
        ...state,
        over: message as unknown as HandOver,
        scores: (message.scores as number[]) ?? state.scores,
        request: null,
        answered: false,
        toAct: null,
        advice: null,
      };
    case 'advice':
      return {...state, advice: message as unknown as Advice, advising: null};
    case 'review':
      // It may come when another hand is on the table.
      if (message.hand !== state.hand) return state;
      return {...state, review: message as unknown as Review, reviewing: false};
    case 'presence':
      return {...state, here: {...state.here, [message.seat as number]: message.here as boolean}};
    case 'bye':
      return {...state, link: 'closed', bye: String(message.reason ?? ''), left: (message.left as number | undefined) ?? null, request: null};
    default:
      return state;
  }
}

/** The hand is over and its cards are on the table: from the events, also before `hand_over` comes. */
export function handEnded(state: TableState): boolean {
  return state.over !== null || state.events.some(event => event.event === 'hand_ended');
}
