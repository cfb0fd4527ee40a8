import { expect, test } from 'vitest';
import { defaultView } from '../../state/settings/view';
import type { Page } from '../../state/page.svelte';
import type { Tag } from '../../state/types';
import type { Kind, OwnCards } from '../kind';
import { findSpec, specOfTag, type CardSpec } from './card-spec';

const facts = { order: 0, words: { one: '', many: '' }, dashboard: { name: '', label: '' } };
const PICTURE: Kind = {
  ...{ ...facts, name: 'picture', titleOf: (tag) => tag.replace('/end', '') },
  loadContent: () => Promise.reject(new Error('not here')),
};
const ownSpec = (id: string, tag: Tag | null): CardSpec => ({
  id,
  title: id,
  description: '',
  kind: 'line',
  tag,
});
const LINE: Kind = {
  ...{ ...facts, name: 'line' },
  own: {
    specOf: (tag: Tag) => ownSpec(tag.tag, tag),
    madeIn: ({ charts }) => charts.map(({ id }) => ownSpec(`chart:${id}`, null)),
  } as Partial<OwnCards> as OwnCards,
};
const KINDS = [LINE, PICTURE];

function tag(kind: string, name: string): Tag {
  return { kind, tag: name, displayName: name, description: '', hasRun: () => true, runCount: 1 };
}

function pageWith(...all: Tag[]) {
  const find = (kind: string, name: string) => all.find((one) => one.kind === kind && one.tag === name);
  return { all, view: defaultView(), tags: { find } as unknown as Page['tags'] };
}

test('cards are named by kind and tag, titled as the kind says, and found again', () => {
  const picture = tag('picture', 'a:b/c\nd/end');
  const page = pageWith(picture, tag('histogram', 'h'));
  const spec = specOfTag(KINDS, page.tags, picture);
  expect(spec).toMatchObject({
    id: 'picture:a:b/c\nd/end',
    title: 'a:b/c\nd',
    kind: 'picture',
    tag: picture,
  });
  expect(findSpec(KINDS, page, spec.id)).toBe(spec);
  for (const id of ['picture:x', 'histogram:h', 'line:a', 'chart:abc', 'picture', '']) {
    expect(findSpec(KINDS, page, id)).toBeNull();
  }
  expect(findSpec([LINE], page, spec.id)).toBeNull();
});

test('kinds with cards of their own name them by their tags, and bring those made by hand', () => {
  const page = pageWith(tag('line', 'loss'));
  page.view.charts = [{ id: 'c', title: '', lines: [], baseline: null, x: null }];
  expect(findSpec(KINDS, page, 'loss')).toMatchObject({ id: 'loss', tag: page.all[0] });
  expect(findSpec(KINDS, page, 'chart:c')).toMatchObject({ id: 'chart:c', tag: null });
});

test('a tag that is called like another card keeps its name', () => {
  const picture = tag('picture', 'x');
  const page = pageWith(picture);
  expect(specOfTag(KINDS, page.tags, picture).id).toBe('picture:x');
  page.all.push(tag('line', 'picture:x'), tag('line', ':picture:x'));
  const spec = specOfTag(KINDS, page.tags, picture);
  expect(spec.id).toBe('::picture:x');
  expect(findSpec(KINDS, page, '::picture:x')).toBe(spec);
});
