import {hasServer} from './connection';
import {Store} from './store';

/** `#watch?hand=2&step=5`: the tab and its parameters. */
export interface Route {
  tab: string;
  params: Record<string, string>;
}

const allTabs = ['play', 'watch', 'runs', 'review', 'charts'] as const;
export type Tab = (typeof allTabs)[number];
/** The other tabs show data of the server. */
export const tabs: readonly Tab[] = hasServer ? allTabs : ['play', 'watch'];

export function parseRoute(hash: string): Route {
  const [tab = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  return {
    tab: (tabs as readonly string[]).includes(tab) ? tab : 'play',
    params: Object.fromEntries(new URLSearchParams(query)),
  };
}

export function routeText({tab, params}: Route): string {
  const query = new URLSearchParams(params).toString();
  return `#${tab}${query ? `?${query}` : ''}`;
}

export const route = new Store<Route>({tab: 'play', params: {}});

export function startRouting(): void {
  const read = () => route.set(parseRoute(location.hash));
  window.addEventListener('hashchange', read);
  read();
}

/** Keeps the address at what is shown; `replace` adds nothing to the history. */
export function go(tab: string, params: Record<string, string> = {}, replace = false): void {
  const text = routeText({tab, params});
  if (replace) history.replaceState(null, '', text);
  else history.pushState(null, '', text);
  route.set({tab, params});
}
