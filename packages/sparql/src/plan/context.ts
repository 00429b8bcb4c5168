/** What the planner of one kind of part is given: figures of the dataset, and a way to plan what stands below. */
import type { Expression, Operation } from '../algebra/algebra.js';
import type { GraphSelection } from '../dataset/dataset-view.js';
import type { IdDataset } from '../dataset/id-dataset.js';
import type { Constants } from './constants.js';
import type { Figures } from './patterns.js';
import type { PatternGraph, Plan } from './plan.js';

/** What a part of the algebra is planned for. */
export interface Scope {
  readonly graph: PatternGraph;
  /** Variables that somebody looks at. */
  readonly needed: ReadonlySet<string>;
  /** Only so many first rows in the end; exact, so that a sort may drop the others. */
  readonly limit?: number | undefined;
  /** About so many first rows are looked at. */
  readonly first?: number | undefined;
}

/** A filter that waits for its variables. */
export interface GroupFilter {
  readonly expression: Expression;
  /** The graph of the patterns in its EXISTS. */
  readonly graph: PatternGraph;
}

export interface PlannerOptions {
  /** Joins as they stand and filters where they stand: the plan to check the planner against. */
  readonly unoptimised?: boolean | undefined;
}

/** The planner as its parts see it. */
export interface PlanContext {
  readonly constants: Constants;
  readonly figures: Figures;
  readonly dataset: IdDataset;
  readonly selection: GraphSelection;
  readonly options: PlannerOptions;
  /** A variable that no request can have. */
  readonly newName: () => string;
  plan(operation: Operation, scope: Scope): Promise<Plan>;
  /** The rows of an input for which all filters hold. */
  filter(input: Plan, filters: readonly GroupFilter[], needed: ReadonlySet<string>): Promise<Plan>;
}

/** The columns that somebody looks at. */
export const neededOf = (variables: readonly string[], needed: ReadonlySet<string>): string[] =>
  variables.filter((name) => needed.has(name));

export const withoutLimit = ({ graph, needed, first }: Scope): Scope => ({ graph, needed, first });
