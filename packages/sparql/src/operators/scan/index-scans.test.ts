import { dataFactory, inlineInteger, quad } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import type { IdOrder } from '../../dataset/id-dataset.js';
import type {
  CountPlan,
  DistinctScanPlan,
  PatternGraph,
  PatternTerm,
  PlanPattern,
  StatisticsPlan,
} from '../../plan/plan.js';
import { ArrayIdDataset } from '../../testing/array-id-dataset.js';
import { executionOn, randomNumbers, rowsOf, rowsPlan, RowsInput } from '../../testing/operators.js';
import { Count } from '../count/count.js';
import { DistinctScan } from '../distinct-scan/distinct-scan.js';
import { StatisticsScan } from '../statistics/statistics.js';
import { TripleMatch } from '../triple-match/triple-match.js';

const { namedNode, defaultGraph } = dataFactory;
const node = (name: string | number): RDF.NamedNode => namedNode(`http://example.org/${name}`);
const GRAPHS = [defaultGraph(), node('g'), node('h')];

function dataset(graphs: RDF.Quad_Graph[], misses = false): ArrayIdDataset {
  const random = randomNumbers(9);
  const quads = Array.from({ length: 400 }, () =>
    quad(node(random(30)), node(`p${random(4)}`), node(random(30)), graphs[random(graphs.length)]!),
  );
  return new ArrayIdDataset(quads, { misses, windowRows: 10 });
}

const variable = (name: string): PatternTerm => ({ kind: 'variable', name });
const constant = (index: number): PatternTerm => ({ kind: 'constant', constant: index });
const DEFAULT: PatternGraph = { kind: 'merged', sources: ['default'] };
const patternOf = (s: PatternTerm, p: PatternTerm, o: PatternTerm, g: PatternGraph): PlanPattern => ({ s, p, o, g });

const VISIBLE: [string, PatternGraph, (graph: number, named: number) => boolean, boolean][] = [
  ['the default graph', DEFAULT, (graph) => graph === 1, true],
  ['all graphs, merged', { kind: 'merged', sources: ['all'] }, () => true, true],
  ['named graphs, merged', { kind: 'merged', sources: ['named'] }, (graph) => graph !== 1, true],
  ['each named graph', { kind: 'each', name: 'g', among: undefined }, (graph) => graph !== 1, false],
  ['each of some graphs', { kind: 'each', name: 'g', among: [2, 3] }, (graph, named) => graph === named, false],
  ['one graph', { kind: 'named', constant: 2 }, (graph, named) => graph === named, true],
  ['a graph that is not there', { kind: 'named', constant: 3 }, () => false, true],
];

describe.each([
  ['default graph only', [GRAPHS[0]!]],
  ['many graphs', GRAPHS],
])('with %s', (_, graphs) => {
  const data = dataset(graphs, true);
  const named = data.terms.store(node('g'));
  const constants = [data.terms.store(node('p1')), 0, named, 0];
  const patterns: [string, PatternTerm, PatternTerm, PatternTerm][] = [
    ['anything', variable('s'), variable('p'), variable('o')],
    ['a predicate', variable('s'), constant(0), variable('o')],
    ['a loop', variable('s'), variable('p'), variable('s')],
    ['an absent predicate', variable('s'), constant(1), variable('o')],
  ];
  const rowsFor = (terms: PatternTerm[], sees: (graph: number, named: number) => boolean): (readonly number[])[] =>
    data.rows.filter((row) => {
      const constantsAgree = terms.every(
        (term, at) => term.kind !== 'constant' || constants[term.constant] === row[at],
      );
      const loop = terms[0] !== terms[2] && (terms[2] as { name: string }).name === 's';
      return constantsAgree && sees(row[3], named) && (!loop || row[0] === row[2]);
    });

  it.each(VISIBLE)('Count counts in %s', async (_, graph, sees, merges) => {
    for (const [, ...terms] of patterns) {
      const rows = rowsFor(terms, sees);
      const expected = merges ? new Set(rows.map((row) => row.slice(0, 3).join(' '))).size : rows.length;
      const plan: CountPlan = { ...rowsPlan(['n']), type: 'count', pattern: patternOf(...terms, graph) };
      const operator = new Count(plan, executionOn(data, { constants }));
      expect(await rowsOf(operator)).toEqual([[inlineInteger(expected)]]);
      operator.close();
    }
    expect(data.openScans).toBe(0);
  });

  it.each(VISIBLE)('DistinctScan finds the ids in %s', async (_, graph, sees) => {
    for (const [, ...terms] of patterns) {
      const orders: [IdOrder, number][] =
        terms[1].kind === 'constant'
          ? [
              ['posg', 2],
              ['spog', 0],
            ]
          : [
              ['spog', 0],
              ['posg', 1],
              ['ospg', 2],
            ];
      for (const [order, at] of orders) {
        const term = terms[at]! as { name: string };
        const expected = [...new Set(rowsFor(terms, sees).map((row) => row[at]!))].sort((a, b) => a - b);
        const pattern = patternOf(...terms, graph);
        const plan: DistinctScanPlan = { ...rowsPlan([term.name]), type: 'distinct-scan', pattern, order };
        const operator = new DistinctScan(plan, executionOn(data, { constants }));
        expect((await rowsOf(operator)).flat()).toEqual(expected);
        operator.close();
      }
    }
    expect(data.openScans).toBe(0);
  });

  it('StatisticsScan gives predicates and named graphs with their numbers', async () => {
    for (const [key, at] of [
      ['predicates', 1],
      ['graphs', 3],
    ] as const) {
      const counts = new Map<number, number>();
      for (const row of data.rows) counts.set(row[at], (counts.get(row[at]) ?? 0) + 1);
      counts.delete(1);
      const expected = [...counts].sort(([a], [b]) => a - b).map(([id, count]) => [inlineInteger(count), id]);
      const base = { ...rowsPlan(['n', 'k']), type: 'statistics', key, keyVariable: 'k' } as const;
      const plan: StatisticsPlan = { ...base, countVariables: ['n'] };
      expect(await rowsOf(new StatisticsScan(plan, executionOn(data)))).toEqual(expected);
      const only: StatisticsPlan = { ...base, variables: ['k'], countVariables: [] };
      expect(await rowsOf(new StatisticsScan(only, executionOn(data)))).toEqual(expected.map(([, id]) => [id]));
    }
  });
});

describe('DistinctScan', () => {
  it('leaps over what it has seen', async () => {
    const quads = Array.from({ length: 20_000 }, (_, n) => quad(node(n), node(`p${n % 3}`), node('o')));
    const data = new ArrayIdDataset(quads, { windowRows: 100 });
    const pattern = patternOf(variable('s'), variable('p'), variable('o'), DEFAULT);
    const plan: DistinctScanPlan = { ...rowsPlan(['p']), type: 'distinct-scan', pattern, order: 'posg' };
    const windows: number[] = [];
    const { scan } = data;
    data.scan = (...asked) => {
      const opened = scan.apply(data, asked);
      const next = opened.next.bind(opened);
      opened.next = () => (windows.push(1), next());
      return opened;
    };
    expect(await rowsOf(new DistinctScan(plan, executionOn(data)))).toHaveLength(3);
    expect(windows.length).toBeLessThan(6);
  });
});

describe('TripleMatch', () => {
  const { literal } = dataFactory;
  const [a, b] = [node('a'), node('b')];
  const triples = [quad(a, a, a), quad(a, b, a), quad(a, b, literal('x')), quad(b, b, quad(a, b, a))];
  const quads = [...triples.map((triple) => quad(a, b, triple)), quad(a, b, literal('y'))];

  it.each([false, true])('matches and binds the components', async (misses) => {
    const data = new ArrayIdDataset(quads, { misses });
    const id = (term: RDF.Term): number => data.terms.store(term);
    const [idA, idB] = [id(a), id(b)];
    const local = data.terms.intern(quad(b, a, literal('new')));
    const terms = [...data.rows.map(([, , o]) => o), 0, local === -1 ? 0 : local];
    const run = (
      rows: number[][],
      input: string[],
      s: PatternTerm,
      p: PatternTerm,
      o: PatternTerm,
      variables: string[],
    ) => {
      const source = rowsPlan(input);
      const plan = { ...source, type: 'triple-match', input: source, term: 't', s, p, o, variables } as const;
      return rowsOf(
        new TripleMatch(plan, new RowsInput(rows, input.length), executionOn(data, { constants: [idB, 0] })),
      );
    };
    const each = terms.map((t) => [t]);
    const all = await run(each, ['t'], variable('s'), variable('p'), variable('o'), ['t', 's', 'p', 'o']);
    const expected = terms.flatMap((t) => (t !== 0 && data.terms.termNow(t).termType === 'Quad' ? [t] : []));
    expect(all.map(([t]) => t)).toEqual(expected);
    expect(all[1]!.slice(1)).toEqual([idA, idB, idA]);
    expect(await run(each, ['t'], variable('s'), constant(0), variable('s'), ['s'])).toEqual([[idA]]);
    expect(await run(each, ['t'], variable('s'), constant(1), variable('o'), ['s'])).toEqual([]);
    // Bound in some rows: those must agree, the others are filled.
    const bound = terms.slice(0, 4).flatMap((t) => [
      [0, t],
      [idB, t],
    ]);
    const found = await run(bound, ['s', 't'], variable('s'), variable('p'), variable('o'), ['s', 't']);
    expect(found).toEqual([
      [idA, terms[0]],
      [idA, terms[1]],
      [idA, terms[2]],
      [idB, terms[3]],
      [idB, terms[3]],
    ]);
  });
});
