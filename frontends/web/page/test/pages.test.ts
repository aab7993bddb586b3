import {describe, expect, it} from 'vitest';
import {byRank, bySuit, cardNumber, cardSign, faceOf, spokenCard} from '../src/cards/deck';
import {cardsIn, randomOpening} from '../src/charts/openings';
import {cellHand} from '../src/charts/preflop';
import {rulesOf, specOf} from '../src/core/games';
import type {Advice, Request} from '../src/core/protocol';
import {parseRoute, routeText} from '../src/core/route';
import {adviceLines, AdviceTable, ReviewTable, turnChance} from '../src/play/coach';
import {configDiff, configValues} from '../src/runs/config_diff';
import {joined, measures, seriesOf, type MetricLine} from '../src/runs/metrics';
import {seatPlaces} from '../src/views/seats';
import {pack, unpack} from '../src/watch/pack';
import {decisionText, judgementOf, turnOf, type ReplayHand} from '../src/watch/replay';

describe('cards', () => {
  it('are read', () => {
    expect(faceOf('Th')).toEqual({kind: 'pip', rank: 'T', suit: 'h'});
    expect(faceOf('Aw')).toEqual({kind: 'pip', rank: 'A', suit: 'w'});
    expect(faceOf('t13')).toEqual({kind: 'trump', number: 13});
    expect(faceOf('X2')).toEqual({kind: 'joker', number: 2});
    expect(faceOf('K1')).toEqual({kind: 'named', name: 'K1'});
  });
  it('are spoken and written', () => {
    expect(spokenCard('Qs', 0)).toBe('queen of spades');
    expect(spokenCard('Td', 0)).toBe('10 of diamonds');
    expect(spokenCard('Qs', 1)).toBe('スペードのQ');
    expect(cardSign('Td')).toBe('10♦');
  });
  it('are sorted', () => {
    expect(byRank(['2s', 'X1', 'Ah', 't3', 'Kd'])).toEqual(['X1', 't3', 'Ah', 'Kd', '2s']);
    expect(bySuit(['2s', 'Ah', 'As', 'Kc'])).toEqual(['As', '2s', 'Ah', 'Kc']);
  });
  it('have the numbers of the protocol', () => expect(['2s', '2h', 'Ac'].map(cardNumber)).toEqual([0, 1, 51]));
});

describe('addresses', () => {
  it('name the tab and the position', () => {
    expect(parseRoute('#watch?hand=2&step=5')).toEqual({tab: 'watch', params: {hand: '2', step: '5'}});
    expect(parseRoute('#nowhere').tab).toBe('play');
    expect(parseRoute(routeText({tab: 'runs', params: {runs: 'a,b'}}))).toEqual({tab: 'runs', params: {runs: 'a,b'}});
  });
  it('hold a whole hand history', async () => {
    const text = "[1]\nvariant = 'NT'\nplayers = ['あ', 'default']\n".repeat(20);
    const packed = await pack(text);
    expect(packed).toMatch(/^[\w-]+$/);
    expect(packed.length).toBeLessThan(text.length / 4);
    expect(await unpack(packed)).toBe(text);
  });
});

describe('games', () => {
  it('have a spec with the changed rules alone', () => {
    expect(specOf('holdem', {limit: 'no_limit', ante: ''})).toBe('holdem[limit=no_limit]');
    expect(specOf('ofc', {})).toBe('ofc');
  });
  it('tell their rules', () => {
    const rules = rulesOf({name: 'draw', players: [2, 6], agents: [], rules: 'game: poker\nplayers: 2\nlimit: structured\nopen_fold: true\nblinds: [5, 10]\nfantasyland:\n  cards: 14\nroyalties:\n  back:\n    flush: 4\nties: nobody\n'});
    expect(rules.map(rule => rule.name)).toEqual(['limit', 'open_fold', 'blinds', 'fantasyland.cards', 'royalties.back.flush', 'ties']);
    expect(rules[0]!.words).toContain('no_limit');
    expect(rules[1]!.words).toEqual(['true', 'false']);
    expect(rules[2]).toMatchObject({value: '[5, 10]', words: undefined});
  });
});

describe('seats', () => {
  it('go clockwise from the bottom', () => {
    const [me, left, top, right] = seatPlaces(4);
    expect(me!.y).toBeGreaterThan(80);
    expect(left!.x).toBeLessThan(20);
    expect(top!.y).toBeLessThan(20);
    expect(right!.x).toBeGreaterThan(80);
  });
  it('leave room for the own hand, however many there are', () => {
    for (let count = 2; count <= 10; ++count) {
      const [me, ...others] = seatPlaces(count);
      expect(me!.x).toBeCloseTo(50);
      expect(others).toHaveLength(count - 1);
      for (const {y} of others) expect(me!.y - y).toBeGreaterThan(14);
      // As far to the left as to the right.
      expect(others.reduce((sum, {x}) => sum + x - 50, 0)).toBeCloseTo(0);
    }
  });
});

describe('advice', () => {
  const request = {id: 1, seat: 0, position: {}, legal: [{index: 0, text: 'fold', kind: 'fold'}, {index: 1, text: 'call 50', kind: 'call'}]} as Request;
  it('has policy and values in one line', () => {
    const advice: Advice = {id: 1, adviser: 'default', policy: [{index: 0, probability: 0.2}, {index: 1, probability: 0.8}], values: [{index: 1, text: 'call 50', value: 3, standard_error: 1}]};
    expect(adviceLines(advice, request)).toMatchObject([{key: '1', text: 'Call 50', probability: 0.8, value: 3, error: 1}, {key: '0', probability: 0.2}]);
  });
  it('of whole turns has chances from the reason, and no policy over single cards', () => {
    const reason = '  +2.04   / Tc Td / Jh 8h 7h  foul 21%, Fantasyland 22%\n';
    expect(turnChance({reason}, {text: ' / Tc Td / Jh 8h 7h'})).toEqual({foul: 0.21, fantasyland: 0.22});
    expect(turnChance({chances: {turns: [{turn: [2], value: 1.5, foul: 0.5, fantasyland: 0}]}}, {value: 1.5})).toEqual({foul: 0.5, fantasyland: 0});
    expect(turnChance({reason}, {text: 'Tc / Td /', value: 1.5})).toBeUndefined();
    const advice: Advice = {id: 1, adviser: 'default', policy: [{index: 0, probability: 1}], values: [{text: ' / Tc Td / Jh 8h 7h', value: 2.04}], reason};
    const [line, ...others] = adviceLines(advice, {...request, position: {players: []}});
    expect(others).toEqual([]);
    expect(line).toMatchObject({value: 2.04, foul: 0.21, fantasyland: 0.22});
    expect(line!.probability).toBeUndefined();
  });
  it('without policy and values has the decision that the adviser would make', () => {
    const advice: Advice = {id: 1, adviser: 'rule', policy: null, values: null, plays: [{index: 1}, {index: 7}], chances: {share: 0.41}};
    expect(adviceLines(advice, request)).toMatchObject([{text: 'Call 50', answer: {index: 1}}]);
    const range = {...request, legal: [...request.legal, {index: null, text: 'raise to', kind: 'raise', min: 200, max: 900}]};
    expect(adviceLines({...advice, plays: [{amount: 350}]}, range)).toMatchObject([{text: 'Raise to 350', answer: {amount: 350}}]);
    expect(adviceLines({...advice, plays: []}, request)).toEqual([]);
    // Policy and values say more.
    expect(adviceLines({...advice, policy: [{index: 0, probability: 1}]}, request)).toMatchObject([{text: 'Fold'}]);
  });
  it('has the equity whatever else there is, and says so where there is nothing', () => {
    const shown = (advice: Partial<Advice>): string => JSON.stringify(AdviceTable({advice: {id: 1, adviser: 'rule', policy: null, values: null, ...advice}, request}));
    expect(shown({chances: {share: 0.41}})).toContain('41%');
    expect(shown({chances: {share: 0.41}})).not.toContain('No advice');
    expect(shown({reason: 'a pair'})).toContain('a pair');
    expect(shown({})).toContain('No advice');
  });
});

describe('a review', () => {
  const shown = (problem?: string): string => JSON.stringify(ReviewTable({review: {hand: 1, decisions: [], problem}}));
  it('says why there is none', () => {
    expect(shown()).toContain('No decision with a choice');
    expect(shown("agent 'rule' gives no action probabilities")).toContain("agent 'rule' gives no action probabilities");
  });
});

describe('runs', () => {
  const lines: MetricLine[] = [{step: 1, hands: 10, 'loss/value': 2}, {step: 2, hands: 20, 'match/rule': 1, 'match/rule_ci95': 0.5}, {step: 2, hands: 20, 'match/rule': 1.5, 'match/rule_ci95': 0.25}];
  it('name strength first', () => expect(measures([lines, [{step: 1, hands: 1, exploitability: 0.1}]])).toEqual(['exploitability', 'match/rule', 'loss/value']));
  it('have points with intervals; the later line of a step counts', () => {
    expect(seriesOf('a', lines, 'match/rule', 'hands')).toEqual({run: 'a', x: [20], y: [1.5], low: [1.25], high: [1.75]});
  });
  it('are laid over one axis', () => {
    const a = seriesOf('a', lines, 'match/rule', 'hands');
    const b = {run: 'b', x: [10, 20], y: [0, 1], low: [0, 1], high: [0, 1]};
    expect(joined([a, b])).toEqual([[10, 20], [null, 1.5], [null, 1.25], [null, 1.75], [0, 1], [0, 1], [0, 1]]);
  });
  it('differ in the keys that differ', () => {
    const config = 'algorithm: ppo # how\nlearner:\n  rate:\n    first: 0.1\n    last: 0.01\nseed: 1\n';
    expect(configValues(config).get('learner.rate.last')).toBe('0.01');
    expect(configDiff(config, config.replace('0.1\n', '0.3\n').replace('seed: 1', 'seed: 2'))).toEqual([
      {key: 'learner.rate.first', a: '0.1', b: '0.3'}, {key: 'seed', a: '1', b: '2'},
    ]);
  });
});

describe('charts', () => {
  it('have suited hands above the diagonal', () => expect([cellHand(0, 0), cellHand(0, 1), cellHand(1, 0), cellHand(12, 12)]).toEqual(['AA', 'AKs', 'AKo', '22']));
});

describe('openings', () => {
  it('take five different cards', () => {
    expect(cardsIn('As Kd, Qd7c As xx')).toEqual(['As', 'Kd', 'Qd', '7c']);
    expect(new Set(randomOpening()).size).toBe(5);
    expect(randomOpening(() => 0.999)).toContain('Ac');
  });
});

describe('replays', () => {
  const step = (seat: number | null, events: number) => ({seat, events: Array.from({length: events}, () => ({event: 'acted'})), position: {}});
  const hand: ReplayHand = {name: '7', game: 'ofc', players: 2, names: ['a', 'b'], unit: 'points', result: [], steps: [step(1, 3), step(1, 0), step(0, 1), step(1, 1), step(null, 2)]};
  it('join the decisions of a turn', () => expect([0, 1, 2, 3].map(at => turnOf(hand, at))).toEqual([0, 0, 1, 2]));
  it('tell turns of one player apart by what happens between', () => {
    const again: ReplayHand = {...hand, steps: [step(1, 1), step(1, 1), step(1, 0)]};
    expect([0, 1, 2].map(at => turnOf(again, at))).toEqual([0, 1, 1]);
  });
  it('find the judgement of a turn', () => {
    const decisions = [{hand: '7', seat: 0, turn: 1, chosen: 'x', best: 'y', loss: 1}, {hand: '8', seat: 0, turn: 2, chosen: 'x', best: 'x', loss: 0}];
    expect(judgementOf(decisions, hand, 2)?.best).toBe('y');
    expect(judgementOf(decisions, hand, 4)).toBeNull();
  });
  it('name what was decided', () => {
    expect(decisionText({...step(0, 0), legal: [{index: 3, text: 'call 5', kind: 'call'}], decision: {index: 3}})).toBe('call 5');
    expect(decisionText(step(0, 0))).toBe('');
  });
});
