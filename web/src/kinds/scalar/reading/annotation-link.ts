// A link that opens a chart in full screen with the step selector at a note.
import { linkWith } from '../../../state/settings/link';

export function annotationLink(link: string, card: string, x: number | null): string {
  return linkWith(link, () => ({
    fullScreenCard: card,
    ...(x !== null && { selected: { from: x, to: null } }),
  }));
}
