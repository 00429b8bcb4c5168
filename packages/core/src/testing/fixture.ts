/** Shared parts of the engine's tests: a store over storage in memory, and quads with short names. */
import type * as RDF from '@rdfjs/types';
import { defaultGraph, iri, literal, quad, termToText } from '@quadrille/model';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import { BlockCache } from '../keyspace/block-cache.js';
import type { Env } from '../runtime/env.js';
import { platformEnv } from '../runtime/env.js';
import type { Repository } from '../repository.js';
import { loadDigest } from '../format/digest.js';
import type { Snapshot, TermPattern } from '../read/snapshot.js';
import { Keyspace } from '../keyspace/keyspace.js';
import { Store } from '../store.js';
import type { Tuning } from '../runtime/tuning.js';
import { DEFAULT_TUNING } from '../runtime/tuning.js';

/** Storage in memory that only answers with promises, like a database server. */
export function asyncDriver(): MemoryDriver {
  const driver = new MemoryDriver();
  Object.assign(driver, { capabilities: { ...driver.capabilities, getSync: false } });
  return driver;
}

/** An environment whose clock the test sets. */
export function clockEnv(start = 1_700_000_000_000): Env & { time: number } {
  const env = { ...platformEnv(), time: start, now: () => env.time };
  return env;
}

/** An environment in which every look at the clock says that the event loop is due a turn. Counts the turns. */
export function turnCountingEnv(): Env & { turns: number } {
  let now = 0;
  const env = {
    ...platformEnv(),
    turns: 0,
    ticks: () => (now += 1000),
    yieldTurn: async () => {
      env.turns++;
      await Promise.resolve();
    },
  };
  return env;
}

/** Small sizes, so that little data reaches every strategy of the engine. */
export const SMALL: Partial<Tuning> = {
  memtableRows: 64,
  tailTerms: 300,
  tierRuns: 3,
  deltaBytes: 90,
  loadTailTerms: 50,
  wholeStatistics: 2,
};

export async function openRepository(
  driver: StorageDriver = new MemoryDriver(),
  options: { env?: Env; tuning?: Partial<Tuning> } = {},
): Promise<{ store: Store; repository: Repository; driver: StorageDriver }> {
  const { env = platformEnv(), tuning } = options;
  const engine = await StorageEngine.open(driver);
  const store = await Store.open(engine, { env, tuning, cacheBytes: 4 * 1024 * 1024 });
  return { store, repository: await store.repository('a/r', true), driver };
}

export async function newKeyspace(
  driver: StorageDriver = new MemoryDriver(),
  tuning: Partial<Tuning> = {},
): Promise<Keyspace> {
  await loadDigest();
  return new Keyspace(await StorageEngine.open(driver), new BlockCache(0), 7, 'a/r', true, {
    ...DEFAULT_TUNING,
    ...tuning,
  });
}

const node = (name: string): RDF.NamedNode => iri(`http://e/${name}`);

/** A quad from `q('s p o')` or `q('s p o g')`. An object in quotes is a literal. */
export function q(text: string): RDF.Quad {
  const [s, p, o, g] = text.split(' ');
  const object = o!.startsWith('"') ? literal(o!.slice(1, -1)) : node(o!);
  return quad(node(s!), node(p!), object, g === undefined ? defaultGraph() : node(g));
}

/** The `count` quads `<prefix><i> p o<i>`. */
export const many = (prefix: string, count: number, graph = ''): RDF.Quad[] =>
  Array.from({ length: count }, (_, i) => q(`${prefix}${i} p o${i % 97}${graph === '' ? '' : ` ${graph}`}`));

export function show(candidate: RDF.BaseQuad): string {
  const parts = [candidate.subject, candidate.predicate, candidate.object, candidate.graph].map(termToText);
  return parts.join(' ').replaceAll('<http://e/', '').replaceAll('>', '').trim();
}

export async function readAll(snapshot: Snapshot, pattern: TermPattern = {}): Promise<string[]> {
  const ids = await snapshot.ids(pattern);
  if (ids === undefined) return [];
  const reader = snapshot.read(ids);
  const found: string[] = [];
  for (;;) {
    const batch = await reader.next();
    if (batch === undefined) break;
    found.push(...batch.map(show));
  }
  reader.close();
  return found.toSorted();
}

/** The quads of a revision, sorted. */
export async function contents(repository: Repository, ref?: number): Promise<string[]> {
  const snapshot = await repository.snapshotAt(ref ?? 'HEAD');
  try {
    return await readAll(snapshot);
  } finally {
    snapshot.close();
  }
}

/** Loads quads as a parser does. */
export async function feed(
  load: Awaited<ReturnType<Repository['beginLoad']>>,
  quads: Iterable<RDF.Quad>,
): Promise<void> {
  const utf8 = new TextEncoder();
  const handle = (term: RDF.Term): number => {
    if (term.termType === 'DefaultGraph') return 1;
    if (term.termType === 'Quad')
      return load.tripleTerm(handle(term.subject), handle(term.predicate), handle(term.object));
    const bytes = utf8.encode(term.termType === 'BlankNode' ? term.value : termToText(term));
    return term.termType === 'BlankNode' ? load.blankNode(bytes, 0, bytes.length) : load.term(bytes, 0, bytes.length);
  };
  for (const one of quads) load.quad(handle(one.subject), handle(one.predicate), handle(one.object), handle(one.graph));
}

/** A generator of numbers from `low` to `high - 1`, determined by the seed. */
export function randomInts(seed: number): (low: number, high: number) => number {
  let state = seed;
  return (low, high) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return low + Math.floor((state / 2 ** 32) * (high - low));
  };
}

/** Resolves when no work in the background is left. */
export async function settled({ handle }: Repository): Promise<void> {
  while (handle.scheduler.busy) await handle.maintenance.run(() => handle.env.yieldTurn());
}
