// The page without a server (scripts/web-static), from a plain server of files: hands against the shipped agents with
// advice, and the same decisions as the program's.
import assert from 'node:assert/strict';
import {createReadStream, existsSync, statSync} from 'node:fs';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {extname, join, normalize} from 'node:path';
import {after, before, describe, test} from 'node:test';
import {byClicks, openPage, playHand, root, sitDown, startBrowser, startServer} from './support.mjs';

const require = createRequire(join(root, 'frontends/web/page/package.json'));
const {WebSocket} = require('ws');
const site = process.env.DEALER_STATIC ?? join(root, 'build/web-static/site');
const types = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.svg': 'image/svg+xml', '.wasm': 'application/wasm'};

/** Files and nothing else; tells what was asked for. */
async function startFiles() {
  const asked = [];
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://x').pathname);
    const file = join(site, path === '/' ? 'index.html' : path);
    asked.push(path);
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    response.writeHead(200, {'Content-Type': types[extname(file)] ?? 'application/octet-stream'});
    createReadStream(file).pipe(response);
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return {address: `http://127.0.0.1:${server.address().port}`, asked, stop: () => server.close()};
}

const watched = {type: 'open', seats: ['best', 'best'], pace: 0, view: 'all', seed: '11'};

/** What a table of agents tells, from `open` to its last hand. */
async function watchNatively(server, open) {
  const socket = new WebSocket(`${server.address.replace('http', 'ws')}/ws/table?token=test`, {origin: server.address});
  const messages = [];
  await new Promise((resolve, reject) => {
    socket.on('open', () => socket.send(JSON.stringify(open)));
    socket.on('error', reject);
    socket.on('message', text => {
      const message = JSON.parse(text);
      messages.push(message);
      if (message.type === 'error') reject(new Error(message.message));
      if (message.type === 'hand_over' && message.last) resolve();
    });
  });
  socket.close();
  return messages;
}

/** The same by the worker alone, and how long it took. */
const watchInWorker = (page, open) => page.evaluate(first => new Promise((resolve, reject) => {
  const worker = new Worker('assets/worker.js', {type: 'module'});
  const messages = [];
  const began = performance.now();
  let opened = 0;
  worker.onerror = event => reject(new Error(event.message));
  worker.onmessage = ({data}) => {
    if (data.type === 'failed') return reject(new Error(data.message));
    const message = JSON.parse(data.text);
    messages.push(message);
    if (message.type === 'opened') opened = performance.now();
    if (message.type === 'error') reject(new Error(message.message));
    if (message.type === 'hand_over' && message.last) {
      worker.terminate();
      resolve({messages, toTable: opened - began, playing: performance.now() - opened});
    }
  };
  worker.postMessage({type: 'take', connection: 1, text: JSON.stringify(first)});
}), open);

const events = messages => messages.filter(message => message.type === 'events' || message.type === 'hand_over');

describe('the page without a server', () => {
  let browser, files;
  before(async () => {
    assert.ok(existsSync(join(site, 'dealer.wasm')), `${site} is not built; run scripts/web-static`);
    files = await startFiles();
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    files?.stop();
  });

  for (const game of ['draw', 'ofc', 'seven_hand'])
    test(`plays a hand of ${game} against default with a hint`, async context => {
      const began = performance.now();
      const {page, complaints, context: tab} = await openPage(browser, files, {hash: 'play'});
      files.asked.length = 0;
      await sitDown(page, game, {seed: '5', opponent: 'default'});
      await page.locator('.turn').first().waitFor();
      context.diagnostic(`${game}: ${Math.round(performance.now() - began)} ms to the first request`);
      assert.deepEqual(files.asked.filter(path => path.startsWith('/models/')), [`/models/${game}.safetensors`]);
      await page.locator('[data-act=advice]').click();
      await page.locator('.coach tbody tr').first().waitFor();
      await playHand(page, byClicks);
      assert.ok(await page.locator('.result').count() > 0);
      assert.deepEqual(complaints, []);
      await tab.close();
    });

  test('has the tabs that need no server alone', async () => {
    const {page, context: tab} = await openPage(browser, files, {hash: 'runs'});
    await page.locator('.tabs a').first().waitFor();
    assert.deepEqual(await page.locator('.tabs a').evaluateAll(all => all.map(one => one.getAttribute('href'))), ['#play', '#watch']);
    assert.equal(await page.locator('select option[value=guest]').count(), 0);
    await tab.close();
  });

  test('tells what could not be loaded', async () => {
    const {page, context: tab} = await openPage(browser, files);
    await page.route('**/data.json', route => route.fulfill({status: 404}));
    await page.reload();
    await page.getByText('data.json could not be loaded: 404').first().waitFor();
    await page.unroute('**/data.json');
    await page.route('**/models/*', route => route.fulfill({status: 404}));
    await page.reload();
    await sitDown(page, 'draw', {opponent: 'default'});
    await page.getByText('models/draw.safetensors could not be loaded: 404').first().waitFor();
    await tab.close();
  });

  test('leaves a table, and opens another', async () => {
    const {page, complaints, context: tab} = await openPage(browser, files, {hash: 'play'});
    await sitDown(page, 'kuhn', {seed: '2', opponent: 'default'});
    await page.locator('.turn').first().waitFor();
    await page.locator('[data-act=leave]').click();
    await page.locator('[data-act=start], .notice button').first().waitFor();
    if (await page.locator('.notice button').count() > 0) await page.locator('.notice button').first().click();
    await sitDown(page, 'leduc', {seed: '2', opponent: 'default'});
    await page.locator('.turn').first().waitFor();
    await page.reload();
    await page.locator('[data-act=start]').waitFor();
    assert.deepEqual(complaints, []);
    await tab.close();
  });

  test('decides as the program does', async context => {
    const server = await startServer();
    try {
      const games = ['draw', 'ofc', 'seven_hand', 'kuhn', 'leduc', 'lowball', 'badugi', 'stud', 'holdem', 'holdem[limit=no_limit]', 'washizu', 'court_tarot'];
      for (const game of games) {
        // Long enough for Fantasyland, whose hands are solved.
        const open = {...watched, game, hands: game === 'ofc' ? 12 : 2};
        const all = await watchNatively(server, open);
        if (game === 'ofc') assert.ok(all.some(message => message.position?.players.some(player => player.fantasyland)));
        const native = events(all);
        const {page, context: tab} = await openPage(browser, files);
        const {messages, toTable, playing} = await watchInWorker(page, open);
        const local = events(messages);
        const decisions = messages.filter(message => message.type === 'position').length;
        context.diagnostic(`${game}: ${Math.round(toTable)} ms to the table, ${(playing / decisions).toFixed(1)} ms a decision, ${decisions} of them`);
        assert.deepEqual(local, native, game);
        await tab.close();
      }
    } finally {
      await server.stop();
    }
  });
});
