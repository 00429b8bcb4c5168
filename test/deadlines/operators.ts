/** For each operator of a plan, requests in which it stands many times, or is given much. */
import type { Plan } from '../../packages/sparql/src/plan/plan.js';
import { vectorOf } from './data.js';
import { construct, many, type Shape, where } from './shape.js';

const all = '?x <urn:name> ?n .';

/** A new operator fails to compile here until it has its requests. `n`: how many parts a request has. */
export const operators = (n: number): Readonly<Record<Plan['type'], readonly Shape[]>> => ({
  unit: [
    where(
      'BIND of constants',
      many(n, (i) => `BIND(${i} AS ?b${i})`),
    ),
  ],
  seed: [
    where(
      'EXISTS of groups',
      `${all} ${many(n, (i) => `FILTER EXISTS { ?x <urn:knows> ?y${i} . ?y${i} <urn:age> ?z }`)}`,
    ),
  ],
  values: [
    where('rows of VALUES', `${all} VALUES ?x { ${many(n * 20, (i) => `<urn:s${i}>`)} }`),
    where(
      'rows of VALUES with UNDEF',
      `${all} VALUES (?x ?y) { ${many(n * 20, (i) => `(<urn:s${i}> ${i % 2 === 0 ? 'UNDEF' : i})`)} }`,
    ),
    where(
      'columns of VALUES',
      `${all} VALUES (${many(n, (i) => `?v${i}`)}) { ${many(20, () => `(${many(n, String)})`)} }`,
    ),
    where('VALUES of two', `${all} ${many(n, (i) => `VALUES ?v${i} { 1 2 }`)}`),
  ],
  scan: [
    where(
      'patterns of a star',
      many(n, (i) => `?x <urn:age> ?y${i} .`),
    ),
    where(
      'patterns of a chain',
      many(n, (i) => `?x${i} <urn:knows> ?x${i + 1} .`),
    ),
    where(
      'patterns apart',
      many(n, (i) => `?x${i} <urn:name> ?y${i} .`),
    ),
  ],
  'distinct-scan': [
    where(
      'DISTINCT of a scan',
      many(n, (i) => `{ SELECT DISTINCT ?p${i} { ?s ?p${i} ?o } }`),
    ),
  ],
  count: [
    where(
      'counts',
      many(n, (i) => `{ SELECT (COUNT(*) AS ?c${i}) { ?s <urn:age> ?o } }`),
    ),
  ],
  statistics: [
    where(
      'counts of predicates',
      many(n, (i) => `{ SELECT ?p (COUNT(*) AS ?c${i}) { ?s ?p ?o } GROUP BY ?p }`),
    ),
  ],
  seek: [
    where('OPTIONAL with few matches', `?x <urn:says> ?t . ${many(n, (i) => `OPTIONAL { ?x <urn:age> ?y${i} }`)}`),
    where('NOT EXISTS', `${all} ${many(n, (i) => `FILTER NOT EXISTS { ?x <urn:q${i}> ?y${i} }`)}`),
    where(
      'OPTIONAL chain',
      `<urn:s0> <urn:knows> ?x0 . ${many(n, (i) => `OPTIONAL { ?x${i} <urn:knows> ?x${i + 1} }`)}`,
    ),
  ],
  star: [
    where(
      'a star of many',
      `${all} ${many(n, (i) => `?x <urn:age> ?y${i} .`)} ${many(n, (i) => `OPTIONAL { ?x <urn:q${i}> ?z${i} }`)}`,
    ),
    where(
      'stars of combinations',
      `?x <urn:name> ?n ; <urn:age> ?a ; ${many(4, (i) => `<urn:knows> ?y${i} ;`)} <urn:knows> ?z`,
    ),
    where('stars of friends', `<urn:s0> <urn:knows>+ ?x . ?x <urn:name> ?n ; <urn:age> ?a ; <urn:knows> ?y , ?z .`),
  ],
  'hash-join': [
    where('OPTIONAL without matches', `${all} ${many(n, (i) => `OPTIONAL { ?x <urn:q${i}> ?y${i} }`)}`),
    where('OPTIONAL with a match each', `${all} ${many(n, (i) => `OPTIONAL { ?x <urn:age> ?y${i} }`)}`),
    where('OPTIONAL with many matches', `${all} ${many(n, (i) => `OPTIONAL { ?x <urn:knows> ?y${i} }`)}`),
    where('MINUS', `${all} ${many(n, (i) => `MINUS { ?x <urn:age> ${i + 50} }`)}`),
    where('a join on what may be unbound', '?p <urn:name> ?n OPTIONAL { ?p <urn:age> ?f } ?f <urn:knows> ?m'),
    where('a cross product', '?x <urn:name> ?n . ?y <urn:name> ?m . ?z <urn:name> ?o FILTER(?n < ?m)'),
    where('an OPTIONAL of all pairs', '?x <urn:name> ?n OPTIONAL { ?y <urn:name> ?m FILTER(?n > ?m) }'),
  ],
  'merge-join': [where('joins of neighbours', '?x <urn:knows> ?y . ?z <urn:knows> ?y . ?w <urn:knows> ?y')],
  apply: [
    where(
      'OPTIONAL groups',
      `${all} ${many(n, (i) => `OPTIONAL { ?x <urn:knows> ?y${i} . ?y${i} <urn:rare> ?z${i} }`)}`,
    ),
    where('EXISTS joined by ||', `${all} FILTER(${many(n, (i) => `EXISTS { ?x <urn:q${i}> ?y }`, ' || ')})`),
    where(
      'sub-selects by group',
      `${all} ${many(n, (i) => `{ SELECT ?x (COUNT(?y) AS ?c${i}) { ?x <urn:knows> ?y } GROUP BY ?x }`)}`,
    ),
  ],
  filter: [
    where('FILTER', `${all} ?x <urn:age> ?a ${many(n, (i) => `FILTER(?a != ${i + 100})`)}`),
    where('FILTER of values', `${all} ${many(n, (i) => `FILTER(CONTAINS(?n, "${i % 10}") || ?n != "${i}")`)}`),
    where('||', `${all} FILTER(${many(n * 20, (i) => `?n = "v${i}"`, ' || ')})`),
    where('|| of IRIs', `${all} FILTER(${many(n * 20, (i) => `?x = <urn:v${i}>`, ' || ')})`),
    where('&&', `${all} FILTER(${many(n * 20, (i) => `?n != "v${i}"`, ' && ')})`),
    where('&& of variables', `${all} ?y <urn:name> ?m FILTER(${many(n * 20, () => '?x = ?y', ' && ')})`),
    where('IN', `${all} FILTER(?x IN (${many(n * 20, (i) => `<urn:q${i}>`, ', ')}))`),
    where('NOT IN', `${all} FILTER(?n NOT IN (${many(n * 20, (i) => `"v${i}"`, ', ')}))`),
    where('IN of variables', `${all} FILTER(?n IN (${many(n * 10, (i) => `STR(?x), "v${i}"`, ', ')}))`),
    where('REGEX', `${all} ${many(n, (i) => `FILTER(REGEX(?n, "^name.*[0-${i % 10}]"))`)}`),
    where('REGEX of alternatives', `${all} FILTER(REGEX(?n, "${many(n * 20, (i) => `v${i}`, '|')}"))`),
    where('comparisons', `${all} FILTER(${many(n * 20, () => '(?n < "x")', ' && ')})`),
  ],
  extend: [
    where('BIND', `${all} ${many(n, (i) => `BIND(CONCAT(?n, "${i}") AS ?b${i})`)}`),
    where('BIND of names', `${all} BIND(?n AS ?b0) ${many(n, (i) => `BIND(?b${i} AS ?b${i + 1})`)}`),
    where('BIND of BIND', `?x <urn:age> ?b0 ${many(n, (i) => `BIND(?b${i} + 1 AS ?b${i + 1})`)}`),
    where('+', `?x <urn:age> ?a BIND(${many(n * 20, () => '?a', ' + ')} AS ?b)`),
    where('- and *', `?x <urn:age> ?a BIND(${many(n * 20, (i) => (i % 2 === 0 ? '?a - 1' : '2'), ' * ')} AS ?b)`),
    where('CONCAT', `${all} BIND(CONCAT(${many(n * 20, () => '?n', ', ')}) AS ?u)`),
    where(
      'CONCAT that doubles',
      `${all} BIND(?n AS ?c0) ${many(40, (i) => `BIND(CONCAT(?c${i}, ?c${i}) AS ?c${i + 1})`)}`,
    ),
    where('COALESCE', `${all} BIND(COALESCE(${many(n * 20, (i) => `?z${i}`, ', ')}, ?n) AS ?u)`),
    where('IF in one another', `${all} BIND(${'IF(?n = "a", 1, '.repeat(200)}2${')'.repeat(200)} AS ?u)`),
    where('functions in one another', `${all} BIND(${'UCASE('.repeat(200)}?n${')'.repeat(200)} AS ?u)`),
    where('REPLACE', `${all} BIND(REPLACE(?n, "${many(n, (i) => `v${i}`, '|')}|a", "b") AS ?u)`),
    where('triple terms', `${all} ${many(n, (i) => `BIND(<<( ?x <urn:p${i}> ?n )>> AS ?t${i})`)}`),
  ],
  union: [
    where(
      'UNION',
      many(n, () => `{ ${all} }`, ' UNION '),
    ),
    where(
      'UNION of names',
      many(n, (i) => `{ ?x${i} <urn:name> ?n${i} }`, ' UNION '),
    ),
    where(
      'UNIONs behind one another',
      `${all} ${many(n, (i) => `{ ?x <urn:age> ?a${i} } UNION { ?x <urn:name> ?a${i} }`)}`,
    ),
    where('path alternatives', `?x ${many(n, (i) => `<urn:q${i}>`, '|')}|<urn:knows> ?y`),
  ],
  project: [
    { name: 'projected expressions', text: `SELECT ${many(n, (i) => `(CONCAT(?n, "${i}") AS ?e${i})`)} { ${all} }` },
    { name: 'projected constants', text: `SELECT ${many(n, (i) => `(${i} AS ?e${i})`)} { ${all} }` },
    { name: 'projected names', text: `SELECT ${many(n, (i) => `?e${i}`)} { ${all} }` },
  ],
  distinct: [
    {
      name: 'DISTINCT expressions',
      text: `SELECT DISTINCT ${many(n, (i) => `(CONCAT(?n, "${i}") AS ?e${i})`)} { ${all} }`,
    },
    { name: 'DISTINCT columns', text: `SELECT DISTINCT * { ${many(n, (i) => `?x <urn:knows> ?y${i} .`)} }` },
    where(
      'DISTINCT sub-selects',
      `${all} ${many(n, (i) => `{ SELECT DISTINCT ?x ?y${i} { ?x <urn:age> ?z ; <urn:name> ?y${i} } }`)}`,
    ),
  ],
  slice: [
    where(
      'GRAPH with LIMIT',
      many(n, (i) => `GRAPH ?g${i} { { SELECT ?x { ?x <urn:rare> ?y } LIMIT 1000 } }`),
    ),
    where(
      'sub-selects with LIMIT',
      `${all} ${many(n, (i) => `{ SELECT ?x ?y${i} { ?x <urn:knows> ?y${i} } LIMIT 5000 }`)}`,
    ),
  ],
  sort: [
    { name: 'keys of ORDER BY', text: `SELECT ?x { ${all} } ORDER BY ${many(n, (i) => `CONCAT(?n, "${i}")`)}` },
    {
      name: 'variables of ORDER BY',
      text: `SELECT * { ${all} ${many(n, (i) => `OPTIONAL { ?x <urn:age> ?a${i} }`)} } ORDER BY ${many(n, (i) => `?a${i}`)}`,
    },
    where(
      'sub-selects with ORDER BY',
      `${all} ${many(n, (i) => `{ SELECT ?x ?y${i} { ?x <urn:age> ?y${i} } ORDER BY ?y${i} LIMIT 5000 }`)}`,
    ),
  ],
  group: [
    { name: 'aggregates', text: `SELECT ${many(n, (i) => `(SUM(?a + ${i}) AS ?s${i})`)} { ?x <urn:age> ?a }` },
    {
      name: 'aggregates by group',
      text: `SELECT ?x ${many(n, (i) => `(SUM(?a + ${i}) AS ?s${i})`)} { ?x <urn:age> ?a } GROUP BY ?x`,
    },
    {
      name: 'aggregates of ids',
      text: `SELECT ?x ${many(n, (i) => `(MAX(?a) AS ?s${i}) (COUNT(DISTINCT ?a) AS ?c${i})`)} { ?x <urn:age> ?a } GROUP BY ?x`,
    },
    {
      name: 'GROUP_CONCAT',
      text: `SELECT ?a ${many(n, (i) => `(GROUP_CONCAT(?n; SEPARATOR = "${i}") AS ?s${i})`)} { ?x <urn:age> ?a ; <urn:name> ?n } GROUP BY ?a`,
    },
    {
      name: 'COUNT(DISTINCT *)',
      text: `SELECT ${many(n, (i) => `(COUNT(DISTINCT *) AS ?s${i})`)} { ?x <urn:age> ?a ; <urn:name> ?n }`,
    },
    {
      name: 'keys of GROUP BY',
      text: `SELECT (COUNT(*) AS ?c) { ${all} } GROUP BY ${many(n, (i) => `(CONCAT(?n, "${i}") AS ?g${i})`)}`,
    },
    {
      name: 'HAVING',
      text: `SELECT ?a { ?x <urn:age> ?a } GROUP BY ?a HAVING ${many(n, (i) => `(COUNT(?x) > ${i % 3})`)}`,
    },
  ],
  path: [
    where('paths', `${all} ${many(n, (i) => `?x <urn:knows>+ ?y${i} .`)}`),
    where('paths of all', '?x (<urn:knows>|^<urn:knows>)* ?y'),
    where('path alternatives, repeated', `?x (${many(n, (i) => `<urn:q${i}>`, '|')}|<urn:knows>)+ ?y`),
    where('a path sequence, repeated', `?x (${many(n, () => '<urn:knows>', '/')})+ ?y`),
    where('negated paths, repeated', `?x !(${many(n, (i) => `<urn:q${i}>`, '|')})+ ?y`),
    where('optional steps', `?x ${many(200, () => '<urn:knows>?', '/')} ?y`),
    where('paths in one another', `<urn:s1> ${'('.repeat(200)}<urn:knows>${')*'.repeat(200)} ?y`),
  ],
  'triple-match': [
    where(
      'triple terms of a pattern',
      `?x <urn:says> ?t . ${many(n, (i) => `?x <urn:says> <<( ?a${i} ?b${i} ?c${i} )>> .`)}`,
    ),
  ],
  repository: [
    where('SERVICE of a repository', `${all} ${many(n, (i) => `SERVICE <repo:a/other> { ?x <urn:age> ?y${i} }`)}`),
  ],
  search: [
    where(
      'searches',
      many(n, (i) => `?x <http://jena.apache.org/text#query> "lorem text${i}" .`),
    ),
    where(
      'a search of many words',
      `?x <http://jena.apache.org/text#query> "${many(Math.min(n, 1000), (i) => `w${i}*`)}"`,
    ),
  ],
  nearest: [
    where(
      'questions for vectors',
      many(n, (i) => `?x <urn:quadrille:vector#nearest> ("sense" ${vectorOf(1, i, 2, 3)} 5) .`),
    ),
    where('the nearest of all', `${all} ?x <urn:quadrille:vector#nearest> ("sense" ${vectorOf(1, 1, 2, 3)} 5000)`),
    where('the nearest to each vector', `?x <urn:sense> ?v . ?y <urn:quadrille:vector#nearest> ("sense" ?v 10)`),
  ],
  'value-range': [
    where(
      'ranges',
      many(n, (i) => `?x <urn:weight> ?y${i} FILTER(?y${i} > ${i}.5e0 && ?y${i} < ${i + 1}.5e0)`),
    ),
  ],
  words: [
    where(
      'CONTAINS',
      many(n, (i) => `?x <urn:name> ?n${i} FILTER(CONTAINS(?n${i}, "name${i}"))`),
    ),
    where('CONTAINS of one', `${all} FILTER(${many(n, (i) => `CONTAINS(?n, "ame${i}")`, ' || ')})`),
  ],
  service: [
    where(
      'SERVICE that fails',
      `${all} ${many(n, (i) => `SERVICE SILENT <http://127.0.0.1:1/${i}> { ?x <urn:age> ?y${i} }`)}`,
    ),
  ],
});

/** What is no operator: the parts of the language, and the forms of a request. */
export const language = (n: number): readonly Shape[] => [
  where('a path sequence', `?x ${many(n, () => '<urn:knows>', '/')} ?y`),
  where('groups in one another', `${'{'.repeat(200)} ${all} ${'}'.repeat(200)}`),
  where(
    'groups',
    many(n, () => `{ ${all} }`),
  ),
  where('EXISTS in one another', `${all} ${many(200, () => 'FILTER EXISTS { ?x <urn:age> ?y ')} ${'}'.repeat(200)}`),
  where('sub-selects in one another', `${many(100, () => '{ SELECT * {')} ${all} ${'}}'.repeat(100)}`),
  where(
    'GRAPH',
    many(n, (i) => `GRAPH ?g${i} { ?x <urn:rare> ?y${i} }`),
  ),
  where(
    'one GRAPH',
    many(n, (i) => `GRAPH ?g { ?x <urn:rare> ?y${i} }`),
  ),
  where('negated paths', `?x !(${many(n, (i) => `<urn:q${i}>`, '|')}) ?y`),
  { name: 'FROM', text: `SELECT * ${many(n, (i) => `FROM <urn:g${i}>`)} { ?x <urn:rare> ?y }` },
  {
    name: 'FROM NAMED',
    text: `SELECT * ${many(n, (i) => `FROM NAMED <urn:g${i}>`)} { GRAPH ?g { ?x <urn:rare> ?y } }`,
  },
  { name: 'prefixes', text: `${many(n * 20, (i) => `PREFIX p${i}: <urn:${i}>`)} SELECT * { ${all} }` },
  construct(
    'CONSTRUCT',
    many(n, (i) => `?x <urn:made${i}> ?n .`),
    all,
  ),
  construct(
    'CONSTRUCT of blank nodes',
    many(n, (i) => `?x <urn:made${i}> _:b${i} .`),
    all,
  ),
  { name: 'DESCRIBE', form: 'describe', text: `DESCRIBE ${many(n, (i) => `<urn:s${i}>`)}` },
  { name: 'DESCRIBE of all', form: 'describe', text: 'DESCRIBE ?x ?y { ?x <urn:knows> ?y }' },
  { name: 'a list', text: `SELECT * { ?x <urn:list> (${many(n * 20, String)}) }` },
  {
    name: 'blank nodes in one another',
    text: `SELECT * { ?x <urn:list> ${'[ <urn:p> '.repeat(200)} 1 ${']'.repeat(200)} }`,
  },
];

export const updates = (n: number): readonly Shape[] =>
  [
    {
      name: 'operations',
      text: many(n, (i) => `INSERT { ?x <urn:made${i}> ?n } WHERE { ?x <urn:name> ?n FILTER(?n > "z") }`, ';'),
    },
    { name: 'operations that insert data', text: many(n, (i) => `INSERT DATA { <urn:made${i}> <urn:p> ${i} }`, ';') },
    { name: 'operations that delete', text: many(n, (i) => `DELETE WHERE { ?x <urn:q${i}> ?y }`, ';') },
    { name: 'triples of a template', text: `INSERT { ${many(n, (i) => `?x <urn:made${i}> ?n .`)} } WHERE { ${all} }` },
    { name: 'quads of INSERT DATA', text: `INSERT DATA { ${many(n * 20, (i) => `<urn:made${i}> <urn:p> ${i} .`)} }` },
    {
      name: 'graphs of INSERT DATA',
      text: `INSERT DATA { ${many(n, (i) => `GRAPH <urn:made${i}> { <urn:a> <urn:p> ${i} }`)} }`,
    },
    { name: 'graph operations', text: many(n, (i) => `COPY DEFAULT TO <urn:made${i}>`, ';') },
    {
      name: 'an update of all pairs',
      text: 'INSERT { ?x <urn:pair> ?y } WHERE { ?x <urn:name> ?n . ?y <urn:name> ?m }',
    },
  ].map((shape) => ({ ...shape, form: 'update' as const }));

/** Rows with hundreds of columns: what is read to its end within a second or two. */
export const wide: readonly Shape[] = [
  where('OPTIONAL with a match each', `${all} ${many(80, (i) => `OPTIONAL { ?x <urn:age> ?y${i} }`)}`),
  where('VALUES', `?x <urn:name> ?n VALUES (${many(300, (i) => `?v${i}`)}) { (${many(300, String)}) }`),
];
