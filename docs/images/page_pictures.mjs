// Pictures of the page of `dealer serve`, as the documents show them: node docs/images/page_pictures.mjs
//
// Writes docs/images/page_*.png: a table of each family at 1280 or 390 pixels, a chart, and a training whose curve
// grows. Needs a full build, Chromium, what `scripts/web` installs, and Pillow for Python, which reduces them to a palette.
import {execFileSync, spawn} from 'node:child_process';
import {join} from 'node:path';
import {byClicks, narrow, openPage, program, root, sitDown, startBrowser, startServer, wide} from '../../tests/web/support.mjs';

const server = await startServer();
const browser = await startBrowser();

async function save(page, name) {
  const file = join(root, 'docs/images', `page_${name}.png`);
  await page.screenshot({path: file});
  execFileSync('python3', ['-c', 'import sys; from PIL import Image; p = sys.argv[1]; Image.open(p).convert("RGB").quantize(160).save(p, optimize=True)', file]);
  console.log(file);
}

const advise = async page => {
  await page.locator('[data-act=advice]').click();
  await page.locator('table.advice').first().waitFor();
};
// A decision, in the next hand if this one is over.
const turn = async page => {
  await page.locator('.turn, [data-act=next]').first().waitFor();
  if (await page.locator('[data-act=next]').count() > 0) await page.locator('[data-act=next]').click();
  await page.locator('.turn').waitFor();
};

/** What the coach advises. */
const asAdvised = async page => {
  await advise(page);
  await page.locator('table.advice .link-button').first().click();
  await page.locator('[data-act=confirm]').click();
};

async function table(name, game, {decisions = 0, advice = false, decide = byClicks, ...options}, view) {
  const {page, context} = await openPage(browser, server, view);
  await sitDown(page, game, options);
  for (let made = 0; made < decisions; ++made) {
    await turn(page);
    const id = await page.locator('.turn').getAttribute('data-request');
    await decide(page);
    await page.waitForFunction(before => document.querySelector('.turn')?.getAttribute('data-request') !== before, id);
  }
  await turn(page);
  if (advice) await advise(page);
  await page.evaluate(() => scrollTo(0, 0));
  await save(page, name);
  await context.close();
}

await table('ofc', 'ofc', {seed: '11', decisions: 2, decide: asAdvised, advice: true}, {size: wide});
await table('holdem', 'holdem', {seed: '5', limit: 'no_limit', decisions: 2}, {size: wide, scheme: 'dark'});
await table('stud', 'stud', {seed: '1', decisions: 3}, {size: wide});
await table('draw', 'draw', {seed: '4', decisions: 1, advice: true}, {size: narrow});
await table('seven_hand', 'seven_hand', {seed: '11', decisions: 6}, {size: wide});
await table('washizu', 'washizu', {seed: '11'}, {size: narrow, scheme: 'dark'});

// The chart of OFC's openings.
{
  const {page, context} = await openPage(browser, server, {size: wide, hash: 'charts?chart=openings'});
  await page.locator('.opening-classes tbody tr').first().waitFor();
  await page.locator('.opening-classes').evaluate(table => table.closest('section').scrollIntoView());
  await save(page, 'charts');
  await context.close();
}

// The quick agent of OFC for some seconds, seen while it learns.
const training = spawn(program, ['train', 'ofc', 'hands=120000', 'evaluation.every_hands=6000', 'evaluation.deals=400', 'evaluation.opponents=[rule]',
  'evaluation.final_deals=200', '--quiet', '--out', join(server.folder, 'runs/ofc')], {cwd: root, stdio: 'inherit'});
const ended = new Promise(resolve => training.on('exit', resolve));
const {page} = await openPage(browser, server, {size: wide, hash: 'runs'});
await page.locator('.run-row, tbody tr').first().waitFor();
await new Promise(resolve => setTimeout(resolve, Number(process.env.SECONDS_OF_TRAINING ?? 40) * 1000));
await save(page, 'runs');
training.kill('SIGTERM');
await ended;

await browser.close();
await server.stop();
