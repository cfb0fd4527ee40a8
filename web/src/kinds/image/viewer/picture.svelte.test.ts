// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest';
import type { Page } from '../../../state/page.svelte';
import type { PictureShape, PixelQuestion, WishedLook } from '../../../workers/pixels.worker';
import { WorkQueue } from '../../../base/work-queue';
import { NO_ROOM, Picture } from './picture.svelte';
import type { PixelSource } from './pixel-service';

const LOOK: WishedLook = { channel: 'all', range: null, brightness: 1, contrast: 1, gamma: 1, colours: null };
const ITEM = { run: 0, tag: 't', index: 0, step: 5, sample: 0 };
const FACTS = {
  ...{ mime_type: 'image/png', width: 4, height: 2, bits: 8, channels: 3, size_bytes: 9, samples: 1 },
  ...{ frames: 1, duration_s: 0, is_original: true, is_grey: false },
};

const SHAPE: PictureShape = {
  ...{ width: 4, height: 2, channels: 3, hasAlpha: false, white: 255, isExact: true },
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

/** Pixels without a worker: what it is asked, and of how many pictures it keeps the pixels. */
class FakePixels {
  readonly asked: string[] = [];
  readonly looks: WishedLook[] = [];
  /** Oldest first. */
  readonly kept = new Set<string>();
  room = 9;
  /** It has no pixels when it comes to drawing, whatever it was given. */
  isForgetful = false;

  constructor(private readonly decoded: Partial<PictureShape> | null) {}

  get source(): PixelSource {
    return this as unknown as PixelSource;
  }

  ask(question: PixelQuestion): Promise<unknown> {
    this.asked.push(question.type);
    switch (question.type) {
      case 'decode':
        return Promise.resolve(
          this.decoded === null ? null : this.#keep(question.key, { ...SHAPE, ...this.decoded }),
        );
      case 'take':
        return Promise.resolve(this.#keep(question.key, { ...SHAPE, channels: 4 }));
      case 'render': {
        if (this.isForgetful || !this.kept.has(question.key)) return Promise.resolve(null);
        this.looks.push(question.look);
        return Promise.resolve({ bitmap: { close: () => {} }, range: { least: 0, greatest: 255 } });
      }
      default:
        return Promise.resolve(null);
    }
  }

  #keep(key: string, shape: PictureShape): PictureShape {
    this.kept.add(key);
    for (const oldest of this.kept) if (this.kept.size > this.room) this.kept.delete(oldest);
    return shape;
  }
}

const pixelsOf = (decoded: Partial<PictureShape> | null): FakePixels => new FakePixels(decoded);

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
    const before = picture.drawn;
    picture.show(ITEM, { ...LOOK, gamma: 2 });
    await vi.waitUntil(() => picture.drawn !== before);
    expect(pixels.asked).toEqual(['decode', 'render', 'render']);
  });

  test('of many looks in a row those in the middle are left out', async () => {
    const { picture, pixels } = await shown(FACTS, {});
    for (const gamma of [2, 3, 4]) picture.show(ITEM, { ...LOOK, gamma });
    await vi.waitUntil(() => pixels.looks.at(-1)?.gamma === 4);
    expect(pixels.asked).toEqual(['decode', 'render', 'render']);
  });
});

describe('pixels that the worker has dropped', () => {
  test('are decoded once more, and a second time it is said that they do not fit', async () => {
    const { picture, pixels } = await shown(FACTS, {});
    pixels.isForgetful = true;
    picture.show(ITEM, { ...LOOK, gamma: 2 });
    await vi.waitUntil(() => picture.problem !== null);
    expect(pixels.asked).toEqual(['decode', 'render', 'render', 'decode', 'render']);
    expect(picture.problem).toEqual({ message: NO_ROOM, isTemporary: true });
    expect([picture.drawn, picture.isLoading]).toEqual([null, false]);
  });

  test('of a picture that was never drawn are no other case', async () => {
    const [server, pixels] = [serverOf(FACTS), pixelsOf({})];
    pixels.isForgetful = true;
    const picture = new Picture(server.page, pixels.source);
    picture.show(ITEM, LOOK);
    await vi.waitUntil(() => picture.problem !== null);
    expect(pixels.asked).toEqual(['decode', 'render', 'decode', 'render']);
    // Whoever tries again gets as many tries as before.
    pixels.isForgetful = false;
    picture.retry();
    await vi.waitUntil(() => picture.drawn !== null);
    expect(picture.problem).toBeNull();
  });

  test('may be dropped again after they were drawn', async () => {
    const { picture, pixels } = await shown(FACTS, {});
    for (const gamma of [2, 3, 4]) {
      pixels.kept.clear();
      picture.show(ITEM, { ...LOOK, gamma });
      await vi.waitUntil(() => pixels.looks.at(-1)?.gamma === gamma && !picture.isLoading);
      expect(picture.problem).toBeNull();
    }
  });
});

test('pictures that the worker cannot keep all at once are drawn one after the other', async () => {
  const [server, pixels, turns] = [serverOf(FACTS), pixelsOf({}), new WorkQueue()];
  pixels.room = 1;
  const pictures = [1, 2, 3].map(() => new Picture(server.page, pixels.source, turns));
  const show = (look: WishedLook): void => {
    for (const [run, picture] of pictures.entries()) picture.show({ ...ITEM, run }, look);
  };
  show(LOOK);
  await vi.waitUntil(() => pictures.every(({ drawn }) => drawn !== null));
  expect(pixels.asked).toEqual(['decode', 'render', 'decode', 'render', 'decode', 'render']);
  // Two of the three have been dropped by now.
  const before = pictures.map(({ drawn }) => drawn);
  show({ ...LOOK, gamma: 2 });
  await vi.waitUntil(() => pictures.every(({ drawn }, i) => drawn !== before[i]));
  expect(pictures.map(({ problem }) => problem)).toEqual([null, null, null]);
  expect(pixels.asked.filter((type) => type === 'decode')).toHaveLength(5);
});
