import {settings} from '../core/settings';
import {eventTexts, type EventKey} from './event_texts';
import {texts, type TextKey} from './texts';

export type Values = Record<string, string | number>;

export const languageNumber = (): 0 | 1 => (settings.get().language === 'ja' ? 1 : 0);

export const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));

export function t(key: TextKey, values: Values = {}): string {
  return fill(texts[key][languageNumber()], values);
}

/** A text whose key is put together of parts; `otherwise` where there is none. */
export function tOr(key: string, otherwise: string, values: Values = {}): string {
  return key in texts ? t(key as TextKey, values) : otherwise;
}

/** The words of an event, said to the player (`mine`) or of somebody else. */
export function eventText(key: EventKey, values: Values = {}, mine = false): string {
  const [me = '', others = me] = eventTexts[key][languageNumber()].split('|');
  return fill(mine ? me : others, values);
}

export const hasEventText = (key: string): key is EventKey => key in eventTexts;

export function number(value: number, digits = 0): string {
  return value.toLocaleString(languageNumber() ? 'ja-JP' : 'en-GB', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** With its sign, and a true minus. */
export function signed(value: number, digits = 0): string {
  const text = number(Math.abs(value), digits);
  return Number(Math.abs(value).toFixed(digits)) === 0 ? text : `${value > 0 ? '+' : '−'}${text}`;
}

export const percent = (value: number): string => `${Math.round(value * 100)}%`;
