/** The worker of the page without a server: the program's games, agents and tables as WebAssembly. */
import {addModels, type FileSystem, type Model} from './lazy_models';
import type {FromWorker, ToWorker} from './messages';

interface Program {
  FS: FileSystem;
  cwrap(name: string, result: string | null, parameters: string[]): (...values: unknown[]) => unknown;
}
interface Data {
  files: Record<string, string>;
  models: Model[];
}

// This file is assets/worker.js; what it needs lies beside assets/.
const addressOf = (name: string): string => new URL(`../${name}`, self.location.href).href;
const tell = (message: FromWorker): void => postMessage(message);

function dealerSend(connection: number, lines: string): void {
  for (const text of lines.split('\n')) if (text !== '') tell({type: 'heard', connection, text});
}

async function load(): Promise<Program> {
  const [{default: create}, data] = await Promise.all([
    import(/* @vite-ignore */ addressOf('dealer.js')) as Promise<{default: (options: object) => Promise<Program>}>,
    fetch(addressOf('data.json')).then(async answer => {
      if (!answer.ok) throw new Error(`data.json could not be loaded: ${answer.status}`);
      return await answer.json() as Data;
    }),
  ]);
  const program = await create({dealerSend, locateFile: addressOf});
  for (const [path, text] of Object.entries(data.files)) {
    program.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
    program.FS.writeFile(path, text);
  }
  addModels(program.FS, '/models', data.models, name => addressOf(`models/${name}`));
  return program;
}

const loading = load().then(program => ({
  take: program.cwrap('dealer_take', null, ['number', 'string']),
  left: program.cwrap('dealer_left', null, ['number']),
  games: program.cwrap('dealer_games', 'string', []),
}));

// Messages that come while it loads wait for it, in order.
let before: Promise<unknown> = loading;
onmessage = (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  before = before.then(() => loading).then(program => {
    if (message.type === 'take') program.take(message.connection, message.text);
    else if (message.type === 'left') program.left(message.connection);
    else tell({type: 'games', text: String(program.games())});
  }).catch((error: unknown) => tell({type: 'failed', message: String(error)}));
};
