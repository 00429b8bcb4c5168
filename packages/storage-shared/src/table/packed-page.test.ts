import {
  compareBytes,
  getFromSnapshot,
  scanSnapshot,
  SortedTable,
  toHex,
  type TableSnapshot,
} from '@quadrille/storage';
import { seededRandom } from '@quadrille/storage/testing';
import { describe, expect, it } from 'vitest';
import { PackedPage } from './packed-page.js';
import { isValue, type Slot } from './slot.js';

const text = (slot: Slot): string => (isValue(slot) ? toHex(slot) : `${slot.pack.id}+${slot.from}:${slot.length}`);
const shown = (state: TableSnapshot<Slot>, range = {}): string[] =>
  [...scanSnapshot(state, range)].map(([key, slot]) => `${toHex(key)}=${text(slot)}`);

describe('pages of a shared table', () => {
  it.each([1, 2, 3, 4])('have what a map has, and snapshots stay as they were, seed %i', (seed) => {
    const random = seededRandom(seed);
    const below = (limit: number): number => Math.floor(random() * limit);
    const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => below(256));
    const packs = Array.from({ length: 40 }, (_, i) => ({ id: `pack${i}`, length: 8 << 20, used: 0 }));
    const lengths = [0, 1, 38, 170, 256, 4096];
    const anyKey = (): Uint8Array =>
      random() < 0.02
        ? new Uint8Array(256).fill(below(4))
        : Uint8Array.of(below(3), below(16), below(32)).subarray(0, 1 + below(3));
    const anySlot = (): Slot => {
      if (random() < 0.5) return bytes(lengths[below(random() < 0.02 ? 6 : 5)]!);
      return { pack: packs[below(40)]!, from: below(8 << 20), length: below(70_000) };
    };
    const table = new SortedTable<Slot>((epoch) => new PackedPage(epoch));
    const model = new Map<string, { readonly key: Uint8Array; readonly slot: string }>();
    const expected = (): string[] =>
      [...model.values()].sort((a, b) => compareBytes(a.key, b.key)).map(({ key, slot }) => `${toHex(key)}=${slot}`);
    const kept: { readonly state: TableSnapshot<Slot>; readonly rows: string[] }[] = [];
    for (let step = 0; step < 4000; step++) {
      const key = anyKey();
      const kind = random();
      if (kind < 0.7) {
        const slot = anySlot();
        table.set(key, slot);
        model.set(toHex(key), { key, slot: text(slot) });
      } else if (kind < 0.998) {
        table.delete(key);
        model.delete(toHex(key));
      } else {
        const [gte, lt] = [key, anyKey()].sort(compareBytes) as [Uint8Array, Uint8Array];
        table.deleteRange(gte, lt);
        for (const [hex, { key: held }] of model) {
          if (compareBytes(held, gte) >= 0 && compareBytes(held, lt) < 0) model.delete(hex);
        }
      }
      const slot = table.get(key);
      expect(slot === undefined ? undefined : text(slot)).toBe(model.get(toHex(key))?.slot);
      if (step % 200 === 0) kept.push({ state: table.snapshot(), rows: expected() });
    }
    expect(shown(table.snapshot())).toEqual(expected());
    expect(shown(table.snapshot(), { reverse: true, limit: 50 })).toEqual(expected().reverse().slice(0, 50));
    for (const { state, rows } of kept) expect(shown(state)).toEqual(rows);
  });

  it('a value that was read does not change when the page does', () => {
    const table = new SortedTable<Slot>((epoch) => new PackedPage(epoch));
    const key = (n: number): Uint8Array => Uint8Array.of(n);
    for (let n = 0; n < 3; n++) table.set(key(n), Uint8Array.of(n, n));
    const read = table.get(key(1)) as Uint8Array;
    const [[first]] = [...scanSnapshot(table.snapshot(), {})] as [[Uint8Array, Slot]];
    const state = table.snapshot();
    for (let n = 0; n < 3; n++) table.set(key(n), Uint8Array.of(9, 9));
    table.delete(key(0));
    expect([...read]).toEqual([1, 1]);
    expect([...first]).toEqual([0]);
    expect(getFromSnapshot(state, key(1))).toEqual(Uint8Array.of(1, 1));
  });

  it.each([256, 4096])('values of a full page may grow to %i bytes, each in its turn', (length) => {
    const table = new SortedTable<Slot>((epoch) => new PackedPage(epoch));
    const key = (n: number): Uint8Array => Uint8Array.of(n >>> 8, n);
    const value = (n: number, bytes: number): Uint8Array => new Uint8Array(bytes).fill(n);
    for (let n = 0; n < 2000; n++) table.set(key(n), value(n, 0));
    for (let n = 0; n < 2000; n++) table.set(key(n), value(n, length));
    const expected = Array.from({ length: 2000 }, (_, n) => `${toHex(key(n))}=${toHex(value(n, length))}`);
    expect(shown(table.snapshot())).toEqual(expected);
  });

  it.each([
    ['pages', () => new SortedTable<Slot>((epoch) => new PackedPage(epoch))],
    ['objects', () => new SortedTable<Slot>()],
  ])('%s that lose nearly all keys are joined', (_, make) => {
    const table = make();
    const key = (n: number): Uint8Array => Uint8Array.of(n >>> 8, n);
    for (let n = 0; n < 20_000; n++) table.set(key(n), new Uint8Array(20));
    const before = table.snapshot().length;
    for (let n = 0; n < 20_000; n++) if (n % 50 !== 0) table.delete(key(n));
    expect(table.snapshot().length).toBeLessThan(before / 10);
    const left = Array.from({ length: 400 }, (_key, i) => `${toHex(key(i * 50))}=${'00'.repeat(20)}`);
    expect(shown(table.snapshot())).toEqual(left);
  });

  it('a key may move from pack to pack again and again', () => {
    const table = new SortedTable<Slot>((epoch) => new PackedPage(epoch));
    for (let n = 0; n < 70_000; n++) {
      const pack = { id: `pack${n}`, length: 300, used: 300 };
      table.set(Uint8Array.of(1), { pack, from: 0, length: 300 });
    }
    const place = table.get(Uint8Array.of(1)) as { readonly pack: { readonly id: string } };
    expect(place.pack.id).toBe('pack69999');
  });
});
