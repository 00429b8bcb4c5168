/** Handles of the terms for which Turtle has syntax. */
import { RDF_NS } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';

const encoder = new TextEncoder();
const rdf = (name: string): Uint8Array => encoder.encode(`<${RDF_NS}${name}>`);
const TERMS = [rdf('type'), rdf('first'), rdf('rest'), rdf('nil'), rdf('reifies')];

export const RDF_TYPE = 0;
export const RDF_FIRST = 1;
export const RDF_REST = 2;
export const RDF_NIL = 3;
export const RDF_REIFIES = 4;

export class TurtleVocabulary {
  readonly #handles = new Uint32Array(TERMS.length);

  constructor(private readonly sink: QuadSink) {}

  /** The handle of one of these terms. The sink is asked once. */
  handle(term: number): TermHandle {
    const handle = this.#handles[term]!;
    if (handle !== 0) return handle;
    const text = TERMS[term]!;
    return (this.#handles[term] = this.sink.term(text, 0, text.length));
  }
}
