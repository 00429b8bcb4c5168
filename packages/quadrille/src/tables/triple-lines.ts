/** A sink that writes N-Triples. Its terms are kept until they are taken, so that a document of any size can go through. */
import type { QuadSink, TermHandle } from '@quadrille/model';

/** The handle 0 is none, and 1 that of the default graph. */
const RESERVED = ['', ''];

export class TripleLines implements QuadSink {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #terms: string[] = [...RESERVED];
  #kept = RESERVED.length;
  #lines: string[] = [];

  /** Terms so far stay; those that come later go when lines are taken. */
  keepTerms(): void {
    this.#kept = this.#terms.length;
  }

  get lines(): number {
    return this.#lines.length;
  }

  /** The lines since the last time. Handles of terms that came since then are good no more. */
  take(): string {
    const text = this.#lines.join('');
    this.#lines = [];
    this.#terms.length = this.#kept;
    return text;
  }

  term(bytes: Uint8Array, start: number, end: number): TermHandle {
    return this.#terms.push(this.#decoder.decode(bytes.subarray(start, end))) - 1;
  }

  blankNode(bytes: Uint8Array, start: number, end: number): TermHandle {
    return this.#terms.push(`_:${this.#decoder.decode(bytes.subarray(start, end))}`) - 1;
  }

  tripleTerm(subject: TermHandle, predicate: TermHandle, object: TermHandle): TermHandle {
    return this.#terms.push(`<<( ${this.#triple(subject, predicate, object)} )>>`) - 1;
  }

  quad(subject: TermHandle, predicate: TermHandle, object: TermHandle): void {
    this.#lines.push(`${this.#triple(subject, predicate, object)} .\n`);
  }

  #triple(subject: TermHandle, predicate: TermHandle, object: TermHandle): string {
    return `${this.#terms[subject]!} ${this.#terms[predicate]!} ${this.#terms[object]!}`;
  }
}
