import { expect, test } from 'vitest';
import { defaultView } from '../../state/settings/view';
import type { Tag } from '../../state/types';
import { kindSwitches, withAllOn, withSwitched } from './kind-switches';
import { hasMedia, kindsIn, mediaSpecOf, specOfMedia } from './time-series';

function tag(kind: string, name: string): Tag {
  return { kind, tag: name, displayName: name, description: '', hasRun: () => true, runCount: 1 };
}

function pageWith(...all: Tag[]) {
  const find = (kind: string, name: string) => all.find((one) => one.kind === kind && one.tag === name);
  const page = { view: defaultView(), tags: { all, find } };
  page.view.dashboard = 'timeseries';
  return page as unknown as Parameters<typeof mediaSpecOf>[0] & typeof page;
}

test('cards of other kinds are named by kind and tag, and found again', () => {
  const image = tag('image', 'a:b/c\nd');
  const page = pageWith(image, tag('histogram', 'h'));
  const spec = specOfMedia(page, image);
  expect(spec.id).toBe('image:a:b/c\nd');
  expect(spec.media).toBe(image);
  expect(mediaSpecOf(page, spec.id)).toBe(spec);
  for (const id of ['image:x', 'histogram:h', 'scalar:a', 'chart:abc', 'image', '']) {
    expect(mediaSpecOf(page, id)).toBeNull();
  }
  page.view.dashboard = 'scalars';
  expect(mediaSpecOf(page, spec.id)).toBeNull();
});

test('a text is titled without what torch puts behind its tag', () => {
  const text = tag('text', 'config/text_summary');
  expect(specOfMedia(pageWith(text), text)).toMatchObject({
    id: 'text:config/text_summary',
    title: 'config',
  });
});

test('a scalar that is called like a card keeps its name', () => {
  const image = tag('image', 'x');
  const page = pageWith(image);
  expect(specOfMedia(page, image).id).toBe('image:x');
  page.tags.all.push(tag('scalar', 'image:x'), tag('scalar', ':image:x'));
  const spec = specOfMedia(page, image);
  expect(spec.id).toBe('::image:x');
  expect(mediaSpecOf(page, '::image:x')).toBe(spec);
});

test('the Scalars dashboard has scalars only; a word that names no kind means all', () => {
  const page = pageWith(tag('image', 'x'));
  expect(hasMedia(page)).toBe(true);
  expect(kindsIn({ dashboard: 'scalars', kindWords: {} })).toEqual(['scalar']);
  expect(kindsIn({ dashboard: 'timeseries', kindWords: { kinds: 'image,scalar' } })).toEqual([
    'scalar',
    'image',
  ]);
  expect(kindsIn({ dashboard: 'timeseries', kindWords: { kinds: 'table' } })).toContain('plotly');
  expect(kindsIn({ dashboard: 'timeseries', kindWords: { kinds: 'nonsense' } })).toEqual(
    kindsIn({ dashboard: 'timeseries', kindWords: {} }),
  );
  page.view.dashboard = 'scalars';
  expect(hasMedia(page)).toBe(false);
  expect(hasMedia(pageWith(tag('scalar', 'x'), tag('histogram', 'h')))).toBe(false);
});

test('kinds are switched one by one, and none means all', () => {
  const { view } = pageWith();
  const inLog = ['scalar', 'image', 'plotly', 'html', 'histogram'];
  const state = () => {
    const { isAll, switches } = kindSwitches(view, inLog);
    return [isAll, ...switches.map(({ label, isOn }) => (isOn ? label.toUpperCase() : label))].join(' ');
  };
  expect(state()).toBe('true Scalars Images Tables');
  withSwitched(view, inLog, 'image');
  expect(state()).toBe('false Scalars IMAGES Tables');
  withSwitched(view, inLog, 'table');
  expect(view.kindWords['kinds']).toBe('image,table');
  withSwitched(view, inLog, 'scalar');
  expect(state()).toBe('true Scalars Images Tables');
  withSwitched(view, inLog, 'image');
  withSwitched(view, inLog, 'image');
  expect(view.kindWords).toEqual({});
  withSwitched(view, inLog, 'image');
  withAllOn(view);
  expect(view.kindWords).toEqual({});
});
