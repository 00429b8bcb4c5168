/** The results of a validation. */
import type * as RDF from '@rdfjs/types';
import { EvaluationError, termToNTriples } from '@quadrille/model';
import type { ShapesData } from '../data/shapes-data.js';
import type { Path } from '../shapes/paths.js';
import type { Constraint, Shape, Violation } from '../shapes/shape.js';
import type { Steps } from '../steps.js';
import { SH } from '../vocabulary.js';

/**
 * One result of a validation, as terms.
 * @since 0.1.0
 */
export interface ValidationResult {
  /** The node that was validated. */
  readonly focusNode: RDF.Term;
  /** The path to the value; `undefined` for node shapes. */
  readonly path: Path | undefined;
  /** The value node that violates the constraint, if it is one. */
  readonly value: RDF.Term | undefined;
  /** The node of the shape. */
  readonly shape: RDF.Term;
  /** The IRI of the constraint component. */
  readonly component: string;
  /** The node of the constraint, if it is one of its own: that of `sh:sparql`. */
  readonly source: RDF.Term | undefined;
  /** The severity of the shape. */
  readonly severity: RDF.Term;
  /** The messages of the shape. */
  readonly messages: readonly RDF.Term[];
  /** What is wrong, in English. */
  readonly text: string;
}

export interface Found {
  readonly shape: Shape;
  readonly focus: number;
  readonly constraint: Constraint;
  readonly violation: Violation;
}

const along = (term: RDF.Term): Path => ({ kind: 'predicate', predicate: { term, id: 0 } });

const VIOLATION = `${SH}Violation`;

/** How many results a validation may have. */
export interface ResultLimits {
  /** Number of results. Default: any. */
  readonly most?: number;
  /** Bytes of their nodes and values. Default: any. */
  readonly mostBytes?: number;
  /** Bytes beyond which the validation fails. */
  readonly memoryBytes?: number;
  /** Whether the validation goes on for the first violation where there is no room for more warnings. */
  readonly seeksViolation?: boolean;
}

/** Results of a change: it is refused after the first violation. */
export const RESULTS_OF_CHANGE: ResultLimits = { most: 1000, mostBytes: 4 * 1024 * 1024, seeksViolation: true };

/** Bytes of a result without its texts. */
const RESULT_BYTES = 200;

/** What a validation finds. */
export class Results {
  /** In the order in which they were found. */
  readonly list: ValidationResult[] = [];
  #bytes = 0;
  #violations = 0;
  #isCut = false;

  constructor(private readonly limits: ResultLimits = RESULTS_OF_CHANGE) {}

  /** Whether nothing more need be validated. */
  get isFull(): boolean {
    return this.#isCut && (this.#violations > 0 || this.limits.seeksViolation !== true);
  }

  /** Whether there were more results than it has. */
  get isCut(): boolean {
    return this.#isCut;
  }

  get #hasRoom(): boolean {
    const { most = Infinity, mostBytes = Infinity } = this.limits;
    return this.list.length < most && this.#bytes < mostBytes;
  }

  #hasRoomFor(isViolation: boolean): boolean {
    if (this.#hasRoom) return true;
    this.#isCut = true;
    // Warnings take no room from a violation that may follow.
    return isViolation && this.#violations === 0;
  }

  /** Number of results with the severity `sh:Violation`. */
  get violations(): number {
    return this.#violations;
  }

  /** Takes a result, if there is room for it. @throws EvaluationError `QUERY_MEMORY` */
  *add(data: ShapesData, { shape, focus, constraint, violation }: Found): Steps<void> {
    const severity = constraint.severity ?? shape.severity;
    // No term is read for a result that is not taken.
    if (!this.#hasRoomFor(severity.value === VIOLATION)) return;
    const { value, term, path, message, messages } = violation;
    this.take({
      focusNode: yield* data.term(focus),
      path: path === undefined ? shape.path : along(typeof path === 'number' ? yield* data.term(path) : path),
      value: value === 0 ? term : yield* data.term(value),
      shape: shape.node,
      component: constraint.component,
      source: constraint.source,
      severity,
      messages: messages ?? shape.messages,
      text: message,
    });
  }

  /** Takes a result of another validation, if there is room for it. @throws EvaluationError `QUERY_MEMORY` */
  take(result: ValidationResult): void {
    const isViolation = result.severity.value === VIOLATION;
    if (!this.#hasRoomFor(isViolation)) return;
    this.list.push(result);
    this.#bytes += RESULT_BYTES + lengthOf(result.focusNode) + lengthOf(result.value);
    if (isViolation) this.#violations++;
    if (this.#bytes > (this.limits.memoryBytes ?? Infinity))
      throw new EvaluationError(
        'QUERY_MEMORY',
        `the results of the validation take more than the memory of a query, after ${String(this.list.length)} of them. Give a limit.`,
      );
  }
}

const lengthOf = (term: RDF.Term | undefined): number => (term === undefined ? 0 : termToNTriples(term).length);
