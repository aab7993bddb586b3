// pack.mjs SOURCE OUT: puts the data of the games into a folder: data.json has the small files and the headers of the
// models, models/ the models, each of which is fetched when somebody plays with it.
import {closeSync, copyFileSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

const [source, out] = process.argv.slice(2);
const files = {};
for (const folder of ['configs/decks', 'configs/games', 'configs/rankings', 'models'])
  for (const name of readdirSync(join(source, folder)).sort())
    if (name.endsWith('.yaml')) files[`/${folder}/${name}`] = readFileSync(join(source, folder, name), 'utf8');

/** A safetensors file begins with the length of its header, 8 bytes, and the header. */
function headerOf(path) {
  const file = openSync(path);
  const length = Buffer.alloc(8);
  readSync(file, length, 0, 8, 0);
  const header = Buffer.alloc(8 + Number(length.readBigUInt64LE()));
  readSync(file, header, 0, header.length, 0);
  closeSync(file);
  return header.toString('base64');
}

const models = [];
mkdirSync(join(out, 'models'), {recursive: true});
for (const name of readdirSync(join(source, 'models')).sort()) {
  if (!name.endsWith('.safetensors')) continue;
  const path = join(source, 'models', name);
  models.push({name, size: statSync(path).size, header: headerOf(path)});
  copyFileSync(path, join(out, 'models', name));
}
writeFileSync(join(out, 'data.json'), JSON.stringify({files, models}));
