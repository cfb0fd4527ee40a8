// What the keyboard and the command palette can do with pictures. The keys of a focused picture are the grid's; they are listed
// here for the help sheet, which knows the registry only.
import { listedKeys, type KeyLine } from '../../board/full-view/full-view-keys';
import type { Gallery } from '../../kinds/image/gallery.svelte';
import { openPictures } from '../../kinds/image/open-pictures';
import { downloadZip } from '../../kinds/image/picture-actions';
import { resetLook } from '../../kinds/image/picture-settings';
import type { Command } from '../../state/commands.svelte';

const GROUP = 'Images';

/** See PictureGrid.svelte. */
const PICTURE_KEYS: readonly KeyLine[] = [
  ['From picture to picture', '←', '→', '↑', '↓'],
  ['Select on the way', 'Shift+←', 'Shift+→'],
  ['Open the picture', 'Enter'],
  ['Select the picture, or deselect it', 'x'],
  ['Its previous or next step', ',', '.'],
];

export function imageCommands(gallery: Gallery): Command[] {
  const { page, selection } = gallery;
  const onChosen = (id: string, title: string, keys: readonly string[], run: () => void): Command => ({
    ...{ id: `images.${id}`, title, keys, group: GROUP, run },
    isAvailable: () => selection.size > 0,
  });
  return [
    onChosen('compare', 'Compare the selected pictures', ['c'], () => {
      const { chosen } = gallery;
      openPictures(page, chosen, gallery.areFilms(chosen));
    }),
    onChosen('zip', 'Download the selected pictures as a zip file', [], () => {
      void downloadZip(page, gallery.chosen);
    }),
    onChosen('clear', 'Clear the selection of pictures', ['Esc'], () => selection.clear()),
    {
      id: 'images.reset-look',
      title: 'Pictures in their own colours',
      group: GROUP,
      run: () => resetLook(page.view),
    },
    ...listedKeys('images', 'Focused picture', PICTURE_KEYS),
  ];
}
