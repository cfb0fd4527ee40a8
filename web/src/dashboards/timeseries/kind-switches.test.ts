import { expect, test } from 'vitest';
import { KINDS } from '../../kinds/all-kinds';
import { kindsOn, kindSwitches, switchAllOn, toggleSwitch } from './kind-switches';

const namesOn = (kindWords: Record<string, string>) => kindsOn({ kindWords }, KINDS).map(({ name }) => name);

test('a word of the view names the kinds that are on; a word that names none means all', () => {
  expect(namesOn({ kinds: 'image,scalar' })).toEqual(['scalar', 'image']);
  expect(namesOn({ kinds: 'table' })).toEqual(['table', 'confusion_matrix', 'plotly', 'html']);
  expect(namesOn({ kinds: 'nonsense' })).toEqual(namesOn({}));
});

test('the switches are called as links have always had them', () => {
  const { switches } = kindSwitches({ kindWords: {} }, KINDS, KINDS);
  expect(Object.fromEntries(switches.map(({ name, label }) => [name, label]))).toMatchObject({
    scalar: 'Scalars',
    image: 'Images',
    audio: 'Audio',
    text: 'Text',
    table: 'Tables',
  });
});

test('kinds are switched one by one, and none means all', () => {
  const view = { kindWords: {} as Record<string, string> };
  const inLog = KINDS.filter(({ name }) => ['scalar', 'image', 'plotly', 'html'].includes(name));
  const state = () => {
    const { isAll, switches } = kindSwitches(view, KINDS, inLog);
    return [isAll, ...switches.map(({ label, isOn }) => (isOn ? label.toUpperCase() : label))].join(' ');
  };
  const press = (name: string) => toggleSwitch(view, kindSwitches(view, KINDS, inLog).switches, name);
  expect(state()).toBe('true Scalars Images Tables');
  press('image');
  expect(state()).toBe('false Scalars IMAGES Tables');
  press('table');
  expect(view.kindWords['kinds']).toBe('image,table');
  press('scalar');
  expect(state()).toBe('true Scalars Images Tables');
  press('image');
  press('image');
  expect(view.kindWords).toEqual({});
  press('image');
  switchAllOn(view);
  expect(view.kindWords).toEqual({});
});
