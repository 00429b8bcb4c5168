/**
 * Every operator, and every part of the language, with hundreds of its kind: the event loop has its turns, and the request ends by its
 * deadline.
 */
import { open, type Database, type Repository } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataLines, SEARCH } from './data.js';
import { language, operators, updates, wide } from './operators.js';
import { ask } from './ask.js';
import type { Shape } from './shape.js';
import { longestStretch } from './stretch.js';

const SUBJECTS = 5000;
const PARTS = 300;
const TIMEOUT_MS = 120;
/** For requests that are read to their end. */
const LONG_TIMEOUT_MS = 3000;
/**
 * The longest stretch on a processor, in milliseconds, and how often a longer one is tried again: garbage collection and compiling come
 * once.
 */
const LONGEST_MS = 50;
const ATTEMPTS = 4;
/** What may end a request. A constant pattern that is too long is `UNSUPPORTED`. */
const ENDS = ['done', 'QUERY_TIMEOUT', 'QUERY_MEMORY', 'RESULT_TOO_LARGE', 'UNSUPPORTED'];

let db: Database;
let repo: Repository;
/** Without named graphs. */
let other: Repository;
beforeAll(async () => {
  db = await open(':memory:');
  repo = await db.repository('a/r', { create: true });
  await repo.settings.set({ search: SEARCH });
  await repo.load({ text: [...dataLines(SUBJECTS)].join('\n') }, { format: 'nquads' });
  other = await db.repository('a/other', { create: true });
  await other.update('INSERT DATA { <urn:s1> <urn:age> 1 }');
});
afterAll(() => db.close());

async function shortestOfAttempts(shape: Shape, timeoutMs = TIMEOUT_MS): Promise<{ stretch: number; ends: string[] }> {
  const ends: string[] = [];
  let stretch = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && stretch > LONGEST_MS; attempt++) {
    const longest = await longestStretch(async () => ends.push(await ask(repo, shape, timeoutMs)));
    stretch = Math.min(stretch, longest);
  }
  return { stretch, ends };
}

const few = operators(3);

describe.each(Object.entries(operators(PARTS)))('the operator %s', (type, shapes) => {
  test('is in the plan of one of its requests', async () => {
    const plans: string[] = [];
    for (const { text } of few[type as keyof typeof few]) {
      for (const asked of [repo, other]) plans.push((await asked.explain(text)).text);
    }
    const isThere = plans.some((plan) => plan.split('\n').some((line) => line.trimStart().startsWith(type)));
    expect(isThere, plans.join('\n\n')).toBe(true);
  });
  test.each(shapes)('$name', async (shape) => {
    const { stretch, ends } = await shortestOfAttempts(shape);
    expect(ends.filter((end) => !ENDS.includes(end))).toEqual([]);
    expect(stretch).toBeLessThan(LONGEST_MS);
  });
});

describe('wide rows', () => {
  test.each(wide)('$name', async (shape) => {
    const { stretch } = await shortestOfAttempts(shape, LONG_TIMEOUT_MS);
    expect(stretch).toBeLessThan(LONGEST_MS);
  });
});

describe('texts of 20 megabytes', () => {
  const LENGTH = 100_000;
  const TEXTS = 200;
  beforeAll(async () => {
    const texts = Array.from(
      { length: TEXTS },
      (_, i) => `<urn:s${i}> <urn:text> "${`<${i}> & é `.repeat(LENGTH / 8)}" .`,
    );
    const long = await db.repository('a/long', { create: true });
    await long.load({ text: texts.join('\n') }, { format: 'nquads' });
  });

  async function stretchOf(read: (long: Repository) => AsyncIterable<unknown>): Promise<number> {
    const long = await db.repository('a/long');
    let stretch = Infinity;
    for (let attempt = 0; attempt < ATTEMPTS && stretch > LONGEST_MS; attempt++) {
      const longest = await longestStretch(async () => {
        for await (const _ of read(long));
      });
      stretch = Math.min(stretch, longest);
    }
    return stretch;
  }

  test.each(['turtle', 'nquads', 'rdfxml', 'jsonld'])('CONSTRUCT as %s', async (format) => {
    const query = 'CONSTRUCT { ?s <urn:was> ?o } WHERE { ?s <urn:text> ?o }';
    expect(await stretchOf((long) => hostOf(long).serialize(query, format))).toBeLessThan(LONGEST_MS);
  });
  const formats = ['application/sparql-results+json', 'application/sparql-results+xml', 'text/csv'];
  test.each(formats)('rows as %s', async (format) => {
    const query = 'SELECT * { ?s <urn:text> ?o }';
    expect(await stretchOf((long) => hostOf(long).serialize(query, format))).toBeLessThan(LONGEST_MS);
  });
  test.each(['turtle', 'nquads', 'rdfxml', 'jsonld'])('a dump as %s', async (format) => {
    expect(await stretchOf((long) => long.dump(format))).toBeLessThan(LONGEST_MS);
  });
  test('of another repository', async () => {
    const query = 'SELECT (STRLEN(?o) AS ?n) { ?s <urn:rare> ?r SERVICE <repo:a/long> { ?s <urn:text> ?o } }';
    expect(await stretchOf(() => repo.select(query, { unionDefaultGraph: true }))).toBeLessThan(LONGEST_MS);
  });
});

describe('the language', () => {
  test.each([...language(PARTS), ...updates(PARTS)])('$name', async (shape) => {
    const { stretch, ends } = await shortestOfAttempts(shape);
    expect(ends.filter((end) => !ENDS.includes(end))).toEqual([]);
    expect(stretch).toBeLessThan(LONGEST_MS);
  });
});
