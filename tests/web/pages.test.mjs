// The other pages, and what must survive: reload, loss of the connection, two people at a table.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {describe, it} from 'node:test';
import {gzipSync} from 'node:zlib';
import {
  assertAccessible, assertNoSideScroll, byClicks, lastOf, narrow, openPage, playHand, program, root, sitDown, serverAndBrowser, until, wide,
} from './support.mjs';

// Trains and plays the matches; the program itself, unless the one that serves was built alone.
const other = process.env.DEALER_OTHER_PROGRAM ?? program;

function dealer(...words) {
  return new Promise((resolve, reject) => {
    const child = spawn(other, words, {cwd: root, stdio: ['ignore', 'pipe', 'pipe']});
    let said = '';
    child.stdout.on('data', chunk => (said += chunk));
    child.stderr.on('data', chunk => (said += chunk));
    child.on('exit', code => (code === 0 ? resolve(said) : reject(new Error(said))));
  });
}

describe('pages', () => {
  const running = serverAndBrowser();
  const on = (name, options, test) =>
    it(name, async context => {
      const opened = await openPage(running.browser, running.server, options);
      await test(opened, context);
      assert.deepEqual(opened.complaints, []);
      await opened.context.close();
    });

  on('shows its first page at once', {}, async ({page}, context) => {
    await page.locator('.tile').first().waitFor();
    const shown = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
    // speed.mjs measures it: here the machine may be busy with other tests.
    context.diagnostic(`first paint after ${Math.round(shown)} ms`);
    assert.ok(shown < 10_000, `first paint after ${shown} ms`);
  });

  on('takes the token out of the address', {}, async ({page}) => {
    await page.locator('.tile').first().waitFor();
    assert.ok(!page.url().includes('test'), page.url());
  });

  on('says what is wrong without a token', {}, async ({page, complaints}) => {
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(`${running.server.address}/`);
    await page.reload();
    await page.getByText('needs the link').waitFor();
    // The browser itself reports the answer 401.
    complaints.splice(0);
  });

  for (const [name, size] of [['1280', wide], ['390', narrow], ['360', {width: 360, height: 740}]])
    for (const scheme of ['light', 'dark'])
      on(`are accessible at ${name} pixels, ${scheme}`, {size, scheme}, async ({page}) => {
        for (const [tab, ready] of [['play', '.tile'], ['watch', '.history-input'], ['runs', '.reports'], ['review', '.history-input'], ['charts', '.preflop']]) {
          await page.evaluate(to => (location.hash = to), tab);
          await page.locator(ready).first().waitFor();
          await assertAccessible(page, tab);
          await assertNoSideScroll(page, tab);
        }
      });

  on('switches language, theme and suits, and remembers them', {}, async ({page}) => {
    await page.locator('.tile').first().waitFor();
    await page.locator('[data-act=language]').click();
    await page.getByText('ゲームを選ぶ').waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'ja');
    await page.locator('[data-act=theme]').click();
    await page.locator('[data-act=theme]').click();
    await page.getByLabel('4色スート').click();
    await page.reload();
    await page.getByText('ゲームを選ぶ').waitFor();
    assert.deepEqual(await page.evaluate(() => ({...document.documentElement.dataset})), {theme: 'dark', suits: 'four'});
    await page.locator('input[name=game][value=draw]').check({force: true});
    await page.locator('[data-act=start]').click();
    await page.locator('.turn, .result').first().waitFor();
    await page.getByText('あなたに').first().waitFor();
  });

  on('go on after a reload where they were', {}, async ({page, messages}) => {
    await sitDown(page, 'ofc', {seed: '11'});
    await page.locator('.turn').waitFor();
    await byClicks(page);
    await page.waitForFunction(() => document.querySelectorAll('.ofc-board.is-me .row .card').length >= 5);
    await page.locator('.turn').waitFor();
    const cards = await page.locator('.ofc-board.is-me .row .card').evaluateAll(all => all.map(card => card.dataset.card).sort());
    const id = await page.locator('.turn').getAttribute('data-request');
    messages.splice(0);
    await page.reload();
    await page.locator('.turn').waitFor();
    assert.equal(await page.locator('.turn').getAttribute('data-request'), id);
    assert.deepEqual(await page.locator('.ofc-board.is-me .row .card').evaluateAll(all => all.map(card => card.dataset.card).sort()), cards);
    assert.ok((await page.locator('.log li').count()) > 2);
    await playHand(page, byClicks);
    assert.ok(lastOf(messages, 'hand_over'));
  });

  on('come back after the connection was lost', {}, async ({page, context, complaints}) => {
    await sitDown(page, 'kuhn');
    await page.locator('.turn, .result').first().waitFor();
    await context.setOffline(true);
    await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 300)));
    await context.setOffline(false);
    await playHand(page, byClicks);
    complaints.splice(0);
  });

  on('undo moves until they are confirmed, and take drags', {}, async ({page}) => {
    await sitDown(page, 'ofc', {seed: '11'});
    await page.locator('.turn').waitFor();
    const first = page.locator('.ofc-hand .card-button').first();
    const card = await first.getAttribute('data-card');
    await page.locator('.ofc-hand span[draggable]').first().dragTo(page.locator('.ofc-board.is-me .row-middle'));
    await page.locator(`.ofc-board.is-me .row-middle [data-card="${card}"]`).first().waitFor();
    await page.locator('[data-act=undo]').click();
    assert.equal(await page.locator('.ofc-board.is-me .row .card').count(), 0);
    assert.equal(await page.locator('.ofc-hand .card-button').count(), 5);
    await page.keyboard.press('b');
    await page.keyboard.press('m');
    assert.equal(await page.locator('.ofc-board.is-me .row .card-button').count(), 2);
    await page.keyboard.press('Backspace');
    assert.equal(await page.locator('.ofc-board.is-me .row .card-button').count(), 1);
    assert.ok(await page.locator('[data-act=confirm]').isDisabled());
  });

  on('bet exact amounts and fractions of the pot', {}, async ({page, messages}) => {
    await sitDown(page, 'holdem', {limit: 'no_limit', seed: '8', opponent: 'rule'});
    for (let hands = 0; hands < 20 && await page.locator('.turn').count() === 0; ++hands) {
      await page.locator('.turn, .result [data-act=next]').first().waitFor();
      if (await page.locator('.turn').count() === 0) await page.locator('[data-act=next]').click();
    }
    const {position, seat, legal} = lastOf(messages, 'request');
    const range = legal.find(choice => choice.index === null);
    const pot = position.players[seat].bet + position.to_call + position.pot + position.to_call;
    await page.getByRole('button', {name: 'Pot', exact: true}).click();
    const expected = Math.min(Math.max(pot, range.min), range.max);
    assert.equal(await page.locator('.exact').inputValue(), String(expected));
    await page.locator('.exact').fill(String(range.min + 7));
    await page.locator('.exact').press('Enter');
    await page.waitForFunction(() => [...document.querySelectorAll('.log li')].some(line => /^You (bet|raise)/.test(line.textContent)));
    const acted = messages.filter(m => m.type === 'events').flatMap(m => m.events).findLast(e => e.event === 'acted' && e.seat === seat && e.action !== 'fold');
    assert.equal(acted.total, range.min + 7);
  });

  on('advise, and review the hand', {}, async ({page}) => {
    await sitDown(page, 'leduc', {seed: '2'});
    await page.locator('.turn').waitFor();
    await page.locator('[data-act=advice]').click();
    await page.locator('.coach tbody tr').first().waitFor();
    const shares = await page.locator('.coach tbody tr td:nth-child(2)').allInnerTexts();
    const total = shares.reduce((sum, text) => sum + (parseInt(text, 10) || 0), 0);
    assert.ok(total >= 98 && total <= 102, `${shares}`);
    await playHand(page, byClicks);
    await page.locator('[data-act=review]').click();
    await page.locator('.coach .review, .coach .muted').first().waitFor();
    await assertAccessible(page, 'the review of a hand');
  });

  on('take the coach at its word, into Fantasyland and through it', {}, async ({page, messages}) => {
    await sitDown(page, 'ofc', {seed: '1'});
    const byAdvice = async () => {
      await page.locator('[data-act=advice]').click();
      await page.locator('.coach tbody .link-button').first().click();
      await page.locator('[data-act=confirm]').click();
    };
    for (let hands = 1; hands < 12; ++hands) {
      await page.locator('.turn, .result').first().waitFor();
      if (await page.locator('.ofc-hand .card-button').count() === 14) break;
      await playHand(page, byAdvice);
      await page.locator('[data-act=next]').click();
      await page.locator(`.table-screen[data-hand="${hands + 1}"]`).waitFor();
    }
    assert.equal(await page.locator('.ofc-board.is-me .badge-gold').textContent(), 'Fantasyland');
    const cards = () => page.locator('.ofc-hand .card-button').evaluateAll(all => all.map(card => card.dataset.card));
    const ranks = (await cards()).map(card => 'AKQJT98765432'.indexOf(card[0]));
    assert.equal(ranks.length, 14);
    assert.deepEqual(ranks, [...ranks].sort((a, b) => a - b));
    await page.getByRole('button', {name: 'By suit'}).click();
    const suits = (await cards()).map(card => 'shdc'.indexOf(card[1]));
    assert.deepEqual(suits, [...suits].sort((a, b) => a - b));
    await assertAccessible(page, 'Fantasyland');
    await playHand(page, byAdvice);
    const {won} = lastOf(messages, 'hand_over');
    assert.equal(await page.locator('.ofc-board.is-me .badge-bad').count(), 0, 'the exact setting is a foul');
    assert.equal(await page.locator('.result-mine').textContent(), won[0] > 0 ? `You win ${won[0]}` : won[0] < 0 ? `You lose ${-won[0]}` : 'Nothing won or lost');
  });

  it('seat two people at one table with two links', async () => {
    const host = await openPage(running.browser, running.server);
    await host.page.locator('input[name=game][value=kuhn]').check({force: true});
    await host.page.locator('.seat-list select').first().selectOption('guest');
    await host.page.locator('[data-act=start]').click();
    const link = await host.page.locator('.invitation input').inputValue();
    const context = await running.browser.newContext({viewport: narrow, locale: 'en-GB'});
    const page = await context.newPage();
    await page.goto(link);
    const both = [host.page, page];
    await Promise.race(both.map(one => one.locator('.turn').waitFor()));
    const ended = host.page.locator('.result');
    while (await ended.count() === 0) {
      await Promise.race([...both.map(one => one.locator('.turn').waitFor()), ended.waitFor()]);
      for (const one of both) if (await one.locator('.turn').count() > 0) await one.locator('.turn .action').last().click();
    }
    const mine = await host.page.locator('.result-mine').textContent();
    const theirs = await page.locator('.result-mine').textContent();
    assert.equal(theirs, mine.includes('win') ? mine.replace('win', 'lose') : mine.replace('lose', 'win'));
    assert.ok(await host.page.locator('.invitation').count() === 0, 'the invitation stays after the guest came');
    assert.deepEqual(host.complaints, []);
    await context.close();
    await host.context.close();
  });

  on('watch agents, paused, by steps', {hash: 'watch'}, async ({page, messages}) => {
    await page.locator('input[name=game][value=seven_hand]').check({force: true});
    await page.locator('[data-act=start]').click();
    await page.locator('.line-place').first().waitFor();
    await page.locator('[data-act=pause]').click();
    await page.waitForTimeout(1500);
    const before = messages.length;
    await page.waitForTimeout(1500);
    assert.equal(messages.length, before, 'it went on while paused');
    await page.locator('[data-act=step]').click();
    await until(() => messages.slice(before).some(message => message.type === 'position'), 'a step');
    await assertAccessible(page, 'watching');
  });

  on('step through a hand history with a link to each position', {hash: 'watch'}, async ({page}) => {
    const file = `${running.server.folder}/hands.phhs`;
    await dealer('match', 'rule', 'random', '--game', 'draw', '--deals', '2', '--seed', '3', '--log', file);
    await page.locator('.history-input input[type=file]').setInputFiles(file);
    await page.locator('.stepper').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => location.hash.includes('step=3'));
    const words = await page.locator('.log li').allInnerTexts();
    const link = page.url();
    await page.goto('about:blank');
    await page.goto(link);
    await page.locator('.stepper .log li').first().waitFor();
    assert.deepEqual(await page.locator('.log li').allInnerTexts(), words);
    await page.getByRole('button', {name: 'Show probabilities'}).click();
    await page.locator('.coach tbody tr, .coach .muted, .coach .warning').first().waitFor();
    await assertAccessible(page, 'a hand history');
  });

  on('review a file', {hash: 'review'}, async ({page}) => {
    const file = `${running.server.folder}/leduc.phhs`;
    await dealer('match', 'default', 'random', '--game', 'leduc', '--deals', '4', '--seed', '3', '--log', file);
    await page.locator('.history-input input[type=file]').setInputFiles(file);
    await page.locator('.decisions li').first().waitFor();
    const costs = (await page.locator('.decision-loss').allInnerTexts()).map(text => Number(text.replace('−', '-')));
    assert.ok(costs.some(cost => cost < 0), 'random makes no mistake');
    assert.deepEqual(costs, [...costs].sort((a, b) => a - b));
    await page.locator('.decisions button').first().click();
    await page.locator('.stepper').waitFor();
  });

  on('see the curve of a training grow', {hash: 'runs'}, async ({page}) => {
    const training = dealer('train', 'kuhn', 'hands=500000', 'evaluation.every_hands=40000', '--out', `${running.server.folder}/runs/live`, '--quiet').catch(error => error);
    await Promise.race([page.locator('.run-list input').first().waitFor(), training.then(ended => assert.ok(!(ended instanceof Error), String(ended)))]);
    await page.locator('.run-list input').first().waitFor();
    // The newest run is chosen unasked.
    assert.ok(await page.locator('.run-list input').first().isChecked());
    const points = async () => Number(await page.locator('.curves').getAttribute('data-points'));
    await page.locator('.curves').waitFor();
    const first = await points();
    await page.waitForFunction(before => Number(document.querySelector('.curves').dataset.points) > before, first);
    assert.equal(await page.locator('.run-list .badge').first().textContent(), 'running');
    assert.equal(await page.locator('.state-running').count(), 1);
    await assertAccessible(page, 'runs');
    const ended = await training;
    assert.ok(!(ended instanceof Error), String(ended));
    await page.getByRole('button', {name: /^Play three hands/}).click();
    await page.locator('.stepper').waitFor();
    assert.equal(await page.locator('.stepper select option').count(), 3);
  });

  on('show charts', {hash: 'charts'}, async ({page}) => {
    await page.locator('.preflop td[style]').first().waitFor();
    assert.equal(await page.locator('.preflop td[style]').count(), 169);
    await page.getByRole('button', {name: 'Hands of a deck'}).click();
    await page.getByText('2,598,960').first().waitFor();
    await page.locator('.charts-page select').selectOption('court_tarot_54');
    await page.getByText('3,162,510').first().waitFor();
    await page.getByRole('button', {name: 'OFC openings'}).click();
    await page.getByLabel('Five cards').fill('As Ah 7c 7d 2h');
    await page.locator('.opening').first().waitFor();
    const cards = () => page.locator('.opening').first().locator('.card').evaluateAll(all => all.map(card => card.dataset.card).sort());
    assert.deepEqual(await cards(), ['2h', '7c', '7d', 'Ah', 'As']);
    await page.locator('.opening-classes tbody tr').first().waitFor();
    assert.equal(await page.locator('.opening-classes tbody tr').count(), 26);
    // With the keyboard: an example of the class becomes the five cards.
    await page.locator('[data-class=pair_q] button').focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /Q.*Q/.test(document.querySelector('.charts-page input[spellcheck]').value));
    await page.locator('.opening').first().waitFor();
    assert.equal((await cards()).filter(card => card[0] === 'Q').length, 2);
    await assertAccessible(page, 'openings');
    await assertNoSideScroll(page, 'openings');
  });

  on('show how draw poker and stud begin, for any agent', {hash: 'charts', size: narrow}, async ({page, complaints}) => {
    // A server that has other work is asked again.
    await page.route('**/api/charts/starting-hands*', route => route.fulfill({status: 429, json: {error: 'busy'}}), {times: 1});
    await page.getByRole('button', {name: 'Draw and stud'}).click();
    await page.locator('.starting tbody tr').first().waitFor();
    assert.equal(await page.locator('.starting tbody tr').count(), 25);
    await page.getByLabel('Game').selectOption('razz');
    await page.getByLabel('Agent').fill('rule');
    await page.getByLabel('After').fill('bet');
    await page.getByLabel('After').press('Enter');
    await page.getByText('three to a five').waitFor();
    const shares = await page.locator('.starting tbody tr').last().locator('td.num').allInnerTexts();
    const [raises, calls, folds] = shares.map(text => parseInt(text, 10));
    assert.ok(Math.abs(raises + calls + folds - 100) <= 1, `${shares}`);
    await assertAccessible(page, 'starting hands');
    await assertNoSideScroll(page, 'starting hands');
    // The browser itself reports the answer 429.
    assert.ok(complaints.splice(0).every(line => line.includes('429')));
  });
});

it('the bundle has at most 300 KB', async () => {
  const {readdirSync, readFileSync} = await import('node:fs');
  const folder = `${root}/frontends/web/page/dist`;
  const files = readdirSync(folder, {recursive: true, withFileTypes: true}).filter(entry => entry.isFile());
  assert.ok(files.length >= 3);
  const bytes = files.reduce((sum, entry) => sum + gzipSync(readFileSync(`${entry.parentPath}/${entry.name}`)).length, 0);
  assert.ok(bytes <= 300 * 1024, `${bytes} bytes`);
});
