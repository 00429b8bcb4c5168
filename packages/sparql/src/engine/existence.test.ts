import { describe, expect, test } from 'vitest';
import type * as RDF from '@rdfjs/types';
import { dataFactory } from '@quadrille/model';
import { answer, datasetOf, engine, PREFIXES } from '../testing/fixtures.js';

const data = datasetOf('ex:a ex:p 1 . ex:b ex:p 2 . ex:b ex:q 2 . ex:c ex:r 3 GRAPH ex:g { ex:c ex:r 3 }');
const rows = async (query: string): Promise<string[] | boolean> => {
  const planned = await answer(query, await data);
  expect(await answer(query, await data, { unoptimised: true })).toEqual(planned);
  return planned;
};

describe('EXISTS has the values of the row everywhere in its pattern', () => {
  test('in an OPTIONAL that comes first', async () => {
    const found = 'SELECT ?s { ?s ex:p ?o FILTER EXISTS { OPTIONAL { ?s ex:q ?x } ?c ex:r ?y } }';
    expect(await rows(found)).toEqual(['s=ex:a', 's=ex:b']);
  });
  test('in the filter of a nested group', async () => {
    const found = 'SELECT ?s { ?s ex:p ?o FILTER EXISTS { ?c ex:r ?y { ?z ex:q ?x FILTER(?x = ?o) } } }';
    expect(await rows(found)).toEqual(['s=ex:b']);
    expect(await rows(found.replace('EXISTS', 'NOT EXISTS'))).toEqual(['s=ex:a']);
  });
  test('in a filter beside a sub-select', async () => {
    const found = 'SELECT ?s { ?s ex:p ?o FILTER EXISTS { { SELECT DISTINCT ?x {} } FILTER(!BOUND(?s)) } }';
    expect(await rows(found)).toEqual([]);
    expect(await rows(found.replace('!BOUND', 'BOUND'))).toEqual(['s=ex:a', 's=ex:b']);
  });
  test('in what MINUS takes away', async () => {
    const found = 'SELECT ?s { ?s ex:p ?o FILTER EXISTS { MINUS { ?z ex:q ?o } } }';
    expect(await rows(found)).toEqual(['s=ex:a']);
  });
  test('in a GRAPH', async () => {
    const found = 'SELECT ?s { ?s ex:p ?o FILTER EXISTS { GRAPH ex:g { OPTIONAL { ?s ex:q ?x } ?c ex:r ?y } } }';
    expect(await rows(found)).toEqual(['s=ex:a', 's=ex:b']);
    expect(await rows(found.replace('GRAPH ex:g', 'GRAPH ?g'))).toEqual(['s=ex:a', 's=ex:b']);
  });
});

test('OPTIONAL with EXISTS in its condition, over a pattern that has to be evaluated by itself', async () => {
  const found = 'SELECT ?s ?z { ?s ex:p ?o OPTIONAL { ?z ex:q ?o MINUS { ?s ex:r ?o } FILTER EXISTS { ?s ex:p 2 } } }';
  expect(await rows(found)).toEqual(['s=ex:a', 's=ex:b z=ex:b']);
});

const more = datasetOf(`ex:a ex:p 1 ; ex:q 2 ; ex:v 5 . ex:b ex:p 2 ; ex:v 6 . ex:c ex:p 3 . ex:d ex:p 4 ; ex:v 7, 8
  GRAPH ex:g { ex:a ex:v 5 . ex:d ex:v 7, 8 }`);

/** The subjects for which EXISTS of a pattern holds. NOT EXISTS has to hold for the others. */
async function holdsFor(pattern: string, before = '?s ex:p ?o', bindings?: Record<string, RDF.Term>): Promise<string> {
  const ask = async (word: string, unoptimised: boolean): Promise<readonly string[]> =>
    (await answer(`SELECT ?s { ${before} FILTER ${word} { ${pattern} } }`, await more, {
      unoptimised,
      bindings,
    })) as string[];
  const found = await ask('EXISTS', false);
  const others = await ask('NOT EXISTS', false);
  expect(await ask('EXISTS', true)).toEqual(found);
  expect(await ask('NOT EXISTS', true)).toEqual(others);
  expect([...found, ...others].sort()).toEqual(await answer(`SELECT ?s { ${before} }`, await more, { bindings }));
  const marked = `SELECT ?s ?m { ${before} BIND(EXISTS { ${pattern} } AS ?m) FILTER(?m) }`;
  const marks = (await answer(marked, await more, { bindings })) as string[];
  expect(marks.map((row) => row.replace(/ m=.*$/, ''))).toEqual(found);
  return found.map((row) => row.replace('s=ex:', '')).join(' ');
}

describe('each group in EXISTS begins with the row', () => {
  test.each([
    ['in a sub-select that hides the variable', 'SELECT ?w { ?s ex:v ?w }', 'a b d'],
    ['in a sub-select of a sub-select', '{ SELECT ?w { { SELECT ?w { ?s ex:v ?w } } } }', 'a b d'],
    ['in a sub-select beside a pattern', '?s ex:q ?y { SELECT ?w { ?s ex:v ?w } }', 'a'],
    ['below DISTINCT', '{ SELECT DISTINCT ?w { ?s ex:v ?w } } ?x ex:q ?y', 'a b d'],
    ['before a count', 'SELECT (COUNT(*) AS ?n) { ?s ex:v ?w } HAVING (COUNT(*) > 0)', 'a b d'],
    ['before a count of none', 'SELECT (COUNT(*) AS ?n) { ?s ex:v ?w } HAVING (COUNT(*) = 0)', 'c'],
    ['before a count with keys', 'SELECT ?x (COUNT(?w) AS ?n) { ?s ex:v ?w } GROUP BY ?x HAVING (?n > 1)', ''],
    [
      'around a sub-select that counts',
      '{ SELECT ?n { ?s ex:p ?o { SELECT ?s (COUNT(*) AS ?n) { ?s ex:v ?w } GROUP BY ?s } } } FILTER(?n > 1)',
      'd',
    ],
    [
      'around one that counts alone',
      'SELECT ?n { { SELECT (COUNT(*) AS ?n) { ?s ex:v ?w } HAVING (COUNT(*) > 1) } }',
      'd',
    ],
    [
      'before a count by another key',
      'SELECT ?w (COUNT(*) AS ?n) { ?s ex:v ?w . ?z ex:v ?y } GROUP BY ?w HAVING (COUNT(*) = 4)',
      'a b d',
    ],
    [
      'before a count by its own key',
      'SELECT ?s (COUNT(*) AS ?n) { ?s ex:v ?w } GROUP BY ?s HAVING (COUNT(*) > 1)',
      'd',
    ],
    ['before an aggregate of its variable', 'SELECT (MAX(?o) AS ?m) { ?z ex:q ?y } HAVING (MAX(?o) > 2)', 'c d'],
    ['whose count has the name of its variable', 'SELECT (COUNT(*) AS ?o) { ?s ex:v ?w }', 'a'],
    ['before OFFSET', 'SELECT ?s ?w { ?s ex:v ?w } OFFSET 1', 'd'],
    ['before OFFSET, hidden', 'SELECT ?w { ?s ex:v ?w } ORDER BY ?w OFFSET 1', 'd'],
    ['before LIMIT', '{ SELECT ?w { ?s ex:v ?w } ORDER BY DESC(?w) LIMIT 1 } FILTER(?w >= 6)', 'b d'],
    [
      'before a grouping and LIMIT',
      '{ SELECT ?w (COUNT(*) AS ?n) { ?s ex:v ?w } GROUP BY ?w ORDER BY ?w LIMIT 1 } FILTER(?w > 5)',
      'b d',
    ],
    ['in BIND of a sub-select', '{ SELECT ?z { BIND(?o + 1 AS ?z) } } FILTER(?z > 3)', 'c d'],
    ['in what a sub-select computes', '{ SELECT (?o + 1 AS ?z) { ?x ex:q ?y } } FILTER(?z > 3)', 'c d'],
    ['in what MINUS takes away', '?s ex:v ?w MINUS { ?a ex:q ?y FILTER(?a = ?s) }', 'b d'],
    ['on both sides of MINUS, which so share variables', '?x ex:q ?y MINUS { ?z ex:v 8 }', ''],
    ['on both sides of MINUS, which do not agree', '?x ex:q ?y MINUS { ?z ex:v ?o FILTER(?o > 100) }', 'a b c d'],
    ['in MINUS of a sub-select', '?x ex:q ?y MINUS { SELECT ?y { ?s ex:v ?y } }', 'a b c d'],
    ['in MINUS of a hidden sub-select', '?x ex:q ?y MINUS { SELECT ?w { ?s ex:v ?w } }', 'c'],
    ['in an OPTIONAL', '?x ex:q ?y OPTIONAL { SELECT ?w { ?s ex:v ?w } } FILTER(BOUND(?w))', 'a b d'],
    ['in UNION', '{ SELECT ?w { ?s ex:q ?w } } UNION { SELECT ?w { ?s ex:v ?w FILTER(?w > 6) } }', 'a d'],
    ['in GRAPH', 'GRAPH ex:g { SELECT ?w { ?s ex:v ?w } }', 'a d'],
    ['in each GRAPH', 'GRAPH ?h { SELECT ?w { ?s ex:v ?w } OFFSET 1 }', 'd'],
    ['with VALUES', '{ SELECT ?s { VALUES ?s { ex:a ex:b } } OFFSET 1 }', ''],
    ['with VALUES behind', 'SELECT ?w { ?s ex:v ?w } VALUES ?s { ex:a ex:b ex:c }', 'a b'],
    ['in EXISTS', '?x ex:q ?y FILTER EXISTS { SELECT ?w { ?s ex:v ?w FILTER(?w > ?y + 3) } }', 'b d'],
    ['in BIND of a variable of the row', 'BIND(3 AS ?o)', 'c'],
    [
      'in BIND of one of it, over what reads others',
      'OPTIONAL { ?s ex:none ?y } { SELECT ?w { ?s ex:v ?w } } BIND(4 AS ?o)',
      'd',
    ],
  ])('%s', async (_, pattern, expected) => {
    expect(await holdsFor(pattern)).toBe(expected);
  });

  test.each([
    ['nothing is bound', '', '', 'true'],
    ['something may be bound', 'OPTIONAL { ?n ex:none ?m }', '', 'true'],
    ['something is bound after all', 'OPTIONAL { ?n ex:q ?m }', '', 'false'],
    ['a value is given', '?n ex:q 2', 'n', 'false'],
  ])('MINUS of a pattern that shares nothing, where %s', async (_, before, given, expected) => {
    const query = `ASK { ${before} FILTER EXISTS { ?x ex:q ?y MINUS { ?z ex:v 8 } } }`;
    const bindings = given === '' ? {} : { [given]: dataFactory.namedNode('http://example.org/a') };
    for (const unoptimised of [false, true])
      expect(String(await answer(query, await more, { bindings, unoptimised }))).toBe(expected);
  });

  test('with a value of `bindings`', async () => {
    const bindings = { s: dataFactory.namedNode('http://example.org/d') };
    const found = 'SELECT ?o { ?s ex:p ?o FILTER EXISTS { SELECT ?w { ?s ex:v ?w } OFFSET 1 } }';
    expect(await answer(found, await more, { bindings })).toEqual(['o=4']);
    expect(await answer(found, await more, { bindings: { s: dataFactory.namedNode('http://example.org/a') } })).toEqual(
      [],
    );
  });

  test('where a row leaves a variable unbound', async () => {
    expect(
      await holdsFor('SELECT ?w { ?s ex:v ?w FILTER(!BOUND(?y)) } OFFSET 1', '?s ex:p ?o OPTIONAL { ?s ex:q ?y }'),
    ).toBe('d');
  });
});

test('EXISTS with an answer of its own for each row runs row by row, and says so', async () => {
  const query = 'SELECT ?s { ?s ex:p ?o FILTER EXISTS { SELECT ?w { ?s ex:v ?w } OFFSET 1 } }';
  expect((await engine.explain(query, await more, { prefixes: PREFIXES })).text).toContain('row by row');
});
