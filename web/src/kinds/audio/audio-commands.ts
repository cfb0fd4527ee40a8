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

/** What a key acts on: the sound that has the focus, or, in the comparison, both of its sounds. */
function targetOf(board: AudioBoard): Transport | null {
  const isComparing = (document.activeElement?.closest('[data-comparison]') ?? null) !== null;
  return (isComparing ? board.comparison : board.focused?.transport) ?? board.comparison;
}

/** The two that can be heard one after the other; null: there are none. */
function pairOf(board: AudioBoard): Transport | null {
  return board.isPair ? board.comparison : null;
}

export function audioCommands(board: AudioBoard): Command[] {
  return [...playCommands(board), ...compareCommands(board)];
}

function playCommands(board: AudioBoard): Command[] {
  const onSound = (
    id: string,
    title: string,
    key: string,
    isAvailable: () => boolean,
    act: (transport: Transport) => void,
  ): Command => ({
    ...{ id: `audio.${id}`, title, keys: [key], group: GROUP, when: WHEN },
    isAvailable: () => targetOf(board) !== null && isAvailable(),
    run: () => {
      const transport = targetOf(board);
      if (transport !== null) act(transport);
    },
  });
  const moving = (id: string, title: string, key: string, act: (transport: Transport) => void): Command =>
    onSound(id, title, key, () => isFocusFree(USES_ARROWS), act);
  const seeking = (id: string, title: string, key: string, steps: number): Command =>
    moving(id, title, key, (transport) => transport.seekBy(steps * seekStepS(transport.durationS)));
  const isSpaceFree = (): boolean => isFocusFree(USES_SPACE);

  return [
    onSound('play', 'Play or pause the sound', 'Space', isSpaceFree, (transport) => transport.toggle()),
    seeking('back', 'Back in the sound', 'Left', -1),
    seeking('forth', 'Forth in the sound', 'Right', 1),
    seeking('far-back', 'Far back in the sound', 'Shift+Left', -FAR),
    seeking('far-forth', 'Far forth in the sound', 'Shift+Right', FAR),
    moving('begin', 'To the beginning of the sound', 'Home', (transport) => transport.seek(0)),
    moving('end', 'To the end of the sound', 'End', (transport) => transport.seek(transport.durationS)),
    onSound('loop', 'Repeat the sound', 'r', isFocusInside, (transport) => {
      transport.setLooping(!transport.isLooping);
    }),
  ];
}

function compareCommands(board: AudioBoard): Command[] {
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
        isAvailable: () => (pairOf(board) !== null || board.focused !== null) && isFocusInside(),
        run: () => {
          const two = pairOf(board);
          if (two !== null) two.hear(index);
          else board.put(side, board.focused!.item);
        },
      },
    ];
  };

  return [
    ...onSide('a', 0),
    ...onSide('b', 1),
    {
      ...{ id: 'audio.switch', title: 'Hear the other one of the comparison', group: GROUP, when: WHEN },
      keys: ['x'],
      isAvailable: () => pairOf(board) !== null && isFocusInside(),
      run: () => {
        const two = pairOf(board);
        two?.hear(1 - two.heard);
      },
    },
  ];
}
