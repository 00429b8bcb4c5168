/** RDF/JS quads into a sink, for streams of quads that should not be held in memory. */
import type * as RDF from '@rdfjs/types';
import type { QuadSink } from '@quadrille/model';
import { checkQuad, DEFAULT_GRAPH_HANDLE, termToText } from '@quadrille/model';
import { checkIsQuad } from './transaction.js';

const utf8 = new TextEncoder();

/** Blank nodes keep their labels, as everywhere where a caller gives terms. */
export class QuadEncoder {
  #bytes = new Uint8Array(4096);

  constructor(private readonly sink: QuadSink) {}

  /** @throws InvalidArgumentError `INVALID_TERM` */
  push(quad: RDF.BaseQuad): void {
    checkIsQuad(quad);
    const { subject, predicate, object, graph } = checkQuad(quad);
    this.sink.quad(this.#handle(subject), this.#handle(predicate), this.#handle(object), this.#handle(graph));
  }

  #handle(term: RDF.Term): number {
    if (term.termType === 'DefaultGraph') return DEFAULT_GRAPH_HANDLE;
    if (term.termType === 'Quad') {
      return this.sink.tripleTerm(this.#handle(term.subject), this.#handle(term.predicate), this.#handle(term.object));
    }
    const text = termToText(term);
    if (this.#bytes.length < text.length * 3) this.#bytes = new Uint8Array(text.length * 3);
    return this.sink.term(this.#bytes, 0, utf8.encodeInto(text, this.#bytes).written);
  }
}
