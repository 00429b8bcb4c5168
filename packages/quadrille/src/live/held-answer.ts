/** The answer of a SELECT in memory, as a multiset of rows: the order of rows does not count, and the number of equal ones does. */
import { EvaluationError, termToNTriples } from '@quadrille/model';
import type { Row, Rows } from '../api/index.js';

/** Bytes of the rows that are held where the caller sets no memory of a query. */
const MOST_BYTES = 256 * 1024 ** 2;
/** About what a held row takes beside the characters of its terms. */
const ROW_BYTES = 200;

export class HeldAnswer {
  readonly #rows = new Map<string, { readonly row: Row; count: number }>();
  #left: number;

  private constructor(memoryBytes: number) {
    this.#left = memoryBytes;
  }

  /** @throws EvaluationError `QUERY_MEMORY` */
  static async read(rows: Rows, memoryBytes = MOST_BYTES): Promise<HeldAnswer> {
    const answer = new HeldAnswer(memoryBytes);
    const variables = await rows.variables;
    for await (const row of rows) answer.#add(row, keyOf(row, variables));
    return answer;
  }

  #add(row: Row, key: string): void {
    const held = this.#rows.get(key);
    if (held !== undefined) {
      held.count++;
      return;
    }
    // The key, and the terms of the row.
    this.#left -= ROW_BYTES + 4 * key.length;
    if (this.#left < 0)
      throw new EvaluationError('QUERY_MEMORY', 'the answer to compare takes more memory than a query may keep');
    this.#rows.set(key, { row, count: 1 });
  }

  #count(key: string): number {
    return this.#rows.get(key)?.count ?? 0;
  }

  /** The rows that this answer has beyond those of another one. */
  without(other: HeldAnswer | undefined): Row[] {
    const rows: Row[] = [];
    for (const [key, { row, count }] of this.#rows) {
      const more = count - (other === undefined ? 0 : other.#count(key));
      for (let i = 0; i < more; i++) rows.push(row);
    }
    return rows;
  }
}

/** No term has a line break in N-Triples. */
const keyOf = (row: Row, variables: readonly string[]): string =>
  variables.map((name) => (row[name] === undefined ? '' : termToNTriples(row[name]))).join('\n');
