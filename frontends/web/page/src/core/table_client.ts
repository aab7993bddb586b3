import {connect, hasServer, type Connection} from './connection';
import type {Legal, Message, OpenTable, Position} from './protocol';
import {Store} from './store';
import {afterMessage, noTable, type TableState} from './table_state';

export type Answer = {index: number} | {amount: number} | {text: string};

/** Answers the requests of a turn that the player has decided as a whole; null where it says nothing more. */
export type Plan = (legal: Legal[], position: Position) => Answer | null;

const kLongestWait = 8000;

/** One table of the server: sends what the player does, follows what happens, comes back after a lost connection. */
export class TableClient {
  readonly state = new Store<TableState>(noTable);
  private connection: Connection | null = null;
  private plan: Plan | null = null;
  private wait = 250;
  private ended = false;
  /** This connection is at the table. */
  private entered = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `slot`: where sessionStorage keeps the key of the seat. */
  constructor(private readonly slot: string, private readonly makeConnection: typeof connect = connect) {}

  static keyOf(slot: string): string | null {
    // Without a server a table ends with its page.
    return hasServer ? sessionStorage.getItem(slot) : null;
  }

  open(table: OpenTable): void {
    this.connect({type: 'open', ...table});
  }
  join(key: string): void {
    sessionStorage.setItem(this.slot, key);
    this.connect({type: 'join', key});
  }

  answer(answer: Answer, rest: Plan | null = null): void {
    const {request, answered} = this.state.get();
    if (!request || answered) return;
    this.plan = rest;
    this.state.update(state => ({...state, answered: true, error: null}));
    this.send({type: 'answer', id: request.id, ...answer});
  }
  /** Decides a whole turn, whose requests come one by one. */
  follow(plan: Plan): void {
    const {request} = this.state.get();
    const first = request && plan(request.legal, request.position);
    if (first) this.answer(first, plan);
  }
  next(): void {
    this.send({type: 'next'});
  }
  advise(): void {
    const {link, request, seat} = this.state.get();
    if (link !== 'open') return;
    if (request) {
      this.state.update(state => ({...state, advising: request.id, error: null}));
      this.send({type: 'advise', id: request.id});
    } else if (seat === null) {
      this.send({type: 'advise'});
    }
  }
  review(): void {
    const {link, reviewing} = this.state.get();
    if (link !== 'open' || reviewing) return;
    this.state.update(state => ({...state, reviewing: true, error: null}));
    this.send({type: 'review'});
  }
  control(type: 'pause' | 'resume' | 'step'): void {
    this.send({type});
  }
  pace(ms: number): void {
    this.send({type: 'pace', ms});
  }
  leave(): void {
    this.send({type: 'leave'});
    this.close();
    this.forget();
  }
  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.connection?.close();
    this.state.update(state => ({...state, link: 'closed'}));
  }

  private forget(): void {
    sessionStorage.removeItem(this.slot);
  }

  private connect(first: Message): void {
    this.entered = false;
    const connection: Connection = this.makeConnection({
      opened: () => connection.send(JSON.stringify(first)),
      heard: text => this.receive(JSON.parse(text) as Message),
      closed: () => {
        if (this.connection === connection) this.lost();
      },
    });
    this.connection = connection;
  }

  private receive(message: Message): void {
    this.wait = 250;
    if (message.type === 'opened') {
      this.entered = true;
      if (typeof message.key === 'string') sessionStorage.setItem(this.slot, message.key);
    }
    if (message.type === 'bye') {
      this.ended = true;
      this.forget();
    }
    if (message.type === 'error' && !this.entered) return this.refused(String(message.message ?? ''));
    if (message.type === 'error' || message.type === 'hand') this.plan = null;
    this.state.update(state => afterMessage(state, message));
    if (message.type === 'request' && this.plan) {
      const plan = this.plan;
      const {request} = this.state.get();
      const next = plan(request!.legal, request!.position);
      if (next) this.answer(next, plan);
      else this.plan = null;
    }
  }

  /** There is no such table, or none any more: no later try would find it. */
  private refused(why: string): void {
    this.forget();
    this.state.update(state => ({...state, bye: why}));
    this.close();
  }

  private lost(): void {
    if (this.ended) return;
    const key = TableClient.keyOf(this.slot);
    if (!key) {
      this.state.update(state => ({...state, link: 'closed', bye: state.bye ?? state.error ?? ''}));
      return;
    }
    // What was asked for over this connection may never come.
    this.state.update(state => ({...state, link: 'lost', advising: null, reviewing: false}));
    this.timer = setTimeout(() => this.connect({type: 'join', key}), this.wait);
    this.wait = Math.min(this.wait * 2, kLongestWait);
  }

  private send(message: Message): void {
    this.connection?.send(JSON.stringify(message));
  }
}
