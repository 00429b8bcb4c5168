import { describe, expect, test } from 'vitest';
import { answer, datasetOf } from '../testing/fixtures.js';

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
