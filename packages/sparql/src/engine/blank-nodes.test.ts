/** BNODE of a label gives one node within a solution, whatever was joined into the solution, and others in other solutions. */
import { describe, expect, test } from 'vitest';
import { answer, datasetOf } from '../testing/fixtures.js';

const data = datasetOf('ex:a ex:p 1 ; ex:q 5 . ex:b ex:p 2 ; ex:q 6, 7 . GRAPH ex:g { ex:a ex:p 1, 2 }');
const A = 'BNODE("a")';

describe.each([false, true])('unoptimised: %s', (unoptimised) => {
  /** How many nodes ?x has, how many ?y, and in how many rows that have both they differ. */
  const nodes = async (group: string): Promise<unknown> => {
    const differ = 'SUM(IF(BOUND(?x) && BOUND(?y), IF(SAMETERM(?x, ?y), 0, 1), 0)) AS ?n';
    const query = `SELECT (COUNT(DISTINCT ?x) AS ?xs) (COUNT(DISTINCT ?y) AS ?ys) (${differ}) { ${group} }`;
    return answer(query, await data, { unoptimised });
  };
  const sameLabel = (call: string): string => `?s ex:p ?v BIND(${call} AS ?x) ?s ex:q ?w BIND(${call} AS ?y)`;
  test.each([
    ['in one group', `?s ex:p ?v BIND(${A} AS ?x) BIND(${A} AS ?y)`, 2, 2],
    ['across a join', `VALUES ?v { 1 2 } BIND(${A} AS ?x) ?s ex:p ?v . BIND(${A} AS ?y)`, 2, 2],
    ['across a join with several rows', sameLabel(A), 2, 2],
    ['behind a group', `{ ?s ex:p ?v BIND(${A} AS ?x) } ?s ex:q ?w BIND(${A} AS ?y)`, 2, 2],
    ['behind a sub-select', `{ SELECT ?s (${A} AS ?x) { ?s ex:p ?v } } ?s ex:q ?w BIND(${A} AS ?y)`, 2, 2],
    ['behind LIMIT', `{ SELECT ?s (${A} AS ?x) { ?s ex:p ?v } LIMIT 1 } ?s ex:q ?w BIND(${A} AS ?y)`, 1, 1],
    [
      'behind DISTINCT',
      `{ SELECT DISTINCT ?s { ?s ex:p ?v BIND(${A} AS ?z) } } BIND(${A} AS ?x) BIND(${A} AS ?y)`,
      2,
      2,
    ],
    ['behind OPTIONAL', `?s ex:p ?v OPTIONAL { ?s ex:q ?w FILTER(?w > 5) BIND(${A} AS ?x) } BIND(${A} AS ?y)`, 2, 3],
    ['behind MINUS', `?s ex:p ?v BIND(${A} AS ?x) MINUS { ?s ex:q 5 BIND(${A} AS ?z) } BIND(${A} AS ?y)`, 1, 1],
    ['behind UNION', `{ ?s ex:p ?v BIND(${A} AS ?x) } UNION { ?s ex:p ?v } BIND(${A} AS ?y)`, 2, 4],
    ['behind GRAPH', `GRAPH ?g { ?s ex:p ?v BIND(${A} AS ?x) } BIND(${A} AS ?y)`, 2, 2],
    ['of a computed label', sameLabel('BNODE(STR(?s))'), 2, 2],
    ['of a label that a node cannot have', sameLabel('BNODE("ä _.-:")'), 2, 2],
  ])('%s', async (_, group, xs, ys) => {
    expect(await nodes(group)).toEqual([`xs=${xs} ys=${ys} n=0`]);
  });

  test('several labels are several nodes', async () => {
    const bound = 'BIND(BNODE("a") AS ?x) BIND(BNODE("-61-") AS ?y) BIND(BNODE("") AS ?z)';
    const query = `SELECT * { ${bound} FILTER(?x != ?y && ?y != ?z && ?x != ?z) }`;
    expect(await answer(query, await data, { unoptimised })).toHaveLength(1);
  });

  test('in conditions, orders and aggregates', async () => {
    const ask = async (group: string): Promise<unknown> =>
      answer(`SELECT (COUNT(*) AS ?n) { ${group} }`, await data, { unoptimised });
    expect(await ask(`?s ex:p ?v FILTER(${A} = ${A} && ${A} != BNODE("b"))`)).toEqual(['n=2']);
    expect(await ask(`?s ex:p ?v BIND(${A} AS ?x) FILTER(?x = ${A})`)).toEqual(['n=2']);
    const optional = `OPTIONAL { ?s ex:q ?w FILTER(?x = ${A}) } FILTER(BOUND(?w))`;
    expect(await ask(`?s ex:p ?v BIND(${A} AS ?x) ${optional}`)).toEqual(['n=3']);
    expect(await ask(`{ SELECT ?s { ?s ex:p ?v } ORDER BY ${A} }`)).toEqual(['n=2']);
    const counted = `SELECT (COUNT(DISTINCT ${A}) AS ?n) (COUNT(DISTINCT *) AS ?m) { ?s ex:p ?v }`;
    expect(await answer(counted, await data, { unoptimised })).toEqual(['n=2 m=2']);
  });

  test('nobody sees what keeps solutions apart', async () => {
    const ask = async (query: string): Promise<unknown> =>
      answer(query, await data, { unoptimised, blankNodePrefix: 'n' });
    expect(await ask(`SELECT * { BIND(${A} AS ?x) }`)).toEqual(['x=_:ne0la']);
    expect(await ask(`SELECT DISTINCT ?s { ?s ex:p ?v ; ex:q ?w BIND(${A} AS ?x) }`)).toEqual(['s=ex:a', 's=ex:b']);
    expect(await ask(`SELECT ?s { ?s ex:p ?v MINUS { ?s ex:q 5 BIND(${A} AS ?x) } }`)).toEqual(['s=ex:b']);
  });
});
