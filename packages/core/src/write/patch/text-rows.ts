/** Rows `A` and `D` as a document has them. Their terms are handles, until all of them are looked up together. */
import type { QuadSink, TermHandle } from '@quadrille/model';
import { LoadTerms } from '../../dictionary/bulk-terms.js';
import type { Dictionary } from '../../dictionary/dictionary.js';
import type { Pacer } from '../../runtime/env.js';
import { RowBuffer } from './row-buffer.js';

const utf8 = new TextEncoder();

export class TextRows implements Pick<QuadSink, 'term' | 'terms' | 'tripleTerm' | 'blankNode'> {
  readonly rows = new RowBuffer();
  /** Terms so far, each as often as it came. */
  termCalls = 0;
  #terms: LoadTerms;
  /** Rows before this one have ids. */
  #resolved = 0;
  #label = new Uint8Array(256);

  constructor(private readonly dictionary: Dictionary) {
    this.#terms = new LoadTerms(dictionary, '');
  }

  /** Bytes of the texts in memory. */
  get bytes(): number {
    return this.#terms.bytes;
  }

  term(bytes: Uint8Array, start: number, end: number): TermHandle {
    this.termCalls++;
    return this.#terms.term(bytes, start, end);
  }

  terms(bytes: Uint8Array, spans: Uint32Array, count: number, handles: Uint32Array): void {
    this.termCalls += count;
    this.#terms.terms(bytes, spans, count, handles);
  }

  /** Labels are kept. */
  blankNode(bytes: Uint8Array, start: number, end: number): TermHandle {
    const length = end - start + 2;
    if (this.#label.length < length) this.#label = new Uint8Array(length * 2);
    utf8.encodeInto('_:', this.#label);
    this.#label.set(bytes.subarray(start, end), 2);
    return this.term(this.#label, 0, length);
  }

  tripleTerm(subject: TermHandle, predicate: TermHandle, object: TermHandle): TermHandle {
    this.termCalls++;
    return this.#terms.tripleTerm(subject, predicate, object);
  }

  change(added: boolean, s: TermHandle, p: TermHandle, o: TermHandle, g: TermHandle, line: number): void {
    this.rows.push(added, s, p, o, g, line);
  }

  /** Gives ids to the rows before `end`. Terms that are new get ids, also those of later rows. */
  async resolve(end: number, pacer: Pacer): Promise<void> {
    const from = this.#resolved;
    if (from >= end) return;
    const { s, p, o, g } = this.rows;
    await this.#terms.resolve(pacer);
    for (const column of [s, p, o, g])
      await pacer.rows(end - from, (first, last) => this.#terms.toIds(column, from + first, from + last));
    this.#resolved = end;
  }

  dropFirst(rows: number): void {
    this.rows.dropFirst(rows);
    this.#resolved = Math.max(0, this.#resolved - rows);
  }

  /** Drops the last rows. */
  dropLast(rows: number): void {
    this.rows.length -= rows;
    this.#resolved = Math.min(this.#resolved, this.rows.length);
  }

  /** Forgets all terms. There are no rows. */
  forgetTerms(): void {
    this.#terms = new LoadTerms(this.dictionary, '');
    this.termCalls = 0;
  }
}
