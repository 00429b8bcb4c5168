/** Searches for words. */
import type * as RDF from '@rdfjs/types';
import type { Ref } from '@quadrille/core';
import type { ReadOptions } from './query.js';

/**
 * Options of `search`.
 * @since 0.1.0
 */
export interface SearchOptions extends ReadOptions {
  /** The revision to search. Default: the one of the object that is asked. */
  readonly at?: Ref | undefined;
  /** Only values of this property. */
  readonly property?: RDF.NamedNode | undefined;
  /** Only quads of this graph. */
  readonly graph?: RDF.NamedNode | undefined;
  /** Only literals with this language tag, or one that begins with it: `en` also finds `en-GB`. */
  readonly language?: string | undefined;
  /**
   * Number of hits, from 0 to 10,000.
   * @defaultValue 10
   */
  readonly limit?: number | undefined;
  /** Number of hits that are passed over. Default 0. */
  readonly offset?: number | undefined;
  /** Properties whose values are counted over the subjects of all hits, also of those beyond the limit. */
  readonly facets?: readonly RDF.NamedNode[] | undefined;
}

/**
 * A quad whose object has the words.
 * @since 0.1.0
 */
export interface SearchHit {
  /** The subject. */
  readonly subject: RDF.Quad_Subject;
  /** The property. */
  readonly property: RDF.NamedNode;
  /** The graph. */
  readonly graph: RDF.Quad_Graph;
  /** The text. */
  readonly literal: RDF.Literal;
  /** How well the literal fits, by BM25 over all literals that the revision knows: only the order within one answer matters. */
  readonly score: number;
}

/**
 * A value of a facet.
 * @since 0.1.0
 */
export interface SearchFacet {
  /** The value. */
  readonly value: RDF.Term;
  /** Number of subjects that have it. */
  readonly count: number;
}

/**
 * The answer of a search.
 * @since 0.1.0
 */
export interface SearchAnswer {
  /** The id of the revision that was searched. */
  readonly revision: string;
  /** Number of all hits. */
  readonly total: number;
  /** The best ones come first. */
  readonly hits: readonly SearchHit[];
  /** By the IRIs of the properties: up to 100 values, the most frequent ones first. */
  readonly facets: Readonly<Record<string, readonly SearchFacet[]>>;
}
