/**
 * Where parsers put what they read. Terms cross as spans of bytes, so that the engine can turn them into ids without
 * ever making strings of them.
 */

/** A sink's own number for a term that it was given. Valid until the parse ends. */
export type TermHandle = number;

/** The handle that every sink gives the default graph. */
export const DEFAULT_GRAPH_HANDLE: TermHandle = 1;

/** Takes what a parser reads. */
export interface QuadSink {
  /**
   * An IRI or a literal, as bytes `start` to `end` (exclusive) of canonical N-Triples (UTF-8, see term-text.ts),
   * delimiters included: `<http://…>`, `"…"`, `"…"@en`, `"…"@en--ltr`, `"…"^^<http://…>` (never `xsd:string`).
   * The parser has checked it. The bytes may change as soon as the call returns.
   */
  term(bytes: Uint8Array, start: number, end: number): TermHandle;

  /**
   * As {@link term} for `count` terms, which is faster than one by one: where each starts and ends stands in `spans`, and
   * its handle is put into `handles`.
   */
  terms?(bytes: Uint8Array, spans: Uint32Array, count: number, handles: Uint32Array): void;

  /** A blank node, as the bytes of its label in the document without `_:`. One label is one node for one parse. */
  blankNode(bytes: Uint8Array, start: number, end: number): TermHandle;

  /** A triple term (RDF 1.2). */
  tripleTerm(subject: TermHandle, predicate: TermHandle, object: TermHandle): TermHandle;

  /** One statement. `graph` is `DEFAULT_GRAPH_HANDLE` for a triple. */
  quad(subject: TermHandle, predicate: TermHandle, object: TermHandle, graph: TermHandle): void;
}
