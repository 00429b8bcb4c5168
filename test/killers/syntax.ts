/** Texts: deep nesting, long tokens, many parts. */
import { answered, any, type Killer, large, list, refused, repeat, slow } from './killer.js';

const nested = (name: string, open: string, inner: string, close: string, depth: number): Killer =>
  refused(`${name}, ${String(depth)} deep`, () => `ASK { ${repeat(open, depth)}${inner}${repeat(close, depth)} }`);
/** Within the bound of nesting. */
const within = (name: string, open: string, inner: string, close: string, depth: number): Killer =>
  any(`${name}, ${String(depth)} deep`, () => `ASK { ${repeat(open, depth)}${inner}${repeat(close, depth)} }`);

export const nesting: readonly Killer[] = [
  refused('parentheses', () => `ASK { FILTER(${repeat('(', 400_000)}1${repeat(')', 400_000)}) }`),
  refused('negations', () => `ASK { FILTER(${repeat('!', 900_000)}true) }`),
  refused('signs', () => `ASK { FILTER(${repeat('- ', 400_000)}1) }`),
  refused('blank nodes', () => `ASK { ?s ?p ${repeat('[ <urn:p> ', 50_000)}1${repeat(' ]', 50_000)} }`),
  refused('lists', () => `ASK { ?s ?p ${repeat('( ', 200_000)}1${repeat(' )', 200_000)} }`),
  refused('triple terms', () => `ASK { ?s ?p ${repeat('<<( ?a ?b ', 50_000)}1${repeat(' )>>', 50_000)} }`),
  refused('paths', () => `ASK { ?s ${repeat('(', 200_000)}<urn:p>${repeat(')*', 200_000)} ?o }`),
  refused('inverse paths', () => `ASK { ?s ${repeat('(^', 200_000)}<urn:p>${repeat(')', 200_000)} ?o }`),
  refused('calls', () => `ASK { FILTER(${repeat('STR(', 100_000)}1${repeat(')', 100_000)}) }`),
  refused('calls of IF', () => `ASK { FILTER(${repeat('IF(1,', 100_000)}1${repeat(',2)', 100_000)}) }`),
  nested('groups', '{ ', '?s ?p ?o', ' }', 200_000),
  nested('sub-selects', '{ SELECT * { ', '?s ?p ?o', ' } }', 30_000),
  nested('optionals', 'OPTIONAL { ?s ?p ?o ', '', ' }', 30_000),
  nested('not exists', 'FILTER NOT EXISTS { ?s ?p ?o ', '', ' }', 20_000),
  nested('minus', 'MINUS { ?s ?p ?o ', '', ' }', 30_000),
  nested('graphs', 'GRAPH ?g { ', '?s ?p ?o', ' }', 30_000),
  refused('open braces', () => repeat('{', 1_000_000)),
  within('optionals', 'OPTIONAL { ?s <urn:k> ?o ', '', ' }', 480),
  within('unions', '{ ?s <urn:k> ?o } UNION { ', '?s <urn:k> ?o', ' }', 480),
  within('minus', '?s <urn:k> ?o MINUS { ', '?s <urn:k> ?o', ' }', 480),
  within('not exists', '?s <urn:k> ?o FILTER NOT EXISTS { ', '?s <urn:k> ?o', ' }', 400),
  within('sub-selects', '{ SELECT ?s ?o { ', '?s <urn:k> ?o', ' } }', 240),
  within('graphs', 'GRAPH ?g { ', '?s <urn:k> ?o', ' }', 480),
];

export const tokens: readonly Killer[] = [
  refused('blanks in PREFIX', () => `PREFIX ${repeat(' ', 1_000_000)}`),
  refused('comments in PREFIX', () => `PREFIX ${repeat('#\n', 500_000)}`),
  answered('blanks between PREFIX and its name', () => `PREFIX${repeat(' \n', 500_000)}a: <urn:a> ASK {}`),
  answered('comments behind PREFIX', () => `PREFIX a:${repeat(' # PREFIX b:\n', 70_000)} <urn:a> ASK {}`),
  answered('prefixes', () => `${list(30_000, (i) => `PREFIX a${String(i)}: <urn:${String(i)}>`, '\n')} ASK {}`),
  refused('an open string', () => `ASK { ?s ?p "${repeat('a', 1_000_000)} }`),
  refused('an open long string', () => `ASK { ?s ?p """${repeat('"" ', 300_000)} }`),
  refused('an open IRI', () => `ASK { ?s ?p <${repeat('a', 1_000_000)} }`),
  refused('an open comment of brackets', () => `ASK ${repeat('<', 1_000_000)}`),
  any('a long IRI', () => `ASK { ?s ?p <urn:${repeat('a', 1_000_000)}> }`),
  answered('a string of escapes', () => `ASK { ?s <urn:none> "${repeat('\\u0041', 160_000)}" }`),
  refused('broken escapes', () => `ASK { ?s ?p "${repeat('\\uD800', 160_000)}" }`),
  any('digits', () => `ASK { FILTER(${repeat('9', 1_000_000)} > 1) }`),
  any('digits behind the point', () => `ASK { FILTER(0.${repeat('3', 1_000_000)} > 1) }`),
  any('a name of dots', () => `PREFIX a: <urn:> ASK { ?s ?p a:${repeat('b.', 400_000)}c }`),
  any('variables', () => `SELECT ${list(60_000, (i) => `?v${String(i)}`)} {}`),
  refused('unknown words', () => `ASK { ${repeat('SELEKT ', 140_000)} }`),
];

export const parts: readonly Killer[] = [
  large('a chain of patterns', () => `ASK { ${list(10_000, (i) => `?v${String(i)} <urn:k> ?v${String(i + 1)} .`)} }`),
  large('a star of patterns', () => `ASK { ${list(10_000, (i) => `?s <urn:p${String(i)}> ?v${String(i)} .`)} }`),
  large('patterns apart', () => `ASK { ${list(10_000, (i) => `?a${String(i)} ?b${String(i)} ?c${String(i)} .`)} }`),
  large(
    'a clique of patterns',
    () => `ASK { ${list(10_000, (i) => `?v${String(i % 100)} <urn:k> ?v${String(i % 97)} .`)} }`,
  ),
  large('filters', () => `ASK { ?s <urn:n> ?n ${list(10_000, (i) => `FILTER(?n != ${String(i)})`)} }`),
  large('unions', () => `ASK { ${list(10_000, (i) => `{ ?s <urn:p${String(i)}> ?o }`, ' UNION ')} }`),
  large(
    'optionals side by side',
    () => `ASK { ?s <urn:n> ?n ${list(5000, (i) => `OPTIONAL { ?s <urn:k> ?o${String(i)} }`)} }`,
  ),
  large(
    'binds',
    () => `SELECT ?v4999 { BIND(1 AS ?v0) ${list(4999, (i) => `BIND(?v${String(i)} + 1 AS ?v${String(i + 1)})`)} }`,
  ),
  slow('values', () => `ASK { VALUES ?x { ${list(100_000, String)} } }`),
  slow(
    'members of IN',
    () => `SELECT (COUNT(*) AS ?c) { ?s <urn:n> ?n FILTER(?n + 0.5 IN (${list(100_000, String, ',')})) }`,
  ),
  large(
    'aggregates',
    () => `SELECT ${list(5000, (i) => `(SUM(?n + ${String(i)}) AS ?a${String(i)})`)} { ?s <urn:n> ?n }`,
  ),
  large(
    'keys of GROUP BY',
    () => `SELECT (COUNT(*) AS ?c) { ?s <urn:n> ?n } GROUP BY ${list(5000, (i) => `(?n + ${String(i)})`)}`,
  ),
  large('keys of ORDER BY', () => `SELECT ?s { ?s <urn:n> ?n } ORDER BY ${list(3000, (i) => `(?n + ${String(i)})`)}`),
  large('a long path', () => `ASK { ?s ${list(10_000, () => '<urn:k>', '/')} ?o }`),
  large('a path of many alternatives', () => `ASK { ?s (${list(10_000, (i) => `<urn:p${String(i)}>`, '|')})+ ?o }`),
  large('a path of stars', () => `ASK { ?s ${list(5000, () => '<urn:k>*', '/')} <urn:none> }`),
  large(
    'graphs of FROM',
    () => `SELECT (COUNT(*) AS ?c) ${list(40_000, (i) => `FROM <urn:g${String(i)}>`, '\n')} { ?s ?p ?o }`,
  ),
  large('a template', () => `CONSTRUCT { ${list(5000, (i) => `[] <urn:p${String(i)}> ?n .`)} } { ?s <urn:n> ?n }`),
  large(
    'branches of a disjunction',
    () => `ASK { ?s <urn:n> ?n FILTER(${list(30_000, (i) => `?n = -${String(i + 1)}`, ' || ')}) }`,
  ),
];
