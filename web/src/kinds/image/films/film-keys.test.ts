// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { actionFor, FILM_SLIDER } from './film-keys';

function press(
  key: string,
  target: HTMLElement,
  init: KeyboardEventInit = {},
  around = target,
): ReturnType<typeof actionFor> {
  let action: ReturnType<typeof actionFor> = null;
  const listen = (event: Event): void => {
    action = actionFor(event as KeyboardEvent);
  };
  document.body.append(around);
  document.body.addEventListener('keydown', listen);
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...init }));
  document.body.removeEventListener('keydown', listen);
  around.remove();
  return action;
}

function input(type: string): HTMLInputElement {
  const element = document.createElement('input');
  element.type = type;
  return element;
}

describe('keys of the player', () => {
  const plain = (): HTMLElement => document.createElement('div');

  it('mean what people know from other players', () => {
    expect(press(' ', plain())).toBe('toggle');
    expect(['r', 'f', '+'].map((key) => press(key, plain()))).toEqual(['loop', 'full-screen', 'faster']);
    expect(press('ArrowRight', plain())).toBe('next-frame');
    expect(press('ArrowLeft', plain(), { shiftKey: true })).toBe('previous-step');
    expect(press('Home', plain())).toBe('first-frame');
    expect(press('x', plain())).toBeNull();
    expect(press('r', plain(), { ctrlKey: true })).toBeNull();
  });

  it('are not taken from what has a use for them', () => {
    expect(press('ArrowRight', input('range'))).toBeNull();
    expect(press('r', input('text'))).toBeNull();
    expect(press(' ', document.createElement('button'))).toBeNull();
    expect(press('ArrowRight', document.createElement('button'))).toBe('next-frame');
    expect(press('ArrowRight', input('radio'))).toBeNull();
    const own = document.createElement('div');
    own.setAttribute(FILM_SLIDER, '');
    const slider = input('range');
    own.append(slider);
    expect(press('ArrowRight', slider, {}, own)).toBe('next-frame');
    expect(press(' ', input('range'))).toBe('toggle');
    expect(press('ArrowRight', input('range'), { shiftKey: true })).toBe('next-step');
  });

  it('go on while they are held only where that makes sense', () => {
    expect(press('ArrowRight', plain(), { repeat: true })).toBe('next-frame');
    expect(press(' ', plain(), { repeat: true })).toBeNull();
  });
});
