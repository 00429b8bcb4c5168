/** Finds the runs that keep a merge from going on, so that the others are merged without them. */
import { CorruptionError } from '@quadrille/model';
import type { HashRun } from '../dictionary/hash-run.js';
import type { Run } from '../index/run/run.js';
import type { ValueSource } from '../keyspace/block-cache.js';
import type { Pacer } from '../runtime/env.js';

/** Numbers of runs with a value that cannot be read. A rebuild makes new ones, with other numbers. */
export interface DamagedRuns {
  readonly runs: ReadonlySet<number>;
  readonly hashRuns: ReadonlySet<number>;
}

/** Values that are read at once. */
const VALUES_AT_ONCE = 16;

/** The numbers of those runs that have a block which cannot be read. */
export function damagedRuns(runs: readonly Run[], pacer: Pacer): Promise<number[]> {
  return damagedAmong(
    runs.map(({ entry, source, blocks }) => ({ id: entry.id, source, values: blocks })),
    pacer,
  );
}

/** As {@link damagedRuns}, of hash runs. */
export function damagedHashRuns(runs: readonly HashRun[], pacer: Pacer): Promise<number[]> {
  return damagedAmong(
    runs.map(({ entry, source, pages }) => ({ id: entry.id, source, values: pages })),
    pacer,
  );
}

async function damagedAmong(
  runs: readonly { readonly id: number; readonly source: ValueSource; readonly values: number }[],
  pacer: Pacer,
): Promise<number[]> {
  const damaged: number[] = [];
  for (const { id, source, values } of runs) if (!(await isReadable(source, values, pacer))) damaged.push(id);
  return damaged;
}

async function isReadable(source: ValueSource, values: number, pacer: Pacer): Promise<boolean> {
  try {
    for (let first = 0; first < values; first += VALUES_AT_ONCE) {
      const count = Math.min(VALUES_AT_ONCE, values - first);
      await source.read(Array.from({ length: count }, (_, i) => first + i));
      if (pacer.due()) await pacer.pause();
    }
    return true;
  } catch (error) {
    if (error instanceof CorruptionError) return false;
    throw error;
  }
}
