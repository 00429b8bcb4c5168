/** Appends the revisions of another line to a line that is behind it. They keep their ids, times and numbers. */
import { CorruptionError } from '@quadrille/model';
import type { WriteOp } from '@quadrille/storage';
import { checkOps } from '@quadrille/storage';
import { equalBytes } from '../format/byte-codec.js';
import { FIRST_INLINE_ID, Tag } from '../format/layout.js';
import { QuadColumns } from '../index/quad-columns.js';
import type { Generation } from '../open/generation.js';
import { diffRows } from '../read/diff.js';
import { Attestations } from '../revision/attestations.js';
import { readRecord, readRecords } from '../revision/log.js';
import type { Revision, RevisionRecord } from '../revision/record.js';
import { toRevision } from '../revision/record.js';
import type { Pacer } from '../runtime/env.js';
import { TrimmedNumbers } from '../trim/trimmed-numbers.js';
import { applyDelta } from '../write/committer.js';
import type { CommitMeta, RevisionBody } from '../write/committer.js';
import { LargeChange } from '../write/large-change/large-change.js';
import { netChange } from '../write/net-change.js';
import type { CopiedRange } from './copied-revisions.js';
import { copiedRanges, encodeCopied, positionsOf, positionsOp } from './copied-revisions.js';
import type { Place } from './diff-across.js';
import { MAIN_LINE } from './line-record.js';
import type { Lines, OpenLine } from './lines.js';
import { lineNumber } from './locate.js';

/** Records that are staged together. */
const AT_ONCE = 256;

/** The line has got another revision meanwhile. */
const MOVED = Symbol('moved');

/** A record and what is written beside it. */
interface Copy {
  readonly record: RevisionRecord;
  readonly beside: readonly WriteOp[];
}

export class FastForward {
  #range: CopiedRange | undefined;

  constructor(
    private readonly lines: Lines<OpenLine>,
    private readonly generation: Generation,
    private readonly pacer: Pacer,
  ) {}

  /**
   * Takes over all revisions up to that of another line. Returns `undefined` if the line has a revision that the other one
   * has not: those before it that were taken over stay.
   */
  async to({ generation: source, record: { number: last } }: Place): Promise<Revision | undefined> {
    const { generation } = this;
    const { number, id } = generation.published;
    const trimmed = await TrimmedNumbers.at(source.keyspace, number);
    if (number >= last || trimmed.has(number)) return undefined;
    if (!equalBytes((await readRecord(source.keyspace, number)).id, id)) return undefined;
    this.#range = (await copiedRanges(generation.keyspace)).at(-1);
    let some: RevisionRecord[] = [];
    for await (const record of readRecords(source.keyspace, number + 1, last)) {
      if (record.payload === undefined) some.push(record);
      if (record.payload === undefined && some.length < AT_ONCE) continue;
      if (!(await this.#small(source, some))) return undefined;
      some = [];
      if (record.payload !== undefined && !(await this.#large(source, record))) return undefined;
    }
    return (await this.#small(source, some)) ? toRevision(generation.published) : undefined;
  }

  // Returns false if the line has moved.
  async #small(source: Generation, records: readonly RevisionRecord[]): Promise<boolean> {
    if (records.length === 0) return true;
    const { generation, pacer } = this;
    const room = generation.room();
    if (room !== undefined) await room;
    let last: Promise<unknown> | undefined;
    const complete = await generation.committer.writeLock.run(async () => {
      for (const copy of await this.#copies(source, records)) {
        if (!this.#follows(copy.record)) return false;
        ({ durable: last } = await this.#stage(copy));
        // A failed write fails the later ones too, and the last one is awaited.
        last.catch(() => undefined);
        if (pacer.due()) await pacer.pause();
      }
      return true;
    });
    await last;
    this.lines.copied++;
    return complete;
  }

  async #stage({ record, beside }: Copy): Promise<{ durable: Promise<unknown> }> {
    const { generation, pacer } = this;
    const { committer, index, statistics } = generation;
    generation.checkWritable();
    const due = committer.dueCheckpoint(pacer);
    const checkpoint = due && (await due);
    // Intervals that a large revision has taken over on the other line go on here, so their beginnings differ.
    const at = { index, number: generation.staged.number };
    const change = await netChange(at, record.added, record.removed, pacer);
    const guarded = generation.guard(change);
    if (guarded !== undefined) await guarded;
    const next = committer.nextRevision(change.added, change.removed, this.#meta(record));
    checkOps([...next.ops, ...beside]);
    applyDelta(index.active, next.record);
    statistics.apply(change.added, 1);
    statistics.apply(change.removed, -1);
    const more = checkpoint === undefined ? [] : committer.checkpointOps(checkpoint, index.runs);
    return { durable: committer.enqueue(next, [...more, ...beside]) };
  }

  async #large(source: Generation, record: RevisionRecord): Promise<boolean> {
    const { generation, pacer } = this;
    const change = new LargeChange(generation, undefined, pacer);
    let beside: readonly WriteOp[] = [];
    try {
      await this.#collect(source, record.number, change);
      await change.commit({
        ...this.#meta(record),
        validate: () => {
          if (!this.#follows(record)) throw MOVED;
        },
        locked: async () => {
          const [copy] = await this.#copies(source, [record]);
          beside = copy!.beside;
        },
        also: () => beside,
      });
      return true;
    } catch (error) {
      if (error === MOVED) return false;
      throw error;
    } finally {
      this.lines.copied++;
      await change.close();
    }
  }

  // A quad is not on both sides of a difference.
  async #collect(source: Generation, number: number, change: LargeChange): Promise<void> {
    const { chunkRows } = this.generation.keyspace.tuning;
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

  #follows({ number, parentId }: RevisionRecord): boolean {
    const { staged } = this.generation;
    return number === staged.number + 1 && parentId !== undefined && equalBytes(parentId, staged.id);
  }

  /** What is written beside the records. The caller holds the write lock: entries of the index of ids grow by turns. */
  async #copies(source: Generation, records: readonly RevisionRecord[]): Promise<Copy[]> {
    const { generation } = this;
    const { keyspace } = generation;
    await generation.committer.drain();
    const places = await positionsOf(
      keyspace,
      records.map(({ id }) => id),
    );
    const copies: Copy[] = [];
    for (const [i, record] of records.entries()) {
      const known = places[i]!.length > 0 ? places[i]! : [{ line: MAIN_LINE, number: record.number }];
      const here = { line: lineNumber(keyspace), number: record.number };
      const beside: WriteOp[] = [
        positionsOp(keyspace, record.id, [...known, here]),
        this.#rangeOp(record.number, known[0]!.line),
      ];
      copies.push({ record, beside: [...beside, ...(await this.#signatures(source, record.number))] });
    }
    return copies;
  }

  #rangeOp(number: number, origin: number): WriteOp {
    const { keyspace } = this.generation;
    const known = this.#range;
    const continues = known !== undefined && known.last === number - 1 && known.origin === origin;
    this.#range = { first: continues ? known.first : number, last: number, origin };
    return { type: 'put', key: keyspace.key(Tag.copied, this.#range.first), value: encodeCopied(this.#range) };
  }

  // They are of the chain, in which no line appears.
  async #signatures(source: Generation, number: number): Promise<WriteOp[]> {
    const found: WriteOp[] = [];
    const own = new Attestations(this.generation.keyspace);
    const theirs = new Attestations(source.keyspace.at(number));
    for await (const signature of theirs.signatures(number, number)) found.push(own.signatureOp(signature));
    return found;
  }

  #meta(record: RevisionRecord): CommitMeta {
    const { id, author, message } = record;
    return { id, author, message, describe: (body) => this.#described(body, record) };
  }

  #described(body: RevisionBody, record: RevisionRecord): RevisionBody {
    const { version, kind, mergedParent, origin, nonce, integrity, signature, id, time } = record;
    if (body.addedCount !== record.addedCount || body.removedCount !== record.removedCount) {
      const { name } = this.generation.keyspace;
      throw new CorruptionError(
        'INDEX_DISAGREES',
        `repository ${name}: the changes of revision ${record.number} have another effect than on the line that has made it`,
        { details: { repository: name, revision: record.number } },
      );
    }
    return { ...body, version, kind, mergedParent, origin, nonce, integrity, signature, id, time };
  }
}
