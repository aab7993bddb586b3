import {useEffect, useRef} from 'preact/hooks';
import {Charts} from './charts/charts';
import {go, route, tabs, type Tab} from './core/route';
import {apply, change, settings, type Theme} from './core/settings';
import {useStore} from './core/store';
import {t} from './i18n';
import {Play} from './play/play';
import {Review} from './review/review';
import {Runs} from './runs/runs';
import {Watch} from './watch/watch';

const themes: Theme[] = ['auto', 'light', 'dark'];
const pages: Record<Tab, () => preact.VNode> = {
  play: () => <Play />, watch: () => <Watch />, runs: () => <Runs />, review: () => <Review />, charts: () => <Charts />,
};

export function App() {
  const chosen = useStore(settings);
  const {tab} = useStore(route);
  const content = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => apply(chosen), [chosen]);
  useEffect(() => {
    document.title = `${t(`tab.${tab as Tab}`)} · ${t('app.name')}`;
    if (!first.current) content.current?.focus({preventScroll: true});
    first.current = false;
  }, [tab, chosen.language]);
  return (
    <>
      <a class="skip" href="#content" onClick={event => {
        event.preventDefault();
        content.current?.focus();
      }}>{t('app.skip')}</a>
      <header class="page-head">
        <span class="brand"><Logo />{t('app.name')}</span>
        <nav aria-label={t('app.name')}>
          <ul class="tabs">
            {tabs.map(one => (
              <li key={one}>
                <a
                  href={`#${one}`} aria-current={one === tab ? 'page' : undefined}
                  onClick={event => {
                    event.preventDefault();
                    go(one);
                  }}
                >
                  {t(`tab.${one}`)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <Settings />
      </header>
      <main id="content" ref={content} tabIndex={-1} class={`page page-${tab}`}>{pages[tab as Tab]()}</main>
    </>
  );
}

function Settings() {
  const {language, theme, fourColours} = useStore(settings);
  const nextTheme = themes[(themes.indexOf(theme) + 1) % themes.length]!;
  return (
    <div class="settings">
      <button
        type="button" class="icon" aria-pressed={fourColours} aria-label={t('settings.suits')} title={t('settings.suits')}
        onClick={() => change({fourColours: !fourColours})}
      >
        <span class="suit-dots" aria-hidden="true"><i /><i /><i /><i /></span>
      </button>
      <button
        type="button" class="icon" data-act="theme" aria-label={t('settings.theme', {theme: t(`settings.theme.${theme}`)})}
        title={t('settings.theme', {theme: t(`settings.theme.${theme}`)})} onClick={() => change({theme: nextTheme})}
      >
        <span aria-hidden="true">{theme === 'auto' ? '◐' : theme === 'light' ? '☀' : '☾'}</span>
      </button>
      <button
        type="button" class="icon language" data-act="language" lang={language === 'en' ? 'ja' : 'en'}
        aria-label={t('settings.language.label')} onClick={() => change({language: language === 'en' ? 'ja' : 'en'})}
      >
        {t('settings.language')}
      </button>
    </div>
  );
}

function Logo() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" class="logo">
      <path d="M12 1C12 1 22.5 9.5 22.5 15.300A5.100 5.1 0 0 1 13.8 18.800C14.200 21 15.4 22.2 16.8 23H7.200C8.600 22.2 9.8 21 10.2 18.800A5.100 5.1 0 0 1 1.5 15.300C1.500 9.5 12 1 12 1Z" />
    </svg>
  );
}
