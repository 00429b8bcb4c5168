/** Packs as objects: `pack/<uuid>`. Neighbouring slices are read by one request. */

import type { Bytes } from '@quadrille/storage';
import type { Pack, PackInfo, PackSlice } from '@quadrille/storage-shared';
import { inTurns, type Bucket } from './bucket.js';

/** Bytes between two slices that are rather read than asked for apart. */
const GAP_BYTES = 64 * 1024;
/** Most bytes of one request for several slices. */
const REQUEST_BYTES = 4 * 1024 * 1024;

/** Slices of one pack that are read at once, by their places in the question. */
interface Stretch {
  readonly pack: string;
  readonly from: number;
  end: number;
  readonly slices: { readonly place: number; readonly from: number; readonly length: number }[];
}

const packFolder = (log: number): string => `${log}/pack/`;

export class Packs {
  readonly #bucket: Bucket;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async put(log: number, packs: readonly Pack[]): Promise<void> {
    await inTurns(packs, ({ id, bytes }) => this.#bucket.put(packFolder(log) + id, bytes));
  }

  async get(log: number, slices: readonly PackSlice[]): Promise<readonly (Bytes | undefined)[]> {
    const answers: (Bytes | undefined)[] = Array.from({ length: slices.length });
    await inTurns(stretchesOf(slices), async ({ pack, from, end, slices: parts }) => {
      const bytes = await this.#bucket.getPart(packFolder(log) + pack, from, end - from);
      if (bytes === undefined) return;
      for (const part of parts) answers[part.place] = bytes.subarray(part.from - from, part.from - from + part.length);
    });
    return answers;
  }

  async list(log: number): Promise<readonly PackInfo[]> {
    const folder = packFolder(log);
    const packs: PackInfo[] = [];
    for await (const { objects } of this.#bucket.list(folder)) {
      for (const { key, bytes, ageSeconds } of objects) packs.push({ id: key.slice(folder.length), bytes, ageSeconds });
    }
    return packs;
  }

  async delete(log: number, ids: readonly string[]): Promise<void> {
    await this.#bucket.delete(ids.map((id) => packFolder(log) + id));
  }
}

function stretchesOf(slices: readonly PackSlice[]): readonly Stretch[] {
  const sorted = slices.map((slice, place) => ({ ...slice, place }));
  sorted.sort((a, b) => (a.pack < b.pack ? -1 : a.pack > b.pack ? 1 : a.from - b.from));
  const stretches: Stretch[] = [];
  let last: Stretch | undefined;
  for (const { pack, place, from, length } of sorted) {
    const end = from + length;
    if (last?.pack !== pack || from > last.end + GAP_BYTES || Math.max(end, last.end) - last.from > REQUEST_BYTES) {
      stretches.push((last = { pack, from, end, slices: [] }));
    }
    last.end = Math.max(last.end, end);
    last.slices.push({ place, from, length });
  }
  return stretches;
}
