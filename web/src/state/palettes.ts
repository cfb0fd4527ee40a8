// The colours of lines, one set per theme, the same hues in the same order. Found by a search in OKLCH and then checked
// by palettes.test.ts: any two can be told apart with normal sight, without green cones and without red cones
// (CIEDE2000 ≥ 12), and each stands out from its theme's background (contrast ≥ 3).

export type Theme = 'light' | 'dark';

export const PALETTES: Readonly<Record<Theme, readonly string[]>> = {
  // blue, brown, green, magenta, indigo, gold, teal, wine
  light: ['#0287ff', '#a64705', '#09a273', '#a10378', '#584bcb', '#bd8310', '#0699ac', '#77001a'],
  // blue, orange, mint, magenta, violet, yellow, cyan, rust
  dark: ['#49a4f6', '#de922a', '#7deea7', '#c74c93', '#7559f3', '#f0de46', '#2ce8ff', '#c35231'],
};
