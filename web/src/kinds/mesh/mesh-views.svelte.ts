// From where meshes are seen: all from one place, or each from its own. One place is the same direction, nearness and shift in shares
// of what is around all meshes of a tag, so that runs are seen at one scale, and tags of any size from one side.
import { SvelteMap } from 'svelte/reactivity';
import { onePerPage } from '../../state/one-per-page.svelte';
import { isSameBox, joined, type Box } from './box';
import type { Pose } from './orbit';

/** A movement is over when nothing has moved for so long. */
const REST_MS = 180;

export class MeshViews {
  /** null: nobody has moved yet, and each stands where it begins. */
  shared = $state.raw<Pose | null>(null);
  isMoving = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Around all values of a tag that were shown since the last reset: going from step to step nothing changes its scale. */
  readonly #seen = new SvelteMap<string, Box>();
  readonly #shown = new Map<object, { readonly tag: string; readonly box: Box }>();
  /** Pictures on the screen. */
  readonly #inSight = new Set<object>();

  boxOf(tag: string): Box | undefined {
    return this.#seen.get(tag);
  }

  /** `owner` shows this now. */
  show(owner: object, tag: string, box: Box): void {
    this.#shown.set(owner, { tag, box });
    this.#include(tag, box);
  }

  hide(owner: object): void {
    this.#shown.delete(owner);
    this.#inSight.delete(owner);
  }

  setInSight(owner: object, isIn: boolean): void {
    if (isIn) this.#inSight.add(owner);
    else this.#inSight.delete(owner);
  }

  isInSight(owner: object): boolean {
    return this.#inSight.has(owner);
  }

  get inSightCount(): number {
    return this.#inSight.size;
  }

  /** Something is moved: for a while all pictures are drawn quickly. */
  move(): void {
    this.isMoving = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.isMoving = false), REST_MS);
  }

  /** `alone`: only what is around this one, which is seen from a place of its own. */
  reset(alone?: string): void {
    if (alone === undefined) {
      this.shared = null;
      this.#seen.clear();
    } else this.#seen.delete(alone);
    for (const { tag, box } of this.#shown.values()) this.#include(tag, box);
  }

  #include(tag: string, box: Box): void {
    const seen = this.#seen.get(tag);
    const next = seen === undefined ? box : joined(seen, box);
    if (seen === undefined || !isSameBox(next, seen)) this.#seen.set(tag, next);
  }
}

export const viewsOf = onePerPage(() => new MeshViews());
