/** The difference between revisions of two lines, by what each has changed since their common ancestor. */
import type { Timeline } from '../timeline/timeline.js';
import type { DiffRow } from '../read/diff.js';
import { diffRows } from '../read/diff.js';
import type { DiffEntry } from '../read/diff-quads.js';
import { entryBatches } from '../read/diff-quads.js';
import { Snapshot } from '../read/snapshot.js';
import type { RevisionRecord } from '../revision/record.js';
import { Pacer } from '../runtime/env.js';
import { lineNumber } from './locate.js';

/** A revision and the timeline of a line that has it. */
export interface Place {
  readonly timeline: Timeline;
  readonly record: RevisionRecord;
}

/** The last revision that both lines have by their beginnings, whatever was merged later. */
export function forkOf(first: Place, second: Place): number {
  const [a, b] = [first.timeline.keyspace, second.timeline.keyspace];
  let shared = Math.min(first.record.number, second.record.number);
  // Below the number at which one of them begins, both may be on the same line.
  while (lineNumber(a.at(shared)) !== lineNumber(b.at(shared))) {
    const ends = [a, b].map((keyspace) => lastBefore(keyspace, shared));
    shared = Math.max(...ends);
  }
  return shared;
}

// The last revision of the line below the one that has a revision; 0 for `main`.
function lastBefore(keyspace: Timeline['keyspace'], number: number): number {
  const at = keyspace.at(number);
  return 'fork' in at ? (at.fork as number) : 0;
}

/** The net changes from one revision to another, sorted as (s, p, o, g). */
export async function* rowsAcross(from: Place, to: Place, pacer: Pacer): AsyncGenerator<DiffRow> {
  const fork = forkOf(from, to);
  const left = diffRows(from.timeline.index, fork, from.record.number, pacer);
  const right = diffRows(to.timeline.index, fork, to.record.number, pacer);
  let [a, b] = [await left.next(), await right.next()];
  try {
    while (a.done !== true || b.done !== true) {
      const order = a.done === true ? 1 : b.done === true ? -1 : compare(a.value, b.value);
      // What both have changed alike is no difference. They cannot have changed one quad in different ways.
      if (order < 0) yield { ...(a.value as DiffRow), op: (a.value as DiffRow).op === 1 ? -1 : 1 };
      if (order > 0) yield b.value as DiffRow;
      if (order <= 0) a = await left.next();
      if (order >= 0) b = await right.next();
    }
  } finally {
    await left.return(undefined);
    await right.return(undefined);
  }
}

const compare = (x: DiffRow, y: DiffRow): number => x.s - y.s || x.p - y.p || x.o - y.o || x.g - y.g;

/** Like `diffQuads`, of revisions of two lines. */
export async function* quadsAcross(from: Place, to: Place, signal?: AbortSignal): AsyncGenerator<DiffEntry[]> {
  const snapshots = [from, to].map(({ timeline, record }) => new Snapshot(timeline, record));
  const pacer = new Pacer(to.timeline.env, 4, signal);
  try {
    yield* entryBatches(snapshots[1]!, rowsAcross(from, to, pacer), true, pacer);
  } finally {
    for (const snapshot of snapshots) snapshot.close();
  }
}
