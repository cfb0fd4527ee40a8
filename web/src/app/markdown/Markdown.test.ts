import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, expect, it } from 'vitest';
import Markdown from './Markdown.svelte';

afterEach(cleanup);

function show(text: string): HTMLElement {
  return render(Markdown, { text }).container;
}

it('makes elements of what was typed', () => {
  const page = show('# Plan\n\n- **one**\n- two\n\n| a |\n|--:|\n| 1 |\n\n```\ncode\n```');
  expect(page.querySelector('h4')?.textContent).toBe('Plan');
  expect([...page.querySelectorAll('li')].map((item) => item.textContent.trim())).toEqual(['one', 'two']);
  expect(page.querySelector('strong')?.textContent).toBe('one');
  expect(page.querySelector('td')?.textContent).toBe('1');
  expect(page.querySelector('pre')?.textContent).toBe('code');
});

it('puts no space where none was typed', () => {
  expect(show('a**b**c`d`, _e_.').textContent.trim()).toBe('abcd, e.');
});

it('opens links elsewhere and tells nobody where they were pressed', () => {
  show('[paper](https://a.test/x)');
  const link = screen.getByRole('link', { name: 'paper' });
  expect(link.getAttribute('href')).toBe('https://a.test/x');
  expect(link.getAttribute('rel')).toBe('noopener noreferrer');
  expect(link.getAttribute('target')).toBe('_blank');
});

it.each([
  '<script>window.hurt = 1</script>',
  '<img src=x onerror="window.hurt = 1">',
  '[x](javascript:window.hurt=1)',
  '[x]("onmouseover="window.hurt=1)',
  '<a href="javascript:window.hurt=1">x</a>',
  '![x](https://a.test/track.png)',
  '`</code><script>window.hurt = 1</script>`',
  '```\n</code></pre><iframe src="https://a.test">\n```',
  '| <svg onload=window.hurt=1> |\n|---|\n| <math><mi xlink:href="javascript:1"> |',
  '# <style>*{display:none}</style>',
])('shows %j as text and does nothing', (text) => {
  const page = show(text);
  expect(page.querySelector('script, img, iframe, svg, math, style, object, embed, form')).toBeNull();
  expect(
    [...page.querySelectorAll('*')].some((one) => /^on/.test([...one.attributes].map((a) => a.name).join())),
  ).toBe(false);
  for (const link of page.querySelectorAll('a')) expect(link.protocol).toMatch(/^https?:$/);
  expect('hurt' in window).toBe(false);
});
