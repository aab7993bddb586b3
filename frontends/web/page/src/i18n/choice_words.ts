import {cardSign} from '../cards/deck';
import {number, t, tOr} from '.';

const card = /(?:[2-9TJQKAC][shdcw]|t\d{1,2}|X[12])(?![A-Za-z0-9])/g;

/** Cards in a text of the program, as signs: "7h 3d middle" reads "7♥ 3♦ middle". */
export const withSigns = (text: string): string => text.replace(new RegExp(`\\b${card.source}`, 'g'), found => cardSign(found));

/** "Qd / Td 7h / 9s 6s  discard 2s" */
function rowsText(text: string): string {
  const [board = '', away = ''] = text.split(/\s*discard\s*/);
  const rows = board.split('/').map(row => withSigns(row.trim()) || '–').join(' / ');
  return away ? `${rows} · ${t('act.discard', {cards: withSigns(away.trim())})}` : rows;
}

/** The name of a choice ("raise to 200", "discard Qc 2s") in the language of the page. */
export function choiceWords(text: string): string {
  const words = text.trim();
  const amount = /^(call|bet|bring in|raise to|complete to|chip) (\d+)$/.exec(words);
  if (amount) {
    const kind = amount[1]!.replace(' to', '').replace(' ', '_');
    return t(`act.${kind as 'call' | 'bet' | 'bring_in' | 'raise' | 'complete' | 'chip'}`, {n: number(Number(amount[2]))});
  }
  if (words === 'stand pat') return t('act.stand_pat');
  if (words.includes(' / ') || words.startsWith('/')) return rowsText(text);
  const cards = /^(discard|keep) (.+)$/.exec(words);
  if (cards) return t(cards[1] === 'keep' ? 'act.keep' : 'act.discard', {cards: withSigns(cards[2]!)});
  const plain = /^[a-z_ ]+$/.test(words) ? words.replace(/ /g, '_') : '';
  return plain ? tOr(`act.${plain}.plain`, tOr(`act.${plain}`, tOr(`ofc.${plain}`, words))) : withSigns(words);
}
