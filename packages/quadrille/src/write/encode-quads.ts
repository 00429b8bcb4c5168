/** Encodes RDF/JS quads into a sink, for streams of quads that are not held in memory. */
import type * as RDF from '@rdfjs/types';
import type { QuadSink } from '@quadrille/model';
import { checkQuad, DEFAULT_GRAPH_HANDLE, termToText } from '@quadrille/model';

const utf8 = new TextEncoder();

/** Treatment of blank nodes: `keep` keeps their labels, `scope` makes each label a new node of this load. */
export type BlankNodes = 'keep' | 'scope';

export class QuadEncoder {
  #bytes = new Uint8Array(4096);

  constructor(
    private readonly sink: QuadSink,
    private readonly blankNodes: BlankNodes,
  ) {}

  /** @throws InvalidArgumentError `INVALID_TERM` */
  push(quad: RDF.BaseQuad): void {
    const { subject, predicate, object, graph } = checkQuad(quad);
    this.sink.quad(this.#handle(subject), this.#handle(predicate), this.#handle(object), this.#handle(graph));
  }

  #handle(term: RDF.Term): number {
    if (term.termType === 'DefaultGraph') return DEFAULT_GRAPH_HANDLE;
    if (term.termType === 'Quad') {
      return this.sink.tripleTerm(this.#handle(term.subject), this.#handle(term.predicate), this.#handle(term.object));
    }
    const scoped = term.termType === 'BlankNode' && this.blankNodes === 'scope';
    const length = this.#encode(scoped ? term.value : termToText(term));
    return scoped ? this.sink.blankNode(this.#bytes, 0, length) : this.sink.term(this.#bytes, 0, length);
  }

  /** Encodes a text into the buffer. Returns its length in bytes. */
  #encode(text: string): number {
    // Most texts are ASCII and need one byte for each unit. Only the others need room for three.
    if (this.#bytes.length < text.length) this.#bytes = new Uint8Array(text.length * 2);
    const { read, written } = utf8.encodeInto(text, this.#bytes);
    if (read === text.length) return written;
    this.#bytes = new Uint8Array(text.length * 3);
    return utf8.encodeInto(text, this.#bytes).written;
  }
}
