import { expect, it, vi } from 'vitest';
import type { TableAnswer } from '../../wire/client';
import { picturePath, wholeTextOf } from './whole-cells';
import { TableFeed } from './table-feed.svelte';
import { QUERY } from './table-query.fixture';

const ANSWER: TableAnswer = {
  ...{ columns: [{ name: 'picture', type: 'image' }], total_columns: 1, total_rows: 1, matching_rows: 1 },
  ...{ row_numbers: [7], rows: [['the beginning of a']], long_cells: [{ row: 0, column: 0, chars: 28 }] },
};

it('a cell is asked for at the step that its row is of, while the next one is on its way', async () => {
  const post = vi.fn(() => Promise.resolve(Response.json(ANSWER)));
  const get = vi.fn((_path: string) => Promise.resolve(new Response('the beginning of a long text')));
  const feed = new TableFeed({ post });
  const address = { ...QUERY.address, index: 4, step: 40 };
  feed.show({ ...QUERY, address });
  await vi.waitFor(() => expect(feed.row(0)?.number).toBe(7));
  feed.show({ ...QUERY, address: { ...address, index: 5, step: 50 }, serverId: 'next' });
  const row = feed.row(0)!;
  expect(picturePath(row, 0, { size: 128 })).toBe(
    'tables/image?run=0&tag=t&index=4&step=40&row=7&column=0&server_id=s&size=128',
  );
  expect(await wholeTextOf({ get }, row, 0)).toBe('the beginning of a long text');
  expect(get.mock.calls[0]![0]).toBe('tables/cell?run=0&tag=t&index=4&step=40&row=7&column=0&server_id=s');
  await vi.waitFor(() => expect(picturePath(feed.row(0)!, 0)).toContain('step=50'));
});
