/** The history of a repository: its revisions, the difference between two of them, and the events of quads. */
import type { branchSections } from './history/branch-sections.js';
import type { exportRevisions } from './history/export-revisions.js';
import type { HistoryImport } from './history/history-import.js';
import type { HistoryFaults } from './history/imported-revision.js';
import type { RepositoryHandle } from './open/handle.js';
import type { Attestations } from './revision/attestations.js';
import { readRecord } from './revision/log.js';
import type { Revision, RevisionRecord } from './revision/record.js';
import { baseOf, toRevision } from './revision/record.js';
import type { Ref } from './timeline/refs.js';
import { diffQuads } from './read/diff-quads.js';
import type { DiffEntry } from './read/diff-quads.js';
import { historyOf } from './read/history.js';
import type { LogBounds, LogFilter } from './read/filtered-log.js';
import type { HistoryEvent } from './read/history.js';
import type { CursorOptions, RevisionCursor } from './read/revision-cursor.js';
import { Snapshot } from './read/snapshot.js';
import type { TermPattern } from './read/snapshot.js';

interface HistoryFiles {
  readonly branchSections: typeof branchSections;
  readonly exportRevisions: typeof exportRevisions;
  readonly HistoryImport: typeof HistoryImport;
  readonly HistoryFaults: typeof HistoryFaults;
}

export class RepositoryHistory {
  constructor(
    private readonly handle: RepositoryHandle,
    /** Finds the revision of the branch that a ref names. */
    private readonly resolve: (ref: Ref) => Promise<RevisionRecord>,
  ) {}

  /** Revisions, newest first. `before` is excluded. Default: all. */
  async *log(options: { limit?: number | undefined; before?: Ref | undefined } = {}): AsyncGenerator<Revision> {
    const { handle } = this;
    handle.check();
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    let number = handle.head.number;
    if (options.before !== undefined) number = baseOf(await this.resolve(options.before));
    for (; number > 0 && left > 0; left--) {
      const record = await readRecord(handle.keyspace, number);
      number = baseOf(record);
      yield toRevision(record);
    }
  }

  /** The revisions up to `head` that are within bounds and pass a filter, newest first. */
  async *select(
    head: number,
    bounds: LogBounds,
    filter: LogFilter,
    { limit = Infinity, signal }: { limit?: number | undefined; signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<Revision> {
    let left = limit;
    if (left <= 0) return;
    const { filteredLog, logRange } = await import('./on-request.js');
    const range = await logRange(this.resolve, bounds, head);
    for await (const revision of filteredLog(this.handle, range, filter, signal)) {
      yield revision;
      if (--left <= 0) return;
    }
  }

  /** Exports and imports histories. */
  files(): Promise<HistoryFiles> {
    return import('./on-request.js');
  }

  /** States of hashes, and signatures. */
  async attestations(): Promise<Attestations> {
    const { Attestations: Beside } = await import('./on-request.js');
    return new Beside(this.handle.keyspace);
  }

  /** The number of the revision that has the changes of another one: itself, or the next one that a trim has kept. */
  async keptNumber(number: number): Promise<number> {
    const { TrimmedNumbers } = await import('./on-request.js');
    return (await TrimmedNumbers.at(this.handle.keyspace, number)).next(number);
  }

  /** Follows the log from a revision on. See {@link RevisionCursor}. */
  async follow(options: CursorOptions): Promise<RevisionCursor> {
    const { RevisionCursor: Cursor } = await import('./on-request.js');
    return new Cursor(this.handle, options);
  }

  /** The quads that a revision has added and removed, in batches. With a pattern only those that match. */
  async *changes(record: RevisionRecord, pattern?: TermPattern, signal?: AbortSignal): AsyncGenerator<DiffEntry[]> {
    const { revisionChanges } = await import('./on-request.js');
    await this.handle.ready();
    yield* revisionChanges(this.handle.timeline, record, pattern, signal);
  }

  /** The changes between two revisions as quads, in batches. */
  async *diff(from: Ref, to: Ref, signal?: AbortSignal): AsyncGenerator<DiffEntry[]> {
    const [first, second] = [await this.resolve(from), await this.resolve(to)];
    await this.handle.ready();
    yield* diffQuads(this.handle.timeline, first, second, signal);
  }

  /**
   * The events of the quads that match, from one revision to another, both included. They are grouped by quad and
   * sorted by revision within a quad. Default: all revisions.
   */
  async *events(
    pattern: TermPattern,
    range: { from?: Ref | undefined; to?: Ref | undefined } = {},
    signal?: AbortSignal,
  ): AsyncGenerator<HistoryEvent[]> {
    const { handle } = this;
    await handle.ready();
    const newest = handle.head;
    const first = range.from === undefined ? 1 : (await this.resolve(range.from)).number;
    const last = range.to === undefined ? newest.number : (await this.resolve(range.to)).number;
    const { TrimmedNumbers } = await import('./on-request.js');
    const trimmed = await TrimmedNumbers.ofLines(handle.keyspace, newest.number);
    await handle.ready();
    const snapshot = new Snapshot(handle.timeline, newest);
    try {
      const ids = await snapshot.ids(pattern);
      if (ids !== undefined) yield* historyOf(snapshot, ids, { first, last, kept: trimmed.next }, signal);
    } finally {
      snapshot.close();
    }
  }
}
