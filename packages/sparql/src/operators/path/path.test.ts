import { dataFactory, quad } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import type { PropertyPath } from '../../algebra/algebra.js';
import type { PathPlan, PatternGraph, PatternTerm } from '../../plan/plan.js';
import { ArrayIdDataset } from '../../testing/array-id-dataset.js';
import { executionOn, randomNumbers, rowsOf, rowsPlan, RowsInput, sortedText } from '../../testing/operators.js';
import { Path } from './path.js';

const { namedNode, literal } = dataFactory;
const node = (name: string | number): RDF.NamedNode => namedNode(`http://example.org/${name}`);
const link = (name: string): PropertyPath => ({ type: 'link', iri: node(name) });
const [p, q] = [link('p'), link('q')];
const many = (type: PathPlan['kind'], path: PropertyPath): PropertyPath => ({ type, path });
const KINDS = ['ZeroOrMorePath', 'OneOrMorePath', 'ZeroOrOnePath'] as const;
const INNER: PropertyPath[] = [
  p,
  { type: 'inv', path: p },
  { type: 'seq', input: [p, q] },
  { type: 'seq', input: [p, { type: 'inv', path: q }, p] },
  { type: 'alt', input: [p, { type: 'inv', path: q }] },
  { type: 'nps', iris: [node('p'), node('absent')] },
  { type: 'inv', path: { type: 'nps', iris: [node('q')] } },
  { type: 'seq', input: [many('ZeroOrMorePath', p), q] },
  { type: 'seq', input: [q, many('OneOrMorePath', p)] },
  { type: 'inv', path: { type: 'seq', input: [many('ZeroOrOnePath', q), p] } },
  link('absent'),
];

type Quad = readonly [s: number, p: number, o: number];
type Pairs = Set<string>;
type Row = number[];

/** Pairs of nodes by the letter of the specification, over all `nodes`. */
function pairs(
  path: PropertyPath,
  edges: readonly Quad[],
  nodes: readonly number[],
  idOf: (term: RDF.Term) => number,
): Pairs {
  const visit = (inner: PropertyPath): Pairs => pairs(inner, edges, nodes, idOf);
  const where = (test: (predicate: number) => boolean): Pairs =>
    new Set(edges.filter((edge) => test(edge[1])).map(([s, , o]) => `${s} ${o}`));
  switch (path.type) {
    case 'link':
      return where((id) => id === idOf(path.iri));
    case 'nps':
      return where((id) => !path.iris.some((iri) => idOf(iri) === id));
    case 'inv':
      return new Set([...visit(path.path)].map((pair) => pair.split(' ').reverse().join(' ')));
    case 'seq':
      return path.input.map(visit).reduce(compose);
    case 'alt':
      return new Set(path.input.flatMap((inner) => [...visit(inner)]));
    default: {
      const once = visit(path.path);
      const same = nodes.map((id) => `${id} ${id}`);
      if (path.type === 'ZeroOrOnePath') return new Set([...same, ...once]);
      const all = new Set(once);
      for (let size = -1; size !== all.size;) {
        size = all.size;
        for (const pair of compose(all, once)) all.add(pair);
      }
      return path.type === 'ZeroOrMorePath' ? new Set([...same, ...all]) : all;
    }
  }
}

function compose(left: Pairs, right: Pairs): Pairs {
  const out: Pairs = new Set();
  for (const a of left) {
    const [from, middle] = a.split(' ');
    for (const b of right) {
      const [begin, to] = b.split(' ');
      if (begin === middle) out.add(`${from} ${to}`);
    }
  }
  return out;
}

const DEFAULT: PatternGraph = { kind: 'merged', sources: ['default'] };
const constant = (index: number): PatternTerm => ({ kind: 'constant', constant: index });
const variable = (name: string): PatternTerm => ({ kind: 'variable', name });

interface Asked {
  readonly subject?: PatternTerm;
  readonly object?: PatternTerm;
  readonly graph?: PatternGraph;
  readonly input?: readonly string[];
  readonly rows?: readonly Row[];
  readonly variables?: readonly string[];
  readonly constants?: readonly number[];
  readonly timeoutMs?: number;
}

async function join(
  dataset: ArrayIdDataset,
  path: PropertyPath,
  kind: PathPlan['kind'],
  asked: Asked = {},
): Promise<Row[]> {
  const { subject = variable('s'), object = variable('o'), graph = DEFAULT, rows = [[]], constants = [] } = asked;
  const names = asked.input ?? [];
  const input = rowsPlan(names);
  const variables = asked.variables ?? [...new Set([...names, 's', 'o'])];
  const plan: PathPlan = { ...input, type: 'path', input, subject, object, graph, path, kind, variables };
  const options = asked.timeoutMs === undefined ? { constants } : { constants, timeoutMs: asked.timeoutMs };
  const operator = new Path(plan, new RowsInput(rows, names.length, 2), executionOn(dataset, options));
  try {
    return await rowsOf(operator);
  } finally {
    operator.close();
    expect(dataset.openScans).toBe(0);
  }
}

function randomQuads(seed: number, graphs: RDF.Quad_Graph[] = [dataFactory.defaultGraph()]): RDF.Quad[] {
  const random = randomNumbers(seed);
  return Array.from({ length: 14 }, () => {
    const object = random(8) === 0 ? literal('end') : node(random(9));
    return quad(node(random(9)), node('pqr'[random(3)]!), object, graphs[random(graphs.length)]!);
  });
}

// The data, and what the specification makes of it, with two more nodes that are in no quad of the default graph.
function example(
  seed: number,
  misses: boolean,
): { dataset: ArrayIdDataset; nodes: number[]; expected(path: PropertyPath, outside?: number[]): Row[] } {
  const dataset = new ArrayIdDataset(randomQuads(seed), { misses });
  const edges = dataset.rows.map(([s, predicate, o]): Quad => [s, predicate, o]);
  const nodes = [...new Set(edges.flatMap(([s, , o]) => [s, o]))];
  const expected = (path: PropertyPath, outside: number[] = []): Row[] =>
    [...pairs(path, edges, [...nodes, ...outside], (term) => dataset.terms.store(term))].map((pair) =>
      pair.split(' ').map(Number),
    );
  return { dataset, nodes, expected };
}

describe('Path', () => {
  for (const kind of KINDS) {
    it.each(INNER.map((path, index) => [index, path] as const))(
      `joins as the specification says: ${kind} of path %i`,
      async (index, path) => {
        const { dataset, nodes, expected } = example(index + 1, index % 2 === 0);
        const outside = dataset.terms.store(node('outside'));
        const all = expected(many(kind, path), []);
        const withOutside = expected(many(kind, path), [outside]);
        // No end is bound.
        expect(sortedText(await join(dataset, path, kind))).toEqual(sortedText(all));
        const cycles = await join(dataset, path, kind, { object: variable('s'), variables: ['s'] });
        expect(sortedText(cycles)).toEqual(sortedText(all.filter(([s, o]) => s === o).map(([s]) => [s!])));
        // Constants.
        for (const id of [nodes[0]!, nodes.at(-1)!, outside]) {
          const from = await join(dataset, path, kind, { subject: constant(0), constants: [id], variables: ['o'] });
          expect(sortedText(from)).toEqual(sortedText(withOutside.filter(([s]) => s === id).map(([, o]) => [o!])));
          const to = await join(dataset, path, kind, { object: constant(0), constants: [id], variables: ['s'] });
          expect(sortedText(to)).toEqual(sortedText(withOutside.filter(([, o]) => o === id).map(([s]) => [s!])));
        }
        // Ends bound by the input, in some rows and repeatedly.
        const ids = [0, outside, ...nodes];
        const rows = ids.flatMap((s, i) => ids.flatMap((o, j) => [[s, o, i * 100 + j]]));
        const bound = await join(dataset, path, kind, { input: ['s', 'o', 'n'], rows });
        // A term that a variable has is no node of the graph by that, unlike a constant.
        const matches = rows.flatMap(([s, o, n]) =>
          all.filter((pair) => (s === 0 || pair[0] === s) && (o === 0 || pair[1] === o)).map((pair) => [...pair, n!]),
        );
        expect(sortedText(bound)).toEqual(sortedText(matches));
        // No end comes twice in a row, so each pair is searched for from both ends.
        const mixed = rows.map((_, i) => rows[(i * (ids.length + 1)) % rows.length]!);
        const pairsOfMixed = mixed.flatMap(([s, o, n]) =>
          all.filter((pair) => (s === 0 || pair[0] === s) && (o === 0 || pair[1] === o)).map((pair) => [...pair, n!]),
        );
        const apart = await join(dataset, path, kind, { input: ['s', 'o', 'n'], rows: mixed });
        expect(sortedText(apart)).toEqual(sortedText(pairsOfMixed));
      },
    );
  }

  it('gives nothing for a constant that has no id', async () => {
    const { dataset } = example(1, false);
    expect(
      await join(dataset, p, 'ZeroOrMorePath', { subject: constant(0), constants: [0], variables: ['o'] }),
    ).toEqual([]);
  });

  it('sees the graphs that it is told of', async () => {
    const graphs = [dataFactory.defaultGraph(), node('g'), node('h')];
    const quads = [...randomQuads(20, graphs), ...randomQuads(21, graphs), ...randomQuads(22, graphs)];
    const dataset = new ArrayIdDataset(quads);
    const idOf = (term: RDF.Term): number => dataset.terms.store(term);
    const g = idOf(node('g'));
    const cases: [PatternGraph, (graph: number) => boolean][] = [
      [{ kind: 'merged', sources: ['all'] }, () => true],
      [{ kind: 'merged', sources: ['named'] }, (graph) => graph !== 1],
      [{ kind: 'merged', sources: ['default', { constant: 0 }] }, (graph) => graph === 1 || graph === g],
      [{ kind: 'named', constant: 0 }, (graph) => graph === g],
      [DEFAULT, (graph) => graph === 1],
      [{ kind: 'named', constant: 1 }, () => false],
    ];
    for (const [graph, sees] of cases) {
      const edges = dataset.rows.filter((row) => sees(row[3])).map(([s, predicate, o]): Quad => [s, predicate, o]);
      const nodes = [...new Set(edges.flatMap(([s, , o]) => [s, o]))];
      for (const kind of KINDS) {
        const expected = [...pairs(many(kind, INNER[4]!), edges, nodes, idOf)];
        const found = await join(dataset, INNER[4]!, kind, { graph, constants: [g, 0] });
        expect(sortedText(found)).toEqual(expected.sort());
      }
    }
  });

  it('ends soon after its deadline in a clique', async () => {
    const size = 300;
    const quads = Array.from({ length: size * size }, (_, n) =>
      quad(node(Math.floor(n / size)), node('p'), node(n % size)),
    );
    const dataset = new ArrayIdDataset(quads, { windowRows: 4096 });
    dataset.estimate({ s: 2, p: 3, o: 0, g: 0 });
    for (const path of [
      p,
      { type: 'inv', path: p } as const,
      many('OneOrMorePath', p),
      { type: 'nps', iris: [] } as const,
    ]) {
      dataset.estimate({ s: 0, p: 3, o: 2, g: 0 });
      const started = performance.now();
      await expect(join(dataset, path, 'OneOrMorePath', { timeoutMs: 30 })).rejects.toThrow(/30 ms/);
      expect(performance.now() - started).toBeLessThan(1000);
    }
  });

  it('searches for a pair from both ends: from a hub behind one of them only as far as the other one is', async () => {
    const wide = Array.from({ length: 20_000 }, (_, n) => quad(node('hub'), node('p'), node(n)));
    const way = [
      ['start', 'hub'],
      ['start', 'middle'],
      ['middle', 'end'],
    ].map(([from, to]) => quad(node(from!), node('p'), node(to!)));
    const dataset = new ArrayIdDataset([...wide, ...way], { windowRows: 1000 });
    const ids = (names: readonly string[]): number[] => names.map((name) => dataset.terms.store(node(name)));
    const input = rowsPlan([]);
    const found = (subject: string, object: string, kind: PathPlan['kind']): Promise<Row[]> => {
      const ends = { subject: constant(0), object: constant(1), graph: DEFAULT, path: p, kind } as const;
      const plan: PathPlan = { ...input, ...ends, type: 'path', input, variables: [] };
      const options = { constants: ids([subject, object]), budgetBytes: 100_000 };
      return rowsOf(new Path(plan, new RowsInput([[]], 0), executionOn(dataset, options)));
    };
    for (const kind of ['ZeroOrMorePath', 'OneOrMorePath'] as const) {
      expect(await found('start', 'end', kind)).toEqual([[]]);
      expect(await found('end', 'start', kind)).toEqual([]);
      await expect(found('hub', 'absent', kind)).rejects.toThrow(/memory/);
    }
  });

  it('hands on results in batches, and stops at the budget of memory', async () => {
    const quads = Array.from({ length: 20_000 }, (_, n) => quad(node('hub'), node('p'), node(n)));
    const dataset = new ArrayIdDataset(quads, { windowRows: 1000 });
    const input = rowsPlan([]);
    const options = {
      subject: constant(0),
      object: variable('o'),
      graph: DEFAULT,
      path: p,
      kind: 'OneOrMorePath',
    } as const;
    const plan: PathPlan = { ...input, ...options, type: 'path', input, variables: ['o'] };
    const constants = [dataset.terms.store(node('hub'))];
    const open = (budgetBytes: number): Path =>
      new Path(plan, new RowsInput([[]], 0), executionOn(dataset, { constants, budgetBytes }));
    const operator = open(2 ** 24);
    const sizes: number[] = [];
    for (let batch = await operator.next(); batch !== undefined; batch = await operator.next())
      sizes.push(batch.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(20_000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(4096);
    await expect(rowsOf(open(100_000))).rejects.toThrow(/memory/);
  });
});
