/**
 * The terms of a running load. Parsing turns texts into handles; when a chunk of quads is complete, handles are
 * turned into ids. All terms of a chunk are looked up together in hash order, so that each page of the dictionary is
 * read once.
 */
import type { Pacer } from '../runtime/env.js';
import { FIRST_INLINE_ID, FIRST_TERM_ID, MAX_TERM_BYTES } from '../format/layout.js';
import type { Dictionary } from './dictionary.js';
import { assignIds, FEW_TEXTS, findInMemory, findInRuns, findInTail, type TextIds } from './find-texts.js';
import { hashHigh, hashLow, hashTerm } from './hash.js';
import { inlineId } from './inline.js';
import { TermTable } from './term-table.js';
import { FIRST_TRIPLE, TripleHandles } from './triple-handles.js';
import { InvalidArgumentError, StorageError } from '@quadrille/model';

/** Memory for the texts of a load that has had many. Others begin with little: most documents are small. */
const LARGE_ARENA_BYTES = 1024 * 1024;
const FIRST_IDS = 16;

const utf8 = new TextEncoder();

export class LoadTerms {
  #table: TermTable;
  /** Number of handles whose texts were forgotten. Their ids are known. */
  #base = 0;
  #ids = new Uint32Array(FIRST_IDS);
  /** Texts of the table with an index below this one have ids. */
  #resolved = 0;
  #labels: TermTable | undefined;
  #labelHandles: number[] = [];
  /**
   * Buffers of {@link terms}, one item per term: both halves of the hash, and 1 plus the index of a text with the
   * same hash.
   */
  #high = new Uint32Array(0);
  #low = new Uint32Array(0);
  #candidateOf = new Uint32Array(0);
  readonly #triples = new TripleHandles();

  constructor(
    private readonly dictionary: Dictionary,
    /** Prefix of every blank node label. It cannot be guessed, so labels of two documents never meet. */
    private readonly blankPrefix: string,
    texts = new TermTable(),
  ) {
    this.#table = texts;
  }

  /** Bytes of the texts in memory. */
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
   * Writes the handles of many terms, which are spans of `bytes`, into `handles`. Each lookup waits for memory
   * several times. Three passes over all terms let the processor overlap these waits.
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

  // Writes the ids of inlined values into `handles`, and 0 for all other terms.
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
    if (index === -1) {
      if (this.#base + this.#table.size + FIRST_TERM_ID >= FIRST_TRIPLE) throw tooManyTerms();
      index = this.#table.add(bytes, start, end, high, low);
    }
    return this.#base + index + FIRST_TERM_ID;
  }

  blankNode(bytes: Uint8Array, start: number, end: number): number {
    hashTerm(bytes, start, end, this.dictionary.root.seed);
    const high = hashHigh;
    const low = hashLow;
    const labels = (this.#labels ??= new TermTable());
    const known = labels.find(bytes, start, end, high, low);
    if (known !== -1) return this.#labelHandles[known]!;
    const index = labels.add(bytes, start, end, high, low);
    const text = utf8.encode(`_:${this.blankPrefix}${index}`);
    const handle = this.term(text, 0, text.length);
    this.#labelHandles[index] = handle;
    return handle;
  }

  tripleTerm(subject: number, predicate: number, object: number): number {
    return this.#triples.handle(subject, predicate, object);
  }

  /**
   * Assigns an id to every handle made so far. Then forgets the texts if they exceed `arenaBytes`. `onShare` gets the
   * share that is done, from 0 to 1. Without `intern`, texts that the dictionary does not have get the id 0.
   */
  async resolve(pacer: Pacer, onShare: (share: number) => void = () => {}, intern = true): Promise<void> {
    const { dictionary } = this;
    const count = this.#table.size;
    this.#reserveIds(this.#base + count);
    const ids = this.#ids.subarray(this.#base + this.#resolved, this.#base + count);
    const texts = { table: this.#table, first: this.#resolved, ids };
    const assign = async (): Promise<void> => {
      if (intern && ids.length > 0) await assignIds(dictionary, texts, pacer, onShare);
      this.#resolved = count;
      if (this.#triples.areOpen) await this.#triples.resolve(dictionary, (handle) => this.id(handle), pacer, intern);
    };
    const isDone =
      ids.length <= FEW_TEXTS &&
      (await dictionary.lock.run(async () => {
        const areFound = findInMemory(dictionary, texts);
        if (areFound) await assign();
        return areFound;
      }));
    if (!isDone) await this.#resolveMany(texts, pacer, assign);
    if (this.#table.bytes >= dictionary.keyspace.tuning.arenaBytes) this.#forgetTexts();
  }

  async #resolveMany(texts: TextIds, pacer: Pacer, assign: () => Promise<void>): Promise<void> {
    const { dictionary } = this;
    const known = dictionary.root.runs;
    await findInRuns(dictionary, known, texts, pacer);
    await dictionary.lock.run(async () => {
      const newer = dictionary.root.runs.filter((run) => !known.includes(run));
      await findInRuns(dictionary, newer, texts, pacer);
      await findInTail(dictionary, texts, pacer);
      await assign();
    });
  }

  /** The id of a handle. Call {@link resolve} first. */
  id(handle: number): number {
    if (handle >= FIRST_INLINE_ID || handle < FIRST_TERM_ID) return handle;
    if (handle >= FIRST_TRIPLE) return this.#triples.id(handle);
    return this.#ids[handle - FIRST_TERM_ID]!;
  }

  /** Replaces the handles at `start` to `end` by their ids. */
  toIds(handles: Uint32Array, start: number, end: number): void {
    for (let i = start; i < end; i++) handles[i] = this.id(handles[i]!);
  }

  // Handles stay valid: their ids are kept, with four bytes a handle.
  #forgetTexts(): void {
    this.#base += this.#table.size;
    this.#table = new TermTable(LARGE_ARENA_BYTES);
    this.#resolved = 0;
  }

  #reserveIds(count: number): void {
    if (this.#ids.length >= count) return;
    const grown = new Uint32Array(Math.max(count, this.#ids.length * 2));
    grown.set(this.#ids);
    this.#ids = grown;
  }
}

const tooManyTerms = (): StorageError =>
  new StorageError(
    'STORAGE_LIMIT',
    'a load has at most 1,073 million terms, counted again in each of its parts: load the document in several pieces',
  );

function checkLength(start: number, end: number): void {
  if (end - start <= MAX_TERM_BYTES) return;
  throw new InvalidArgumentError(
    'INVALID_TERM',
    `a term has ${end - start} bytes; at most ${MAX_TERM_BYTES} can be stored`,
  );
}
