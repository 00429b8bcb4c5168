/** Brings an index of values up to date before somebody reads it. */
import { StorageError } from '@quadrille/model';
import type { Pacer } from '../runtime/env.js';
import type { Timeline } from '../timeline/timeline.js';

/** An index that is made in the background. */
interface Behind {
  isBehind(limit: number): boolean;
  build(limit: number, pacer: Pacer): Promise<void>;
}

/** Another caller may have done it meanwhile. Where it cannot be written, what is not on disk is read into memory. */
export async function catchUp(
  index: Behind,
  { keyspace, maintenance, shared }: Timeline,
  termMark: number,
  pacer: Pacer,
): Promise<void> {
  if (!index.isBehind(termMark) || keyspace.readOnly) return;
  await maintenance.run(async () => {
    if (!index.isBehind(termMark)) return;
    try {
      await index.build(shared.writer.termMark, pacer);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
    }
  });
}
