/** ORDER BY with LIMIT by parts of an index, compared with the order of all rows that the terms say. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataFactory, XSD } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { open, type ReadView } from '../index.js';

const EX = 'http://example.org/';
const PREFIXES = `PREFIX : <${EX}>\n`;
const node = (name: string): RDF.NamedNode => dataFactory.namedNode(EX + name);
const typed = (value: string, type: string): RDF.Literal =>
  dataFactory.literal(value, dataFactory.namedNode(XSD + type));
const day = (number: number): string => new Date(number * 86_400_000).toISOString().slice(0, 10);

interface Item {
  readonly name: string;
  /** Integers and decimals with a half. */
  readonly price: number;
  readonly day: number;
  readonly shop: number;
  readonly graph: string | undefined;
}

const ROWS = 20_000;
const items = (round: number): Item[] =>
  Array.from({ length: ROWS }, (_, i) => ({
    name: `item${i}`,
    price: ((i * 7919 + round * 31) % 2000) / 2 - 100,
    day: (i * 104_729 + round) % 3000,
    shop: i % 300,
    graph: i % 3 === 0 ? undefined : `g${i % 3}`,
  }));

function quadsOf({ name, price, day: number, shop, graph }: Item): RDF.Quad[] {
  const g = graph === undefined ? dataFactory.defaultGraph() : node(graph);
  const value = Number.isInteger(price) ? typed(String(price), 'integer') : typed(price.toFixed(1), 'decimal');
  return [
    dataFactory.quad(node(name), node('price'), value, g),
    dataFactory.quad(node(name), node('day'), typed(day(number), 'date'), g),
    dataFactory.quad(node(name), node('shop'), node(`shop${shop}`), g),
  ];
}

async function keysOf(repository: Pick<ReadView, 'select'>, text: string, key: string): Promise<number[]> {
  const rows = await (await repository.select(PREFIXES + text)).toArray();
  return rows.map((row) => {
    const { value } = row[key]!;
    return value.includes('-', 1) ? Date.parse(value) / 86_400_000 : Number(value);
  });
}

const first = (keys: Iterable<number>, descending: boolean, start: number, end: number): number[] =>
  [...keys].toSorted((a, b) => (descending ? b - a : a - b)).slice(start, end);

async function check(repository: Pick<ReadView, 'select'>, all: readonly Item[]): Promise<void> {
  const plain = all.filter(({ graph }) => graph === undefined);
  const named = all.filter(({ graph }) => graph !== undefined);
  for (const descending of [false, true]) {
    const by = (name: string): string => (descending ? `DESC(?${name})` : `?${name}`);
    const prices = (some: readonly Item[]): number[] => some.map(({ price }) => price);
    expect(await keysOf(repository, `SELECT ?p { ?i :price ?p } ORDER BY ${by('p')} LIMIT 7`, 'p')).toEqual(
      first(prices(plain), descending, 0, 7),
    );
    expect(
      await keysOf(repository, `SELECT ?d { GRAPH ?g { ?i :day ?d } } ORDER BY ${by('d')} LIMIT 9 OFFSET 3`, 'd'),
    ).toEqual(
      first(
        named.map((item) => item.day),
        descending,
        3,
        12,
      ),
    );
    expect(
      await keysOf(repository, `SELECT ?p { GRAPH :g1 { ?i :price ?p } } ORDER BY ${by('p')} LIMIT 20`, 'p'),
    ).toEqual(first(prices(named.filter(({ graph }) => graph === 'g1')), descending, 0, 20));
    // One of a hundred: several parts have to be read.
    const joined = `SELECT ?p { ?i :price ?p ; :shop :shop6 } ORDER BY ${by('p')} LIMIT 12`;
    expect(await keysOf(repository, joined, 'p')).toEqual(
      first(prices(plain.filter(({ shop }) => shop === 6)), descending, 0, 12),
    );
    const distinct = `SELECT DISTINCT ?d { ?i :day ?d OPTIONAL { ?i :none ?n } } ORDER BY ${by('d')} LIMIT 5`;
    expect(await keysOf(repository, distinct, 'd')).toEqual(
      first(new Set(plain.map((item) => item.day)), descending, 0, 5),
    );
    const filtered = `SELECT ?p { ?i :price ?p FILTER(?p < 400 && ?p > -20) } ORDER BY ${by('p')} LIMIT 6`;
    const between = prices(plain).filter((price) => price < 400 && price > -20);
    expect(await keysOf(repository, filtered, 'p')).toEqual(first(between, descending, 0, 6));
  }
}

test.each(['memory', 'leveldb', 'lmdb'] as const)(
  'the first rows by a value, at every revision (%s)',
  async (backend) => {
    const folder = await mkdtemp(join(tmpdir(), 'quadrille-first-'));
    const db = await (backend === 'memory' ? open(':memory:') : open(join(folder, 'store'), { backend }));
    try {
      const repository = await db.repository('a/b', { create: true });
      const before = items(0);
      const loaded = await repository.add(before.flatMap(quadsOf));
      // Some quads go, and others come.
      const kept = before.filter((_, i) => i % 8 !== 0);
      const added = items(1)
        .slice(0, 2500)
        .map((item) => ({ ...item, name: `new-${item.name}` }));
      const gone = before.filter((_, i) => i % 8 === 0);
      await repository.remove(gone.flatMap(quadsOf));
      await repository.add(added.flatMap(quadsOf));
      const { text } = await repository.explain(`${PREFIXES}SELECT ?p { ?i :price ?p } ORDER BY DESC(?p) LIMIT 7`);
      expect(text).toContain('by parts of an index');
      await check(repository, [...kept, ...added]);
      await check(repository.at(loaded.id), before);
    } finally {
      await db.close();
      await rm(folder, { recursive: true });
    }
  },
  120_000,
);

const BY_PARTS = [
  'SELECT ?p { ?i :price ?p } ORDER BY DESC(?p) ?i LIMIT 5',
  'SELECT ?i (?p * 2 AS ?q) { ?i :price ?p } ORDER BY ?p LIMIT 5',
  'SELECT ?p ?d { ?i :price ?p . ?i :day ?d OPTIONAL { ?i :shop ?s } MINUS { ?i :none ?p } } ORDER BY ?p ?d LIMIT 5',
  'SELECT ?p { { SELECT ?i ?p { ?i :price ?p } } } ORDER BY ?p LIMIT 5',
];
// Each of these would give other rows, or take longer, if the pattern were read in parts.
const WHOLE = [
  'SELECT ?p { ?i :price ?p } ORDER BY ?p',
  'SELECT ?p { ?i :price ?p } ORDER BY ?i LIMIT 5',
  'SELECT ?p { ?i :price ?p } ORDER BY (-?p) LIMIT 5',
  'SELECT ?p { ?i ?any ?p } ORDER BY ?p LIMIT 5',
  'SELECT ?p { { SELECT ?p { ?i :price ?p } LIMIT 9000 } } ORDER BY ?p LIMIT 5',
  'SELECT (COUNT(*) AS ?c) ?p { ?i :price ?p } GROUP BY ?p ORDER BY ?p LIMIT 5',
  'SELECT ?p { { ?i :price ?p } UNION { ?i :day ?p } } ORDER BY ?p LIMIT 5',
  'SELECT ?p { ?i :shop ?s OPTIONAL { ?i :price ?p } } ORDER BY ?p LIMIT 5',
  'SELECT ?s { ?i :shop ?s } ORDER BY ?s LIMIT 5',
  'SELECT ?i { ?i :price 7 ; :day ?d } ORDER BY ?d LIMIT 5',
];

test('only what gives the same rows is read in parts', async () => {
  const db = await open(':memory:');
  try {
    const repository = await db.repository('a/b', { create: true });
    const all = items(0).map((item) => ({ ...item, graph: undefined }));
    await repository.add(all.flatMap(quadsOf));
    for (const [texts, isByParts] of [
      [BY_PARTS, true],
      [WHOLE, false],
    ] as const) {
      for (const text of texts) {
        const explained = await repository.explain(PREFIXES + text);
        expect([text, explained.text.includes('by parts of an index')]).toEqual([text, isByParts]);
      }
    }
    // A variable of the same name inside is another one.
    const inner = 'SELECT ?p { { SELECT ?i { ?i :price ?p FILTER(?p = 7) } } ?i :day ?p } ORDER BY ?p LIMIT 100';
    const days = all.filter(({ price }) => price === 7).map((item) => item.day);
    expect(await keysOf(repository, inner, 'p')).toEqual(first(days, false, 0, 100));
  } finally {
    await db.close();
  }
}, 60_000);
