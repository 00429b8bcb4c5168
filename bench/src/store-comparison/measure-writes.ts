/** Commits of several sizes to the loaded store, reads during commits, and reads of the state before them. */
import { setImmediate } from 'node:timers/promises';
import { iri } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { cpuSeconds, peakBytes } from '../measure.js';
import { newQuads } from '../new-quads.js';
import { steadyRate } from '../steady-rate.js';
import type { OpenStore, StoreKind } from '../stores/store.js';
import type { Figure, Figures } from '../workload.js';
import { figure } from '../workload.js';
import { lookupRate } from './measure-reads.js';
import type { Plan } from './plan.js';

const SIZES = [1, 100, 1000];
const MIXED_MS = 400;
const READERS = 4;
const MIXED_COMMIT = 10;

/** @param directory a copy of the loaded store, which may be changed */
export async function measureWrites(kind: StoreKind, directory: string, plan: Plan): Promise<Figures> {
  const figures: Record<string, Figure> = {};
  const writer = new Writer();
  if (kind.role === 'backend' && kind.persistent) {
    const durable = await kind.open(directory, 'disk');
    figures['commits of 1, synced'] = await writer.commits(durable, 1);
    await durable.close();
  }
  const store = await kind.open(directory, 'process');
  if (!kind.persistent) await store.load(plan.file);
  const before = await store.history?.revision();
  const held = writer.added;
  for (const size of SIZES) figures[`commits of ${size}`] = await writer.commits(store, size);
  if (plan.subjects.length > 0) {
    Object.assign(figures, await mixed(store, plan.subjects, writer));
    if (before !== undefined) {
      const lookup: OpenStore['lookup'] = (subject, visit) => store.history!.lookup(before, subject, visit);
      figures['lookups in the past'] = await lookupRate(plan.subjects, lookup);
    }
  }
  const size = await store.size();
  await store.close();
  if (size !== plan.data.quads + writer.added) {
    throw new Error(`of ${writer.added} quads committed (${held} of them synced), ${size - plan.data.quads} are there`);
  }
  return figures;
}

class Writer {
  /** Number of quads committed so far. */
  added = 0;
  readonly #quads = newQuads();

  async commit(store: OpenStore, size: number): Promise<void> {
    const quads = Array.from({ length: size }, (): RDF.Quad => this.#quads.next().value);
    await store.add(quads);
    this.added += size;
  }

  async commits(store: OpenStore, size: number): Promise<Figure> {
    const cpu = cpuSeconds();
    const commits = await steadyRate(() => this.commit(store, size));
    const unit = size === 1 ? 'commits/s' : 'quads/s';
    return {
      ...figure(commits * size, unit),
      meters: { cpuSeconds: cpuSeconds() - cpu, peakBytes: peakBytes() },
    };
  }
}

/** Measures readers and one writer that take turns, like requests. */
async function mixed(store: OpenStore, subjects: readonly string[], writer: Writer): Promise<Figures> {
  const nodes = subjects.map((subject) => iri(subject));
  const end = performance.now() + MIXED_MS;
  const cpu = cpuSeconds();
  let [reads, commits] = [0, 0];
  const read = async (first: number): Promise<void> => {
    for (let at = first; performance.now() < end; at += READERS, reads++) {
      await store.lookup(nodes[at % nodes.length]!, () => {});
      await setImmediate();
    }
  };
  const write = async (): Promise<void> => {
    for (; performance.now() < end; commits++) {
      await writer.commit(store, MIXED_COMMIT);
      await setImmediate();
    }
  };
  const start = performance.now();
  await Promise.all([write(), ...Array.from({ length: READERS }, (_, reader) => read(reader))]);
  const seconds = (performance.now() - start) / 1000;
  const meters = { cpuSeconds: cpuSeconds() - cpu, peakBytes: peakBytes() };
  return {
    'mixed, lookups': { ...figure(reads / seconds, 'lookups/s'), meters },
    'mixed, commits of 10': { ...figure(commits / seconds, 'commits/s'), meters },
  };
}
