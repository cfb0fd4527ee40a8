// What the menu of one card offers.
import type { YScale } from '../../chart/types';
import type { Page } from '../../state/page.svelte';
import type { MenuItem } from '../../widgets/menu-item';
import type { Arranger } from '../../board/cards/arranger.svelte';
import { lastItems } from '../../board/cards/card-items';
import type { CardModel } from './card-model.svelte';
import type { ExportFormat } from './download';
import type { ChartContext } from './chart-context.svelte';

export interface CardItemsOptions {
  readonly model: CardModel;
  readonly page: Page;
  readonly context: ChartContext;
  readonly arranger: Pick<Arranger, 'items'> | null;
  readonly onlimits: () => void;
  readonly ondownload: (format: ExportFormat) => void;
}

/** Read inside of a derived: it follows what the card shows. */
export function cardItems({
  model,
  page,
  context,
  arranger,
  onlimits,
  ondownload,
}: CardItemsOptions): MenuItem[] {
  const scaleItem = (label: string, yScale: YScale): MenuItem => ({
    label,
    isChecked: model.yScale === yScale,
    run: () => model.setYScale(yScale),
  });
  return [
    { kind: 'heading', label: 'Y axis' },
    scaleItem('Linear', 'linear'),
    scaleItem('Logarithmic', 'log'),
    scaleItem('Symmetric logarithmic', 'symlog'),
    { label: 'Limits…', run: onlimits },
    { kind: 'separator' },
    ...(context.maker?.items(model.id) ?? []),
    ...(arranger?.items(model.id) ?? []),
    ...(context.reading?.items(model) ?? []),
    {
      label: 'Save as figure…',
      icon: 'chart',
      hint: 'I',
      run: () => context.openFigure({ card: model.id }),
    },
    { label: 'Download CSV', icon: 'download', run: () => ondownload('csv') },
    { label: 'Download JSON', icon: 'download', run: () => ondownload('json') },
    { label: 'Copy values', icon: 'copy', hint: 'C', run: () => model.copyValues() },
    ...lastItems(page, model),
  ];
}
