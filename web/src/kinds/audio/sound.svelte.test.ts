// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Page } from '../../state/page.svelte';
import { playing, Sound } from './sound.svelte';

const ITEM = { run: 0, tag: 'speech', index: 0, step: 5, sample: 0 };
const PEAKS = {
  ...{ mime_type: 'audio/wav', label: '', samples: 1, size_bytes: 100, is_decoded: true, rate_hz: 8000 },
  ...{ channels: 1, bits: 16, duration_s: 2, rms: 0.1, least: [-0.5, -0.2], greatest: [0.1, 0.3], note: '' },
};
const MP3 = { ...PEAKS, mime_type: 'audio/mpeg', is_decoded: false, duration_s: 0, least: [], greatest: [] };

/** A server with one sound. `asked` has the routes in order. */
function pageWith(peaks: typeof PEAKS) {
  const asked: string[] = [];
  const get = (path: string): Promise<Response> => {
    const route = path.slice(0, path.indexOf('?'));
    asked.push(route);
    return Promise.resolve(new Response(route === 'audio/peaks' ? JSON.stringify(peaks) : 'bytes'));
  };
  return { asked, page: { client: { get }, dataListeners: new Set() } as unknown as Page };
}

const decodeAudioData = vi.fn();

beforeEach(() => {
  decodeAudioData.mockReset().mockResolvedValue({
    ...{ length: 4, numberOfChannels: 1, sampleRate: 2, duration: 2 },
    getChannelData: () => Float32Array.of(0, 0.5, -1, 0),
  });
  vi.stubGlobal(
    'OfflineAudioContext',
    class {
      readonly decodeAudioData = decodeAudioData;
    },
  );
});

describe('Sound', () => {
  test('of a WAV file all is known without its bytes', async () => {
    const { page, asked } = pageWith(PEAKS);
    const sound = new Sound(page, ITEM);
    expect([sound.peaks, sound.facts]).toEqual([null, null]);
    await sound.load(new AbortController().signal);
    expect(asked).toEqual(['audio/peaks']);
    expect(sound.facts).toMatchObject({ durationS: 2, least: [-0.5, -0.2] });
    expect([sound.problem, sound.isLong]).toEqual([null, false]);
  });

  test('a small file that only the browser can decode is measured here; a larger one when it is played', async () => {
    const small = new Sound(pageWith(MP3).page, ITEM);
    await small.load(new AbortController().signal);
    expect(small.facts).toMatchObject({ durationS: 2, least: [0, 0.5, -1, 0] });

    const { page, asked } = pageWith({ ...MP3, size_bytes: 3_000_000 });
    const large = new Sound(page, ITEM);
    await large.load(new AbortController().signal);
    expect([large.facts, asked]).toEqual([null, ['audio/peaks']]);
    await large.buffer();
    expect(large.facts?.durationS).toBe(2);
  });

  test('what cannot be decoded is a sentence', async () => {
    decodeAudioData.mockRejectedValue(new DOMException('Unable to decode', 'EncodingError'));
    const sound = new Sound(pageWith(MP3).page, ITEM);
    await sound.load(new AbortController().signal);
    expect(sound.problem?.message).toContain('This browser cannot play the sound');
  });

  test('a file that is known to be damaged is not the fault of the browser', async () => {
    decodeAudioData.mockRejectedValue(new DOMException('Unable to decode', 'EncodingError'));
    const note = 'The file is cut off: its end is missing';
    const sound = new Sound(pageWith({ ...MP3, note }).page, ITEM);
    await sound.load(new AbortController().signal);
    expect(sound.problem?.message).toBe(note);
  });

  test('that there is nothing to play is said at once', async () => {
    const note = 'The sound has no samples';
    const { page, asked } = pageWith({ ...PEAKS, duration_s: 0, least: [], greatest: [], note });
    const sound = new Sound(page, ITEM);
    await sound.load(new AbortController().signal);
    expect(sound.problem).toEqual({ message: note, isTemporary: false });
    expect(asked).toEqual(['audio/peaks']);
  });

  test.each([
    [{ channels: 900 }, 'The sound has 900 channels, and browsers play 32 at most'],
    [{ rate_hz: 2000 }, 'The sound has 2,000 samples a second, and browsers play 3,000 to 768,000'],
  ])('that no browser plays a sound of %o is said at once', async (measures, message) => {
    const { page, asked } = pageWith({ ...PEAKS, ...measures });
    const sound = new Sound(page, ITEM);
    await sound.load(new AbortController().signal);
    expect(sound.problem).toEqual({ message, isTemporary: false });
    expect(asked).toEqual(['audio/peaks']);
  });

  test('what is too long to be decoded is refused before it is fetched', async () => {
    const { page, asked } = pageWith({ ...PEAKS, duration_s: 1e6 });
    const sound = new Sound(page, ITEM);
    await sound.load(new AbortController().signal);
    await expect(sound.buffer()).rejects.toThrow('too long to be decoded');
    expect(asked).toEqual(['audio/peaks']);
  });

  test('given up by the first who asked, the second one gets it all the same', async () => {
    const { page } = pageWith(MP3);
    const first = new AbortController();
    const given = new Sound(page, ITEM).buffer(first.signal);
    const wanted = new Sound(page, ITEM).buffer();
    first.abort();
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
    expect((await wanted).duration).toBe(2);
  });

  test('what was given up is no problem', async () => {
    const abort = new AbortController();
    const sound = new Sound(pageWith(PEAKS).page, ITEM);
    const loading = sound.load(abort.signal);
    abort.abort();
    await loading;
    expect([sound.problem, sound.peaks]).toEqual([null, null]);
  });
});

describe('waking up', () => {
  let resume: () => Promise<void> = () => Promise.resolve();
  beforeEach(() => {
    vi.useFakeTimers();
    // One for all tests: the page has one output, which keeps its context.
    vi.stubGlobal(
      'AudioContext',
      class {
        readonly destination = {};
        readonly resume = () => resume();
        readonly createGain = () => ({ gain: { value: 1 }, connect: () => undefined });
      },
    );
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('a device that answers is waited for, and no timer is left', async () => {
    resume = () => new Promise((resolve) => setTimeout(resolve, 1500));
    const awake = playing([]).wakeUp();
    await vi.advanceTimersByTimeAsync(1500);
    await expect(awake).resolves.toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('without a device, which never answers, it is said after a while', async () => {
    resume = () => new Promise(() => undefined);
    const problem = vi.fn();
    playing([]).wakeUp().catch(problem);
    await vi.advanceTimersByTimeAsync(1900);
    expect(problem).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(problem).toHaveBeenCalledOnce();
    expect(String(problem.mock.calls[0]![0])).toContain('no sound device');
  });
});
