import { describe, expect, it } from 'vitest';
import type { LoadedAnswer } from '../../state/feeds/answer-cache';
import { PictureLoads } from './picture-loads';

class FakeAnswers {
  readonly asked: string[] = [];
  readonly kept = new Map<string, LoadedAnswer>();
  readonly #ends = new Map<string, (answer: LoadedAnswer | Error) => void>();

  peek(path: string): LoadedAnswer | undefined {
    return this.kept.get(path);
  }

  load(path: string): Promise<LoadedAnswer> {
    this.asked.push(path);
    return new Promise((resolve, reject) => {
      this.#ends.set(path, (answer) => {
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      });
    });
  }

  async loadAhead(path: string): Promise<void> {
    await this.load(path).catch(() => undefined);
  }

  async answer(path: string, problem?: Error): Promise<void> {
    this.#ends.get(path)!(problem ?? { blob: new Blob([path]), headers: new Headers() });
    await Promise.resolve();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

describe('pictures that may come next', () => {
  it('are fetched only while nobody waits for another one', async () => {
    const answers = new FakeAnswers();
    const loads = new PictureLoads(answers);
    const now = loads.load('now', new AbortController().signal);
    loads.wish(['next']);
    expect(answers.asked).toEqual(['now']);
    await answers.answer('now');
    await now;
    expect(answers.asked).toEqual(['now', 'next']);
  });

  it('come two at a time, and a failure does not stop the others', async () => {
    const answers = new FakeAnswers();
    new PictureLoads(answers).wish(['a', 'b', 'c']);
    expect(answers.asked).toEqual(['a', 'b']);
    await answers.answer('a', new Error('no'));
    expect(answers.asked).toEqual(['a', 'b', 'c']);
  });

  it('are not fetched when they are there already, or wanted no more', async () => {
    const answers = new FakeAnswers();
    answers.kept.set('here', { blob: new Blob(), headers: new Headers() });
    const loads = new PictureLoads(answers);
    const now = loads.load('now', new AbortController().signal);
    loads.wish(['here']);
    const forget = loads.wish(['old']);
    forget();
    await answers.answer('now');
    await now;
    expect(answers.asked).toEqual(['now']);
  });

  it('are bounded: the oldest wishes go first', async () => {
    const answers = new FakeAnswers();
    const loads = new PictureLoads(answers);
    const now = loads.load('now', new AbortController().signal);
    loads.wish(Array.from({ length: 300 }, (_, i) => String(i)));
    await answers.answer('now');
    await now;
    expect(answers.asked.slice(1)).toEqual(['100', '101']);
  });
});
