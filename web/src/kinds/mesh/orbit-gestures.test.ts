// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { orbitGestures } from './orbit-gestures';

const actions = { turn: vi.fn(), shift: vi.fn(), zoom: vi.fn(), reset: vi.fn() };
let element: HTMLElement;

beforeEach(() => {
  vi.clearAllMocks();
  element = document.createElement('div');
  element.tabIndex = 0;
  document.body.replaceChildren(element);
  Object.defineProperty(element, 'clientHeight', { value: 100 });
  element.setPointerCapture = () => undefined;
  orbitGestures(actions)(element);
});

function pointer(type: string, x: number, y: number, more: PointerEventInit = {}): void {
  element.dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y, pointerId: 1, ...more }));
}

function wheel(more: WheelEventInit): boolean {
  const event = new WheelEvent('wheel', { cancelable: true, ...more });
  // The test's DOM drops modifiers of wheel events.
  for (const [name, value] of Object.entries(more)) Object.defineProperty(event, name, { value });
  element.dispatchEvent(event);
  return event.defaultPrevented;
}

describe('a drag', () => {
  it('turns; with Shift or another button it shifts', () => {
    pointer('pointerdown', 10, 10);
    pointer('pointermove', 30, 20);
    expect(actions.turn).toHaveBeenCalledWith(0.2, 0.1);
    pointer('pointerup', 30, 20);
    pointer('pointermove', 90, 90);
    pointer('pointerdown', 10, 10, { shiftKey: true });
    pointer('pointermove', 20, 30);
    pointer('pointerup', 20, 30);
    pointer('pointerdown', 10, 10, { button: 2 });
    pointer('pointermove', 20, 30);
    expect(actions.shift.mock.calls).toEqual([
      [0.1, -0.2],
      [0.1, -0.2],
    ]);
    expect(actions.turn).toHaveBeenCalledTimes(1);
  });

  it('of two fingers shifts and zooms', () => {
    pointer('pointerdown', 0, 0, { pointerId: 1 });
    pointer('pointerdown', 100, 0, { pointerId: 2 });
    pointer('pointermove', 200, 0, { pointerId: 2 });
    expect(actions.zoom).toHaveBeenCalledWith(2);
    expect(actions.shift).toHaveBeenCalledWith(0.5, -0);
    expect(actions.turn).not.toHaveBeenCalled();
  });
});

describe('the wheel', () => {
  it('scrolls the page until the mesh was pressed or a key is held', () => {
    expect(wheel({ deltaY: -100 })).toBe(false);
    expect(wheel({ deltaY: -100, altKey: true })).toBe(true);
    element.focus();
    expect(wheel({ deltaY: 100 })).toBe(true);
    const [[nearer], [farther]] = actions.zoom.mock.calls as [[number], [number]];
    expect(nearer).toBeGreaterThan(1);
    expect(nearer * farther).toBeCloseTo(1);
  });
});

describe('keys', () => {
  it('turn, shift, zoom and reset; others are the page’s', () => {
    const press = (key: string, more: KeyboardEventInit = {}): boolean => {
      const event = new KeyboardEvent('keydown', { key, cancelable: true, bubbles: true, ...more });
      element.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(['ArrowLeft', '+', '-', '0'].every((key) => press(key))).toBe(true);
    expect(press('ArrowUp', { shiftKey: true })).toBe(true);
    expect(press('b')).toBe(false);
    expect(press('ArrowLeft', { ctrlKey: true })).toBe(false);
    expect(actions.turn).toHaveBeenCalledTimes(1);
    expect(actions.zoom).toHaveBeenCalledTimes(2);
    expect(actions.reset).toHaveBeenCalledTimes(1);
    expect(actions.shift.mock.calls[0]![1]).toBeGreaterThan(0);
  });
});
