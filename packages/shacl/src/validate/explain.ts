/** What a change makes a guard look at, for each constraint, and what that has cost. */
import { termToNTriples } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { pathText } from '../report/path-text.js';
import type { ShapesGraph } from '../shapes/parse-shapes.js';
import type { BoundTerm } from '../shapes/paths.js';
import type { Constraint, Touched } from '../shapes/shape.js';

/**
 * What the guard does for one constraint.
 * @since 0.1.0
 */
export interface ExplainedConstraint {
  /** The node of the shape. */
  readonly shape: RDF.Term;
  /** The path of the shape; `undefined` for node shapes. */
  readonly path: string | undefined;
  /** IRI of the constraint component. */
  readonly component: string;
  /** The node of the constraint, if it has one of its own: that of `sh:sparql`. */
  readonly source: RDF.Term | undefined;
  /**
   * Patterns that hang on no focus node. A change of a quad that fits one of them validates all focus nodes of the shape. Without such
   * patterns there is a way back from each changed quad to the focus nodes that it affects.
   */
  readonly all: readonly string[];
  /** The last commits that the constraint was checked for, a hundred at most. */
  readonly commits: number;
  /** Nodes that were checked for them. */
  readonly nodes: number;
  /** Milliseconds that it took, with the shapes that the constraint asks. */
  readonly milliseconds: number;
}

/** Commits whose costs are kept. */
const MOST_COMMITS = 100;

interface Cost {
  nodes: number;
  milliseconds: number;
}

/** The costs of one validation, by constraint. */
export class Costs {
  readonly of = new Map<Constraint, Cost>();

  add(constraint: Constraint, nodes: number, milliseconds: number): void {
    const cost = this.of.get(constraint);
    if (cost === undefined) this.of.set(constraint, { nodes, milliseconds });
    else {
      cost.nodes += nodes;
      cost.milliseconds += milliseconds;
    }
  }
}

/** The costs of the last commits. */
export class LastCosts {
  readonly #commits: Costs[] = [];

  /** Of a commit that begins now. */
  next(): Costs {
    const costs = new Costs();
    if (this.#commits.push(costs) > MOST_COMMITS) this.#commits.shift();
    return costs;
  }

  of(constraint: Constraint): Cost & { readonly commits: number } {
    const found = this.#commits.flatMap(({ of }) => of.get(constraint) ?? []);
    return {
      commits: found.length,
      nodes: found.reduce((sum, { nodes }) => sum + nodes, 0),
      milliseconds: found.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
    };
  }
}

/** The constraints of all shapes that are not deactivated. */
export function explained({ shapes }: ShapesGraph, costs: LastCosts): readonly ExplainedConstraint[] {
  return shapes
    .filter(({ deactivated }) => !deactivated)
    .flatMap(({ node, path, constraints }) =>
      constraints.map((constraint) => ({
        shape: node,
        path: path && pathText(path),
        component: constraint.component,
        source: constraint.source,
        all: [...new Set((constraint.forAll ?? []).map(patternText))],
        ...costs.of(constraint),
      })),
    );
}

const patternText = ({ subject, predicate, object }: Touched): string =>
  [placeText(subject, 's'), placeText(predicate, 'p'), placeText(object, 'o')].join(' ');

const placeText = (bound: BoundTerm | undefined, name: string): string =>
  bound === undefined ? `?${name}` : termToNTriples(bound.term);
