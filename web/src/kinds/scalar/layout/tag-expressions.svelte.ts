// Which tags the expressions of layouts mean. They are Python's, and match a tag from its beginning on, as in TensorBoard. They run
// in the filter worker with a time limit, one after the other, as anybody may have written them.
import { SvelteMap } from 'svelte/reactivity';
import { RegexError, RegexRunner } from '../../../state/regex-runner';

export interface Matched {
  /** In the order of the names. */
  readonly tags: readonly string[];
  /** Why there are none; '': there is no trouble. */
  readonly error: string;
}

/** As a source and flags of JavaScript. What Python alone knows beyond this is an error: a RegexError, or one there. */
export function fromPython(expression: string): { source: string; flags: string } {
  const [, flags = '', rest = ''] = /^(?:\(\?([aimsux]+)\))?([^]*)$/.exec(expression)!;
  // JavaScript would take the blanks and comments in it for text.
  if (flags.includes('x')) throw new RegexError('Not supported on this page: the flag x of Python');
  const source = rest
    .replace(/\(\?P</g, '(?<')
    .replace(/\(\?P=(\w+)\)/g, '\\k<$1>')
    .replace(/(^|[^\\])\\A/g, '$1^')
    .replace(/(^|[^\\])\\Z/g, '$1$');
  return { source: `^(?:${source})`, flags: flags.replace(/[^ims]/g, '') };
}

export class TagExpressions {
  readonly #runner: Pick<RegexRunner, 'matching' | 'destroy'>;
  readonly #known = new SvelteMap<string, Matched>();
  #names: readonly string[] = [];
  /** Of what the answers are waited for. */
  #asked = new Set<string>();

  constructor(runner: Pick<RegexRunner, 'matching' | 'destroy'> = new RegexRunner()) {
    this.#runner = runner;
  }

  /** Reactive; undefined: not known yet. */
  get(expression: string): Matched | undefined {
    return this.#known.get(expression);
  }

  /** Matches them with these names; what is known stays until there is something newer. */
  ask(expressions: Iterable<string>, names: readonly string[]): void {
    if (names !== this.#names) {
      this.#names = names;
      this.#asked = new Set();
    }
    for (const expression of expressions) {
      if (this.#asked.has(expression)) continue;
      this.#asked.add(expression);
      void this.#match(expression, names);
    }
  }

  async #match(expression: string, names: readonly string[]): Promise<void> {
    let matched: Matched;
    try {
      const { source, flags } = fromPython(expression);
      const tags = await this.#runner.matching(source, names, flags);
      matched = { tags: [...tags], error: '' };
    } catch (error) {
      if (!(error instanceof RegexError)) throw error;
      matched = { tags: [], error: error.message };
    }
    if (names !== this.#names) return;
    const known = this.#known.get(expression);
    if (known?.error !== matched.error || known.tags.join('\n') !== matched.tags.join('\n'))
      this.#known.set(expression, matched);
  }

  destroy(): void {
    this.#runner.destroy();
  }
}
