/** Filters on strings give the same answers with an index of words as without, and explain names it. */
import { iri, literal, quad } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database, Repository } from '../api/index.js';
import { open, sparql } from '../index.js';

const ex = (name: string) => iri(`http://example.org/${name}`);
const WORDS = [
  'Pluto',
  'plutonium',
  'planet',
  'Kelvin',
  'STRASSE',
  'Straße',
  'naïve',
  'o_plu_x',
  'x1y2',
  'wi-fi',
  'İı',
  'ﬁne',
  'K',
];

let db: Database;
let plain: Repository;
let indexed: Repository;

beforeAll(async () => {
  db = await open(':memory:');
  plain = await db.repository('plain', { create: true });
  indexed = await db.repository('indexed', { create: true });
  await indexed.settings.set({ search: { text: true } });
  let state = 7;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const quads = Array.from({ length: 6000 }, (_, i) => {
    const words = Array.from({ length: next(4) }, () => WORDS[next(WORDS.length)]);
    const text = next(50) === 0 ? [...words, `rare${i}needle`].join(' ') : `${words.join(' ')} filler${i}`;
    const object =
      next(9) === 0
        ? literal(String(i), iri('http://www.w3.org/2001/XMLSchema#integer'))
        : literal(text, next(4) === 0 ? 'en' : undefined);
    const graph = i % 3 === 0 ? ex(`g${i % 2}`) : undefined;
    return quad(ex(`s${i % 500}`), ex(i % 5 === 0 ? 'note' : 'label'), object, graph);
  });
  for (const text of ['Rare needle', 'rare NEEDLE', 'rare needle', '12', 'wi-fi', "o'neil", '\u212aelvin', '--'])
    for (const object of [literal(text), literal(text, 'en'), literal(text, ex('type')), iri('urn:rare-needle')])
      quads.push(quad(ex('equal'), ex('label'), object), quad(ex('equal'), ex('label'), object, ex('g0')));
  for (const text of ['a Pluto planet K2', 'rare5needle']) quads.push(quad(ex('some'), ex('label'), literal(text)));
  quads.push(quad(ex('long'), ex('label'), literal(`${'y'.repeat(300)}hidden${'y'.repeat(20)}`)));
  for (const repo of [plain, indexed]) {
    await repo.add(quads);
    await repo.branches.create('other');
    const other = await repo.branches.open('other');
    await other.remove({ predicate: ex('note') });
    await other.add(quad(ex('other'), ex('label'), literal('rare needle of a branch')));
  }
  // A search waits until the index has all literals; until then filters do without it.
  await indexed.search('needle');
});
afterAll(() => db.close());

const FILTERS = [
  'CONTAINS(?o, "needle")',
  'CONTAINS(?o, "a")',
  'CONTAINS(?o, "Pluto planet filler1")',
  'CONTAINS(?o, "luto planet K")',
  'CONTAINS(LCASE(?o), "pluto planet k")',
  'CONTAINS(STR(?o), "needle")',
  'STRSTARTS(?o, "Pluto planet fi")',
  'STRSTARTS(STR(?o), "1")',
  'STRSTARTS(?o, "K ")',
  '?o = "rare needle"',
  'STR(?o) = "rare needle"',
  '"rare needle" = STR(?o)',
  'sameTerm(STR(?o), "rare needle")',
  'LCASE(?o) = "rare needle"',
  'LCASE(STR(?o)) = "rare needle"',
  'STR(LCASE(?o)) = "rare needle"',
  'STR(?o) = "12"',
  'STR(?o) = "wi-fi"',
  'LCASE(?o) = "kelvin"',
  'STR(?o) = "o\'neil"',
  'STR(?o) = "--"',
  'STR(?o) = "rare needle" && CONTAINS(?o, "needle")',
  'STR(?o) = ?o',
  'CONTAINS(?o, "needl")',
  'CONTAINS(LCASE(?o), "rare1")',
  'CONTAINS(?o, "rare12 ") || CONTAINS(?o, "needle")',
  'CONTAINS(?o, "hidden")',
  'CONTAINS(?o, "1needle")',
  'STRSTARTS(?o, "rare")',
  'STRSTARTS(LCASE(?o), "pluto rare")',
  'REGEX(?o, "rare[0-9]+needle")',
  'REGEX(?o, "^RARE1", "i")',
  'REGEX(?o, "needles?$")',
  'REGEX(?o, "(rare)?5needle")',
  'REGEX(?o, "rare1{1}2|needle")',
  'REGEX(?o, "kelvin.*needle", "i")',
  'CONTAINS(?o, "rare") && CONTAINS(?o, "needle") && LANG(?o) = "en"',
  'CONTAINS(UCASE(?o), "NEEDLE")',
  'CONTAINS(STR(?o), "12")',
  '!CONTAINS(?o, "filler")',
];
const PLACES: readonly { pattern: string; from?: string; union?: boolean; branch?: string }[] = [
  { pattern: '?s <http://example.org/label> ?o' },
  { pattern: '?s ?p ?o' },
  { pattern: '?s ?p ?o', union: true },
  { pattern: '?s ?p ?o', from: 'FROM <http://example.org/g0> FROM <http://example.org/g1>' },
  { pattern: '?s ?p ?o', branch: 'other' },
  { pattern: 'GRAPH ?g { ?s ?p ?o }' },
  { pattern: 'GRAPH <http://example.org/g0> { ?s ?p ?o }' },
  { pattern: 'GRAPH ?g { ?s ?o ?o }' },
  { pattern: '?s ?p ?o . ?s <http://example.org/note> ?n' },
];
const rowsOf = (rows: readonly Readonly<Record<string, RDF.Term | undefined>>[]): string[] =>
  rows.map((row) => ['s', 'p', 'o', 'g', 'n'].map((name) => row[name]?.value).join(' ')).toSorted();

describe.each(FILTERS)('FILTER(%s)', (filter) => {
  test('has the same answers', async () => {
    const answer = async (repo: Repository, at: number): Promise<string[]> =>
      rowsOf(
        await repo
          .at(at)
          .select(`SELECT * { ?s <http://example.org/label> ?o FILTER(${filter}) }`, { unionDefaultGraph: true })
          .toArray(),
      );
    const expected = await answer(plain, 2);
    expect(expected.length).toBeGreaterThan(0);
    expect(await answer(indexed, 2)).toEqual(expected);
    expect(await answer(indexed, 1)).toEqual([]);
  });

  test('has the same answers with other properties, graphs and branches', async () => {
    for (const { pattern, from = '', union: unionDefaultGraph = false, branch = 'main' } of PLACES) {
      const query = `SELECT * ${from} { ${pattern} FILTER(${filter}) }`;
      const answer = async (repo: Repository): Promise<string[]> =>
        rowsOf(await (await repo.branches.open(branch)).select(query, { unionDefaultGraph }).toArray());
      expect(await answer(indexed), `${query} on ${branch}`).toEqual(await answer(plain));
    }
  });
});

test.each(['rare', 'filler1', 'rare needle', '12', 'e', '', '--', 'nothing'])(
  'a template asks for %s',
  async (text) => {
    const texts = [
      sparql`SELECT * { ?s ?p ?o FILTER(CONTAINS(?o, ${text})) }`,
      sparql`SELECT * { ?s ?p ?o FILTER(STRSTARTS(?o, ${text})) }`,
      sparql`SELECT * { ?s ?p ?o FILTER(STR(?o) = ${text}) }`,
      sparql`SELECT * { ?s ?p ?o FILTER(LCASE(?o) = ${text}) }`,
      sparql`SELECT * { ?s ?p ?o FILTER(REGEX(?o, ${text})) }`,
    ];
    for (const query of texts)
      expect(rowsOf(await indexed.select(query).toArray())).toEqual(rowsOf(await plain.select(query).toArray()));
    for (const filter of ['CONTAINS(?o, ?text)', 'STR(?o) = ?text', 'LCASE(?o) = ?text']) {
      const query = `SELECT * { ?s ?p ?o FILTER(${filter}) }`;
      const bindings = { text: literal(text) };
      const [one, other] = [await indexed.prepare(query), await plain.prepare(query)];
      expect(rowsOf(await one.select({ bindings }).toArray())).toEqual(
        rowsOf(await other.select({ bindings }).toArray()),
      );
    }
  },
);

test('explain names the index, and another pattern may come first', async () => {
  const one = 'SELECT * { ?s <http://example.org/label> ?o FILTER(CONTAINS(?o, "needle")) }';
  expect((await indexed.explain(one)).text).toContain('index of words: contains "needle"');
  expect((await plain.explain(one)).text).not.toContain('words');
  const every = 'SELECT * { ?s ?p ?o FILTER(STR(?o) = "rare needle") }';
  expect((await indexed.explain(every)).text).toContain('index of words: equals "rare needle"');
  const many = 'SELECT * { ?s ?p ?o FILTER(CONTAINS(?o, "planet")) } ORDER BY ?s';
  expect((await indexed.explain(many)).text).toMatch(/words .*contains "planet"/);
  const bound = 'SELECT * { <http://example.org/s1> <http://example.org/label> ?o FILTER(CONTAINS(?o, "needle")) }';
  expect((await indexed.explain(bound)).text).not.toContain('words');
  const prepared = await indexed.prepare('SELECT * { ?s <http://example.org/label> ?o FILTER(CONTAINS(?o, ?part)) }');
  expect(await prepared.select({ bindings: { part: literal('hidden') } }).toArray()).toHaveLength(1);
});

test('a plan outlives the index', async () => {
  const repo = await db.repository('other', { create: true });
  await repo.settings.set({ search: { text: true } });
  await repo.add(Array.from({ length: 3000 }, (_, i) => quad(ex(`s${i}`), ex('label'), literal(`text number${i}`))));
  const count = async (): Promise<number> =>
    (await repo.select('SELECT * { ?s <http://example.org/label> ?o FILTER(CONTAINS(?o, "number29")) }').toArray())
      .length;
  expect(await count()).toBe(111);
  await repo.settings.set({ search: null });
  expect(await count()).toBe(111);
  await repo.add(quad(ex('new'), ex('label'), literal('a number29')));
  await repo.settings.set({ search: { text: true } });
  expect(await count()).toBe(112);
});
