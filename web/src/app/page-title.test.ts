import { expect, test } from 'vitest';
import { pageTitle } from './page-title';

const of = (...paths: string[]) => ({
  window_title: '',
  log_directories: paths.map((path) => ({ path, prefix: '', exists: true })),
});

test.each([
  [of('/home/me/runs'), 'Images · runs – Sightline'],
  [of('/home/me/runs/'), 'Images · runs – Sightline'],
  [of('C:\\logs\\runs'), 'Images · runs – Sightline'],
  [of('s3://bucket/runs'), 'Images · runs – Sightline'],
  [of('/'), 'Images – Sightline'],
  [of('/logs/a', '/logs/b'), 'Images – Sightline'],
  [null, 'Images – Sightline'],
  [{ ...of('/home/me/runs'), window_title: 'Night run' }, 'Images · Night run'],
])('the title for %j is %s', (environment, title) => {
  expect(pageTitle(environment, 'Images')).toBe(title);
});
