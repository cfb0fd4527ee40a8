// Finds the runs that fit an expression such as `lr < 0.01 and last(val/acc) > 0.9 and name ~ "resnet"`, and finds them
// again when what it asks about changes. Loaded with the first expression.
//
// Whatever changes while runs merely grow is looked at once a second, and as long as the same runs fit, the answer is the
// same object: nobody who draws hears of it.
import { isPlainText } from '../base/regex';
import type { LastValues } from './feeds/last-values.svelte';
import type { FilterResult, Matches } from './name-filter';
import { RegexRunner } from './regex-runner';
import type { RunAccess } from './run-facts';
import { parseQuery, QueryError, type QueryNode } from './run-query';
import { bindQuery, needsFields, tagsOf, type BoundQuery, type QueryPattern } from './run-query-match';
import type { RunStore } from './runs.svelte';
import type { Run, RunPlace, ViewState } from './types';

const MOST_OFTEN_MS = 1000;

export interface QueryFilterOptions {
  readonly view: ViewState;
  readonly runs: Pick<RunStore, 'access' | 'byId' | 'fields' | 'places'>;
  readonly lastValues: Pick<LastValues, 'get' | 'has' | 'want'>;
  /** Names of the scalar tags. */
  readonly tagNames: () => readonly string[];
  readonly onResult: (result: FilterResult) => void;
  /** Replaced by tests. */
  readonly runner?: RegexRunner;
}

/** What the worker has said about the texts it was shown. */
interface PatternAnswers {
  readonly asked: Set<string>;
  readonly hits: Set<string>;
}

export class QueryFilter {
  readonly #options: QueryFilterOptions;
  readonly #runner: RegexRunner;
  readonly #endEffects: () => void;
  /** The rows of a moment ago: see MOST_OFTEN_MS. */
  #rows = $state.raw<ReadonlyMap<number, Run>>(new Map());
  #rowsTimer: ReturnType<typeof setTimeout> | undefined;
  #lastRowsMs = -Infinity;
  /** By source; of the present expression only. */
  #answers = new Map<string, PatternAnswers>();
  /** Grows with every evaluation: an answer of the worker for an older one is not wanted. */
  #turn = 0;
  #matches: ReadonlySet<string> | null = null;

  #text = $derived.by(() => {
    const { runFilter, runFilterKind } = this.#options.view;
    return runFilterKind === 'expression' ? runFilter.trim() : '';
  });
  /** Read, but not yet looked up. */
  #parsed = $derived.by((): QueryNode | QueryError | null => {
    if (this.#text === '') return null;
    // Not the trimmed text: places in messages count from the beginning of the box.
    return attempt(() => parseQuery(this.#options.view.runFilter));
  });
  /** null: there is none, or its hyper-parameters are on their way. */
  #bound = $derived.by((): BoundQuery | QueryError | null => {
    const parsed = this.#parsed;
    if (parsed === null || parsed instanceof QueryError) return parsed;
    const { fields } = this.#options.runs;
    if (needsFields(parsed) && !fields.isLoaded) return null;
    const names = { fields: fields.names, tags: this.#options.tagNames() };
    return attempt(() => bindQuery(parsed, names));
  });

  constructor(options: QueryFilterOptions) {
    this.#options = options;
    this.#runner = options.runner ?? new RegexRunner();
    this.#endEffects = $effect.root(() => {
      $effect.pre(() => {
        const parsed = this.#parsed;
        options.lastValues.want(parsed === null || parsed instanceof QueryError ? [] : tagsOf(parsed));
      });
      $effect.pre(() => {
        this.#followRows(options.runs.byId);
      });
      $effect.pre(() => {
        if (this.#text !== '') this.#evaluate();
        // Nobody asks any more: what the worker still says is about nothing.
        else this.#turn++;
      });
    });
  }

  destroy(): void {
    this.#endEffects();
    clearTimeout(this.#rowsTimer);
    this.#runner.destroy();
  }

  #followRows(rows: ReadonlyMap<number, Run>): void {
    clearTimeout(this.#rowsTimer);
    const take = (): void => {
      this.#lastRowsMs = performance.now();
      this.#rows = rows;
    };
    const waitMs = this.#lastRowsMs + MOST_OFTEN_MS - performance.now();
    if (waitMs <= 0) take();
    else this.#rowsTimer = setTimeout(take, waitMs);
  }

  #evaluate(): void {
    const turn = ++this.#turn;
    const { onResult, lastValues } = this.#options;
    const bound = this.#bound;
    if (bound instanceof QueryError) {
      onResult({ error: describe(bound) });
      return;
    }
    if (bound === null || !bound.lastTags.every((tag) => lastValues.has(tag))) {
      onResult({ error: null, isPending: true });
      return;
    }
    const { places } = this.#options.runs;
    const access = this.#access();
    const missing = this.#unanswered(bound.patterns, places, access);
    const tell = (): void => {
      const isMatch = bound.matcher(access, (source) => this.#answers.get(source)!.hits);
      onResult({ matches: this.#kept(places.filter(isMatch)), error: null });
    };
    if (missing.size === 0) {
      tell();
      return;
    }
    onResult({ error: null, isPending: true });
    void this.#askWorker(missing).then((error) => {
      if (turn !== this.#turn) return;
      if (error === null) tell();
      else onResult({ error });
    });
  }

  #access(): RunAccess {
    const { runs, lastValues } = this.#options;
    return {
      ...runs.access(Date.now() / 1000),
      // Read only where it is asked about: names and labels need no look once a second.
      run: (id) => this.#rows.get(id),
      last: (tag, id) => lastValues.get(tag, id),
    };
  }

  /** By source, the texts that no answer is known for; what is plain text is answered here. */
  #unanswered(
    patterns: readonly QueryPattern[],
    places: readonly RunPlace[],
    access: RunAccess,
  ): Map<string, string[]> {
    const sources = new Set(patterns.map(({ source }) => source));
    for (const source of this.#answers.keys()) if (!sources.has(source)) this.#answers.delete(source);
    const missing = new Map<string, string[]>();
    for (const pattern of patterns) {
      const { source } = pattern;
      const answers = this.#answers.get(source) ?? { asked: new Set(), hits: new Set() };
      this.#answers.set(source, answers);
      const texts = new Set<string>(missing.get(source));
      const needle = isPlainText(source) ? source.toLowerCase() : null;
      for (const run of places) {
        for (const text of pattern.textsOf(run, access)) {
          if (answers.asked.has(text)) continue;
          if (needle === null) {
            texts.add(text);
            continue;
          }
          answers.asked.add(text);
          if (text.toLowerCase().includes(needle)) answers.hits.add(text);
        }
      }
      if (texts.size > 0) missing.set(source, [...texts]);
    }
    return missing;
  }

  /** Resolves with what went wrong, for people; null: nothing. */
  async #askWorker(missing: ReadonlyMap<string, readonly string[]>): Promise<string | null> {
    for (const [source, texts] of missing) {
      try {
        const hits = await this.#runner.matching(source, texts);
        const answers = this.#answers.get(source);
        for (const text of texts) answers?.asked.add(text);
        for (const text of hits) answers?.hits.add(text);
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    }
    return null;
  }

  /** The last answer itself, if it was the same. */
  #kept(runs: readonly RunPlace[]): Matches {
    const before = this.#matches;
    if (before?.size !== runs.length || !runs.every(({ name }) => before.has(name))) {
      this.#matches = new Set(runs.map(({ name }) => name));
    }
    return this.#matches;
  }
}

function attempt<T>(run: () => T): T | QueryError {
  try {
    return run();
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
}

/** Places are counted from one, as people do. */
function describe({ message, from }: QueryError): string {
  return `${message} (at character ${from + 1})`;
}
