/** In place of core/connection.ts where there is no server: games and agents run in a Web Worker. */
import type {Connection, Listener} from '../core/connection';
import type {GameInfo} from '../core/games';
import type {FromWorker, ToWorker} from './messages';

export const hasServer: boolean = false;

let worker: Worker | null = null;
let last = 0;
const listeners = new Map<number, Listener>();
const waiting: {done: (games: GameInfo[]) => void; failed: (error: Error) => void}[] = [];

function receive(message: FromWorker): void {
  if (message.type === 'heard') {
    listeners.get(message.connection)?.heard(message.text);
  } else if (message.type === 'games') {
    const told = JSON.parse(message.text) as GameInfo[] | {message: string};
    for (const {done, failed} of waiting.splice(0)) Array.isArray(told) ? done(told) : failed(new Error(told.message));
  } else {
    fail(message.message);
  }
}

/** Nothing more comes from this worker: tables are lost, and the next one starts anew. */
function fail(why: string): void {
  worker?.terminate();
  worker = null;
  for (const {failed} of waiting.splice(0)) failed(new Error(why));
  const lost = [...listeners.values()];
  listeners.clear();
  for (const listener of lost) {
    listener.heard(JSON.stringify({type: 'bye', reason: why}));
    listener.closed();
  }
}

function tell(message: ToWorker): void {
  if (!worker) {
    worker = new Worker(new URL('./worker.ts', import.meta.url), {type: 'module'});
    worker.onmessage = event => receive(event.data as FromWorker);
    worker.onerror = event => fail(event.message || 'the games could not be loaded');
  }
  worker.postMessage(message);
}

export function connect(listener: Listener): Connection {
  const connection = ++last;
  listeners.set(connection, listener);
  queueMicrotask(() => listener.opened());
  return {
    send: text => tell({type: 'take', connection, text}),
    close: () => {
      if (!listeners.delete(connection)) return;
      tell({type: 'left', connection});
      listener.closed();
    },
  };
}

export function listGames(): Promise<GameInfo[]> {
  return new Promise((done, failed) => {
    waiting.push({done, failed});
    if (waiting.length === 1) tell({type: 'games'});
  });
}
