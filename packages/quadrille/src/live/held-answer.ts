/** Rows in memory as a multiset: their order does not count, and the number of equal ones does. */
import { EvaluationError, termToNTriples } from '@quadrille/model';
import type { Row, Rows } from '../api/index.js';

/** Bytes of the rows that are held where the caller sets no memory of a query. */
const MOST_BYTES = 256 * 1024 ** 2;
/** About what a held row takes beside the characters of its terms. */
const ROW_BYTES = 200;

export class HeldAnswer {
  readonly #rows = new Map<string, { readonly row: Row; count: number }>();
  #left: number;

  constructor(
    readonly variables: readonly string[],
    memoryBytes = MOST_BYTES,
  ) {
    this.#left = memoryBytes;
  }

  /** @throws EvaluationError `QUERY_MEMORY` */
  static async read(rows: Rows, memoryBytes?: number): Promise<HeldAnswer> {
    const answer = new HeldAnswer(await rows.variables, memoryBytes);
    for await (const row of rows) answer.add(row);
    return answer;
  }

  /**
   * Counts a row once more, or by `-1` once less, also below zero.
   * @throws EvaluationError `QUERY_MEMORY`
   */
  add(row: Row, by: 1 | -1 = 1): void {
    const key = rowKey(row, this.variables);
    const held = this.#rows.get(key);
    if (held !== undefined) {
      held.count += by;
      return;
    }
    // The key, and the terms of the row.
    this.#left -= ROW_BYTES + 4 * key.length;
    if (this.#left < 0)
      throw new EvaluationError('QUERY_MEMORY', 'the answer to compare takes more memory than a query may keep');
    this.#rows.set(key, { row: this.#columnsOf(row), count: by });
  }

  /** A row may come with values that are no columns. */
  #columnsOf(row: Row): Row {
    const { variables } = this;
    if (Object.keys(row).every((name) => variables.includes(name))) return row;
    return Object.fromEntries(variables.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));
  }

  has(row: Row): boolean {
    return this.#rows.has(rowKey(row, this.variables));
  }

  /** The rows that this answer has beyond those of another one. */
  without(other?: HeldAnswer): Row[] {
    const rows: Row[] = [];
    for (const [key, { row, count }] of this.#rows) {
      const held = other === undefined ? undefined : other.#rows.get(key);
      repeat(rows, row, count - (held?.count ?? 0));
    }
    return rows;
  }

  /** The rows that are counted below zero, as often as they are. */
  missing(): Row[] {
    const rows: Row[] = [];
    for (const { row, count } of this.#rows.values()) repeat(rows, row, -count);
    return rows;
  }

  /** Each row once. */
  distinct(): Row[] {
    return Array.from(this.#rows.values(), ({ row }) => row);
  }

  /** Each row with its number. */
  counts(): Iterable<{ readonly row: Row; readonly count: number }> {
    return this.#rows.values();
  }
}

function repeat(rows: Row[], row: Row, times: number): void {
  for (let i = 0; i < times; i++) rows.push(row);
}

/** A text that rows have in common only if they have the same terms in these columns. No term has a line break in N-Triples. */
export const rowKey = (row: Row, columns: readonly string[]): string =>
  columns.map((name) => (row[name] === undefined ? '' : termToNTriples(row[name]))).join('\n');
