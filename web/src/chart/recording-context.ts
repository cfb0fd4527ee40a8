// Test support: a 2D context that draws nothing and remembers every call with the state it was made in. Drawing is tested by
// what was called: the test's DOM has no pixels, and pixels differ between machines.
export interface DrawCall {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly strokeStyle: string;
  readonly fillStyle: string;
  readonly globalAlpha: number;
  readonly lineWidth: number;
  readonly dash: readonly number[];
}

const DRAWING_METHODS = [
  'arc',
  'beginPath',
  'clearRect',
  'clip',
  'closePath',
  'drawImage',
  'fill',
  'fillRect',
  'fillText',
  'lineTo',
  'moveTo',
  'rect',
  'rotate',
  'stroke',
  'translate',
] as const;

interface PenState {
  strokeStyle: string;
  fillStyle: string;
  globalAlpha: number;
  lineWidth: number;
  dash: number[];
}

export class RecordingContext {
  readonly calls: DrawCall[] = [];
  strokeStyle = '#000';
  fillStyle = '#000';
  globalAlpha = 1;
  lineWidth = 1;
  font = '';
  lineCap = 'butt';
  lineJoin = 'miter';
  textAlign = 'left';
  textBaseline = 'top';
  #dash: number[] = [];
  readonly #saved: PenState[] = [];

  constructor() {
    for (const name of DRAWING_METHODS) {
      Object.defineProperty(this, name, { value: (...args: unknown[]) => this.#record(name, args) });
    }
  }

  #record(name: string, args: readonly unknown[]): void {
    this.calls.push({ name, args, ...this.#pen() });
  }

  #pen(): PenState {
    const { strokeStyle, fillStyle, globalAlpha, lineWidth } = this;
    return { strokeStyle, fillStyle, globalAlpha, lineWidth, dash: this.#dash };
  }

  save(): void {
    this.#saved.push(this.#pen());
  }

  restore(): void {
    const pen = this.#saved.pop();
    if (!pen) throw new Error('restore without save');
    const { dash, ...rest } = pen;
    Object.assign(this, rest);
    this.#dash = dash;
  }

  /** Every save was undone. */
  get isBalanced(): boolean {
    return this.#saved.length === 0;
  }

  setLineDash(dash: number[]): void {
    this.#dash = dash;
  }

  /** As wide as in a font of 6 px per character. */
  measureText(text: string): { width: number } {
    return { width: text.length * 6 };
  }

  named(name: (typeof DRAWING_METHODS)[number]): DrawCall[] {
    return this.calls.filter((call) => call.name === name);
  }

  texts(): string[] {
    return this.named('fillText').map((call) => String(call.args[0]));
  }

  forget(): void {
    this.calls.length = 0;
  }

  /** As what it stands in for. */
  get asCanvas(): CanvasRenderingContext2D {
    return this as unknown as CanvasRenderingContext2D;
  }
}
