import {languageNumber} from '.';
import {handName} from './hand_names';

/** Classes of starting hands and what is kept of them, as the program names them, in Japanese. */
const names: Record<string, string> = {
  'queen high or lower': 'Qハイ以下', 'jack high or lower': 'Jハイ以下',
  'open-ended straight': '両面ストレートドロー', 'four to a flush': 'フラッシュドロー', 'three to a flush': 'スリーフラッシュ',
  'three to a straight flush': 'スリーストレートフラッシュ', 'three to a straight': 'スリーストレート',
  'three low cards': 'ロー3枚', 'three low cards of a suit': '同スートのロー3枚',
  'two pair, nines or less': 'ツーペア（9以下）', 'two pair, tens or more': 'ツーペア（10以上）', 'full house or better': 'フルハウス以上',
  'six or better': '6ロー以下', 'seven': '7ロー', 'eight': '8ロー', 'nine': '9ロー', 'ten': '10ロー', 'jack': 'Jロー',
  'draw three': '3枚交換', 'draw three, with a deuce': '3枚交換（2あり）', 'draw three, without a deuce': '3枚交換（2なし）',
  'draw four or five': '4〜5枚交換', 'a pair': 'ペアあり', 'one low card or none': 'ロー1枚以下',
  'two low cards, a low one up': 'ロー2枚（表がロー）', 'two low cards, a high one up': 'ロー2枚（表がハイ）',
  'one card': '1枚', 'two cards': '2枚', 'three cards': '3枚', 'badugi': 'バドゥーギ',
  'all': 'すべて', 'nothing': 'なし', 'four of an open-ended straight': '両面ストレートドロー', 'trips and a kicker': 'スリーカードとキッカー',
  'the pair': 'ペアのみ', 'the pair and an ace': 'ペアとA', 'the pair and another kicker': 'ペアと別のキッカー', 'the pair and two cards': 'ペアと2枚',
  'no pair, with an ace': 'ペアなし（Aあり）', 'no pair, without an ace': 'ペアなし（Aなし）',
  'four to a six': '6までの4枚', 'four to a seven or eight': '7・8までの4枚', 'four to a nine or more': '9以上までの4枚',
  'three to a six': '6までの3枚', 'three to a seven or eight': '7・8までの3枚', 'three to a nine or more': '9以上までの3枚',
  'two': '2枚', 'one': '1枚', 'a pair among them': 'ペアを含む',
};

const ranks: Record<string, string> = {five: '5', six: '6', seven: '7', eight: '8', nine: '9', ten: '10', jack: 'J'};
const pairs: Record<string, string> = {
  twos: '2', threes: '3', fours: '4', fives: '5', sixes: '6', sevens: '7', eights: '8', nines: '9', tens: '10', jacks: 'J', queens: 'Q',
  kings: 'K', aces: 'A',
};
const counts: Record<string, string> = {one: '1', two: '2', three: '3'};

/** "aces" or "draw one to a seven" in the language of the page; what is not known stays as it is. */
export function className(name: string): string {
  if (!languageNumber()) return name;
  if (name in names) return names[name]!;
  if (name in pairs) return `${pairs[name]}のペア`;
  const found = /^(?:(pat) (\w+)|draw (one|two) to an? (\w+)|three to an? (\w+))$/.exec(name);
  if (found?.[1] && ranks[found[2]!]) return `パット${ranks[found[2]!]}`;
  if (found?.[3] && ranks[found[4]!]) return `${counts[found[3]]}枚交換（${ranks[found[4]!]}まで）`;
  if (found?.[5] && ranks[found[5]]) return `${ranks[found[5]]}までの3枚`;
  return handName(name);
}
