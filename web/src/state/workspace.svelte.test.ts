// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../wire/client';
import { FakeWorkspaceServer } from './fake-workspace.fixture';
import { LiveWorkspace } from './workspace.svelte';

interface Announced {
  text: string;
  action?: { label: string; run(): void } | undefined;
  topic?: string | undefined;
}

let server: FakeWorkspaceServer;
let workspace: LiveWorkspace;
let announced: Announced[];

function makeWorkspace(): LiveWorkspace {
  return new LiveWorkspace({
    client: server,
    announce: (text, action, topic) => {
      announced.push({ text, action, topic });
    },
  });
}

beforeEach(async () => {
  server = new FakeWorkspaceServer();
  announced = [];
  workspace = makeWorkspace();
  await workspace.refresh();
});

afterEach(() => {
  workspace.destroy();
  vi.useRealTimers();
});

const rename = (text: string, run = 'a') => ({ kind: 'name' as const, run, text });

describe('loading', () => {
  test('shows what the server has, and an event asks for more only when there is more', async () => {
    expect(workspace.state?.place).toBe('/logs/.sightline');
    server.put({ ...server.editsOf('a'), display_name: 'Baseline', labels: ['x'], is_archived: true });
    const before = server.askedCount;
    workspace.hear(server.current.version);
    await workspace.refresh();
    expect(workspace.editsOf('a')?.display_name).toBe('Baseline');
    expect([...workspace.displayNames]).toEqual([['a', 'Baseline']]);
    expect(workspace.allLabels).toEqual(['x']);
    expect(workspace.archived.has('a')).toBe(true);
    const asked = server.askedCount;
    expect(asked).toBeGreaterThan(before);
    workspace.hear(server.current.version);
    expect(server.askedCount).toBe(asked);
  });

  test('what did not change stays the same object', async () => {
    server.put({
      ...server.editsOf('a'),
      display_name: 'A',
      labels: ['x'],
      color: '#112233',
      is_archived: true,
    });
    await workspace.refresh();
    const { displayNames, labels, colors, archived, groupColors } = workspace;
    server.put({ ...server.editsOf('a'), note: 'new', labels: ['x'] });
    server.put({ ...server.editsOf('b'), is_favourite: true });
    await workspace.refresh();
    expect(workspace.editsOf('a')?.note).toBe('new');
    expect(workspace.displayNames).toBe(displayNames);
    expect(workspace.labels).toBe(labels);
    expect(workspace.colors).toBe(colors);
    expect(workspace.archived).toBe(archived);
    expect(workspace.groupColors).toBe(groupColors);
  });

  test('a server that is away changes nothing; the next connection asks again', async () => {
    workspace.reconnect();
    server.put({ ...server.editsOf('a'), display_name: 'A' });
    server.isDown = true;
    await workspace.refresh();
    expect(workspace.displayNames.size).toBe(0);
    server.isDown = false;
    workspace.reconnect();
    await workspace.refresh();
    expect(workspace.displayNames.get('a')).toBe('A');
  });

  test('the first connection does not ask twice', () => {
    const asked = server.askedCount;
    workspace.reconnect();
    expect(server.askedCount).toBe(asked);
    workspace.reconnect();
    expect(server.askedCount).toBe(asked + 1);
  });
});

describe('an edit', () => {
  test('is shown at once, then kept, and announced with a way back', async () => {
    // The editor is loaded: from then on nothing waits.
    await workspace.apply([rename('0', 'z')], 'Rename z');
    let open = (): void => undefined;
    server.gate = new Promise((resolve) => {
      open = resolve;
    });
    const applying = workspace.apply([rename('New')], 'Rename a');
    await Promise.resolve();
    expect(workspace.displayNames.get('a')).toBe('New');
    expect(server.editsOf('a').display_name).toBeNull();
    open();
    const [result] = await applying;
    expect(result?.is_applied).toBe(true);
    await workspace.refresh();
    expect(workspace.displayNames.get('a')).toBe('New');
    expect(announced.at(-1)?.text).toBe('Renamed a');
    expect(announced.at(-1)?.action?.label).toBe('Undo');
    expect(workspace.undoWords).toBe('Rename a');
  });

  test('an older answer on its way does not take it back for a moment', async () => {
    await workspace.apply([rename('0', 'z')], 'Rename z');
    await workspace.refresh();
    const seen: (string | undefined)[] = [];
    const end = $effect.root(() => {
      $effect(() => {
        seen.push(workspace.displayNames.get('a'));
      });
    });
    flushSync();
    let open = (): void => undefined;
    server.gate = new Promise((resolve) => {
      open = resolve;
    });
    // Asked before the edit, answered with what was there before it.
    const refreshing = workspace.refresh();
    server.gate = null;
    await workspace.apply([rename('New')], 'Rename a');
    flushSync();
    open();
    await refreshing;
    flushSync();
    end();
    expect(seen).toEqual([undefined, 'New']);
  });

  test('that the server refuses is taken back and told', async () => {
    server.refusals.set('name', 'A name may have 200 characters');
    const [result] = await workspace.apply([rename('x')], 'Rename a');
    expect(result?.is_applied).toBe(false);
    expect(workspace.displayNames.size).toBe(0);
    expect(announced).toEqual([{ text: 'Not saved: Rename a. A name may have 200 characters' }]);
    expect(workspace.undoWords).toBeNull();
  });

  test('while the server is away fails with a sentence, is not shown, and can be made again', async () => {
    await workspace.apply([rename('0', 'z')], 'Rename z');
    vi.useFakeTimers();
    server.isDown = true;
    const applying = workspace.apply([rename('New')], 'Rename a');
    await vi.runAllTimersAsync();
    const [result] = await applying;
    expect(result).toMatchObject({
      is_applied: false,
      error: 'The server does not answer. Is it still running?',
    });
    expect(workspace.displayNames.get('a')).toBeUndefined();
    expect(announced.at(-1)?.text).toContain('Not saved: Rename a. The server does not answer');
    expect(workspace.undoWords).toBe('Rename z');
    server.isDown = false;
    expect((await workspace.apply([rename('New')], 'Rename a'))[0]?.is_applied).toBe(true);
  });

  test('whose answer got lost is sent again with the same id, and done once', async () => {
    await workspace.apply([rename('0', 'z')], 'Rename z');
    vi.useFakeTimers();
    server.lostAnswers = 1;
    const version = server.current.version;
    const applying = workspace.apply([rename('New')], 'Rename a');
    await vi.runAllTimersAsync();
    expect((await applying)[0]?.is_applied).toBe(true);
    expect(server.current.version).toBe(version + 1);
    const [first, second] = server.requests.slice(-2);
    expect(second).toEqual(first);
    expect(await workspace.undo()).toBe(true);
    expect(server.editsOf('a').display_name).toBeNull();
  });

  test('and its undoing are one topic, so that no two messages contradict each other; a refusal is not', async () => {
    await workspace.apply([rename('x')], 'Rename a');
    await workspace.undo();
    await workspace.redo();
    expect(announced.map(({ text }) => text)).toEqual([
      'Renamed a',
      'Undone: Rename a',
      'Done again: Rename a',
    ]);
    expect(new Set(announced.map(({ topic }) => topic))).toEqual(new Set(['edit']));
    server.refusals.set('name', 'no');
    await workspace.apply([rename('y')], 'Rename a');
    expect(announced.at(-1)!.topic).toBeUndefined();
  });

  test('ten thousand of them go in a few requests and are one step back', async () => {
    const edits = Array.from({ length: 5000 }, (_, i) => ({
      kind: 'archive' as const,
      run: `run${i}`,
      is_on: true,
    }));
    const results = await workspace.apply(edits, 'Archive 5,000 runs');
    expect(results.every((result) => result.is_applied)).toBe(true);
    expect(server.requests.map(({ edits: sent }) => sent.length)).toEqual([2000, 2000, 1000]);
    await workspace.refresh();
    expect(workspace.archived.size).toBe(5000);
    expect(await workspace.undo()).toBe(true);
    await workspace.refresh();
    expect(workspace.archived.size).toBe(0);
    expect(workspace.undoWords).toBeNull();
    expect(workspace.redoWords).toBe('Archive 5,000 runs');
  });

  test('of which a request fails stop there: what is told as not saved was not sent', async () => {
    const { edit } = server;
    let count = 0;
    server.edit = (request) => {
      count++;
      return count === 2 ? Promise.reject(new ApiError(500, 'No space left')) : edit(request);
    };
    const edits = Array.from({ length: 5000 }, (_, i) => ({
      kind: 'archive' as const,
      run: `run${i}`,
      is_on: true,
    }));
    const results = await workspace.apply(edits, 'Archive 5,000 runs');
    expect(results).toHaveLength(5000);
    expect(results.filter((result) => result.is_applied)).toHaveLength(2000);
    expect(server.current.runs).toHaveLength(2000);
    expect(announced.at(-1)?.text).toContain('Not saved (3000 of 5000): Archive 5,000 runs. No space left');
  });

  test('in part refused says how many, and takes back only the rest', async () => {
    server.refusals.set('archive', 'Not that one');
    const results = await workspace.apply(
      [rename('x'), { kind: 'archive', run: 'b', is_on: true }],
      'Change two runs',
    );
    expect(results.map((result) => result.is_applied)).toEqual([true, false]);
    expect(announced.at(-1)?.text).toBe('Not saved (1 of 2): Change two runs. Not that one');
    await workspace.undo();
    expect(server.editsOf('a').display_name).toBeNull();
  });
});

describe('notes that two people write at once', () => {
  test('are merged by the server, and its text is shown', async () => {
    server.put({ ...server.editsOf('a'), note: 'first\n' });
    await workspace.refresh();
    server.put({ ...server.editsOf('a'), note: 'first\ntheirs\n' });
    const edit = { kind: 'note' as const, run: 'a', text: 'mine\nfirst\n', base: 'first\n' };
    const [result] = await workspace.apply([edit], 'Edit note of a');
    expect(result?.text).toBe('mine\nfirst\ntheirs\n');
    expect(workspace.editsOf('a')?.note).toBe('mine\nfirst\ntheirs\n');
  });

  test('that cannot be merged come back to the writer, unsaid elsewhere and unsaved', async () => {
    server.put({ ...server.editsOf('a'), note: 'theirs' });
    await workspace.refresh();
    const edit = { kind: 'note' as const, run: 'a', text: 'mine', base: 'before' };
    const [result] = await workspace.apply([edit], 'Edit note of a');
    expect(result).toMatchObject({ is_applied: false, conflict: 'theirs' });
    expect(announced).toEqual([]);
    expect(workspace.editsOf('a')?.note).toBe('theirs');
  });
});

describe('undo and redo', () => {
  test('go back and forth in order', async () => {
    await workspace.apply([rename('one')], 'Rename a');
    await workspace.apply([rename('two')], 'Rename a again');
    expect(await workspace.undo()).toBe(true);
    expect(server.editsOf('a').display_name).toBe('one');
    expect(await workspace.undo()).toBe(true);
    expect(server.editsOf('a').display_name).toBeNull();
    expect(await workspace.undo()).toBe(false);
    expect(workspace.redoWords).toBe('Rename a');
    expect(await workspace.redo()).toBe(true);
    expect(await workspace.redo()).toBe(true);
    expect(server.editsOf('a').display_name).toBe('two');
    expect(await workspace.redo()).toBe(false);
  });

  test('a new edit ends what could be redone', async () => {
    await workspace.apply([rename('one')], 'Rename a');
    await workspace.undo();
    await workspace.apply([rename('three')], 'Rename a');
    expect(workspace.redoWords).toBeNull();
  });

  test('the message’s own button takes back its own edit, whatever came after', async () => {
    await workspace.apply([rename('one')], 'Rename a');
    const { action } = announced.at(-1)!;
    await workspace.apply([rename('two', 'b')], 'Rename b');
    action!.run();
    await vi.waitFor(() => {
      expect(server.editsOf('a').display_name).toBeNull();
    });
    expect(server.editsOf('b').display_name).toBe('two');
    expect(workspace.undoWords).toBe('Rename b');
    // Pressed twice: done once.
    const count = server.requests.length;
    action!.run();
    expect(server.requests).toHaveLength(count);
  });

  /** Answers wait until the returned function is called. */
  function holdAnswers(): () => void {
    let open = (): void => undefined;
    server.gate = new Promise((resolve) => {
      open = resolve;
    });
    return () => {
      server.gate = null;
      open();
    };
  }

  test('take back an edit whose answer is on its way, and do it again', async () => {
    await workspace.apply([rename('one')], 'Rename a');
    const answer = holdAnswers();
    const applying = workspace.apply([rename('two')], 'Rename a again');
    expect(workspace.displayNames.get('a')).toBe('two');
    expect(workspace.undoWords).toBe('Rename a again');
    const undoing = workspace.undo();
    expect(workspace.undoWords).toBe('Rename a');
    expect(workspace.redoWords).toBe('Rename a again');
    const redoing = workspace.redo();
    expect(workspace.redoWords).toBeNull();
    answer();
    expect((await applying)[0]?.is_applied).toBe(true);
    expect(await undoing).toBe(true);
    expect(await redoing).toBe(true);
    expect(server.editsOf('a').display_name).toBe('two');
    expect(announced.slice(-3).map(({ text }) => text)).toEqual([
      'Renamed a again',
      'Undone: Rename a again',
      'Done again: Rename a again',
    ]);
    expect(await workspace.undo()).toBe(true);
    expect(server.editsOf('a').display_name).toBe('one');
  });

  test('keep their place before an edit that was made after them', async () => {
    await workspace.apply([rename('one')], 'Rename a');
    const answer = holdAnswers();
    const all = [
      workspace.apply([rename('two')], 'Rename a again'),
      workspace.undo(),
      workspace.apply([rename('three')], 'Rename a at last'),
    ];
    expect(workspace.undoWords).toBe('Rename a at last');
    answer();
    await Promise.all(all);
    expect(server.requests.map(({ edits }) => edits[0]!.text)).toEqual(['one', 'two', 'one', 'three']);
    expect(server.editsOf('a').display_name).toBe('three');
  });

  test('of an edit that is refused meanwhile take no other one back', async () => {
    await workspace.apply([rename('one')], 'Rename a');
    await workspace.apply([rename('two')], 'Rename a again');
    await workspace.undo();
    const answer = holdAnswers();
    server.refusals.set('name', 'no');
    const applying = workspace.apply([rename('three')], 'Rename a badly');
    expect(workspace.undoWords).toBe('Rename a badly');
    expect(workspace.redoWords).toBeNull();
    const undoing = workspace.undo();
    answer();
    await applying;
    expect(await undoing).toBe(false);
    expect(server.editsOf('a').display_name).toBe('one');
    expect(announced.at(-1)?.text).toBe('Not saved: Rename a badly. no');
    expect(workspace.undoWords).toBe('Rename a');
    expect(workspace.redoWords).toBe('Rename a again');
  });

  test('take back the first edit, too, while the code that makes edits is on its way', async () => {
    const applying = workspace.apply([rename('one')], 'Rename a');
    expect(workspace.undoWords).toBe('Rename a');
    expect(await workspace.undo()).toBe(true);
    expect((await applying)[0]?.is_applied).toBe(true);
    expect(server.editsOf('a').display_name).toBeNull();
    expect(workspace.undoWords).toBeNull();
    expect(workspace.redoWords).toBe('Rename a');
  });

  test('that cannot reach the server can be tried again', async () => {
    await workspace.apply([rename('one')], 'Rename a');
    vi.useFakeTimers();
    server.isDown = true;
    const undoing = workspace.undo();
    await vi.runAllTimersAsync();
    expect(await undoing).toBe(false);
    expect(workspace.undoWords).toBe('Rename a');
    server.isDown = false;
    expect(await workspace.undo()).toBe(true);
    expect(server.editsOf('a').display_name).toBeNull();
  });
});
