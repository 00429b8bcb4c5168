/** What the index finds is what a scan of all literals finds, in the order of the cosines. */
import { iri, literal, quad } from '@quadrille/model';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import type * as RDF from '@rdfjs/types';
import { expect, test } from 'vitest';
import { Random } from '../testing/random.js';
import type { Snapshot } from '../read/snapshot.js';
import type { Repository } from '../repository.js';
import { platformEnv } from '../runtime/env.js';
import { Store } from '../store.js';
import { cosineOf, numbersOf, vectorLiteral } from '../testing/vectors.js';
import { VECTOR_DATATYPE } from './vector-text.js';

const DIMENSION = 20;
const PROPERTY = 'http://e/embedding';

class RandomVectors extends Random {
  vector(dimension = DIMENSION): Float32Array {
    // Some are close to one another, and some are equal.
    if (this.below(3) === 0) return Float32Array.from({ length: dimension }, () => this.below(2) || 0.5);
    const size = 10 ** (this.below(60) - 30);
    return Float32Array.from({ length: dimension }, () => (this.next() - 0.5) * size);
  }
}

const someLiteral = (random: RandomVectors): RDF.Literal => {
  const kind = random.below(10);
  if (kind === 0) return literal(`no vector ${random.below(1000)}`);
  if (kind === 1) return vectorLiteral(random.vector(DIMENSION + 4));
  return vectorLiteral(random.vector());
};

/** The literals that a snapshot has vectors of, by their ids. */
async function scanned(snapshot: Snapshot): Promise<Map<number, Float32Array>> {
  const { dictionary, decoder } = snapshot.timeline;
  const found = new Map<number, Float32Array>();
  for (let id = 2; id < snapshot.record.termMark; id++) {
    const entry = dictionary.tryEntryIfAny(id);
    if (!entry || entry.length === 0) continue;
    const term = await decoder.decode(id);
    if (term.termType !== 'Literal' || term.datatype.value !== VECTOR_DATATYPE) continue;
    const numbers = numbersOf(term);
    if (numbers.length === DIMENSION) found.set(id, numbers);
  }
  return found;
}

async function compare(snapshot: Snapshot, random: RandomVectors): Promise<void> {
  const all = await scanned(snapshot);
  const asked = random.vector();
  const isRestricted = random.below(3) === 0;
  const among = isRestricted ? [...all.keys()].filter(() => random.below(2) === 0) : undefined;
  const expected = [...all]
    .filter(([id]) => among?.includes(id) !== false)
    .map(([id, numbers]) => ({ id, score: cosineOf(asked, numbers) }))
    .sort((x, y) => y.score - x.score || x.id - y.id);
  const { vectors, property } = await snapshot.nearest({
    name: 'e',
    vector: vectorLiteral(asked).value,
    datatype: VECTOR_DATATYPE,
    among: among && (() => Promise.resolve(Uint32Array.from(among))),
  });
  expect(property).toBe(PROPERTY);
  const found: { id: number; score: number }[] = [];
  for (let near = await vectors.next(); near !== undefined; near = await vectors.next()) found.push(near);
  const where = `at ${snapshot.number}`;
  expect(found.map(({ id }) => id).toSorted(), where).toEqual(expected.map(({ id }) => id).toSorted());
  // Cosines that differ by what a sum rounds may change places.
  for (const [i, { id, score }] of found.entries()) {
    expect(score, where).toBeCloseTo(expected[i]!.score, 9);
    expect(score, where).toBeCloseTo(cosineOf(asked, all.get(id)!), 9);
  }
}

async function someChange(random: RandomVectors, repository: Repository): Promise<void> {
  const count = 1 + random.below(random.below(5) === 0 ? 200 : 8);
  const quads = Array.from({ length: count }, () =>
    quad(iri(`http://e/${random.below(50)}`), iri('http://e/other'), someLiteral(random)),
  );
  if (random.below(4) > 0) {
    await repository.commit(quads, []);
    return;
  }
  const load = await repository.beginLoad();
  const utf8 = new TextEncoder();
  for (const { subject, predicate, object } of quads) {
    const text = object.termType === 'Literal' ? `"${object.value}"^^<${object.datatype.value}>` : '';
    const [s, p, o] = [`<${subject.value}>`, `<${predicate.value}>`, text].map((term) => {
      const bytes = utf8.encode(term);
      return load.term(bytes, 0, bytes.length);
    });
    load.quad(s!, p!, o!, 1);
  }
  await load.writeChunk();
  if (random.below(3) === 0) await load.close();
  else await repository.finishLoad(load, {});
}

const open = async (driver: MemoryDriver, vectorBytes: number): Promise<{ store: Store; repository: Repository }> => {
  const tuning = { tailTerms: 64, loadTailTerms: 16, tierRuns: 3, memtableRows: 200, vectorBytes };
  const store = await Store.open(await StorageEngine.open(driver), { env: platformEnv(), tuning });
  return { store, repository: await store.repository('a/r', true) };
};

const SETTING = { vectors: { e: { property: PROPERTY, dimension: DIMENSION } } };

// With the last one all chunks are read by each question.
test.each([
  [1, 1 << 20],
  [2, 1 << 20],
  [3, 0],
])('at every revision, with loads that fail, compactions and reopenings (seed %i)', async (seed, vectorBytes) => {
  const random = new RandomVectors(seed);
  const driver = new MemoryDriver();
  let { store, repository } = await open(driver, vectorBytes);
  await repository.changeSettings((before) => ({ ...before, search: SETTING }));
  for (let step = 0; step < 80; step++) {
    await someChange(random, repository);
    const kind = random.below(14);
    if (kind === 0) await repository.maintenance.compact();
    if (kind === 1) {
      await store.close();
      ({ store, repository } = await open(driver, vectorBytes));
    }
    if (kind === 2) await repository.maintenance.rebuild();
    if (kind > 7) continue;
    const { number } = repository.head;
    const snapshot = await repository.snapshotAt(random.below(2) === 0 ? number : 1 + random.below(number));
    await compare(snapshot, random);
    snapshot.close();
  }
  const last = repository.snapshot();
  for (let i = 0; i < 10; i++) await compare(last, random);
  last.close();
  await repository.maintenance.compact();
  expect((await store.verify()).problems).toEqual([]);
  const report = await repository.maintenance.verify();
  expect(report.checked['vectors']).toBeGreaterThan(300);
  await store.close();
});
