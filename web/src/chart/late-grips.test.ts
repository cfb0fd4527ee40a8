// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { openTestChart, press, testSeries } from './test-series';

// Other tests fetch the code of markers before their first chart; here it comes with the first marker.
vi.mock('./interaction', async (original) => ({
  ...(await original<object>()),
  loadGrips: () => Promise.resolve(),
}));

const LINE = testSeries({ y: Array.from({ length: 101 }, () => 5) });

test('a marker is drawn when its code is here, and keys pressed before move it; a chart that is gone tells nobody', async () => {
  const [onSelected, onSelectedOfGone] = [vi.fn(), vi.fn()];
  const selected = { from: 40, to: null };
  const gone = openTestChart([LINE], { selected }, { onSelected: onSelectedOfGone });
  press(gone, ']');
  gone.close();
  const page = openTestChart([LINE], { selected }, { onSelected });
  expect(page.overlay.texts()).toEqual([]);
  expect(press(page, ']').defaultPrevented).toBe(true);
  expect(onSelected).not.toHaveBeenCalled();
  await vi.waitFor(() => {
    page.clock.runAll();
    gone.clock.runAll();
    expect(page.overlay.texts()).toContain('41');
  });
  expect(onSelected).toHaveBeenLastCalledWith({ from: 41, to: null });
  expect(onSelectedOfGone).not.toHaveBeenCalled();
  page.close();
});
