import { describe, expect, test, vi } from 'vitest';
import { positionAt, SoundEngine, type Started } from './sound-engine';
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
    const engine = new SoundEngine(output, [buffer(2), buffer(2)]);
    engine.isLooping = true;
    engine.start(0.5);
    expect(sources.map(({ calls }) => calls)).toEqual(sources.map(() => [['start', 5.02, 0.5]]));
    expect(sources.map(({ loop }) => loop)).toEqual([true, true]);
    context.currentTime = 5.02 + 2.25;
    expect(engine.positionS()).toBeCloseTo(0.75);
    engine.destroy();
    for (const { calls } of sources) expect(calls.map(([name]) => name)).toContain('stop');
    expect(engine.positionS()).toBeCloseTo(0.75);
  });

  test('end at the end', () => {
    const { output, sources } = makeOutput();
    const engine = new SoundEngine(output, [buffer(2)]);
    engine.onend = vi.fn();
    engine.start(1);
    sources[0]!.onended!();
    expect(engine.onend).toHaveBeenCalledOnce();
    expect(engine.positionS()).toBe(2);
  });
});

describe('positionAt', () => {
  const started: Started = { atS: 100, fromS: 1, rate: 1, isLooping: false, durationS: 10 };

  test('runs with the clock, at its rate, until the end', () => {
    expect(positionAt(102, started)).toBe(3);
    expect(positionAt(102, { ...started, rate: 2 })).toBe(5);
    expect(positionAt(200, started)).toBe(10);
  });

  test('stands still before it has started', () => {
    expect(positionAt(99, started)).toBe(1);
  });

  test('goes round where it is repeated', () => {
    expect(positionAt(112, { ...started, isLooping: true })).toBe(3);
  });
});
