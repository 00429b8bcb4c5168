import { describe, expect, test } from 'vitest';
import type { Operation } from '../../algebra/algebra.js';
import { atOnce } from '../../algebra/rewrite.js';
import { groupOf, rewritten } from '../../testing/rules.js';
import { pushFilters } from './push-filters.js';

describe('shapes', () => {
  test.each([
    [
      '?s ex:p ?o OPTIONAL { ?s ex:q ?r } FILTER(?o > 1)',
      '{ ?s ex:p ?o . FILTER((?o > 1)) } OPTIONAL { ?s ex:q ?r . }',
    ],
    [
      '?s ex:p ?o OPTIONAL { ?s ex:q ?r } FILTER(?r > 1)',
      '{ ?s ex:p ?o . OPTIONAL { ?s ex:q ?r . } FILTER((?r > 1)) }',
    ],
    [
      '{ ?s ex:p ?o } UNION { ?s ex:q ?o } FILTER(?o > 1)',
      '{ ?s ex:p ?o . FILTER((?o > 1)) } UNION { ?s ex:q ?o . FILTER((?o > 1)) }',
    ],
    ['?s ex:p ?o BIND(?o + 1 AS ?n) FILTER(?o > 1)', '{ ?s ex:p ?o . FILTER((?o > 1)) } BIND((?o + 1) AS ?n)'],
    ['{ SELECT ?o { ?s ex:p ?o } } FILTER(?o > 1)', '{ SELECT ?o WHERE { ?s ex:p ?o . FILTER((?o > 1)) } }'],
    ['?s ex:p ?o FILTER(?o = ex:a)', 'VALUES (?o) { (ex:a) } ?s ex:p ?o .'],
  ])('%s', (group, expected) => {
    expect(rewritten(group, (operation) => pushFilters(operation))).toBe(expected);
  });
});

test('what was rewritten stays the same object, also inside of others', () => {
  const operation = groupOf('?s ex:p ?o OPTIONAL { ?s ex:q ?r FILTER(?r > 1) } FILTER(?o > 1)');
  const result = atOnce(pushFilters(operation));
  expect(atOnce(pushFilters(operation))).toBe(result);
  expect(atOnce(pushFilters(result))).toBe(result);
  const around = atOnce(pushFilters({ type: 'join', input: [{ type: 'nop' }, result] }));
  expect((around as Operation & { type: 'join' }).input[1]).toBe(result);
});
