/** The rows of a patch with RDF/JS terms, and the sink that makes them. */
import { bytesToTerm, dataFactory } from '@quadrille/model';
import type { TermHandle } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { PatchMark, PatchSink } from './patch-sink.js';

interface Row<Type extends string> {
  /** The kind of the row. */
  readonly type: Type;
  /** The line in which the row begins, from 1. */
  readonly line: number;
}
/** `H`: a header. */
export interface HeaderRow extends Row<'header'> {
  /** The name of the header. */
  readonly name: string;
  /** The value of the header. */
  readonly value: RDF.Term;
}
/** `TX`, `TC` or `TA`: the limits of a transaction. */
export type MarkRow = Row<PatchMark>;
/** `A` or `D`: a quad that is added or deleted. */
export interface QuadRow extends Row<'add' | 'delete'> {
  /** The quad. */
  readonly quad: RDF.Quad;
}
/** `PA`: a prefix that is added or replaced. */
export interface AddPrefixRow extends Row<'add prefix'> {
  /** The prefix, without a colon. */
  readonly name: string;
  /** The namespace. */
  readonly iri: string;
  /** The graph of the prefix, or the default graph. */
  readonly graph: RDF.Term;
}
/** `PD`: a prefix that is deleted. */
export interface DeletePrefixRow extends Row<'delete prefix'> {
  /** The prefix, without a colon. */
  readonly name: string;
  /** The graph of the prefix, or the default graph. */
  readonly graph: RDF.Term;
}

/** A row of a patch. */
export type PatchRow = HeaderRow | MarkRow | QuadRow | AddPrefixRow | DeletePrefixRow;

/** Number of texts whose terms are kept, and the longest of them, in bytes. */
const MAX_KEPT = 4096;
const MAX_KEPT_BYTES = 256;

/** Collects rows. Its memory is that of the rows that were not taken, and of some terms that came before. */
export class PatchCollector implements PatchSink {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** Terms of the row that is read. Index 0 is no handle, 1 is the default graph. */
  readonly #terms: RDF.Term[] = [dataFactory.defaultGraph(), dataFactory.defaultGraph()];
  readonly #kept = new Map<string, RDF.Term>();
  #rows: PatchRow[] = [];

  /** The rows since the last call. */
  take(): PatchRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  term(bytes: Uint8Array, start: number, end: number): TermHandle {
    const span = bytes.subarray(start, end);
    if (span.length > MAX_KEPT_BYTES) return this.#terms.push(bytesToTerm(span)) - 1;
    const text = this.#decoder.decode(span);
    let term = this.#kept.get(text);
    if (term === undefined) {
      if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
      this.#kept.set(text, (term = bytesToTerm(span)));
    }
    return this.#terms.push(term) - 1;
  }

  blankNode(bytes: Uint8Array, start: number, end: number): TermHandle {
    return this.#terms.push(dataFactory.blankNode(this.#decoder.decode(bytes.subarray(start, end)))) - 1;
  }

  tripleTerm(subject: TermHandle, predicate: TermHandle, object: TermHandle): TermHandle {
    return this.#terms.push(this.#quad(subject, predicate, object, 1)) - 1;
  }

  header(name: string, value: TermHandle, line: number): void {
    this.#add({ type: 'header', name, value: this.#terms[value]!, line });
  }

  mark(type: PatchMark, line: number): void {
    this.#add({ type, line });
  }

  change(added: boolean, ...rest: [TermHandle, TermHandle, TermHandle, TermHandle, number]): void {
    const [subject, predicate, object, graph, line] = rest;
    this.#add({ type: added ? 'add' : 'delete', quad: this.#quad(subject, predicate, object, graph), line });
  }

  prefix(name: string, iri: string | undefined, handle: TermHandle, line: number): void {
    const graph = this.#terms[handle]!;
    if (iri === undefined) this.#add({ type: 'delete prefix', name, graph, line });
    else this.#add({ type: 'add prefix', name, iri, graph, line });
  }

  #add(row: PatchRow): void {
    this.#rows.push(row);
    this.#terms.length = 2;
  }

  #quad(subject: TermHandle, predicate: TermHandle, object: TermHandle, graph: TermHandle): RDF.Quad {
    const terms = this.#terms;
    return dataFactory.quad(
      terms[subject] as RDF.Quad_Subject,
      terms[predicate] as RDF.Quad_Predicate,
      terms[object] as RDF.Quad_Object,
      terms[graph] as RDF.Quad_Graph,
    );
  }
}
