import { expect, it } from 'vitest';
import { BrowserStorage, type TextStorage } from '../../state/browser-storage';
import { NoteDrafts } from './note-drafts';

function memory(): TextStorage & { texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
  };
}

it('are there after a reload, each for its run and log', () => {
  const storage = memory();
  new NoteDrafts(new BrowserStorage(storage)).write('/logs', 'a', { base: 'x', text: 'y' });
  const later = new NoteDrafts(new BrowserStorage(storage));
  expect(later.read('/logs', 'a')).toEqual({ base: 'x', text: 'y' });
  expect(later.read('/logs', 'b')).toBeNull();
  expect(later.read('/other', 'a')).toBeNull();
  later.write('/logs', 'a', null);
  expect(later.read('/logs', 'a')).toBeNull();
});

it('forget the oldest before the browser is full', () => {
  const drafts = new NoteDrafts(new BrowserStorage(memory()));
  for (let i = 0; i < 30; i++) drafts.write('/logs', `run${i}`, { base: '', text: String(i) });
  expect(drafts.read('/logs', 'run0')).toBeNull();
  expect(drafts.read('/logs', 'run29')?.text).toBe('29');
});

it('take nothing from a storage that another program wrote', () => {
  const storage = memory();
  storage.texts.set('sightline.noteDrafts.1', '[["/logs","a",1,{}],7,null]');
  expect(new NoteDrafts(new BrowserStorage(storage)).read('/logs', 'a')).toBeNull();
});
