import { describe, expect, it, vi } from 'vitest';
import type { TableAnswer } from '../../wire/client';
import { FramePlaces } from './frame-places.svelte';
import { TableFeed } from './table-feed.svelte';
import { QUERY } from './table-query.fixture';

interface Asked {
  readonly offset: number;
  readonly limit: number;
  readonly sort_by: number | null;
}

function answerTo({ offset, limit, sort_by: sortBy }: Asked): TableAnswer {
  const total = 1000;
  const numbers = Array.from({ length: Math.min(limit, total - offset) }, (_, at) =>
    sortBy === null ? offset + at : total - 1 - offset - at,
  );
  return {
    ...{
      columns: [{ name: 'a', type: 'number' }],
      total_columns: 1,
      total_rows: total,
      matching_rows: total,
    },
    ...{ row_numbers: numbers, rows: numbers.map((number) => [number]), long_cells: [] },
  };
}

function feedOf() {
  const post = vi.fn((_path: string, body: unknown) =>
    Promise.resolve(Response.json(answerTo(body as Asked))),
  );
  return { post, feed: new TableFeed({ post }) };
}

describe('the feed of a table', () => {
  it('asks for pages in sight, each once', async () => {
    const { post, feed } = feedOf();
    feed.show(QUERY);
    feed.show({ ...QUERY });
    await vi.waitFor(() => expect(feed.row(0)?.number).toBe(0));
    feed.want(0, 20);
    feed.want(450, 520);
    feed.want(455, 520);
    await vi.waitFor(() => expect(feed.row(519)?.number).toBe(519));
    expect(post.mock.calls.map(([, body]) => (body as Asked).offset)).toEqual([0, 400, 500]);
    expect(feed.row(300)).toBeUndefined();
  });

  it('keeps the rows of the last view until the next ones come', async () => {
    const { feed } = feedOf();
    feed.show(QUERY);
    await vi.waitFor(() => expect(feed.row(0)?.number).toBe(0));
    feed.show({ ...QUERY, sortBy: 0, isDescending: true });
    expect(feed.row(0)?.number).toBe(0);
    await vi.waitFor(() => expect(feed.row(0)?.number).toBe(999));
  });

  it('says what went wrong, and tries again when told to', async () => {
    const { post, feed } = feedOf();
    post.mockRejectedValueOnce(new Error('broken'));
    feed.show(QUERY);
    await vi.waitFor(() => expect(feed.problem?.message).toBe('broken'));
    feed.retry();
    await vi.waitFor(() => expect(feed.row(0)?.number).toBe(0));
    expect(feed.problem).toBeNull();
  });
});

describe('the feed of a table of which some rows do not come', () => {
  it('keeps all others, and asks for those again when told to', async () => {
    const { post, feed } = feedOf();
    feed.show(QUERY);
    await vi.waitFor(() => expect(feed.row(0)?.number).toBe(0));
    post.mockRejectedValueOnce(new Error('broken'));
    feed.want(450, 520);
    await vi.waitFor(() => expect(feed.row(519)?.number).toBe(519));
    await vi.waitFor(() => expect(feed.pageProblem?.message).toBe('broken'));
    expect([feed.problem, feed.row(0)?.number, feed.row(450), feed.isLoading]).toEqual([
      null,
      0,
      undefined,
      false,
    ]);
    // Not by itself, as often as somebody scrolls.
    feed.want(451, 520);
    expect(post).toHaveBeenCalledTimes(3);
    feed.retry();
    expect([feed.pageProblem, feed.isLoading]).toEqual([null, true]);
    await vi.waitFor(() => expect(feed.row(450)?.number).toBe(450));
    expect(post.mock.calls.map(([, body]) => (body as Asked).offset)).toEqual([0, 400, 500, 400]);
  });
});

describe('the feed of a table whose next step has other columns', () => {
  it('asks again without the column that it lacks', async () => {
    const { post, feed } = feedOf();
    feed.show(QUERY);
    await vi.waitFor(() => expect(feed.row(0)?.number).toBe(0));
    post.mockRejectedValueOnce(new Error('there is no column 7'));
    const next = { ...QUERY, address: { ...QUERY.address, index: 1, step: 1 }, sortBy: 7 };
    feed.show(next);
    await vi.waitFor(() => expect(post).toHaveBeenCalledTimes(3));
    expect((post.mock.calls[2]![1] as Asked).sort_by).toBeNull();
    expect(feed.problem).toBeNull();
    // Of a table whose columns are known it is an error.
    post.mockRejectedValueOnce(new Error('there is no column 7'));
    await vi.waitFor(() => expect(feed.isLoading).toBe(false));
    feed.show(next);
    await vi.waitFor(() => expect(feed.problem?.message).toBe('there is no column 7'));
  });

  it('asks again when a restarted job has replaced the table', async () => {
    const { post, feed } = feedOf();
    feed.show(QUERY);
    await vi.waitFor(() => expect(feed.row(0)?.number).toBe(0));
    feed.show({ ...QUERY, generation: 1 });
    await vi.waitFor(() => expect(post).toHaveBeenCalledTimes(2));
  });
});

describe('places for frames', () => {
  it('are few, and go to who came last', () => {
    const places = new FramePlaces(2);
    const [a, b, c] = [{}, {}, {}];
    for (const one of [a, b, c]) places.take(one);
    expect([places.has(a), places.has(b), places.has(c)]).toEqual([false, true, true]);
    places.take(b);
    places.take(a);
    expect([places.has(a), places.has(b), places.has(c)]).toEqual([true, true, false]);
    places.give(a);
    expect(places.has(a)).toBe(false);
  });
});
