/** Long and deep requests: their answers are right, their planning is paced, and rewriting them takes steps in proportion to their length. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../algebra/algebra.js';
import { inSteps, STEPS_AT_ONCE } from '../algebra/rewrite.js';
import { normalise } from '../optimize/normalise.js';
import type { ArrayDataset } from '../testing/array-dataset.js';
import { dataFactory, iri, XSD } from '@quadrille/model';
import { sparql } from '../algebra/template.js';
import { answer, datasetOf, engine, PREFIXES } from '../testing/fixtures.js';
import { groupOf } from '../testing/rules.js';

let data: ArrayDataset;
beforeAll(async () => {
  // A ring of four, so that each pattern of a chain has one match.
  const ring = ['a', 'b', 'c', 'd'].map((name, i, all) => `ex:${name} ex:p ex:${all[(i + 1) % 4]} ; ex:v ${i + 1} .`);
  data = await datasetOf(`${ring.join(' ')} GRAPH ex:g { ${ring.join(' ')} }`);
});

const repeated = (count: number, part: (i: number) => string, between = ' '): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(between);
const nested = (depth: number, open: (i: number) => string, close: string, inner: string): string =>
  repeated(depth, open) + inner + close.repeat(depth);

/** A group of so many parts or levels, and how many solutions it has. */
type Shape = readonly [name: string, count: number, group: (count: number) => string, solutions: number];

const WIDE: readonly Shape[] = [
  ['a chain', 3000, (n) => repeated(n, (i) => `?x${i} ex:p ?x${i + 1} .`), 4],
  ['a star', 3000, (n) => repeated(n, (i) => `?x ex:p ?o${i} .`), 4],
  ['UNION', 3000, (n) => repeated(n, () => '{ ?x ex:v 1 }', ' UNION '), 3000],
  ['OPTIONAL', 1000, (n) => `?x ex:p ?y ${repeated(n, (i) => `OPTIONAL { ?x ex:v ?o${i % 5} }`)}`, 4],
  ['OPTIONAL and patterns', 1000, (n) => repeated(n, (i) => `?x ex:p ?y${i % 5} OPTIONAL { ?x ex:v ?o }`), 4],
  ['MINUS', 1000, (n) => `?x ex:p ?y ${repeated(n, (i) => `MINUS { ?x ex:v ${i % 3} }`)}`, 2],
  ['FILTER', 3000, (n) => `?x ex:v ?v ${repeated(n, (i) => `FILTER(?v > ${i % 3})`)}`, 2],
  ['OPTIONAL and FILTER', 1000, (n) => `?x ex:v ?v ${repeated(n, () => 'OPTIONAL { ?x ex:p ?y } FILTER(?v > 1)')}`, 3],
  [
    'BIND',
    1000,
    (n) => `?x ex:v ?b0 ${repeated(n, (i) => `BIND(?b${i} + 1 AS ?b${i + 1})`)} FILTER(?b${n} > ${n + 2})`,
    2,
  ],
  [
    'BIND of names',
    1000,
    (n) => `?x ex:v ?b0 ${repeated(n, (i) => `BIND(?b${i} AS ?b${i + 1})`)} FILTER(?b${n} > 2)`,
    2,
  ],
  ['BIND in groups', 1000, (n) => `?x ex:v ?v ${repeated(n, (i) => `{ BIND(${i} AS ?b${i}) }`)}`, 4],
  ['names in groups', 500, (n) => `?x ex:v ?v ${repeated(n, (i) => `{ ?x ex:v ?c${i} BIND(?c${i} AS ?b${i}) }`)}`, 4],
  ['sub-selects', 1000, (n) => repeated(n, () => '{ SELECT ?x { ?x ex:p ?y } }'), 4],
  ['a sum', 100_000, (n) => `?x ex:v ?v FILTER(?v ${'+1'.repeat(n)} > ${n + 2})`, 2],
  ['a sum of values', 20_000, (n) => `?x ex:v ?v BIND(?v${' + ?v'.repeat(n)} AS ?s) FILTER(?s > ${2 * n + 3})`, 2],
  ['a product', 20_000, (n) => `?x ex:v ?v FILTER(?v${'*1'.repeat(n)} > 2)`, 2],
  ['IN', 50_000, (n) => `?x ex:v ?v FILTER(?v IN (${repeated(n, (i) => String(i + 2), ',')}))`, 3],
  ['VALUES', 50_000, (n) => `VALUES ?x { ${repeated(n, (i) => `ex:z${i}`)} ex:a } ?x ex:v ?v`, 1],
  ['GRAPH', 1000, (n) => repeated(n, () => 'GRAPH ?g { ?x ex:p ?y }'), 4],
  [
    'GRAPH with OPTIONAL',
    500,
    (n) => `GRAPH ?g { ?x ex:v ?v ${repeated(n, () => 'OPTIONAL { ?x ex:p ?y }')} BIND(1 AS ?b) }`,
    4,
  ],
  ['GRAPH with BIND', 1000, (n) => `GRAPH ?g { ?x ex:v ?v ${repeated(n, (i) => `BIND(?v + ${i} AS ?b${i})`)} }`, 4],
  ['alternatives', 3000, (n) => `?x ${repeated(n, (i) => `ex:q${i}`, '|')}|ex:p ?y`, 4],
  ['a sequence', 3000, (n) => `ex:a ${repeated(n, () => 'ex:p', '/')} ?y`, 1],
  ['EXISTS', 500, (n) => `?x ex:v ?v ${repeated(n, (i) => `FILTER EXISTS { ?x ex:p ?y${i} . ?y${i} ex:v 2 }`)}`, 1],
];
const DEEP: readonly Shape[] = [
  ['groups', 490, (n) => nested(n, () => '{ ?x ex:p ?y . ', ' }', '?x ex:v ?v'), 4],
  ['OPTIONAL', 490, (n) => `?x ex:v ?v ${nested(n, () => 'OPTIONAL { ?x ex:p ?y . ', ' }', '?x ex:v ?v')}`, 4],
  ['MINUS', 490, (n) => nested(n, () => '?x ex:p ?y MINUS { ', ' }', '?x ex:v 1'), 1],
  ['sub-selects', 240, (n) => nested(n, () => '{ SELECT ?x { ?x ex:p ?y . ', ' } }', '?x ex:v ?v'), 4],
  ['DISTINCT sub-selects', 240, (n) => nested(n, () => '{ SELECT DISTINCT ?x { ?x ex:p ?y . ', ' } }', '?x ex:v 1'), 1],
  [
    'groups by a key',
    240,
    (n) => nested(n, () => '{ SELECT ?x (COUNT(*) AS ?c) { ?x ex:p ?y . ', ' } GROUP BY ?x }', '?x ex:v ?v'),
    4,
  ],
  ['EXISTS', 200, (n) => nested(n, () => '?x ex:p ?y FILTER EXISTS { ', ' }', '?x ex:v 1'), 1],
  ['NOT EXISTS', 200, (n) => nested(n, () => '?x ex:p ?y FILTER NOT EXISTS { ', ' }', '?x ex:v 1'), 1],
  ['GRAPH', 490, (n) => nested(n, (i) => `GRAPH ?g${i % 3} { ?x ex:p ?y . `, ' }', '?x ex:v ?v'), 4],
  ['one GRAPH', 490, (n) => nested(n, () => 'GRAPH ?g { ?x ex:p ?y . ', ' }', '?x ex:v ?v'), 4],
  [
    'GRAPH with BIND',
    300,
    (n) => nested(n, (i) => `GRAPH ?g { ?x ex:p ?y BIND(${i} AS ?b${i}) `, ' }', '?x ex:v ?v'),
    4,
  ],
  [
    'GRAPH with EXISTS',
    200,
    (n) => `GRAPH ?g { ${nested(n, () => '?x ex:p ?y FILTER EXISTS { ', ' }', '?x ex:v 1')} }`,
    1,
  ],
];
const SHAPES = [
  ...WIDE.map((shape) => ['wide', ...shape] as const),
  ...DEEP.map((shape) => ['deep', ...shape] as const),
];

describe.each(SHAPES)('%s: %s', (_, __, count, group, solutions) => {
  test('has the right answer', async () => {
    const rows = await answer(`SELECT ?x { ${group(count)} }`, data);
    expect(rows).toHaveLength(solutions);
  });
  test('is rewritten in steps in proportion to its length', () => {
    const few = stepsOf(groupOf(group(Math.ceil(count / 8))));
    const many = stepsOf(groupOf(group(count)));
    expect(many).toBeLessThan(8 * few + 16 * STEPS_AT_ONCE);
  });
  test('is stopped while it is planned', async () => {
    const controller = new AbortController();
    const outcome = explained(group(count), { signal: controller.signal });
    controller.abort();
    expect(await outcome).toMatchObject({ code: 'ABORTED' });
    expect(await explained(group(count), { timeoutMs: 1e-6 })).toMatchObject({ code: 'QUERY_TIMEOUT' });
  });
});

/** How explaining another text than that of the answer ends: its plan is not known yet. */
async function explained(group: string, options: { signal?: AbortSignal; timeoutMs?: number }): Promise<unknown> {
  try {
    await engine.explain(`SELECT ?x ?other { ${group} }`, data, { prefixes: PREFIXES, ...options });
    return 'planned';
  } catch (error) {
    return error;
  }
}

/** The steps of the rules. */
function stepsOf(operation: Operation): number {
  let names = 0;
  const task = inSteps(normalise(operation, () => `#${names++}`));
  let steps = 0;
  while (task.next().done !== true) steps += STEPS_AT_ONCE;
  return steps;
}

test('an expression that is long and has EXISTS', async () => {
  const sum = `IF(EXISTS { ?x ex:p ?y }, 1, 0)${' + 1'.repeat(20_000)}`;
  expect(await answer(`SELECT ?x { ?x ex:v ?v FILTER(${sum} > 20000) }`, data)).toHaveLength(4);
});

test.each([
  ['a sum', `?x ex:v ?v FILTER(?v${' + ?one'.repeat(20_000)} > 20002)`, 2],
  ['UNION', repeated(1000, () => '{ ?x ex:v ?one }', ' UNION '), 1000],
  ['a sub-select in another', nested(200, () => '{ SELECT ?x ?one { ', ' } }', '?x ex:v ?one'), 1],
])('%s takes values and bindings, and is explained', async (_, group, solutions) => {
  const [before, after] = `SELECT ?x { { ${group} } FILTER(?one = ?two) }`.split('?two') as [string, string];
  const one = dataFactory.literal('1', iri(`${XSD}integer`));
  const template = sparql(Object.assign([before, after], { raw: [before, after] }), one);
  expect(await answer(template, data, { bindings: { one } })).toHaveLength(solutions);
  const { text } = await engine.explain(template, data, { prefixes: PREFIXES, bindings: { one } });
  expect(text).toContain('"1"');
});

describe('all columns', () => {
  test.each([
    ['a chain', repeated(2000, (i) => `?x${i} ex:p ?x${i + 1} .`), 2001],
    ['OPTIONAL', `?x ex:v ?v ${repeated(500, (i) => `OPTIONAL { ?x ex:p ?y${i} }`)}`, 502],
    ['BIND', `?x ex:v ?v ${repeated(500, (i) => `BIND(?v + ${i} AS ?b${i})`)}`, 502],
  ])('of %s', async (_, group, columns) => {
    const rows = (await answer(`SELECT * { ${group} }`, data)) as string[];
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(row.split(' ')).toHaveLength(columns);
  });
});
