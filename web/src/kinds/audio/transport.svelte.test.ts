// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest';
import type { Engine } from './sound-engine';
import { Transport } from './transport.svelte';

class FakeEngine implements Engine {
  readonly durationS = 10;
  isLooping = false;
  rate = 1;
  onend = () => undefined;
  nowS = 0;
  isDestroyed = false;
  readonly starts: number[] = [];
  heard: number | null = null;

  start(fromS: number): void {
    this.starts.push(fromS);
    this.nowS = fromS;
  }
  stop(): void {}
  positionS(): number {
    return this.nowS;
  }
  hear(heard: number): void {
    this.heard = heard;
  }
  destroy(): void {
    this.isDestroyed = true;
  }
}

function makeTransport(engine = new FakeEngine()) {
  const prepare = vi.fn(() => Promise.resolve<Engine>(engine));
  const needs = { prepare, wakeUp: () => Promise.resolve() };
  const transport = new Transport(needs);
  transport.replace(needs, 10);
  return { transport, engine, prepare };
}

const settle = () => Promise.resolve().then(() => Promise.resolve());

describe('Transport', () => {
  test('prepares once, plays from where it is, and keeps the place when it pauses', async () => {
    const { transport, engine, prepare } = makeTransport();
    transport.seek(3);
    expect(prepare).not.toHaveBeenCalled();
    transport.play();
    expect(transport.isLoading).toBe(true);
    await settle();
    expect(engine.starts).toEqual([3]);
    engine.nowS = 4;
    transport.pause();
    expect(transport.positionS).toBe(4);
    transport.play();
    await settle();
    expect(engine.starts).toEqual([3, 4]);
    expect(prepare).toHaveBeenCalledOnce();
  });

  test('what nobody would hear ends, and says why', async () => {
    const engine = new FakeEngine();
    let refuse: (why: Error) => void = () => undefined;
    const wakeUp = () => new Promise<void>((_, reject) => (refuse = reject));
    const transport = new Transport({ prepare: () => Promise.resolve(engine), wakeUp });
    transport.play();
    await settle();
    expect([transport.isPlaying, transport.problem]).toEqual([true, null]);
    refuse(new Error('Nothing can be heard'));
    await settle();
    expect([transport.isPlaying, transport.problem]).toEqual([false, 'Nothing can be heard']);
    // Paused before it is known: nothing is to be said.
    transport.play();
    await settle();
    transport.pause();
    refuse(new Error('Nothing can be heard'));
    await settle();
    expect(transport.problem).toBeNull();
  });

  test('paused while it is fetched it stays silent', async () => {
    const { transport, engine } = makeTransport();
    transport.play();
    transport.pause();
    await settle();
    expect(engine.starts).toEqual([]);
    expect(transport.isPlaying).toBe(false);
  });

  test('played, paused and played again while it is fetched, it sounds once', async () => {
    const engines = [new FakeEngine(), new FakeEngine()];
    const deliver: ((engine: Engine) => void)[] = [];
    const transport = new Transport({
      prepare: () => new Promise((resolve) => deliver.push(resolve)),
      wakeUp: () => Promise.resolve(),
    });
    transport.play();
    transport.pause();
    transport.play();
    engines.forEach((engine, i) => deliver[i]!(engine));
    await settle();
    expect(engines.map(({ starts }) => starts.length)).toEqual([0, 1]);
    expect(engines.map(({ isDestroyed }) => isDestroyed)).toEqual([true, false]);
    transport.destroy();
    expect(engines[1]!.isDestroyed).toBe(true);
  });

  test('sent to its end while it plays it ends there', async () => {
    const { transport, engine } = makeTransport();
    transport.play();
    await settle();
    transport.seek(10);
    expect([transport.isPlaying, transport.positionS]).toEqual([false, 10]);
    expect(engine.starts).toEqual([0]);
  });

  test('only one plays', async () => {
    const one = makeTransport();
    const other = makeTransport();
    one.transport.play();
    await settle();
    other.transport.play();
    await settle();
    expect([one.transport.isPlaying, other.transport.isPlaying]).toEqual([false, true]);
  });

  test('is repeated from where it is, and can be left to end', async () => {
    const { transport, engine } = makeTransport();
    transport.setLooping(true);
    transport.play();
    await settle();
    expect([engine.isLooping, engine.starts]).toEqual([true, [0]]);
    engine.nowS = 5;
    transport.setLooping(false);
    expect([engine.isLooping, engine.starts]).toEqual([false, [0, 5]]);
  });

  test('another sound goes on at the same place, and the same side is heard', async () => {
    const { transport, engine } = makeTransport();
    transport.hear(1);
    transport.play();
    await settle();
    engine.nowS = 7;
    const next = new FakeEngine();
    transport.replace({ prepare: () => Promise.resolve(next), wakeUp: () => Promise.resolve() }, 10);
    await settle();
    expect(engine.isDestroyed).toBe(true);
    expect(next.starts).toEqual([7]);
    expect(next.heard).toBe(1);
  });

  test('what was prepared for an earlier sound is thrown away', async () => {
    const late = new FakeEngine();
    let deliver: (engine: Engine) => void = () => undefined;
    const transport = new Transport({
      prepare: () => new Promise((resolve) => (deliver = resolve)),
      wakeUp: () => Promise.resolve(),
    });
    transport.play();
    const next = new FakeEngine();
    transport.replace({ prepare: () => Promise.resolve(next), wakeUp: () => Promise.resolve() }, 10);
    deliver(late);
    await settle();
    expect(late.isDestroyed).toBe(true);
    expect(late.starts).toEqual([]);
    expect(next.starts).toEqual([0]);
  });

  test('of two sounds the other is heard without a new start', async () => {
    const { transport, engine } = makeTransport();
    transport.play();
    await settle();
    transport.hear(1);
    expect(engine.heard).toBe(1);
    expect(engine.starts.length).toBe(1);
  });

  test('says why it cannot play, and begins anew after the end', async () => {
    const broken = new Transport({
      prepare: () => Promise.reject(new Error('no such codec')),
      wakeUp: () => Promise.resolve(),
    });
    broken.play();
    await settle();
    await settle();
    expect(broken.problem).toBe('no such codec');
    expect(broken.isLoading).toBe(false);

    const { transport, engine } = makeTransport();
    transport.play();
    await settle();
    engine.onend();
    expect([transport.isPlaying, transport.positionS]).toEqual([false, 10]);
    transport.play();
    await settle();
    expect(engine.starts).toEqual([0, 0]);
  });
});
