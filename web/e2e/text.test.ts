// The Text dashboard: reading, searching and comparing texts, and that none of them can do anything but be read.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { HOSTILE_TEXTS } from '../src/markdown/hostile-texts.fixture';
import { expectAccessible } from './accessible';
import { expect, test as base } from './fixtures';
import { LogDirectory } from './logs';
import { test as mediaTest } from './media-logs';
import { Screen } from './screen';
import { Server } from './server';
import { writeLog } from './written-log';

const test = base.extend<object, { texts: Server }>({
  texts: [
    async ({ writer }, use) => {
      const logs = await LogDirectory.create(writer);
      const hostile = join(logs.path, 'hostile.json');
      await writeFile(hostile, JSON.stringify(HOSTILE_TEXTS));
      await writeLog('write_text.py', logs.path, [hostile]);
      const server = await Server.start(logs.path);
      await use(server);
      await server.stop();
      await logs.remove();
    },
    { scope: 'worker' },
  ],
});

const panel = (page: Page, name: string): Locator => page.getByRole('article', { name, exact: true });

async function open(page: Page, server: Server, filter = ''): Promise<Screen> {
  await page.goto(`${server.url}#text${filter === '' ? '' : `&tagFilter=${encodeURIComponent(filter)}`}`);
  await expect(page.getByRole('toolbar', { name: 'Text', exact: true })).toBeVisible();
  return new Screen(page);
}

async function filterTags(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: /^Filter tags/ });
  await field.fill(text);
  // Keys that follow are for the page.
  await field.blur();
}

test('texts are read as Markdown or plain, step by step', async ({ page, texts, shoot }) => {
  const screen = await open(page, texts);
  await filterTags(page, '^report');
  const adam = panel(page, 'report of adam');
  await expect(adam.getByRole('heading', { name: 'Results of step 400', exact: true })).toBeVisible();
  await expect(adam.locator('math mfrac')).toHaveCount(1);
  await expect(adam.locator('.math')).toHaveCount(2);
  await expect(adam).toContainText('it cost $5, not $6');
  await expect(adam.locator('.code-keyword').first()).toHaveText('def');
  await expect(adam.getByRole('cell', { name: '0.5', exact: true })).toBeVisible();
  await expect(adam.locator('img')).toHaveCount(0);
  await expect(adam.getByRole('link', { name: 'Load picture “curve” from example.test' })).toBeVisible();
  await shoot(page, 'markdown');

  const slider = adam.getByRole('slider');
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(adam.getByRole('heading', { name: 'Results of step 300', exact: true })).toBeVisible();
  // The other run has not moved.
  await expect(
    panel(page, 'report of sgd').getByRole('heading', { name: 'Results of step 400' }),
  ).toBeVisible();

  // For all texts, on any of them.
  const ways = page.getByRole('radiogroup', { name: 'How texts are shown' }).first();
  await ways.getByText('Plain').click();
  await expect(adam).toContainText('The **adam** run');
  await ways.getByText('Markdown').click();
  await expect.poll(() => screen.words().get('media')).toBeNull();

  // By key, and in the link.
  await page.locator('body').press('m');
  await expect.poll(() => page.url()).toContain('plain');
  await expect(adam).toContainText('The **adam** run');
  await page.locator('body').press('m');
  await expect(adam.getByRole('heading', { name: 'Results of step 300', exact: true })).toBeVisible();

  await adam.getByRole('button', { name: 'Copy the text of adam', exact: true }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain('# Results of step 300\n\nThe **adam** run');
  const download = page.waitForEvent('download');
  await adam.getByRole('button', { name: 'Download the text of adam', exact: true }).click();
  expect((await download).suggestedFilename()).toBe('report_step_300.txt');

  await page.locator('body').press('h');
  await expect(adam.getByRole('listitem').filter({ hasText: 'Results of step' })).toHaveCount(5);
  await expect(adam.getByRole('heading', { level: 4 }).first()).toHaveText('Results of step 400');
  await shoot(page, 'history');
});

test('shapes, odd bytes and long texts are shown for what they are', async ({ page, texts }) => {
  test.slow();
  await open(page, texts);
  await filterTags(page, '^shapes');
  await expect(panel(page, 'shapes/scalar of shapes').locator('em')).toHaveText('one');
  await expect(panel(page, 'shapes/list of shapes').getByRole('row')).toHaveText([
    /0\s*first bold/,
    /1\s*second/,
    /2\s*third/,
  ]);
  await expect(panel(page, 'shapes/table of shapes').getByRole('rowheader')).toHaveText(['0', '1']);
  await expect(panel(page, 'shapes/cube of shapes')).toContainText('3 dimensions (2 × 3 × 4)');
  await expect(panel(page, 'shapes/odd of shapes')).toContainText('caf\\xe9 \\xff end');
  await expect(panel(page, 'shapes/odd of shapes')).toContainText('Some bytes are not UTF-8');
  await expect(panel(page, 'shapes/deep of shapes')).toContainText('nested too deeply for Markdown');
  await expect(panel(page, 'shapes/deep of shapes').locator('.typed')).toHaveText(/^>{20000} deep$/);

  await filterTags(page, '^long');
  const story = panel(page, 'long/story of large');
  // Not the whole panel: reading megabytes off the screen again and again takes longer than showing them.
  const facts = story.locator('.part');
  const lines = (): Promise<number> =>
    story
      .locator('.value')
      .evaluate(
        (value) => (value.textContent.match(/A line of a very long text, again and again\./g) ?? []).length,
      );
  /** Counted once, when the last block has come: ten megabytes in each look are too much for a busy machine. */
  const expectAllLines = async (): Promise<void> => {
    await expect(story.locator('.value .text')).toHaveAttribute('aria-busy', 'false', { timeout: 40_000 });
    expect(await lines()).toBe(230_000);
  };
  const beginning = /^\s*200,000 of 10,350,000 characters are shown\s*Show all\s*Download\s*$/;
  await expect(facts).toHaveText([beginning]);
  await expect.poll(lines).toBe(Math.floor(200_000 / 45));
  // More of it moves nothing of what is there.
  const first = await story.locator('.piece p').first().elementHandle();
  // By key: the lines above it get their heights as they come into sight, and move it away from the pointer.
  await story.getByRole('button', { name: 'Show all', exact: true }).last().press('Enter');
  await expect(facts).toHaveCount(0);
  await expect(story.getByRole('group', { name: 'Text of large', exact: true })).toBeFocused();
  await expectAllLines();
  expect(await first.evaluate((paragraph) => paragraph.isConnected)).toBe(true);
  await expect(story.locator('.note')).toContainText('From here on as it was typed');
  await page.getByRole('radiogroup', { name: 'How texts are shown' }).first().getByText('Plain').click();
  await expect(story.locator('.prose')).toHaveCount(0);
  await expectAllLines();

  // A table counts its rows, the same way.
  const rows = panel(page, 'long/rows of large');
  const part = rows.locator('.part');
  await expect(part).toContainText('300 of 2,000 rows are shown');
  const more = part.getByRole('button');
  // The rows that are here, then those that are fetched.
  await more.press('Enter');
  await expect(part).toContainText('900 of 2,000 rows are shown');
  await more.press('Enter');
  await expect(part).toContainText('1,000 of 2,000 rows are shown');
  await more.press('Enter');
  await expect(part).toHaveCount(0);
  await expect(rows.locator('tbody tr')).toHaveCount(2000);
});

test('Arabic runs from the right, block by block and line by line', async ({ page, texts, shoot }) => {
  await open(page, texts, '^arabic');
  const text = panel(page, 'arabic of shapes');
  /** How far what stands there is from both sides of the text. */
  const roomBeside = (words: string): Promise<[number, number]> =>
    text.locator('.prose, .text').evaluate((frame, sought) => {
      const walker = document.createTreeWalker(frame, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const at = (walker.currentNode as Text).data.indexOf(sought);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(walker.currentNode, at);
        range.setEnd(walker.currentNode, at + sought.length);
        const [inner, outer] = [range.getBoundingClientRect(), frame.getBoundingClientRect()];
        return [inner.left - outer.left, outer.right - inner.right];
      }
      throw new Error(`no ${sought}`);
    }, words);
  const isAtRight = async (words: string): Promise<boolean> => {
    const [left, right] = await roomBeside(words);
    return left > right;
  };
  await expect(text.getByRole('listitem')).toHaveText('واحد');
  await shoot(page, 'arabic');
  for (const words of ['كلمة', 'واحد', 'عمود']) expect(await isAtRight(words), words).toBe(true);
  expect(await isAtRight('English')).toBe(false);
  await page.getByRole('radiogroup', { name: 'How texts are shown' }).getByText('Plain').click();
  await expect(text.getByRole('group', { name: 'Text', exact: true })).toBeVisible();
  for (const words of ['كلمة', 'واحد', 'عمود']) expect(await isAtRight(words), words).toBe(true);
  expect(await isAtRight('English')).toBe(false);
});

test('a word is found in every step and run, and its place is shown', async ({ page, texts, shoot }) => {
  const screen = await open(page, texts);
  await page.locator('body').press('Shift+F');
  await page.getByRole('textbox', { name: 'Search in all texts' }).fill('OVER *ALL* TOKENS');
  await expect(page.getByRole('status').filter({ hasText: 'found' })).toHaveText(/^10 found in \d+ texts$/);
  const list = page.getByRole('listbox', { name: 'Places found' });
  const options = list.getByRole('option');
  await expect(options.first()).toContainText('adam');
  await expect(options.first().locator('mark')).toHaveText('over *all* tokens');
  await shoot(page, 'search');

  await page.getByRole('textbox', { name: 'Search in all texts' }).press('ArrowDown');
  await expect(list).toBeFocused();
  await list.press('ArrowDown');
  await expect(list.getByRole('option', { selected: true })).toContainText('step 100');
  await list.press('Enter');
  await expect(
    panel(page, 'report of adam').getByRole('heading', { name: 'Results of step 100' }),
  ).toBeVisible();

  await page.getByRole('button', { name: 'Match case', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'found' })).toHaveText(/^0 found in/);
  await page.getByRole('textbox', { name: 'Search in all texts' }).fill('diverged');
  await expect(options).toHaveCount(1);
  await expect
    .poll(() => screen.words().get('media'))
    .toMatch(/text-search:diverged.*text-search-case:1|text-search-case:1.*text-search:diverged/);
  await options.first().click();
  await expect(panel(page, 'samples/greedy of sgd')).toBeInViewport();
  // It stands out in the texts themselves, until the search ends.
  const marked = (): Promise<string[]> =>
    page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map((range) => (range as Range).toString()));
  await expect.poll(marked).toContain('diverged');

  // It is in the link: a reload finds it again, and so does Back.
  const field = page.getByRole('textbox', { name: 'Search in all texts' });
  const expectFound = async (): Promise<void> => {
    await expect(field).toHaveValue('diverged');
    await expect(page.getByRole('button', { name: 'Match case', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await expect(options).toHaveCount(1);
    // Where it is marked is built when it is near.
    await page.locator('[data-media-tag^="samples/greedy"]').scrollIntoViewIfNeeded();
    await expect.poll(marked).toContain('diverged');
  };
  await expect.poll(() => screen.words().get('media')).toMatch(/step:40/);
  await page.reload();
  await expectFound();
  const tabs = page.getByRole('navigation', { name: 'Dashboards' });
  await tabs.getByRole('button', { name: 'Time series', exact: true }).click();
  await expect(field).toHaveCount(0);
  await page.goBack();
  await expectFound();
  await page.getByRole('button', { name: 'Close the search', exact: true }).click();
  await expect.poll(marked).toEqual([]);
  await expect.poll(() => screen.words().get('media')).not.toContain('text-search');
});

mediaTest(
  'a place that was found is shown, also of the last of many runs and instead of a step of its own',
  async ({ page, media }) => {
    for (let run = 10; run < 24; run++) {
      const text = run === 23 ? 'a needle' : 'hay';
      await media.write(`many/${run}`, [0, 10], {
        texts: { 'answers/greedy': `${text}\n\n${'straw\n\n'.repeat(9)}` },
      });
    }
    await page.goto(`${media.url}#text&tagFilter=answers`);
    // Twelve are shown, and a button for the others.
    await expect(page.getByRole('button', { name: /^\s*Show 2 more\s+runs\s*$/ })).toBeVisible();
    const found = panel(page, 'answers/greedy of many/23');
    await expect(found).toHaveCount(0);
    await page.locator('body').press('Shift+F');
    await page.getByRole('textbox', { name: 'Search in all texts' }).fill('needle');
    const later = page.getByRole('option').filter({ hasText: 'step 10' });
    await later.click();
    await expect(found).toBeInViewport();
    await expect(found).toContainText('a needle');
    const slider = found.getByRole('slider');
    await slider.press('ArrowLeft');
    await expect(slider).toHaveAttribute('aria-valuetext', 'step 0');
    // The bar is there already.
    await later.click();
    await expect(slider).toHaveAttribute('aria-valuetext', 'step 10');
  },
);

test('Esc steps back from the places found to the words, then closes the search', async ({ page, texts }) => {
  await open(page, texts);
  await page.locator('body').press('Shift+F');
  const field = page.getByRole('textbox', { name: 'Search in all texts' });
  await field.fill('diverged');
  const list = page.getByRole('listbox', { name: 'Places found' });
  await expect(list.getByRole('option')).toHaveCount(1);
  await field.press('ArrowDown');
  await list.press('Enter');
  await list.press('Escape');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('diverged');
  await field.press('Escape');
  await expect(page.getByRole('search')).toHaveCount(0);
  await expect(list).toHaveCount(0);
  await expect(page.locator('body')).toBeFocused();
});

test('tags are counted in words that are right for one, and for no run', async ({ page, texts }) => {
  const screen = await open(page, texts, '^samples/greedy$');
  const bar = page.getByRole('toolbar', { name: 'Text', exact: true });
  await expect(page.getByRole('region', { name: 'samples', exact: true })).toContainText(/1 tag\b/);
  await screen.chooseForRuns('Select none');
  await expect(bar).toContainText(/0\s+tags\s+· no run is visible/);
});

test('what could not be searched to the end is told, also without a pointer', async ({ page, texts }) => {
  // Of the first answer: a slow server gives several, each with a part of the texts.
  let problems = ['adam, report, step 7: too long'];
  await page.route('**/text/search', async (route) => {
    const answer = await route.fetch();
    const found = (await answer.json()) as object;
    await route.fulfill({ response: answer, json: { ...found, problems } });
    problems = [];
  });
  await open(page, texts);
  await page.locator('body').press('Shift+F');
  await page.getByRole('textbox', { name: 'Search in all texts' }).fill('diverged');
  const summary = page.getByText('1 could not be searched to the end', { exact: true });
  const problem = page.getByText('adam, report, step 7: too long', { exact: true });
  await expect(summary).toBeVisible();
  await expect(problem).toBeHidden();
  await summary.press('Enter');
  await expect(problem).toBeVisible();
});

test('two runs or two steps are compared', async ({ page, texts, shoot }) => {
  const screen = await open(page, texts);
  await filterTags(page, '^report');
  await page.getByRole('button', { name: 'Compare texts of report', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare report' });
  const view = dialog.getByRole('region', { name: 'Difference' });
  await expect(view.locator('del').first()).toHaveText('adam');
  await expect(view.locator('ins').first()).toHaveText('sgd');
  await expect(dialog.getByRole('status')).toContainText(/\+\d+ words\s+−\d+ words/);
  await shoot(page, 'difference');

  await dialog.getByText('Lines').click();
  await expect(dialog.getByRole('status')).toContainText(/lines/);

  await dialog.getByRole('combobox', { name: 'After: run' }).selectOption('adam');
  await expect(dialog.getByRole('status')).toContainText('The texts are equal');
  const step = dialog.getByRole('group', { name: 'Before: step' }).getByRole('slider');
  await step.press('ArrowLeft');
  await expect(view.locator('del').first()).toContainText('Results of step 300');

  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard and pointer' });
  await expect(help.getByRole('heading', { level: 3 }).first()).toHaveText('Comparison of texts');
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await expect(step).toBeFocused();

  // The link has the two and how they are compared: a reload brings them back, and so does Forward after Back.
  await expect.poll(() => screen.words().get('media')).toMatch(/texts\.by:lines,texts:adam;report.*;300/);
  await page.reload();
  await expect(view.locator('del').first()).toContainText('Results of step 300');
  await expect(dialog.getByRole('status')).toContainText(/lines/);
  await page.goBack();
  await expect(dialog).toBeHidden();
  await page.goForward();
  await expect(view.locator('del').first()).toContainText('Results of step 300');
  // A run that is there no more is named, and another one can be chosen.
  const link = page.url().replace('texts:adam', 'texts:gone');
  await page.goto('about:blank');
  await page.goto(link);
  await expect(dialog.getByRole('status')).toContainText('There is no run called “gone”');
  await dialog.getByRole('combobox', { name: 'Before: run' }).selectOption('sgd');
  await expect(view.locator('ins').first()).toContainText('Results of step 400');
});

test.describe('hostile texts', () => {
  test('run nothing, load nothing and restyle nothing', async ({ page, texts }) => {
    const foreign: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith('http') && url.origin !== new URL(texts.url).origin) foreign.push(url.href);
    });
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await open(page, texts);
    const look = (): Promise<string> =>
      page.evaluate(() => {
        const style = getComputedStyle(document.body);
        return [style.display, style.backgroundColor, style.color, style.position, document.title].join('|');
      });
    await filterTags(page, '^report');
    await expect(panel(page, 'report of adam').getByRole('heading').first()).toBeVisible();
    const before = await look();

    await filterTags(page, '^hostile');
    await expect(panel(page, 'hostile/together of hostile')).toContainText('hurt');
    await page.locator('body').press('h');
    const history = panel(page, 'hostile/texts of hostile');
    await expect(history.getByRole('listitem').first()).toContainText('step');
    // Through all of them, so that each has been in the page.
    const list = history.locator('ol[data-scroller]');
    const seen = new Set<string>();
    await expect
      .poll(
        async () => {
          for (const step of await history.locator('.step').allInnerTexts()) seen.add(step);
          await list.evaluate((element) => element.scrollBy(0, element.clientHeight * 0.8));
          const { elements, attributes } = await oddities(page);
          expect(elements).toEqual([]);
          expect(attributes).toEqual([]);
          return (
            seen.has('step 0') &&
            (await list.evaluate((e) => e.scrollTop + e.clientHeight >= e.scrollHeight - 2))
          );
        },
        { timeout: 60_000, intervals: [50] },
      )
      .toBe(true);

    expect(foreign).toEqual([]);
    expect(dialogs).toEqual([]);
    expect(await page.evaluate(() => 'hurt' in window)).toBe(false);
    expect(await look()).toBe(before);
    expect(await page.evaluate(() => document.querySelectorAll('[id="app"], [id="tag-filter"]').length)).toBe(
      2,
    );
  });
});

/** What no logged text may have made. */
async function oddities(page: Page): Promise<{ elements: string[]; attributes: string[] }> {
  return await page.locator('.markdown').evaluateAll((all) => {
    const allowed = new Set(
      (
        'a b blockquote br code del details div em h4 h5 h6 hr i img ins kbd li mark ol p pre s span strong sub summary sup ' +
        'table tbody td th thead tr u ul button'
      ).split(' '),
    );
    const elements: string[] = [];
    const attributes: string[] = [];
    for (const element of all.flatMap((one) => [...one.querySelectorAll('*')])) {
      const isMath = element.namespaceURI === 'http://www.w3.org/1998/Math/MathML';
      if (!isMath && !allowed.has(element.localName)) elements.push(element.localName);
      for (const { name, value } of element.attributes)
        if (
          /^(on|style$|id$|name$|srcset|action|form|background)/.test(name) ||
          /^\s*(javascript|data:text|vbscript)/i.test(value)
        )
          attributes.push(`${element.localName} ${name}=${value}`);
      if (element.localName === 'img' && !(element as HTMLImageElement).src.startsWith('data:image/'))
        attributes.push('img src');
    }
    return { elements, attributes };
  });
}

test('the page is usable on a phone and by everyone', async ({ page, texts, shoot }) => {
  await open(page, texts);
  await filterTags(page, '^(report|shapes)');
  await expect(panel(page, 'report of sgd').getByRole('heading').first()).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await shoot(page, 'dark');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(panel(page, 'report of adam')).toBeVisible();
  const [first, second] = await Promise.all(
    ['report of adam', 'report of sgd'].map((name) => panel(page, name).boundingBox()),
  );
  expect(second!.y).toBeGreaterThan(first!.y + first!.height - 1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
  await shoot(page, 'phone');
});
