/** Compares a transaction of a history file with the revision that the repository already has. */
import { MISS } from '../keyspace/block-cache.js';
import type { Timeline } from '../timeline/timeline.js';
import { Snapshot } from '../read/snapshot.js';
import type { QuadSeeker } from '../index/read/quad-seeker.js';
import type { RevisionRecord } from '../revision/record.js';
import type { Pacer } from '../runtime/env.js';
import type { RowBuffer } from './row-buffer.js';

const BOUND = { s: true, p: true, o: true, g: true };

/** Looks the rows of one revision up in it and in the one before. */
export class KnownRevision {
  readonly #snapshots: readonly [Snapshot, Snapshot];
  readonly #before: QuadSeeker;
  readonly #after: QuadSeeker;

  constructor(timeline: Timeline, before: RevisionRecord, record: RevisionRecord) {
    this.#snapshots = [new Snapshot(timeline, before), new Snapshot(timeline, record)];
    this.#before = this.#snapshots[0].seeker(BOUND);
    this.#after = this.#snapshots[1].seeker(BOUND);
  }

  /** The first of the rows that the revision does not have; -1 if there is none. The rows have ids. */
  async findOther(rows: RowBuffer, start: number, end: number, pacer: Pacer): Promise<number> {
    for (let row = start; row < end; row++) {
      const added = rows.added[row] === 1;
      const wasThere = await has(this.#before, rows, row);
      if (wasThere === added || (await has(this.#after, rows, row)) !== added) return row;
      if (pacer.due()) await pacer.pause();
    }
    return -1;
  }

  close(): void {
    this.#before.close();
    this.#after.close();
    for (const snapshot of this.#snapshots) snapshot.close();
  }
}

async function has(seeker: QuadSeeker, { s, p, o, g }: RowBuffer, row: number): Promise<boolean> {
  seeker.seek(s[row]!, p[row]!, o[row]!, g[row]!);
  for (;;) {
    const rows = seeker.next();
    if (rows !== MISS) return rows > 0;
    await seeker.fetch();
  }
}
