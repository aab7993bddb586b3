import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, describe, expect, it} from 'vitest';
import {settings} from '../src/core/settings';
import {choiceWords} from '../src/i18n/choice_words';
import {eventTexts} from '../src/i18n/event_texts';
import {eventWords} from '../src/i18n/event_words';
import {handName} from '../src/i18n/hand_names';
import {texts} from '../src/i18n/texts';

const speak = (language: 'en' | 'ja') => settings.update(old => ({...old, language}));
afterEach(() => speak('en'));

const holes = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

function sources(folder: string): string {
  return readdirSync(folder, {withFileTypes: true})
    .map(entry => (entry.isDirectory() ? sources(join(folder, entry.name)) : /texts\.ts$/.test(entry.name) ? '' : readFileSync(join(folder, entry.name), 'utf8')))
    .join('\n');
}

describe('texts', () => {
  it.each(Object.entries({...texts, ...eventTexts}))('%s is there in both languages, with the same values', (key, [english, japanese]) => {
    expect(english.trim(), key).not.toBe('');
    expect(japanese.trim(), key).not.toBe('');
    expect(holes(japanese)).toEqual(holes(english));
    expect(japanese.split('|').length).toBe(english.split('|').length);
  });

  it('has no text that nobody shows', () => {
    const source = sources(join(import.meta.dirname, '../src'));
    // Keys that are put together of a prefix and a word of the program.
    const prefixes = [...source.matchAll(/`((?:[\w]+\.)+)\$\{/g)].map(found => found[1]!);
    const unused = Object.keys(texts).filter(key => !source.includes(`'${key}'`) && !prefixes.some(prefix => key.startsWith(prefix)));
    expect(unused).toEqual([]);
  });
});

describe('names of hands', () => {
  it('stay as they are in English', () => expect(handName('one pair, threes')).toBe('one pair, threes'));
  it.each([
    ['one pair, threes', '3のワンペア'],
    ['two pair, aces and kings', 'AとKのツーペア'],
    ['full house, sixes over twos', '6と2のフルハウス'],
    ['straight, nine high', '9のストレート'],
    ['king high', 'Kハイ'],
    ['pair of jacks', 'Jのワンペア'],
    ['royal flush', 'ロイヤルフラッシュ'],
    ['half flush', 'ハーフフラッシュ'],
    ['royalties 9, Fantasyland', 'ロイヤリティ 9、ファンタジーランド'],
    ['royalties 9, Fantasyland with 16 cards', 'ロイヤリティ 9、ファンタジーランド（16枚）'],
    ['foul', 'ファウル'],
    ['straight, five high; low 5-4-3-2-A', '5のストレート、ロー 5-4-3-2-A'],
    ['8-6-4-3-A', '8-6-4-3-A'],
  ])('%s is %s', (english, japanese) => {
    speak('ja');
    expect(handName(english)).toBe(japanese);
  });
});

describe('choices', () => {
  it.each([
    ['raise to 200', 'Raise to 200', '200にレイズ'],
    ['call 50', 'Call 50', 'コール 50'],
    ['fold', 'Fold', 'フォールド'],
    ['discard Qc 2s', 'Discard Q♣ 2♠', 'Q♣ 2♠を捨てる'],
    ['chip 4', 'Chip 4', 'チップ4'],
    [' / Tc Td / Jh 8h  discard 2s', '– / 10♣ 10♦ / J♥ 8♥ · Discard 2♠', '– / 10♣ 10♦ / J♥ 8♥ · 2♠を捨てる'],
    ['middle', 'Middle', 'ミドル'],
    ['dance', 'dance', 'dance'],
  ])('%s', (words, english, japanese) => {
    expect(choiceWords(words)).toBe(english);
    speak('ja');
    expect(choiceWords(words)).toBe(japanese);
  });
});

describe('events', () => {
  const seats = {names: ['me', 'rule'], me: 0};
  it('are told to the player and of others', () => {
    const raise = {event: 'acted', street: 0, action: 'raise', amount: 20, total: 40, all_in: true};
    expect(eventWords({...raise, seat: 0}, seats)).toBe('You raise to 40, all-in');
    expect(eventWords({...raise, seat: 1}, seats)).toBe('rule raises to 40, all-in');
    speak('ja');
    expect(eventWords({...raise, seat: 1}, seats)).toBe('ruleが40にレイズ（オールイン）');
  });
  it('tell what is seen of hidden cards', () => {
    expect(eventWords({event: 'discarded', seat: 1, street: 1, cards: [], count: 2}, seats)).toBe('rule discards 2 cards');
    expect(eventWords({event: 'discarded', seat: 1, street: 1, cards: ['Aw'], count: 2}, seats)).toBe('rule discards 2 cards, A◈ among them');
    expect(eventWords({event: 'discarded', seat: 1, street: 1, cards: [], count: 0}, seats)).toBe('rule stands pat');
    expect(eventWords({event: 'dealt', seat: 1, street: 0, what: 'down', cards: [], count: 5}, seats)).toBe('');
  });
  it('name side pots, halves and chips', () => {
    expect(eventWords({event: 'won', seat: 1, street: 1, amount: 30, pot: 1, half: 'low', hand: '8-6-4-3-A'}, seats))
      .toBe('rule wins 30 with 8-6-4-3-A (the low half) (side pot 1)');
    expect(eventWords({event: 'won', seat: 0, street: 1, amount: 0, chip: 3, hand: 'ace high'}, seats)).toBe('You win chip 3 with ace high');
  });
  it('tell the end', () => {
    expect(eventWords({event: 'hand_ended', net: [50, -50], odd_chips: 1}, seats)).toBe('This hand: you +50, rule −50; 1 off the table');
  });
  it('tell events that no text is known of', () => expect(eventWords({event: 'own_move', seat: 0}, seats)).toBe('own move'));
});
