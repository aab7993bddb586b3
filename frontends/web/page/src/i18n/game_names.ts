import {languageNumber, tOr} from '.';

interface GameWords {
  family: 'betting' | 'draw' | 'court' | 'other' | 'small';
  name: readonly [string, string];
  about: readonly [string, string];
}

/** The common names of the games that come with the program. Any other game goes by the name of its file. */
const games: Record<string, GameWords> = {
  holdem: {family: 'betting', name: ["Texas hold'em", 'テキサスホールデム'], about: ['Two cards each, five on the board', '手札2枚とボード5枚']},
  stud: {family: 'betting', name: ['Seven-card stud', 'セブンカードスタッド'], about: ['Four of seven cards lie open', '7枚のうち4枚が表向き']},
  stud_hi_lo: {family: 'betting', name: ['Stud high-low', 'スタッド・ハイロー'], about: ['High and eight-or-better low share the pot', 'ハイと8以下のローで分ける']},
  razz: {family: 'betting', name: ['Razz', 'ラズ'], about: ['Stud for the lowest hand', '最も低い手が勝つスタッド']},
  draw: {family: 'draw', name: ['Five-card draw', 'ファイブカードドロー'], about: ['One draw, the high hand wins', '交換1回、高い手が勝ち']},
  lowball: {family: 'draw', name: ['Lowball', 'ローボール'], about: ['Ace-to-five low, one draw', 'A-5ロー、交換1回']},
  triple_draw: {family: 'draw', name: ['Triple draw', 'トリプルドロー'], about: ['Ace-to-five low, three draws', 'A-5ロー、交換3回']},
  deuce_single_draw: {family: 'draw', name: ['2-7 single draw', '2-7シングルドロー'], about: ['No-limit deuce-to-seven low', 'ノーリミットの2-7ロー']},
  deuce_triple_draw: {family: 'draw', name: ['2-7 triple draw', '2-7トリプルドロー'], about: ['Deuce-to-seven low, three draws', '2-7ロー、交換3回']},
  badugi: {family: 'draw', name: ['Badugi', 'バドゥーギ'], about: ['Four cards, four suits, low', '4枚・4スートのロー']},
  washizu: {family: 'draw', name: ['Washizu draw', '鷲巣ドロー'], about: ['Transparent cards, a match of five hands', '透明カードの5ハンドマッチ']},
  court_tarot: {family: 'court', name: ['Court tarot', 'コート・タロット'], about: ['Court cards as fourteen trumps', '絵札が14枚の切り札']},
  court_extra: {family: 'court', name: ['Court extra', 'コート・エクストラ'], about: ['Court cards as a fifth suit', '絵札が5つ目のスート']},
  court_color: {family: 'court', name: ['Court colour', 'コート・カラー'], about: ['Black and red court suits', '黒と赤の絵札のスート']},
  ofc: {family: 'other', name: ['Pineapple OFC', 'パイナップルOFC'], about: ['Three rows, Fantasyland', '3段のボードとファンタジーランド']},
  ofc_progressive: {family: 'other', name: ['Progressive OFC', 'プログレッシブOFC'], about: ['Up to 17 cards in Fantasyland', 'ファンタジーランドで最大17枚']},
  seven_hand: {family: 'other', name: ['7-Hand Poker', 'セブンハンド・ポーカー'], about: ['Three adjacent chips of seven win', '7枚のチップで3枚並び']},
  kuhn: {family: 'small', name: ['Kuhn poker', 'クーン・ポーカー'], about: ['Three cards, one bet', 'カード3枚、ベット1回']},
  leduc: {family: 'small', name: ["Leduc hold'em", 'レデュック・ホールデム'], about: ['Six cards, two rounds', 'カード6枚、2ラウンド']},
  mini_draw: {family: 'small', name: ['Small draw poker', 'ミニドロー'], about: ['Two cards of six, one draw', '6枚のデッキ、交換1回']},
  mini_draw_single: {family: 'small', name: ['Small draw, one round', 'ミニドロー・1ラウンド'], about: ['One bet after the draw', '交換後にベット1回']},
};

export const families = ['betting', 'draw', 'court', 'other', 'small'] as const;
export type Family = (typeof families)[number];

const bare = (spec: string): string => spec.replace(/\[.*$/, '');

export const familyOf = (name: string): Family => games[name]?.family ?? 'other';

/** "Texas hold'em (no limit)": the changed rules behind the name; how many play is seen at the table. */
export function gameName(spec: string): string {
  const known = games[bare(spec)];
  if (!known) return spec;
  const options = (/\[(.*)\]$/.exec(spec)?.[1] ?? '').split(',').filter(option => option !== '' && !option.startsWith('players='));
  const words = options.map(option => tOr(`rule.${option.split('=')[1]}`, option));
  return known.name[languageNumber()] + (words.length > 0 ? ` (${words.join(', ')})` : '');
}

export const gameAbout = (name: string): string => games[name]?.about[languageNumber()] ?? '';

/** Well-known games come first. */
export function gameOrder(name: string): number {
  const at = Object.keys(games).indexOf(name);
  return at < 0 ? 1000 : at;
}
