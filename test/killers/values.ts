/** Expressions: strings and numbers that grow, new terms without end, regular expressions. */
import { any, bounded, endless, greedy, type Killer, large, list, matching, repeat } from './killer.js';

/** The variable is put into its own function so many times. */
const grown = (first: string, step: (variable: string) => string, times: number): string =>
  `SELECT (STRLEN(STR(?v${String(times)})) AS ?l) { BIND(${first} AS ?v0) ${list(
    times,
    (i) => `BIND(${step(`?v${String(i)}`)} AS ?v${String(i + 1)})`,
  )} }`;
/** Solutions of so many items each with each. */
const CROSS = '?a <urn:n> ?x . ?b <urn:n> ?y';
const HUGE = `${CROSS} . ?c <urn:n> ?z`;

export const strings: readonly Killer[] = [
  greedy(
    'CONCAT doubles',
    grown('"x"', (v) => `CONCAT(${v}, ${v})`, 60),
  ),
  greedy(
    'CONCAT of eight',
    grown('"x"', (v) => `CONCAT(${list(8, () => v, ',')})`, 30),
  ),
  any(
    'REPLACE grows',
    grown('"xx"', (v) => `REPLACE(${v}, "x", "xxxxxxxx")`, 40),
  ),
  any(
    'REPLACE doubles by groups',
    grown('"xx"', (v) => `REPLACE(${v}, "(x)", "$1$1$1$1")`, 60),
  ),
  any(
    'ENCODE_FOR_URI grows',
    grown('"%"', (v) => `ENCODE_FOR_URI(REPLACE(${v}, "[0-9]", "%%"))`, 60),
  ),
  greedy(
    'UCASE grows',
    grown('"ß"', (v) => `CONCAT(UCASE(${v}), ${v})`, 60),
  ),
  greedy(
    'STRLANG grows',
    grown('"x"', (v) => `STR(STRLANG(CONCAT(${v}, ${v}), "en"))`, 60),
  ),
  greedy(
    'IRI grows',
    grown('"urn:x"', (v) => `STR(IRI(CONCAT(${v}, ${v})))`, 60),
  ),
  greedy(
    'the parts of IF and COALESCE grow',
    grown('"x"', (v) => `COALESCE(IF(true, CONCAT(${v}, ${v}), 1), 2)`, 60),
  ),
  bounded(
    'a part of a doubled string is kept',
    `SELECT ?v { ${CROSS} BIND(SUBSTR(CONCAT(${list(2000, () => 'STR(?a)', ',')}, STR(?y)), 3) AS ?v) } ORDER BY ?v`,
  ),
  greedy('GROUP_CONCAT', `SELECT (STRLEN(GROUP_CONCAT(CONCAT(STR(?a), STR(?b)))) AS ?l) { ${CROSS} }`),
  greedy(
    'GROUP_CONCAT of long literals',
    `SELECT (STRLEN(GROUP_CONCAT(?t)) AS ?l) { ?s <urn:long> ?t . ?a <urn:n> ?x }`,
  ),
  greedy(
    'a long separator',
    () => `SELECT (STRLEN(GROUP_CONCAT(?x; SEPARATOR="${repeat('a', 500_000)}")) AS ?l) { ?a <urn:n> ?x }`,
  ),
  greedy('GROUP_CONCAT in many groups', `SELECT ?y (GROUP_CONCAT(STR(?a)) AS ?l) { ${CROSS} } GROUP BY ?y`),
  bounded(
    'long literals made new',
    `SELECT (COUNT(DISTINCT ?v) AS ?c) { ?s <urn:long> ?t . ?a <urn:n> ?x BIND(CONCAT(?t, STR(?x)) AS ?v) }`,
  ),
  bounded(
    'long literals in order',
    `SELECT ?v { ?s <urn:long> ?t . ?a <urn:n> ?x BIND(CONCAT(STR(?x), ?t) AS ?v) } ORDER BY ?v`,
  ),
  bounded(
    'long literals in groups',
    `SELECT ?v (COUNT(*) AS ?c) { ?s <urn:long> ?t . ?a <urn:n> ?x BIND(CONCAT(?t, STR(?x)) AS ?v) } GROUP BY ?v`,
  ),
  any(
    'hashes of long texts',
    `SELECT (COUNT(DISTINCT ?v) AS ?c) { ?s <urn:long> ?t . ?a <urn:n> ?x BIND(SHA512(CONCAT(?t, STR(?x))) AS ?v) }`,
  ),
  large(
    'triple terms within one another',
    grown('<<( <urn:a> <urn:b> 1 )>>', (v) => `TRIPLE(<urn:a>, <urn:b>, ${v})`, 3000),
  ),
];

/** Each item within triple terms of this depth, each of which is kept. */
const nestedTriples = (depth: number, result: string): string =>
  `SELECT ${result} { ?a <urn:n> ?x BIND(TRIPLE(?a, <urn:b>, ?x) AS ?v0) ${list(
    depth,
    (i) => `BIND(TRIPLE(?a, <urn:b>, ?v${String(i)}) AS ?v${String(i + 1)})`,
  )} }`;

export const triples: readonly Killer[] = [
  bounded('triple terms of each item', nestedTriples(300, '(COUNT(?v300) AS ?c)')),
  bounded('triple terms of each item, distinct', nestedTriples(100, '(COUNT(DISTINCT ?v100) AS ?c)')),
  any('triple terms of each item, all', `${nestedTriples(40, '*')} ORDER BY ?v40`),
];

/** What is asked of a text of 300,000 characters, once for each item. */
const long = (name: string, expression: string): Killer =>
  any(
    `${name} of a long text`,
    `SELECT (COUNT(${expression}) AS ?c) { BIND("xé😀x" AS ?v0) ${list(16, (i) => `BIND(CONCAT(?v${String(i)}, ?v${String(i)}) AS ?v${String(i + 1)})`)} ?a <urn:n> ?n }`,
  );

export const longTexts: readonly Killer[] = [
  long('REGEX', 'REGEX(CONCAT(?v16, STR(?n)), "(x|xx)+y")'),
  long('REGEX without case', 'REGEX(CONCAT(?v16, STR(?n)), "(a|b|c|é)+z$", "i")'),
  long('REGEX of a counted class', 'REGEX(CONCAT(?v16, STR(?n)), "[a-zé😀]{900}#")'),
  long('REPLACE', 'REPLACE(CONCAT(?v16, STR(?n)), "x", "y")'),
  long('REPLACE of every character', 'REPLACE(CONCAT(?v16, STR(?n)), ".", "$0")'),
  long('SHA512', 'SHA512(CONCAT(?v16, STR(?n)))'),
  long('UCASE', 'UCASE(CONCAT(?v16, STR(?n)))'),
  long('ENCODE_FOR_URI', 'ENCODE_FOR_URI(CONCAT(?v16, STR(?n)))'),
  long('SUBSTR', 'SUBSTR(CONCAT(?v16, STR(?n)), 100000, 100000)'),
  long('CONTAINS', 'CONTAINS(CONCAT(?v16, STR(?n)), "xxxxxxxy")'),
  long('IRI', 'IRI(CONCAT("urn:", ?v16, STR(?n)))'),
  long('a cast', '<http://www.w3.org/2001/XMLSchema#dateTime>(CONCAT(?v16, STR(?n)))'),
  long('DISTINCT', 'DISTINCT CONCAT(?v16, STR(?n))'),
];

export const numbers: readonly Killer[] = [
  any(
    'squares',
    grown('9', (v) => `(${v} * ${v})`, 100),
  ),
  any(
    'squares of decimals',
    grown('9.9', (v) => `(${v} * ${v})`, 100),
  ),
  large(
    'quotients',
    grown('1.1', (v) => `(${v} / 3.7)`, 2000),
  ),
  any(
    'long numbers, new ones',
    `SELECT (COUNT(DISTINCT ?v) AS ?c) { ${CROSS} BIND((?x + ${repeat('7', 4000)}) * 3 + ?y AS ?v) }`,
  ),
  any('long numbers in order', `SELECT ?v { ${CROSS} BIND(?x + ${repeat('7', 4000)} + ?y AS ?v) } ORDER BY ?v`),
  any('sums of long numbers', `SELECT (SUM(${repeat('7', 4000)} + ?x) AS ?v) { ${CROSS} }`),
  any(
    'casts of long texts',
    `SELECT (COUNT(?v) AS ?c) { ?s <urn:long> ?t . ?a <urn:n> ?x BIND(<http://www.w3.org/2001/XMLSchema#integer>(REPLACE(?t, "[^0-9]", "7")) AS ?v) }`,
  ),
];

const flood = (call: string): Killer[] => [
  bounded(`DISTINCT ${call}`, `SELECT (COUNT(*) AS ?c) { SELECT DISTINCT ?v { ${HUGE} BIND(${call} AS ?v) } }`),
  bounded(`ORDER BY ${call}`, `SELECT ?v { ${HUGE} BIND(${call} AS ?v) } ORDER BY ?v`),
  bounded(`GROUP BY ${call}`, `SELECT ?v (COUNT(*) AS ?c) { ${HUGE} } GROUP BY (${call} AS ?v)`),
];

export const floods: readonly Killer[] = [
  ...['UUID()', 'STRUUID()', 'BNODE()', 'RAND()', 'CONCAT(STR(?a), STR(?b), STR(?z))'].flatMap(flood),
  bounded('COUNT DISTINCT', `SELECT (COUNT(DISTINCT UUID()) AS ?c) { ${HUGE} }`),
  bounded('SAMPLE in many groups', `SELECT ?x ?y ?z (SAMPLE(STRUUID()) AS ?v) { ${HUGE} } GROUP BY ?x ?y ?z`),
  bounded(
    'MIN and MAX in many groups',
    `SELECT ?x ?y ?z (MIN(STRUUID()) AS ?v) (MAX(STRUUID()) AS ?w) { ${HUGE} } GROUP BY ?x ?y ?z`,
  ),
  bounded('computed keys of ORDER BY', `SELECT ?a { ${HUGE} } ORDER BY STRUUID()`),
  bounded(
    'computed keys of a hash join',
    `SELECT (COUNT(*) AS ?c) { { SELECT ?v { ${HUGE} BIND(STRUUID() AS ?v) } } { SELECT ?v { ${HUGE} BIND(STRUUID() AS ?v) } } }`,
  ),
  bounded('quads of CONSTRUCT', `CONSTRUCT { [] ?v [] } { ${HUGE} BIND(UUID() AS ?v) FILTER(STRLEN(STR(?v)) < 0) }`),
  bounded('labels of BNODE', `SELECT (COUNT(?v) AS ?c) { ${HUGE} BIND(BNODE(STRUUID()) AS ?v) }`),
];

const regex = (name: string, pattern: string, text = '?t'): Killer =>
  matching(name, `SELECT (COUNT(*) AS ?c) { ?s <urn:long> ?t . ?a <urn:n> ?x FILTER REGEX(${text}, ${pattern}) }`);

export const expressions: readonly Killer[] = [
  regex('(a+)+$', '"(a+)+$"'),
  regex('(a|aa)+$', '"(a|aa)+$"'),
  regex('(a*)*b', '"(a*)*b"'),
  regex('(.*)(.*)(.*)(.*)(.*)b', '"(.*)(.*)(.*)(.*)(.*)b"'),
  regex('(a|a|a|a)*b', '"(a|a|a|a)*b"', 'CONCAT(?t, ?t)'),
  regex('counted', '"(a{1,999}){1,999}b"'),
  regex('a long pattern', `"${repeat('(a|b)', 20_000)}"`),
  regex('a computed pattern', 'CONCAT("(", SUBSTR(?t, 1, 5000), "+)+", STR(?x))'),
  any(
    'a replacement that backtracks',
    `SELECT (COUNT(?v) AS ?c) { ?s <urn:long> ?t . ?a <urn:n> ?x BIND(REPLACE(?t, "(a+)+b", "x") AS ?v) }`,
  ),
  matching(
    'a pattern of many classes',
    () => `ASK { ?s <urn:n> ?n FILTER REGEX(STR(?n), "${repeat('[a-z]', 150_000)}") }`,
  ),
  endless(
    'a comparison for each pair',
    `SELECT (COUNT(*) AS ?c) { ${HUGE} FILTER(STRLEN(CONCAT(STR(?a), STR(?b), STR(?c))) < 5) }`,
  ),
];
