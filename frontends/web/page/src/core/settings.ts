import {Store} from './store';

export type Language = 'en' | 'ja';
export type Theme = 'auto' | 'light' | 'dark';

export interface Settings {
  language: Language;
  theme: Theme;
  fourColours: boolean;
}

const kSlot = 'dealer.settings';

function stored(): Settings {
  const preferred: Settings = {
    language: typeof navigator !== 'undefined' && navigator.language.startsWith('ja') ? 'ja' : 'en',
    theme: 'auto',
    fourColours: false,
  };
  try {
    return {...preferred, ...JSON.parse(localStorage.getItem(kSlot) ?? '{}')};
  } catch {
    return preferred;
  }
}

export const settings = new Store<Settings>(stored());

export function change(part: Partial<Settings>): void {
  settings.update(old => ({...old, ...part}));
  localStorage.setItem(kSlot, JSON.stringify(settings.get()));
}

/** Shows the settings where CSS and screen readers look for them. */
export function apply({language, theme, fourColours}: Settings): void {
  const root = document.documentElement;
  root.lang = language;
  if (theme === 'auto') delete root.dataset.theme;
  else root.dataset.theme = theme;
  root.dataset.suits = fourColours ? 'four' : 'two';
}
