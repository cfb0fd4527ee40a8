import { expect, test } from 'vitest';
import { factLabel, factLines } from './session-facts';

test('nested facts become lines with readable names', () => {
  expect(factLines('host', '{"name":"gpu7","cpu_count":8,"is_dirty":true}')).toEqual([
    { label: 'Name', text: 'gpu7' },
    { label: 'Cpu count', text: '8' },
    { label: 'Is dirty', text: 'yes' },
  ]);
  expect(factLines('devices', '[{"name":"A100"},{"name":"H100"}]').map(({ text }) => text)).toEqual([
    'A100',
    'H100',
  ]);
});

test('plain text stays as it is', () => {
  expect(factLines('cwd', '/home/me')).toEqual([{ label: '', text: '/home/me' }]);
  expect(factLines('odd', '{not json')).toEqual([{ label: '', text: '{not json' }]);
  expect(factLabel('cwd')).toBe('Cwd');
});

test('names of variables and packages are left alone', () => {
  expect(factLines('environment', '{"cuda_x":"1"}')).toEqual([{ label: 'cuda_x', text: '1' }]);
});

test('a fact that was cut shows what is whole', () => {
  expect(factLines('packages', '{"numpy":"2.1","torch":"2.…')).toEqual([
    { label: 'numpy', text: '2.1' },
    { label: '', text: '…' },
  ]);
});
