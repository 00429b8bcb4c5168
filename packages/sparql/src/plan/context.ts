/** What planners of parts use: statistics of the dataset, and the planner for nested operations. */
import type * as RDF from '@rdfjs/types';
import type { Expression, Operation } from '../algebra/algebra.js';
import type { OperationOf, OperationType } from '../algebra/operations/record.js';
import type { Pauses, Task } from '../algebra/rewrite.js';
import type { Resolve } from '../algebra/terms.js';
import type { IsVolatileFunction } from '../algebra/volatile.js';
import type { IdDataset } from '../dataset/id-dataset.js';
import type { Constants } from './constants.js';
import type { Figures } from './figures.js';
import type { PlanningSteps } from './join/planning-steps.js';
import type { PatternGraph, Plan } from './plan.js';

/** What a part of the algebra is planned for. */
export interface Scope {
  /** Variables that are used above. */
  readonly needed: ReadonlySet<string>;
  /** Only this many rows are used, the first ones. A sort may drop the others. */
  readonly limit?: number | undefined;
  /** The number of rows that will be read, approximately. */
  readonly first?: number | undefined;
  /** How often a row comes does not matter. */
  readonly distinct?: boolean | undefined;
  /** Only a part of the quads that bind a variable is read. Set only where each row of the operation belongs to one row of the pattern. */
  readonly part?: PartOfRows | undefined;
}

/** A part of the quads of one pattern: those whose object, a variable, is within some ranges. */
export interface PartOfRows {
  /** Of the ranges. */
  readonly name: string;
  readonly variable: string;
  /** Of the pattern: the first one that has it and the variable. */
  readonly predicate: number;
  /** About the share of all quads. */
  readonly share: number;
  /** The rows of a part, at least. */
  readonly least: number;
}

/** Counts what a plan holds. */
export interface PlanMemory {
  /** @throws EvaluationError `QUERY_MEMORY` */
  reserveValues(bytes: number): void;
}

export interface PlannerOptions {
  /** Default: plans are not counted. */
  readonly memory?: PlanMemory | undefined;
  /** Asked before each part and each step. Default: planning does not pause. */
  readonly control?: Pauses | undefined;
  /** Joins as they stand and filters where they stand: the plan to check the planner against. */
  readonly unoptimised?: boolean | undefined;
  /** Other repositories that the request asks, by address. */
  readonly others?: ReadonlyMap<string, IdDataset> | undefined;
  /** Gives names that no request has. Default: those of this plan; a part of another plan shares its names. */
  readonly newName?: (() => string) | undefined;
  /** Functions of the embedder that may give another value each time. Default: none. */
  readonly isVolatile?: IsVolatileFunction | undefined;
  /** How much the plan may be searched for. Default: as much as all plans. */
  readonly steps?: PlanningSteps | undefined;
}

/** The planner as its parts see it. */
export interface PlanContext {
  readonly constants: Constants;
  readonly figures: Figures;
  readonly dataset: IdDataset;
  /** Gives the terms that parameters have now. */
  readonly resolve: Resolve;
  /** The graphs that a pattern looks at which names this one: the default graph of the request, a named one, or a variable. */
  graphOf(graph: RDF.Term): PatternGraph;
  /** The graphs that a variable of GRAPH goes through; `undefined`: all that have a name. */
  readonly listedGraphs: readonly number[] | undefined;
  readonly options: PlannerOptions;
  /** A variable that no request can have. */
  readonly newName: () => string;
  plan(operation: Operation, scope: Scope): Promise<Plan>;
  /** The rows of an input for which all filters hold. */
  filter(input: Plan, filters: readonly Expression[], needed: ReadonlySet<string>, first?: number): Promise<Plan>;
  /** What rules make of a part of the algebra. */
  rewritten<T>(task: Task<T>): Promise<T>;
  /** What was made of an operation under this key before; else makes it. Operations around it that are planned twice share it. */
  memo<T>(operation: Operation, key: string, make: () => Promise<T>): Promise<T>;
  /** Counts a node that stays in the plan, or may. @throws EvaluationError `QUERY_MEMORY` */
  count(plan: Plan): void;
  readonly steps: PlanningSteps;
  /** Operations that are planned with a seed just now. */
  readonly seeding: Set<Operation>;
}

/** Plans an operation of a kind. */
export type PlanOf<T extends OperationType> = (
  planner: PlanContext,
  operation: OperationOf<T>,
  scope: Scope,
) => Plan | Promise<Plan>;
export type Plans<T extends OperationType> = { readonly [K in T]: PlanOf<K> };

/** The variables that are used above. */
export const neededOf = (variables: readonly string[], needed: ReadonlySet<string>): string[] =>
  variables.filter((name) => needed.has(name));

const NEW_NAME = '#';

/** A variable that no request can have. */
export const newNameOf = (number: number): string => `${NEW_NAME}${number}`;
export const isNewName = (name: string): boolean => name.startsWith(NEW_NAME);

export const withoutLimit = ({ needed, first }: Scope): Scope => ({ needed, first });
