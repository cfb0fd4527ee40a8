// The page's colour maps as the tables that pixels are taken through.
import type { ColourTable } from '../../../base/pixels';
import { colourIn } from '../../../base/colour-maps';
import type { ColourMap } from '../picture-settings';

const tables = new Map<ColourMap, ColourTable>();

/** null: none is asked for. Made once, not to be changed. */
export function colourTable(map: ColourMap): ColourTable | null {
  if (map === 'none') return null;
  let table = tables.get(map);
  if (table === undefined) {
    const colours = Array.from({ length: 256 }, (_, i) => colourIn(map, i / 255)).flat();
    table = Uint8Array.from(colours, (channel) => Math.round(255 * channel));
    tables.set(map, table);
  }
  return table;
}
