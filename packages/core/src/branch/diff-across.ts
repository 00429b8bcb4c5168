/** The difference between revisions of two lines, by what each has changed since their common ancestor. */
import { MISS } from '../keyspace/block-cache.js';
import type { Timeline } from '../timeline/timeline.js';
import type { IdPattern } from '../index/orders.js';
import { accessPath, ANY } from '../index/orders.js';
import { ChangeWindow } from '../read/change-window.js';
import type { ChangeRows } from '../read/change-window.js';
import type { DiffRow } from '../read/diff.js';
import { ChangeScan, eachRow } from '../read/diff.js';
import type { DiffEntry } from '../read/diff-quads.js';
import { addedOrRemoved } from '../read/diff-quads.js';
import type { EntrySource } from '../read/entry-reader.js';
import { Snapshot } from '../read/snapshot.js';
import type { RevisionRecord } from '../revision/record.js';
import type { EndSignal } from '../runtime/env.js';
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

/** The net changes of all quads from one revision to another, sorted as (s, p, o, g). */
export const rowsAcross = (from: Place, to: Place, pacer: Pacer): AsyncGenerator<DiffRow> =>
  eachRow(new AcrossScan(from, to, pacer), pacer);

/** The net changes from one revision to another of the quads that match, in the order of the pattern's access path. */
class AcrossScan extends ChangeWindow implements ChangeRows {
  readonly #left: ChangeScan;
  readonly #right: ChangeScan;
  /** The present row of each side. */
  #leftRow = 0;
  #rightRow = 0;
  #leftDone = false;
  #rightDone = false;
  #waiting: ChangeScan | undefined;

  constructor(from: Place, to: Place, pacer: Pacer, pattern: IdPattern = ANY) {
    super(accessPath(pattern).order);
    const fork = forkOf(from, to);
    const [left, right] = [from, to].map(
      ({ timeline: { index }, record: { number } }) =>
        new ChangeScan({ index, from: fork, to: number }, pacer, pattern),
    );
    this.#left = left!;
    this.#right = right!;
  }

  next(): number {
    this.begin();
    while (this.room > 0) {
      if (!this.#stand()) return this.handOut() || MISS;
      if (this.#leftDone && this.#rightDone) break;
      const order = this.#leftDone ? 1 : this.#rightDone ? -1 : this.#compare();
      // What both have changed alike is no difference. They cannot have changed one quad in different ways.
      if (order < 0) this.#take(this.#left, this.#leftRow, -1);
      if (order > 0) this.#take(this.#right, this.#rightRow, 1);
      if (order <= 0) this.#leftRow++;
      if (order >= 0) this.#rightRow++;
    }
    return this.handOut();
  }

  // Both sides stand on a row, or at the end. Returns false if something must be fetched before.
  #stand(): boolean {
    if (!this.#leftDone && this.#leftRow === this.#left.end) {
      const rows = this.#left.next();
      if (rows === MISS) return this.#block(this.#left);
      this.#leftRow = 0;
      this.#leftDone = rows === 0;
    }
    if (!this.#rightDone && this.#rightRow === this.#right.end) {
      const rows = this.#right.next();
      if (rows === MISS) return this.#block(this.#right);
      this.#rightRow = 0;
      this.#rightDone = rows === 0;
    }
    return true;
  }

  // A window that was read has no rows left, also if the next one is not there yet.
  #block(side: ChangeScan): false {
    if (side === this.#left) this.#leftRow = 0;
    else this.#rightRow = 0;
    this.#waiting = side;
    return false;
  }

  #compare(): number {
    const [left, right] = [this.#left.places, this.#right.places];
    for (let place = 0; place < 4; place++) {
      const difference = left[place]![this.#leftRow]! - right[place]![this.#rightRow]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  #take({ places: [a, b, c, d], ops }: ChangeScan, row: number, sign: 1 | -1): void {
    this.push(a[row]!, b[row]!, c[row]!, d[row]!, (ops[row]! * sign) as 1 | -1);
  }

  async fetch(): Promise<void> {
    await this.#waiting?.fetch();
  }

  close(): void {
    this.#left.close();
    this.#right.close();
  }
}

/** Like `diffQuads`, of revisions of two lines. */
export function quadsAcross(from: Place, to: Place, signal?: EndSignal): EntrySource<DiffEntry> {
  const { env } = to.timeline;
  return {
    snapshots: [to, from].map(({ timeline, record }) => new Snapshot(timeline, record)),
    rows: (pattern) => new AcrossScan(from, to, new Pacer(env, undefined, signal), pattern),
    entry: addedOrRemoved,
  };
}
