import { afterEach, expect, test, vi } from 'vitest';
import type { Edit } from '../wire/client';
import { emptyWorkspace } from './fake-workspace.fixture';
import { newEditId, withEdits } from './workspace-edits';

const edit = (change: Partial<Edit> & Pick<Edit, 'kind'>): Edit => ({ id: 'x', run: 'a', ...change });
const annotation = { id: 'n', tag: 'loss', run: 'a', step: 3, text: 'spike' };

test('every kind of edit shows', () => {
  const after = withEdits(emptyWorkspace(), [
    edit({ kind: 'name', text: ' Baseline ' }),
    edit({ kind: 'note', text: '*note*' }),
    edit({ kind: 'add_label', text: 'x' }),
    edit({ kind: 'add_label', text: 'x' }),
    edit({ kind: 'add_label', text: 'y' }),
    edit({ kind: 'remove_label', text: 'x' }),
    edit({ kind: 'color', text: '#112233' }),
    edit({ kind: 'favourite' }),
    edit({ kind: 'archive', is_on: true }),
    edit({ kind: 'annotate', run: '', annotation }),
    edit({ kind: 'group_color', run: '', key: 'lr = 1', text: '#445566' }),
    edit({ kind: 'group_color', run: '', key: '__proto__', text: '#445566' }),
    edit({ kind: 'default_view', run: '', text: 'mine' }),
  ]);
  expect(after.runs).toEqual([
    {
      run: 'a',
      display_name: 'Baseline',
      note: '*note*',
      labels: ['y'],
      color: '#112233',
      is_favourite: true,
      is_archived: true,
    },
  ]);
  expect(after.annotations).toEqual([annotation]);
  expect(Object.entries(after.group_colors)).toEqual([
    ['lr = 1', '#445566'],
    ['__proto__', '#445566'],
  ]);
  expect(after.default_view).toBe('mine');
});

test('and can be taken away again', () => {
  const before = withEdits(emptyWorkspace(), [
    edit({ kind: 'name', text: 'x' }),
    edit({ kind: 'color', text: '#112233' }),
    edit({ kind: 'annotate', annotation }),
    edit({ kind: 'group_color', key: 'k', text: '#445566' }),
    edit({ kind: 'default_view', text: 'mine' }),
  ]);
  const after = withEdits(before, [
    edit({ kind: 'name', text: '' }),
    edit({ kind: 'color', text: null }),
    edit({ kind: 'favourite', is_on: false }),
    edit({ kind: 'remove_annotation', text: 'n' }),
    edit({ kind: 'group_color', key: 'k', text: '' }),
    edit({ kind: 'default_view' }),
  ]);
  expect(after.runs[0]).toMatchObject({ display_name: null, color: null, is_favourite: false });
  expect([after.annotations, after.group_colors, after.default_view]).toEqual([[], {}, null]);
});

test('runs that are not touched stay the same objects', () => {
  const before = withEdits(emptyWorkspace(), [edit({ kind: 'name', run: 'b', text: 'B' })]);
  expect(withEdits(before, [edit({ kind: 'name', text: 'A' })]).runs[0]).toBe(before.runs[0]);
  expect(withEdits(before, [])).toBe(before);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test('ids differ and fit what the server takes, also where the page is not secure', () => {
  const { getRandomValues } = crypto;
  const secure = [newEditId(), newEditId()];
  vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(crypto) });
  const ids = [...secure, newEditId(), newEditId()];
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{32,64}$/);
});
