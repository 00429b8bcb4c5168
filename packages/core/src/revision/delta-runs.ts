/** The runs that the record of a revision names, as entries of a manifest. */
import { SPOG } from '../index/orders.js';
import type { RunEntry } from '../index/run/run.js';
import type { RevisionRecord } from './record.js';

export function deltaRuns({ payload }: RevisionRecord): RunEntry[] {
  if (payload === undefined) return [];
  const made = { order: SPOG, revision: 0, logOwned: true };
  return [
    ...payload.added.map(({ run, rows }) => ({ ...made, id: run, rows, kind: 'live' as const })),
    ...payload.removed.map(({ run, rows }) => ({ ...made, id: run, rows, kind: 'tombstone' as const })),
  ];
}
