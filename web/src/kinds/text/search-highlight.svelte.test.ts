// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { matchesIn } from './search-highlight.svelte';

function textsFound(markup: string, text: string, isCaseSensitive = false): string[] {
  const element = document.createElement('div');
  element.append(...new DOMParser().parseFromString(markup, 'text/html').body.childNodes);
  return matchesIn(element, { text, isCaseSensitive }).map(
    ({ startContainer, startOffset, endOffset }) =>
      `${startOffset}:${(startContainer as Text).data.slice(startOffset, endOffset)}`,
  );
}

it('finds every place in every stretch of letters', () => {
  expect(textsFound('<p>Loss and loss, <b>LOSS</b> lo<i>ss</i></p>', 'loss')).toEqual([
    '0:Loss',
    '9:loss',
    '0:LOSS',
  ]);
  expect(textsFound('<p>Loss and loss</p>', 'loss', true)).toEqual(['9:loss']);
});

it('marks nothing at a wrong place, and not without end', () => {
  // This letter is two in lower case.
  expect(textsFound('<p>İİ loss</p><p>loss</p>', 'loss')).toEqual(['0:loss']);
  expect(textsFound(`<p>${'aaaa'.repeat(2000)}</p>`, 'aa')).toHaveLength(1000);
});
