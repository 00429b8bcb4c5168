import { describe, expect, it } from 'vitest';
import { compareBytes, isInRange, toHex } from './bytes.js';
import type { Bytes, KeyRange } from './contract.js';
import { scanSnapshot, SortedTable } from './sorted-table.js';
import { seededRandom } from './testing/random.js';

const scan = (table: SortedTable, range: KeyRange = {}) =>
  [...scanSnapshot(table.snapshot(), range)].map(([key, value]) => `${toHex(key)}=${toHex(value)}`);

class Model {
  readonly #entries = new Map<string, [Bytes, Bytes]>();

  set(key: Bytes, value: Bytes): void {
    this.#entries.set(toHex(key), [key, value]);
  }

  delete(key: Bytes): void {
    this.#entries.delete(toHex(key));
  }

  deleteRange(gte: Bytes, lt: Bytes): void {
    for (const [key] of this.#entries.values()) if (isInRange(key, { gte, lt })) this.delete(key);
  }

  scan(range: KeyRange = {}): string[] {
    const rows = [...this.#entries.values()]
      .filter(([key]) => isInRange(key, range))
      .sort(([a], [b]) => compareBytes(a, b));
    if (range.reverse === true) rows.reverse();
    return rows.slice(0, range.limit).map(([key, value]) => `${toHex(key)}=${toHex(value)}`);
  }
}

describe('sorted table', () => {
  it.each([1, 2, 3, 4])('does as a naive model does, seed %i', (seed) => {
    const random = seededRandom(seed);
    const below = (limit: number) => Math.floor(random() * limit);
    const anyKey = () => Uint8Array.from({ length: 1 + below(2) }, () => below(64));
    const table = new SortedTable();
    const model = new Model();
    for (let step = 0; step < 6000; step++) {
      const key = anyKey();
      const kind = random();
      if (kind < 0.7) {
        const value = Uint8Array.of(below(256));
        table.set(key, value);
        model.set(key, value);
      } else if (kind < 0.995) {
        table.delete(key);
        model.delete(key);
      } else {
        const [gte, lt] = [key, anyKey()].sort(compareBytes) as [Bytes, Bytes];
        table.deleteRange(gte, lt);
        model.deleteRange(gte, lt);
      }
      if (step % 200 === 0) {
        const [gte, lt] = [anyKey(), anyKey()].sort(compareBytes) as [Bytes, Bytes];
        for (const range of [
          {},
          { gte, lt },
          { gte, lt, reverse: true },
          { lt, limit: 5 },
          { gte, limit: 5, reverse: true },
        ]) {
          expect(scan(table, range)).toEqual(model.scan(range));
        }
      }
    }
  });

  it('keeps its snapshots as they were', () => {
    const random = seededRandom(7);
    const table = new SortedTable();
    const snapshots: [ReturnType<SortedTable['snapshot']>, string[]][] = [];
    for (let i = 0; i < 4000; i++) {
      table.set(Uint8Array.of(random() * 256, random() * 256), Uint8Array.of(i));
      if (i % 7 === 0) table.delete(Uint8Array.of(random() * 256, random() * 256));
      if (i % 500 === 0) table.deleteRange(Uint8Array.of(10), Uint8Array.of(20 + random() * 10));
      if (i % 400 === 0) snapshots.push([table.snapshot(), scan(table)]);
    }
    for (const [snapshot, expected] of snapshots) {
      expect([...scanSnapshot(snapshot, {})].map(([key, value]) => `${toHex(key)}=${toHex(value)}`)).toEqual(expected);
    }
  });
});
