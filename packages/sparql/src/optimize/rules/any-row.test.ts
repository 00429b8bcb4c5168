import { describe, expect, test } from 'vitest';
import { answer, datasetOf } from '../../testing/fixtures.js';
import { rewritten } from '../../testing/rules.js';
import { anyRowOf } from './any-row.js';

const PLAIN = 'SELECT ?b { ?b ex:q ?c }';

describe('shapes', () => {
  test.each([
    'SELECT DISTINCT ?b { ?b ex:q ?c }',
    'SELECT REDUCED ?b { ?b ex:q ?c }',
    'SELECT ?b { ?b ex:q ?c } ORDER BY ?c',
    'SELECT ?b { ?b ex:q ?c } LIMIT 1',
    'SELECT DISTINCT ?b { ?b ex:q ?c } ORDER BY DESC(?c) LIMIT 7',
  ])('%s', (group) => {
    expect(rewritten(group, anyRowOf)).toBe(rewritten(PLAIN, (operation) => operation));
  });
  test.each([
    'SELECT ?b { ?b ex:q ?c } LIMIT 0',
    'SELECT ?b { ?b ex:q ?c } OFFSET 1',
    'SELECT ?b { ?b ex:q ?c } ORDER BY ?c LIMIT 1 OFFSET 1',
    'SELECT (COUNT(*) AS ?n) { ?b ex:q ?c }',
    '?b ex:p ?c { SELECT DISTINCT ?b { ?b ex:q ?c } LIMIT 1 }',
  ])('%s stays', (group) => {
    expect(rewritten(group, anyRowOf)).toBe(rewritten(group, (operation) => operation));
  });
});

const data = datasetOf(`ex:a ex:p ex:b , ex:c ; ex:q 2 . ex:b ex:p ex:c ; ex:q 1 , 3 . ex:c ex:q 2 ; ex:r ex:a .`);
const rows = async (group: string): Promise<unknown> => answer(`SELECT * { ${group} }`, await data);

describe.each(['EXISTS', 'NOT EXISTS'])('%s', (word) => {
  const pattern = '?b ex:q ?c FILTER(?c > 1)';
  test.each([
    `SELECT DISTINCT ?b { ${pattern} }`,
    `SELECT ?b { ${pattern} } ORDER BY ?c`,
    `SELECT ?b { ${pattern} } LIMIT 1`,
    `SELECT DISTINCT ?b { ${pattern} } ORDER BY ?c LIMIT 2`,
  ])('{ %s } is that of its pattern, for each row', async (select) => {
    const filtered = (inside: string): string => `?a ex:p ?b FILTER ${word} { ${inside} }`;
    expect(await rows(filtered(select))).toEqual(await rows(filtered(pattern)));
    const marked = (inside: string): string => `?a ex:p ?b BIND((${word} { ${inside} }) AS ?m)`;
    expect(await rows(marked(select))).toEqual(await rows(marked(pattern)));
  });
  test('with LIMIT 0 or an OFFSET past the end has no row', async () => {
    const expected = word === 'EXISTS' ? [] : await rows('?a ex:p ?b');
    expect(await rows(`?a ex:p ?b FILTER ${word} { SELECT ?b { ${pattern} } LIMIT 0 }`)).toEqual(expected);
    expect(await rows(`?a ex:p ?b FILTER ${word} { SELECT ?b { ${pattern} } OFFSET 100 }`)).toEqual(expected);
  });
});
