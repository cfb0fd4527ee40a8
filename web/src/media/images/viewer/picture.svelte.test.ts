import { describe, expect, test, vi } from 'vitest';
import type { Page } from '../../../state/page.svelte';
import type { PictureShape, WishedLook } from '../../../workers/pixels.worker';
import { Picture } from './picture.svelte';
import type { PixelSource } from './pixel-service';

const LOOK: WishedLook = { channel: 'all', range: null, brightness: 1, contrast: 1, gamma: 1, colours: null };
const ITEM = { run: 0, tag: 't', index: 0, step: 5, sample: 0 };
const FACTS = {
  ...{ mime_type: 'image/png', width: 4, height: 2, bits: 8, channels: 3, size_bytes: 9, samples: 1 },
  ...{ frames: 1, duration_s: 0, is_original: true, is_grey: false },
};

/** A server that answers with these facts, and refuses the routes that are named. */
function serverOf(facts: object, refused: readonly string[] = []) {
  const asked: string[] = [];
  const get = (path: string): Promise<Response> => {
    const route = path.slice(0, path.indexOf('?'));
    asked.push(route);
    if (refused.includes(route)) return Promise.reject(new Error(`no ${route}`));
    return Promise.resolve(new Response('bytes', { headers: { 'sightline-facts': JSON.stringify(facts) } }));
  };
  return { asked, page: { client: { get } } as unknown as Page };
}

/** Pixels without a worker: what it is asked, and bitmaps that say when they are closed. */
function pixelsOf(decoded: Partial<PictureShape> | null) {
  const asked: string[] = [];
  const shape: PictureShape = {
    width: 4,
    height: 2,
    channels: 3,
    hasAlpha: false,
    white: 255,
    isExact: true,
  };
  const source = {
    ask: (question: { type: string }) => {
      asked.push(question.type);
      if (question.type === 'decode')
        return Promise.resolve(decoded === null ? null : { ...shape, ...decoded });
      if (question.type === 'take') return Promise.resolve({ ...shape, channels: 4 });
      return Promise.resolve({ bitmap: { close: () => {} }, range: { least: 0, greatest: 255 } });
    },
  } as unknown as PixelSource;
  return { asked, source };
}

async function shown(facts: object, decoded: Partial<PictureShape> | null, refused: readonly string[] = []) {
  const [server, pixels] = [serverOf(facts, refused), pixelsOf(decoded)];
  const picture = new Picture(server.page, pixels.source);
  picture.show(ITEM, LOOK);
  await vi.waitUntil(() => !picture.isLoading);
  return { picture, server, pixels };
}

describe('one picture of the viewer', () => {
  test('is fetched again when the server has other ones at the same places', async () => {
    const { picture, server, pixels } = await shown(FACTS, {});
    picture.show(ITEM, LOOK);
    expect(picture.isLoading).toBe(false);
    picture.show(ITEM, LOOK, 1);
    expect(picture.isLoading).toBe(true);
    await vi.waitUntil(() => !picture.isLoading);
    expect(pixels.asked).toEqual(['decode', 'render', 'decode', 'render']);
    expect(server.asked).toHaveLength(2);
  });

  test('opaque, of 8 bits: the browser decodes what was logged', async () => {
    const { picture, server } = await shown(FACTS, {});
    expect(server.asked).toEqual(['images/thumbnail', 'images/original']);
    expect(picture.drawn?.shape.isExact).toBe(true);
    expect(picture.facts?.width).toBe(4);
  });

  test('with alpha the server is asked for the samples', async () => {
    const { picture, server } = await shown(FACTS, { isExact: false });
    expect(server.asked).toEqual(['images/thumbnail', 'images/original', 'images/pixels']);
    expect(picture.drawn?.shape).toMatchObject({ channels: 4, isExact: true });
  });

  test('of 16 bits the browser is not even tried', async () => {
    const { server } = await shown({ ...FACTS, bits: 16 }, {});
    expect(server.asked).toEqual(['images/thumbnail', 'images/pixels']);
  });

  test('too many samples for the server: what the browser makes of it, and said so', async () => {
    const { picture } = await shown({ ...FACTS, bits: 16 }, {}, ['images/pixels']);
    expect(picture.problem).toBeNull();
    expect(picture.drawn?.shape.isExact).toBe(false);
  });

  test('too many pixels: the original is never asked for', async () => {
    const { picture, server } = await shown({ ...FACTS, width: 30_000, height: 30_000 }, {});
    expect(server.asked).toEqual(['images/thumbnail']);
    expect(picture.problem?.message).toMatch(/^30000 × 30000 pixels are too many/);
    expect(picture.drawn).toBeNull();
  });

  test('what the server refuses is said in its words', async () => {
    const { picture } = await shown(FACTS, {}, ['images/thumbnail']);
    expect(picture.problem?.message).toBe('no images/thumbnail');
  });

  test('another look is drawn once, the same look not again', async () => {
    const { picture, pixels } = await shown(FACTS, {});
    picture.show({ ...ITEM }, { ...LOOK });
    expect(pixels.asked).toEqual(['decode', 'render']);
    picture.show(ITEM, { ...LOOK, gamma: 2 });
    expect(pixels.asked).toEqual(['decode', 'render', 'render']);
  });
});
