/** How much is done to plan large requests, in steps: the time depends on the machine. */
import { dataFactory, iri } from '@quadrille/model';
import { describe, expect, test } from 'vitest';
import { WHOLE_DATASET } from '../dataset/dataset-view.js';
import { parseSparql } from '../syntax/parse.js';
import { ArrayIdDataset } from '../testing/array-id-dataset.js';
import { columnsOf } from '../algebra/substitute-variables.js';
import { planOperation } from './planner.js';

const EX = 'http://example.org/';
const prefixes = { ex: EX };
const quads = Array.from({ length: 40 }, (_, i) =>
  dataFactory.quad(
    iri(`${EX}s${i % 8}`),
    iri(`${EX}p${i % 4}`),
    iri(`${EX}s${(i * 7) % 8}`),
    i % 3 === 0 ? iri(`${EX}g${i % 2}`) : dataFactory.defaultGraph(),
  ),
);
const dataset = new ArrayIdDataset(quads);

/** The steps of planning a text. */
async function stepsOf(text: string): Promise<number> {
  const parsed = parseSparql(text, { prefixes });
  if (parsed.kind === 'update') throw new Error('not a query');
  const steps = { used: 0, most: 200_000 };
  await planOperation(parsed.algebra, columnsOf(parsed.algebra), dataset, WHOLE_DATASET, (term) => term, { steps });
  return steps.used;
}

const PATTERNS = 3000;
const many = (pattern: (i: number) => string, count = PATTERNS): string =>
  Array.from({ length: count }, (_, i) => pattern(i)).join(' . ');
const LARGE: Readonly<Record<string, string>> = {
  chain: many((i) => `?x${i} ex:p${i % 4} ?x${i + 1}`),
  star: many((i) => `?x ex:p${i % 4} ?o${i}`),
  clique: many((i) => `?x${Math.floor(Math.sqrt(2 * i))} ex:p${i % 4} ?x${i % 77}`),
  apart: many((i) => `?a${i} ex:p${i % 4} ?b${i}`),
  'one after the other': Array.from({ length: 500 }, (_, i) => `OPTIONAL { ?x ex:p${i % 4} ?o${i} }`).join(' '),
};

const nest = (times: number, open: (level: number) => string, close: string, inner = '?a ex:p0 ?b'): string => {
  let text = '';
  for (let level = 0; level < times; level++) text += open(level);
  return text + inner + close.repeat(times);
};
const DEPTH = 500;
const NESTED: Readonly<Record<string, string>> = {
  groups: nest(DEPTH, () => '{ ', ' }'),
  'groups with patterns': nest(DEPTH, (i) => `{ ?x ex:p${i % 4} ?y${i} . `, ' }'),
  OPTIONAL: nest(DEPTH, (i) => `OPTIONAL { ?x ex:p${i % 4} ?y${i} . `, ' }'),
  'OPTIONAL in a chain': nest(DEPTH, (i) => `OPTIONAL { ?y${i} ex:p${i % 4} ?y${i + 1} . `, ' }'),
  'OPTIONAL with filters': nest(DEPTH, (i) => `OPTIONAL { ?x ex:p${i % 4} ?y${i} FILTER(?y${i} > 1) `, ' }'),
  'OPTIONAL with conditions': nest(DEPTH, (i) => `OPTIONAL { FILTER(?x > ?y${i}) ?x ex:p${i % 4} ?y${i} . `, ' }'),
  MINUS: nest(DEPTH, (i) => `?x ex:p${i % 4} ?y${i} MINUS { `, ' }'),
  UNION: nest(DEPTH, (i) => `{ ?x ex:p${i % 4} ?y${i} } UNION { `, ' }'),
  'UNION with patterns': nest(DEPTH, (i) => `?x ex:p${i % 4} ?z${i} . { ?x ex:p1 ?y${i} } UNION { `, ' }'),
  'sub-selects': nest(DEPTH / 2, (i) => `{ SELECT * { ?x ex:p${i % 4} ?y${i} . `, ' } }'),
  'DISTINCT sub-selects': nest(DEPTH / 2, (i) => `{ SELECT DISTINCT * { ?x ex:p${i % 4} ?y${i} . `, ' } }'),
  'groups by a key': nest(
    DEPTH / 2,
    (i) => `{ SELECT ?x (COUNT(*) AS ?c${i}) { ?x ex:p${i % 4} ?y${i} . `,
    ' } GROUP BY ?x }',
  ),
  LIMIT: nest(DEPTH / 2, (i) => `{ SELECT * { ?x ex:p${i % 4} ?y${i} . `, ' } LIMIT 5 }'),
  BIND: nest(DEPTH, (i) => `{ BIND(${i} AS ?b${i}) `, ' }'),
  FILTER: nest(DEPTH, (i) => `{ FILTER(?x > ${i}) `, ' }'),
  EXISTS: nest(DEPTH, (i) => `?x ex:p${i % 4} ?y${i} FILTER EXISTS { `, ' }'),
  'NOT EXISTS': nest(DEPTH, (i) => `?x ex:p${i % 4} ?y${i} . ?y${i} ex:p1 ?z FILTER NOT EXISTS { `, ' }'),
  GRAPH: nest(DEPTH, (i) => `GRAPH ?g${i} { ?x ex:p${i % 4} ?y${i} . `, ' }'),
  'one GRAPH': nest(DEPTH, (i) => `GRAPH ?g { ?x ex:p${i % 4} ?y${i} . `, ' }'),
  'GRAPH with BIND': nest(DEPTH, (i) => `GRAPH ?g${i} { BIND(1 AS ?b${i}) ?x ex:p${i % 4} ?y${i} . `, ' }'),
  'GRAPH with LIMIT': nest(DEPTH / 4, (i) => `GRAPH ?g${i} { { SELECT * { ?x ex:p${i % 4} ?y${i} . `, ' } LIMIT 3 } }'),
  VALUES: nest(DEPTH, (i) => `{ VALUES ?x { ex:s1 ex:s2 } ?x ex:p${i % 4} ?y${i} . `, ' }'),
  paths: nest(DEPTH, (i) => `{ ?x ex:p${i % 4}* ?y${i} . `, ' }'),
  'nested paths': `?x ${'('.repeat(DEPTH)}ex:p0${'/ex:p1)*'.repeat(DEPTH)} ?y`,
  'alternative paths': `?x ${'('.repeat(DEPTH)}ex:p0${'|ex:p1)+'.repeat(DEPTH)} ?y`,
};

const STEPS_PER_PART = 100;

describe.each(Object.entries(LARGE))('%s', (_, group) => {
  test.each(['SELECT *', 'SELECT ?x'])('is planned in few steps: %s', async (select) => {
    expect(await stepsOf(`${select} { ${group} }`)).toBeLessThan(PATTERNS * STEPS_PER_PART);
  });
});

describe.each(Object.entries(NESTED))('nested: %s', (_, group) => {
  test('is planned in few steps', async () => {
    expect(await stepsOf(`SELECT ?x { ${group} }`)).toBeLessThan(DEPTH * STEPS_PER_PART);
  });
});
