/**
 * The rows of patches. The caller parses: it passes terms and rows on, and commits those of one patch together. Each row must have an effect:
 * what it adds must be absent, and what it deletes present, counting the rows before it.
 */
import type { QuadSink, TermHandle } from '@quadrille/model';
import { ConflictError, printTerm } from '@quadrille/model';
import { FIRST_INLINE_ID } from '../../format/layout.js';
import { type IdQuads, sliceQuads } from '../../index/quad-columns.js';
import { rowsThatFit, type Revision, toRevision } from '../../revision/record.js';
import type { EndSignal } from '../../runtime/env.js';
import { Pacer } from '../../runtime/env.js';
import type { CommitMeta } from '../../timeline/change.js';
import type { Timeline } from '../../timeline/timeline.js';
import { commitIds } from '../commit.js';
import { LargeChange } from '../large-change/large-change.js';
import { transactionMemory } from '../transaction/transaction-memory.js';
import { areAll, firstWithoutEffect, type NetRows, netRows } from './net-rows.js';
import { TextRows } from './text-rows.js';

/** Bytes of texts after which the terms so far get ids. */
const MOST_TEXT_BYTES = 64 * 1024 * 1024;
/** Memory of a row: four ids, its line and its kind. */
const ROW_BYTES = 21;
/** How often a patch is compared anew where other commits come first and do not contradict it. */
const ATTEMPTS = 10;

/** The change has not the effect that its rows say. */
class NoEffect extends Error {}

/** What the rows of patches are read with. */
export interface PatchRowsOptions {
  /** Name of the document, for messages. */
  readonly source?: string | undefined;
  /** Aborts the work, until the revision is staged. */
  readonly signal?: EndSignal | undefined;
}

/** Takes the rows of a document of patches, and commits those of each patch as one revision. */
export class PatchRows implements Pick<QuadSink, 'term' | 'terms' | 'tripleTerm' | 'blankNode'> {
  readonly #text: TextRows;
  readonly #pacer: Pacer;
  /** Bytes that are counted for all transactions together. */
  #counted = 0;

  constructor(
    private readonly timeline: Timeline,
    private readonly options: PatchRowsOptions,
    /** Called when the rows are closed. */
    private readonly onClose: () => Promise<void> | undefined,
  ) {
    this.#text = new TextRows(timeline.dictionary);
    this.#pacer = new Pacer(timeline.env, 4, options.signal);
  }

  term(bytes: Uint8Array, start: number, end: number): TermHandle {
    return this.#text.term(bytes, start, end);
  }

  terms(bytes: Uint8Array, spans: Uint32Array, count: number, handles: Uint32Array): void {
    this.#text.terms(bytes, spans, count, handles);
  }

  /** Labels are kept. */
  blankNode(bytes: Uint8Array, start: number, end: number): TermHandle {
    return this.#text.blankNode(bytes, start, end);
  }

  tripleTerm(subject: TermHandle, predicate: TermHandle, object: TermHandle): TermHandle {
    return this.#text.tripleTerm(subject, predicate, object);
  }

  /** Takes a row, by the handles of its terms. @param line of the document, for messages */
  change(added: boolean, s: TermHandle, p: TermHandle, o: TermHandle, g: TermHandle, line: number): void {
    this.#text.change(added, s, p, o, g, line);
  }

  /** Drops the last rows: nothing of them counts. */
  dropLast(rows: number): void {
    this.#text.dropLast(rows);
  }

  /** Drops the first rows, as those of a patch that is left out. */
  dropFirst(rows: number): void {
    this.#text.dropFirst(rows);
  }

  /**
   * Lets others have their turn, and gives ids to many terms. Call it after each piece of a document.
   * @throws EvaluationError `QUERY_MEMORY`: all rows lie in memory
   */
  async makeRoom(): Promise<void> {
    const text = this.#text;
    this.#pacer.check();
    if (text.bytes >= MOST_TEXT_BYTES) await text.resolve(text.rows.length, this.#pacer);
    const before = this.#counted;
    this.#counted = text.bytes + text.rows.s.length * ROW_BYTES;
    transactionMemory.change(before, this.#counted);
    if (this.#pacer.due()) await this.#pacer.pause();
  }

  /**
   * Commits the first `count` rows as one revision, and drops them. Returns the present head if they change nothing.
   * @throws ConflictError `PATCH_CONFLICT` with the line of the first row that has no effect
   */
  async commit(count: number, meta: CommitMeta): Promise<Revision> {
    const { timeline } = this;
    timeline.checkWritable();
    const begin = (): LargeChange | undefined =>
      count > rowsThatFit(timeline.keyspace.tuning.deltaBytes)
        ? new LargeChange(timeline, undefined, this.#pacer)
        : undefined;
    // It begins before new terms get ids, so no quad of its base has one of them.
    let change = begin();
    try {
      let freshFrom = timeline.dictionary.nextId;
      await this.#text.resolve(count, this.#pacer);
      const net = await netRows(this.#text.rows, count, this.#pacer);
      for (let left = ATTEMPTS; ; left--) {
        const revision = net.contradict ? undefined : await this.#attempt(net, change, freshFrom, meta);
        if (revision !== undefined) return revision;
        await this.#checkEffects(count);
        if (left === 1) throw this.#outrun();
        await change?.close();
        change = begin();
        freshFrom = FIRST_INLINE_ID;
      }
    } finally {
      await change?.close();
      this.dropFirst(count);
    }
  }

  /** Returns `undefined`, and changes nothing, where the change has another effect than its rows say. */
  async #attempt(
    net: NetRows,
    change: LargeChange | undefined,
    freshFrom: number,
    meta: CommitMeta,
  ): Promise<Revision | undefined> {
    const { added, removed } = net;
    let isMade = added.length + removed.length === 0;
    const strict: CommitMeta = {
      ...meta,
      locked: async () => {
        await meta.locked?.();
        await this.#checkUndone(net);
      },
      describe: (body) => {
        if (body.addedCount !== added.length || body.removedCount !== removed.length) throw new NoEffect();
        isMade = true;
        return meta.describe?.(body) ?? body;
      },
    };
    try {
      const revision =
        change === undefined
          ? await commitIds(this.timeline, added, removed, strict, this.#pacer)
          : await this.#commitLarge(change, net, freshFrom, strict);
      return isMade ? revision : undefined;
    } catch (error) {
      if (error instanceof NoEffect) return undefined;
      throw error;
    }
  }

  async #commitLarge(
    change: LargeChange,
    { added, removed }: NetRows,
    freshFrom: number,
    meta: CommitMeta,
  ): Promise<Revision> {
    const { chunkRows } = this.timeline.keyspace.tuning;
    const chunks = function* (quads: IdQuads): Generator<IdQuads> {
      for (let at = 0; at < quads.length; at += chunkRows) yield sliceQuads(quads, at, chunkRows);
    };
    for (const quads of chunks(removed)) await change.remove(quads);
    for (const quads of chunks(added)) await change.add(quads, freshFrom);
    return toRevision(await change.commit(meta));
  }

  // Quads that are what they were are in no part of the change.
  async #checkUndone({ undone }: NetRows): Promise<void> {
    const { index, staged } = this.timeline;
    const at = { index, number: staged.number };
    const areRight =
      (await areAll(false, undone.absent, at, this.#pacer)) && (await areAll(true, undone.present, at, this.#pacer));
    if (!areRight) throw new NoEffect();
  }

  async #checkEffects(count: number): Promise<void> {
    const { timeline } = this;
    // What the change was compared with may not be published yet.
    await timeline.settled();
    timeline.checkWritable();
    const { index, published } = timeline;
    index.retain();
    try {
      const at = { index, number: published.number };
      const row = await firstWithoutEffect(this.#text.rows, count, at, this.#pacer);
      if (row !== -1) throw await this.#conflict(row);
    } finally {
      index.release();
    }
  }

  async #conflict(row: number): Promise<ConflictError> {
    const { s, p, o, g, added, lines } = this.#text.rows;
    const { decoder } = this.timeline;
    const terms: string[] = [];
    for (const id of [s[row]!, p[row]!, o[row]!, g[row]!]) {
      const term = await decoder.decode(id);
      if (term.termType !== 'DefaultGraph') terms.push(printTerm(term));
    }
    const line = lines[row]!;
    const { source } = this.options;
    const place = source === undefined ? `line ${line}` : `${source}:${line}`;
    const reason = added[row] === 1 ? 'the quad to add is there already' : 'the quad to delete is not there';
    return new ConflictError('PATCH_CONFLICT', `${place}: ${reason}: ${terms.join(' ')}`, { details: { line } });
  }

  #outrun(): ConflictError {
    return new ConflictError('REVISION_CONFLICT', 'other commits came first again and again: try again', {
      details: { head: this.timeline.staged.number },
    });
  }

  /** Ends the work with the repository. May be called more than once. */
  async close(): Promise<void> {
    transactionMemory.change(this.#counted, 0);
    this.#counted = 0;
    await this.onClose();
  }
}
