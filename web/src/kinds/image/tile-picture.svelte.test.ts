import { describe, expect, it } from 'vitest';
import type { LoadedAnswer } from '../../state/feeds/answer-cache';
import type { PictureItem } from './picture-item';
import { TilePicture } from './tile-picture.svelte';

const item = (step: number): PictureItem => ({ run: 1, tag: 'a', index: step, step, sample: 0 });

function answer(type = 'image/png', facts: object = { frames: 1, mime_type: type }): LoadedAnswer {
  return {
    blob: new Blob(['x'], { type }),
    headers: new Headers({ 'sightline-facts': JSON.stringify(facts) }),
  };
}

class Place {
  readonly asked: string[] = [];
  readonly drawn: (string | null)[] = [];
  readonly #ends: ((result: LoadedAnswer | Error) => void)[] = [];
  decode: (blob: Blob) => Promise<ImageBitmap> = (blob) =>
    Promise.resolve({
      width: 3,
      height: 2,
      close: () => undefined,
      name: blob.type,
    } as unknown as ImageBitmap);

  readonly picture = new TilePicture({
    load: (path, signal) => {
      this.asked.push(path);
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
        this.#ends.push((result) => {
          if (result instanceof Error) reject(result);
          else resolve(result);
        });
      });
    },
    decode: (blob) => this.decode(blob),
    draw: (bitmap) => this.drawn.push(bitmap === null ? null : (bitmap as unknown as { name: string }).name),
  });

  async end(result: LoadedAnswer | Error): Promise<void> {
    this.#ends.shift()!(result);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

describe('the picture of a tile', () => {
  it('stays with its step until the next one is complete', async () => {
    const tile = new Place();
    tile.picture.show(item(1), 'one');
    await tile.end(answer());
    tile.picture.show(item(2), 'two');
    expect(tile.picture.shown?.item.step).toBe(1);
    expect(tile.picture.isLoading).toBe(true);
    await tile.end(answer());
    expect(tile.picture.shown?.item.step).toBe(2);
    expect(tile.picture.isLoading).toBe(false);
  });

  it('skips what was wished in between, but shows what was on its way', async () => {
    const tile = new Place();
    for (const step of [1, 2, 3, 4]) tile.picture.show(item(step), String(step));
    expect(tile.asked).toEqual(['1']);
    await tile.end(answer());
    expect(tile.picture.shown?.item.step).toBe(1);
    expect(tile.asked).toEqual(['1', '4']);
    await tile.end(answer());
    expect(tile.picture.shown?.item.step).toBe(4);
  });

  it('says why it is not there, and comes back with the next one', async () => {
    const tile = new Place();
    tile.picture.show(item(1), '1');
    await tile.end(new Error('The picture ends in the middle.'));
    expect(tile.picture.problem).toMatchObject({
      message: 'The picture ends in the middle.',
      isTemporary: false,
    });
    expect(tile.picture.problem?.item.step).toBe(1);
    tile.picture.show(item(2), '2');
    await tile.end(answer());
    expect(tile.picture.problem).toBeNull();
    expect(tile.picture.shown?.item.step).toBe(2);
  });

  it('has a sentence for what the browser cannot decode', async () => {
    const tile = new Place();
    tile.decode = () => Promise.reject(new DOMException('The source image could not be decoded.'));
    tile.picture.show(item(1), '1');
    await tile.end(answer('image/bmp'));
    expect(tile.picture.problem?.message).toBe('This browser cannot show the picture (image/bmp)');
  });

  it('leaves videos to the player', async () => {
    const tile = new Place();
    tile.decode = () => Promise.reject(new Error('must not be tried'));
    tile.picture.show(item(1), '1');
    await tile.end(answer('video/mp4', { frames: 0, mime_type: 'video/mp4' }));
    expect(tile.picture.problem).toBeNull();
    expect(tile.picture.shown).toMatchObject({ bitmap: null, facts: { mime_type: 'video/mp4' } });
  });

  it('shows nothing after its end', async () => {
    const tile = new Place();
    tile.picture.show(item(1), '1');
    tile.picture.destroy();
    await tile.end(answer());
    expect(tile.picture.shown).toBeNull();
    expect(tile.picture.problem).toBeNull();
    expect(tile.drawn).toEqual([]);
  });
});
