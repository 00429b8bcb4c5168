/** Validation of a revision against shapes. */
import type * as RDF from '@rdfjs/types';
import type { Ref } from '@quadrille/core';
import type { ReadOptions } from '../api/query.js';
import type { ExplainedConstraint, ShapesWarning } from '@quadrille/shacl';

/**
 * Options of a validation.
 * @since 0.1.0
 */
export interface ValidateOptions extends ReadOptions {
  /**
   * The revision.
   * @defaultValue the head
   */
  readonly at?: Ref | undefined;
  /**
   * IRI of the graph with the shapes, in the same revision; or the shapes themselves.
   * @defaultValue those of the settings
   */
  readonly shapes?: string | Iterable<RDF.Quad> | AsyncIterable<RDF.Quad> | undefined;
  /** Validates only these nodes, against the shapes whose focus nodes they are. */
  readonly focus?: RDF.Term | readonly RDF.Term[] | undefined;
  /**
   * Validates only what the change of the revision can affect, as its commit does: the report of that commit. With `shapesSince: 'now'` and
   * the shapes of the repository it leaves out the results that the revision before has.
   */
  readonly change?: boolean | undefined;
  /**
   * Results that the report may have.
   * @defaultValue all
   */
  readonly limit?: number | undefined;
  /** Adds to the report what the guard does for each constraint, and what that has cost. */
  readonly explain?: boolean | undefined;
  /** Refuses shapes that have statements without meaning. */
  readonly strict?: boolean | undefined;
  /**
   * Milliseconds for the queries of the shapes, all together.
   * @defaultValue that of the queries of the database
   */
  readonly timeoutMs?: number | undefined;
}

/**
 * One result of a validation.
 * @since 0.1.0
 */
export interface ShapesResult {
  /** The node that was validated. */
  readonly focusNode: RDF.Term;
  /** The path to the value, as SPARQL writes paths; `undefined` for node shapes. */
  readonly path: string | undefined;
  /** The value that violates the constraint, if it is one. */
  readonly value: RDF.Term | undefined;
  /** IRI of the constraint component. */
  readonly component: string;
  /** The node of the shape. */
  readonly shape: RDF.Term;
  /** IRI of the severity. */
  readonly severity: string;
  /** The first message of the shape, or what is wrong, in English. */
  readonly message: string;
}

/**
 * What a validation has found.
 * @since 0.1.0
 */
export interface ShapesReport {
  /** Whether there are no results. */
  readonly conforms: boolean;
  /** In the order in which they were found. */
  readonly results: readonly ShapesResult[];
  /** The report as SHACL has it: it can be read more than once. */
  readonly report: Iterable<RDF.Quad>;
  /** Whether there are more results than `limit`. */
  readonly truncated: boolean;
  /** The statements without meaning of the shapes: nothing was checked by them. */
  readonly warnings: readonly ShapesWarning[];
  /** With `explain`: the constraints. Costs are those of the guard, for the shapes of the settings, since they were read. */
  readonly constraints?: readonly ExplainedConstraint[];
}
