/** The parts that are joined so far, while an order is searched for. Variables are numbers: an order asks for them thousands of times. */
import {
  MOST_ROWS,
  type Candidate,
  type JoinFilter,
  type JoinPart,
  type JoinSample,
  type JoinStep,
} from './join-part.js';

/** Which parts and filters mention a variable. */
export class PartsOfVariables {
  /** By number. */
  readonly names: string[] = [];
  /** By number of a variable: the parts that have it. */
  readonly partsOf: number[][] = [];
  /** By number of a variable: the filters that look at it. */
  readonly filtersOf: (number[] | undefined)[] = [];
  /** By part: the numbers of its variables. */
  readonly variables: readonly (readonly number[])[];
  /** By part: about how many terms each of its variables takes. */
  readonly distinct: readonly (readonly number[])[];
  /** All parts, those with few rows first. */
  readonly byRows: readonly number[];

  constructor(
    parts: readonly JoinPart[],
    readonly allFilters: readonly JoinFilter[],
  ) {
    const numbers = new Map<string, number>();
    this.variables = parts.map(({ variables }, part) => variables.map((name) => this.#note(numbers, name, part)));
    this.distinct = parts.map(({ variables, distinct, rows }) => variables.map((name) => distinct.get(name) ?? rows));
    for (const [filter, { names }] of allFilters.entries()) {
      for (const name of names) {
        const number = numbers.get(name);
        if (number !== undefined) (this.filtersOf[number] ??= []).push(filter);
      }
    }
    this.byRows = parts.map((_, part) => part).sort((a, b) => parts[a]!.rows - parts[b]!.rows);
  }

  #note(numbers: Map<string, number>, name: string, part: number): number {
    let number = numbers.get(name);
    if (number === undefined) {
      number = this.names.length;
      numbers.set(name, number);
      this.names.push(name);
      this.partsOf.push([]);
    }
    this.partsOf[number]!.push(part);
    return number;
  }
}

export class PartialJoin {
  readonly steps: JoinStep[] = [];
  rows = 1;
  cost = 0;
  first = 0;
  sorted: readonly string[] = [];
  readonly #joined: Uint8Array;
  /** By variable: about how many terms it takes; 0 where it is not bound. */
  readonly #distinct: Float64Array;
  /** By filter: variables that are not bound yet. */
  readonly #missing: number[];
  #bound: Set<string> | undefined;
  #certain: Set<string> | undefined;

  constructor(
    private readonly parts: readonly JoinPart[],
    private readonly index: PartsOfVariables,
  ) {
    this.#joined = new Uint8Array(parts.length);
    this.#distinct = new Float64Array(index.names.length);
    this.#missing = index.allFilters.map(({ names }) => names.length);
  }

  has(part: number): boolean {
    return this.#joined[part] === 1;
  }

  /** The names of the variables that are bound. */
  get bound(): ReadonlySet<string> {
    return (this.#bound ??= new Set(this.index.names.filter((_, variable) => this.#distinct[variable] !== 0)));
  }

  /** Variables that every row has. */
  get certain(): ReadonlySet<string> {
    if (this.#certain === undefined) {
      this.#certain = new Set();
      for (const { part } of this.steps) {
        const { certain, variables } = this.parts[part]!;
        for (const name of certain ?? variables) this.#certain.add(name);
      }
    }
    return this.#certain;
  }

  /** About how many terms each variable takes. */
  get distinct(): ReadonlyMap<string, number> {
    return new Map(this.index.names.map((name, variable) => [name, this.#distinct[variable]!]));
  }

  /** How many of a part's variables are bound. */
  sharedWith(part: number): number {
    let shared = 0;
    for (const variable of this.index.variables[part]!) if (this.#distinct[variable] !== 0) shared++;
    return shared;
  }

  /** By how much the variables that a part shares lessen the pairs of rows, but for `others`. */
  valuesSharedWith(part: number, others?: ReadonlySet<string>): number {
    const variables = this.index.variables[part]!;
    const own = this.index.distinct[part]!;
    const { graph, rows } = this.parts[part]!;
    let values = 1;
    let isGraphShared = false;
    for (let i = 0; i < variables.length; i++) {
      const variable = variables[i]!;
      const known = this.#distinct[variable]!;
      if (known === 0 || others?.has(this.index.names[variable]!) === true) continue;
      values *= Math.max(own[i]!, known, 1);
      isGraphShared ||= this.index.names[variable] === graph;
    }
    // There are no more pairs of a graph and a term in it than rows.
    return isGraphShared ? Math.min(values, Math.max(this.rows, rows, 1)) : values;
  }

  /**
   * What is known of the joins of a part with those that are joined: with most shared variables first, then with fewest rows, whose
   * values are most like those of the rows that there are.
   */
  samplesOf({ samples }: JoinPart): JoinSample[] {
    if (samples === undefined) return [];
    return [...samples]
      .filter(([part]) => this.has(part))
      .sort(
        ([a, x], [b, y]) =>
          y.names.length - x.names.length || this.parts[a]!.rows - this.parts[b]!.rows || y.share - x.share,
      )
      .map(([, sample]) => sample);
  }

  /** Joins a part. The variables that it binds anew. */
  add({ part: at, method, rows, cost, first, sorted }: Candidate): number[] {
    const variables = this.index.variables[at]!;
    const own = this.index.distinct[at]!;
    const distinct = this.#distinct;
    const added = variables.filter((variable) => distinct[variable] === 0);
    this.rows = Math.min(rows * this.#share(added), MOST_ROWS);
    this.cost = cost;
    this.first = first;
    this.sorted = sorted;
    for (let i = 0; i < variables.length; i++) {
      const variable = variables[i]!;
      const known = distinct[variable] === 0 ? Infinity : distinct[variable]!;
      distinct[variable] = Math.max(1, Math.min(own[i]!, known, this.rows));
    }
    this.steps.push({ part: at, method, rows: this.rows });
    this.#joined[at] = 1;
    this.#bound = this.#certain = undefined;
    return added;
  }

  // The share of rows that filters leave now that more is bound.
  #share(added: readonly number[]): number {
    let share = 1;
    for (const variable of added) {
      for (const filter of this.index.filtersOf[variable] ?? []) {
        if (--this.#missing[filter]! === 0) share *= this.index.allFilters[filter]!.share;
      }
    }
    return share;
  }
}
