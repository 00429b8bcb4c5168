import { expect, test } from 'vitest';
import { prepare } from '../index.js';
import type { UpdateOperation } from './algebra.js';
import { readPredicates } from './read-predicates.js';

function read(where: string): readonly string[] | 'anything' {
  const { algebra } = prepare(`PREFIX : <urn:> INSERT { :x :y :z } WHERE { ${where} }`);
  const [operation] = algebra as readonly UpdateOperation[];
  const found = readPredicates((operation as UpdateOperation & { type: 'deleteinsert' }).where!);
  return found?.map(({ value }) => value.slice('urn:'.length)).toSorted() ?? 'anything';
}

test.each([
  ['BIND(NOW() AS ?now) VALUES ?v { 1 2 }', []],
  ['?s :p ?o ; :q ?r', ['p', 'q']],
  ['?s :p ?o OPTIONAL { ?s :q ?r } MINUS { ?s :r ?t } { ?s :u ?v } UNION { ?s :w ?v }', ['p', 'q', 'r', 'u', 'w']],
  ['?s :p ?o FILTER NOT EXISTS { ?s :q ?r FILTER EXISTS { ?r :t ?u } }', ['p', 'q', 't']],
  ['?s :p ?o BIND(EXISTS { ?s :q ?r } AS ?b)', ['p', 'q']],
  ['{ SELECT ?s (COUNT(*) AS ?n) { ?s :p ?o } GROUP BY ?s HAVING (EXISTS { ?s :q 1 }) }', ['p', 'q']],
  ['?s :p/:q|^:r ?o . ?o :t+ ?u', ['p', 'q', 'r', 't']],
  ['GRAPH :g { ?s :p ?o }', ['p']],
  ['GRAPH ?g { ?s :p ?o OPTIONAL { ?s :q ?r } }', ['p', 'q']],
] as const)('%s', (where, predicates) => {
  expect(read(where)).toEqual(predicates);
});

test.each([
  '?s ?p ?o',
  '?s :p ?o . ?s ?p ?r',
  '?s :p* ?o',
  '?s :p? ?o',
  '?s !:p ?o',
  '?s :p ?o FILTER NOT EXISTS { ?s ?q ?r }',
  'GRAPH ?g { }',
  'GRAPH :g { BIND(1 AS ?x) }',
  'GRAPH ?g { OPTIONAL { ?s :p ?o } MINUS { ?s :q ?r } BIND(1 AS ?x) }',
])('%s: anything', (where) => {
  expect(read(where)).toBe('anything');
});
