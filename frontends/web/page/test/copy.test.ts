import {afterEach, describe, expect, it, vi} from 'vitest';
import {copy} from '../src/ui/copy';

afterEach(() => vi.unstubAllGlobals());

class Element {
  selected = false;
  removed = false;
  value = '';
  select(): void {
    this.selected = true;
  }
  remove(): void {
    this.removed = true;
  }
  focus(): void {}
}

/** A page whose selection can be copied. */
function page(clipboard?: {writeText: (text: string) => Promise<void>}): {made: Element[]; commands: string[]} {
  const made: Element[] = [], commands: string[] = [];
  vi.stubGlobal('navigator', {clipboard});
  vi.stubGlobal('HTMLElement', Element);
  vi.stubGlobal('document', {
    activeElement: null,
    body: {appendChild: (element: Element) => (made.push(element), element)},
    createElement: () => new Element(),
    execCommand: (command: string) => (commands.push(command), true),
  });
  return {made, commands};
}

describe('copying', () => {
  it('uses the clipboard where there is one', async () => {
    const texts: string[] = [];
    const {commands} = page({writeText: text => Promise.resolve(void texts.push(text))});
    expect(await copy('link')).toBe(true);
    expect([texts, commands]).toEqual([['link'], []]);
  });
  it.each([['is none', undefined], ['is a refusal', {writeText: () => Promise.reject(new Error('not allowed'))}]])(
    'takes the selection where there %s', async (_, clipboard) => {
      const {made, commands} = page(clipboard);
      expect(await copy('link')).toBe(true);
      expect(made).toMatchObject([{value: 'link', selected: true, removed: true}]);
      const field = new Element();
      expect(await copy('link', field as unknown as HTMLInputElement)).toBe(true);
      expect([field.selected, field.removed, made.length]).toEqual([true, false, 1]);
      expect(commands).toEqual(['copy', 'copy']);
    },
  );
});
