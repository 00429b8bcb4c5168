/** The check of histories finds what is wrong. */
import { expect, test } from 'vitest';
import { checkLinearizable } from './history.js';

type Operations = Parameters<typeof checkLinearizable>[0];
type Log = Parameters<typeof checkLinearizable>[1];

const LOG = [undefined, 'a', 'b'].map((message, i) => ({ id: `r${i + 1}`, number: i + 1, message })) as unknown as Log;
const common = { client: 'c', repository: 'x/y' };
const write = (label: string, begun: number, ended: number, revision?: string, refused = false): Operations[0] => ({
  ...common,
  label,
  begun,
  ended,
  revision,
  refused,
});
const read = (begun: number, ended: number, revision: string, labels: string[]): Operations[0] => ({
  ...common,
  begun,
  ended,
  revision,
  labels,
});
const WRITES = [write('a', 0, 1, 'r2'), write('b', 0, 3, 'r3')];

test.each<[string, Operations]>([
  ['reads and writes in their order', [...WRITES, read(1, 2, 'r2', ['a']), read(2, 4, 'r3', ['a', 'b'])]],
  ['a read of an old state that began early', [...WRITES, read(0, 9, 'r1', [])]],
  ['a write without an answer that is there', [write('a', 0, 1, 'r2'), write('b', 2, 3)]],
  ['a write without an answer that is not there', [...WRITES, write('c', 0, 1)]],
])('%s is linearizable', (_, operations) => {
  expect(() => checkLinearizable(operations, LOG)).not.toThrow();
});

test.each<[string, Operations, RegExp]>([
  ['a lost write', [...WRITES, write('c', 0, 1, 'r4')], /not in the log/],
  ['a write told another revision', [write('a', 0, 1, 'r3')], /a was told 3, and is in 2/],
  ['a refused write that is there', [write('a', 0, 1, undefined, true)], /a was refused/],
  ['a read that goes back', [...WRITES, read(4, 5, 'r2', ['a'])], /at revision 2, and began when 3/],
  ['a write behind one that began later', [write('b', 0, 1, 'r3'), write('a', 2, 3, 'r2')], /began when 3/],
  ['a read with another content', [read(0, 5, 'r3', ['a'])], /read 1 writes at revision 3, which has 2/],
])('%s is not', (_, operations, message) => {
  expect(() => checkLinearizable(operations, LOG)).toThrow(message);
});

test('a write that is there twice is found', () => {
  const twice = [...LOG, { id: 'r4', number: 4, message: 'a' }] as unknown as Log;
  expect(() => checkLinearizable([], twice)).toThrow(/a is there twice/);
});
