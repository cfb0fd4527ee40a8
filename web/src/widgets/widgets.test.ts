// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { createRawSnippet, tick } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import Checkbox from './Checkbox.svelte';
import Dialog from './Dialog.svelte';
import Icon from './Icon.svelte';
import IconButton from './IconButton.svelte';
import { ICON_PATHS } from './icon-paths';
import Menu from './Menu.svelte';
import Segmented from './Segmented.svelte';
import Select from './Select.svelte';
import Slider from './Slider.svelte';
import TextField from './TextField.svelte';
import Toast from './Toast.svelte';
import Toggle from './Toggle.svelte';
import { removeTooltips } from './tooltip';

const words = (text: string) => createRawSnippet(() => ({ render: () => `<p>${text}</p>` }));

afterEach(async () => {
  cleanup();
  await removeTooltips();
  vi.useRealTimers();
});

async function press(element: Element, key: string): Promise<void> {
  await fireEvent.keyDown(element, { key });
  await tick();
}

const focused = () => document.activeElement as HTMLElement;

describe('a menu', () => {
  function open(run: () => void = () => {}) {
    render(Menu, {
      label: 'More',
      items: [
        { label: 'First', run },
        { kind: 'separator' },
        { label: 'Second', isDisabled: true, run },
        { label: 'Third', isChecked: true, run },
      ],
    });
    return screen.getByRole('button', { name: 'More' });
  }

  it('opens with the focus on its first item, and on the last with the up arrow', async () => {
    const button = open();
    await press(button, 'ArrowDown');
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(focused().textContent).toContain('First');
    await press(focused(), 'Escape');
    await press(button, 'ArrowUp');
    expect(focused().textContent).toContain('Third');
  });

  it('moves in a circle, to both ends and by first letters', async () => {
    await fireEvent.click(open());
    await tick();
    await press(focused(), 'ArrowUp');
    expect(focused().textContent).toContain('Third');
    await press(focused(), 'ArrowDown');
    expect(focused().textContent).toContain('First');
    await press(focused(), 'End');
    expect(focused().textContent).toContain('Third');
    await press(focused(), 's');
    expect(focused().textContent).toContain('Second');
  });

  it('closes with Esc and gives the focus back', async () => {
    const button = open();
    await fireEvent.click(button);
    await tick();
    await press(focused(), 'Escape');
    expect(screen.queryByRole('menu')).toBeNull();
    expect(focused()).toBe(button);
  });

  it('closes with a press outside', async () => {
    await fireEvent.click(open());
    await fireEvent.pointerDown(document.body);
    expect(screen.queryByRole('menu')).toBeNull();
  });

  it('runs what is chosen and closes, but not what is disabled', async () => {
    const run = vi.fn();
    const button = open(run);
    await fireEvent.click(button);
    await fireEvent.click(screen.getByRole('menuitem', { name: 'Second' }));
    expect(run).not.toHaveBeenCalled();
    await fireEvent.click(screen.getByRole('menuitem', { name: 'First' }));
    expect(run).toHaveBeenCalledOnce();
    expect(screen.queryByRole('menu')).toBeNull();
  });

  it('stays open after a check item', async () => {
    await fireEvent.click(open());
    const item = screen.getByRole('menuitemcheckbox', { name: 'Third' });
    expect(item.getAttribute('aria-checked')).toBe('true');
    await fireEvent.click(item);
    expect(screen.getByRole('menu')).toBeTruthy();
  });
});

describe('a dialog', () => {
  it('is modal, named by its title, and closes with Esc, giving the focus back', async () => {
    const before = document.createElement('button');
    document.body.append(before);
    before.focus();
    const onclose = vi.fn();
    render(Dialog, { isOpen: true, title: 'Hello', onclose, children: words('content') });
    const dialog = screen.getByRole<HTMLDialogElement>('dialog', { name: 'Hello' });
    expect(dialog.open).toBe(true);
    await press(dialog, 'Escape');
    expect(onclose).toHaveBeenCalledOnce();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(focused()).toBe(before);
    before.remove();
  });

  it('closes with a press on the backdrop, not with one on its content', async () => {
    render(Dialog, { isOpen: true, title: 'Hello', children: words('content') });
    await fireEvent.pointerDown(screen.getByText('content'));
    expect(screen.getByRole('dialog')).toBeTruthy();
    await fireEvent.pointerDown(screen.getByRole('dialog'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('keeps keys from the page', async () => {
    const heard = vi.fn();
    window.addEventListener('keydown', heard);
    render(Dialog, { isOpen: true, title: 'Hello', children: words('content') });
    await press(screen.getByText('content'), 'j');
    expect(heard).not.toHaveBeenCalled();
    window.removeEventListener('keydown', heard);
  });
});

describe('a slider', () => {
  function show(more = {}) {
    const oninput = vi.fn();
    render(Slider, {
      value: 0.6,
      min: 0,
      max: 0.99,
      step: 0.01,
      boxMax: 0.999,
      label: 'Smoothing',
      oninput,
      ...more,
    });
    const range = screen.getByRole<HTMLInputElement>('slider', { name: 'Smoothing' });
    const box = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Smoothing' });
    return { oninput, range, box };
  }

  it('tells every movement at once', async () => {
    const { oninput, range, box } = show();
    await fireEvent.input(range, { target: { value: '0.8' } });
    expect(oninput).toHaveBeenLastCalledWith(0.8);
    expect(box.value).toBe('0.8');
  });

  it('takes a typed number beyond the range, up to the limit of the box', async () => {
    const { oninput, box } = show();
    await fireEvent.input(box, { target: { value: '0.995' } });
    expect(oninput).toHaveBeenLastCalledWith(0.995);
    await fireEvent.input(box, { target: { value: '7' } });
    expect(oninput).toHaveBeenLastCalledWith(0.995);
    await fireEvent.change(box);
    expect(oninput).toHaveBeenLastCalledWith(0.999);
    expect(box.value).toBe('0.999');
  });

  it('goes back to what it was when nothing is typed', async () => {
    const { oninput, box } = show();
    await fireEvent.input(box, { target: { value: '' } });
    await fireEvent.change(box);
    expect(oninput).toHaveBeenLastCalledWith(0.6);
    expect(box.value).toBe('0.6');
  });
});

describe('a text field', () => {
  it('clears with Esc, then leaves', async () => {
    const oninput = vi.fn();
    render(TextField, { label: 'Filter', value: 'abc', oninput });
    const input = screen.getByRole('textbox', { name: 'Filter' });
    input.focus();
    await press(input, 'Escape');
    expect(oninput).toHaveBeenLastCalledWith('');
    expect(focused()).toBe(input);
    await press(input, 'Escape');
    expect(focused()).not.toBe(input);
  });

  it('clears with its button, which keeps the focus in the box', async () => {
    const oninput = vi.fn();
    render(TextField, { label: 'Filter', value: 'abc', oninput });
    await fireEvent.click(screen.getByRole('button', { name: 'Clear: Filter' }));
    expect(oninput).toHaveBeenLastCalledWith('');
    expect(focused()).toBe(screen.getByRole('textbox'));
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('ties an error to the box', () => {
    render(TextField, { label: 'Filter', error: 'Not a regular expression' });
    const input = screen.getByRole('textbox');
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Not a regular expression',
    );
  });
});

describe('choices', () => {
  it('of a select are told by value', async () => {
    const onchange = vi.fn();
    const options = [
      { value: 'a', label: 'First' },
      { value: 'b', label: 'Second' },
    ];
    render(Select, { value: 'a', options, label: 'Order', onchange });
    const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Order' });
    expect(select.selectedOptions[0]?.textContent).toBe('First');
    select.selectedIndex = 1;
    await fireEvent.change(select);
    expect(onchange).toHaveBeenCalledWith('b');
  });

  it('of a segmented bar are radio buttons of one group', async () => {
    const onchange = vi.fn();
    const options = [
      { value: 'step', label: 'Step' },
      { value: 'wall', label: 'Wall', icon: 'clock' as const },
    ];
    render(Segmented, { value: 'step', options, label: 'X axis', onchange });
    expect(screen.getByRole('radiogroup', { name: 'X axis' })).toBeTruthy();
    const [step, wall] = screen.getAllByRole<HTMLInputElement>('radio');
    expect([step?.checked, wall?.checked]).toEqual([true, false]);
    expect(step?.name).toBe(wall?.name);
    await fireEvent.click(screen.getByRole('radio', { name: 'Wall' }));
    expect(onchange).toHaveBeenCalledWith('wall');
  });

  it('of a toggle are a switch', async () => {
    const onchange = vi.fn();
    render(Toggle, { checked: false, label: 'Ignore outliers', onchange });
    await fireEvent.click(screen.getByRole('switch', { name: 'Ignore outliers' }));
    expect(onchange).toHaveBeenCalledWith(true);
  });

  it('of a checkbox may be mixed', () => {
    render(Checkbox, { state: 'mixed', label: 'All' });
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'All' }).indeterminate).toBe(true);
  });
});

describe('an icon button', () => {
  it('has a name, and a pressed state when it is a switch', () => {
    render(IconButton, { icon: 'pin', label: 'Pin', isPressed: false });
    expect(screen.getByRole('button', { name: 'Pin' }).getAttribute('aria-pressed')).toBe('false');
  });

  it('shows its name and key after the pointer rests, until Esc', async () => {
    vi.useFakeTimers();
    render(IconButton, { icon: 'pin', label: 'Pin', keys: 'p' });
    await fireEvent.pointerEnter(screen.getByRole('button'));
    expect(screen.queryByRole('tooltip')).toBeNull();
    vi.advanceTimersByTime(1000);
    await tick();
    expect(screen.getByRole('tooltip').textContent).toBe('Pin (p)');
    await fireEvent.keyDown(window, { key: 'Escape' });
    expect(screen.queryByRole('tooltip')).toBeNull();
  });
});

describe('a toast', () => {
  it('goes by itself, but not while the pointer is on it', async () => {
    vi.useFakeTimers();
    const ondismiss = vi.fn();
    render(Toast, { text: 'Copied', durationMs: 1000, ondismiss });
    const toast = screen.getByRole('group', { name: 'Message' });
    await fireEvent.pointerEnter(toast);
    vi.advanceTimersByTime(5000);
    expect(ondismiss).not.toHaveBeenCalled();
    await fireEvent.pointerLeave(toast);
    vi.advanceTimersByTime(1000);
    expect(ondismiss).toHaveBeenCalledOnce();
  });
});

describe('icons', () => {
  it('are hidden unless they have a name of their own', () => {
    render(Icon, { name: 'warning', label: 'Damaged' });
    expect(screen.getByRole('img', { name: 'Damaged' })).toBeTruthy();
    cleanup();
    const { container } = render(Icon, { name: 'warning' });
    expect(container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
  });

  it('are paths that begin with a move', () => {
    for (const [name, path] of Object.entries(ICON_PATHS))
      expect(path, name).toMatch(/^[Mm][-\d. hvlazcsqHVLAZCSQMm]+$/);
  });
});

describe('a toast', () => {
  it('brings its list in front of an open dialog, and leaves it alone without one', () => {
    const shown: HTMLElement[] = [];
    const own = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'showPopover');
    Object.assign(HTMLElement.prototype, {
      showPopover(this: HTMLElement) {
        shown.push(this);
      },
      hidePopover() {},
    });
    const list = document.body.appendChild(document.createElement('div'));
    const toast = () => render(Toast, { target: list, props: { text: 'Copied', ondismiss: () => {} } });
    toast();
    expect(shown).toEqual([]);
    const dialog = document.body.appendChild(document.createElement('dialog'));
    dialog.setAttribute('open', '');
    toast();
    expect(shown).toEqual([list]);
    dialog.remove();
    list.remove();
    if (own === undefined) Reflect.deleteProperty(HTMLElement.prototype, 'showPopover');
    else Object.defineProperty(HTMLElement.prototype, 'showPopover', own);
  });
});
