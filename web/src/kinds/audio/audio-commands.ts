// What the keyboard and the command palette can do with sounds. Keys hold where the focus is on a sound or in the comparison, on
// which they act; everywhere else they are the page's.
import type { Command } from '../../state/commands.svelte';
import type { AudioBoard } from './audio-board.svelte';
import type { Transport } from './transport.svelte';

const GROUP = 'Sounds';
const WHEN = 'on a sound, or in the comparison';
const SOUNDS = '[data-sound], [data-comparison]';
/** They have a use of their own for these keys. */
const USES_SPACE = 'button, a, input, select, summary';
const USES_ARROWS = 'input, select';
/** With Shift an arrow key goes so many times as far. */
const FAR = 5;

/** How far an arrow key goes: a twentieth of a short sound, seconds of a long one. */
export function seekStepS(durationS: number): number {
  if (durationS <= 20) return durationS / 20;
  return durationS <= 120 ? 1 : 5;
}

/** The focus is on or in a sound, where no control needs the key. */
function isFocusFree(needs: string): boolean {
  const focused = document.activeElement;
  return focused !== null && focused.closest(SOUNDS) !== null && !focused.matches(needs);
}

function isFocusInside(): boolean {
  return (document.activeElement?.closest(SOUNDS) ?? null) !== null;
}

export function audioCommands(board: AudioBoard): Command[] {
  const target = (): Transport | null => {
    const isComparing = (document.activeElement?.closest('[data-comparison]') ?? null) !== null;
    return (isComparing ? board.comparison : board.focused?.transport) ?? board.comparison;
  };
  /** The two that can be heard one after the other; null: there are none. */
  const pair = (): Transport | null => (board.isPair ? board.comparison : null);
  const onSound = (
    id: string,
    title: string,
    key: string,
    isAvailable: () => boolean,
    act: (transport: Transport) => void,
  ): Command => ({
    ...{ id: `audio.${id}`, title, keys: [key], group: GROUP, when: WHEN },
    isAvailable: () => target() !== null && isAvailable(),
    run: () => {
      const transport = target();
      if (transport !== null) act(transport);
    },
  });
  const seekBy = (transport: Transport, steps: number): void => {
    transport.seekBy(steps * seekStepS(transport.durationS));
  };
  const moving = (id: string, title: string, key: string, act: (transport: Transport) => void): Command =>
    onSound(id, title, key, () => isFocusFree(USES_ARROWS), act);
  const onSide = (side: 'a' | 'b', index: number): Command[] => {
    const name = side.toUpperCase();
    return [
      {
        ...{ id: `audio.put-${side}`, title: `Compare this sound as ${name}`, group: GROUP, when: WHEN },
        keys: [`Shift+${name}`],
        isAvailable: () => board.focused !== null && isFocusInside(),
        run: () => board.put(side, board.focused!.item),
      },
      {
        ...{ id: `audio.hear-${side}`, group: GROUP, when: WHEN },
        // Until there is a comparison the key makes one.
        title: `Hear ${name}; if nothing is compared yet, compare this sound as ${name}`,
        keys: [side],
        isAvailable: () => (pair() !== null || board.focused !== null) && isFocusInside(),
        run: () => {
          const two = pair();
          if (two !== null) two.hear(index);
          else board.put(side, board.focused!.item);
        },
      },
    ];
  };

  return [
    onSound(
      'play',
      'Play or pause the sound',
      'Space',
      () => isFocusFree(USES_SPACE),
      (transport) => {
        transport.toggle();
      },
    ),
    moving('back', 'Back in the sound', 'Left', (transport) => seekBy(transport, -1)),
    moving('forth', 'Forth in the sound', 'Right', (transport) => seekBy(transport, 1)),
    moving('far-back', 'Far back in the sound', 'Shift+Left', (transport) => seekBy(transport, -FAR)),
    moving('far-forth', 'Far forth in the sound', 'Shift+Right', (transport) => seekBy(transport, FAR)),
    moving('begin', 'To the beginning of the sound', 'Home', (transport) => transport.seek(0)),
    moving('end', 'To the end of the sound', 'End', (transport) => transport.seek(transport.durationS)),
    onSound('loop', 'Repeat the sound', 'r', isFocusInside, (transport) => {
      transport.setLooping(!transport.isLooping);
    }),
    ...onSide('a', 0),
    ...onSide('b', 1),
    {
      ...{ id: 'audio.switch', title: 'Hear the other one of the comparison', group: GROUP, when: WHEN },
      keys: ['x'],
      isAvailable: () => pair() !== null && isFocusInside(),
      run: () => {
        const two = pair();
        two?.hear(1 - two.heard);
      },
    },
  ];
}
