/** Appends small revisions of a history file to the log. Many of them share a durable write. */
import { equalBytes } from '../format/byte-codec.js';
import { EndedColumns, QuadColumns, QuadSet, sortQuads } from '../index/quad-columns.js';
import { findInterval } from '../index/read/find-interval.js';
import { MISS } from '../keyspace/block-cache.js';
import type { Timeline } from '../timeline/timeline.js';
import { deltaBytesLeft, fitsInRecord, mostRowsIn } from '../revision/record.js';
import type { RevisionRecord } from '../revision/record.js';
import { canFollow } from '../revision/uuid.js';
import type { Pacer } from '../runtime/env.js';
import type { NetChange } from '../timeline/change.js';
import type { HistoryFaults, ImportedTransaction } from './imported-revision.js';
import { describeAs } from './imported-revision.js';
import { forgetNumbers, isFirst, jumpOps } from './jump.js';
import type { SharedRevisions } from './shared-revisions.js';
import type { RowBuffer } from '../write/patch/row-buffer.js';

/** A transaction whose rows are in memory. */
export interface BufferedTransaction extends ImportedTransaction {
  readonly start: number;
  readonly end: number;
}

const NONE_ENDED = new EndedColumns();

/** Longer messages and authors leave less room for the quads in a record. */
const LONG_TEXTS = 4096;

export class RevisionAppender {
  /** Resolves when the newest staged revision is durable. */
  #last: Promise<RevisionRecord> | undefined;

  constructor(
    private readonly timeline: Timeline,
    private readonly faults: HistoryFaults,
    private readonly pacer: Pacer,
    private readonly shared: SharedRevisions | undefined,
  ) {}

  /** Waits until all staged revisions are durable. @throws the error of a failed write */
  async settle(): Promise<void> {
    await this.#last;
  }

  /**
   * Stages transactions from `first` on. Returns the index of the first one that is too large for a record, or their number.
   * @throws CorruptionError `LOG_BROKEN`, ConflictError `HISTORY_DIVERGED`: those before it are staged
   */
  async append(rows: RowBuffer, transactions: readonly BufferedTransaction[], first: number): Promise<number> {
    const { timeline } = this;
    const room = timeline.room();
    if (room !== undefined) await room;
    return timeline.writeLock.run(async () => {
      for (let at = first; at < transactions.length; at++) {
        if (!(await this.#stage(rows, transactions[at]!))) return at;
        if (this.pacer.due()) await this.pacer.pause();
      }
      return transactions.length;
    });
  }

  /** @throws ConflictError `HISTORY_DIVERGED` if the revision cannot follow the staged head */
  checkFollows({ revision, line }: ImportedTransaction): void {
    const { staged } = this.timeline;
    const { number, parentId, id, time } = revision;
    if (isFirst(revision) && staged.number === 1 && this.timeline.base === undefined) return;
    const isNext = number === staged.number + 1 || (revision.kind === 'squash' && number > staged.number);
    if (!isNext || parentId === undefined || !equalBytes(parentId, staged.id)) {
      throw this.faults.diverged(
        line,
        `revision ${number} cannot follow the head, revision ${staged.number}: the repository has another history`,
      );
    }
    // The clock of the other machine does not matter: later revisions of ours get later times and ids.
    const isLater = canFollow(id, staged.id, Number.POSITIVE_INFINITY) && time >= staged.time;
    if (!isLater)
      throw this.faults.broken(line, `the id or the time of revision ${number} is before that of the revision before`);
  }

  // Returns false, and has no effect, if the transaction is too large.
  async #stage(rows: RowBuffer, transaction: BufferedTransaction): Promise<boolean> {
    const { timeline, faults } = this;
    timeline.writeLock.assertHeld();
    timeline.checkWritable();
    this.checkFollows(transaction);
    const room = this.#roomFor(transaction);
    if (transaction.end - transaction.start > mostRowsIn(room)) return false;
    const prepare = async (): Promise<NetChange | undefined> => {
      const change = await this.#changeOf(rows, transaction);
      return fitsInRecord(change.added, change.removed, room) ? change : undefined;
    };
    const { author, message, id } = transaction.revision;
    const jump = jumpOps(timeline, transaction.revision);
    const taken = this.shared?.with(transaction);
    const isSquash = transaction.revision.kind === 'squash';
    const meta = {
      author,
      message,
      // Spares the making of an id that is not used.
      id,
      describe: describeAs(transaction, faults),
      locked: taken?.read,
      also: () => [...(isSquash ? jump : []), ...(taken?.ops ?? [])],
    };
    const staged = await timeline.stage({ meta, pacer: this.pacer, prepare, always: true });
    if (staged === undefined) return false;
    const last = staged.durable;
    if (isSquash) void last.then(() => forgetNumbers(timeline)).catch(() => undefined);
    // A failed write fails all later ones too, and the last of them is awaited.
    last.catch(() => undefined);
    this.#last = last;
    return true;
  }

  #roomFor({ revision }: ImportedTransaction): number {
    const { deltaBytes } = this.timeline.keyspace.tuning;
    const { author = '', message = '' } = revision;
    return author.length + message.length < LONG_TEXTS ? deltaBytes : deltaBytesLeft(deltaBytes, 0, revision);
  }

  async #changeOf(rows: RowBuffer, { start, end }: BufferedTransaction): Promise<NetChange> {
    const added = new QuadColumns();
    const removed = rows.countAdded(start, end) === end - start ? NONE_ENDED : new EndedColumns();
    const seen = end - start > 1 ? new QuadSet() : undefined;
    const { index, staged } = this.timeline;
    for (let row = start; row < end; row++) {
      const [s, p, o, g] = [rows.s[row]!, rows.p[row]!, rows.o[row]!, rows.g[row]!];
      if (seen?.add(s, p, o, g) === false)
        throw this.faults.broken(rows.lines[row]!, 'the quad is in this transaction twice');
      const known = index.findInterval(s, p, o, g);
      const from = known === MISS ? await findInterval({ index, number: staged.number }, s, p, o, g) : known;
      if (rows.added[row] === 1) {
        if (from !== 0) throw this.faults.broken(rows.lines[row]!, 'the quad to add is there already');
        added.push(s, p, o, g);
      } else {
        if (from === 0) throw this.faults.broken(rows.lines[row]!, 'the quad to delete is not there');
        removed.pushEnded(s, p, o, g, from);
      }
      if (this.pacer.due()) await this.pacer.pause();
    }
    return { added: sortQuads(added), removed: sortQuads(removed) };
  }
}
