import {languageNumber} from '.';

/** Names of hands, as the program writes them, in Japanese. */
const categories: Record<string, string> = {
  'no hand': '役なし', 'high card': 'ハイカード', 'one pair': 'ワンペア', 'pair': 'ワンペア',
  'pair of mixed colour': '色違いのペア', 'pair of one colour': '同色のペア', 'two pair': 'ツーペア',
  'three of a kind': 'スリーカード', 'trips': 'スリーカード', 'straight': 'ストレート', 'flush': 'フラッシュ',
  'full house': 'フルハウス', 'four of a kind': 'フォーカード', 'quads': 'フォーカード', 'five of a kind': 'ファイブカード',
  'straight flush': 'ストレートフラッシュ', 'royal flush': 'ロイヤルフラッシュ', 'extra flush': 'エクストラフラッシュ',
  'extra straight flush': 'エクストラストレートフラッシュ', 'half flush': 'ハーフフラッシュ', 'semi-flush': 'セミフラッシュ',
  'mix well': 'ミックスウェル', 'mix of pips and court': 'ミックス', 'duplication of three': 'デュプリケーション（3枚）',
  'duplication of four': 'デュプリケーション（4枚）', 'duplication of five': 'デュプリケーション（5枚）',
  'colour flush': 'カラーフラッシュ', 'foul': 'ファウル', 'no cards': 'カードなし', 'fantasyland': 'ファンタジーランド',
};

const ranks: Record<string, string> = {
  ace: 'A', king: 'K', queen: 'Q', knight: 'C', jack: 'J', ten: '10', nine: '9', eight: '8', seven: '7', six: '6',
  five: '5', four: '4', three: '3', two: '2',
};

const rank = (word: string): string | undefined => ranks[word] ?? ranks[word.replace(/^(six)es$|s$/, '$1')];

function japanese(name: string): string | null {
  const lower = name.toLowerCase();
  if (lower in categories) return categories[lower]!;
  let found = /^royalties (\d+)$/.exec(lower);
  if (found) return `ロイヤリティ ${found[1]}`;
  found = /^fantasyland with (\d+) cards$/.exec(lower);
  if (found) return `${categories.fantasyland}（${found[1]}枚）`;
  found = /^(\w+) high$/.exec(lower);
  if (found) return rank(found[1]!) ? `${rank(found[1]!)}ハイ` : null;
  // "one pair, threes", "full house, aces over kings", "straight, nine high", "pair of threes"
  found = /^(.+?)(?:, | of )(\w+?)(?: (over|and) (\w+)| high)?$/.exec(lower);
  if (found && found[1]! in categories && rank(found[2]!)) {
    const second = found[4] ? rank(found[4]) : undefined;
    return `${rank(found[2]!)}${second ? `と${second}` : ''}の${categories[found[1]!]}`;
  }
  return null;
}

/** A name of a hand in the language of the page; what is not known stays as it is. */
export function handName(name: string): string {
  if (!languageNumber()) return name;
  // "straight, five high; low 5-4-3-2-A"
  if (name.includes('; ')) return name.split('; ').map(handName).join('、');
  if (name.startsWith('low ')) return `ロー ${handName(name.slice(4))}`;
  const whole = japanese(name);
  if (whole !== null) return whole;
  const parts = name.split(', ').map(part => japanese(part));
  return parts.every(part => part !== null) ? parts.join('、') : name;
}
