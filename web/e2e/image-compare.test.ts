// Pictures beside, over and minus each other, whose every pixel is known (write_viewer.py).
import { expect, test, Viewer } from './image-viewer';

test('two pictures: in sync, swiped, blinking, subtracted', async ({ page, pictures, shoot }) => {
  const viewer = new Viewer(page);
  await viewer.open(pictures, 'first;pictures/digits;;100$other;;;100');
  const [first, other] = [viewer.pane(/first/), viewer.pane(/other/)];
  await expect(other).toBeVisible();
  await viewer.pointAt(first, 5, 2);
  const captions = viewer.dialog.locator('.caption');
  await expect(captions.nth(0)).toContainText(/R 5\s*G 2\s*B 100/);
  await expect(captions.nth(1)).toContainText(/R 8\s*G 2\s*B 100/);

  // Zoom and pan go together.
  await page.mouse.wheel(0, -240);
  await expect.poll(async () => (await viewer.viewport(first)).scale).toBeGreaterThan(32);
  await expect.poll(() => viewer.viewport(other)).toEqual(await viewer.stillViewport(first));
  await page.keyboard.press('0');

  // One slider for both, as they are different runs.
  await viewer.dialog.getByRole('slider', { name: 'Step of all pictures', exact: true }).press('ArrowRight');
  await expect(viewer.pane(/first, step 200$/)).toBeVisible();
  await expect(viewer.pane(/other, step 200$/)).toBeVisible();
  await shoot(page, 'side-by-side');

  await viewer.mode('Swipe');
  const one = viewer.pane();
  await viewer.expectColour(one, 2, 2, [2, 2, 200]);
  await viewer.expectColour(one, 14, 2, [17, 2, 200]);
  const divider = viewer.dialog.getByRole('slider', { name: 'Divider between A and B', exact: true });
  const handle = (await divider.boundingBox())!;
  const target = await viewer.placeOf(one, 1, 2);
  await page.mouse.move(handle.x + handle.width / 2, handle.y + 20);
  await page.mouse.down();
  await page.mouse.move(target.x, handle.y + 20, { steps: 3 });
  await page.mouse.up();
  await viewer.expectColour(one, 2, 2, [5, 2, 200]);
  await divider.press('End');
  await viewer.expectColour(one, 14, 2, [14, 2, 200]);
  await divider.press('Home');
  await viewer.expectColour(one, 0, 2, [3, 2, 200]);

  // Its place is in the link.
  await divider.press('ArrowRight');
  await expect.poll(() => viewer.word('open.swipe')).toBe('2');
  await page.reload();
  await expect(divider).toHaveAttribute('aria-valuenow', '2');
  // With the focus on it all other keys are still the viewer's.
  await divider.press('1');
  await expect(viewer.scale).toHaveText('100 %');
  await divider.press('+');
  await expect(viewer.scale).toHaveText('150 %');
  const beforePan = await viewer.viewport(one);
  await divider.press('Shift+ArrowRight');
  await expect.poll(async () => (await viewer.viewport(one)).x).toBeGreaterThan(beforePan.x);
  await expect(divider).toHaveAttribute('aria-valuenow', '2');
  await divider.press('0');
  await divider.press(',');
  await expect(viewer.pane(/first, step 100;/)).toBeVisible();
  await divider.press('.');
  await expect(viewer.pane(/first, step 200;/)).toBeVisible();
  await divider.press('m');
  await expect(viewer.dialog.getByRole('radio', { name: 'Blink', exact: true })).toBeChecked();

  const badge = viewer.dialog.locator('.badge');
  await expect(badge).toHaveText('B');
  // Held before pixels are looked at: the sides change faster than that.
  await one.focus();
  await page.keyboard.press(' ');
  await expect(viewer.dialog.getByRole('button', { name: 'Blink', exact: true })).toBeVisible();
  const red = { A: 2, B: 5 };
  const held = (await badge.textContent()) === 'A' ? 'A' : 'B';
  const turned = held === 'A' ? 'B' : 'A';
  await viewer.expectColour(one, 2, 2, [red[held], 2, 200]);
  await viewer.dialog.getByRole('button', { name: `Show ${turned}`, exact: true }).click();
  await expect(badge).toHaveText(turned);
  await viewer.expectColour(one, 2, 2, [red[turned], 2, 200]);

  await viewer.mode('Difference');
  const numbers = viewer.dialog.getByLabel('Difference in numbers', { exact: true });
  // Red differs by 3 everywhere: RMSE √(9/3), PSNR 10 log₁₀(255²/3).
  await expect(numbers).toHaveText(
    /Max\s*3\s*Mean\s*1\s*RMSE\s*1\.7321\s*PSNR\s*43\.36 dB\s*Differing\s*100 %/,
  );
  await viewer.expectColour(one, 2, 2, [3, 0, 0]);
  await viewer.dialog.getByRole('spinbutton', { name: 'Times', exact: true }).fill('20');
  await viewer.expectColour(one, 2, 2, [60, 0, 0]);
  await viewer.dialog.getByRole('button', { name: /^Fit the scale/ }).click();
  await expect(viewer.dialog.getByRole('spinbutton', { name: 'Times', exact: true })).toHaveValue('85');
  await viewer.expectColour(one, 2, 2, [255, 0, 0]);
  // At the pointer: how much, and what each has above.
  await viewer.pointAt(one, 5, 2);
  await expect(viewer.readout).toContainText(/\|A − B\|\s*R 3\s*G 0\s*B 0/);
  await expect(captions.last()).toContainText(/R 8\s*G 2\s*B 200/);
  await expect(viewer.dialog.getByRole('list', { name: 'Facts of A', exact: true })).toContainText('PNG');
  await shoot(page, 'difference-fit');
  await viewer.dialog.getByRole('spinbutton', { name: 'Times', exact: true }).fill('20');
  await viewer.mode('B − A');
  await expect(
    viewer.dialog.getByRole('img', { name: 'Colours from -12.75 to 12.75', exact: true }),
  ).toBeVisible();
  await expect.poll(async () => (await viewer.colourAt(one, 2, 2))[0]).toBeGreaterThan(230);
  await shoot(page, 'difference');

  // The channel is that of the difference; what has no meaning for it cannot be touched, and it says why.
  await viewer.dialog.getByRole('button', { name: 'Adjust the look', exact: true }).click();
  const panel = page.getByRole('dialog', { name: 'Look of the pictures', exact: true });
  await expect(panel.getByText('The difference has its own scale: × and Fit')).toBeVisible();
  for (const name of ['Brightness', 'Contrast', 'Gamma']) {
    await expect(panel.getByRole('spinbutton', { name, exact: true })).toBeDisabled();
  }
  const range = panel.getByRole('radiogroup', { name: 'Range of values', exact: true });
  await expect(range.getByRole('radio', { name: 'Auto', exact: true })).toBeDisabled();
  await panel.getByLabel('Channel', { exact: true }).selectOption('Green');
  await expect(numbers).toHaveText(/Channel\s*Green\s*Max\s*0.*PSNR\s*∞/);
  // Equal: the middle of blue to red.
  await viewer.expectColour(one, 2, 2, [222, 220, 219]);
  await viewer.mode('|A − B|');
  await viewer.expectColour(one, 2, 2, [0, 0, 0]);
  await viewer.dialog.getByRole('button', { name: 'Adjust the look', exact: true }).click();
  await panel.getByLabel('Channel', { exact: true }).selectOption('Red');
  await expect(numbers).toHaveText(/Channel\s*Red\s*Max\s*3\s*Mean\s*3/);
  await viewer.expectColour(one, 2, 2, [60, 60, 60]);
  await shoot(page, 'difference-of-red');
  await panel.getByLabel('Channel', { exact: true }).selectOption('All');
  await page.keyboard.press('Escape');
  await viewer.mode('B − A');

  // The two change places; and back again.
  const swap = viewer.dialog.getByRole('button', { name: 'Swap A and B', exact: true });
  await swap.click();
  await expect.poll(async () => (await viewer.colourAt(one, 2, 2))[2]).toBeGreaterThan(230);
  await expect(captions.first()).toContainText('other');
  await shoot(page, 'swapped');
  await swap.click();

  // The link has all of it.
  await expect.poll(() => viewer.word('open')).toBe('first;pictures/digits;;200$other;;;200');
  await expect.poll(() => viewer.word('open.mode')).toBe('difference');
  await page.reload();
  await expect(numbers).toHaveText(/Max\s*3/);

  // Out with the second.
  await viewer.dialog.getByRole('button', { name: 'Take other out of the comparison', exact: true }).click();
  await expect(viewer.pane(/first, step 200$/)).toBeVisible();
  await expect(viewer.dialog.getByRole('radio', { name: 'Swipe', exact: true })).toHaveCount(0);
});

test('different sizes are said; steps of one run move on their own', async ({ page, pictures }) => {
  const viewer = new Viewer(page);
  await viewer.open(pictures, 'first;pictures/small;;0$other;;;0', 'open.mode:difference');
  await expect(
    viewer.dialog.getByText('A is 16 × 12, B is 8 × 12: compared where both are, from the top left'),
  ).toBeVisible();
  await expect(viewer.dialog.getByLabel('Difference in numbers', { exact: true })).toHaveText(
    /Max\s*0.*PSNR\s*∞/,
  );

  await viewer.open(pictures, 'first;pictures/digits;;0$first;;;200');
  const slider = viewer.dialog.getByRole('slider', { name: /step 0$/ });
  await slider.press('ArrowRight');
  await expect(viewer.pane(/step 100$/)).toBeVisible();
  await expect(viewer.pane(/step 200$/)).toBeVisible();
});

test.describe('reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('nothing blinks by itself, but space still changes sides', async ({ page, pictures }) => {
    const viewer = new Viewer(page);
    await viewer.open(pictures, 'first;pictures/digits;;0$other;;;0', 'open.mode:blink');
    await expect(viewer.dialog.getByRole('button', { name: 'Blink', exact: true })).toBeVisible();
    await expect(viewer.dialog.locator('.badge')).toHaveText('A');
    await viewer.pane().focus();
    await page.keyboard.press(' ');
    await expect(viewer.dialog.locator('.badge')).toHaveText('B');
  });
});
