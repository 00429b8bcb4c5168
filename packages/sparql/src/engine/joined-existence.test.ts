/** EXISTS as a join gives what it gives as a test of each row. */
import { describe, expect, test } from 'vitest';
import { answer, datasetOf, engine, PREFIXES } from '../testing/fixtures.js';

const PEOPLE = 300;
const lines = Array.from({ length: PEOPLE }, (_, i) => {
  const rare = i % 97 === 0 ? `; ex:award ex:nobel, ex:other` : '';
  const mail = i % 3 === 0 ? `; ex:email "m${i}"` : '';
  return `ex:p${i} ex:name "n${i % 50}" ; ex:age ${i % 40} ; ex:knows ex:p${(i * 7) % PEOPLE}, ex:p${(i * 11) % PEOPLE} ${rare} ${mail} .
    ex:post${i} ex:creator ex:p${i} ; ex:title "t${i}" .`;
});
const data =
  datasetOf(`${lines.join('\n')} GRAPH ex:g { ex:p1 ex:award ex:nobel ; ex:knows ex:p2 . ex:p2 ex:award ex:nobel }
  GRAPH ex:h { ex:p1 ex:knows ex:p2 . ex:p2 ex:knows ex:p1 }`);

const EXISTS = [
  '?p ex:award ex:nobel',
  '?p ex:award ?w',
  '?p ex:award ?w . ?x ex:creator ?p',
  '?x ex:creator ?p . ?p ex:award ?w FILTER(?w != ex:other)',
  '?p ex:knows ?f . ?f ex:award ex:nobel',
  '?p ex:knows ?p',
  '?p ex:award ?w FILTER(?x = ex:post97)',
  '{ ?p ex:award ex:nobel } UNION { ?p ex:age 3 }',
  '?p ex:age ?a OPTIONAL { ?p ex:award ?w } FILTER(!BOUND(?w) && ?a > 30)',
  '?p ex:age ?a MINUS { ?p ex:award ?w }',
  'OPTIONAL { ?p ex:award ?w }',
  '{ SELECT ?p (COUNT(*) AS ?n) { ?p ex:award ?w } GROUP BY ?p }',
  '{ SELECT ?w { ?p ex:award ?w } LIMIT 1 }',
  '?p ex:award/^ex:award ex:p97',
  '?p ex:knows+ ex:p1',
  '?p ex:award ?w FILTER EXISTS { ?p ex:email ?e }',
  'VALUES ?p { ex:p0 ex:p97 UNDEF } ?p ex:award ?w',
  'BIND(ex:nobel AS ?w) ?p ex:award ?w',
  'GRAPH ex:g { ?p ex:award ?w }',
  'GRAPH ?g { ?p ex:knows ?f }',
  '?s ex:award ex:nobel',
];

describe.each(EXISTS)('%s', (pattern) => {
  test.each([
    (condition: string) => `?x ex:creator ?p ; ex:title ?t FILTER ${condition}`,
    (condition: string) => `?x ex:creator ?p OPTIONAL { ?p ex:email ?e } FILTER ${condition}`,
    (condition: string) => `?x ex:creator ?q OPTIONAL { ?q ex:knows ?p } FILTER ${condition}`,
    (condition: string) => `?x ex:creator ?p MINUS { ?p ex:age 3 } BIND(?p AS ?q) FILTER ${condition}`,
    (condition: string) => `VALUES ?p { ex:p97 UNDEF ex:p3 } ?x ex:creator ?p FILTER ${condition}`,
    (condition: string) => `VALUES (?p ?w) { (ex:p97 ex:nobel) (UNDEF ex:other) (ex:p0 UNDEF) } FILTER ${condition}`,
    (condition: string) => `?x ex:creator ?p . ?p ex:knows ?f . ?f ex:age ?a FILTER(?a < 20) FILTER ${condition}`,
    (condition: string) => `GRAPH ?g { ?p ex:knows ?q FILTER ${condition} }`,
  ])('%o', async (groupOf) => {
    for (const not of ['', 'NOT ']) {
      const text = `SELECT * { ${groupOf(`${not}EXISTS { ${pattern} }`)} }`;
      const given = await answer(text, await data);
      expect(given, text).toEqual(await answer(text, await data, { unoptimised: true }));
    }
  });
});

const planOf = async (group: string): Promise<string> =>
  (await engine.explain(`SELECT * { ${group} }`, await data, { prefixes: PREFIXES })).text;

test('a selective EXISTS is where the joins begin', async () => {
  for (const pattern of ['?p ex:award ex:nobel', '?p ex:award ?w', '?p ex:knows ?f . ?f ex:award ex:nobel']) {
    const plan = await planOf(`?x ex:creator ?p ; ex:title ?t FILTER EXISTS { ${pattern} }`);
    expect(plan.split('\n').at(-1), plan).toContain('award');
    expect(plan, plan).toMatch(/seek inner \?x <[^>]*creator>/);
  }
});

test('an EXISTS is asked before an OPTIONAL', async () => {
  const plan = await planOf('?x ex:creator ?p OPTIONAL { ?p ex:email ?e } FILTER EXISTS { ?p ex:award ex:nobel }');
  expect(plan.split('\n').at(-1), plan).toContain('award');
});

test('an EXISTS shares the variables of triple terms', async () => {
  const claims =
    datasetOf(`ex:a ex:says <<( ex:b ex:knows ex:c )>> ; ex:trusts ex:x . ex:d ex:says <<( ex:b ex:knows ex:e )>> ;
    ex:trusts ex:b . ex:x ex:knows ex:y .`);
  const text = `SELECT ?s { ?s ex:says <<( ?who ex:knows ?whom )>> FILTER EXISTS { ?s ex:trusts ?who . ?x ex:knows ?y } }`;
  expect(await answer(text, await claims)).toEqual(['s=ex:d']);
});
