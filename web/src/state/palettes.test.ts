// Measures the palettes: distances in CIEDE2000 (Sharma, Wu, Dalal 2005), also as people without green or red cones see
// them (Machado, Oliveira, Fernandes 2009, severity 1), and contrast as WCAG defines it.
import { describe, expect, test } from 'vitest';
import { PALETTES } from './palettes';
import { PALETTE_SIZE } from './run-colors';

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

const VISIONS: Readonly<Record<string, Matrix>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};
const XYZ: Matrix = [
  [0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339 / 1.08883, 0.119192 / 1.08883, 0.9503041 / 1.08883],
];

const times = (m: Matrix, v: Triple): Triple =>
  m.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]) as unknown as Triple;

/** Linear light, 0 to 1. */
function linear(hex: string): Triple {
  return [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;
}

function lab(hex: string, vision: Matrix): Triple {
  const seen = times(vision, linear(hex)).map((part) => Math.min(Math.max(part, 0), 1)) as unknown as Triple;
  const [x, y, z] = times(XYZ, seen).map((t) =>
    t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116,
  ) as unknown as Triple;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const cosDeg = (degrees: number): number => Math.cos((degrees * Math.PI) / 180);
const sinDeg = (degrees: number): number => Math.sin((degrees * Math.PI) / 180);

function ciede2000([l1, a1, b1]: Triple, [l2, a2, b2]: Triple): number {
  const meanC = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const g = 0.5 * (1 - Math.sqrt(meanC ** 7 / (meanC ** 7 + 25 ** 7)));
  const [p1, p2] = [a1 * (1 + g), a2 * (1 + g)];
  const [c1, c2] = [Math.hypot(p1, b1), Math.hypot(p2, b2)];
  const hue = (b: number, a: number): number => ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;
  const [h1, h2] = [hue(b1, p1), hue(b2, p2)];
  let dh = c1 * c2 === 0 ? 0 : h2 - h1;
  if (dh > 180) dh -= 360;
  if (dh < -180) dh += 360;
  const dH = 2 * Math.sqrt(c1 * c2) * sinDeg(dh / 2);
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2];
  let h = h1 + h2;
  if (c1 * c2 !== 0) h = Math.abs(h1 - h2) <= 180 ? h / 2 : h < 360 ? (h + 360) / 2 : (h - 360) / 2;
  const t =
    1 - 0.17 * cosDeg(h - 30) + 0.24 * cosDeg(2 * h) + 0.32 * cosDeg(3 * h + 6) - 0.2 * cosDeg(4 * h - 63);
  const dL = (l2 - l1) / (1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2));
  const dC = (c2 - c1) / (1 + 0.045 * c);
  const dHs = dH / (1 + 0.015 * c * t);
  const rc = 2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7));
  const rt = -rc * sinDeg(60 * Math.exp(-(((h - 275) / 25) ** 2)));
  return Math.sqrt(dL ** 2 + dC ** 2 + dHs ** 2 + rt * dC * dHs);
}

function contrast(a: string, b: string): number {
  const [x, y] = [a, b].map((hex) => times(XYZ, linear(hex))[1] + 0.05) as [number, number];
  return Math.max(x, y) / Math.min(x, y);
}

test('the distance is right for published pairs', () => {
  expect(ciede2000([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4);
  expect(ciede2000([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387])).toBeCloseTo(1.2644, 4);
  expect(ciede2000([22.7233, 20.0904, -46.694], [23.0331, 14.973, -42.5619])).toBeCloseTo(2.0373, 4);
});

// The lightest and the darkest surface that charts of a theme may stand on.
const SURFACES = { light: ['#ffffff', '#f5f6f8'], dark: ['#101316', '#1f2429'] } as const;

describe.each(['light', 'dark'] as const)('the %s palette', (theme) => {
  const palette = PALETTES[theme];

  test('has as many colours as there are slots', () => {
    expect(palette.length).toBe(PALETTE_SIZE);
    expect(new Set(palette).size).toBe(PALETTE_SIZE);
  });

  test.each(Object.keys(VISIONS))('can be told apart with %s sight', (vision) => {
    for (const a of palette) {
      for (const b of palette) {
        if (a === b) continue;
        const distance = ciede2000(lab(a, VISIONS[vision]!), lab(b, VISIONS[vision]!));
        expect(distance, `${a} and ${b}`).toBeGreaterThanOrEqual(vision === 'normal' ? 20 : 12);
      }
    }
  });

  test('stands out from the background', () => {
    for (const color of palette) {
      for (const surface of SURFACES[theme]) {
        expect(contrast(color, surface), `${color} on ${surface}`).toBeGreaterThanOrEqual(3);
      }
    }
  });
});
