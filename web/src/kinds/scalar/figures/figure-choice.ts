// How somebody wants figures: size, fonts, lines, legend, kind of file. Chosen in the dialog, remembered by this browser, and the
// same for every chart; what differs per chart (title, names of axes) is no part of it.
import {
  isDrawable,
  PX_PER_INCH,
  type FigureFont,
  type FigureLegend,
  type FigureOptions,
  type FigureTheme,
} from '../../../chart/figure/figure';

export type Unit = 'px' | 'mm' | 'in';
export type FigureFormat = 'svg' | 'png';
export type Preset = 'column' | 'slide' | 'screen' | 'own';

export interface FigureChoice {
  readonly preset: Preset;
  readonly unit: Unit;
  readonly width: number;
  readonly height: number;
  readonly font: FigureFont;
  readonly fontPt: number;
  readonly linePt: number;
  readonly legend: FigureLegend;
  readonly theme: FigureTheme;
  readonly hasBackground: boolean;
  readonly hasTitle: boolean;
  readonly format: FigureFormat;
  /** Of a PNG. */
  readonly dpi: number;
}

/** 96 is what a screen has: once, twice, four times its pixels, and what printers and journals ask for. */
export const RESOLUTIONS: readonly number[] = [96, 192, 300, 384, 600];

const PX_PER_UNIT: Readonly<Record<Unit, number>> = { px: 1, mm: PX_PER_INCH / 25.4, in: PX_PER_INCH };
const PX_PER_PT = PX_PER_INCH / 72;
const LEAST_SIDE_PX = 60;
const MOST_SIDE_PX = 8000;

interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

type Look = Omit<FigureChoice, 'preset' | 'format'>;

const SCREEN_LOOK = {
  unit: 'px',
  font: 'sans',
  theme: 'light',
  hasBackground: true,
  hasTitle: true,
  dpi: 192,
} as const;

/** `screen`: how large the chart is on the screen now. */
export function presetLook(preset: Exclude<Preset, 'own'>, screen: Size): Look {
  switch (preset) {
    case 'column':
      return {
        unit: 'in',
        width: 3.5,
        height: 2.4,
        font: 'serif',
        fontPt: 8,
        linePt: 1,
        legend: 'inside',
        theme: 'black',
        hasBackground: true,
        // Nothing else says what is plotted.
        hasTitle: true,
        dpi: 300,
      };
    case 'slide':
      return { ...SCREEN_LOOK, width: 1280, height: 720, fontPt: 18, linePt: 2.25, legend: 'below' };
    case 'screen':
      return {
        ...SCREEN_LOOK,
        width: Math.round(screen.widthPx),
        height: Math.round(screen.heightPx),
        fontPt: 8.25,
        linePt: 1.25,
        legend: 'none',
      };
  }
}

export const DEFAULT_SCREEN: Size = { widthPx: 640, heightPx: 400 };

export function defaultChoice(screen: Size = DEFAULT_SCREEN): FigureChoice {
  return { preset: 'column', format: 'svg', ...presetLook('column', screen) };
}

/** What was remembered, where it makes sense: an older or newer version may have written it, or a curious person. */
export function choiceFrom(saved: unknown, screen: Size = DEFAULT_SCREEN): FigureChoice {
  const base = defaultChoice(screen);
  if (typeof saved !== 'object' || saved === null) return base;
  const found = saved as Readonly<Record<string, unknown>>;
  const one = <T>(name: string, allowed: readonly T[], fallback: T): T =>
    allowed.find((value) => value === found[name]) ?? fallback;
  const numeric = (name: string, least: number, most: number, fallback: number): number => {
    const value = found[name];
    return typeof value === 'number' && value >= least && value <= most ? value : fallback;
  };
  const flag = (name: string, fallback: boolean): boolean => one(name, [true, false], fallback);
  const format = one<FigureFormat>('format', ['svg', 'png'], base.format);
  const preset = one<Preset>('preset', ['column', 'slide', 'screen', 'own'], base.preset);
  if (preset !== 'own') return { preset, format, ...presetLook(preset, screen) };
  const unit = one<Unit>('unit', ['px', 'mm', 'in'], base.unit);
  return {
    preset,
    format,
    unit,
    width: numeric('width', 0, MOST_SIDE_PX, 336 / PX_PER_UNIT[unit]),
    height: numeric('height', 0, MOST_SIDE_PX, 230 / PX_PER_UNIT[unit]),
    font: one<FigureFont>('font', ['sans', 'serif', 'mono'], base.font),
    fontPt: numeric('fontPt', 4, 72, base.fontPt),
    linePt: numeric('linePt', 0.1, 20, base.linePt),
    legend: one<FigureLegend>('legend', ['none', 'inside', 'below'], base.legend),
    theme: one<FigureTheme>('theme', ['light', 'black'], base.theme),
    hasBackground: flag('hasBackground', base.hasBackground),
    hasTitle: flag('hasTitle', base.hasTitle),
    dpi: one('dpi', RESOLUTIONS, base.dpi),
  };
}

/** The same size in another unit, to digits that people write. */
export function inUnit(choice: FigureChoice, unit: Unit): FigureChoice {
  const factor = PX_PER_UNIT[choice.unit] / PX_PER_UNIT[unit];
  const digits = unit === 'in' ? 100 : unit === 'mm' ? 10 : 1;
  const round = (value: number): number => Math.round(value * factor * digits) / digits;
  return { ...choice, unit, width: round(choice.width), height: round(choice.height) };
}

export function sizePx({ unit, width, height }: Pick<FigureChoice, 'unit' | 'width' | 'height'>): Size {
  return { widthPx: width * PX_PER_UNIT[unit], heightPx: height * PX_PER_UNIT[unit] };
}

/** What is wrong with it, in words; null: nothing. */
export function choiceError(choice: FigureChoice): string | null {
  const { widthPx, heightPx } = sizePx(choice);
  const isSide = (px: number): boolean => px >= LEAST_SIDE_PX && px <= MOST_SIDE_PX;
  if (!isSide(widthPx) || !isSide(heightPx)) {
    const say = (px: number): string => `${Number((px / PX_PER_UNIT[choice.unit]).toPrecision(3))}`;
    return `Width and height can be from ${say(LEAST_SIDE_PX)} to ${say(MOST_SIDE_PX)} ${choice.unit}`;
  }
  if (!(choice.fontPt >= 4 && choice.fontPt <= 72)) return 'The font can be from 4 to 72 pt';
  if (!(choice.linePt >= 0.1 && choice.linePt <= 20)) return 'Lines can be from 0.1 to 20 pt wide';
  const ratio = choice.dpi / PX_PER_INCH;
  if (choice.format === 'png' && !isDrawable(widthPx * ratio, heightPx * ratio)) {
    return 'That is too many pixels: choose a smaller size or a lower resolution';
  }
  return null;
}

/** The words around one chart. */
export interface FigureWords {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly rightLabel: string;
}

export function figureOptions(choice: FigureChoice, words: FigureWords): FigureOptions {
  return {
    ...sizePx(choice),
    font: choice.font,
    fontSizePx: choice.fontPt * PX_PER_PT,
    lineWidthPx: choice.linePt * PX_PER_PT,
    legend: choice.legend,
    theme: choice.theme,
    hasBackground: choice.hasBackground,
    ...words,
    title: choice.hasTitle ? words.title : '',
  };
}
