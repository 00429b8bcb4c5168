/** A parsed request: its kind, its algebra and what its text says of graphs. */
import type * as RDF from '@rdfjs/types';
import type { Operation, UpdateOperation } from './algebra.js';

export type QueryKind = 'select' | 'construct' | 'describe' | 'ask';

/** The graphs that a request names for itself (FROM and FROM NAMED, or USING and USING NAMED). */
export interface DatasetClause {
  readonly default: readonly RDF.NamedNode[];
  readonly named: readonly RDF.NamedNode[];
}
export interface ParsedQuery {
  readonly kind: QueryKind;
  /** Without its FROM clauses. */
  readonly algebra: Operation;
  readonly dataset: DatasetClause | undefined;
  /** The base that the text ends with. */
  readonly baseIRI: string | undefined;
}
export interface ParsedUpdate {
  readonly kind: 'update';
  readonly operations: readonly UpdateOperation[];
  readonly baseIRI: string | undefined;
}
export type ParsedSparql = ParsedQuery | ParsedUpdate;
