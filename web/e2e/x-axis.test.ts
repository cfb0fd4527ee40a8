// What values are drawn over (another metric, the time without pauses) and what they are compared with.
import { expect, test } from './fixtures';
import { Screen } from './screen';

const STARTED_S = 1_770_710_400;
const count = (length: number, factor: number) => Array.from({ length }, (_, i) => i * factor);

test('any metric can be the x axis, and the likeliest is offered first', async ({
  page,
  logs,
  server,
  shoot,
}) => {
  await logs.write('run', { loss: count(20, 1), 'train/tokens': count(20, 1000) });
  const screen = new Screen(page);
  await screen.open(`${server.url}#scalars&smoothing=0`, 'loss');
  const axis = page.getByRole('radiogroup', { name: 'Horizontal axis' });
  await axis.getByText('Metric…').click();
  await expect(page.getByRole('button', { name: 'Metric: train/tokens' })).toBeVisible();
  await expect(screen.card('loss')).toContainText('from 0 to 19k');
  await expect(screen.card('loss')).toContainText('over train/tokens');
  await screen.hover(screen.chart('loss'), 0.999);
  await expect(screen.place('loss')).toHaveText(/^train\/tokens 1\d(\.\d+)?k$/);
  await expect.poll(() => screen.words().get('x')).toBe('metric:train/tokens');
  await shoot(page, 'metric');
  // By the keyboard, through the search.
  await page.getByRole('button', { name: 'Metric: train/tokens' }).click();
  await page.keyboard.type('loss');
  await page.keyboard.press('Enter');
  await expect(screen.card('train/tokens')).toContainText('from 0 to 19');
  await axis.getByText('Step').click();
  await expect(screen.card('loss')).toContainText('steps 0 to 19');
});

test('a metric that no run has is said in the card', async ({ page, logs, server }) => {
  await logs.write('run', { loss: count(20, 1) });
  await page.goto(`${server.url}#scalars&x=metric:nothing`);
  await expect(new Screen(page).card('loss').locator('.message')).toContainText('nothing');
});

test('active time leaves out the pause between two starts', async ({ page, logs, server }) => {
  await logs.write('run', { loss: count(10, 1) }, { startedS: STARTED_S });
  await logs.write('run', { loss: count(10, 1) }, { startedS: STARTED_S + 3600, firstStep: 10 });
  const screen = new Screen(page);
  await screen.open(`${server.url}#scalars&smoothing=0&x=relative`, 'loss');
  await expect(screen.card('loss')).toContainText(/time 0\.00s to 1h/);
  await page.getByRole('radiogroup', { name: 'Horizontal axis' }).getByText('Active time').click();
  await expect(screen.card('loss')).toContainText('time 0.00s to 18');
  await expect(screen.card('loss')).toContainText('active time');
  const branches = page.getByRole('switch', { name: 'Show abandoned branches' });
  await expect(branches).toBeDisabled();
  await expect(page.getByText('Hidden over active time')).toBeVisible();
  await page.getByRole('radiogroup', { name: 'Horizontal axis' }).getByText('Step').click();
  await expect(branches).toBeEnabled();
});

test('all charts are compared with a run', async ({ page, logs, server, shoot }) => {
  await logs.write('base', { loss: count(20, 1) });
  await logs.write('better', { loss: count(20, 0.5) });
  const screen = new Screen(page);
  await screen.open(`${server.url}#scalars&smoothing=0`, 'loss');
  await page.getByRole('button', { name: /^Baseline run/ }).click();
  await page.getByRole('option', { name: 'base', exact: true }).click();
  const lastOf = async (run: string) =>
    Number((await screen.values('loss')).find((value) => value.run === run)?.value);
  await expect.poll(() => lastOf('better')).toBe(-9.5);
  await expect.poll(() => lastOf('base')).toBe(0);
  await expect(screen.card('loss')).toContainText('Δ vs base');
  await page.getByRole('radiogroup', { name: 'Compared by' }).getByText('Percent').click();
  await expect.poll(() => lastOf('better')).toBe(-50);
  await expect.poll(() => screen.words().get('baseline')).toContain('base');
  await shoot(page, 'baseline');
  await page.getByRole('button', { name: /^Baseline run/ }).click();
  await page.getByRole('listbox').getByRole('option', { name: 'None' }).click();
  await expect.poll(() => lastOf('better')).toBe(9.5);
});
