/** A graph of shapes, ready to validate with. */
import type * as RDF from '@rdfjs/types';
import type { Steps } from '../steps.js';
import type { ShapesData } from '../data/shapes-data.js';
import type { BoundTerm, Path } from './paths.js';

/** The nodes that a shape is for. */
export type Target =
  | { readonly kind: 'node'; readonly node: BoundTerm }
  | { readonly kind: 'class'; readonly class: BoundTerm }
  | { readonly kind: 'subjectsOf' | 'objectsOf'; readonly predicate: BoundTerm };

/** A value node that violates a constraint. */
export interface Violation {
  /** The node; 0 if the violation has none. */
  readonly value: number;
  /** The predicate that leads to it, where that is not the path of the shape. */
  readonly path?: number;
  readonly message: string;
}

/** What a constraint is checked with. */
export interface Checked {
  readonly focus: number;
  /** The value nodes: those that the path leads to, or the focus node. */
  readonly values: readonly number[];
}

/** The validation in which a constraint is checked. */
export interface Validating {
  readonly data: ShapesData;
  term(node: number): Steps<RDF.Term>;
  /** Gives other work its turn if it has waited long enough. */
  rest(): Steps<void>;
  /** The numbers of a list of terms. */
  idsOf(terms: readonly BoundTerm[]): ReadonlySet<number>;
  /** Whether a node is an instance of a class or of one of its subclasses. */
  isInstance(node: number, type: number): Steps<boolean>;
  /** Whether a node conforms to a shape. */
  conforms(shape: Shape, focus: number): Steps<boolean>;
}

/** A constraint of a shape. */
export interface Constraint {
  /** Name of the component, without `ConstraintComponent`. */
  readonly component: string;
  check(validation: Validating, checked: Checked): Steps<readonly Violation[]>;
  /** Paths that it reads from the focus node. */
  readonly fromFocus?: readonly Path[];
  /** Paths that it reads from each value node. */
  readonly fromValues?: readonly Path[];
  /** Whether it reads all edges of the value nodes. */
  readonly readsEdges?: boolean;
  /** Shapes against which it checks value nodes. */
  readonly shapes?: readonly Shape[];
}

export interface Shape {
  readonly node: RDF.Term;
  /** Of a property shape. */
  readonly path: Path | undefined;
  readonly constraints: readonly Constraint[];
  /** The property shapes of its value nodes. Their results are results of the validation. */
  readonly properties: readonly Shape[];
  readonly targets: readonly Target[];
  readonly severity: RDF.Term;
  readonly messages: readonly RDF.Term[];
  readonly deactivated: boolean;
}
