// How quickly the page appears and answers: figures for docs/experiments/speed.md, no test. `node tests/web/speed.mjs`
import {byClicks, openPage, sitDown, startBrowser, startServer} from './support.mjs';

const kPages = 20, kClicks = 100;

const sorted = numbers => [...numbers].sort((a, b) => a - b);
const at = (numbers, share) => sorted(numbers)[Math.min(numbers.length - 1, Math.floor(share * numbers.length))];
const tell = (what, numbers) =>
  console.log(`${what}: median ${at(numbers, 0.5).toFixed(1)} ms, 95% within ${at(numbers, 0.95).toFixed(1)} ms, worst ${Math.max(...numbers).toFixed(1)} ms (${numbers.length})`);

/** Notes when a click comes, and when the page has changed for the first time and told what was decided. */
const watchClicks = page => page.evaluate(() => {
  window.clicks = [];
  let last = null;
  const lines = () => document.querySelector('.log ol')?.childElementCount ?? 0;
  document.addEventListener('click', () => window.clicks.push(last = {at: performance.now(), lines: lines(), changed: null, told: null}), true);
  new MutationObserver(() => {
    if (!last) return;
    last.changed ??= performance.now() - last.at;
    if (last.told === null && lines() > last.lines) last.told = performance.now() - last.at;
  }).observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});
});

const server = await startServer();
const browser = await startBrowser();
const paints = [], visible = [];
for (let i = 0; i < kPages; ++i) {
  const {page, context} = await openPage(browser, server);
  await page.locator('.tile').first().waitFor();
  const [painted, tiles] = await page.evaluate(() => [performance.getEntriesByName('first-contentful-paint')[0].startTime, performance.now()]);
  paints.push(painted);
  visible.push(tiles);
  await context.close();
}
tell('first paint', paints);
tell('games to choose from', visible);

/** Clicks at a table against `random`, whose decisions take no time, until there are enough that `which` takes. */
async function clicks(game, options, which) {
  const {page, context} = await openPage(browser, server);
  await sitDown(page, game, {seed: '3', opponent: 'random', ...options});
  await page.locator('.turn, .result').first().waitFor();
  await watchClicks(page);
  let times = [];
  while (times.length < kClicks) {
    await page.locator('.turn, .result [data-act=next], .result [data-act=leave-last]').first().waitFor();
    if (await page.locator('.result').count() > 0) {
      const hand = await page.locator('.table-screen').getAttribute('data-hand');
      await page.locator('[data-act=next]').click();
      await page.waitForFunction(before => document.querySelector('.table-screen').dataset.hand !== before, hand);
    } else {
      const id = await page.locator('.turn').getAttribute('data-request');
      await byClicks(page);
      await page.waitForFunction(before => document.querySelector('.turn')?.getAttribute('data-request') !== before, id);
    }
    times = (await page.evaluate(() => window.clicks)).map(which).filter(time => time !== null);
  }
  await context.close();
  return times;
}
tell("hold'em, from a click to what the server tells of it and of the answer", await clicks('holdem', {}, click => click.told));
tell('OFC, from a click to the first change of the page', await clicks('ofc', {}, click => click.changed));
await browser.close();
await server.stop();
