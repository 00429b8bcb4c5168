/**
 * The terms of a load under way: texts → handles while parsing, handles → ids when a chunk of quads is complete. Looking
 * the terms up together, in the order of their hashes, reads each page of the dictionary once.
 */
import { MISS } from '../keyspace/block-cache.js';
import type { Pacer } from '../runtime/env.js';
import { FIRST_INLINE_ID, FIRST_TERM_ID, MAX_TERM_BYTES } from '../format/layout.js';
import { flushTerms } from './dictionary-flush.js';
import type { Dictionary } from './dictionary.js';
import { hashHigh, hashLow, hashTerm } from './hash.js';
import type { HashRun } from './hash-run.js';
import { HashRunCursor } from './hash-run.js';
import { inlineId } from './inline.js';
import { tripleEntry } from './term-block.js';
import { TermTable } from './term-table.js';
import { sortedRows } from '../runtime/radix-sort.js';
import { InvalidArgumentError } from '@quadrille/model';

/** Handles from here on are triple terms. */
const FIRST_TRIPLE = 0x4000_0000;
const INITIAL_ARENA_BYTES = 1024 * 1024;
/** Terms that are looked at between two looks at the clock. */
const SLICE_TERMS = 4096;

const utf8 = new TextEncoder();

export class LoadTerms {
  #table = new TermTable(INITIAL_ARENA_BYTES);
  /** Handles below belong to texts that were forgotten; their ids are known. */
  #base = 0;
  #ids = new Uint32Array(1 << 10);
  /** Texts of the table below this index have ids. */
  #resolved = 0;
  #labels = new TermTable();
  #labelHandles: number[] = [];
  /** Of the terms that {@link terms} is at: hashes, and the index, plus 1, of the text that has the same one. */
  #high = new Uint32Array(0);
  #low = new Uint32Array(0);
  #candidateOf = new Uint32Array(0);
  readonly #triples = new Map<string, number>();
  #triplesInOrder: [number, number, number][] = [];
  #tripleIds: number[] = [];

  constructor(
    private readonly dictionary: Dictionary,
    /** Before the number of each blank node: unguessable, so that no label ever meets another document's. */
    private readonly blankPrefix: string,
  ) {}

  /** Bytes of texts held. */
  get bytes(): number {
    return this.#table.bytes;
  }

  term(bytes: Uint8Array, start: number, end: number): number {
    const inline = inlineId(bytes, start, end);
    if (inline !== 0) return inline;
    checkLength(start, end);
    hashTerm(bytes, start, end, this.dictionary.root.seed);
    return this.#handle(bytes, start, end, hashHigh, hashLow);
  }

  /**
   * Terms by their spans. Each lookup waits for memory several times, and does not depend on the others: in three passes
   * the processor waits for many at once.
   */
  terms(bytes: Uint8Array, spans: Uint32Array, count: number, handles: Uint32Array): void {
    if (this.#high.length < count) this.#reserveHashes(count);
    this.#hashAll(bytes, spans, count, handles);
    this.#findCandidates(count);
    const table = this.#table;
    for (let i = 0; i < count; i++) {
      if (handles[i] !== 0) continue;
      const start = spans[i * 2]!;
      const end = spans[i * 2 + 1]!;
      const candidate = this.#candidateOf[i]! - 1;
      handles[i] =
        candidate !== -1 && table.holds(candidate, bytes, start, end)
          ? this.#base + candidate + FIRST_TERM_ID
          : this.#handle(bytes, start, end, this.#high[i]!, this.#low[i]!);
    }
  }

  // Puts the ids of inlined values into `handles`, 0 for all others.
  #hashAll(bytes: Uint8Array, spans: Uint32Array, count: number, handles: Uint32Array): void {
    const { seed } = this.dictionary.root;
    for (let i = 0; i < count; i++) {
      const start = spans[i * 2]!;
      const end = spans[i * 2 + 1]!;
      const inline = inlineId(bytes, start, end);
      handles[i] = inline;
      if (inline !== 0) continue;
      checkLength(start, end);
      hashTerm(bytes, start, end, seed);
      this.#high[i] = hashHigh;
      this.#low[i] = hashLow;
    }
  }

  #findCandidates(count: number): void {
    const table = this.#table;
    for (let i = 0; i < count; i++) this.#candidateOf[i] = table.candidate(this.#high[i]!, this.#low[i]!) + 1;
  }

  #reserveHashes(count: number): void {
    this.#high = new Uint32Array(count);
    this.#low = new Uint32Array(count);
    this.#candidateOf = new Uint32Array(count);
  }

  #handle(bytes: Uint8Array, start: number, end: number, high: number, low: number): number {
    let index = this.#table.find(bytes, start, end, high, low);
    if (index === -1) index = this.#table.add(bytes, start, end, high, low);
    return this.#base + index + FIRST_TERM_ID;
  }

  blankNode(bytes: Uint8Array, start: number, end: number): number {
    hashTerm(bytes, start, end, this.dictionary.root.seed);
    const high = hashHigh;
    const low = hashLow;
    const known = this.#labels.find(bytes, start, end, high, low);
    if (known !== -1) return this.#labelHandles[known]!;
    const index = this.#labels.add(bytes, start, end, high, low);
    const text = utf8.encode(`_:${this.blankPrefix}${index}`);
    const handle = this.term(text, 0, text.length);
    this.#labelHandles[index] = handle;
    return handle;
  }

  tripleTerm(subject: number, predicate: number, object: number): number {
    const key = `${subject} ${predicate} ${object}`;
    const known = this.#triples.get(key);
    if (known !== undefined) return known;
    const handle = FIRST_TRIPLE + this.#triplesInOrder.length;
    this.#triples.set(key, handle);
    this.#triplesInOrder.push([subject, predicate, object]);
    return handle;
  }

  /** Gives every handle so far its id, and forgets the texts where they take too much memory; tells the share done. */
  async resolve(pacer: Pacer, onShare: (share: number) => void = () => {}): Promise<void> {
    const count = this.#table.size;
    this.#reserveIds(this.#base + count);
    const known = this.dictionary.root.runs;
    if (this.#resolved < count) await this.#findInRuns(known, count, pacer);
    await this.dictionary.lock.run(async () => {
      if (this.#resolved < count) {
        const newer = this.dictionary.root.runs.filter((run) => !known.includes(run));
        await this.#findInRuns(newer, count, pacer);
        await this.#findInTail(count, pacer);
        await this.#assign(count, pacer, onShare);
      }
      this.#resolved = count;
      await this.#resolveTriples();
    });
    if (this.#table.bytes >= this.dictionary.keyspace.tuning.arenaBytes) this.#forgetTexts();
  }

  /** The id of a handle, after {@link resolve}. */
  id(handle: number): number {
    if (handle >= FIRST_INLINE_ID || handle < FIRST_TERM_ID) return handle;
    if (handle >= FIRST_TRIPLE) return this.#tripleIds[handle - FIRST_TRIPLE]!;
    return this.#ids[handle - FIRST_TERM_ID]!;
  }

  /** Puts ids in the place of handles. */
  toIds(handles: Uint32Array, start: number, end: number): void {
    for (let i = start; i < end; i++) handles[i] = this.id(handles[i]!);
  }

  // Handles given so far stay good: their ids are kept, four bytes a handle.
  #forgetTexts(): void {
    this.#base += this.#table.size;
    this.#table = new TermTable(INITIAL_ARENA_BYTES);
    this.#resolved = 0;
  }

  #reserveIds(count: number): void {
    if (this.#ids.length >= count) return;
    const grown = new Uint32Array(Math.max(count, this.#ids.length * 2));
    grown.set(this.#ids);
    this.#ids = grown;
  }

  async #findInRuns(runs: readonly HashRun[], count: number, pacer: Pacer): Promise<void> {
    if (runs.length === 0) return;
    const first = this.#resolved;
    const { high, low } = this.#hashes(first, count);
    const sorted = await sortedRows(high.length, [high, low], pacer);
    const terms: number[] = [];
    const ids: number[] = [];
    const candidates: number[] = [];
    let steps = 0;
    for (const run of runs) {
      let { root } = this.dictionary;
      if (!root.runs.includes(run)) continue;
      const cursor = new HashRunCursor(run);
      for (const offset of sorted) {
        const index = first + offset;
        if (this.dictionary.root !== root) {
          ({ root } = this.dictionary);
          // A run that was merged away meanwhile may lose its pages: what took its place is looked at under the lock.
          if (!root.runs.includes(run)) break;
        }
        try {
          // To await what needs no waiting would cost more than to look.
          const reading = this.#candidates(run, cursor, high[offset]!, low[offset]!, candidates);
          if (reading !== undefined) await reading;
        } catch (error) {
          if (this.dictionary.root.runs.includes(run)) throw error;
          // Merged into another run meanwhile, which is looked at under the lock.
          break;
        }
        for (const id of candidates) {
          terms.push(index);
          ids.push(id);
        }
        if (++steps % 256 === 0 && pacer.due()) await pacer.pause();
      }
    }
    await this.#verify(terms, Uint32Array.from(ids), pacer);
  }

  #hashes(first: number, end: number): { high: Uint32Array; low: Uint32Array } {
    const high = new Uint32Array(end - first);
    const low = new Uint32Array(end - first);
    for (let index = first; index < end; index++) {
      high[index - first] = this.#table.highOf(index);
      low[index - first] = this.#table.lowOf(index);
    }
    return { high, low };
  }

  #candidates(
    run: HashRun,
    cursor: HashRunCursor,
    high: number,
    low: number,
    out: number[],
  ): Promise<void> | undefined {
    if (out.length > 0) out.length = 0;
    const page = cursor.candidates(high, low, out);
    if (page === MISS) return undefined;
    const { cache } = this.dictionary.keyspace;
    return cache.fetch(run.source, [page]).then(() => this.#candidates(run, cursor, high, low, out));
  }

  // Equal hashes are compared as texts, in id order, so that each block of terms is read once.
  async #verify(terms: readonly number[], ids: Uint32Array, pacer: Pacer): Promise<void> {
    let steps = 0;
    for (const row of await sortedRows(ids.length, [ids], pacer)) {
      const index = terms[row]!;
      const table = this.#table;
      const segment = table.segmentOf(index);
      const start = table.startOf(index);
      const end = table.endOf(index);
      let same = this.dictionary.tryMatches(ids[row]!, segment, start, end);
      while (same === MISS) {
        await this.dictionary.fetchMissing();
        same = this.dictionary.tryMatches(ids[row]!, segment, start, end);
      }
      if (same === 1) this.#ids[this.#base + index] = ids[row]!;
      if (++steps % 256 === 0 && pacer.due()) await pacer.pause();
    }
  }

  async #findInTail(count: number, pacer: Pacer): Promise<void> {
    if (this.dictionary.tail.size === 0) return;
    for (let at = this.#resolved; at < count; at += SLICE_TERMS) {
      this.#findSliceInTail(at, Math.min(at + SLICE_TERMS, count));
      if (pacer.due()) await pacer.pause();
    }
  }

  #findSliceInTail(from: number, end: number): void {
    const { tail, tailIds } = this.dictionary;
    const table = this.#table;
    for (let index = from; index < end; index++) {
      if (this.#ids[this.#base + index] !== 0) continue;
      const segment = table.segmentOf(index);
      const high = table.highOf(index);
      const found = tail.find(segment, table.startOf(index), table.endOf(index), high, table.lowOf(index));
      if (found !== -1) this.#ids[this.#base + index] = tailIds[found]!;
    }
  }

  async #assign(count: number, pacer: Pacer, onShare: (share: number) => void): Promise<void> {
    const indexes = this.#withoutId(count);
    const fresh = indexes.length;
    const table = this.#table;
    if (fresh > this.dictionary.keyspace.tuning.loadTailTerms) {
      const first = await flushTerms(this.dictionary, pacer, {
        table,
        indexes,
        onWritten: (ids) => onShare(ids / fresh),
      });
      this.#giveIds(indexes, first);
      return;
    }
    const first = this.dictionary.reserve(fresh);
    this.#giveIds(indexes, first);
    for (let i = 0; i < fresh; i++) {
      const index = indexes[i]!;
      this.dictionary.addTail(
        first + i,
        table.segmentOf(index),
        table.startOf(index),
        table.endOf(index),
        table.highOf(index),
        table.lowOf(index),
      );
    }
  }

  #withoutId(count: number): Uint32Array {
    const indexes = new Uint32Array(count - this.#resolved);
    let found = 0;
    for (let index = this.#resolved; index < count; index++) {
      if (this.#ids[this.#base + index] === 0) indexes[found++] = index;
    }
    return indexes.subarray(0, found);
  }

  #giveIds(indexes: Uint32Array, first: number): void {
    for (let i = 0; i < indexes.length; i++) this.#ids[this.#base + indexes[i]!] = first + i;
  }

  async #resolveTriples(): Promise<void> {
    for (let n = this.#tripleIds.length; n < this.#triplesInOrder.length; n++) {
      const [s, p, o] = this.#triplesInOrder[n]!;
      const entry = tripleEntry(this.id(s), this.id(p), this.id(o));
      const known = await this.dictionary.find(entry);
      this.#tripleIds[n] = known !== 0 ? known : this.dictionary.assign(entry, 0, entry.length);
    }
  }
}

function checkLength(start: number, end: number): void {
  if (end - start <= MAX_TERM_BYTES) return;
  throw new InvalidArgumentError(
    'INVALID_TERM',
    `a term of ${end - start} bytes: at most ${MAX_TERM_BYTES} can be stored`,
  );
}
