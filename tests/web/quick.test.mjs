// What every change must pass (.ci/run): a hand of the families whose tables differ most, on a computer and on a phone,
// and the first page. The rest is in play.test.mjs, pages.test.mjs and table.test.mjs.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {describeHands, sizes, ways} from './hand.mjs';
import {assertAccessible, assertNoSideScroll, narrow, openPage, serverAndBrowser} from './support.mjs';

const [[wide, phone], [clicks, keys]] = [sizes, ways];

describeHands('a hand', [
  ['holdem', {seed: '5', limit: 'no_limit', opponent: 'rule'}, phone, clicks],
  ['stud', {}, wide, keys],
  ['draw', {seed: '4'}, phone, clicks],
  ['washizu', {seed: '11'}, wide, clicks],
  ['ofc', {seed: '11'}, phone, clicks],
  ['ofc', {seed: '11'}, wide, keys],
  ['seven_hand', {seed: '11'}, wide, keys],
  ['leduc', {}, phone, keys],
]);

describe('the page', () => {
  const running = serverAndBrowser();

  it('has every tab, in both languages', async () => {
    const {page, complaints, context} = await openPage(running.browser, running.server, {size: narrow, language: 'ja-JP', scheme: 'dark'});
    await page.getByText('ゲームを選ぶ').waitFor();
    for (const [tab, ready] of [['watch', '.history-input'], ['runs', '.reports'], ['review', '.history-input'], ['charts', '.preflop td[style]'], ['play', '.tile']]) {
      await page.locator(`.tabs a[href="#${tab}"]`).click();
      await page.locator(ready).first().waitFor();
      await assertAccessible(page, tab);
      await assertNoSideScroll(page, tab);
    }
    await page.locator('[data-act=language]').click();
    await page.getByText('Choose a game').waitFor();
    assert.deepEqual(complaints, []);
    await context.close();
  });
});
