import { beforeEach, describe, expect, test, vi } from 'vitest';
import { BufferEngine, ElementEngine } from './engines';
import type { Output } from './output';

class FakeNode {
  readonly gain = {
    value: 1,
    cancelScheduledValues: () => undefined,
    setValueAtTime: (value: number) => (this.gain.value = value),
    setTargetAtTime: (value: number) => (this.gain.value = value),
  };
  readonly playbackRate = { value: 1 };
  buffer: AudioBuffer | null = null;
  loop = false;
  loopStart = 0;
  loopEnd = 0;
  onended: (() => void) | null = null;
  readonly calls: unknown[][] = [];

  connect(to: FakeNode): FakeNode {
    return to;
  }
  disconnect(): void {
    this.calls.push(['disconnect']);
  }
  start(...when: number[]): void {
    this.calls.push(['start', ...when]);
  }
  stop(): void {
    this.calls.push(['stop']);
  }
}

function makeOutput() {
  const sources: FakeNode[] = [];
  const context = {
    currentTime: 5,
    createGain: () => new FakeNode(),
    createMediaElementSource: () => new FakeNode(),
    createBufferSource: () => {
      sources.push(new FakeNode());
      return sources.at(-1);
    },
  };
  return { output: { context, master: new FakeNode() } as unknown as Output, context, sources };
}

describe('decoded sounds', () => {
  const buffer = (durationS: number) =>
    ({ duration: durationS, sampleRate: 100, length: 100 * durationS, numberOfChannels: 1 }) as AudioBuffer;

  test('begin at the same moment, go round together, and stop together', () => {
    const { output, context, sources } = makeOutput();
    const engine = new BufferEngine(output, [buffer(2), buffer(2)]);
    engine.region = { fromS: 0.5, toS: 1 };
    engine.start(0.5);
    expect(sources.map(({ calls }) => calls)).toEqual(sources.map(() => [['start', 5.02, 0.5]]));
    expect(sources.map(({ loop, loopStart, loopEnd }) => [loop, loopStart, loopEnd])).toEqual([
      [true, 0.5, 1],
      [true, 0.5, 1],
    ]);
    context.currentTime = 5.02 + 0.75;
    expect(engine.positionS()).toBeCloseTo(0.75);
    engine.destroy();
    for (const { calls } of sources) expect(calls.map(([name]) => name)).toContain('stop');
    expect(engine.positionS()).toBeCloseTo(0.75);
  });

  test('end at the end', () => {
    const { output, sources } = makeOutput();
    const engine = new BufferEngine(output, [buffer(2)]);
    engine.onend = vi.fn();
    engine.start(1);
    sources[0]!.onended!();
    expect(engine.onend).toHaveBeenCalledOnce();
    expect(engine.positionS()).toBe(2);
  });
});

class FakeAudio {
  static last: FakeAudio;
  currentTime = 0;
  playbackRate = 1;
  paused = true;
  duration = 3000;
  onended: (() => void) | null = null;
  ontimeupdate: (() => void) | null = null;
  onloadedmetadata: (() => void) | null = null;
  onerror: (() => void) | null = null;
  refuse: (error: Error) => void = () => undefined;

  constructor(public src: string) {
    FakeAudio.last = this;
  }
  play(): Promise<void> {
    this.paused = false;
    return new Promise((_, reject) => (this.refuse = reject));
  }
  pause(): void {
    this.paused = true;
  }
  load(): void {}
  removeAttribute(): void {
    this.src = '';
  }
}

describe('a sound that the browser plays itself', () => {
  beforeEach(() => {
    vi.stubGlobal('Audio', FakeAudio);
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:sound');
  });

  async function open(durationS: number | null = 3000) {
    const engine = await ElementEngine.open(makeOutput().output, new Blob(), durationS);
    engine!.onend = vi.fn();
    return { engine: engine!, element: FakeAudio.last };
  }

  test('goes round in its region, also at its very end and where nothing is drawn', async () => {
    const { engine, element } = await open();
    engine.region = { fromS: 10, toS: 3000 };
    engine.start(10);
    element.pause();
    element.currentTime = 3000;
    element.onended!();
    expect([element.currentTime, element.paused]).toEqual([10, false]);
    engine.region = { fromS: 10, toS: 20 };
    element.currentTime = 21;
    element.ontimeupdate!();
    expect(element.currentTime).toBe(10);
    expect(engine.onend).not.toHaveBeenCalled();
    engine.region = null;
    element.onended!();
    expect(engine.onend).toHaveBeenCalledOnce();
  });

  test('paused before it has begun it has not ended; refused it has', async () => {
    const { engine, element } = await open();
    engine.start(10);
    element.refuse(new DOMException('interrupted', 'AbortError'));
    await Promise.resolve();
    expect(engine.onend).not.toHaveBeenCalled();
    engine.start(10);
    element.refuse(new DOMException('no such codec', 'NotSupportedError'));
    await vi.waitFor(() => expect(engine.onend).toHaveBeenCalledOnce());
  });

  test('says how long it is where nobody else can, or that it cannot be played', async () => {
    const opening = open(null);
    FakeAudio.last.onloadedmetadata!();
    expect((await opening).engine.durationS).toBe(3000);

    const revoke = vi.spyOn(URL, 'revokeObjectURL');
    const broken = ElementEngine.open(makeOutput().output, new Blob([], { type: 'audio/mpeg' }), null);
    FakeAudio.last.onerror!();
    await expect(broken).rejects.toThrow('This browser cannot play the sound (audio/mpeg)');
    expect(revoke).toHaveBeenCalledExactlyOnceWith('blob:sound');

    const endless = ElementEngine.open(makeOutput().output, new Blob(), null);
    FakeAudio.last.duration = Infinity;
    FakeAudio.last.onloadedmetadata!();
    expect(await endless).toBeNull();
  });

  test('is silent and gives everything back when it goes', async () => {
    const revoke = vi.spyOn(URL, 'revokeObjectURL');
    const { engine, element } = await open();
    engine.start(0);
    engine.destroy();
    expect([element.paused, element.src]).toEqual([true, '']);
    expect(revoke).toHaveBeenCalledExactlyOnceWith('blob:sound');
  });
});
