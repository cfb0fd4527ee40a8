// @vitest-environment happy-dom
// What becomes of the view when charts are put together, copied, deleted and opened, and how all of it is undone.
import { lineOfTag } from '../../../board/cards/card-spec';
import { describe, expect, test, vi } from 'vitest';
import type { Page } from '../../../state/page.svelte';
import type { ChartSpec } from '../../../state/types';
import { isAction } from '../../../widgets/menu-item';
import { specOfChart } from '../card-spec';
import { fakePage, fakeRun, fakeTag } from '../fake-page.svelte';
import { MOST_CHARTS, MOST_LINES, emptyChart } from '../../../board/cards/own-charts';
import { ChartMaker } from './chart-maker.svelte';

function make(charts: readonly ChartSpec[] = []) {
  const parts = fakePage([fakeTag('loss', [0]), fakeTag('val', [0]), fakeTag('lr', [0])], [fakeRun(0)]);
  const said = vi.spyOn(parts.page, 'announce');
  parts.view.charts = charts;
  let current: string | null = null;
  const maker = new ChartMaker(parts.page, () => (current === null ? null : { id: current }));
  const go = (id: string) => (current = id);
  const { view, commands } = parts;
  const last = (): Parameters<Page['announce']> => said.mock.lastCall!;
  const heard = () => said.mock.calls.map(([text]) => text);
  return { maker, view, commands, heard, go, said: () => last()[0], undo: () => last()[1]!.run() };
}

const mine: ChartSpec = { ...emptyChart('mine'), title: 'Mine', lines: [lineOfTag('loss')] };
const linesOf = (chart: ChartSpec | undefined) => chart?.lines.map(({ tag, formula }) => tag || formula);
const fileOf = (content: object, name = 'x.json') => new File([JSON.stringify(content)], name);

const combine = (maker: ChartMaker, card: string, tags: readonly string[]) =>
  maker.combine(card, tags.map(lineOfTag), { beside: card, isPinned: false });

describe('combining', () => {
  test('the card of a tag becomes a new chart beside it', () => {
    const { maker, view, said, undo } = make();
    view.sections = [{ name: 'Losses', cards: ['loss'] }];
    combine(maker, 'loss', ['val', 'lr']);
    expect(linesOf(view.charts[0])).toEqual(['loss', 'val', 'lr']);
    expect(view.sections[0]!.cards).toEqual(['loss', `chart:${view.charts[0]!.id}`]);
    expect(said()).toBe('Combined loss, val and lr');
    undo();
    expect(view.charts).toEqual([]);
    expect(view.sections[0]!.cards).toEqual(['loss']);
  });

  test('a chart of one’s own gets lines; undoing takes back only those', () => {
    const { maker, view, said, undo } = make([mine]);
    combine(maker, 'chart:mine', ['loss', 'val']);
    expect(linesOf(view.charts[0])).toEqual(['loss', 'val']);
    expect(said()).toBe('Added val to Mine');
    view.charts = [...view.charts, { ...mine, id: 'since' }];
    undo();
    expect(view.charts.map(({ id }) => id)).toEqual(['mine', 'since']);
    expect(linesOf(view.charts[0])).toEqual(['loss']);
  });

  test('what is there already, or too much, changes nothing and says so', () => {
    const full = { ...mine, lines: Array.from({ length: MOST_LINES }, (_, i) => lineOfTag(`t${i}`)) };
    const { maker, view, said } = make([mine, { ...full, id: 'full' }]);
    const before = view.charts;
    combine(maker, 'chart:mine', ['loss']);
    expect(said()).toBe('Mine has loss already');
    combine(maker, 'chart:full', ['loss']);
    expect(said()).toContain('50 lines at most');
    combine(maker, 'chart:gone', ['loss']);
    expect(view.charts).toBe(before);
  });

  test('a view that is full of charts takes no more', async () => {
    const many = Array.from({ length: MOST_CHARTS }, (_, i) => ({ ...mine, id: `c${i}` }));
    const { maker, view, said } = make(many);
    maker.create();
    expect(maker.question).toBeNull();
    combine(maker, 'loss', ['val']);
    maker.duplicate(many[0]!);
    await maker.openFiles([fileOf({ format: 'sightline-chart', version: 1, id: 'n', lines: ['loss'] })]);
    expect(view.charts.length).toBe(MOST_CHARTS);
    expect(said()).toContain('300 charts');
  });
});

test('deleting takes a chart out of full screen, and undoing brings it back to its place', () => {
  const other = { ...mine, id: 'other' };
  const { maker, view, undo } = make([mine, other]);
  view.pins = ['chart:mine'];
  view.fullScreenCard = 'chart:mine';
  maker.remove(mine);
  expect(view.charts).toEqual([other]);
  expect([view.fullScreenCard, view.pins]).toEqual([null, []]);
  undo();
  expect(view.charts).toEqual([mine, other]);
  expect(view.pins).toEqual(['chart:mine']);
});

test('an edited chart stays in its place; one that was deleted meanwhile comes back', () => {
  const { maker, view } = make([mine, { ...mine, id: 'other' }]);
  maker.save({ ...mine, title: 'Now' });
  expect(view.charts.map(({ title }) => title)).toEqual(['Now', 'Mine']);
  view.charts = [];
  maker.save(mine);
  expect(view.charts).toEqual([mine]);
});

test('a change that was saved can be undone; saving what is there says nothing', () => {
  const { maker, view, heard, said, undo } = make([mine, { ...mine, id: 'other' }]);
  maker.save(mine);
  expect(heard()).toEqual([]);
  maker.save({ ...mine, title: 'Now', lines: [lineOfTag('lr')] });
  expect(said()).toBe('Changed Now');
  undo();
  expect(view.charts.map(({ title }) => title)).toEqual(['Mine', 'Mine']);
  expect(linesOf(view.charts[0])).toEqual(['loss']);
});

test('what was not saved in the editor can be had back', () => {
  const { maker, undo } = make([mine]);
  const draft = { ...mine, title: 'Half done' };
  maker.edit(mine);
  maker.discard(draft);
  maker.question = null;
  undo();
  expect(maker.question).toMatchObject({ draft, isNew: false });
});

describe('files', () => {
  const file = { format: 'sightline-chart', version: 1, id: 'mine', title: 'From a file', lines: ['val'] };

  test('a chart of the same id does not write over the one that is there', async () => {
    const { maker, view, undo } = make([mine]);
    await maker.openFiles([fileOf(file)]);
    expect(view.charts.map(({ title }) => title)).toEqual(['Mine', 'From a file']);
    expect(view.charts[1]!.id).not.toBe('mine');
    undo();
    expect(view.charts).toEqual([mine]);
  });

  test('a bad one is named, and the good ones beside it are opened', async () => {
    const { maker, view, heard } = make();
    await maker.openFiles([fileOf({ ...file, version: 7 }, 'newer.json'), fileOf(file, 'good.json')]);
    expect(view.charts.map(({ title }) => title)).toEqual(['From a file']);
    expect(heard()).toEqual([expect.stringContaining('newer.json was not opened'), 'Opened good.json']);
  });
});

test('menus offer what fits the card, and the palette has its commands while the page is there', () => {
  const { maker, commands } = make([mine]);
  const labels = (id: string) => maker.items(id).flatMap((item) => (isAction(item) ? item.label : []));
  expect(labels('loss')).toEqual(['Combine with…']);
  expect(labels('chart:mine')).toEqual(['Edit chart…', 'Duplicate', 'Save as chart file', 'Delete chart']);
  commands.get('scalar.new-chart')!.run();
  expect(maker.question).toMatchObject({ isNew: true });
  maker.destroy();
  expect(commands.get('scalar.new-chart')).toBeUndefined();
});

test('a chart that was laid out by a program is edited as a new one, under its title', () => {
  const { maker } = make();
  const spec = { ...specOfChart({ ...mine, title: 'Laid out' }), id: 'layout:c/x', isFixed: true };
  const actions = maker.items(spec.id, spec).filter(isAction);
  expect(actions.map(({ label }) => label)).toEqual(['Edit as a chart of your own…']);
  actions[0]!.run();
  expect(maker.question).toMatchObject({ isNew: true, beside: null, draft: { title: 'Laid out' } });
  expect(maker.question!.draft.id).not.toBe(mine.id);
});

test('commands of the palette are about the card that the keyboard is on', () => {
  const { maker, commands, go } = make([mine]);
  const [combining, edit] = [commands.get('scalar.combine')!, commands.get('scalar.edit-chart')!];
  const are = () => [combining, edit].map((command) => command.isAvailable!());
  expect(are()).toEqual([false, false]);
  combining.run();
  edit.run();
  expect(maker.question).toBeNull();
  go('loss');
  expect(are()).toEqual([true, false]);
  combining.run();
  expect(maker.question).toMatchObject({ isNew: true, beside: 'loss', draft: { lines: [{ tag: 'loss' }] } });
  go('chart:mine');
  expect(are()).toEqual([true, true]);
  edit.run();
  expect(maker.question).toMatchObject({ draft: mine, isNew: false });
});
