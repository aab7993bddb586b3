import {useEffect, useState} from 'preact/hooks';
import {hasServer} from '../core/connection';
import type {OpenTable} from '../core/protocol';
import {go, route} from '../core/route';
import {useStore} from '../core/store';
import {TableClient} from '../core/table_client';
import {t} from '../i18n';
import {Lobby} from '../play/lobby';
import {Refusal} from '../play/table_screen';
import {Problem} from '../ui/loading';
import {HistoryInput} from './history_input';
import {Live} from './live';
import {unpack} from './pack';
import {replay, type Replay} from './replay';
import {Errors, Stepper} from './stepper';

const kSlot = 'dealer.watch';
const kText = 'dealer.history';
const kAll = 'dealer.watch.all';
const kPace = 1000;

let client: TableClient | null = null;

function current(): TableClient | null {
  const kept = TableClient.keyOf(kSlot);
  if (!client && kept) {
    client = new TableClient(kSlot);
    client.join(kept);
  }
  return client;
}

interface History {
  text: string;
  replay: Replay | null;
  error: unknown;
}

export function Watch() {
  const {params} = useStore(route);
  const [table, setTable] = useState<TableClient | null>(current);
  const [history, setHistory] = useState<History | null>(null);
  const [view, setView] = useState('all');
  const [refusal, setRefusal] = useState<string | null>(null);
  const read = (text: string) => {
    setHistory({text, replay: null, error: null});
    replay(text).then(
      found => {
        sessionStorage.setItem(kText, text);
        setHistory({text, replay: found, error: null});
      },
      (error: unknown) => setHistory({text, replay: null, error}),
    );
  };
  useEffect(() => {
    if (!params.hand || history) return;
    if (params.h) void unpack(params.h).then(read, () => undefined);
    else if (sessionStorage.getItem(kText)) read(sessionStorage.getItem(kText)!);
  }, [params.hand]);
  const closeHistory = () => {
    setHistory(null);
    go('watch', {});
  };

  if (history?.replay && history.replay.hands.length > 0)
    return (
      <Stepper
        key={history.text} text={history.text} replay={history.replay} onClose={closeHistory}
        start={{hand: Number(params.hand ?? 1) - 1, step: Number(params.step ?? 1) - 1}}
      />
    );
  if (table)
    return (
      <Live client={table} pace={kPace} all={sessionStorage.getItem(kAll) === '1'} onClosed={(why = null) => {
        client = null;
        setTable(null);
        setRefusal(why);
      }} />
    );
  const start = (wanted: OpenTable) => {
    const {adviser: _, ...rest} = wanted;
    sessionStorage.removeItem(kSlot);
    sessionStorage.setItem(kAll, view === 'all' ? '1' : '0');
    client = new TableClient(kSlot);
    client.open({...rest, pace: kPace, view: view === 'all' ? 'all' : Number(view)});
    setTable(client);
    setRefusal(null);
    window.scrollTo(0, 0);
  };
  return (
    <div class="watch-start">
      <Refusal why={refusal} />
      <Lobby watch start={start}>
        <label class="field">
          <span>{t('watch.view')}</span>
          <select value={view} onChange={event => setView(event.currentTarget.value)}>
            <option value="all">{t('watch.view.all')}</option>
            {[0, 1, 2, 3, 4, 5].map(seat => <option key={seat} value={seat}>{t('watch.view.seat', {n: seat + 1})}</option>)}
          </select>
        </label>
      </Lobby>
      {hasServer && <HistoryInput title={t('history.title')} action={t('history.open')} onText={read} />}
      {history && !history.replay && !history.error && <p class="muted" role="status">{t('common.loading')}</p>}
      {history?.error ? <Problem error={history.error} /> : null}
      {history?.replay && <Errors replay={history.replay} />}
    </div>
  );
}
