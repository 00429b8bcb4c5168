/** Finds the runs whose damage stops a merge, so that the other runs can be merged without them. */
import { CorruptionError } from '@quadrille/model';
import type { HashRun } from '../dictionary/hash-run.js';
import type { Run } from '../index/run/run.js';
import type { ValueSource } from '../keyspace/block-cache.js';
import type { Pacer } from '../runtime/env.js';

/** Numbers of runs with an unreadable value. A rebuild replaces these runs by runs with other numbers. */
export interface DamagedRuns {
  readonly runs: ReadonlySet<number>;
  readonly hashRuns: ReadonlySet<number>;
}

/** Number of values read together. */
const VALUES_AT_ONCE = 16;

/** The numbers of the runs with an unreadable block. */
export function damagedRuns(runs: readonly Run[], pacer: Pacer): Promise<number[]> {
  return damagedAmong(
    runs.map(({ entry, source, blocks }) => ({ id: entry.id, source, values: blocks })),
    pacer,
  );
}

/** Like {@link damagedRuns}, for hash runs. */
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
