import {beforeEach, describe, expect, it, vi} from 'vitest';
import type {Message} from '../src/core/protocol';
import {connect} from '../src/core/connection';
import {TableClient} from '../src/core/table_client';
import {afterMessage, handEnded, noTable, type TableState} from '../src/core/table_state';

const told = (...messages: Message[]): TableState => messages.reduce(afterMessage, noTable);
const opened = {type: 'opened', table: 1, key: 'k', seat: 0, names: ['host', 'rule'], people: [{seat: 0, here: true}], guests: []};
const begun = {event: 'hand_begun', hand: 0, dealer: 0, stacks: [10, 10]};
const ended = {event: 'hand_ended', hand: 0, net: [1, -1]};
const events = (...list: object[]): Message => ({type: 'events', table: 0, events: list});
const position = (pot: number, to_act: number | null = 0): Message => ({type: 'position', position: {pot, players: []}, to_act});
const request = (id: number): Message => ({type: 'request', id, table: 0, seat: 0, legal: [{index: 0, text: 'fold', kind: 'fold'}], position: {pot: 3}});

const over = {type: 'hand_over', won: [1, -1], scores: [1, -1]};

describe('the state of a table', () => {
  it('shows nothing of the hand before once the next begins', () => {
    const first = told(opened, {type: 'hand', number: 1, scores: [0, 0]}, events(begun), position(3), request(1), events(ended), {type: 'hand_over', won: [1, -1], scores: [1, -1]});
    expect(first.over?.won).toEqual([1, -1]);
    expect(handEnded(first)).toBe(true);
    const second = [{type: 'hand', number: 2, scores: [1, -1]}].reduce(afterMessage, first);
    expect(second).toMatchObject({hand: 2, events: [], over: null, position: null, request: null, review: null, scores: [1, -1]});
    expect(handEnded(second)).toBe(false);
  });
  it('clears the table at hand_begun, too, where no hand message comes', () => {
    const first = told(opened, events(begun, ended), {type: 'hand_over', won: [1, -1]});
    const second = afterMessage(first, events({...begun, hand: 1}));
    expect(second.events).toHaveLength(1);
    expect(second.over).toBeNull();
  });
  it('keeps a request open after an error', () => {
    const asked = {...told(opened, events(begun), request(7)), answered: true};
    const refused = afterMessage(asked, {type: 'error', message: 'raise to 5 is not legal'});
    expect(refused.request?.id).toBe(7);
    expect(refused).toMatchObject({answered: false, error: 'raise to 5 is not legal'});
  });
  it('takes the position after each group of events', () => {
    const state = told(opened, events(begun), position(3, 1), events({event: 'acted', seat: 1}), position(5, 0));
    expect(state.position?.pot).toBe(5);
    expect(state.toAct).toBe(0);
  });
  it('ends a request with the next events', () => {
    expect(told(opened, events(begun), request(1), events({event: 'acted', seat: 0})).request).toBeNull();
  });
  it('shows the review of the hand on the table alone', () => {
    const table = told(opened, {type: 'hand', number: 1}, events(begun, ended), over);
    const review = (hand: number): Message => ({type: 'review', hand, decisions: []});
    expect(afterMessage(table, review(1)).review).toMatchObject({hand: 1});
    const second = [{type: 'hand', number: 2}, review(1), events(begun, ended), over].reduce(afterMessage, {...table, reviewing: true});
    expect(second).toMatchObject({review: null, reviewing: false});
  });
  it('keeps why a hand cannot be judged', () => {
    const table = told(opened, {type: 'hand', number: 1}, {type: 'review', hand: 1, decisions: [], problem: 'no probabilities'});
    expect(table.review?.problem).toBe('no probabilities');
  });
  it('knows who has left and so ended the table', () => {
    expect(told(opened, {type: 'bye', reason: 'host has left', left: 0})).toMatchObject({link: 'closed', left: 0});
    expect(told(opened, {type: 'bye', reason: 'nobody was here'}).left).toBeNull();
  });
  it('has the rules in words where the server sends them', () => {
    expect(told({...opened, how_to_play: 'Two players.\nOne card.'}).howToPlay).toBe('Two players.\nOne card.');
    expect(told(opened).howToPlay).toBe('');
  });
  it('knows who is there', () => {
    expect(told(opened, {type: 'presence', seat: 1, here: false}).here).toEqual({0: true, 1: false});
  });
});

class FakeSocket {
  static all: FakeSocket[] = [];
  static readonly OPEN = 1;
  readyState = 1;
  sent: Message[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: {data: string}) => void) | null = null;
  onclose: (() => void) | null = null;
  constructor() {
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Message);
  }
  close(): void {
    this.onclose?.();
  }
  hear(message: Message): void {
    this.onmessage?.({data: JSON.stringify(message)});
  }
}

describe('the connection', () => {
  beforeEach(() => {
    FakeSocket.all = [];
    const kept = new Map<string, string>();
    vi.stubGlobal('WebSocket', FakeSocket);
    vi.stubGlobal('sessionStorage', {getItem: (k: string) => kept.get(k) ?? null, setItem: (k: string, v: string) => kept.set(k, v), removeItem: (k: string) => kept.delete(k)});
    vi.useFakeTimers();
  });
  const client = (): {client: TableClient; socket: FakeSocket} => {
    const made = new TableClient('seat', listener => connect(listener, 'ws://test'));
    made.open({game: 'ofc', seats: ['me', 'rule']});
    const socket = FakeSocket.all[0]!;
    socket.onopen?.();
    socket.hear(opened);
    return {client: made, socket};
  };
  it('comes back to its seat with the key after a loss', () => {
    const {client: table, socket} = client();
    socket.close();
    expect(table.state.get().link).toBe('lost');
    vi.runAllTimers();
    const second = FakeSocket.all[1]!;
    second.onopen?.();
    expect(second.sent).toEqual([{type: 'join', key: 'k'}]);
    second.hear(opened);
    expect(table.state.get().link).toBe('open');
  });
  it('stays away after bye', () => {
    const {client: table, socket} = client();
    socket.hear({type: 'bye', reason: 'another window took the seat'});
    sessionStorage.setItem('seat', 'of another table');
    socket.close();
    vi.runAllTimers();
    expect(FakeSocket.all).toHaveLength(1);
    expect(table.state.get()).toMatchObject({link: 'closed', bye: 'another window took the seat'});
  });
  it('waits for advice until it comes, or cannot come any more', () => {
    const {client: table, socket} = client();
    const advising = () => table.state.get().advising;
    socket.hear(request(4));
    table.advise();
    expect(advising()).toBe(4);
    socket.hear({type: 'advice', id: 4});
    expect(advising()).toBeNull();
    table.advise();
    socket.hear({type: 'error', message: 'nobody advises'});
    expect(advising()).toBeNull();
    table.advise();
    socket.close();
    expect(advising()).toBeNull();
    table.advise();
    expect(advising()).toBeNull();
    expect(socket.sent.filter(m => m.type === 'advise')).toHaveLength(3);
  });
  it('asks for a review once, and for another after an error', () => {
    const {client: table, socket} = client();
    table.review();
    table.review();
    socket.hear({type: 'error', message: 'no'});
    table.review();
    expect(socket.sent.filter(m => m.type === 'review')).toHaveLength(2);
    socket.close();
    expect(table.state.get().reviewing).toBe(false);
  });
  it('is closed for good by a refusal of its table', () => {
    const made = new TableClient('seat', listener => connect(listener, 'ws://test'));
    made.open({game: 'ofc[stack=abc]', seats: ['me', 'rule']});
    FakeSocket.all[0]!.onopen?.();
    FakeSocket.all[0]!.hear({type: 'error', message: 'stack: expected a number'});
    expect(made.state.get()).toMatchObject({link: 'closed', table: null, bye: 'stack: expected a number'});
    vi.runAllTimers();
    expect(FakeSocket.all).toHaveLength(1);
  });
  it('forgets the key of a table that has gone, on the first try and after a loss', () => {
    const gone = {type: 'error', message: 'join: there is no table with this key any more'};
    const made = new TableClient('seat', listener => connect(listener, 'ws://test'));
    made.join('stale');
    FakeSocket.all[0]!.onopen?.();
    FakeSocket.all[0]!.hear(gone);
    expect(sessionStorage.getItem('seat')).toBeNull();
    expect(made.state.get().link).toBe('closed');
    FakeSocket.all = [];
    const {client: table, socket} = client();
    socket.close();
    vi.runAllTimers();
    FakeSocket.all[1]!.onopen?.();
    FakeSocket.all[1]!.hear(gone);
    vi.runAllTimers();
    expect(FakeSocket.all).toHaveLength(2);
    expect(sessionStorage.getItem('seat')).toBeNull();
    expect(table.state.get()).toMatchObject({link: 'closed', bye: gone.message});
  });
  it('answers a request once, and again after an error', () => {
    const {client: table, socket} = client();
    socket.hear(request(4));
    table.answer({index: 0});
    table.answer({index: 0});
    expect(socket.sent.filter(m => m.type === 'answer')).toEqual([{type: 'answer', id: 4, index: 0}]);
    socket.hear({type: 'error', message: 'no'});
    table.answer({index: 0});
    expect(socket.sent.filter(m => m.type === 'answer')).toHaveLength(2);
  });
  it('tells a planned turn answer by answer', () => {
    const {client: table, socket} = client();
    socket.hear(request(1));
    let left = 2;
    table.follow(() => (left-- > 0 ? {index: left} : null));
    socket.hear(request(2));
    socket.hear(request(3));
    expect(socket.sent.filter(m => m.type === 'answer')).toEqual([{type: 'answer', id: 1, index: 1}, {type: 'answer', id: 2, index: 0}]);
    expect(table.state.get()).toMatchObject({answered: false, request: {id: 3}});
  });
  it('drops the plan at an error', () => {
    const {client: table, socket} = client();
    socket.hear(request(1));
    table.follow(() => ({index: 0}));
    socket.hear({type: 'error', message: 'no'});
    socket.hear(request(2));
    expect(socket.sent.filter(m => m.type === 'answer')).toHaveLength(1);
  });
});
