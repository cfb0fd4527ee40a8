// three.js is large, and fetched when the first mesh is near. All cards of a page share one stage.
import { untilHere } from '../../base/late-code';
import { onePerPage } from '../../state/one-per-page.svelte';
import type * as Code from './stage';

export class LateStage {
  code = $state.raw<typeof Code | null>(null);
  stage = $state.raw<Code.Stage | null>(null);
  /** This browser has no WebGL. */
  isMissing = $state(false);
  /** Grows when everything has to be drawn again. */
  restoredCount = $state(0);

  constructor() {
    void untilHere(() => import('./stage')).then((code) => {
      this.code = code;
      try {
        this.stage = new code.Stage();
        this.stage.onrestored = () => (this.restoredCount += 1);
      } catch {
        this.isMissing = true;
      }
    });
  }
}

export const stageOf = onePerPage(() => new LateStage());
