/** The results of a validation. They are bounded, because a change is refused after the first one. */
import type * as RDF from '@rdfjs/types';
import { termToNTriples } from '@quadrille/model';
import type { ShapesData } from '../data/shapes-data.js';
import type { Path } from '../shapes/paths.js';
import type { Shape, Violation } from '../shapes/shape.js';
import type { Steps } from '../steps.js';
import { SH } from '../vocabulary.js';

/** One result, as terms. */
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
  readonly component: string;
  readonly violation: Violation;
}

const along = (term: RDF.Term): Path => ({ kind: 'predicate', predicate: { term, id: 0 } });

const VIOLATION = `${SH}Violation`;
const MOST_RESULTS = 1000;
const MOST_BYTES = 4 * 1024 * 1024;

/** What a validation finds: at most 1,000 results, and 4 MB. */
export class Results {
  /** In the order in which they were found. */
  readonly list: ValidationResult[] = [];
  #bytes = 0;
  #violations = 0;

  constructor(private readonly most: number = MOST_RESULTS) {}

  /** Whether nothing more need be validated: there is a violation, and no room for more results. */
  get isFull(): boolean {
    return this.#violations > 0 && !this.#hasRoom;
  }

  get #hasRoom(): boolean {
    return this.list.length < this.most && this.#bytes < MOST_BYTES;
  }

  /** Number of results with the severity `sh:Violation`. */
  get violations(): number {
    return this.#violations;
  }

  /** Takes a result, if there is room for it. */
  *add(data: ShapesData, { shape, focus, component, violation }: Found): Steps<void> {
    const isViolation = shape.severity.value === VIOLATION;
    // Warnings take no room from a violation that may follow.
    if (!this.#hasRoom && !(isViolation && this.#violations === 0)) return;
    const { value, path, message } = violation;
    const result = {
      focusNode: yield* data.term(focus),
      path: path === undefined ? shape.path : along(yield* data.term(path)),
      value: value === 0 ? undefined : yield* data.term(value),
      shape: shape.node,
      component: `${SH}${component}ConstraintComponent`,
      severity: shape.severity,
      messages: shape.messages,
      text: message,
    };
    this.list.push(result);
    this.#bytes += termToNTriples(result.focusNode).length + (result.value ? termToNTriples(result.value).length : 0);
    if (isViolation) this.#violations++;
  }
}
