// A complete hand of each family, by pointer and by keyboard, on a computer and on a phone.
import {describeHands, sizes, ways} from './hand.mjs';

const families = [
  ['holdem', {seed: '3'}], ['holdem', {seed: '5', limit: 'no_limit', opponent: 'rule'}], ['stud', {}], ['razz', {opponent: 'rule'}], ['draw', {seed: '4'}],
  ['triple_draw', {seed: '2', opponent: 'rule'}], ['badugi', {opponent: 'random'}], ['washizu', {seed: '11'}], ['court_tarot', {}], ['court_extra', {opponent: 'rule'}],
  ['ofc', {seed: '11'}], ['seven_hand', {seed: '11'}], ['kuhn', {}], ['leduc', {}], ['mini_draw', {seed: '2'}],
];
// Of the same families: once, by either way.
const others = ['stud_hi_lo', 'lowball', 'deuce_single_draw', 'deuce_triple_draw', 'court_color', 'mini_draw_single'];

describeHands('a hand of each family', [
  ...families.flatMap(([game, options]) => sizes.flatMap(size => ways.map(way => [game, options, size, way]))),
  ...others.map((game, i) => [game, {seed: '6', opponent: 'rule'}, sizes[i % 2], ways[(i >> 1) % 2]]),
]);
