/**
 * Imports the transactions of a history file into a repository. The caller parses: it passes terms and rows on, then ends each
 * transaction. Small transactions are collected and staged together, so that many of them share a write. A transaction of any size is
 * written aside while it is read, and becomes visible when it ends.
 */
import type { QuadSink, TermHandle } from '@quadrille/model';
import { equalBytes } from '../format/byte-codec.js';
import { Tag } from '../format/layout.js';
import { QuadColumns } from '../index/quad-columns.js';
import type { Timeline } from '../timeline/timeline.js';
import { truncateTerms } from '../dictionary/truncate-terms.js';
import { RepositoryAccess } from '../open/repository-access.js';
import type { RepositoryHandle } from '../open/handle.js';
import { readRecord } from '../revision/log.js';
import { baseOf, toRevision } from '../revision/record.js';
import type { Revision, RevisionHeaders } from '../revision/record.js';
import { canFollow } from '../revision/uuid.js';
import { Pacer } from '../runtime/env.js';
import type { BufferedTransaction } from './append-revisions.js';
import { RevisionAppender } from './append-revisions.js';
import {
  ImportedChange,
  describeAs,
  isSameRevision,
  NO_EFFECT,
  type HistoryFaults,
  type ImportedTransaction,
  KnownRevision,
} from './imported-revision.js';
import { forgetNumbers, isFirst, jumpOps } from './jump.js';
import { replaceFirst } from './replace-first.js';
import type { RowBuffer } from '../write/patch/row-buffer.js';
import { TextRows } from '../write/patch/text-rows.js';
import type { SharedHistory } from './shared-revisions.js';
import { SharedRevisions } from './shared-revisions.js';

/** Transactions, rows, or bytes of texts that are collected before they are staged. */
const MOST_TRANSACTIONS = 1024;
const MOST_ROWS = 8192;
const MOST_TEXT_BYTES = 512 * 1024;
/** Bytes of texts at which a part of a large transaction is written aside. It also is at `chunkRows`. */
const CHUNK_TEXT_BYTES = 64 * 1024 * 1024;
/** Terms after which those of earlier transactions are forgotten. */
const MOST_TERMS = 1 << 20;

/** Every UUID comes after it. */
const NO_ID = new Uint8Array(16);

/** Where the rows of a large transaction go: they change the repository, or are compared with the revision that it has. */
interface LargeTransaction {
  readonly change: ImportedChange | undefined;
  added: number;
  removed: number;
}

/** Appends the revisions of a history file to a repository. */
export class HistoryImport implements Pick<QuadSink, 'term' | 'tripleTerm' | 'blankNode'> {
  /** Numbers of revisions so far that were appended, and that the repository already had. */
  imported = 0;
  /** Revisions of the file that the repository had already. */
  skipped = 0;
  /** Whether a call has failed. Then nothing more can be imported. */
  failed = false;
  readonly #pacer: Pacer;
  readonly #appender: RevisionAppender;
  readonly #shared: SharedRevisions | undefined;
  readonly #text: TextRows;
  readonly #rows: RowBuffer;
  #queue: BufferedTransaction[] = [];
  /** The first row of the transaction that is read. */
  #open = 0;
  #large: LargeTransaction | undefined;
  /** Bytes of texts that had been collected when rows were staged last. */
  #textBytes = 0;

  private constructor(
    private readonly timeline: Timeline,
    private readonly leave: () => Promise<void> | undefined,
    private readonly faults: HistoryFaults,
    signal: AbortSignal | undefined,
    shared: SharedHistory | undefined,
  ) {
    this.#pacer = new Pacer(timeline.env, 4, signal);
    this.#shared = shared && new SharedRevisions(timeline, shared, faults);
    this.#appender = new RevisionAppender(timeline, faults, this.#pacer, this.#shared);
    this.#text = new TextRows(timeline.dictionary);
    this.#rows = this.#text.rows;
  }

  /** Begins as a writer of the repository. The caller closes the import. `shared` is what another branch has too. */
  static async begin(
    { handle }: { readonly handle: RepositoryHandle },
    faults: HistoryFaults,
    signal: AbortSignal | undefined,
    shared?: SharedHistory,
  ): Promise<HistoryImport> {
    const { timeline, leave } = await new RepositoryAccess(handle, truncateTerms).enter();
    return new HistoryImport(timeline, leave, faults, signal, shared);
  }

  /** The newest revision that is durable. */
  get head(): Revision {
    return toRevision(this.timeline.published);
  }

  // ── Rows ────────────────────────────────────────────────────────────────────────────────────────────────────────

  term(bytes: Uint8Array, start: number, end: number): TermHandle {
    return this.#text.term(bytes, start, end);
  }

  blankNode(bytes: Uint8Array, start: number, end: number): TermHandle {
    return this.#text.blankNode(bytes, start, end);
  }

  tripleTerm(subject: TermHandle, predicate: TermHandle, object: TermHandle): TermHandle {
    return this.#text.tripleTerm(subject, predicate, object);
  }

  /** A row of the open transaction. */
  change(added: boolean, s: TermHandle, p: TermHandle, o: TermHandle, g: TermHandle, line: number): void {
    this.#text.change(added, s, p, o, g, line);
  }

  /** Whether the caller must await {@link makeRoom} before it passes more rows. */
  get full(): boolean {
    return this.#isQueueFull || this.#isOpenFull;
  }

  get #isQueueFull(): boolean {
    const { length } = this.#queue;
    if (length === 0) return false;
    const texts = this.#text.bytes - this.#textBytes;
    return length >= MOST_TRANSACTIONS || this.#open >= MOST_ROWS || texts >= MOST_TEXT_BYTES;
  }

  get #isOpenFull(): boolean {
    const { chunkRows } = this.timeline.keyspace.tuning;
    return this.#rows.length - this.#open >= chunkRows || this.#text.bytes >= CHUNK_TEXT_BYTES;
  }

  /** Stages what is complete. Writes aside what is large. `number` is that of the revision that is read. */
  makeRoom(number: number, line: number): Promise<void> {
    return this.#attempt(async () => {
      if (this.#isQueueFull || (this.#isOpenFull && this.#queue.length > 0)) await this.#stage();
      if (this.#isOpenFull && this.#rows.length > 0) await this.#writeAside(number, line);
    });
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.failed = true;
      throw error;
    }
  }

  // ── Ends of transactions ────────────────────────────────────────────────────────────────────────────────────────

  /** Ends the open transaction. It is staged with later ones, or by {@link flush}. */
  commit(revision: RevisionHeaders, line: number): Promise<void> | undefined {
    const rows = this.#rows;
    const large = this.#large;
    if (large !== undefined) {
      return this.#attempt(async () => {
        await this.#writeAside(revision.number, line);
        await this.#endLarge(large, revision, line);
      });
    }
    const added = rows.countAdded(this.#open, rows.length);
    const removed = rows.length - this.#open - added;
    this.#queue.push({ revision, line, added, removed, start: this.#open, end: rows.length });
    this.#open = rows.length;
    return undefined;
  }

  /** Drops the rows of the open transaction, and stages the others. Resolves when they are durable. */
  flush(): Promise<void> {
    return this.#attempt(async () => {
      await this.#large?.change?.close();
      this.#large = undefined;
      this.#text.dropLast(this.#rows.length - this.#open);
      await this.#stage();
      await this.#appender.settle();
    });
  }

  /** Call it at the end in any case. */
  async close(): Promise<void> {
    try {
      await this.#large?.change?.close();
      await this.#appender.settle().catch(() => undefined);
    } finally {
      await this.leave();
    }
  }

  // Stages the complete transactions. The transactions of the last call are durable then.
  async #stage(): Promise<void> {
    await this.#appender.settle();
    await this.#resolve();
    const queue = this.#queue;
    this.#queue = [];
    for (let at = 0; at < queue.length;) {
      const transaction = queue[at]!;
      if (transaction.revision.number <= this.timeline.staged.number) {
        if (!(await this.#replacesFirst(transaction))) await this.#compare(transaction);
        at++;
        continue;
      }
      await this.#checkBegins(transaction);
      const end = await this.#appender.append(this.#rows, queue, at);
      this.imported += end - at;
      at = end;
      if (at === queue.length) break;
      await this.#stageLarge(queue[at++]!);
    }
    this.#text.dropFirst(this.#open);
    this.#open = 0;
    if (this.#text.termCalls < MOST_TERMS || this.#rows.length > 0 || this.#large !== undefined) return;
    this.#text.forgetTerms();
    this.#textBytes = 0;
  }

  // Gives ids to the rows before the open transaction.
  async #resolve(end = this.#open): Promise<void> {
    await this.#text.resolve(end, this.#pacer);
    this.#textBytes = this.#text.bytes;
  }

  // ── Revisions that the repository has ───────────────────────────────────────────────────────────────────────────

  async #replacesFirst(transaction: BufferedTransaction): Promise<boolean> {
    const { timeline, faults } = this;
    const { revision, line } = transaction;
    if (revision.number !== 1 || timeline.staged.number !== 1) return false;
    if (isSameRevision(timeline.staged, transaction)) return false;
    if (!canFollow(revision.id, NO_ID, Number.POSITIVE_INFINITY))
      throw faults.broken(line, 'the id of a revision is a UUID of version 7 or 1');
    if (transaction.end > transaction.start)
      throw faults.broken(line, 'revision 1 is empty, and its transaction is not');
    await this.#checkFirstIsUnused(line);
    if (!(await replaceFirst(timeline, transaction, faults))) return false;
    this.imported++;
    return true;
  }

  async #checkBegins({ revision, line }: ImportedTransaction): Promise<void> {
    if (isFirst(revision) && this.timeline.staged.number === 1) await this.#checkFirstIsUnused(line);
  }

  // Another revision takes the place of the empty first one, which nothing else may name.
  async #checkFirstIsUnused(line: number): Promise<void> {
    const { keyspace } = this.timeline;
    for (const [what, tag] of [
      ['tags', Tag.tag],
      ['branches', Tag.line],
    ] as const)
      for await (const _ of keyspace.entries(tag))
        throw this.faults.diverged(line, `the repository has ${what}, which name its first revision`);
  }

  async #compare(transaction: BufferedTransaction): Promise<void> {
    const known = await this.#knownAs(transaction);
    const other = await known
      ?.findOther(this.#rows, transaction.start, transaction.end, this.#pacer)
      .finally(() => known.close());
    if (other !== undefined && other !== -1) throw this.#otherRow(transaction, other);
    this.skipped++;
  }

  #otherRow({ revision }: Pick<ImportedTransaction, 'revision'>, row: number): Error {
    const problem = `revision ${revision.number} of the repository has other changes than that of the file`;
    return this.faults.diverged(this.#rows.lines[row]!, problem);
  }

  // What looks rows up in the revision of a transaction, which the repository has. Undefined if it has no rows.
  async #knownAs(
    transaction: Omit<ImportedTransaction, 'line'> & { line: number },
  ): Promise<KnownRevision | undefined> {
    const { keyspace } = this.timeline;
    const { number } = transaction.revision;
    const record = await readRecord(keyspace, number);
    if (!isSameRevision(record, transaction)) {
      const differs = equalBytes(record.id, transaction.revision.id) ? 'differs from' : 'is another one than';
      throw this.faults.diverged(transaction.line, `revision ${number} of the repository ${differs} that of the file`);
    }
    if (record.parentId === undefined) return undefined;
    return new KnownRevision(this.timeline, await readRecord(keyspace, baseOf(record)), record);
  }

  // ── Large transactions ──────────────────────────────────────────────────────────────────────────────────────────

  // All rows of the buffer belong to the open transaction, and those before it are staged.
  async #writeAside(number: number, line: number): Promise<void> {
    if (this.#queue.length > 0) await this.#stage();
    const large = (this.#large ??= await this.#beginLarge(number));
    const rows = this.#rows;
    const freshFrom = this.timeline.dictionary.nextId;
    await this.#resolve(rows.length);
    const added = rows.countAdded(0, rows.length);
    large.added += added;
    large.removed += rows.length - added;
    if (large.change === undefined) await this.#compareAside(number, line);
    else await this.#change(large.change, 0, rows.length, freshFrom, line);
    this.#text.dropFirst(rows.length);
    this.#open = 0;
  }

  async #beginLarge(number: number): Promise<LargeTransaction> {
    await this.#appender.settle();
    const { timeline } = this;
    const isKnown = number <= timeline.published.number;
    return { change: isKnown ? undefined : new ImportedChange(timeline, this.#pacer), added: 0, removed: 0 };
  }

  async #compareAside(number: number, line: number): Promise<void> {
    const { keyspace } = this.timeline;
    const record = await readRecord(keyspace, number);
    if (number === 1) throw this.faults.broken(line, 'revision 1 is empty, and its transaction is not');
    if (record.parentId === undefined) return;
    const known = new KnownRevision(this.timeline, await readRecord(keyspace, baseOf(record)), record);
    try {
      const other = await known.findOther(this.#rows, 0, this.#rows.length, this.#pacer);
      if (other !== -1)
        throw this.faults.diverged(
          this.#rows.lines[other]!,
          `revision ${number} of the repository has other changes than that of the file`,
        );
    } finally {
      known.close();
    }
  }

  async #change(change: ImportedChange, start: number, end: number, freshFrom: number, line: number): Promise<void> {
    for (const isAdded of [false, true]) {
      const quads = new QuadColumns();
      this.#rows.copyTo(quads, isAdded, start, end);
      if (quads.length === 0) continue;
      if (isAdded) await change.add(quads, freshFrom);
      else if (!(await change.removeOnce(quads))) throw this.faults.broken(line, 'a quad is deleted twice');
    }
  }

  // A complete transaction whose rows are in memory.
  async #stageLarge(transaction: BufferedTransaction): Promise<void> {
    await this.#appender.settle();
    const change = new ImportedChange(this.timeline, this.#pacer);
    try {
      await this.#change(change, transaction.start, transaction.end, this.timeline.dictionary.nextId, transaction.line);
      await this.#publish(change, transaction);
    } finally {
      await change.close();
    }
  }

  async #endLarge(large: LargeTransaction, revision: RevisionHeaders, line: number): Promise<void> {
    const { change, added, removed } = large;
    const transaction = { revision, line, added, removed };
    this.#large = undefined;
    try {
      if (change !== undefined) return await this.#publish(change, transaction);
      (await this.#knownAs(transaction))?.close();
      this.skipped++;
    } finally {
      await change?.close();
    }
  }

  async #publish(change: ImportedChange, transaction: ImportedTransaction): Promise<void> {
    const { revision, line } = transaction;
    const { author, message, number } = revision;
    await this.#checkBegins(transaction);
    const taken = this.#shared?.with(transaction);
    const record = await change.commit({
      author,
      message,
      validate: () => this.#appender.checkFollows(transaction),
      describe: describeAs(transaction, this.faults),
      locked: taken?.read,
      also: () => [...jumpOps(this.timeline, revision), ...(taken?.ops ?? [])],
    });
    if (revision.kind === 'squash') forgetNumbers(this.timeline);
    // Without any effect there is no revision.
    if (record.number !== number) throw this.faults.broken(line, NO_EFFECT);
    this.imported++;
  }
}
