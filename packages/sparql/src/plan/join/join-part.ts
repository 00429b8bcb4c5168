/** What the join order knows of the parts of a group, and what it decides. */

/** A part of a group. */
export interface JoinPart {
  readonly variables: readonly string[];
  /** Those that every row of it has. Default: all. */
  readonly certain?: ReadonlySet<string>;
  /** Rows that it has by itself; for a part that only extends rows those for each of them. */
  readonly rows: number;
  /** The cost of these rows. */
  readonly cost: number;
  readonly distinct: ReadonlyMap<string, number>;
  /** The variable of its graph, which goes with the others: a term mostly stands in few graphs. */
  readonly graph?: string | undefined;
  /** How it is read by itself; `undefined`: it only extends other rows. */
  readonly alone: AloneRows | undefined;
  /** Whether its rows can be looked up by ids of the other side. */
  readonly seekable: boolean;
  /** What a lookup costs more where these variables are bound: rows that are read in vain. */
  readonly seekExtra?: ((bound: ReadonlySet<string>) => number) | undefined;
  /** How it extends rows that bind these variables, if it can: paths, triple terms, services, seeded operations. */
  readonly extend:
    | ((bound: ReadonlySet<string>, certain: ReadonlySet<string>, sorted: readonly string[]) => Extension | undefined)
    | undefined;
  /** By other part: what looking at some rows told of the join with it. */
  readonly samples?: ReadonlyMap<number, JoinSample>;
}

export interface JoinSample {
  /** The variables that both parts have. */
  readonly names: readonly string[];
  /** The share of all pairs of their rows that join. */
  readonly share: number;
}

export interface AloneRows {
  /** The cost before the first row. */
  readonly first: number;
  /** Orders in which the rows can come: the variables that they ascend by. */
  readonly orders: readonly (readonly string[])[];
}

export interface Extension {
  readonly costPerRow: number;
  /** `undefined`: as many as a join with the rows of the part has. */
  readonly rowsPerRow?: number;
}

export type JoinMethod =
  | { readonly kind: 'start' }
  | { readonly kind: 'seek'; readonly seekCost: number }
  /** `build`: which side goes into the hash table. */
  | { readonly kind: 'hash'; readonly build: 'part' | 'partial' }
  | { readonly kind: 'merge'; readonly key: string; readonly order: number }
  | { readonly kind: 'extend' };

export interface JoinStep {
  /** Which part. */
  readonly part: number;
  readonly method: JoinMethod;
  /** Rows after the step. */
  readonly rows: number;
}

/** A filter of the group: the share of rows that it leaves once its variables are bound. */
export interface JoinFilter {
  readonly names: readonly string[];
  readonly share: number;
}

/** Rows and costs are those after the join, of all that is joined. */
export interface Candidate {
  readonly part: number;
  readonly method: JoinMethod;
  readonly rows: number;
  readonly cost: number;
  /** The part of the cost before the first row. */
  readonly first: number;
  readonly sorted: readonly string[];
}

/** Estimates end here, so that products of them stay numbers. */
export const MOST_ROWS = 1e100;
