/** Appends the revisions of another line to a line that is behind it. They keep their ids, times and numbers. */
import { CorruptionError } from '@quadrille/model';
import type { WriteOp } from '@quadrille/storage';
import { checkOps } from '@quadrille/storage';
import { equalBytes } from '../format/byte-codec.js';
import { FIRST_INLINE_ID } from '../format/layout.js';
import { QuadColumns } from '../index/quad-columns.js';
import type { Timeline } from '../timeline/timeline.js';
import { diffRows } from '../read/diff.js';
import { Attestations } from '../revision/attestations.js';
import { readRecord, readRecords } from '../revision/log.js';
import type { Revision, RevisionBody, RevisionRecord } from '../revision/record.js';
import { toRevision, withHeaders, withoutDelta } from '../revision/record.js';
import type { Pacer } from '../runtime/env.js';
import { TrimmedNumbers } from '../revision/trimmed-numbers.js';
import { type CommitMeta, type Switch, type NetChange, netChange } from '../timeline/change.js';
import { LargeChange } from '../write/large-change/large-change.js';
import { copiedRanges, rangeOp, takeOver } from './copied-revisions.js';
import type { Place } from './diff-across.js';
import { Draft } from '../timeline/draft.js';
import { MAIN_LINE } from '../timeline/line-record.js';
import type { Lines, OpenLine } from './lines.js';
import { lineNumber } from './locate.js';

/** Entries that are read together. */
const AT_ONCE = 256;

export class FastForward {
  #draft!: Draft;

  constructor(
    private readonly lines: Lines<OpenLine>,
    private readonly timeline: Timeline,
    private readonly pacer: Pacer,
  ) {}

  /**
   * Takes over all revisions up to that of another line, with one write. Returns `undefined`, and has no effect, if the line has a
   * revision that the other one has not.
   */
  async to({ timeline: source, record: { number: last } }: Place, meta: CommitMeta): Promise<Revision | undefined> {
    const { timeline } = this;
    const room = timeline.room();
    if (room !== undefined) await room;
    const draft = (this.#draft = await timeline.writeLock.run(async () => {
      await timeline.drain();
      timeline.checkWritable();
      timeline.checkCondition(meta);
      return new Draft(timeline);
    }));
    let done = false;
    try {
      if (!(await this.#follows(source, last))) return undefined;
      const records: RevisionRecord[] = [];
      for await (const record of readRecords(source.keyspace, draft.published.number + 1, last)) {
        if (record.number !== draft.published.number + 1) return undefined;
        await (record.payload === undefined ? this.#small(record) : this.#large(source, record));
        records.push(withoutDelta(record));
        if (this.pacer.due()) await this.pacer.pause();
      }
      done = await timeline.writeLock.run(() => timeline.switch(() => this.#prepare(source, records)));
      if (done) this.lines.copied++;
      return done ? toRevision(timeline.published) : undefined;
    } finally {
      await draft.close(done);
    }
  }

  // Whether the line is behind the other one.
  async #follows({ keyspace }: Timeline, last: number): Promise<boolean> {
    const { number, id } = this.#draft.published;
    const trimmed = await TrimmedNumbers.at(keyspace, number);
    if (number >= last || trimmed.has(number)) return false;
    return equalBytes((await readRecord(keyspace, number)).id, id);
  }

  // `undefined` if the line has got another revision meanwhile.
  async #prepare(source: Timeline, records: readonly RevisionRecord[]): Promise<Switch | undefined> {
    const { timeline } = this;
    timeline.checkWritable();
    if (!equalBytes(timeline.staged.id, records[0]!.parentId!)) return undefined;
    const beside = await this.#beside(source, records);
    checkOps(beside);
    return this.#draft.switchOf(beside);
  }

  async #small(record: RevisionRecord): Promise<void> {
    const { pacer } = this;
    const draft = this.#draft;
    const { index, published } = draft;
    // Intervals that a large revision has taken over on the other line go on here, so their beginnings differ.
    const at = { index, number: published.number };
    const prepare = (): NetChange | Promise<NetChange> => netChange(at, record.added, record.removed, pacer);
    const meta = {
      ...this.#meta(record),
      lineage: { kind: 'merge', mergedParent: undefined, origin: undefined },
    } as const;
    await (await draft.change({ meta, pacer, prepare }))!.durable;
  }

  async #large(source: Timeline, record: RevisionRecord): Promise<void> {
    const change = new LargeChange(this.#draft, undefined, this.pacer);
    try {
      await this.#collect(source, record.number, change);
      await change.commit(this.#meta(record));
    } finally {
      await change.close();
    }
  }

  // A quad is not on both sides of a difference.
  async #collect(source: Timeline, number: number, change: LargeChange): Promise<void> {
    const { chunkRows } = this.timeline.keyspace.tuning;
    for (const op of [-1, 1] as const) {
      let quads = new QuadColumns();
      const flush = async (): Promise<void> => {
        if (quads.length > 0) await (op === 1 ? change.add(quads, FIRST_INLINE_ID) : change.remove(quads));
        quads = new QuadColumns();
      };
      for await (const row of diffRows(source.index, number - 1, number, this.pacer)) {
        if (row.op === op) quads.push(row.s, row.p, row.o, row.g);
        if (quads.length === chunkRows) await flush();
      }
      await flush();
    }
  }

  /** What is written beside the records. Under the write lock: entries of the index of ids grow by turns. */
  async #beside({ keyspace: source }: Timeline, records: readonly RevisionRecord[]): Promise<WriteOp[]> {
    const { keyspace } = this.timeline;
    const ops: WriteOp[] = [];
    const ranges = (await copiedRanges(keyspace)).slice(-1);
    for (let at = 0; at < records.length; at += AT_ONCE) {
      const some = records.slice(at, at + AT_ONCE);
      const taken = some.map(({ id, number }) => ({ id, number, first: number, maker: MAIN_LINE }));
      ops.push(...(await takeOver(keyspace, lineNumber(keyspace), taken, ranges)));
      if (this.pacer.due()) await this.pacer.pause();
    }
    for (const range of ranges) ops.push(rangeOp(keyspace, range));
    // Signatures are of the chain, in which no line appears.
    const own = new Attestations(keyspace);
    const last = records.at(-1)!.number;
    for (let at = records[0]!.number; at <= last; at = source.endAt(at) + 1)
      for await (const signature of new Attestations(source.at(at)).signatures(at, Math.min(last, source.endAt(at))))
        ops.push(own.signatureOp(signature));
    return ops;
  }

  #meta(record: RevisionRecord): CommitMeta {
    const { id, author, message } = record;
    return { id, author, message, describe: (body) => this.#described(body, record) };
  }

  #described(body: RevisionBody, record: RevisionRecord): RevisionBody {
    if (body.addedCount !== record.addedCount || body.removedCount !== record.removedCount) {
      const { name } = this.timeline.keyspace;
      throw new CorruptionError(
        'INDEX_DISAGREES',
        `repository ${name}: the changes of revision ${record.number} have another effect than on the line that has made it`,
        { details: { repository: name, revision: record.number } },
      );
    }
    const { form, rewritten } = record;
    return { ...withHeaders(body, record), form, rewritten };
  }
}
