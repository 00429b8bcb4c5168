/** A graph of shapes, ready to validate with. */
import type * as RDF from '@rdfjs/types';
import type { Steps } from '../steps.js';
import type { ShapesData, ShapesQuery } from '../data/shapes-data.js';
import type { Checked } from './checked.js';
import type { BoundTerm, Path } from './paths.js';

/** The nodes that a shape is for. */
export type Target =
  | { readonly kind: 'node'; readonly node: BoundTerm }
  | { readonly kind: 'class'; readonly class: BoundTerm }
  | { readonly kind: 'subjectsOf' | 'objectsOf'; readonly predicate: BoundTerm }
  | { readonly kind: 'query'; readonly query: ShapesQuery; readonly reads: QueryReads };

/** What a query reads: see `Constraint`. */
export interface QueryReads {
  readonly fromFocus: readonly Path[];
  readonly fromValues: readonly Path[];
  readonly forAll: readonly Touched[];
}

/** Triples that are read for all focus nodes. A member that is missing stands for any term. */
export interface Touched {
  readonly subject: BoundTerm | undefined;
  readonly predicate: BoundTerm | undefined;
  readonly object: BoundTerm | undefined;
}

/** A value node that violates a constraint. */
export interface Violation {
  /** The node; 0 if the violation has none, or has it as a term. */
  readonly value: number;
  /** The value as a term, where a query has made it. */
  readonly term?: RDF.Term | undefined;
  /** The predicate that leads to it, where that is not the path of the shape. */
  readonly path?: number | RDF.Term;
  /** What is wrong, in English. */
  readonly message: string;
  /** Instead of the messages of the shape. */
  readonly messages?: readonly RDF.Term[] | undefined;
}

/** A violation of the focus node at this index. */
export interface PlacedViolation extends Violation {
  readonly at: number;
}

/** The validation in which a constraint is checked. */
export interface Validating {
  readonly data: ShapesData;
  term(node: number): Steps<RDF.Term>;
  /** The terms of the value nodes; `undefined` if they are too many to be kept. */
  terms(checked: Checked): Steps<readonly RDF.Term[] | undefined>;
  /** Gives other work its turn if it has waited long enough. */
  rest(): Steps<void>;
  /** The numbers of a list of terms. */
  idsOf(terms: readonly BoundTerm[]): ReadonlySet<number>;
  /** A set in which those of the nodes are that are instances of a class or of one of its subclasses. */
  instances(nodes: readonly number[], type: number): Steps<ReadonlySet<number>>;
  /** The nodes that conform to a shape. */
  conforming(shape: Shape, nodes: Iterable<number>): Steps<ReadonlySet<number>>;
}

/** A constraint of a shape. */
export interface Constraint {
  /** IRI of the component. */
  readonly component: string;
  /** Checks focus nodes. */
  check(validation: Validating, checked: Checked): Steps<readonly PlacedViolation[]>;
  /** Paths that it reads from the focus node. */
  readonly fromFocus?: readonly Path[];
  /** Paths that it reads from each value node. */
  readonly fromValues?: readonly Path[];
  /** Whether it reads all edges of the value nodes. */
  readonly readsEdges?: boolean;
  /** What it reads for all focus nodes. */
  readonly forAll?: readonly Touched[];
  /** Shapes against which it checks value nodes. */
  readonly shapes?: readonly Shape[];
  /** The path from the focus node to the nodes that it checks against them, where these are no value nodes. */
  readonly toNodes?: Path;
  /** Whether a value node that conforms to one of the shapes less may violate the constraint less. */
  readonly negates?: boolean;
  /** The node of a constraint that has one of its own. */
  readonly source?: RDF.Term | undefined;
  /** Instead of that of the shape. */
  readonly severity?: RDF.Term | undefined;
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
  /** Whether it refers to itself, also through others: `'mixed'` if that happens below a negation. */
  readonly recursion: 'none' | 'plain' | 'mixed';
}
