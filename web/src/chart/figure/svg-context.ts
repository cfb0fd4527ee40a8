// A drawing context that writes SVG: the same calls that paint a canvas become paths and texts. Only what our drawing uses is
// there. Coordinates are taken in device pixels, as on a canvas, and written in CSS pixels with two decimals; text stays
// text. Nothing in the file refers to anything outside of it, and whatever comes in as a name goes out escaped.
//
// Baselines are worked out here instead of asked for by `dominant-baseline`, which most programs other than browsers ignore.
import type { DrawContext } from '../draw-context';

/** Where the letters' own baseline is below the named place, in heights of the font. */
const BASELINES: Readonly<Partial<Record<CanvasTextBaseline, number>>> = {
  top: 0.82,
  middle: 0.35,
  bottom: -0.2,
};
const ANCHORS: Readonly<Partial<Record<CanvasTextAlign, string>>> = { center: 'middle', right: 'end' };
/** As wide as letters are on average, when nobody can measure them. */
const LETTER_WIDTH = 0.55;

/** What a canvas remembers and does not show as properties. */
interface Place {
  readonly dash: readonly number[];
  /** Of all that is drawn: first turned by this angle, then moved. */
  readonly angle: number;
  readonly dx: number;
  readonly dy: number;
  /** Ids of clip paths, the outermost first. */
  readonly clips: readonly string[];
}

export interface SvgOptions {
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS pixel: what is drawn is written so many times smaller. */
  readonly ratio: number;
  /** As the file says it, e.g. "3.5in"; missing: the pixels. */
  readonly size?: { readonly width: string; readonly height: string };
  readonly title: string;
  /** Knows how wide texts are. */
  readonly measure: Pick<CanvasRenderingContext2D, 'font' | 'measureText'> | null;
}

/** Properties and methods have the canvas' names and meanings. */
export class SvgContext {
  fillStyle = '#000';
  strokeStyle = '#000';
  globalAlpha = 1;
  lineWidth = 1;
  lineCap: CanvasLineCap = 'butt';
  lineJoin: CanvasLineJoin = 'miter';
  font = '10px sans-serif';
  textAlign: CanvasTextAlign = 'left';
  textBaseline: CanvasTextBaseline = 'alphabetic';
  readonly #options: SvgOptions;
  readonly #saved: { readonly pen: object; readonly place: Place }[] = [];
  readonly #defs: string[] = [];
  readonly #body: string[] = [];
  #open: readonly string[] = [];
  #path: string[] = [];
  #place: Place = { dash: [], angle: 0, dx: 0, dy: 0, clips: [] };

  constructor(options: SvgOptions) {
    this.#options = options;
  }

  /** As what it stands in for. */
  get asCanvas(): DrawContext {
    return this as unknown as DrawContext;
  }

  /** The whole file. */
  finish(): string {
    const { width, height, title, size } = this.#options;
    this.#enter([]);
    const box = `0 0 ${number(width)} ${number(height)}`;
    const w = size?.width ?? number(width);
    const h = size?.height ?? number(height);
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="${box}">`,
      `<title>${escaped(title)}</title>`,
      ...(this.#defs.length > 0 ? [`<defs>${this.#defs.join('')}</defs>`] : []),
      ...this.#body,
      '</svg>\n',
    ].join('\n');
  }

  save(): void {
    this.#saved.push({ pen: Object.assign({}, this), place: this.#place });
  }

  restore(): void {
    const saved = this.#saved.pop();
    if (!saved) return;
    Object.assign(this, saved.pen);
    this.#place = saved.place;
  }

  translate(x: number, y: number): void {
    const { angle, dx, dy } = this.#place;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    this.#place = { ...this.#place, dx: dx + cos * x - sin * y, dy: dy + sin * x + cos * y };
  }

  rotate(angle: number): void {
    this.#place = { ...this.#place, angle: this.#place.angle + angle };
  }

  setLineDash(dash: readonly number[]): void {
    this.#place = { ...this.#place, dash };
  }

  measureText(text: string): { readonly width: number } {
    const { measure } = this.#options;
    if (!measure) return { width: Array.from(text).length * fontOf(this.font).sizePx * LETTER_WIDTH };
    measure.font = this.font;
    return measure.measureText(text);
  }

  beginPath(): void {
    this.#path = [];
  }

  moveTo(x: number, y: number): void {
    this.#path.push(`M${this.#at(x, y)}`);
  }

  lineTo(x: number, y: number): void {
    this.#path.push(`${this.#path.length === 0 ? 'M' : 'L'}${this.#at(x, y)}`);
  }

  closePath(): void {
    this.#path.push('Z');
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y);
    this.lineTo(x + width, y);
    this.lineTo(x + width, y + height);
    this.lineTo(x, y + height);
    this.closePath();
  }

  /** Clockwise only, as all of ours are. */
  arc(x: number, y: number, radius: number, from: number, to: number): void {
    const place = (angle: number): [number, number] => [
      x + radius * Math.cos(angle),
      y + radius * Math.sin(angle),
    ];
    const r = number(radius / this.#options.ratio);
    // A full circle ends where it began and would be nothing: it is two halves.
    const stops = to - from >= 2 * Math.PI - 1e-9 ? [from + Math.PI, from + 2 * Math.PI] : [to];
    if (this.#path.length === 0) this.moveTo(...place(from));
    else this.lineTo(...place(from));
    let last = from;
    for (const stop of stops) {
      this.#path.push(`A${r} ${r} 0 ${stop - last > Math.PI ? 1 : 0} 1 ${this.#at(...place(stop))}`);
      last = stop;
    }
  }

  stroke(): void {
    if (this.#path.length === 0) return;
    const { ratio } = this.#options;
    const dash = this.#place.dash.map((length) => number(length / ratio)).join(' ');
    this.#emit(
      'path',
      attributes({
        d: this.#path.join(''),
        fill: 'none',
        stroke: this.strokeStyle,
        'stroke-width': number(this.lineWidth / ratio),
        'stroke-opacity': this.#opacity,
        'stroke-dasharray': dash,
        'stroke-linejoin': this.lineJoin === 'miter' ? '' : this.lineJoin,
        'stroke-linecap': this.lineCap === 'butt' ? '' : this.lineCap,
      }),
    );
  }

  fill(): void {
    if (this.#path.length === 0) return;
    const fill = { fill: this.fillStyle, 'fill-opacity': this.#opacity };
    this.#emit('path', attributes({ d: this.#path.join(''), ...fill }));
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const path = this.#path;
    this.#path = [];
    this.rect(x, y, width, height);
    this.fill();
    this.#path = path;
  }

  clearRect(): void {
    // There is nothing below that would have to go.
  }

  clip(): void {
    // Clips of the same shape are the same clip: every slice of the lines asks for one.
    const shape = `<path d="${escaped(this.#path.join(''))}"/>`;
    let index = this.#defs.findIndex((def) => def.includes(shape));
    if (index < 0) {
      index = this.#defs.length;
      this.#defs.push(`<clipPath id="clip-${index + 1}">${shape}</clipPath>`);
    }
    this.#place = { ...this.#place, clips: [...this.#place.clips, `clip-${index + 1}`] };
  }

  fillText(text: string, x: number, y: number): void {
    const { ratio } = this.#options;
    const { sizePx, family, weight } = fontOf(this.font);
    const below = (BASELINES[this.textBaseline] ?? 0) * sizePx;
    const isTurned = this.#place.angle !== 0;
    const [left, top] = isTurned
      ? [number(x / ratio), number((y + below) / ratio)]
      : this.#at(x, y + below).split(' ');
    const degrees = number((this.#place.angle * 180) / Math.PI);
    this.#emit(
      'text',
      attributes({
        x: left!,
        y: top!,
        transform: isTurned ? `translate(${this.#at(0, 0)}) rotate(${degrees})` : '',
        'font-family': family,
        'font-size': number(sizePx / ratio),
        'font-weight': weight,
        'text-anchor': ANCHORS[this.textAlign] ?? '',
        fill: this.fillStyle,
        'fill-opacity': this.#opacity,
      }),
      escaped(text),
    );
  }

  get #opacity(): string {
    return this.globalAlpha >= 1 ? '' : number(this.globalAlpha);
  }

  /** The place as the file says it. */
  #at(x: number, y: number): string {
    const { ratio } = this.#options;
    const { angle, dx, dy } = this.#place;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const px = (cos * x - sin * y + dx) / ratio;
    const py = (sin * x + cos * y + dy) / ratio;
    return `${number(px)} ${number(py)}`;
  }

  #emit(name: string, facts: string, content = ''): void {
    this.#enter(this.#place.clips);
    this.#body.push(content === '' ? `<${name}${facts}/>` : `<${name}${facts}>${content}</${name}>`);
  }

  /** Closes and opens groups until exactly these clips apply. */
  #enter(clips: readonly string[]): void {
    let same = 0;
    while (same < clips.length && clips[same] === this.#open[same]) same++;
    for (let i = this.#open.length; i > same; i--) this.#body.push('</g>');
    for (const id of clips.slice(same)) this.#body.push(`<g clip-path="url(#${id})">`);
    this.#open = clips;
  }
}

function attributes(facts: Readonly<Record<string, string>>): string {
  return Object.entries(facts)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Fit for the text and the attributes of XML, which has no place for most control characters and half characters. */
export function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
    .replace(/[&<>"]/g, (letter) => ENTITIES[letter]!);
}

/** Two decimals are a tenth of what a printer can show; the zeros say nothing. */
function number(value: number): string {
  return String(Math.round(value * 100) / 100 + 0);
}

/** Our fonts are "[weight] size family". */
function fontOf(font: string): { sizePx: number; family: string; weight: string } {
  const parts = /^(?:(\d+|bold) )?([\d.]+)px (.+)$/.exec(font);
  return { weight: parts?.[1] ?? '', sizePx: Number(parts?.[2] ?? 10), family: parts?.[3] ?? 'sans-serif' };
}
