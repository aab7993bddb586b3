// What the browser tests share: a server, a browser, a page that complains, players that click or type.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before} from 'node:test';

export const root = join(import.meta.dirname, '../..');
// The tools of the page serve its tests, too.
const require = createRequire(join(root, 'frontends/web/page/package.json'));
const {chromium} = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export const program = process.env.DEALER_PROGRAM ?? join(root, 'build/release/bin/dealer');
const browsers = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const kPatience = 60_000;

/** `dealer serve` in a folder of its own, at a free port. DEALER_PAGE: the address of a page that stands before it. */
export async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'dealer-web-'));
  const port = process.env.DEALER_PORT ?? '0';
  const child = spawn(program, ['serve', '--port', port, '--token', 'test', '--folder', folder], {cwd: root});
  // Not left behind by a script that fails.
  const kill = () => child.kill();
  process.on('exit', kill);
  const address = await new Promise((resolve, reject) => {
    let said = '';
    const read = chunk => {
      said += chunk;
      const link = /http:\/\/[\d.]+:\d+/.exec(said);
      if (link) resolve(link[0]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', reject);
    child.on('exit', code => reject(new Error(`dealer serve has ended with ${code}: ${said}`)));
  });
  return {
    folder,
    address: process.env.DEALER_PAGE ?? address,
    async stop() {
      process.off('exit', kill);
      child.removeAllListeners('exit');
      const ended = new Promise(resolve => child.on('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, {recursive: true});
    },
  };
}

export async function startBrowser() {
  const executablePath = browsers.find(path => path && existsSync(path));
  assert.ok(executablePath, 'no Chromium is installed; set CHROMIUM to its path');
  return chromium.launch({executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'], timeout: 2 * kPatience});
}

/** The server and the browser of a describe(), while its tests run. */
export function serverAndBrowser() {
  const running = {};
  before(async () => {
    running.server = await startServer();
    running.browser = await startBrowser();
  });
  after(async () => {
    await running.browser?.close();
    await running.server?.stop();
  });
  return running;
}

export const wide = {width: 1280, height: 800};
export const narrow = {width: 390, height: 844};

/** A page at the server that keeps what came over its sockets, and whose complaints are gathered. */
export async function openPage(browser, server, {size = wide, hash = '', language = 'en-GB', scheme = 'light', context: known} = {}) {
  const context = known ?? await browser.newContext({viewport: size, locale: language, colorScheme: scheme, hasTouch: size.width < 600});
  const page = await context.newPage();
  page.setDefaultTimeout(kPatience);
  const complaints = [];
  const messages = [];
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(String(error)));
  page.on('websocket', socket => socket.on('framereceived', ({payload}) => messages.push(JSON.parse(payload))));
  const query = hash.includes('?') ? '&' : hash ? '?' : '';
  await page.goto(`${server.address}/#${hash}${query}token=test`);
  return {page, context, complaints, messages};
}

/** Nothing serious or critical for people who use a keyboard, a screen reader or large contrast. */
export async function assertAccessible(page, where) {
  const found = await page.evaluate(async source => {
    if (!window.axe) (0, eval)(source);
    const {violations} = await window.axe.run(document, {resultTypes: ['violations']});
    return violations.filter(one => ['serious', 'critical'].includes(one.impact)).map(one => ({
      id: one.id, nodes: one.nodes.map(node => `${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`),
    }));
  }, axe);
  assert.deepEqual(found, [], `accessibility of ${where}`);
}

/** No content is cut off at the side. */
export async function assertNoSideScroll(page, where) {
  const [content, width] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(content <= width, `${where} is ${content} pixels wide in a window of ${width}`);
}

export async function sitDown(page, game, {seed = '1', limit, opponent} = {}) {
  await page.locator(`input[name=game][value=${game}]`).check({force: true});
  if (limit) await page.locator('[data-rule=limit]').selectOption(limit);
  if (opponent) for (const seat of await page.locator('.seat-list select').all()) await seat.selectOption(opponent);
  await page.locator('.seating summary').click();
  await page.locator('.seating input[inputmode=numeric]').fill(seed);
  await page.locator('[data-act=start]').click();
}

/** Waits for what no element tells. */
export async function until(condition, what) {
  const end = Date.now() + kPatience;
  while (!condition()) {
    assert.ok(Date.now() < end, `${what} has not come`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

export const lastOf = (messages, type) => messages.findLast(message => message.type === type);

/** Plays until the hand is over; `decide` makes one decision. Returns how many it made. */
export async function playHand(page, decide) {
  const turn = page.locator('.turn');
  for (let decisions = 0; decisions < 200; ++decisions) {
    await page.locator('.turn, .result [data-act=next], .result [data-act=leave-last]').first().waitFor();
    if (await page.locator('.result').count() > 0) return decisions;
    const id = await turn.getAttribute('data-request');
    await decide(page);
    await page.waitForFunction(before => document.querySelector('.turn')?.getAttribute('data-request') !== before, id);
  }
  throw new Error('the hand does not end');
}

const exists = async (page, selector) => await page.locator(selector).count() > 0;

/** Chooses with the pointer: calls, throws one card, lays two, fills rows from the back. */
export async function byClicks(page) {
  if (await exists(page, '[data-act=check], [data-act=call], [data-act=bring_in]'))
    return page.locator('[data-act=check], [data-act=call], [data-act=bring_in]').first().click();
  if (await exists(page, '[data-act=draw]')) {
    await page.locator('.seat.is-me .card-button').last().click();
    assert.equal(await page.locator('.card-button.is-pressed').count(), 1);
    return page.locator('[data-act=draw]').click();
  }
  if (await exists(page, '[data-act=lay]')) {
    await page.locator('.own-hand .card-button').nth(0).click();
    await page.locator('.own-hand .card-button').nth(1).click();
    return page.locator('[data-act=lay]').click();
  }
  if (await exists(page, '.line-chip.is-open')) return page.locator('.line-chip.is-open').first().click();
  assert.ok(await exists(page, '[data-act=confirm]'), 'no control is known');
  for (let moved = 0; moved < 20 && await page.locator('[data-act=confirm]').isDisabled(); ++moved) {
    if (!await exists(page, '.ofc-hand .card-button.is-pressed')) await page.locator('.ofc-hand .card-button').first().click();
    // Alternately into the row itself and by the button that names it.
    const open = moved % 2 === 0 ? page.locator('.slot-target.is-open') : page.locator('.row-buttons button:not(:disabled)');
    if (await open.count() > 0) await open.last().click();
    else await page.locator('.row-buttons button:not(:disabled)').last().click();
  }
  return page.locator('[data-act=confirm]').click();
}

/** The same with the keyboard alone. */
export async function byKeys(page) {
  const press = key => page.keyboard.press(key);
  if (await exists(page, '[data-act=check], [data-act=call], [data-act=bring_in]')) return press('c');
  if (await exists(page, '[data-act=draw]')) {
    await press('1');
    assert.equal(await page.locator('.card-button.is-pressed').count(), 1);
    return press('d');
  }
  if (await exists(page, '[data-act=lay]')) {
    await press('1');
    await press('2');
    return press('Enter');
  }
  if (await exists(page, '.line-chip.is-open')) return press(await page.locator('.line-chip.is-open').first().getAttribute('data-chip'));
  assert.ok(await exists(page, '[data-act=confirm]'), 'no control is known');
  for (let moved = 0; moved < 20 && await page.locator('[data-act=confirm]').isDisabled(); ++moved)
    for (const key of ['b', 'm', 'f', 'x']) if (await page.locator('[data-act=confirm]').isDisabled()) await press(key);
  return press('Enter');
}
