import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('a figure’s frame takes exactly the types of charts that our build of Plotly has', () => {
  const frame = readFileSync('../src/sightline/dashboards/tables/figure_frame.py', 'utf8');
  const [, list] = /const TYPES = new Set\(\[([^\]]+)\]/.exec(frame)!;
  const taken = [...list!.matchAll(/'(\w+)'/g)].map(([, name]) => name);
  const build = readFileSync('node_modules/plotly.js-cartesian-dist-min/plotly-cartesian.min.js', 'utf8');
  const built = [...build.matchAll(/moduleType:"trace",name:"(\w+)"/g)].map(([, name]) => name);
  expect(taken.sort()).toEqual([...new Set(built)].sort());
});
