/** Joins whose estimates are far off change their method while they run, and give the same rows. */
import { expect, test } from 'vitest';
import type { ExplainedNode } from '../execute/explain-plan.js';
import { answer, datasetOf, engine, PREFIXES } from '../testing/fixtures.js';

const PEOPLE = 12_000;
const HUB_FOLLOWS = 10_000;
const people = Array.from({ length: PEOPLE }, (_, i) => {
  const first = i < 5003 ? '; ex:first ex:yes' : '';
  // Two lists of many, with only three people in both.
  const ones = i < 5003 ? `ex:ones ex:are ex:p${i} .` : '';
  const twos = i >= 5000 && i < 10_003 ? `ex:twos ex:are ex:p${i} .` : '';
  return `ex:p${i} ex:name "${i}" ; ex:follows ex:p${(i + 1) % PEOPLE} ${first} . ${ones} ${twos}`;
});
// One that follows far more people than others do.
const follows = Array.from({ length: HUB_FOLLOWS }, (_, i) => `ex:hub ex:follows ex:p${i} .`);
const data = datasetOf(`ex:start ex:next ex:hub . ${people.join('\n')} ${follows.join('\n')}`);

const FEWER = 'ex:ones ex:are ?x . ex:twos ex:are ?x . ?x ex:name ?n';
const MORE = 'ex:start ex:next ?h . ?h ex:follows ?x . ?x ex:name ?n';

async function run(query: string): Promise<{ nodes: ExplainedNode[]; text: string }> {
  const { plan, text } = await engine.explain(query, await data, { prefixes: PREFIXES, analyze: true });
  const nodes = [plan as ExplainedNode];
  for (const node of nodes) nodes.push(...node.inputs);
  return { nodes, text };
}

const readOf = (nodes: readonly ExplainedNode[]): ExplainedNode | undefined =>
  nodes.find(({ operator, detail }) => operator === 'scan' && detail.includes('/name>'));

test('few rows are looked up where a scan was planned', async () => {
  const { nodes, text } = await run(`SELECT * { ${FEWER} }`);
  expect(readOf(nodes), text).toMatchObject({ actualRows: 0, opened: 0 });
  expect(nodes[0]!.actualRows).toBe(3);
});

test('many rows are joined as planned', async () => {
  const { nodes, text } = await run('SELECT * { ex:ones ex:are ?x . ?x ex:name ?n }');
  expect(nodes[0]!.actualRows, text).toBe(5003);
  expect(readOf(nodes), text).toMatchObject({ actualRows: PEOPLE });
});

test('a join whose rows must keep their order is as planned', async () => {
  const { nodes, text } = await run(`SELECT DISTINCT ?n { ${FEWER} }`);
  expect(readOf(nodes), text).toMatchObject({ actualRows: PEOPLE });
  expect(nodes[0]!.actualRows).toBe(3);
});

test('many rows are joined by a hash table where seeks were planned', async () => {
  const { nodes, text } = await run(`SELECT * { ${MORE} }`);
  expect(readOf(nodes), text).toMatchObject({ actualRows: PEOPLE, opened: 1 });
  expect(nodes[0]!.actualRows).toBe(HUB_FOLLOWS);
  const sought = await answer(`SELECT ?x ?n { ${MORE} }`, await data, { unoptimised: true });
  expect(await answer(`SELECT ?x ?n { ${MORE} }`, await data)).toEqual(sought);
});

test.each([
  ['EXISTS', 5003, 5003],
  ['NOT EXISTS', HUB_FOLLOWS - 5003, PEOPLE - 5003],
])('many rows are tested by %s with a hash table', async (exists, rows, stars) => {
  const tested = `{ ${MORE} FILTER ${exists} { ?x ex:first ?y } }`;
  const { nodes, text } = await run(`SELECT * ${tested}`);
  const read = nodes.find(({ operator, inputs }) => operator === 'star' && inputs[0]!.operator === 'unit');
  expect(read, text).toMatchObject({ actualRows: stars, opened: 1 });
  expect(nodes[0]!.actualRows).toBe(rows);
  const sought = await answer(`SELECT ?x ?n ${tested}`, await data, { unoptimised: true });
  expect(await answer(`SELECT ?x ?n ${tested}`, await data)).toEqual(sought);
});

test('few rows of a join that is left early are looked up', async () => {
  const { nodes, text } = await run(`SELECT * { ${MORE} } LIMIT 20`);
  expect(readOf(nodes), text).toBeUndefined();
});

test('memory is given back, however the join ends', async () => {
  for (const group of [FEWER, MORE]) {
    const result = await engine.query(`SELECT * { ${group} }`, await data, { prefixes: PREFIXES });
    if (result.type !== 'bindings') throw new Error(result.type);
    for await (const rows of result.batches) {
      expect(rows.length).toBeGreaterThan(0);
      break;
    }
  }
  const most = { memoryBytes: 100_000 };
  await expect(answer(`SELECT * { ${MORE} } ORDER BY ?n`, await data, most)).rejects.toMatchObject({
    code: 'QUERY_MEMORY',
  });
});
