// A complete hand of a game in the browser, and whether the page tells what the server has told.
import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {
  assertAccessible, assertNoSideScroll, byClicks, byKeys, lastOf, narrow, openPage, playHand, sitDown, serverAndBrowser, wide,
} from './support.mjs';

export const ways = [['clicks', byClicks], ['keys', byKeys]];
export const sizes = [['1280', wide], ['390', narrow]];

const points = n => `${n > 0 ? '+' : n < 0 ? '−' : ''}${Math.abs(n).toLocaleString('en-GB')}`;

/** The page tells what the server has told: who won what, with which hand. */
async function assertResult(page, messages) {
  const {won} = lastOf(messages, 'hand_over');
  const {seat, names} = lastOf(messages, 'opened');
  const mine = won[seat];
  const expected = mine > 0 ? `You win ${mine.toLocaleString('en-GB')}` : mine < 0 ? `You lose ${(-mine).toLocaleString('en-GB')}` : 'Nothing won or lost';
  assert.equal(await page.locator('.result-mine').textContent(), expected);
  const rows = await page.locator('.result-all li').allInnerTexts();
  assert.deepEqual(rows.map(row => row.replace(/\s+/g, ' ').trim()), won.map((n, i) => `${i === seat ? 'You' : names[i]} ${points(n)}`));
  const begun = messages.findLastIndex(message => message.type === 'hand');
  const events = messages.slice(begun).filter(message => message.type === 'events').flatMap(message => message.events);
  const table = await page.locator('.felt').innerText();
  for (const event of events)
    if (event.event === 'shown' && typeof event.hand === 'string' && event.hand !== '' && !event.hand.includes('Fantasyland'))
      assert.ok(table.toLowerCase().includes(event.hand.toLowerCase()), `the table does not name ${event.hand}:\n${table}`);
}

/** The next hand begins on a clean table. */
async function assertNextHand(page, byKey) {
  if (await page.locator('[data-act=next]').count() === 0) return;
  if (byKey) await page.keyboard.press('Enter');
  else await page.locator('[data-act=next]').click();
  await page.locator('.table-screen[data-hand="2"]').waitFor();
  await page.locator('.turn, .result').first().waitFor();
  assert.match(await page.locator('.log li').first().innerText(), /deal|A new hand/);
}

/** Runs these hands, each `[game, options, size, way]`, at one server. */
export function describeHands(title, hands) {
  describe(title, () => {
    const running = serverAndBrowser();

    for (const [game, options, [sizeName, size], [wayName, way]] of hands)
      it(`${game} ${options.limit ?? ''} by ${wayName} at ${sizeName} pixels`, async () => {
        const {page, context, complaints, messages} = await openPage(running.browser, running.server, {size});
        await sitDown(page, game, options);
        let looked = false;
        const decisions = await playHand(page, async () => {
          if (!looked) {
            await assertAccessible(page, `the table of ${game}`);
            await assertNoSideScroll(page, `the table of ${game}`);
          }
          looked = true;
          await way(page);
        });
        await assertResult(page, messages);
        if (decisions > 0) await assertAccessible(page, `the end of a hand of ${game}`);
        await assertNoSideScroll(page, `the end of a hand of ${game}`);
        await assertNextHand(page, wayName === 'keys');
        assert.deepEqual(complaints, []);
        await context.close();
      });
  });
}
