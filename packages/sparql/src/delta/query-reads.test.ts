/** What queries read, and which of them are followed by their changes. */
import { termToText } from '@quadrille/model';
import { expect, test } from 'vitest';
import type { EvaluationOptions } from '../engine/options.js';
import { prepare } from '../engine/prepare.js';
import { dependenceOf } from './delta-query.js';

const PREFIXES = { '': 'urn:', xsd: 'http://www.w3.org/2001/XMLSchema#', q: 'urn:quadrille:' };

const dependence = (text: string, options: EvaluationOptions = {}) =>
  dependenceOf(prepare(text, { prefixes: PREFIXES }), options);

/** `predicate graph`, with `*` for any. */
function reads(text: string, options?: EvaluationOptions): string[] | undefined {
  const found = dependence(text, options).reads?.flatMap(({ predicate, graphs }) =>
    (graphs ?? [undefined]).map((graph) => `${short(predicate)} ${short(graph)}`),
  );
  return found && [...new Set(found)].toSorted();
}
const short = (term: Parameters<typeof termToText>[0] | undefined): string =>
  term === undefined ? '*' : term.termType === 'DefaultGraph' ? 'default' : term.value.replace('urn:', '');

test.each<[string, string[] | undefined]>([
  ['{ ?s :p ?o . ?o :q 1 }', [':p', ':q'].map((name) => `${name.slice(1)} default`)],
  ['{ ?s ?p ?o }', ['* default']],
  ['{ GRAPH :g { ?s :p ?o } GRAPH ?h { ?s :q ?o } }', ['p g', 'q *']],
  ['FROM :g FROM :h { ?s :p ?o }', ['p g', 'p h']],
  ['FROM q:all { ?s :p ?o }', ['p *']],
  ['{ GRAPH q:named { ?s :p ?o } }', ['p *']],
  ['{ ?s :p+/(:q|^:r) ?o }', ['p default', 'q default', 'r default']],
  ['{ ?s :p* ?o }', ['* default']],
  ['{ GRAPH :g { ?s !:p ?o } }', ['* g']],
  ['{ GRAPH ?g {} }', ['* *']],
  ['{ GRAPH :g {} }', ['* g']],
  ['{ ?s :p ?o FILTER NOT EXISTS { GRAPH :g { ?o :q ?x FILTER EXISTS { ?x :r ?s } } } }', ['p default', 'q g', 'r g']],
  [
    '{ ?s :p ?o OPTIONAL { ?o :q ?x } MINUS { ?s :r ?x } { SELECT ?s { ?s :t ?u } LIMIT 3 } }',
    ['p default', 'q default', 'r default', 't default'],
  ],
  ['{ ?s :p ?o FILTER(?o < NOW()) }', undefined],
  ['{ ?s :p ?o BIND(RAND() AS ?r) }', undefined],
  ['{ ?s :p ?o } ORDER BY UUID() LIMIT 1', undefined],
  ['{ ?s :p ?o FILTER EXISTS { ?o :q ?x FILTER(RAND() < 0.5) } }', undefined],
  ['{ ?s :p ?o FILTER(:own(?o)) }', undefined],
  ['{ ?s :p ?o FILTER(xsd:integer(?o) > 1) }', ['p default']],
  ['{ SERVICE <http://localhost/> { ?s :p ?o } }', undefined],
  ['FROM <repo:a/b> { ?s :p ?o }', undefined],
  ['{ GRAPH q:blame { ?s :p ?o } }', undefined],
  ['FROM NAMED q:timemap { GRAPH ?g { ?s :p ?o } }', undefined],
])('SELECT * %s reads %j', (rest, expected) => {
  expect(reads(`SELECT * ${rest}`)).toEqual(expected);
});

test('options decide which graphs are read, and values which predicates', () => {
  const text = 'SELECT * { ?s ?p ?o }';
  expect(reads(text, { defaultGraphUris: ['urn:g'] })).toEqual(['* g']);
  expect(reads(text, { unionDefaultGraph: true })).toEqual(['* *']);
  const p = { termType: 'NamedNode', value: 'urn:p' } as never;
  expect(reads(text, { bindings: { p } })).toEqual(['p default']);
  expect(reads(text, { bindings: { wrong: p } })).toBeUndefined();
});

test.each([
  ['SELECT ?s { ?s :p ?o FILTER(?o > 1) BIND(STR(?o) AS ?x) VALUES ?s { :a :b } }', true],
  ['SELECT * { GRAPH ?g { ?s :p ?o FILTER(?o > 1) } } ORDER BY ?o', true],
  ['SELECT * FROM :g { ?s :p/:q _:b . _:b :r [] }', true],
  ['SELECT DISTINCT ?s { ?s :p ?o }', true],
  ['SELECT ?s (COUNT(?o) AS ?n) (COUNT(*) AS ?m) { ?s :p ?o } GROUP BY ?s', true],
  // What has to run again.
  ['SELECT DISTINCT ?x { ?s :p ?o BIND(STR(?o) AS ?x) }', false],
  ['SELECT (COUNT(DISTINCT ?o) AS ?n) { ?s :p ?o }', false],
  ['SELECT (COUNT(?x) AS ?n) { ?s :p ?o BIND(1/?o AS ?x) }', false],
  ['SELECT (COUNT(*) AS ?n) { ?s :p ?o } GROUP BY ?s', false],
  ['SELECT (SUM(?o) AS ?n) { ?s :p ?o }', false],
  ['SELECT (COUNT(*) + 1 AS ?n) { ?s :p ?o }', false],
  ['SELECT ?s (COUNT(*) AS ?n) { ?s :p ?o } GROUP BY ?s HAVING(COUNT(*) > 1)', false],
  ['SELECT * { ?s :p ?o } LIMIT 1', false],
  ['SELECT * { ?s :p ?o OPTIONAL { ?o :q ?x } }', false],
  ['SELECT * { { ?s :p ?o } UNION { ?s :q ?o } }', false],
  ['SELECT * { ?s :p+ ?o }', false],
  ['SELECT * { ?s :p ?o FILTER NOT EXISTS { ?s :q ?o } }', false],
  ['SELECT * FROM :g FROM :h { ?s :p ?o }', false],
  ['SELECT * { GRAPH ?g { ?s :p ?o FILTER(?g != :h) } }', false],
  ['SELECT * { GRAPH ?g { ?s :p ?o } GRAPH ?h {} }', false],
  ['SELECT * {}', false],
])('%s is followed by its changes: %j', (text, expected) => {
  expect(dependence(text).delta !== undefined).toBe(expected);
});
