/** The additions and removals of one revision. They are in its record, in runs, or in both. */
import type { PayloadRun, RunKind, RunEntry } from '../index/run/run.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { batches, wholeRuns } from '../index/read/batches.js';
import { SPOG } from '../index/orders.js';
import { openRun } from '../index/run/run-writer.js';
import type { RowBatch } from '../index/read/merge-scan.js';
import type { RowColumns } from '../index/block/block-codec.js';
import type { BegunQuads, EndedQuads, RevisionRecord } from './record.js';
import { UNPUBLISHED } from '../format/layout.js';

/**
 * Rows (s, p, o, g, and for removals `from`) in batches; of a squash also the `from` of additions and the `to` of removals. A batch is
 * valid until the next one is read.
 */
export async function* deltaRows(
  keyspace: Keyspace,
  record: RevisionRecord,
  side: 'added' | 'removed',
): AsyncGenerator<RowBatch> {
  const own = record[side];
  if (own.length > 0) yield { columns: asColumns(own), start: 0, end: own.length };
  for (const run of record.payload?.[side] ?? [])
    yield* payloadRows(keyspace.at(record.number), run, side === 'added' ? 'live' : 'tombstone');
}

/** The rows of a run that the log names. */
export async function* payloadRows(keyspace: Keyspace, payload: PayloadRun, kind: RunKind): AsyncGenerator<RowBatch> {
  const entry = { id: payload.run, order: SPOG, kind, rows: payload.rows, revision: 0, logOwned: true };
  const run = await openRun(keyspace, entry);
  yield* batches(wholeRuns([run]));
}

function asColumns(quads: BegunQuads | EndedQuads): RowColumns {
  const to = 'to' in quads ? quads.to : undefined;
  return [quads.s, quads.p, quads.o, quads.g, quads.from ?? quads.s, to ?? quads.s];
}

export function deltaRuns({ payload }: RevisionRecord): RunEntry[] {
  if (payload === undefined) return [];
  const made = { order: SPOG, revision: 0, logOwned: true };
  return [
    ...payload.added.map(({ run, rows }) => ({ ...made, id: run, rows, kind: 'live' as const })),
    ...payload.removed.map(({ run, rows }) => ({ ...made, id: run, rows, kind: 'tombstone' as const })),
  ];
}

/** The revision of a row of a squash. Runs of an imported one have placeholders. */
export const numberOf = ({ number }: Pick<RevisionRecord, 'number'>, ofRow: number): number =>
  ofRow <= UNPUBLISHED ? number : ofRow;
