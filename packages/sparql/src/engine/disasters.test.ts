/**
 * Queries that a naive plan makes a disaster of: all rows that are scanned, sought and put into tables, against ten times the least that
 * any plan needs.
 */
import { describe, expect, test } from 'vitest';
import { answer, datasetOf, engine, PREFIXES } from '../testing/fixtures.js';
import type { ExplainedNode } from '../execute/explain-plan.js';

const PEOPLE = 2000;
const GRAPHS = 600;
const people = Array.from({ length: PEOPLE }, (_, i) => {
  const rare = i % 100 === 0 ? `; ex:rare ex:p${i + 1}` : '';
  const mail = i % 3 === 0 ? `; ex:mail "m${i}"` : '';
  return `ex:p${i} ex:type ex:Person ; ex:name "n${i}" ; ex:knows ex:p${(i + 1) % PEOPLE}, ex:p${(i * 7) % PEOPLE} ${mail} ${rare} .`;
});
const graphs = Array.from({ length: GRAPHS }, (_, i) => {
  const items = [0, 1, 2, 3].map(
    (k) => `ex:i${(i * 4 + k) % 600} ex:value ${(i * 4 + k) % 397} ; ex:part ex:i${(i * 5 + k) % 600} .`,
  );
  const wrong = i % 20 === 0 ? `ex:i${(i * 4) % 600} ex:wrong 1 .` : '';
  return `ex:g${i} ex:site ex:s${i % 150} . GRAPH ex:g${i} { ${items.join(' ')} ${wrong} }`;
});
const data = datasetOf([...people, ...graphs].join('\n'));

const TABLES = new Set(['sort', 'group', 'distinct']);

// A hash table is made of the second input, the others keep their only one.
function built(node: ExplainedNode): number {
  const own = node.operator === 'hash-join' ? node.inputs[1]! : TABLES.has(node.operator) ? node.inputs[0]! : undefined;
  return (own?.actualRows ?? 0) + node.inputs.reduce((sum, input) => sum + built(input), 0);
}

const from = Array.from({ length: 60 }, (_, i) => `FROM ex:g${i * 3}`).join(' ');

/** Queries, and the rows that have to be read at least. */
describe.each([
  ['a path from a constant', 'SELECT * { ex:p100 ex:rare+ ?b . ?b ex:name ?n }', 4],
  ['a path to a constant', 'SELECT * { ?a ex:rare+ ex:p101 . ?a ex:name ?n }', 4],
  ['a path to what one pattern selects', 'SELECT * { ?a ex:rare* ?b . ?b ex:name "n101" }', 4],
  ['OPTIONAL with LIMIT', 'SELECT * { ?a ex:type ex:Person OPTIONAL { ?a ex:mail ?m } } LIMIT 10', 20],
  [
    'OPTIONAL of a group with LIMIT',
    'SELECT * { ?a ex:type ex:Person OPTIONAL { ?a ex:knows ?b . ?b ex:mail ?m } } LIMIT 10',
    50,
  ],
  [
    'NOT EXISTS with LIMIT',
    'SELECT * { ?a ex:type ex:Person FILTER NOT EXISTS { ?a ex:rare ?b . ?b ex:mail ?m } } LIMIT 10',
    20,
  ],
  ['MINUS with LIMIT', 'SELECT * { ?a ex:type ex:Person MINUS { ?a ex:knows ?b . ?b ex:rare ?c } } LIMIT 10', 40],
  ['a join with LIMIT', 'SELECT * { ?a ex:knows ?b . ?b ex:name ?n . ?b ex:knows ?c } LIMIT 10', 30],
  ['ASK', 'ASK { ?a ex:knows ?b . ?b ex:knows ?c . ?c ex:mail ?m }', 6],
  ['BIND of a constant', 'SELECT * { BIND(ex:p7 AS ?a) ?a ex:knows ?b . ?b ex:name ?n }', 5],
  ['BIND of a second name', 'SELECT * { ?a ex:name "n7" BIND(?a AS ?x) ?x ex:knows ?y }', 3],
  [
    'BIND of a second name, then a third',
    'SELECT * { ex:p7 ex:knows ?b BIND(?b AS ?x) ?x ex:knows ?c BIND(?c AS ?y) ?y ex:name ?n }',
    10,
  ],
  ['UNION behind a selective pattern', 'SELECT * { ?a ex:name "n7" { ?a ex:knows ?b } UNION { ?b ex:knows ?a } }', 6],
  [
    'UNION of groups behind a selective pattern',
    'SELECT * { ?a ex:name "n7" { ?a ex:knows ?b . ?b ex:name ?n } UNION { ?a ex:mail ?n } }',
    6,
  ],
  ['a sub-select behind a selective pattern', 'SELECT * { ?a ex:name "n7" { SELECT ?a ?b { ?a ex:knows ?b } } }', 3],
  [
    'DISTINCT behind a selective pattern',
    'SELECT * { ?a ex:name "n7" { SELECT DISTINCT ?a ?b { ?a ex:knows ?b . ?b ex:name ?n } } }',
    5,
  ],
  [
    'groups behind a selective pattern',
    'SELECT * { ?a ex:name "n7" { SELECT ?a (COUNT(*) AS ?c) { ?a ex:knows ?b } GROUP BY ?a } }',
    3,
  ],
  ['BIND in GRAPH ?g', 'SELECT * { GRAPH ?g { ?i ex:value 11 BIND(?i AS ?x) } }', 6],
  [
    'a computed BIND in GRAPH ?g',
    'SELECT * { GRAPH ?g { ?i ex:value 11 ; ex:part ?x BIND(CONCAT("a", STR(?x)) AS ?y) } }',
    12,
  ],
  ['a path in GRAPH ?g', 'SELECT * { GRAPH ?g { ex:i7 ex:part+ ?x } }', 10],
  ['a path behind a pattern in GRAPH ?g', 'SELECT * { GRAPH ?g { ?i ex:value 11 ; ex:part? ?x } }', 12],
  [
    'a sub-select in GRAPH ?g',
    'SELECT * { GRAPH ?g { { SELECT ?g ?i { ?i ex:value ?v FILTER(?v = 11) } } ?i ex:part ?x } }',
    20,
  ],
  [
    'groups in GRAPH ?g',
    'SELECT * { GRAPH ?g { ?i ex:value 11 { SELECT ?i (COUNT(*) AS ?c) { ?i ex:part ?x } GROUP BY ?i } } }',
    20,
  ],
  ['MINUS in GRAPH ?g', 'SELECT * { GRAPH ?g { ?i ex:value 11 MINUS { ?i ex:wrong ?x } } }', 12],
  [
    'MINUS of a group in GRAPH ?g',
    'SELECT * { GRAPH ?g { ?i ex:value 11 MINUS { ?i ex:wrong ?x . ?i ex:part ?y } } }',
    12,
  ],
  [
    'NOT EXISTS beside BIND in GRAPH ?g',
    'SELECT * { GRAPH ?g { ?i ex:value 11 BIND(1 AS ?n) FILTER NOT EXISTS { ?i ex:wrong ?x } } }',
    12,
  ],
  ['few graphs of GRAPH ?g', 'SELECT * { ?g ex:site ex:s7 GRAPH ?g { ?i ex:value ?v BIND(?v AS ?w) } }', 20],
  ['one of many graphs', 'SELECT * { GRAPH ex:g7 { ?i ex:part ?x ; ex:value ?v } }', 10],
  ['FROM one of many graphs', 'SELECT * FROM ex:g7 { ?i ex:part ?x ; ex:value ?v }', 10],
  ['a pattern in few graphs', 'SELECT * { ?g ex:site ex:s7 GRAPH ?g { ?i ex:part ?x } }', 40],
  [
    'OPTIONAL in GRAPH ?g with LIMIT',
    'SELECT * { ?g ex:site ?s GRAPH ?g { ?i ex:value ?v OPTIONAL { ?i ex:wrong ?x } } } LIMIT 10',
    60,
  ],
  ['OPTIONAL without a key', 'SELECT * { ex:p7 ex:name ?n OPTIONAL { ex:p8 ex:name ?m } }', 2],
  [
    'OPTIONAL of a group without a key',
    'SELECT * { ?a ex:rare ?b OPTIONAL { ex:p8 ex:knows ?c . ?c ex:name ?m } }',
    45,
  ],
  ['a long FROM list', `SELECT * ${from} { ?i ex:value 11 ; ex:part ?x }`, 10],
  ['one subject of a long FROM list', `SELECT * ${from} { ex:i15 ex:part ?x ; ex:value ?v }`, 20],
])('%s', (_, query, least) => {
  test(`reads at most ten times ${least} rows`, async () => {
    const dataset = await data;
    const { served, sought } = dataset.ids;
    const { plan, text } = await engine.explain(query, dataset, { prefixes: PREFIXES, analyze: true });
    const read = dataset.ids.served - served + dataset.ids.sought - sought;
    expect(read + built(plan as ExplainedNode), `${read} read\n${text}`).toBeLessThanOrEqual(10 * least);
  });
  test('gives the same without a planner', async () => {
    const all = query.replace(/ LIMIT.*/, '');
    const expected = await answer(all, await data, { unoptimised: true });
    expect(await answer(all, await data)).toEqual(expected);
    expect(expected === true || (expected as string[]).length > 0).toBe(true);
  });
});
