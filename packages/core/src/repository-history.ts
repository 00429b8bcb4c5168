/** The history of a repository: its revisions, the difference between two of them, and the events of quads. */
import type { LazySequence } from '@quadrille/model';
import type { branchSections } from './history/branch-sections.js';
import type { exportRevisions } from './history/export-revisions.js';
import type { HistoryImport } from './history/history-import.js';
import type { HistoryFaults } from './history/imported-revision.js';
import type { revisionLines, snapshotLines } from './history/revision-lines.js';
import type { RepositoryHandle } from './open/handle.js';
import type { Attestations } from './revision/attestations.js';
import { readRecord } from './revision/log.js';
import type { Revision, RevisionRecord } from './revision/record.js';
import { baseOf, toRevision } from './revision/record.js';
import type { Ref } from './timeline/refs.js';
import { tryResolveRef } from './timeline/refs.js';
import type { EndSignal } from './runtime/env.js';
import type { DiffEntry } from './read/diff-quads.js';
import { EntryReader } from './read/entry-reader.js';
import type { EntrySource } from './read/entry-reader.js';
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

interface QuadsAsLines {
  readonly revisionLines: typeof revisionLines;
  readonly snapshotLines: typeof snapshotLines;
}

type OnRequest = typeof import('./on-request.js');

export class RepositoryHistory {
  /** Each import of a module takes microseconds, also of one that is loaded. */
  #code: OnRequest | undefined;

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

  /** Reads quads and changes as lines, to be hashed. */
  lines(): Promise<QuadsAsLines> {
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
  changes(record: RevisionRecord, pattern?: TermPattern, signal?: EndSignal): LazySequence<DiffEntry[]> {
    return this.#entries(pattern, ({ revisionChanges }) => revisionChanges(this.handle.timeline, record, signal));
  }

  /** The changes between two revisions of the line, in batches. With a pattern only those of quads that match. */
  diff(from: Ref, to: Ref, pattern?: TermPattern, signal?: EndSignal): LazySequence<DiffEntry[]> {
    const { handle } = this;
    return this.#entries(pattern, ({ diffQuads }) => {
      const [first, second] = [tryResolveRef(handle.timeline, from), tryResolveRef(handle.timeline, to)];
      if (first !== undefined && second !== undefined) return diffQuads(handle.timeline, first, second, signal);
      return Promise.all([this.resolve(from), this.resolve(to)]).then(async ([read, other]) => {
        await handle.ready();
        return diffQuads(handle.timeline, read, other, signal);
      });
    });
  }

  /**
   * The events of the quads that match, from one revision to another, both included. They are grouped by quad and
   * sorted by revision within a quad. Default: all revisions.
   */
  events(
    pattern: TermPattern,
    { from, to }: { from?: Ref | undefined; to?: Ref | undefined } = {},
    signal?: EndSignal,
  ): LazySequence<HistoryEvent[]> {
    const { handle } = this;
    return this.#entries(pattern, ({ HistorySource, TrimmedNumbers }) => {
      const { head } = handle;
      const open = (first: number, last: number, kept: (number: number) => number): EntrySource<HistoryEvent> =>
        new HistorySource(new Snapshot(handle.timeline, head), { first, last, kept }, signal);
      const find = (ref: Ref): number | Promise<number> =>
        tryResolveRef(handle.timeline, ref)?.number ?? this.resolve(ref).then(({ number }) => number);
      const first = from === undefined ? 1 : find(from);
      const last = to === undefined ? head.number : find(to);
      const trimmed = TrimmedNumbers.ofLines(handle.keyspace, head.number);
      if (typeof first === 'number' && typeof last === 'number' && !(trimmed instanceof Promise))
        return open(first, last, trimmed.next);
      return Promise.all([first, last, trimmed]).then(async ([start, end, { next }]) => {
        await handle.ready();
        return open(start, end, next);
      });
    });
  }

  #entries<T>(
    pattern: TermPattern | undefined,
    source: (code: OnRequest) => EntrySource<T> | Promise<EntrySource<T>>,
  ): LazySequence<T[]> {
    const open = (): EntrySource<T> | Promise<EntrySource<T>> => {
      const wait = this.handle.ready();
      if (wait !== undefined) return wait.then(open);
      if (this.#code !== undefined) return source(this.#code);
      return import('./on-request.js').then((code) => {
        this.#code = code;
        return open();
      });
    };
    return new EntryReader(open, pattern);
  }
}
