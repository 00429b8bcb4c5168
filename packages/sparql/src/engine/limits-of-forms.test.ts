/** LIMIT and OFFSET of a whole query, and of a sub-select that is the whole pattern. */
import { expect, test } from 'vitest';
import { answer, datasetOf } from '../testing/fixtures.js';

const data = datasetOf('ex:a ex:p 1 . ex:b ex:p 2 . ex:c ex:p 3');
const PATTERN = '?s ex:p ?o';

test.each([
  ['{ SELECT ?s { ?s ex:p ?o } ORDER BY ?s LIMIT 0 }', '', []],
  ['{ SELECT ?s { ?s ex:p ?o } ORDER BY ?s LIMIT 2 }', '', ['a', 'b']],
  ['{ SELECT ?s { ?s ex:p ?o } ORDER BY ?s OFFSET 2 }', '', ['c']],
  ['{ SELECT ?s { ?s ex:p ?o } ORDER BY ?s LIMIT 2 }', 'LIMIT 1', ['a']],
  ['{ SELECT ?s { ?s ex:p ?o } ORDER BY ?s LIMIT 2 }', 'OFFSET 1', ['b']],
  ['{ { SELECT ?s { ?s ex:p ?o } ORDER BY ?s LIMIT 1 } }', '', ['a']],
  [PATTERN, 'ORDER BY ?s LIMIT 2', ['a', 'b']],
  [PATTERN, 'ORDER BY ?s LIMIT 0', []],
] as const)('WHERE { %s } %s', async (pattern, modifiers, found) => {
  for (const options of [{}, { unoptimised: true }]) {
    const asked = (head: string): Promise<string[] | boolean> =>
      data.then((dataset) => answer(`${head} WHERE { ${pattern} } ${modifiers}`, dataset, options));
    expect(await asked('SELECT ?s')).toEqual(found.map((name) => `s=ex:${name}`));
    expect(await asked('CONSTRUCT { ?s ex:q ?s }')).toEqual(found.map((name) => `ex:${name} ex:q ex:${name}`));
    expect(await asked('DESCRIBE ?s')).toHaveLength(found.length);
    expect(await asked('ASK')).toBe(found.length > 0);
  }
});

test.each([
  ['OFFSET 2', true],
  ['OFFSET 3', false],
  ['LIMIT 5 OFFSET 2', true],
  ['LIMIT 0', false],
])('ASK { … } %s', async (modifiers, found) => {
  expect(await answer(`ASK { ${PATTERN} } ${modifiers}`, await data)).toBe(found);
});
