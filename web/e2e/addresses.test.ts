// Where the page can live and what its address can say: below a path, behind a proxy, behind a token, and with the links
// that were made for TensorBoard.
import { Buffer } from 'node:buffer';
import { expect, test } from './fixtures';
import { curve } from './logs';
import { Proxy } from './proxy';
import { Screen } from './screen';
import { RUN_NAMES } from './training-log';

const CHART_FILTER = 'Filter charts by regular expression';

test.describe('below a path', () => {
  test.use({ serverArgs: ['--path_prefix', '/team/board'] });

  test('the page and its live updates work below --path_prefix', async ({ page, logs, server }) => {
    await logs.write('run', { loss: curve(10) }, { isOpen: true });
    const screen = new Screen(page);
    await screen.open(server.url, 'loss');
    expect(new URL(page.url()).pathname).toBe('/team/board/');
    await screen.waitUntilLive();
    await logs.write('run', { loss: [0.4375] }, { firstStep: 10 });
    await expect(screen.card('loss')).toContainText('steps 0 to 10');
    // Without the slash at the end, too.
    await page.goto(server.url.replace(/\/$/, ''));
    await screen.waitForChart('loss');
  });
});

test('the page and its live updates work behind a proxy that takes a path away', async ({
  page,
  logs,
  server,
  shoot,
}) => {
  const proxy = await Proxy.start(server.port, '/lab/user/proxy/6006');
  try {
    await logs.write('run', { loss: curve(10) }, { isOpen: true });
    const screen = new Screen(page);
    await screen.open(proxy.url, 'loss');
    await screen.waitUntilLive();
    await logs.write('run', { loss: [0.4375] }, { firstStep: 10 });
    await expect(screen.card('loss')).toContainText('steps 0 to 10');
    await shoot(page, 'proxied');
    await page.goto('about:blank');
  } finally {
    await proxy.stop();
  }
});

test.describe('with a token', () => {
  test.use({ serverArgs: ['--token', 'open-sesame'], expectedErrors: [/401 \(Unauthorized\)/] });

  test('nothing is shown without it; with it once, a cookie is enough', async ({
    page,
    context,
    logs,
    server,
    shoot,
  }) => {
    await logs.write('run', { loss: curve(10) });
    await page.goto(server.url);
    await expect(page.getByRole('heading', { name: 'This server asks for a token' })).toBeVisible();
    await expect(page.locator('body')).not.toContainText('loss');
    await shoot(page, 'refused');
    expect((await page.request.get(`${server.url}api/v1/runs`)).status()).toBe(401);
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('heading', { name: 'This server asks for a token' })).toBeVisible();

    const screen = new Screen(page);
    await screen.open(`${server.url}?token=open-sesame#timeseries&smoothing=0.25`, 'loss');
    expect(page.url()).not.toContain('open-sesame');
    await expect.poll(() => screen.words().get('smoothing')).toBe('0.25');
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    expect(cookie!.value).not.toContain('open-sesame');
    await screen.waitUntilLive();
    await screen.open(server.url, 'loss');
  });
});

test.describe('TensorBoard’s links', () => {
  test('#scalars with regexInput, _smoothingWeight, tagFilter and _ignoreYOutliers', async ({
    page,
    training,
  }) => {
    const screen = new Screen(page);
    const words =
      'regexInput=baseline&_smoothingWeight=0.8&tagFilter=loss&_ignoreYOutliers=false&_xType=relative';
    await screen.open(`${training.url}#scalars&${words}`, 'train/loss');
    await screen.expectRuns(RUN_NAMES.filter((name) => name.includes('baseline')));
    await expect(screen.runFilter).toHaveValue('baseline');
    await expect(page.getByRole('textbox', { name: CHART_FILTER })).toHaveValue('loss');
    await expect(page.getByRole('spinbutton', { name: 'Weight' })).toHaveValue('0.8');
    await expect(page.getByRole('switch', { name: 'Ignore outliers' })).not.toBeChecked();
    await expect(page.getByRole('radio', { name: 'Relative' })).toBeChecked();
  });

  test('?runFilter, tagFilter, smoothing, pinnedCards and darkMode before #timeseries', async ({
    page,
    training,
  }) => {
    const screen = new Screen(page);
    const pins = encodeURIComponent(JSON.stringify([{ plugin: 'scalars', tag: 'val/accuracy' }]));
    const query = `?runFilter=wide&tagFilter=loss&smoothing=0.3&pinnedCards=${pins}&darkMode=true`;
    await screen.open(`${training.url}${query}#timeseries`, 'val/accuracy');
    await screen.expectRuns(RUN_NAMES.filter((name) => name.includes('wide')));
    await expect(screen.titlesIn('Matching charts')).toHaveText(['train/loss', 'val/loss']);
    await expect(screen.titlesIn('Pinned')).toHaveText(['val/accuracy']);
    await expect(page.getByRole('spinbutton', { name: 'Weight' })).toHaveValue('0.3');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    // Our own words take their place, and mean the same after a reload.
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await page.reload();
    await expect(screen.runFilter).toHaveValue('wide');
    await expect(page.getByRole('spinbutton', { name: 'Weight' })).toHaveValue('0.3');
  });

  test('runSelectionState hides the runs that were switched off', async ({ page, training }) => {
    const hidden = RUN_NAMES.slice(0, 2);
    const state = JSON.stringify(Object.fromEntries(RUN_NAMES.map((name) => [name, !hidden.includes(name)])));
    const screen = new Screen(page);
    const words = `runSelectionState=${encodeURIComponent(Buffer.from(state).toString('base64'))}&smoothing=0.8`;
    await screen.open(`${training.url}#scalars&${words}`, 'train/loss');
    for (const name of RUN_NAMES)
      await expect(screen.runBox(name)).toBeChecked({ checked: !hidden.includes(name) });
    await expect
      .poll(async () => (await screen.runsIn('train/loss')).sort())
      .toEqual(RUN_NAMES.slice(2).sort());
    await expect(page.getByRole('spinbutton', { name: 'Weight' })).toHaveValue('0.8');
  });
});

test('Back restores what was shown: another address as a whole, another dashboard with its filter', async ({
  page,
  training,
}) => {
  const screen = new Screen(page);
  await page.goto(`${training.url}#timeseries&tagFilter=loss&smoothing=0.1`);
  await expect(screen.titlesIn('Matching charts')).toHaveText(['train/loss', 'val/loss']);
  await page.goto(`${training.url}#timeseries&tagFilter=val`);
  await expect(screen.tagFilter).toHaveValue('val');
  await page.goBack();
  await expect(screen.tagFilter).toHaveValue('loss');
  await expect(screen.titlesIn('Matching charts')).toHaveText(['train/loss', 'val/loss']);
  await expect.poll(() => screen.words().get('smoothing')).toBe('0.1');
  await page.goForward();
  await expect(screen.tagFilter).toHaveValue('val');

  await page.getByRole('button', { name: 'Scalars', exact: true }).click();
  await expect(page).toHaveTitle(/^Scalars/);
  await screen.tagFilter.fill('train');
  await expect.poll(() => screen.words().get('tagFilter')).toBe('train');
  await page.goBack();
  await expect(page).toHaveTitle(/^Time series/);
  await expect(screen.tagFilter).toHaveValue('val');
  await page.goForward();
  await expect(screen.tagFilter).toHaveValue('train');
});
