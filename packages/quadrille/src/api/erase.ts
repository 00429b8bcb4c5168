/** Erasing data from all revisions. */
import type * as RDF from '@rdfjs/types';
import type { QuadPattern, ReadOptions } from './query.js';

/**
 * What `erase` erases: all quads with a term at any place, also inside of triple terms; all quads that match a pattern; or some quads.
 * @since 0.1.0
 */
export type EraseTarget =
  | {
      /** An IRI, a blank node, a literal or a triple term. */
      readonly term: RDF.Term;
    }
  | {
      /** At least one member is a term. */
      readonly pattern: QuadPattern;
    }
  | {
      /** At most 1,000,000 quads. Those that no revision has do not matter. */
      readonly quads: Iterable<RDF.Quad>;
    };

/**
 * Options of `erase`.
 * @since 0.1.0
 */
export interface EraseOptions extends ReadOptions {
  /** Why. It becomes the message of the revisions that the erasure makes, so it must not repeat what is erased. */
  readonly reason: string;
  /** The author of these revisions. */
  readonly author?: string | undefined;
  /** Only counts what would be erased. `terms` and `bytesRewritten` of the report are 0 then. Default false. */
  readonly dryRun?: boolean | undefined;
}

/**
 * What `erase` has done, or would do with `dryRun`.
 * @since 0.1.0
 */
export interface EraseReport {
  /** Number of different quads that were erased. */
  readonly quads: number;
  /** Number of terms that were removed because no revision uses them any more. */
  readonly terms: number;
  /** Number of revisions that had, added or removed such quads. */
  readonly revisions: number;
  /** Number of branches, also deleted ones, whose own revisions were changed. */
  readonly branches: number;
  /** Bytes that were written anew, approximately. */
  readonly bytesRewritten: number;
  /** Where copies of the data may still be, in sentences for people. */
  readonly copies: readonly string[];
}
