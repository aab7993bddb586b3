// The table when things come at the wrong time, or do not fit.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {assertNoSideScroll, byClicks, lastOf, openPage, playHand, serverAndBrowser, sitDown, until, wide} from './support.mjs';

const phone = {width: 360, height: 740};

describe('a table', () => {
  const running = serverAndBrowser();
  const on = (name, options, test) =>
    it(name, async () => {
      const opened = await openPage(running.browser, running.server, options);
      await test(opened);
      assert.deepEqual(opened.complaints, []);
      await opened.context.close();
    });

  /** Sits down at a table that the lobby remembers: {game, players, seats, adviser, options}. */
  async function sitAt(page, table, seed = '3') {
    await page.locator('.tile').first().waitFor();
    await page.evaluate(choice => localStorage.setItem('dealer.lobby', choice), JSON.stringify({options: {}, adviser: 'random', ...table}));
    await page.reload();
    await sitDown(page, table.game, {seed});
    await page.locator('.turn, .result').first().waitFor();
  }
  const against = (game, players, agent = 'rule:caller') => ({game, players, seats: ['me', ...Array(players - 1).fill(agent)]});
  const noLimit = {...against('holdem', 2), options: {limit: 'no_limit'}};

  on('takes an amount as it is typed', {}, async ({page, messages}) => {
    await sitAt(page, noLimit);
    const {legal, id} = lastOf(messages, 'request');
    const {min, max} = legal.find(choice => choice.index === null);
    const exact = page.locator('.exact');
    const total = `${min + 150}`;
    await page.locator('[data-act=advice]').click();
    await exact.fill('');
    await exact.pressSequentially(total.slice(0, -1));
    await until(() => lastOf(messages, 'advice')?.id === id, 'advice');
    await exact.pressSequentially(total.slice(-1));
    assert.equal(await exact.inputValue(), total);
    assert.match(await page.locator('.action-raise').textContent(), new RegExp(`\\b${total}\\b`));
    // What nobody may bet is corrected, and not bet.
    for (const [wrong, nearest] of [[`${min - 50}`, min], ['', min], [`${max * 2}`, max]]) {
      await exact.fill(wrong);
      await exact.press('Enter');
      assert.equal(await exact.inputValue(), `${nearest}`);
      await exact.fill(wrong);
      await page.locator('.action-raise').click();
      assert.equal(await exact.inputValue(), `${nearest}`);
    }
    assert.equal(await page.locator('.turn').getAttribute('data-request'), `${id}`);
    await exact.fill(total);
    await page.locator('.action-raise').click();
    await page.locator('.log li', {hasText: new RegExp(`^You (bet|raise to) ${total}`)}).waitFor();
  });

  on('that cannot be opened leads back to the lobby', {}, async ({page}) => {
    await page.locator('.tile').first().waitFor();
    await page.locator('.seating summary').click();
    await page.locator('.option-list .field', {hasText: 'stack'}).locator('input').fill('abc');
    await page.locator('[data-act=start]').click();
    assert.match(await page.locator('[role=alert]').textContent(), /stack/);
    assert.equal(await page.locator('[data-act=start]').count(), 1);
  });

  on('that has gone leads back to the lobby', {}, async ({page}) => {
    await page.locator('.tile').first().waitFor();
    await page.evaluate(() => sessionStorage.setItem('dealer.seat', 'gone'));
    await page.reload();
    assert.match(await page.locator('[role=alert]').textContent(), /no table with this key/);
    await page.reload();
    await page.locator('.tile').first().waitFor();
    assert.equal(await page.locator('[role=alert]').count(), 0);
  });

  on('has the advice of a coach without probabilities', {}, async ({page, messages}) => {
    await sitAt(page, {...against('stud', 4), adviser: 'rule'});
    await page.locator('[data-act=advice]').click();
    await page.locator('.coach .chances').waitFor();
    const {id} = lastOf(messages, 'request');
    await page.locator('.coach tbody .link-button').click();
    await page.waitForFunction(before => document.querySelector('.turn')?.getAttribute('data-request') !== `${before}`, id);
    await playHand(page, byClicks);
    await page.locator('[data-act=review]').click();
    await page.locator('.coach', {hasText: /cannot be judged/}).waitFor();
  });

  on('tells its rules in words, then by keys', {}, async ({page}) => {
    await sitAt(page, against('holdem', 2));
    await page.getByRole('button', {name: 'Rules'}).click();
    const [words, keys] = [page.locator('.rules p'), page.locator('.rules pre')];
    assert.match(await words.innerText(), /blind[^]*\n/);
    assert.match(await keys.innerText(), /blinds: /);
  });

  on('copies invitations without a clipboard object', {}, async ({page}) => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', {value: undefined}));
    await page.reload();
    await page.locator('input[name=game][value=kuhn]').check({force: true});
    await page.locator('.seat-list select').first().selectOption('guest');
    await page.locator('[data-act=start]').click();
    await page.locator('.invitation button').click();
    await page.getByText('Copied').waitFor();
  });

  it('ends for a person whose opponent leaves', async () => {
    const host = await openPage(running.browser, running.server);
    await host.page.locator('input[name=game][value=kuhn]').check({force: true});
    await host.page.locator('.seat-list select').first().selectOption('guest');
    await host.page.locator('[data-act=start]').click();
    const context = await running.browser.newContext({viewport: wide, locale: 'en-GB'});
    const page = await context.newPage();
    await page.goto(await host.page.locator('.invitation input').inputValue());
    await page.locator('.felt .seat').first().waitFor();
    await host.page.locator('[data-act=leave]').click();
    await page.getByText('host has left').waitFor();
    await context.close();
    await host.context.close();
  });

  /** No card of the player lies under something of another seat, and no seat leaves the window. */
  async function assertFree(page, where) {
    const found = await page.evaluate(() => {
      const me = document.querySelector('.seat.is-me');
      const covered = [...me.querySelectorAll('.cards .card')].filter(card => {
        const {left, top, width, height} = card.getBoundingClientRect();
        const over = document.elementFromPoint(left + width * 0.2, top + height * 0.2);
        return over && !me.contains(over);
      });
      const outside = [...document.querySelectorAll('.seat')].filter(seat => {
        const {left, right} = seat.getBoundingClientRect();
        return left < 0 || right > document.documentElement.clientWidth;
      });
      return {covered: covered.map(card => card.dataset.card), outside: outside.map(seat => seat.dataset.seat)};
    });
    assert.deepEqual(found, {covered: [], outside: []}, where);
    await assertNoSideScroll(page, where);
  }

  for (const [game, players] of [['stud', 4], ['stud', 7], ['razz', 8], ['holdem', 10], ['draw', 6], ['washizu', 6]])
    on(`for ${players} at ${game} fits into every window`, {size: {width: 1280, height: 1200}}, async ({page}) => {
      await sitAt(page, against(game, players));
      await playHand(page, async () => {
        if (game === 'draw' && await page.locator('.seat.is-me .thrown').count() > 0) await lookAtAll();
        await byClicks(page);
      });
      await lookAtAll();
      async function lookAtAll() {
        for (const width of [360, 390, 430, 768, 1024, 1280, 1920]) {
          await page.setViewportSize({width, height: 1200});
          await page.evaluate(() => scrollTo(0, 0));
          await assertFree(page, `${game} for ${players} at ${width} pixels`);
        }
        await page.setViewportSize({width: 1280, height: 1200});
      }
    });

  on('of 7-Hand Poker has room for long names of hands', {size: phone}, async ({page}) => {
    await sitAt(page, against('seven_hand', 2, 'random'));
    const cut = await page.locator('.pile-hand').evaluateAll(all => {
      for (const one of all) one.textContent = 'two pair, nines and threes';
      return all.filter(one => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1).length;
    });
    assert.equal(cut, 0);
  });
});
