import {useState} from 'preact/hooks';
import type {OpenTable} from '../core/protocol';
import {go, route} from '../core/route';
import {TableClient} from '../core/table_client';
import {Lobby} from './lobby';
import {Refusal, TableScreen} from './table_screen';

const kSeat = 'dealer.seat';
const kAdviser = 'dealer.adviser';

let client: TableClient | null = null;

/** The seat of this tab: of a link with a key, of before a reload, or none yet. */
function current(): TableClient | null {
  const {tab, params} = route.get();
  const key = tab === 'play' && params.key ? params.key : null;
  if (key) {
    go('play', {}, true);
    client?.close();
    client = new TableClient(kSeat);
    client.join(key);
  }
  const kept = TableClient.keyOf(kSeat);
  if (!client && kept) {
    client = new TableClient(kSeat);
    client.join(kept);
  }
  return client;
}

export function Play() {
  const [table, setTable] = useState<TableClient | null>(current);
  const [refusal, setRefusal] = useState<string | null>(null);
  const open = (wanted: OpenTable) => {
    sessionStorage.removeItem(kSeat);
    sessionStorage.setItem(kAdviser, wanted.adviser ?? '');
    client = new TableClient(kSeat);
    client.open(wanted);
    setTable(client);
    setRefusal(null);
    window.scrollTo(0, 0);
  };
  const close = (why: string | null = null) => {
    client = null;
    setTable(null);
    setRefusal(why);
  };
  if (table) return <TableScreen client={table} adviser={sessionStorage.getItem(kAdviser) !== ''} onClosed={close} />;
  return (
    <>
      <Refusal why={refusal} />
      <Lobby start={open} />
    </>
  );
}
