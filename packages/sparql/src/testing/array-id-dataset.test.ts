import { dataFactory, inlineInteger, iri, literal, quad, XSD } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { MISS, type IdOrder, type IdPattern, type IdScan, type ScanOptions } from '../dataset/id-dataset.js';
import { ArrayIdDataset } from './array-id-dataset.js';
import { randomNumbers } from './operators.js';

const node = (name: string | number): RDF.NamedNode => iri(`http://example.org/${name}`);
const ORDERS: IdOrder[] = ['spog', 'posg', 'ospg', 'gspo'];
type Row = readonly [number, number, number, number];
const place = { s: 0, p: 1, o: 2, g: 3 } as const;

function example(misses: boolean): ArrayIdDataset {
  const random = randomNumbers(12);
  const graphs = [dataFactory.defaultGraph(), node('g'), node('h')];
  const quads = Array.from({ length: 200 }, () =>
    quad(node(random(6)), node(random(3)), node(random(6)), graphs[random(3)]),
  );
  return new ArrayIdDataset(quads, { misses, windowRows: 7 });
}

async function read(scan: IdScan): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const count = scan.next();
    if (count === 0) return rows;
    if (count === MISS) await scan.fetch();
    else for (let i = scan.start; i < scan.end; i++) rows.push([scan.s[i]!, scan.p[i]!, scan.o[i]!, scan.g[i]!]);
  }
}

const matches = ({ s, p, o, g }: IdPattern, row: Row): boolean =>
  [s, p, o, g].every((id, at) => id === 0 || id === row[at]);

function inOrder(rows: readonly Row[], order: IdOrder): Row[] {
  const places = [...order].map((position) => place[position as 's']);
  return rows.toSorted((a, b) => {
    const at = places.find((at) => a[at] !== b[at]);
    return at === undefined ? 0 : a[at]! - b[at]!;
  });
}

describe.each([false, true])('ArrayIdDataset, missing: %s', (misses) => {
  const data = example(misses);
  const [s, p, o, g] = data.rows.find((row) => row[3] !== 1)!;
  const patterns = Array.from({ length: 16 }, (_, bits): IdPattern => ({
    s: bits & 1 ? s : 0,
    p: bits & 2 ? p : 0,
    o: bits & 4 ? o : 0,
    g: bits & 8 ? g : 0,
  }));

  it('scans every pattern, in every order and between bounds', async () => {
    for (const pattern of [...patterns, { s: 0, p: 0, o: 0, g: 1 }, { s, p: 0, o: 0, g: 1 }]) {
      const found = data.rows.filter((row) => matches(pattern, row));
      const scan = data.scan(pattern);
      expect((await read(scan)).map(String).sort()).toEqual(found.map(String).sort());
      scan.close();
      expect(await data.count(pattern)).toBe(found.length);
      for (const order of ORDERS) {
        const named = order === 'gspo' ? found.filter((row) => row[3] !== 1) : found;
        expect(await read(data.scan(pattern, { order }))).toEqual(inOrder(named, order));
        const open = [...order].find((position) => pattern[position as 's'] === 0) as 's' | undefined;
        if (open === undefined) continue;
        const bounds: ScanOptions = { order, least: 4, greatest: 7 };
        const within = named.filter((row) => row[place[open]] >= 4 && row[place[open]] <= 7);
        expect(await read(data.scan(pattern, bounds))).toEqual(inOrder(within, order));
      }
    }
  });

  it('seeks one pattern after the other', async () => {
    for (const pattern of patterns) {
      const bound = { s: pattern.s !== 0, p: pattern.p !== 0, o: pattern.o !== 0, g: pattern.g !== 0 };
      const seeker = data.seeker(bound);
      for (const row of data.rows.slice(0, 20)) {
        const asked = {
          s: bound.s ? row[0] : 0,
          p: bound.p ? row[1] : 0,
          o: bound.o ? row[2] : 0,
          g: bound.g ? row[3] : 0,
        };
        seeker.seek(asked.s, asked.p, asked.o, asked.g);
        const expected = data.rows.filter((other) => matches(asked, other));
        expect((await read(seeker)).map(String).sort()).toEqual(expected.map(String).sort());
      }
      seeker.close();
    }
  });

  it('knows terms by ids, and ids by terms', async () => {
    const fetched = async <T>(step: () => T | typeof MISS | undefined): Promise<T> => {
      for (;;) {
        const found = step();
        if (found !== MISS && found !== undefined) return found;
        await data.fetchTerm();
      }
    };
    const triple = quad(node(1), node(2), literal('x'));
    const terms = [
      node(1),
      literal('x'),
      literal('x', 'en'),
      dataFactory.blankNode('b'),
      triple,
      dataFactory.defaultGraph(),
    ];
    const typed = ['5', '-0', '05', '536870912'].map((value) => literal(value, iri(`${XSD}integer`)));
    const dates = ['2024-02-29', '2023-02-29', '0000-01-01'].map((value) => literal(value, iri(`${XSD}date`)));
    const decimals = ['1.0', '1.50', '-0.0', '-2.25', '3'].map((value) => literal(value, iri(`${XSD}decimal`)));
    for (const term of [...terms, ...typed, ...dates, ...decimals]) {
      const id = await fetched(() => data.intern(term));
      expect((await fetched(() => data.term(id))).equals(term)).toBe(true);
      expect(await fetched(() => data.find(term))).toBe(id);
    }
    expect(data.intern(typed[0]!)).toBe(inlineInteger(5));
    expect(await fetched(() => data.find(node('nowhere')))).toBe(0);
    const parts = await fetched(() => data.triple(data.intern(triple)));
    expect(parts).toEqual([
      await fetched(() => data.find(node(1))),
      await fetched(() => data.find(node(2))),
      data.find(literal('x')),
    ]);
    expect(await fetched(() => data.triple(s) ?? (data.triple(s) === null ? 'none' : undefined))).toBe('none');
  });

  it('takes changes in', async () => {
    const changed = example(misses);
    const before = changed.size;
    const [first] = changed.rows;
    const columns = (row: Row) => ({ s: [row[0]], p: [row[1]], o: [row[2]], g: [row[3]], length: 1 });
    await changed.remove(columns(first!));
    expect(changed.size).toBe(before - 1);
    await changed.add(columns(first!));
    await changed.add(columns(first!));
    expect(changed.size).toBe(before);
    await expect(changed.add({ s: [inlineInteger(1)], p: [p], o: [o], g: [1], length: 1 })).rejects.toThrow(/subject/);
    await changed.removeMatches({ s: 0, p, o: 0, g: 0 });
    expect(await read(changed.scan({ s: 0, p, o: 0, g: 0 }))).toEqual([]);
    const statistics = await changed.statistics();
    expect([...statistics.predicates].reduce((sum, [, count]) => sum + count, 0)).toBe(changed.size);
  });
});
