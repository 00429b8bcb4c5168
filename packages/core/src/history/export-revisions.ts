/** The revisions of a repository with their changes, to be written to a file. All of them are read from one snapshot. */
import type { IdQuads } from '../index/quad-columns.js';
import type * as RDF from '@rdfjs/types';
import { QuadColumns } from '../index/quad-columns.js';
import { diffRows } from '../read/diff.js';
import { QuadDecoder } from '../read/quad-decoder.js';
import type { Snapshot } from '../read/snapshot.js';
import { readRecords } from '../revision/log.js';
import type { RevisionRecord } from '../revision/record.js';
import { baseOf, isSquash } from '../revision/record.js';
import { Pacer } from '../runtime/env.js';

/** Some quads that a revision has removed or added. */
export interface ChangedQuads {
  readonly op: 'remove' | 'add';
  readonly quads: readonly RDF.Quad[];
}

/** A revision and its net changes: first all removals, then all additions, each quad once. */
export interface ExportedRevision {
  /** Its record in the log. */
  readonly record: RevisionRecord;
  /** Its changes in batches: first the removals, then the additions. */
  changes(): AsyncGenerator<ChangedQuads>;
}

/** Rows of a large change that are decoded together. */
const BATCH_ROWS = 1024;

/**
 * The revisions `first` to `last`, which is at most that of the snapshot. Read the changes of one before the next is asked for.
 * @throws CorruptionError `LOG_BROKEN`
 */
export async function* exportRevisions(
  snapshot: Snapshot,
  first: number,
  last: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<ExportedRevision> {
  const pacer = new Pacer(snapshot.timeline.env, 4, signal);
  const decoder = new QuadDecoder(snapshot.timeline.decoder);
  for await (const record of readRecords(snapshot.timeline.keyspace, first, last)) {
    // With a payload, and in a squash, the delta is not net: a quad may be on both of its sides.
    const isNet = record.payload === undefined && !isSquash(record);
    const changes = isNet ? smallChanges(decoder, record, pacer) : largeChanges(snapshot, decoder, record, pacer);
    yield { record, changes: () => changes };
    if (pacer.due()) await pacer.pause();
  }
}

async function* smallChanges(
  decoder: QuadDecoder,
  { removed, added }: RevisionRecord,
  pacer: Pacer,
): AsyncGenerator<ChangedQuads> {
  yield* decoded(decoder, 'remove', removed, pacer);
  yield* decoded(decoder, 'add', added, pacer);
}

// Two passes, because the difference is sorted by quad.
async function* largeChanges(
  { index }: Snapshot,
  decoder: QuadDecoder,
  record: RevisionRecord,
  pacer: Pacer,
): AsyncGenerator<ChangedQuads> {
  for (const [op, sign] of [['remove', -1] as const, ['add', 1] as const]) {
    let rows = new QuadColumns();
    for await (const row of diffRows(index, baseOf(record), record.number, pacer)) {
      if (row.op !== sign) continue;
      rows.push(row.s, row.p, row.o, row.g);
      if (rows.length < BATCH_ROWS) continue;
      yield* decoded(decoder, op, rows, pacer);
      rows = new QuadColumns();
    }
    yield* decoded(decoder, op, rows, pacer);
  }
}

async function* decoded(
  decoder: QuadDecoder,
  op: ChangedQuads['op'],
  rows: IdQuads,
  pacer: Pacer,
): AsyncGenerator<ChangedQuads> {
  for (let at = 0; at < rows.length;) {
    const piece = decoder.piece(rows, at, rows.length);
    const quads = piece instanceof Promise ? await piece : piece;
    at += quads.length;
    yield { op, quads };
    if (pacer.due()) await pacer.pause();
  }
}
