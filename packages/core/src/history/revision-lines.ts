/** Quads of a snapshot, and changes of revisions, as lines that are hashed. */
import { MISS } from '../keyspace/block-cache.js';
import { ANY } from '../index/orders.js';
import type { QuadRows } from '../read/quad-reader.js';
import { changedRows } from '../read/revision-changes.js';
import type { Snapshot } from '../read/snapshot.js';
import { readRecords } from '../revision/log.js';
import type { RevisionRecord } from '../revision/record.js';
import { Pacer } from '../runtime/env.js';
import { QuadLines } from './quad-lines.js';

/** Time that hashing may take before the event loop has its turn. Batches take less than a millisecond. */
const STEP_MS = 8;

/** Takes a batch of lines. They are good until it has ended. */
export type TakeLines = (lines: Pick<QuadLines, 'bytes' | 'lengths' | 'count'>) => Promise<void> | undefined;

/** A revision whose changes can be read once. */
export interface RevisionLines {
  readonly record: RevisionRecord;
  /** The quads that it removed, which have negative lengths, and those that it added, in no particular order. */
  changes(take: TakeLines): Promise<void>;
}

/**
 * The revisions `first` to `last`, which is at most that of the snapshot. Read the changes of one before the next is asked for.
 * @throws CorruptionError `LOG_BROKEN`
 */
export async function* revisionLines(
  { index, timeline }: Snapshot,
  first: number,
  last: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<RevisionLines> {
  const pacer = new Pacer(timeline.env, STEP_MS, signal);
  const lines = new QuadLines(timeline.dictionary);
  for await (const record of readRecords(timeline.keyspace, first, last)) {
    yield { record, changes: (take) => eachBatch(changedRows({ index, record }, ANY, pacer), lines, pacer, take) };
    if (pacer.due()) await pacer.pause();
  }
}

/** The quads of a snapshot. */
export function snapshotLines(snapshot: Snapshot, signal: AbortSignal | undefined, take: TakeLines): Promise<void> {
  const { env, dictionary } = snapshot.timeline;
  return eachBatch(snapshot.scanQuads(ANY), new QuadLines(dictionary), new Pacer(env, STEP_MS, signal), take);
}

async function eachBatch(
  rows: QuadRows & { readonly ops?: Int8Array },
  lines: QuadLines,
  pacer: Pacer,
  take: TakeLines,
): Promise<void> {
  try {
    for (let count = rows.next(); count !== 0; count = rows.next()) {
      if (count === MISS) await rows.fetch();
      else await addRows(rows, lines, pacer, take);
    }
    if (lines.count > 0) await take(lines);
  } finally {
    lines.clear();
    rows.close();
  }
}

async function addRows(
  rows: QuadRows & { readonly ops?: Int8Array },
  lines: QuadLines,
  pacer: Pacer,
  take: TakeLines,
): Promise<void> {
  const { start, end, ops } = rows;
  for (let row = start; row < end; row++) {
    const minus = ops?.[row] === -1;
    while (!lines.add(rows, row, minus)) await lines.fetch(rows, row, end);
    if (!lines.full) continue;
    const taken = take(lines);
    if (taken !== undefined) await taken;
    lines.clear();
    if (pacer.due()) await pacer.pause();
  }
}
