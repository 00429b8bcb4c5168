/** A sink that makes RDF/JS quads: for tools, tests and small documents. */
import { bytesToTerm, DEFAULT_GRAPH_HANDLE, dataFactory, TextMap } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';

/** Options of a collector. */
export interface QuadCollectorOptions {
  /** Put before every blank node label, so that the nodes of two documents stay apart. Default: nothing. */
  readonly blankNodePrefix?: string;
}

/** Collects quads; {@link QuadCollector.take} hands over those that came since the last time. */
export class QuadCollector implements QuadSink {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #blankNodePrefix: string;
  // Index 0 is no handle, DEFAULT_GRAPH_HANDLE is 1.
  readonly #terms: RDF.Term[] = [dataFactory.defaultGraph(), dataFactory.defaultGraph()];
  readonly #handles = new TextMap<TermHandle>();
  #quads: RDF.Quad[] = [];

  constructor(options: QuadCollectorOptions = {}) {
    this.#blankNodePrefix = options.blankNodePrefix ?? '';
  }

  /** Number of quads that wait to be taken. */
  get size(): number {
    return this.#quads.length;
  }

  /** The quads so far, in document order; the collector forgets them. */
  take(): RDF.Quad[] {
    const quads = this.#quads;
    this.#quads = [];
    return quads;
  }

  /** The term of a handle. */
  termOf(handle: TermHandle): RDF.Term {
    return this.#terms[handle] ?? this.#terms[DEFAULT_GRAPH_HANDLE]!;
  }

  term(bytes: Uint8Array, start: number, end: number): TermHandle {
    const span = bytes.subarray(start, end);
    const text = this.#decoder.decode(span);
    return this.#handles.get(text) ?? this.#add(text, bytesToTerm(span));
  }

  blankNode(bytes: Uint8Array, start: number, end: number): TermHandle {
    const label = this.#decoder.decode(bytes.subarray(start, end));
    const key = `_:${label}`;
    return this.#handles.get(key) ?? this.#add(key, dataFactory.blankNode(this.#blankNodePrefix + label));
  }

  tripleTerm(subject: TermHandle, predicate: TermHandle, object: TermHandle): TermHandle {
    const term = this.#quad(subject, predicate, object, DEFAULT_GRAPH_HANDLE);
    return this.#terms.push(term) - 1;
  }

  quad(subject: TermHandle, predicate: TermHandle, object: TermHandle, graph: TermHandle): void {
    this.#quads.push(this.#quad(subject, predicate, object, graph));
  }

  #quad(subject: TermHandle, predicate: TermHandle, object: TermHandle, graph: TermHandle): RDF.Quad {
    return dataFactory.quad(
      this.termOf(subject) as RDF.Quad_Subject,
      this.termOf(predicate) as RDF.Quad_Predicate,
      this.termOf(object) as RDF.Quad_Object,
      this.termOf(graph) as RDF.Quad_Graph,
    );
  }

  #add(key: string, term: RDF.Term): TermHandle {
    const handle = this.#terms.push(term) - 1;
    this.#handles.set(key, handle);
    return handle;
  }
}
