import { describe, expect, test } from 'vitest';
import { lanesOf, type Line } from './lanes.js';

const node = (uuid: string, ...parents: string[]) => ({ uuid, parents });
const shortly = ({ from, to, part, isCut }: Line): string =>
  `${part} ${String(from)}${from === to ? '' : `>${String(to)}`}${isCut === true ? ' cut' : ''}`;

describe('lanes of a graph', () => {
  test('a history without branches is one lane', () => {
    const { rows, width } = lanesOf([node('c', 'b'), node('b', 'a'), node('a')]);
    expect(width).toBe(1);
    expect(rows.map(({ lane, lines }) => [lane, lines.map(shortly)])).toEqual([
      [0, ['out 0']],
      [0, ['in 0', 'out 0']],
      [0, ['in 0']],
    ]);
  });

  test('a branch and its merge take a second lane in between', () => {
    // main: a b m; dev: d over a, merged by m.
    const { rows, width } = lanesOf([node('m', 'b', 'd'), node('d', 'a'), node('b', 'a'), node('a')]);
    expect(width).toBe(2);
    expect(rows.map(({ lane, lines }) => [lane, lines.map(shortly)])).toEqual([
      [0, ['out 0', 'out 0>1']],
      [1, ['through 0', 'in 1', 'out 1']],
      [0, ['in 0', 'through 1', 'out 0']],
      [0, ['in 0', 'in 1>0']],
    ]);
  });

  test('the first lane is kept for the head that is named, whatever is newer', () => {
    const { rows } = lanesOf([node('d', 'a'), node('b', 'a'), node('a')], 'b');
    expect(rows.map(({ lane }) => lane)).toEqual([1, 0, 0]);
    expect(rows.map(({ lines }) => lines.map(shortly))).toEqual([
      ['out 1'],
      ['through 1', 'out 0'],
      ['in 0', 'in 1>0'],
    ]);
  });

  test('parents that are not listed end their lines, and hold no lane', () => {
    const { rows, width } = lanesOf([node('m', 'x', 'y'), node('n', 'z')]);
    expect(rows.map(({ lane, lines }) => [lane, lines.map(shortly)])).toEqual([
      [0, ['out 0 cut', 'out 0>1 cut']],
      [0, ['out 0 cut']],
    ]);
    expect(width).toBe(2);
  });

  test('a parent above its child is not waited for', () => {
    const { rows } = lanesOf([node('a'), node('b', 'a')]);
    expect(rows[1]!.lines.map(shortly)).toEqual(['out 0 cut']);
  });

  test('many branches from one revision meet there', () => {
    const { rows, width } = lanesOf([node('d', 'a'), node('c', 'a'), node('b', 'a'), node('a')]);
    expect(width).toBe(3);
    expect(rows.map(({ lane }) => lane)).toEqual([0, 1, 2, 0]);
    expect(rows.at(-1)!.lines.map(shortly)).toEqual(['in 0', 'in 1>0', 'in 2>0']);
  });
});
