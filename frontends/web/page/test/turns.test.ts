import {describe, expect, it} from 'vitest';
import type {Legal, LineChip, PlayerPosition, Position} from '../src/core/protocol';
import {betChoices, clamped, potFraction, typedAmount} from '../src/views/bet_size';
import {discardPlan} from '../src/views/discards';
import {threatens} from '../src/views/line';
import {complete, free, move, movesFrom, pending, placementPlan, rowsWith} from '../src/views/ofc_plan';
import {compare, isFoul, rowHand, strength} from '../src/views/ofc_rows';
import {viewOf} from '../src/views';
import {stackAfter} from '../src/views/poker';
import {layPlan} from '../src/views/seven_hand';

const none: Position = {};

describe('bets', () => {
  const legal: Legal[] = [
    {index: 0, text: 'fold', kind: 'fold'}, {index: 1, text: 'call 50', kind: 'call'}, {index: 2, text: 'raise to 200', kind: 'raise', amount: 200},
    {index: null, text: 'raise to', kind: 'raise', min: 200, max: 10000, step: 1},
  ];
  it('are sorted by what they do', () => {
    const {fold, passive, sizes, range} = betChoices(legal);
    expect([fold?.index, passive?.index, sizes.length, range?.max]).toEqual([0, 1, 1, 10000]);
  });
  it('of a pot are counted after the call', () => {
    const position: Position = {pot: 150, to_call: 50, players: [{seat: 0, bet: 50}, {seat: 1, bet: 100}]};
    expect(potFraction(1, position, 0)).toBe(300);
    expect(potFraction(0.5, position, 0)).toBe(200);
  });
  it('are moved to what is allowed', () => {
    const range = {min: 200, max: 995, step: 10};
    expect([1, 204, 206, 994, 5000, NaN].map(n => clamped(n, range))).toEqual([200, 200, 210, 990, 995, 200]);
    expect(clamped(Infinity, range)).toBe(995);
  });
  it('are taken from a text only where they are allowed as typed', () => {
    const range = {min: 200, max: 995, step: 10};
    expect(['200', '350', '995', ' 350 '].map(text => typedAmount(text, range))).toEqual([200, 350, 995, 350]);
    expect(['', ' ', '-', '35', '355', '9950', '1e9', 'x'].map(text => typedAmount(text, range))).toEqual(Array(8).fill(null));
  });
});

describe('discards', () => {
  it('are one choice of many', () => {
    const legal: Legal[] = [
      {index: 3, text: 'stand pat', kind: 'discard', cards: []}, {index: 4, text: 'discard 2s', kind: 'discard', cards: ['2s']},
      {index: 7, text: 'discard Qc 2s', kind: 'discard', cards: ['2s', 'Qc']},
    ];
    expect(discardPlan(['Qc', '2s'])(legal, none)).toEqual({index: 7});
    expect(discardPlan([])(legal, none)).toEqual({index: 3});
    expect(discardPlan(['Ah'])(legal, none)).toBeNull();
  });
  it('go card by card where the game asks so, and end with the draw', () => {
    const ask = (card: string): Legal[] => [{index: 3, text: 'keep', kind: 'keep', cards: [card]}, {index: 4, text: 'discard', kind: 'discard', cards: [card]}];
    const plan = discardPlan(['Js']);
    expect([plan(ask('Js'), none), plan(ask('Ks'), none)]).toEqual([{index: 4}, {index: 3}]);
    expect(plan([{index: 1, text: 'check', kind: 'check'}], none)).toBeNull();
  });
});

describe('rows of open-face poker', () => {
  it('compare as the rules say', () => {
    expect(compare(strength(['6s', '6h', 'Ad']), strength(['6d', '6c', 'Ah', '3s', '2c']))).toBeLessThan(0);
    expect(strength(['As', '2h', '3d', '4c', '5s'])).toEqual([4, 3]);
    expect(strength(['As', 'Ks', 'Qs', 'Js', 'Ts'])[0]).toBe(9);
    expect(strength(['2s', '2h', '2d'])[0]).toBe(3);
  });
  it('have names', () => {
    expect(rowHand(['Qd', 'Qs', '4d'])).toBe('one pair, queens');
    expect(rowHand(['6s', '6h', '6d', '2c', '2d'])).toBe('full house, sixes over twos');
    expect(rowHand(['9s', '7h'])).toBe('nine high');
    expect(rowHand([])).toBe('');
  });
  it('foul in the wrong order, once two rows are full', () => {
    const rows = {front: ['Qd', 'Qs', '4d'], middle: ['Td', 'Th', '3d', '3h', '7h'], back: ['9d', '9s', 'Ks', '8c', '6s']};
    expect(isFoul(rows)).toBe(true);
    expect(isFoul({...rows, back: rows.back.slice(1)})).toBe(false);
    expect(isFoul({...rows, back: ['9d', '9s', '8s', '8c', '6s']})).toBe(true);
    expect(isFoul({...rows, back: ['9d', '9s', '9c', 'Kc', '6s']})).toBe(false);
  });
  it('of equal strength are a foul in front only', () => {
    const pair = ['Ts', 'Th', '8d', '5c', '2s'];
    expect(isFoul({front: [], middle: pair, back: ['Td', 'Tc', '8h', '5s', '2h']})).toBe(false);
  });
});

describe('the plan of a turn', () => {
  const player: PlayerPosition = {seat: 0, rows: {front: [], middle: ['Ad'], back: ['7s', '8s', '9s', 'Ts', 'Js']}, cards: ['Kh', 'Qd', '4s']};
  const position: Position = {places_left: 2, discards_left: 1, players: [player]};
  const hand = player.cards!;
  it('has no room in full rows, nor for more cards than the turn has', () => {
    expect(free('back', player, position, [])).toBe(0);
    expect(move([], 'Kh', 'back', player, position)).toEqual([]);
    const two = move(move([], 'Kh', 'front', player, position), 'Qd', 'middle', player, position);
    expect(two).toHaveLength(2);
    expect(move(two, '4s', 'front', player, position)).toBe(two);
    expect(move(two, '4s', 'discard', player, position)).toHaveLength(3);
  });
  it('moves a card that lies elsewhere', () => {
    const there = move(move([], 'Kh', 'front', player, position), 'Kh', 'middle', player, position);
    expect(there).toEqual([{card: 'Kh', place: 'middle'}]);
    expect(rowsWith(player, there).middle).toEqual(['Ad', 'Kh']);
  });
  it('is complete when only the discard is left', () => {
    const two = move(move([], 'Kh', 'front', player, position), 'Qd', 'middle', player, position);
    expect(complete(two.slice(0, 1), hand, position)).toBeNull();
    expect(complete(two, hand, position)?.at(-1)).toEqual({card: '4s', place: 'discard'});
  });
  it('forgets cards that have been placed', () => {
    expect(pending([{card: 'Kh', place: 'front'}, {card: '2c', place: 'back'}], hand)).toEqual([{card: 'Kh', place: 'front'}]);
  });
  it('answers each request by its card', () => {
    const plan = placementPlan([{card: 'Kh', place: 'front'}, {card: '4s', place: 'discard'}]);
    const ask = (card: string): Legal[] => ['front', 'middle', 'discard'].map((text, i) => ({index: i, text, kind: 'place', cards: [card]}));
    expect([plan(ask('4s'), none), plan(ask('Kh'), none), plan(ask('2c'), none)]).toEqual([{index: 2}, {index: 0}, null]);
  });
  it('is read from advice', () => {
    expect(movesFrom('Kh / Ad Qd / Js Ts 9s 8s 7s  discard 4s', hand)).toEqual([
      {card: 'Kh', place: 'front'}, {card: 'Qd', place: 'middle'}, {card: '4s', place: 'discard'},
    ]);
    expect(movesFrom('7h 3d 3h middle, 9s 6s back', ['7h', '3d', '3h', '9s', '6s'])).toHaveLength(5);
    expect(movesFrom('raise to 40', hand)).toBeNull();
  });
});

describe('7-Hand Poker', () => {
  it('lays the chosen cards from the lowest, then stops', () => {
    const plan = layPlan(['Kc', '6d', '6s']);
    const ask = (...cards: string[]): Legal[] => [...cards.map((text, i) => ({index: i, text, kind: 'lay'})), {index: 52, text: 'stop', kind: 'stop'}];
    expect(plan(ask('6s', '6d', '7h', 'Kc'), none)).toEqual({index: 0});
    expect(plan(ask('6d', '7h', 'Kc'), none)).toEqual({index: 0});
    expect(plan(ask('7h', 'Kc'), none)).toEqual({index: 1});
    expect(plan(ask(), none)).toEqual({index: 52});
    expect(plan([{index: 53, text: 'chip 1', kind: 'name'}], none)).toBeNull();
  });
  it('sees a threat where the third adjacent chip is free', () => {
    const line = (owners: string): LineChip[] =>
      [...owners].map((owner, i) => ({chip: i + 1, taken_by: owner === '.' || owner === '=' ? null : Number(owner), tied: owner === '=', laid: []}));
    const threats = (owners: string, seat: number, ties_count = false): number[] =>
      line(owners).flatMap((_, i) => (threatens({chips: line(owners), ties_count}, i, seat) ? [i + 1] : []));
    expect(threats('00.....', 0)).toEqual([3]);
    expect(threats('.0.0...', 0)).toEqual([3]);
    expect(threats('.11....', 1)).toEqual([1, 4]);
    expect(threats('00=....', 0)).toEqual([]);
    expect(threats('00.....', 1)).toEqual([]);
    // By the rule that a tied chip counts for both.
    expect(threats('0=.....', 0, true)).toEqual([3]);
    expect([0, 1].map(seat => threats('.==....', seat, true))).toEqual([[1, 4], [1, 4]]);
    expect(threats('0=.....', 0)).toEqual([]);
  });
});

describe('stacks', () => {
  it('have the winnings once, whether the pot has been paid or not', () => {
    expect(stackAfter({pot: 18}, {seat: 0, chips: 13}, 18)).toBe(31);
    expect(stackAfter({pot: 0}, {seat: 0, chips: 22}, 18)).toBe(22);
  });
});

describe('views', () => {
  it('are found by the position, whatever the game is called', () => {
    expect(viewOf({pot: 3, board: [], players: [{seat: 0, bet: 1}]}).name).toBe('poker');
    expect(viewOf({places_left: 5, players: [{seat: 0, rows: {front: []}}]}).name).toBe('ofc');
    expect(viewOf({chips: [{chip: 1, taken_by: null, tied: false, laid: []}], players: [{seat: 0, chips: 0}]}).name).toBe('seven_hand');
    expect(viewOf({tricks: [], players: [{seat: 0}]}).name).toBe('generic');
  });
});
