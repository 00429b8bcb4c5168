import { describe, expect, test } from 'vitest';
import { settle } from './forces.js';
import { networkOf } from './network.js';

const LABEL = '<http://www.w3.org/2000/01/rdf-schema#label>';
const sourceOf = (columns: string[], rows: string[][]) => ({
  columns,
  shown: rows.length,
  cells: (place: number) => rows[place]!,
});
const ALL = { mostNodes: 100, languages: ['de-AT', 'en'] };

describe('the graph in rows', () => {
  const triples = sourceOf(
    ['s', 'p', 'o'],
    [
      ['<urn:a>', '<urn:knows>', '<urn:b>'],
      ['<urn:a>', '<urn:knows>', '<urn:b>'],
      ['<urn:a>', '<urn:likes>', '_:c'],
      ['<urn:a>', LABEL, '"A"@en'],
      ['<urn:a>', LABEL, '"Ah"@de'],
      ['<urn:b>', '<urn:age>', '5'],
      ['<urn:b>', '<urn:age>', '5'],
      ['<urn:d>', '<urn:says>', '<<( <urn:a> <urn:b> <urn:c> )>>'],
      ['', '', ''],
    ],
  );

  test('statements are links, literals are facts, names are in the language of the user', () => {
    const { nodes, links, left, roles } = networkOf(triples, ALL);
    expect(roles).toEqual({ from: 0, to: 2, link: 1 });
    expect(links).toEqual([
      { from: '<urn:a>', predicate: '<urn:knows>', to: '<urn:b>' },
      { from: '<urn:a>', predicate: '<urn:likes>', to: '_:c' },
    ]);
    expect(nodes.map(({ id, label, facts }) => [id, label, facts.length])).toEqual([
      ['<urn:a>', 'Ah', 2],
      ['<urn:b>', undefined, 1],
      ['_:c', undefined, 0],
      ['<urn:d>', undefined, 1],
    ]);
    expect(left).toBe(0);
  });

  test('nodes beyond the limit are counted, and their links left out', () => {
    const { nodes, links, left } = networkOf(triples, { ...ALL, mostNodes: 2 });
    expect([nodes.map(({ id }) => id), links.length, left]).toEqual([['<urn:a>', '<urn:b>'], 1, 2]);
  });

  test('any two columns of resources, or those that the user names', () => {
    const rows = sourceOf(['name', 'planet', 'moon', 'finder'], [['"x"', '<urn:p>', '<urn:m>', '<urn:f>']]);
    expect(networkOf(rows, ALL)).toMatchObject({ roles: { from: 1, to: 2, link: -1 }, resources: [1, 2, 3] });
    expect(networkOf(rows, { ...ALL, from: 2, to: 3, link: 1 }).links).toEqual([
      { from: '<urn:m>', to: '<urn:f>', predicate: '<urn:p>' },
    ]);
    expect(networkOf(sourceOf(['a', 'b'], [['<urn:a>', '5']]), ALL)).toMatchObject({ roles: undefined, nodes: [] });
    expect(networkOf(sourceOf([], []), ALL)).toMatchObject({ roles: undefined, nodes: [] });
  });

  test('too many nodes have no places', () => {
    const rows = {
      columns: ['s', 'o'],
      shown: 3000,
      cells: (place: number) => [`<urn:${String(place)}>`, '<urn:hub>'],
    };
    expect(networkOf(rows, { ...ALL, mostNodes: 5000 })).toMatchObject({ places: undefined, left: 0 });
    expect(networkOf(rows, { ...ALL, mostNodes: 50 }).places?.x).toHaveLength(50);
  });
});

test('linked nodes lie nearer than others, each time at the same places', () => {
  // Two rings of ten nodes without a link between them.
  const links = new Uint32Array(
    [0, 10].flatMap((start) => Array.from({ length: 10 }, (_, n) => [start + n, start + ((n + 1) % 10)]).flat()),
  );
  const { x, y } = settle(20, links);
  const distance = (a: number, b: number): number => Math.hypot(x[a]! - x[b]!, y[a]! - y[b]!);
  const mean = (list: number[]): number => list.reduce((sum, each) => sum + each, 0) / list.length;
  const linked = Array.from({ length: links.length / 2 }, (_, n) => distance(links[2 * n]!, links[2 * n + 1]!));
  const others = Array.from({ length: 10 }, (_, a) =>
    Array.from({ length: 10 }, (__, b) => distance(a, 10 + b)),
  ).flat();
  expect(mean(linked) * 1.5).toBeLessThan(mean(others));
  expect([...x, ...y].every(Number.isFinite)).toBe(true);
  expect(settle(20, links)).toEqual({ x, y });
  expect(settle(1, new Uint32Array([0, 0])).x).toHaveLength(1);
  expect(settle(0, new Uint32Array())).toEqual({ x: new Float64Array(), y: new Float64Array() });
});
