/** Equal rows that come one after the other. */

/** Tells where in rows that come in order another run of equal rows begins. */
export class RowRuns {
  readonly #last: Uint32Array;
  #any = false;

  constructor(private readonly width: number) {
    this.#last = new Uint32Array(width);
  }

  /** Whether a row differs from the one asked about before. */
  begins(columns: readonly Uint32Array[], row: number): boolean {
    let differs = !this.#any;
    this.#any = true;
    for (let i = 0; i < this.width; i++) {
      const id = columns[i]![row]!;
      if (id === this.#last[i]) continue;
      differs = true;
      this.#last[i] = id;
    }
    return differs;
  }
}

/** Whether rows that ascend by `sorted` have those next to one another that agree in all `variables`. */
export function sortedBy(sorted: readonly string[], variables: readonly string[]): boolean {
  const prefix = new Set(sorted.slice(0, variables.length));
  return variables.every((name) => prefix.has(name));
}
