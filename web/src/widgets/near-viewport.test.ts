// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { NearViewport, type Presence } from './near-viewport';

type Seen = { target: Element; isIntersecting: boolean }[];

let tellSeen: (entries: Seen) => void;
let frames: (() => void)[];
let nowMs: number;
let costMs: number;
let roots: (Element | null)[];

beforeEach(() => {
  frames = [];
  nowMs = 0;
  costMs = 0;
  roots = [];
});

function makeNear(maxParked = 2) {
  return new NearViewport(
    () => document.body,
    { maxParked },
    {
      observe: (onSeen, { root }) => {
        tellSeen = onSeen;
        roots.push(root);
        return { observe() {}, unobserve() {}, disconnect() {} };
      },
      requestFrame: (callback) => frames.push(callback),
      cancelFrame: () => (frames = []),
      nowMs: () => nowMs,
    },
  );
}

function watchMany(near: NearViewport, count: number) {
  return Array.from({ length: count }, () => {
    const element = document.createElement('div');
    const heard: Presence[] = [];
    const leave = near.watch(element, (presence) => {
      heard.push(presence);
      nowMs += costMs;
    });
    const see = (isIntersecting: boolean) => tellSeen([{ target: element, isIntersecting }]);
    return { element, heard, leave, see };
  });
}

test('the margin is measured around what scrolls', () => {
  watchMany(makeNear(), 3);
  expect(roots).toEqual([document.body]);
});

test('a card that was never near hears nothing', () => {
  const [card] = watchMany(makeNear(), 1);
  card!.see(false);
  expect(card!.heard).toEqual([]);
});

test('what is taken for near from the start hears only that it is not', () => {
  const near = makeNear(0);
  const [right, wrong] = [true, false].map((isIntersecting) => {
    const target = document.createElement('div');
    const heard: Presence[] = [];
    near.watch(target, (presence) => heard.push(presence), 'near');
    tellSeen([{ target, isIntersecting }]);
    return heard;
  });
  expect(right).toEqual([]);
  expect(wrong).toEqual(['parked', 'far']);
});

test('a card that scrolls away is parked, and near again when it comes back', () => {
  const [card] = watchMany(makeNear(), 1);
  card!.see(true);
  card!.see(false);
  card!.see(true);
  expect(card!.heard).toEqual(['near', 'parked', 'near']);
});

test('only so many are parked: the longest parked gives up its canvases first', () => {
  const cards = watchMany(makeNear(2), 3);
  for (const card of cards) card.see(true);
  for (const card of cards) card.see(false);
  expect(cards.map((card) => card.heard.at(-1))).toEqual(['far', 'parked', 'parked']);
});

test('cards that are expensive to make are spread over frames', () => {
  const cards = watchMany(makeNear(), 4);
  costMs = 5;
  tellSeen(cards.map(({ element }) => ({ target: element, isIntersecting: true })));
  const nearCount = () => cards.filter((card) => card.heard.length > 0).length;
  expect(nearCount()).toBe(2);
  frames.shift()!();
  expect(nearCount()).toBe(4);
  expect(frames).toEqual([]);
});

test('a card that came and went while it waited for its frame is never made', () => {
  const cards = watchMany(makeNear(), 2);
  costMs = 20;
  tellSeen(cards.map(({ element }) => ({ target: element, isIntersecting: true })));
  cards[1]!.see(false);
  frames.shift()!();
  expect(cards[1]!.heard).toEqual([]);
});

test('a card that is taken away hears nothing more and holds no place', () => {
  const cards = watchMany(makeNear(1), 2);
  for (const card of cards) card.see(true);
  cards[0]!.see(false);
  cards[0]!.leave();
  cards[1]!.see(false);
  expect(cards[0]!.heard).toEqual(['near', 'parked']);
  expect(cards[1]!.heard).toEqual(['near', 'parked']);
});
