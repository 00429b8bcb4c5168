/** A revision of a history file, and the errors of such files. */
import { ConflictError, CorruptionError } from '@quadrille/model';
import { equalBytes } from '../format/byte-codec.js';
import type { RevisionBody, RevisionHeaders, RevisionRecord } from '../revision/record.js';
import { withHeaders } from '../revision/record.js';
import { NONCE_BYTES } from '../revision/record-fields.js';
import { asSquash, isFirst } from './jump.js';
import type { IdQuads } from '../index/quad-columns.js';
import { asIdQuads } from '../write/large-change/sorted-quads.js';
import { LargeChange } from '../write/large-change/large-change.js';
import type { Timeline } from '../timeline/timeline.js';
import { markMembers } from '../index/run/run-members.js';
import type { Pacer } from '../runtime/env.js';
import { MISS } from '../keyspace/block-cache.js';
import { Snapshot } from '../read/snapshot.js';
import type { QuadSeeker } from '../index/read/quad-seeker.js';
import type { RowBuffer } from '../write/patch/row-buffer.js';

/** A transaction of a history file: its revision, and the numbers of its rows `A` and `D`. */
export interface ImportedTransaction {
  readonly revision: RevisionHeaders;
  readonly added: number;
  readonly removed: number;
  /** The first line of the transaction. */
  readonly line: number;
}

/** Makes the errors of one history file. */
export class HistoryFaults {
  constructor(private readonly source: string | undefined) {}

  /** The file is damaged, edited or cut. */
  broken(line: number, reason: string, cause?: unknown): CorruptionError {
    const place = `${this.source === undefined ? '' : `${this.source}:`}${line}`;
    return new CorruptionError('LOG_BROKEN', `${place}: ${reason}`, {
      cause,
      details: { line, source: this.source },
    });
  }

  /** The file may be in order, but its revisions cannot follow those of the repository. */
  diverged(line: number, reason: string): ConflictError {
    const place = this.source === undefined ? `line ${line}` : `${this.source}:${line}`;
    return new ConflictError('HISTORY_DIVERGED', `${place}: ${reason}`, { details: { line, source: this.source } });
  }
}

const NO_NONCE = new Uint8Array(NONCE_BYTES);

/**
 * The record of an imported revision: the file says who and when, the commit what has changed. Throws if the change has not the effect
 * that the file says: what it adds was there, or what it deletes was not.
 */
export function describeAs(
  { revision, added, removed, line }: ImportedTransaction,
  faults: HistoryFaults,
): (body: RevisionBody) => RevisionBody {
  return (body) => {
    if (body.addedCount !== added || body.removedCount !== removed) throw faults.broken(line, NO_EFFECT);
    const described = withHeaders(body, revision);
    return asSquash(described, body.number - 1, isFirst(revision));
  };
}

export const NO_EFFECT = 'a quad to add is there already, or one to delete is not there';

/** Whether a stored revision is that of the file, apart from its quads. */
export function isSameRevision(
  record: RevisionRecord,
  { revision, added, removed }: Pick<ImportedTransaction, 'revision' | 'added' | 'removed'>,
): boolean {
  const { mergedParent, origin, nonce } = revision;
  return (
    record.number === revision.number &&
    same(record.id, revision.id) &&
    same(record.parentId, revision.parentId) &&
    record.time === revision.time &&
    record.author === revision.author &&
    record.message === revision.message &&
    record.kind === revision.kind &&
    same(record.mergedParent, mergedParent) &&
    same(record.origin, origin) &&
    same(record.nonce ?? NO_NONCE, nonce ?? NO_NONCE) &&
    record.addedCount === added &&
    record.removedCount === removed
  );
}

function same(x: Uint8Array | undefined, y: Uint8Array | undefined): boolean {
  return x === undefined || y === undefined ? x === y : equalBytes(x, y);
}

export class ImportedChange extends LargeChange {
  readonly #pacer: Pacer;

  constructor(timeline: Timeline, pacer: Pacer) {
    super(timeline, undefined, pacer);
    this.#pacer = pacer;
  }

  /** Like {@link remove}. Returns false if the rows have a quad twice, or an earlier chunk has removed one of them. */
  async removeOnce(quads: IdQuads): Promise<boolean> {
    const rows = await this.sorted(quads);
    if (rows.length < quads.length) return false;
    // Earlier chunks are compared as runs.
    await this.spill();
    const marks = new Uint8Array(rows.length);
    for (const { runs } of this.written.removed) await markMembers(runs, rows, marks, 1, this.#pacer);
    if (marks.includes(1)) return false;
    await this.remove(asIdQuads(rows));
    return true;
  }
}

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
