// A search through the texts of some tags and runs: the server answers a stretch of values at a time, and this asks on until
// all were looked at, there are more places than anyone reads, or something else is looked for. Of more tags than the server takes at
// once the first ones come first.
import { untrack } from 'svelte';
import { formatInteger } from '../../base/format';
import { problemOf } from '../../state/feeds/answer-cache';
import type { Page } from '../../state/page.svelte';
import type { TextHit, TextSearchAnswer, TextSearchRequest } from '../../wire/client';

export interface SearchPlace extends TextHit {
  readonly tag: string;
}

export interface SearchScope {
  readonly tag: string;
  readonly runs: readonly number[];
}

/** After so many the reader is asked whether to go on. */
const MOST_HITS = 1000;
/** Of what is looked for, and of where at once: the server's own bounds. */
export const MOST_CHARS = 1000;
const MOST_TAGS = 512;
const WAIT_MS = 250;

export class TextSearch {
  readonly #page: Pick<Page, 'client' | 'runs'>;
  text = $state('');
  isCaseSensitive = $state(false);
  places = $state.raw<readonly SearchPlace[]>([]);
  /** Of the parts that are done, and of the one that is being searched. */
  #doneCount = $state(0);
  #searched = $state(0);
  #total = $state(0);
  /** The server has said how many texts the part has. */
  #isPartKnown = $state(false);
  state = $state<'idle' | 'searching' | 'paused' | 'done'>('idle');
  error = $state<string | null>(null);
  /** Of values that could not be read, or not searched in time. */
  problems = $state.raw<readonly string[]>([]);
  /** The one that is searched, and those that come after it. */
  #parts = $state.raw<readonly (readonly SearchScope[])[]>([]);
  #abort: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(page: Pick<Page, 'client' | 'runs'>) {
    this.#page = page;
  }

  get searched(): number {
    return this.#doneCount + this.#searched;
  }
  /** As far as it is known. */
  get total(): number {
    return this.#doneCount + this.#total;
  }
  /** The server has been asked about all tags. */
  get isTotalKnown(): boolean {
    return this.#isPartKnown && this.#parts.length <= 1;
  }
  /** Something else is looked for, a moment after the last letter. An empty text ends the search. */
  ask(text: string, isCaseSensitive: boolean, scope: readonly SearchScope[]): void {
    untrack(() => {
      this.stop();
      this.text = text;
      this.isCaseSensitive = isCaseSensitive;
      this.#parts = partsOf(scope);
      this.places = [];
      this.problems = [];
      this.#doneCount = 0;
      this.#searched = 0;
      this.#total = 0;
      this.#isPartKnown = false;
      this.error = null;
      this.state = text === '' ? 'idle' : 'searching';
      if (text !== '') this.#timer = setTimeout(() => void this.#run(MOST_HITS), WAIT_MS);
    });
  }

  /** After a pause, or a failure. */
  goOn(): void {
    if (this.state !== 'paused') return;
    this.state = 'searching';
    this.error = null;
    void this.#run(this.places.length + MOST_HITS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#abort = null;
  }

  async #run(mostHits: number): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    const seen = new Set(this.places.map(keyOf));
    try {
      for (;;) {
        const answer = await this.#answer(abort.signal);
        if (abort.signal.aborted) return;
        const found: SearchPlace[] = [];
        for (const hit of answer.hits) {
          const place = { ...hit, tag: this.#parts[0]![hit.query]!.tag };
          // Values that arrive meanwhile move others, which are then told twice.
          if (seen.has(keyOf(place))) continue;
          seen.add(keyOf(place));
          found.push(place);
        }
        if (found.length > 0) this.places = [...this.places, ...found];
        this.problems = [...this.problems, ...answer.problems].slice(0, 100);
        const isStuck = !answer.is_complete && answer.searched <= this.#searched;
        this.#searched = answer.searched;
        this.#total = answer.total;
        this.#isPartKnown = true;
        if (isStuck) {
          const left = formatInteger(answer.total - answer.searched);
          throw new Error(`The server gets no further: ${left} texts are left`);
        }
        if (answer.is_complete && this.isTotalKnown) {
          this.state = 'done';
          return;
        }
        if (answer.is_complete) this.#beginNextPart();
        if (this.places.length >= mostHits) {
          this.state = 'paused';
          return;
        }
      }
    } catch (error) {
      const problem = problemOf(error);
      if (abort.signal.aborted || problem === null) return;
      this.error = problem.message;
      this.state = 'paused';
    }
  }

  #beginNextPart(): void {
    this.#doneCount += this.#total;
    this.#searched = 0;
    this.#total = 0;
    this.#isPartKnown = false;
    this.#parts = this.#parts.slice(1);
  }

  async #answer(signal: AbortSignal): Promise<TextSearchAnswer> {
    const { serverId } = this.#page.runs;
    const request: TextSearchRequest = {
      text: this.text,
      is_case_sensitive: this.isCaseSensitive,
      queries: (this.#parts[0] ?? []).map(({ tag, runs }) => ({ tag, runs: [...runs] })),
      skip: this.#searched,
      ...(serverId === '' ? {} : { server_id: serverId }),
    };
    const answer = await this.#page.client.post('text/search', request, signal);
    return (await answer.json()) as TextSearchAnswer;
  }
}

/** At least one, be it empty. */
function partsOf(scope: readonly SearchScope[]): SearchScope[][] {
  const count = Math.max(1, Math.ceil(scope.length / MOST_TAGS));
  return Array.from({ length: count }, (_, at) => scope.slice(at * MOST_TAGS, (at + 1) * MOST_TAGS));
}

function keyOf({ tag, run, step, index }: SearchPlace): string {
  return `${run}\n${step}\n${index}\n${tag}`;
}
