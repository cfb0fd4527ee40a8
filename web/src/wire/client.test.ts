// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError, Client, isAbort } from './client';

const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
  const base = document.createElement('base');
  base.href = 'http://host:1/proxy/6006/';
  document.head.append(base);
});

afterEach(() => {
  document.head.querySelector('base')?.remove();
  vi.unstubAllGlobals();
});

function answer(body: unknown, status = 200): void {
  fetched.mockResolvedValueOnce(
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }),
  );
}

async function failure(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

describe('Client', () => {
  test('asks relative to the document, below any prefix', async () => {
    answer({ runs: [] });
    await new Client().runs({ revision: 5, serverId: 'a b' });
    expect(fetched.mock.calls[0]![0]).toBe('http://host:1/proxy/6006/api/v1/runs?since=5&server_id=a+b');
    expect(new Client().eventsUrl).toBe('http://host:1/proxy/6006/api/v1/events');
  });

  test('a first question for the runs names no revision', async () => {
    answer({});
    await new Client().runs();
    expect(fetched.mock.calls[0]![0]).toBe('http://host:1/proxy/6006/api/v1/runs');
  });

  test('rejects with the server’s own words', async () => {
    answer({ error: 'No run 9. Reload the page' }, 404);
    const error = await failure(new Client().run(9));
    expect(error.status).toBe(404);
    expect(error.message).toBe('No run 9. Reload the page');
  });

  test('has words of its own when a proxy answers', async () => {
    answer('<html>Bad gateway</html>', 502);
    const error = await failure(new Client().environment());
    expect(error.message).toContain('502');
    expect(error.isConnectionLost).toBe(true);
  });

  test('says that the token is missing', async () => {
    answer('', 401);
    const error = await failure(new Client().environment());
    expect(error.isTokenMissing).toBe(true);
    expect(error.message).toContain('token is missing');
  });

  test('a server that does not answer is status 0', async () => {
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    const error = await failure(new Client().tags());
    expect(error.status).toBe(0);
    expect(error.isConnectionLost).toBe(true);
  });

  test('an abort comes through as an abort', async () => {
    fetched.mockRejectedValueOnce(new DOMException('stop', 'AbortError'));
    const error: unknown = await new Client().tags().catch((reason: unknown) => reason);
    expect(isAbort(error)).toBe(true);
    expect(error).not.toBeInstanceOf(ApiError);
  });

  test('a frame that cannot be read is an ApiError too', async () => {
    answer('not a frame at all');
    const error = await failure(new Client().scalars({ queries: [] }));
    expect(error.message).toContain('SLF1');
  });

  test('posts questions as JSON and hands the signal on', async () => {
    answer({ tags: [] });
    const { signal } = new AbortController();
    await new Client().lastValues(['loss'], signal);
    const [url, init] = fetched.mock.calls[0]!;
    expect(url).toMatch(/scalars\/last$/);
    expect(init).toMatchObject({ method: 'POST', body: '{"tags":["loss"]}', signal });
  });

  test('numbers of runs travel with the server that gave them', async () => {
    const client = new Client();
    answer({ server_id: 'first' });
    await client.runs();
    answer({});
    await client.run(3);
    expect(fetched.mock.calls[1]![0]).toMatch(/runs\/3\?server_id=first$/);
    answer({ server_id: 'second' });
    await client.runs({ revision: 1, serverId: 'first' });
    answer('');
    await client.exportScalars({ tags: ['loss'], runs: [3] });
    expect(JSON.parse(fetched.mock.calls[3]![1].body as string)).toEqual({
      tags: ['loss'],
      runs: [3],
      server_id: 'second',
    });
  });

  test('a number is asked for without a server as long as none is known', async () => {
    answer({});
    await new Client().run(3);
    expect(fetched.mock.calls[0]![0]).toMatch(/runs\/3$/);
  });
});
