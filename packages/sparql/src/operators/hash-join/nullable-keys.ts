/**
 * Finds rows by keys that may be unbound on either side: an unbound variable agrees with anything. Rows with the same variables bound
 * are looked up by the values of these, so that rows are compared only where they match.
 */
import { HashedRows } from '../../execute/table/hashed-rows.js';
import type { Batch } from '../../execute/core/batch.js';
import { pauseOf, type Pauses, type Waiting } from '../../execute/core/waiting.js';

/** Further variables are compared row by row. */
export const MOST_NULLABLE = 8;
const ROWS_BETWEEN_CHECKS = 65_536;

/** Rows that may match, by the values of some columns of a batch. */
export interface Probe {
  readonly right: HashedRows;
  readonly keys: readonly Uint32Array[];
}

/** Sets of variables are numbers: bit n stands for variable n. */
export class NullableKeys {
  /** Which variables the rows of the right side bind. */
  readonly #bound = new Set<number>();
  /** By the variables that a row of the left side binds: the right side by the keys and by those. */
  readonly #tables = new Map<number, HashedRows>();
  /** A column of variables that are unbound. */
  #zeros = new Uint32Array(0);

  private constructor(
    private readonly right: HashedRows,
    private readonly keys: readonly (readonly [number, number])[],
    private readonly nullable: readonly (readonly [number, number])[],
  ) {}

  /** Pairs are columns of the left and of the right side. */
  static *of(
    right: HashedRows,
    keys: readonly (readonly [number, number])[],
    nullable: readonly (readonly [number, number])[],
    control: Pauses,
  ): Waiting<NullableKeys> {
    const made = new NullableKeys(right, keys, nullable.slice(0, MOST_NULLABLE));
    const columns = made.nullable.map(([, column]) => right.columns[column]!);
    for (let row = 0; row < right.length; row++) {
      if (row % ROWS_BETWEEN_CHECKS === 0) yield* pauseOf(control);
      made.#bound.add(boundIn(columns, row));
    }
    return made;
  }

  /**
   * How the rows of a batch are looked up, by the variables that they bind. Without `alone`, a row and one of the right side have to share
   * a variable beside the keys.
   */
  *probes(batch: Batch, alone: boolean): Waiting<{ readonly of: (row: number) => readonly Probe[] }> {
    const columns = this.nullable.map(([column]) => batch.columns[column]!);
    const bound = new Uint8Array(batch.length);
    const probes: (readonly Probe[] | undefined)[] = [];
    if (this.#zeros.length < batch.length) this.#zeros = new Uint32Array(batch.length);
    for (let row = 0; row < batch.length; row++) {
      const names = boundIn(columns, row);
      bound[row] = names;
      probes[names] ??= yield* this.#probesFor(names, batch, alone);
    }
    return { of: (row) => probes[bound[row]!]! };
  }

  *#probesFor(names: number, batch: Batch, alone: boolean): Waiting<Probe[]> {
    const found: Probe[] = [];
    const own = this.nullable.filter((_, i) => (names & (1 << i)) !== 0);
    let right = names === 0 ? this.right : this.#tables.get(names);
    if (right === undefined) {
      right = yield* this.right.by([...this.keys, ...own].map(([, column]) => column));
      this.#tables.set(names, right);
    }
    for (const shared of new Set([...this.#bound].map((others) => others & names))) {
      if (shared === 0 && !alone) continue;
      const columns = this.nullable.flatMap(([column], i) => {
        if ((names & (1 << i)) === 0) return [];
        return [(shared & (1 << i)) === 0 ? this.#zeros : batch.columns[column]!];
      });
      found.push({ right, keys: [...this.keys.map(([column]) => batch.columns[column]!), ...columns] });
    }
    return found;
  }

  free(): void {
    for (const table of this.#tables.values()) table.free();
  }
}

function boundIn(columns: readonly Uint32Array[], row: number): number {
  let bound = 0;
  for (let i = 0; i < columns.length; i++) if (columns[i]![row] !== 0) bound |= 1 << i;
  return bound;
}
