/** Properties of one subject that are read together. */
import { expect, test } from 'vitest';
import type { ExplainedNode } from '../execute/explain-plan.js';
import { answer, datasetOf, engine, PREFIXES } from '../testing/fixtures.js';

const PEOPLE = 9000;
const HUB = 120;
const about = (i: number): string =>
  [
    `ex:p${i} ex:name "${i % 50}" ; ex:age ${i % 7}`,
    i % 3 === 0 ? `; ex:mail "a${i}" , "b${i}"` : '',
    i % 5 === 0 ? '; ex:left true' : '',
    i % 500 === 0 ? '; ex:prize ex:gold' : '',
    ' .',
  ].join('');
const people = Array.from({ length: PEOPLE }, (_, i) => about(i));
const hub = Array.from({ length: HUB }, (_, i) => `ex:hub ex:name "n${i}" ; ex:age ${i} ; ex:mail "m${i}" .`);
const graphs = Array.from({ length: 60 }, (_, n) => {
  const inside = Array.from({ length: 40 }, (_, i) => about(n * 20 + i));
  return `GRAPH ex:g${n} { ${inside.join('\n')} }`;
});
// The last subject of each of these graphs is the first one of the next.
const alike = Array.from({ length: 30 }, (_, n) => `GRAPH ex:one${n} { ex:same ex:name "${n}" ; ex:age ${n} }`);
const data = datasetOf([...people, ...hub, ...graphs, ...alike].join('\n'));

async function explained(query: string): Promise<{ nodes: ExplainedNode[]; text: string }> {
  const { plan, text } = await engine.explain(query, await data, { prefixes: PREFIXES, analyze: true });
  const nodes = [plan as ExplainedNode];
  for (const node of nodes) nodes.push(...node.inputs);
  return { nodes, text };
}

const SCANNED = [
  'SELECT ?n ?a ?m { ?s ex:name ?n ; ex:age ?a ; ex:mail ?m FILTER(?s != ex:hub) }',
  'SELECT ?s ?n ?m { GRAPH ?g { ?s ex:name ?n ; ex:age ?a ; ex:mail ?m } }',
  'SELECT ?g ?s ?a ?m { GRAPH ?g { ?s ex:name ?n ; ex:age ?a OPTIONAL { ?s ex:mail ?m } } }',
  'SELECT ?g ?s ?n { GRAPH ?g { ?s ex:name ?n ; ex:age ?a MINUS { ?s ex:left true } } }',
  'SELECT ?g ?s ?n { GRAPH ?g { ?s ex:name ?n ; ex:age ?a FILTER NOT EXISTS { ?s ex:mail ?m } } }',
  'SELECT ?g ?s ?n ?m { GRAPH ?g { ?s ex:name ?n ; ex:age 3 ; ex:mail ?m , ?o } }',
];

test.each(SCANNED)('all stars are read by one scan: %s', async (query) => {
  const { nodes, text } = await explained(query);
  expect(
    nodes.find(({ operator, inputs }) => operator === 'star' && inputs[0]!.operator === 'unit'),
    text,
  ).toBeDefined();
  const plain = await answer(query, await data, { unoptimised: true });
  expect(await answer(query, await data)).toEqual(plain);
  expect(nodes[0]!.actualRows).toBe((plain as string[]).length);
});

const LOOKED_UP = [
  'SELECT * { ?s ex:prize ex:gold ; ex:name ?n ; ex:age ?a }',
  'SELECT * { ?s ex:prize ex:gold ; ex:name ?n OPTIONAL { ?s ex:mail ?m } OPTIONAL { ?s ex:none ?x } }',
  'SELECT * { ?s ex:prize ex:gold ; ex:name ?n ; ex:age ?a MINUS { ?s ex:mail ?m } }',
  'SELECT * { ?s ex:prize ex:gold ; ex:name ?n ; ex:age ?a FILTER NOT EXISTS { ?s ex:mail ?m } }',
  'SELECT * { ?s ex:prize ex:gold ; ex:name ?n ; ex:age ?a FILTER EXISTS { ?s ex:mail "a0" } }',
  'SELECT * { VALUES ?s { ex:hub ex:p3 ex:p4 ex:unknown } ?s ex:age ?a ; ex:mail ?m }',
  'SELECT * { GRAPH ex:g7 { ?s ex:prize ex:gold ; ex:name ?n ; ex:age ?a } }',
  'SELECT * { GRAPH ?g { ?s ex:prize ex:gold ; ex:name ?n ; ex:age ?a } }',
  'SELECT * FROM NAMED ex:g24 FROM NAMED ex:g25 { GRAPH ?g { ?s ex:prize ex:gold ; ex:name ?n ; ex:age ?a } }',
];

test.each(LOOKED_UP)('properties are looked up together: %s', async (query) => {
  const { nodes, text } = await explained(query);
  expect(
    nodes.find(({ operator, inputs }) => operator === 'star' && inputs[0]!.operator !== 'unit'),
    text,
  ).toBeDefined();
  const sought = await answer(query, await data, { unoptimised: true });
  expect(await answer(query, await data)).toEqual(sought);
});

test('a scan of all graphs counts with all of their quads', async () => {
  const inside = (n: number): string =>
    Array.from(
      { length: 100 },
      (_, i) =>
        `ex:s${n * 50 + i} ex:name "${i}" ; ex:age ${n} ; ex:x 1 , 2 , 3 ${i % 9 === 0 ? '; ex:rank ex:high' : ''} .`,
    ).join('\n');
  const many = Array.from({ length: 40 }, (_, n) => `GRAPH ex:g${n} { ${inside(n)} }`).join('\n');
  const dataset = await datasetOf(many);
  const query = 'SELECT ?g ?s ?n ?a { GRAPH ?g { ?s ex:rank ex:high ; ex:name ?n ; ex:age ?a } }';
  const { text } = await engine.explain(query, dataset, { prefixes: PREFIXES });
  expect(text).toMatch(/star \?s .*\n\s+scan \?s <http:\/\/example.org\/rank>/);
  expect(await answer(query, dataset)).toEqual(await answer(query, dataset, { unoptimised: true }));
});

test('the combinations of one subject come in parts', async () => {
  const query = 'SELECT ?n ?a ?m { VALUES ?s { ex:hub } ?s ex:name ?n ; ex:age ?a ; ex:mail ?m }';
  const { nodes, text } = await explained(query);
  expect(nodes[0], text).toMatchObject({ actualRows: HUB ** 3 });
  const limited = `${query} LIMIT 5000 OFFSET ${HUB ** 3 - 4000}`;
  expect(await answer(limited, await data)).toHaveLength(4000);
  const distinct = `SELECT (COUNT(*) AS ?c) { SELECT DISTINCT ?n ?a ?m { VALUES ?s { ex:hub } ?s ex:name ?n ; ex:age ?a ; ex:mail ?m } }`;
  expect(await answer(distinct, await data, { memoryBytes: 200_000_000 })).toEqual([`c=${HUB ** 3}`]);
});
