/** The answer of a query that counts the solutions of groups. It follows from the solutions that come and go. */
import { iri, literal, XSD } from '@quadrille/model';
import type { DeltaQuery } from '@quadrille/sparql/delta';
import type { Row } from '../api/index.js';
import { type HeldAnswer, rowKey } from './held-answer.js';

const INTEGER = iri(`${XSD}integer`);

interface Group {
  readonly row: Row;
  readonly count: number;
}

export class HeldCounts {
  readonly #groups = new Map<string, Group>();

  constructor(
    private readonly names: NonNullable<DeltaQuery['counted']>,
    answer: HeldAnswer,
  ) {
    const [first] = names.counts;
    for (const row of answer.distinct())
      this.#groups.set(rowKey(row, names.keys), { row, count: Number(row[first!]?.value) });
  }

  /** Takes a change, and returns what it changes in the answer. Rows have the keys of their groups. */
  apply(changes: HeldAnswer): { added: Row[]; removed: Row[] } {
    const { keys, counts } = this.names;
    const [added, removed]: [Row[], Row[]] = [[], []];
    for (const { row: change, count: by } of changes.counts()) {
      if (by === 0) continue;
      const key = rowKey(change, keys);
      const before = this.#groups.get(key);
      const count = (before?.count ?? 0) + by;
      if (before !== undefined) removed.push(before.row);
      // Without keys there is one group, also of no solutions.
      if (count === 0 && keys.length > 0) {
        this.#groups.delete(key);
        continue;
      }
      const number = literal(String(count), INTEGER);
      const row = { ...(before?.row ?? change), ...Object.fromEntries(counts.map((name) => [name, number])) };
      this.#groups.set(key, { row, count });
      added.push(row);
    }
    return { added, removed };
  }
}
