import type {ComponentChildren} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {ApiError} from '../core/api';
import {t} from '../i18n';

export interface Loaded<T> {
  value: T | null;
  error: unknown;
  again: () => void;
}

/** The server does other work of this kind: it is asked again after so many milliseconds. */
const kBusy = 429;
const kWait = 1000;

/** Asks for something and keeps the answer; anew when `key` changes. */
export function useLoaded<T>(key: string, ask: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{key: string; value: T | null; error: unknown}>({key, value: null, error: null});
  const [round, setRound] = useState(0);
  useEffect(() => {
    let current = true;
    let waiting = 0;
    setState({key, value: null, error: null});
    const load = () =>
      ask().then(
        value => current && setState({key, value, error: null}),
        (error: unknown) => {
          if (!current) return;
          if (error instanceof ApiError && error.status === kBusy) waiting = window.setTimeout(load, kWait);
          else setState({key, value: null, error});
        },
      );
    load();
    return () => {
      current = false;
      clearTimeout(waiting);
    };
  }, [key, round]);
  const stale = state.key !== key;
  return {value: stale ? null : state.value, error: stale ? null : state.error, again: () => setRound(n => n + 1)};
}

export function errorText(error: unknown): string {
  if (error instanceof ApiError) return error.status === 401 ? t('error.token') : t('error.server', {message: error.message});
  if (error instanceof TypeError) return t('error.unreachable');
  return error instanceof Error ? error.message : String(error);
}

export function Problem({error, again}: {error: unknown; again?: () => void}) {
  return (
    <div class="notice" role="alert">
      <p>{errorText(error)}</p>
      {again && <button type="button" class="action" onClick={again}>{t('common.retry')}</button>}
    </div>
  );
}

/** What has been asked for, or that it is on its way, or why it does not come. */
export function Show<T>({of, children}: {of: Loaded<T>; children: (value: T) => ComponentChildren}) {
  if (of.error) return <Problem error={of.error} again={of.again} />;
  if (of.value === null) return <p class="muted loading" role="status">{t('common.loading')}</p>;
  return <>{children(of.value)}</>;
}
