// three.js is large, and fetched when the first mesh is near. All cards of a page share one stage.
import { untilHere } from '../../base/late-code';
import { onePerPage } from '../../state/one-per-page.svelte';
import type * as Code from './stage';

export const fetchStage = (): Promise<typeof Code> => untilHere(() => import('./stage'));

export class LateStage {
  code = $state.raw<typeof Code | null>(null);
  /** Another one when the drawing context was lost and is back: then everything is drawn again. */
  stage = $state.raw<Pick<Code.Stage, 'draw'> | null>(null);
  /** This browser has no WebGL. */
  isMissing = $state(false);

  constructor() {
    void fetchStage().then(async (code) => {
      // The mesh is asked for first: making a stage may block the page for as long as the mesh takes to come.
      await new Promise((resolve) => setTimeout(resolve));
      this.code = code;
      try {
        const made = new code.Stage();
        const offer = (): void => {
          this.stage = { draw: (...all) => made.draw(...all) };
        };
        made.onrestored = offer;
        offer();
      } catch {
        this.isMissing = true;
      }
    });
  }
}

export const stageOf = onePerPage(() => new LateStage());
