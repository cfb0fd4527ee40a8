import { expect, test } from 'vitest';
import { pythonOf } from './layout-python';

const lines = (title: string, ...expressions: string[]) => ({ title, expressions, margins: [] });
const margin = { value: 'v', lower: 'l', upper: 'u' };

test('what a dict can say is the short call', () => {
  const categories = [
    {
      title: 'a "b"',
      is_closed: false,
      charts: [lines('x', 'a\\d', 'b'), { title: 'm', expressions: [], margins: [margin] }],
    },
    { title: 'empty', is_closed: false, charts: [] },
  ];
  expect(pythonOf({ categories })).toBe(
    [
      '# writer: of torch.utils.tensorboard, tensorboardX or sightline',
      'writer.add_custom_scalars({',
      '    "a \\"b\\"": {',
      '        "x": ["Multiline", ["a\\\\d", "b"]],',
      '        "m": ["Margin", ["v", "l", "u"]],',
      '    },',
      '    "empty": {',
      '    },',
      '})',
      '',
    ].join('\n'),
  );
});

test.each([
  ['closed', [{ title: 'c', is_closed: true, charts: [] }]],
  ['a title twice', [{ title: 'c', is_closed: false, charts: [lines('x', 'a'), lines('x', 'b')] }]],
  [
    'several margins',
    [{ title: 'c', is_closed: false, charts: [{ title: 'm', expressions: [], margins: [margin, margin] }] }],
  ],
  ['no tags', [{ title: 'c', is_closed: false, charts: [lines('x')] }]],
])('what it cannot say (%s) is the message', (_, categories) => {
  expect(pythonOf({ categories })).toContain('layout_pb2.Layout(category=[');
});
