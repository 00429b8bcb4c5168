/** Patterns: cross joins, tables of all rows, paths over everything, and updates of them. */
import { any, anyUpdate, bounded, boundedUpdate, endless, type Killer, list, refusedUpdate, repeat } from './killer.js';

const CROSS = '?a <urn:k> ?x . ?b <urn:k> ?y . ?c <urn:k> ?z';

export const joins: readonly Killer[] = [
  endless(
    'a cross join that is counted',
    `SELECT (COUNT(*) AS ?n) { ${CROSS} FILTER(?x != ?y || ?y != ?z || ?a = ?c) }`,
  ),
  bounded('a cross join in order', `SELECT * { ${CROSS} } ORDER BY DESC(?z) ?y ?x`),
  bounded('a cross join, distinct', `SELECT (COUNT(*) AS ?n) { SELECT DISTINCT * { ${CROSS} } }`),
  bounded('a cross join in groups', `SELECT ?a ?x ?b (COUNT(*) AS ?n) { ${CROSS} } GROUP BY ?a ?x ?b ?y`),
  bounded('distinct counts of each group', `SELECT ?a (COUNT(DISTINCT *) AS ?n) { ${CROSS} } GROUP BY ?a`),
  bounded(
    'a table of a cross join',
    `SELECT (COUNT(*) AS ?n) { { SELECT ?a ?b { ${CROSS} } } { SELECT ?a ?b (1 AS ?d) { ${CROSS} } } }`,
  ),
  any(
    'MINUS without shared variables',
    `SELECT (COUNT(*) AS ?n) { ?a <urn:k> ?x MINUS { ?b <urn:k> ?y . ?c <urn:k> ?z } }`,
  ),
  any(
    'MINUS of variables that may be unbound',
    `SELECT (COUNT(*) AS ?n) { { SELECT (UCASE(STR(?a)) AS ?u) (UCASE(STR(?b)) AS ?v) { ?a <urn:k> ?b } } MINUS { SELECT (STR(?a) AS ?u) (STR(?b) AS ?v) { ?a <urn:k> ?b } } }`,
  ),
  any(
    'a join of variables that may be unbound',
    `SELECT (COUNT(*) AS ?n) { { SELECT (UCASE(STR(?a)) AS ?u) (UCASE(STR(?b)) AS ?v) { ?a <urn:k> ?b } } { SELECT (STR(?a) AS ?u) (STR(?b) AS ?v) { ?a <urn:k> ?b } } }`,
  ),
  bounded(
    'OPTIONAL without shared variables',
    `SELECT (COUNT(*) AS ?n) { ?a <urn:k> ?x OPTIONAL { ?b <urn:k> ?y OPTIONAL { ?c <urn:k> ?z } FILTER(?x != ?y) } }`,
  ),
  any(
    'NOT EXISTS of a cross join',
    `SELECT (COUNT(*) AS ?n) { ?a <urn:k> ?x FILTER NOT EXISTS { ?b <urn:k> ?y . ?c <urn:k> ?z FILTER(?y = ?a && ?z = ?b && ?y = ?z) } }`,
  ),
  any('a triangle of all', 'SELECT (COUNT(*) AS ?n) { ?a ?p ?b . ?b ?q ?c . ?c ?r ?a }'),
  any(
    'cliques of four',
    'SELECT (COUNT(*) AS ?n) { ?a <urn:k> ?b . ?b <urn:k> ?c . ?c <urn:k> ?d . ?d <urn:k> ?a . ?a <urn:k> ?c }',
  ),
  any('DESCRIBE of everything', 'DESCRIBE ?s { ?s ?p ?o . ?t ?q ?r }'),
  any('a deep OFFSET', `SELECT * { ${CROSS} } OFFSET 100000000000 LIMIT 1`),
  bounded('a large LIMIT in order', `SELECT * { ${CROSS} } ORDER BY ?x LIMIT 1000000000`),
  any(
    'unions multiply',
    `SELECT (COUNT(*) AS ?n) { ${list(30, (i) => `{ ?a <urn:k> ?b${String(i)} } UNION { ?b${String(i)} <urn:k> ?a }`)} }`,
  ),
];

const path = (name: string, pattern: string): Killer => any(name, `SELECT (COUNT(*) AS ?n) { ${pattern} }`);

export const paths: readonly Killer[] = [
  path('a closure of a clique', '?a <urn:k>+ ?b'),
  path('a closure with length zero', '?a <urn:k>* ?b'),
  path('closures in a row', '?a <urn:k>* ?b . ?b <urn:k>* ?c . ?c <urn:k>* ?d'),
  path('closures within one another', '?a ((<urn:k>*)*)* ?b'),
  path('a closure both ways', '?a (<urn:k>|^<urn:k>)+ ?b'),
  path('a closure of everything', '?a (!<urn:none>|!^<urn:none>)* ?b'),
  path('a closure that returns', '?a <urn:k>+ ?a . ?b (<urn:k>/<urn:k>)+ ?b'),
  path('a sequence of closures', '?a <urn:k>*/<urn:k>*/<urn:k>*/<urn:k>* ?b'),
  path('walks of a clique', `?a ${list(12, () => '<urn:k>', '/')} ?b`),
  bounded(
    'pairs of a closure, twice',
    'SELECT (COUNT(*) AS ?n) { SELECT DISTINCT ?a ?b ?c ?d { ?a <urn:k>+ ?b . ?c <urn:k>+ ?d } }',
  ),
];

export const updates: readonly Killer[] = [
  boundedUpdate('INSERT of a cross join', `INSERT { ?a ?y ?z } WHERE { ${CROSS} }`),
  boundedUpdate('INSERT of new IRIs', `INSERT { ?v <urn:new> ?z } WHERE { ${CROSS} BIND(UUID() AS ?v) }`),
  boundedUpdate('INSERT of blank nodes', `INSERT { [] <urn:new> [ <urn:new> [] ] } WHERE { ${CROSS} }`),
  boundedUpdate(
    'INSERT of long texts',
    `INSERT { ?a <urn:new> ?v } WHERE { ?s <urn:long> ?t . ?a <urn:n> ?x . ?b <urn:n> ?y BIND(CONCAT(?t, STRUUID()) AS ?v) }`,
  ),
  boundedUpdate('DELETE of a cross join', `DELETE { ?a <urn:none> ?z } WHERE { ${CROSS} }`),
  boundedUpdate(
    'a template for each solution',
    () => `INSERT { ${list(2000, (i) => `?a <urn:q${String(i)}> ?y .`)} } WHERE { ${CROSS} }`,
  ),
  boundedUpdate('many operations', () =>
    list(
      2000,
      (i) => `INSERT { ?v <urn:o${String(i)}> 1 } WHERE { ?a <urn:n> ?x . ?b <urn:n> ?y BIND(UUID() AS ?v) }`,
      ';',
    ),
  ),
  anyUpdate('operations that do nothing', () => list(30_000, (i) => `CREATE SILENT GRAPH <urn:g${String(i)}>`, ';')),
  anyUpdate('operations on graphs', () => list(20_000, (i) => `CLEAR SILENT GRAPH <urn:g${String(i)}>`, ';')),
  refusedUpdate('LOAD of a private address', 'LOAD <http://127.0.0.1:1/x>'),
  refusedUpdate('an open INSERT DATA', () => `INSERT DATA { ${repeat('<urn:a> <urn:b> ', 60_000)}`),
];
