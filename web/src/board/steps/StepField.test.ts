// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, test, vi } from 'vitest';
import StepField from './StepField.svelte';

const STEPS = Float64Array.of(0, 10, 20, 1000);

describe('the box of a step', () => {
  function show(index: number) {
    const onindex = vi.fn<(index: number) => void>();
    const { rerender } = render(StepField, { steps: STEPS, index, label: 'Step', onindex });
    const box = screen.getByRole<HTMLInputElement>('textbox', { name: 'Step' });
    const goOn = (to: number) => rerender({ steps: STEPS, index: to, label: 'Step', onindex });
    return { box, goOn, onindex };
  }

  test('says the step, also when it changes', async () => {
    const { box, goOn } = show(0);
    await goOn(3);
    expect(box.value).toBe('1,000');
  });

  test('keeps what is being typed while steps go on, and takes it', async () => {
    const { box, goOn, onindex } = show(0);
    await fireEvent.input(box, { target: { value: '19' } });
    await goOn(1);
    expect(box.value).toBe('19');
    await fireEvent.keyDown(box, { key: 'Enter' });
    expect(onindex.mock.calls).toEqual([[2]]);
    // Browsers tell of the change after the key.
    await fireEvent.change(box);
    expect(onindex).toHaveBeenCalledOnce();
    expect(box.value).toBe('10');
    await goOn(2);
    expect(box.value).toBe('20');
  });

  test.each(['about ten', '  '])('is as before after “%s”', async (typed) => {
    const { box, onindex } = show(1);
    await fireEvent.input(box, { target: { value: typed } });
    await fireEvent.change(box);
    await tick();
    expect(box.value).toBe('10');
    expect(onindex).not.toHaveBeenCalled();
  });

  test('Escape gives up what was typed, and only then is for somebody else', async () => {
    const { box } = show(1);
    await fireEvent.input(box, { target: { value: '5' } });
    expect(await fireEvent.keyDown(box, { key: 'Escape' })).toBe(false);
    expect(box.value).toBe('10');
    expect(await fireEvent.keyDown(box, { key: 'Escape' })).toBe(true);
  });
});
