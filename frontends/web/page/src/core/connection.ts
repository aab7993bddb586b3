import {get, socketAddress} from './api';
import type {GameInfo} from './games';

/** True with a server, which also knows runs, reports and hand histories. */
export const hasServer: boolean = true;

export interface Listener {
  opened(): void;
  heard(text: string): void;
  closed(): void;
}

/** Carries the messages of a table. The page without a server has another module in place of this: static/connection.ts. */
export interface Connection {
  send(text: string): void;
  close(): void;
}

export function connect(listener: Listener, address = socketAddress()): Connection {
  const socket = new WebSocket(address);
  socket.onopen = () => listener.opened();
  socket.onmessage = event => listener.heard(String(event.data));
  socket.onclose = () => listener.closed();
  return {
    send: text => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(),
  };
}

export const listGames = (): Promise<GameInfo[]> => get<GameInfo[]>('/api/games');
