// What is known of a picture, as people read it.
import { formatBytes } from '../../../base/file-size';
import type { PictureFacts } from '../../../wire/client';
import type { PictureShape } from '../../../workers/pixels.worker';

const KINDS: Readonly<Record<number, string>> = { 1: 'gray', 2: 'gray + alpha', 3: 'RGB', 4: 'RGBA' };

/** "PNG", "JPEG" */
export function typeText(mimeType: string): string {
  return (mimeType.split('/')[1] ?? mimeType).toUpperCase();
}

/** "640 × 480", "PNG", "RGB, 8 bit", "12.3 kB". What is looked at may have fewer channels than the file: without colours. */
export function factsTexts(facts: PictureFacts, shape: PictureShape | null): string[] {
  const isAllGray = facts.channels >= 3 && shape !== null && shape.channels <= 2;
  // Of some formats the server knows neither size nor channels; the size is the browser's then.
  const size = facts.width > 0 ? facts : shape;
  return [
    ...(size === null ? [] : [`${size.width} × ${size.height}`]),
    typeText(facts.mime_type),
    ...(facts.channels > 0
      ? [
          `${KINDS[facts.channels] ?? `${facts.channels} channels`}, ${facts.bits} bit${isAllGray ? ' (all gray)' : ''}`,
        ]
      : []),
    formatBytes(facts.size_bytes),
    ...(shape?.isExact === false
      ? [`${facts.bits > 8 ? '8-bit ' : ''}values as the browser decodes them`]
      : []),
    ...(facts.frames > 1 ? [`first of ${facts.frames} frames`] : []),
  ];
}

const NAMES: Readonly<Record<number, readonly string[]>> = {
  1: ['v'],
  2: ['v', 'A'],
  3: ['R', 'G', 'B'],
  4: ['R', 'G', 'B', 'A'],
};

/** [name, value] of every sample of a pixel. */
export function namedValues(values: readonly number[]): [string, number][] {
  const names = NAMES[values.length] ?? [];
  return values.map((value, i) => [names[i] ?? String(i), value]);
}

/** "(12, 34): R 1, G 2, B 3" */
export function pixelText(x: number, y: number, values: readonly number[]): string {
  const said = namedValues(values).map(([name, value]) =>
    name === 'v' ? String(value) : `${name} ${value}`,
  );
  return `(${x}, ${y}): ${said.join(', ')}`;
}
