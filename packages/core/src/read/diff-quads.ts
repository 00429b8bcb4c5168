/** The difference between two revisions as RDF/JS quads. */
import type * as RDF from '@rdfjs/types';
import { Pacer } from '../runtime/env.js';
import type { Timeline } from '../timeline/timeline.js';
import { QuadDecoder } from './quad-decoder.js';
import { Snapshot } from './snapshot.js';
import { diffRows } from './diff.js';
import type { DiffRow } from './diff.js';
import type { RevisionRecord } from '../revision/record.js';

/** A quad that was added or removed. */
export interface DiffEntry {
  /** Whether it is in the later state alone, or in the earlier one alone. */
  readonly op: 'add' | 'remove';
  /** The quad, with its graph. */
  readonly quad: RDF.Quad;
}

const BATCH_ROWS = 1024;

/** The changes from revision `from` to revision `to`, sorted by quad. `to` may be the earlier one. */
export async function* diffQuads(
  timeline: Timeline,
  from: RevisionRecord,
  to: RevisionRecord,
  signal?: AbortSignal,
): AsyncGenerator<DiffEntry[]> {
  const forward = from.number <= to.number;
  const [earlier, later] = forward ? [from, to] : [to, from];
  const snapshot = new Snapshot(timeline, later);
  const pacer = new Pacer(timeline.env, 4, signal);
  try {
    yield* entryBatches(snapshot, diffRows(snapshot.index, earlier.number, later.number, pacer), forward, pacer);
  } finally {
    snapshot.close();
  }
}

/** The quads of changed rows, in batches. If not `forward`, what was added counts as removed, and the reverse. */
export async function* entryBatches(
  snapshot: Snapshot,
  changed: AsyncGenerator<DiffRow>,
  forward: boolean,
  pacer: Pacer,
): AsyncGenerator<DiffEntry[]> {
  let rows: DiffRow[] = [];
  for await (const row of changed) {
    rows.push(row);
    if (rows.length < BATCH_ROWS) continue;
    yield* entriesOf(snapshot, rows, forward, pacer);
    rows = [];
  }
  yield* entriesOf(snapshot, rows, forward, pacer);
}

async function* entriesOf(
  snapshot: Snapshot,
  rows: readonly DiffRow[],
  forward: boolean,
  pacer: Pacer,
): AsyncGenerator<DiffEntry[]> {
  const ids = {
    s: Uint32Array.from(rows, (row) => row.s),
    p: Uint32Array.from(rows, (row) => row.p),
    o: Uint32Array.from(rows, (row) => row.o),
    g: Uint32Array.from(rows, (row) => row.g),
  };
  let at = 0;
  for await (const quads of new QuadDecoder(snapshot.timeline.decoder).pieces(ids, rows.length, pacer)) {
    yield quads.map((quad, i) => ({ op: (rows[at + i]!.op === 1) === forward ? 'add' : 'remove', quad }));
    at += quads.length;
    snapshot.check();
  }
}
