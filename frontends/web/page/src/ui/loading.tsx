import type {ComponentChildren} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {ApiError} from '../core/api';
import {t} from '../i18n';

export interface Loaded<T> {
  value: T | null;
  error: unknown;
  again: () => void;
}

/** Asks for something and keeps the answer; anew when `key` changes. */
export function useLoaded<T>(key: string, ask: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{key: string; value: T | null; error: unknown}>({key, value: null, error: null});
  const [round, setRound] = useState(0);
  useEffect(() => {
    let current = true;
    setState({key, value: null, error: null});
    ask().then(
      value => current && setState({key, value, error: null}),
      (error: unknown) => current && setState({key, value: null, error}),
    );
    return () => {
      current = false;
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
