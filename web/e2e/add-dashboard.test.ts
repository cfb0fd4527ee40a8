// docs/add-a-dashboard.md holds: a copy of the skeleton under another name, and a line in each registry, are a dashboard with a tab
// and cards on the Time Series page.
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from './fixtures';
import { ENVIRONMENT, PYTHON } from './logs';
import { Screen } from './screen';
import { freePort } from './server';

const SCRIPT = join(import.meta.dirname, 'add_dashboard.py');

test('a copied skeleton that is registered has a tab, and its cards stand on Time Series', async ({
  page,
  logs,
}) => {
  const tree = await mkdtemp(join(tmpdir(), 'sightline-e2e-tree-'));
  const port = await freePort();
  await promisify(execFile)(PYTHON, [SCRIPT, 'make', tree, logs.path], { env: ENVIRONMENT });
  const args = [SCRIPT, 'serve', tree, '--logdir', logs.path, '--port', String(port)];
  const server = spawn(PYTHON, args, { env: ENVIRONMENT, stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  try {
    const url = `http://127.0.0.1:${port}/`;
    await expect
      .poll(() =>
        fetch(url).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      .toBe(true);

    const screen = new Screen(page);
    await screen.open(`${url}#timeseries`, 'weights/norm');
    await expect(screen.titlesIn('weights')).toHaveText(['norm', 'all']);
    const card = screen.card('weights/all');
    await expect(card.getByRole('row')).toHaveText([3, 4, 5, 6, 7].map((i) => `${i}0float32 3 × ${i}1`));
    const chips = page.getByRole('group', { name: 'Kinds of cards', exact: true });
    await expect(chips.getByRole('button')).toHaveText(['All', 'Scalars', 'Sample']);

    // Its own setting is among those of the page, and in the link.
    const settings = page.getByRole('region', { name: 'Tensors', exact: true });
    await settings.getByRole('spinbutton').fill('2');
    await expect(card.getByRole('row')).toHaveCount(2);
    await expect.poll(() => screen.words().get('media')).toBe('sample.rows:2');

    const tab = page.getByRole('navigation', { name: 'Dashboards' }).getByRole('button', { name: 'Sample' });
    await tab.click();
    await expect(tab).toHaveAttribute('aria-current', 'page');
    await expect(page.getByRole('region', { name: 'weights/all' }).getByRole('row')).toHaveCount(2);
  } finally {
    await page.close();
    server.kill();
    await ended;
    await rm(tree, { recursive: true, force: true });
  }
});
