/** The parts that are joined so far, while an order is searched for. */
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
  readonly parts = new Map<string, number[]>();
  readonly filters = new Map<string, number[]>();
  /** All parts, those with few rows first. */
  readonly byRows: readonly number[];

  constructor(
    parts: readonly JoinPart[],
    readonly allFilters: readonly JoinFilter[],
  ) {
    for (const [part, { variables }] of parts.entries()) for (const name of variables) note(this.parts, name, part);
    for (const [filter, { names }] of allFilters.entries()) for (const name of names) note(this.filters, name, filter);
    this.byRows = parts.map((_, part) => part).sort((a, b) => parts[a]!.rows - parts[b]!.rows);
  }
}

function note(map: Map<string, number[]>, name: string, value: number): void {
  const known = map.get(name);
  if (known === undefined) map.set(name, [value]);
  else known.push(value);
}

export class PartialJoin {
  readonly steps: JoinStep[] = [];
  readonly bound = new Set<string>();
  /** Variables that every row has. */
  readonly certain = new Set<string>();
  readonly distinct = new Map<string, number>();
  rows = 1;
  cost = 0;
  first = 0;
  sorted: readonly string[] = [];
  readonly #joined: Uint8Array;
  /** By filter: variables that are not bound yet. */
  readonly #missing: number[];

  constructor(
    private readonly parts: readonly JoinPart[],
    private readonly index: PartsOfVariables,
  ) {
    this.#joined = new Uint8Array(parts.length);
    this.#missing = index.allFilters.map(({ names }) => names.length);
  }

  has(part: number): boolean {
    return this.#joined[part] === 1;
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
  add({ part: at, method, rows, cost, first, sorted }: Candidate): string[] {
    const part = this.parts[at]!;
    const added = part.variables.filter((name) => !this.bound.has(name));
    for (const name of added) this.bound.add(name);
    for (const name of part.certain ?? part.variables) this.certain.add(name);
    this.rows = Math.min(rows * this.#share(added), MOST_ROWS);
    this.cost = cost;
    this.first = first;
    this.sorted = sorted;
    for (const name of part.variables) {
      const own = part.distinct.get(name) ?? part.rows;
      this.distinct.set(name, Math.max(1, Math.min(own, this.distinct.get(name) ?? Infinity, this.rows)));
    }
    this.steps.push({ part: at, method, rows: this.rows });
    this.#joined[at] = 1;
    return added;
  }

  // The share of rows that filters leave now that more is bound.
  #share(added: readonly string[]): number {
    let share = 1;
    for (const name of added) {
      for (const filter of this.index.filters.get(name) ?? []) {
        if (--this.#missing[filter]! === 0) share *= this.index.allFilters[filter]!.share;
      }
    }
    return share;
  }
}
