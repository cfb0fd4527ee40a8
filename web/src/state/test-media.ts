// Answers of the server about steps of media, for tests.
import type { MediaFrame, MediaFrameHeader, StepsFrameHeader } from '../wire/client';
import { FrameBuilder } from '../wire/test-frames';

type MediaEntry = Pick<MediaFrame, 'query' | 'run' | 'samples' | 'superseded_count'> & {
  readonly step: readonly number[];
  readonly wall: readonly number[];
};

/** What `POST media/series` answers. */
export function mediaAnswer(entries: readonly MediaEntry[]): Response {
  const builder = new FrameBuilder();
  const series = entries.map(({ step, wall, ...facts }): MediaFrame => ({
    ...{ ...facts, count: step.length },
    ...{ step: builder.column(step), wall: builder.column(wall) },
  }));
  const header: MediaFrameHeader = { server_id: 's1', revision: 1, series };
  return new Response(builder.frame(header));
}

/** What `POST media/steps` answers. */
export function stepsAnswer(steps: readonly number[]): Response {
  const builder = new FrameBuilder();
  const facts = { server_id: 's1', revision: 1, count: steps.length };
  const header: StepsFrameHeader = { ...facts, steps: builder.column(steps) };
  return new Response(builder.frame(header));
}
