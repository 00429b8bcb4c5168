/** A parsed request: its kind, its algebra and what its text says of graphs. */
import type * as RDF from '@rdfjs/types';
import type { Operation, UpdateOperation } from './algebra.js';
import type { Slice } from './slice.js';

/** The forms of queries. */
export type QueryKind = 'select' | 'construct' | 'describe' | 'ask';

/** The graphs that a request names for itself (FROM and FROM NAMED, or USING, USING NAMED and WITH). */
export interface DatasetClause {
  /** Graphs that make up the default graph. */
  readonly default: readonly RDF.NamedNode[];
  /** Graphs that GRAPH can name. */
  readonly named: readonly RDF.NamedNode[];
}

interface Parsed {
  /** `undefined` where the text has no such clause. */
  readonly dataset: DatasetClause | undefined;
  /**
   * The graphs that the text names: those of its dataset, of GRAPH, and the targets of updates. Each once; where placeholders stand
   * for them, once for each place.
   */
  readonly graphs: readonly RDF.NamedNode[];
  /** The names of the variables of the text, each once, in its order. */
  readonly variables: readonly string[];
  /** The base that the text ends with. */
  readonly baseIRI: string | undefined;
  /** The prefixes that the text uses, and what they stand for. */
  readonly prefixes: Readonly<Record<string, string>>;
}
/** A parsed query. */
export interface ParsedQuery extends Parsed {
  /** Its form. */
  readonly kind: QueryKind;
  /** Without its FROM clauses. */
  readonly algebra: Operation;
}
/** A parsed update. */
export interface ParsedUpdate extends Parsed {
  /** Tells it from a query. */
  readonly kind: 'update';
  /** Its operations, in the order of the text. */
  readonly operations: readonly UpdateOperation[];
}
/** A parsed query or update. */
export type ParsedSparql = ParsedQuery | ParsedUpdate;

/** What a request asks for: its algebra, and the terms of the placeholders in it. */
export interface ParsedText<T extends ParsedSparql = ParsedSparql> {
  readonly parsed: T;
  /** The term of placeholder n. */
  readonly values: readonly RDF.Term[];
  /** The ids that the first values have in the data that are asked, where these are all that the request needs of them. */
  readonly ids?: readonly number[] | undefined;
  /**
   * Whether the values stood in the text. Texts of the same shape then share the algebra. While a text is remembered, its array
   * of values is the same object.
   */
  readonly byShape: boolean;
  /** LIMIT and OFFSET of this text, where those in the algebra are of another text of its shape. */
  readonly slice?: Slice | undefined;
  /** Of a text with its values, as long as it is remembered. */
  readonly kept?: KeptPlan;
}

/** Where an engine keeps which plan a text took last. What it looks at again is only whether that plan is still good. */
export interface KeptPlan {
  plan: object | undefined;
}
