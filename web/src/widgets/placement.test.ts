import { describe, expect, it } from 'vitest';
import { placePopup, type Align } from './placement';

const WINDOW = { width: 400, height: 300 };
const below = { align: 'start' as Align, gapPx: 4 };

function anchor(left: number, top: number) {
  return { left, top, width: 40, height: 20 };
}

describe('a popup', () => {
  it('goes where it is wished when there is room', () => {
    expect(placePopup(anchor(50, 50), { width: 100, height: 80 }, WINDOW, below)).toMatchObject({
      left: 50,
      top: 74,
    });
  });

  it('goes to the other side when there is more room', () => {
    const place = placePopup(anchor(50, 250), { width: 100, height: 80 }, WINDOW, below);
    expect(place).toMatchObject({ top: 166 });
  });

  it('slides along the edge instead of leaving the window', () => {
    expect(placePopup(anchor(380, 50), { width: 100, height: 80 }, WINDOW, below).left).toBe(294);
    expect(
      placePopup(anchor(2, 50), { width: 100, height: 80 }, WINDOW, { ...below, align: 'end' }).left,
    ).toBe(6);
  });

  it('is as high as there is room for, on the better side', () => {
    const place = placePopup(anchor(50, 50), { width: 100, height: 900 }, WINDOW, below);
    expect(place).toMatchObject({ top: 74, maxHeight: 220 });
    expect(place.top + place.maxHeight).toBeLessThanOrEqual(WINDOW.height);
  });

  it('that is wider than the window begins at its edge', () => {
    expect(placePopup(anchor(50, 50), { width: 900, height: 80 }, WINDOW, below).left).toBe(6);
  });
});
