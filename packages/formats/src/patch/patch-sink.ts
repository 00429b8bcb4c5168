/** Where the reader of RDF Patch passes terms and rows. */
import type { QuadSink, TermHandle } from '@quadrille/model';

/** Marks of a change block: `TX`, `TC` and `TA`. */
export type PatchMark = 'begin' | 'commit' | 'abort';

/**
 * Receives the rows of a patch in the order of the document. A row is passed on when its `.` has been read; a handle is valid up to
 * that call. The terms of a row that a chunk cuts may come twice. Lines count from 1 and name the first line of a row.
 */
export interface PatchSink extends Pick<QuadSink, 'term' | 'blankNode' | 'tripleTerm'> {
  /** As in {@link QuadSink}. Rows are read faster while a sink has it, and all handles stay valid for the whole document. */
  readonly terms?: QuadSink['terms'] | undefined;
  /** A row `H` begins: its terms are no terms of quads. It may come twice for a row that a chunk cuts. */
  beginHeader?(): void;
  /** `H name value .` */
  header(name: string, value: TermHandle, line: number): void;
  /** `TX .`, `TC .` or `TA .` */
  mark(mark: PatchMark, line: number): void;
  /** `A …` or `D …`. `graph` is `DEFAULT_GRAPH_HANDLE` for a triple. */
  change(
    added: boolean,
    subject: TermHandle,
    predicate: TermHandle,
    object: TermHandle,
    graph: TermHandle,
    line: number,
  ): void;
  /** `PA name iri [graph] .`, or `PD name [graph] .` without an IRI. The name has no colon. */
  prefix(name: string, iri: string | undefined, graph: TermHandle, line: number): void;
}
