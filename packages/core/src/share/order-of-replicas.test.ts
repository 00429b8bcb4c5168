/** A thread finds by the index of order what the main thread finds, also where runs were merged since it was described. */
import { iri, literal, quad, XSD } from '@quadrille/model';
import { Family, type FamilyNumber } from '@quadrille/model/order-key';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import type * as RDF from '@rdfjs/types';
import { expect, test } from 'vitest';
import { platformEnv } from '../runtime/env.js';
import type { Snapshot } from '../read/snapshot.js';
import { Store } from '../store.js';
import { Random } from '../testing/random.js';
import type { KeyRange } from '../values/order-index.js';
import { openIndexes, Replicas, SessionDescriber } from './index.js';

const FAMILIES: readonly FamilyNumber[] = [Family.numbers, Family.zonedDateTimes];

const someLiteral = (random: Random) =>
  random.below(2) === 0
    ? literal(new Date(1e12 + random.below(1e6) * 1000).toISOString(), iri(`${XSD}dateTime`))
    : literal(`${random.below(10_000) / 8}e0`, iri(`${XSD}double`));

function someRange(random: Random): KeyRange {
  const family = FAMILIES[random.below(2)]!;
  const [from, unit] = family === Family.numbers ? [0, 1] : [1e12, 1e5];
  const ends = [from + random.below(1250) * unit, from + random.below(1250) * unit];
  return { family, least: Math.min(...ends), greatest: Math.max(...ends) };
}

async function found(snapshot: Snapshot, range: KeyRange): Promise<string[] | undefined> {
  const all = await snapshot.keysBetween(range);
  return all && [...all.ids].map((id, i) => `${id} ${all.keys[i]}`).sort();
}

test.each([1, 2, 3])('the index of order in another thread (seed %i)', async (seed) => {
  const random = new Random(seed);
  const engine = await StorageEngine.open(new MemoryDriver());
  const tuning = { tailTerms: 64, loadTailTerms: 16, tierRuns: 3, memtableRows: 200 };
  const store = await Store.open(engine, { env: platformEnv(), tuning });
  const repository = await store.repository('a/r', true);
  const known: RDF.Quad[] = [];
  const change = async (): Promise<void> => {
    const quads = Array.from({ length: 1 + random.below(40) }, () =>
      quad(iri(`http://e/${random.below(50)}`), iri('http://e/value'), someLiteral(random)),
    );
    // Compaction forgets terms that nobody uses.
    const gone = random.below(3) === 0 ? known.splice(0, random.below(30)) : [];
    known.push(...quads);
    await repository.commit(quads, gone);
    const kind = random.below(8);
    if (kind < 2) await repository.maintenance.compact();
    if (kind === 2) await repository.maintenance.rebuild();
  };
  const describer = new SessionDescriber();
  const replicas = new Replicas(engine, platformEnv(), 1e6);
  let answered = 0;
  for (let step = 0; step < 40; step++) {
    await change();
    const snapshot = repository.snapshot();
    await openIndexes(snapshot);
    const { session, release } = describer.describe(snapshot);
    const own = replicas.open(structuredClone(session), () => Promise.reject(new Error('not asked')));
    const ranges = Array.from({ length: 4 }, () => someRange(random));
    const expected = await Promise.all(ranges.map((range) => found(snapshot, range)));
    snapshot.close();
    if (random.below(2) === 0) await change();
    for (const [i, range] of ranges.entries()) {
      const some = await found(own, range);
      expect(some).toBeDefined();
      // The store has small sizes, and its index may be behind.
      if (expected[i] === undefined) continue;
      expect(some).toEqual(expected[i]);
      answered++;
    }
    own.close();
    release();
  }
  expect(answered).toBeGreaterThan(50);
  await repository.maintenance.compact();
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
});
