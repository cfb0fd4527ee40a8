// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import type { Page } from '../../../state/page.svelte';
import { UNPLAYABLE } from './film';
import { loadFilm, type Loaded, type LoadedFilm } from './load-film';
import { StillFilm } from './still-film';
import { filmBytes } from './test-films';
import { VideoError, VideoFilm } from './video-film';

const ITEM = { run: 0, tag: 'film', index: 0, step: 5, sample: 0 };
const FACTS = {
  ...{ mime_type: 'image/gif', width: 4, height: 2, bits: 8, channels: 3, size_bytes: 9, samples: 1 },
  ...{ frames: 2, duration_s: 1, is_original: true, is_grey: false },
};

function framesAnswer(): Blob {
  const header = new TextEncoder().encode(
    JSON.stringify({
      ...{ mime_type: 'image/png', width: 4, height: 2, is_cut: false },
      ...{ sizes: [1, 1], durations_ms: [250, 750] },
    }),
  );
  const prefix = new DataView(new ArrayBuffer(4));
  prefix.setUint32(0, header.length, true);
  return new Blob([prefix, header, 'ab']);
}

/** A server with one picture; frames: what it answers for them, or why it does not. */
function load(facts: typeof FACTS, bytes: BlobPart, frames: Blob | Error = framesAnswer()): Promise<Loaded> {
  const get = (path: string): Promise<Response> => {
    const isFrames = path.startsWith('images/frames');
    if (isFrames && frames instanceof Error) return Promise.reject(frames);
    return Promise.resolve(
      new Response(isFrames ? (frames as Blob) : new Blob([bytes]), {
        headers: { 'sightline-facts': JSON.stringify(facts) },
      }),
    );
  };
  return loadFilm({ client: { get } } as unknown as Page, ITEM, () => 1, new AbortController().signal);
}

function bytesOf(name: Parameters<typeof filmBytes>[0]): BlobPart {
  return filmBytes(name) as Uint8Array<ArrayBuffer>;
}

describe('an animated picture', () => {
  it('is taken apart by the server', async () => {
    const { film, ...told } = (await load(FACTS, 'gif')) as LoadedFilm;
    expect(film).toBeInstanceOf(StillFilm);
    expect([film.timeline.count, film.timeline.startOf(1)]).toEqual([2, 0.25]);
    expect(told).toMatchObject({ format: 'GIF', areFramesKnown: true, note: '' });
  });

  it('has the sentence of a server that does not take it apart', async () => {
    expect(await load(FACTS, 'gif', new Error('Too many frames'))).toMatchObject({
      film: null,
      problem: { message: 'Too many frames', isTemporary: false },
    });
  });

  it('of one frame is no film', async () => {
    expect(await load({ ...FACTS, frames: 1 }, 'gif')).toMatchObject({
      film: null,
      problem: { message: 'This is a still picture, not a film.' },
    });
  });
});

describe('a video', () => {
  const video = { ...FACTS, mime_type: 'video/mp4' };
  let open: MockInstance<typeof VideoFilm.open>;

  beforeEach(() => {
    open = vi.spyOn(VideoFilm, 'open');
  });

  it('is led by the times of its own frames', async () => {
    open.mockImplementation((_blob, framesOf) => Promise.resolve(framesOf(9) as unknown as VideoFilm));
    const loaded = (await load(video, bytesOf('mp4'))) as LoadedFilm;
    expect(loaded.film.timeline.count).toBe(5);
    expect(loaded).toMatchObject({ format: 'MP4', areFramesKnown: true });
    // In fragments: thirty a second are assumed.
    const guessed = (await load(video, bytesOf('frag'))) as LoadedFilm;
    expect(guessed.film.timeline.count).toBe(270);
    expect(guessed.areFramesKnown).toBe(false);
  });

  it('that the browser cannot play has a sentence of ours, and nothing of the browser', async () => {
    open.mockRejectedValue(new VideoError('PIPELINE_ERROR_DECODE: 0x80'));
    const unknown = await load(video, bytesOf('mpeg4'));
    expect(unknown).toMatchObject({
      problem: { message: UNPLAYABLE.message, isTemporary: false },
    });
    const whole = filmBytes('mp4');
    const cut = await load(video, whole.slice(0, whole.length / 2));
    expect(cut).toMatchObject({ film: null });
    expect(JSON.stringify([unknown, cut])).not.toContain('PIPELINE');
  });
});

it('a server that does not answer is a problem, not an exception', async () => {
  const get = () => Promise.reject(new Error('The server does not answer'));
  const page = { client: { get } } as unknown as Page;
  const loaded = await loadFilm(page, ITEM, () => 1, new AbortController().signal);
  expect(loaded).toMatchObject({ film: null, problem: { message: 'The server does not answer' } });
});
