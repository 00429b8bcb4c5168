/**
 * The nodes of a physical plan. Plans have no ids: constants are numbers of a table of terms, which is resolved when a plan is opened,
 * so that one plan serves all revisions and parameters.
 */
import type * as RDF from '@rdfjs/types';
import type { Expression, Operation, PropertyPath, Seed } from '../algebra/algebra.js';
import type { GraphSource } from '../dataset/dataset-view.js';
import type { IdOrder } from '../dataset/id-dataset.js';
import type { Constants } from './constants.js';
import type { WordCondition } from './word-tests.js';

/** A position of a pattern: a constant (index into the table), a variable, or a triple term with variables in it. */
export type PatternTerm =
  | { readonly kind: 'constant'; readonly constant: number }
  | { readonly kind: 'variable'; readonly name: string };

/** The graphs that a pattern looks at. */
export type PatternGraph =
  /** These, merged without duplicates. */
  | {
      readonly kind: 'merged';
      readonly sources: readonly (Exclude<GraphSource, RDF.Term> | { readonly constant: number })[];
    }
  /** One named graph, as it is. */
  | { readonly kind: 'named'; readonly constant: number }
  /** Each named graph (of `among`, where the request lists them) as a value of the variable. */
  | { readonly kind: 'each'; readonly name: string; readonly among: readonly number[] | undefined };

export interface PlanPattern {
  readonly s: PatternTerm;
  readonly p: PatternTerm;
  readonly o: PatternTerm;
  readonly g: PatternGraph;
}

interface Node {
  /** The columns of its batches. */
  readonly variables: readonly string[];
  /** Variables that every row has. */
  readonly certain: ReadonlySet<string>;
  /** About how many rows it gives. */
  readonly rows: number;
  /** Rows ascend by these, one after the other. */
  readonly sorted: readonly string[];
  /** About how long it and its inputs take, in microseconds. */
  readonly cost: number;
  /** The part of {@link cost} before the first row: what is read whole, hash tables and sorts. */
  readonly first: number;
}
interface Unary extends Node {
  readonly input: Plan;
}

/** One row without variables. */
export type UnitPlan = Node & { readonly type: 'unit' };
/** Rows that the plan around it supplies: see ApplyPlan. */
export type SeedPlan = Node & { readonly type: 'seed'; readonly seed: string };
export type ValuesPlan = Node & {
  readonly type: 'values';
  readonly constants: readonly (readonly (number | undefined)[])[];
};
export type ScanPlan = Node & {
  readonly type: 'scan';
  readonly pattern: PlanPattern;
  readonly order: IdOrder | undefined;
  /** Comparisons with constants that the first open position of the order must pass; the filter is checked again. */
  readonly range: ScanRange | undefined;
  /** It reads the ranges of objects that a sort around it is at: see {@link SortByRanges}. */
  readonly within?: string | undefined;
};
export interface ScanRange {
  readonly variable: string;
  readonly comparisons: readonly { readonly operator: '<' | '<=' | '>' | '>=' | '='; readonly value: RDF.Term }[];
}
/** The distinct ids of one open position, each found by a seek behind the last. */
export type DistinctScanPlan = Node & {
  readonly type: 'distinct-scan';
  readonly pattern: PlanPattern;
  readonly order: IdOrder;
};
/** The number of quads that match, from the index. */
export type CountPlan = Node & { readonly type: 'count'; readonly pattern: PlanPattern };
/** Quads by predicate or by named graph from the statistics; without `countVariables` only the predicates or graphs. */
export type StatisticsPlan = Node & {
  readonly type: 'statistics';
  readonly key: 'predicates' | 'graphs';
  readonly keyVariable: string;
  readonly countVariables: readonly string[];
  /** Of the graphs only these, where the request lists them. */
  readonly among?: readonly number[] | undefined;
};
/** For each row of the input, the quads that match: an index nested loop. */
export type SeekPlan = Unary & {
  readonly type: 'seek';
  readonly pattern: PlanPattern;
  /** The order in which named graphs are read, where another one than that of the longest prefix reads less. */
  readonly order?: IdOrder | undefined;
  /** `left`: rows without a match stay, with unbound variables. */
  readonly mode: 'inner' | 'left' | 'semi' | 'anti';
  /** How the rest is joined where the input has more rows than was estimated. */
  readonly afterwards?: Afterwards | undefined;
};
/** After `rows` rows, a hash table of all matches of the pattern costs less than further seeks. The plan is made when it is needed. */
export interface Afterwards {
  readonly rows: number;
  readonly plan: () => HashJoinPlan;
}
export type HashJoinPlan = Node & {
  readonly type: 'hash-join';
  /** Streamed. */
  readonly left: Plan;
  /** Kept in a hash table. */
  readonly right: Plan;
  /** Shared variables that both sides always bind. */
  readonly keys: readonly string[];
  /** Shared variables that may be unbound on a side: then they agree with anything. */
  readonly loose: readonly string[];
  /** `semi`: the rows of the left side with a match. */
  readonly mode: 'inner' | 'left' | 'minus' | 'semi';
  /** For `left`: a match that fails it is none. */
  readonly condition: Expression | undefined;
  /** For `minus`: a key that is no shared variable, the column of a graph. */
  readonly column?: string | undefined;
  /** How it is joined where the right side has fewer rows than was estimated. */
  readonly forFew?: ForFew | undefined;
};
/** For at most `rows` rows of the right side, seeks cost less than reading the left side. The plan is made when it is needed. */
export interface ForFew {
  readonly rows: number;
  readonly plan: () => SeekPlan;
}
export type MergeJoinPlan = Node & {
  readonly type: 'merge-join';
  readonly left: Plan;
  readonly right: Plan;
  /** Both sides ascend by it. */
  readonly key: string;
};
/**
 * Several properties of one subject, which are read together: looked up for each row of the input, or of all subjects where the
 * input is one row without variables.
 */
export type StarPlan = Unary & {
  readonly type: 'star';
  readonly subject: string;
  readonly graph: PatternGraph;
  readonly legs: readonly StarLeg[];
  /** How many quads a scan of all subjects would read. */
  readonly read: number;
  /** How the rest is joined where the input has more rows than was estimated. */
  readonly afterwards?: Afterwards | undefined;
};
export interface StarLeg {
  readonly predicate: number;
  readonly object: PatternTerm;
  /** `left`: a subject without it stays. `semi`, `anti`: it only has to be there, or must not. */
  readonly mode: SeekPlan['mode'];
}
/** Runs `inner` for some rows of `input` at a time, which stand in it as its seed with their numbers. */
export type ApplyPlan = Unary & {
  readonly type: 'apply';
  readonly seed: string;
  readonly seedVariables: readonly string[];
  readonly inner: Plan;
  readonly rowNumber: string;
  /** `mark`: a variable says whether there was a row. */
  readonly mode: 'inner' | 'left' | 'semi' | 'anti' | 'mark';
  readonly mark: string | undefined;
  /** Rows of the first run; each later run takes more, up to whole batches. */
  readonly firstRows: number;
  /**
   * `one`: a LIMIT or a group without keys in `inner` has an answer of its own for each row. `all`: `inner` has volatile expressions,
   * and its solutions may belong to several rows.
   */
  readonly rowsAtOnce?: 'one' | 'all';
};
export type FilterPlan = Unary & { readonly type: 'filter'; readonly expressions: readonly Expression[] };
export type ExtendPlan = Unary & {
  readonly type: 'extend';
  readonly variable: string;
  readonly expression: Expression;
};
export type UnionPlan = Node & { readonly type: 'union'; readonly inputs: readonly Plan[] };
/** Unbound variables stay in `variables` of the projection as columns of zeros. */
export type ProjectPlan = Unary & { readonly type: 'project' };
export type DistinctPlan = Unary & { readonly type: 'distinct' };
export type SlicePlan = Unary & {
  readonly type: 'slice';
  readonly start: number;
  readonly length: number | undefined;
  /** The rows of each value of this column are counted by themselves. */
  readonly of?: string | undefined;
};
export interface SortKey {
  readonly expression: Expression;
  readonly descending: boolean;
}
export type SortPlan = Unary & {
  readonly type: 'sort';
  readonly keys: readonly SortKey[];
  /** Only so many first rows are asked for. */
  readonly limit: number | undefined;
  /** How the first rows are found without reading all. */
  readonly byRanges?: SortByRanges | undefined;
};
/** Rows of a sort in parts, one behind the other: a scan in the plan reads only objects in some ranges, which the first key is. */
export interface SortByRanges {
  readonly name: string;
  readonly plan: Plan;
  /** The scan in {@link plan}, whose object is the first key. */
  readonly scan: ScanPlan;
  readonly predicate: number;
}
export interface PlanAggregate {
  readonly variable: string;
  readonly aggregator: 'avg' | 'count' | 'custom' | 'group_concat' | 'max' | 'min' | 'sample' | 'sum';
  /** The name of one that the embedder added. */
  readonly iri?: string | undefined;
  readonly distinct: boolean;
  /** `undefined`: COUNT(*). */
  readonly expression: Expression | undefined;
  readonly separator: string | undefined;
}
export type GroupPlan = Unary & {
  readonly type: 'group';
  readonly keys: readonly string[];
  readonly aggregates: readonly PlanAggregate[];
  /** The key is a graph, and each of these has a group: all named graphs, or those `among` which there are. */
  readonly ofGraphs?: { readonly among: readonly number[] | undefined } | undefined;
};
/** Pairs that a path of unbounded or optional length joins: each pair once. */
export type PathPlan = Unary & {
  readonly type: 'path';
  readonly subject: PatternTerm;
  readonly path: PropertyPath;
  readonly kind: 'ZeroOrMorePath' | 'OneOrMorePath' | 'ZeroOrOnePath';
  readonly object: PatternTerm;
  readonly graph: PatternGraph;
  /** One search from all rows, since only the far ends are used, and each of them once is enough. */
  readonly together?: boolean;
};
/** Takes a triple term apart: its components are matched with the pattern, and bind its variables. */
export type TripleMatchPlan = Unary & {
  readonly type: 'triple-match';
  readonly term: string;
  readonly s: PatternTerm;
  readonly p: PatternTerm;
  readonly o: PatternTerm;
};
/** Quads whose objects have words, by the scores of these. */
export type SearchPlan = Node & {
  readonly type: 'search';
  readonly pattern: PlanPattern;
  /** The variable of the object. */
  readonly literal: string;
  readonly score: string | undefined;
  /** What stands behind `text:query`: terms, and their constants. */
  readonly arguments: readonly { readonly term: RDF.Term; readonly constant: number }[];
};
/** Rows of the input with the quads whose vectors are nearest to one, of those that fit to a row. */
export type NearestPlan = Unary & {
  readonly type: 'nearest';
  readonly pattern: PlanPattern;
  readonly score: string | undefined;
  /** The column of the vector, where it is a variable. */
  readonly vector: string | undefined;
  /** What stands behind `vec:nearest`. */
  readonly arguments: readonly RDF.Term[];
};
/** Quads whose objects pass conditions, as far as an index of words tells. Without one, and where many pass, they are scanned. */
export type WordsPlan = Node & {
  readonly type: 'words';
  readonly conditions: readonly WordCondition[];
  /** The variable of the object. */
  readonly object: string;
  readonly scan: ScanPlan;
  /** Looks up rows of literals, which lose the order of the scan. */
  readonly seek: SeekPlan | undefined;
  /** More are not looked up. */
  readonly mostSought: number;
};
/** Quads whose objects pass comparisons, as far as the index of order tells. Without one, and where many pass, they are scanned. */
export type ValueRangePlan = Node & {
  readonly type: 'value-range';
  readonly range: ScanRange;
  /** In the order of the objects. It has a name, so that a part of it can be read. */
  readonly scan: ScanPlan;
  /** Looks up rows of literals. */
  readonly seek: SeekPlan;
  /** More are not looked up. */
  readonly mostSought: number;
};
/** A SERVICE that another repository of the store answers: a plan over its data. */
export type RepositoryPlan = Node & {
  readonly type: 'repository';
  readonly address: string;
  readonly inner: Plan;
  /** Of {@link inner}. */
  readonly constants: Constants;
  /** The seeds in {@link inner} whose rows come from outside of it. */
  readonly seeds: readonly Pick<Seed, 'name' | 'variables' | 'rowNumber'>[];
};
export type ServicePlan = Unary & {
  readonly type: 'service';
  readonly endpoint: PatternTerm;
  readonly silent: boolean;
  readonly pattern: Operation;
  readonly serviceVariables: readonly string[];
  /** The pattern is asked for all its solutions, once: its volatile expressions have one value for each of them. */
  readonly whole: boolean;
};

export type Plan =
  | UnitPlan
  | SeedPlan
  | ValuesPlan
  | ScanPlan
  | DistinctScanPlan
  | CountPlan
  | StatisticsPlan
  | SeekPlan
  | HashJoinPlan
  | MergeJoinPlan
  | StarPlan
  | ApplyPlan
  | FilterPlan
  | ExtendPlan
  | UnionPlan
  | ProjectPlan
  | DistinctPlan
  | SlicePlan
  | SortPlan
  | GroupPlan
  | PathPlan
  | TripleMatchPlan
  | RepositoryPlan
  | SearchPlan
  | NearestPlan
  | WordsPlan
  | ValueRangePlan
  | ServicePlan;
