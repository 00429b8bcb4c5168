/**
 * A run of the index of order: the ids of literals by family and key. A page has entries, one behind the other. An entry is a byte, some
 * bytes of the key, and the distance of the id from the first one of the run. The first byte has two numbers: how many bytes the key
 * shares with the one before, and how many follow. What is missing then is 0.
 */
import { Family, familyOf, type FamilyNumber, highOf, keyOf, lowOf, orderKey } from '@quadrille/model/order-key';
import { ByteReader, ByteWriter } from '../format/byte-codec.js';
import { PART_BYTES } from '../format/layout.js';
import { MISS, type BlockCache, type ValueSource } from '../keyspace/block-cache.js';
import type { Breaks } from '../runtime/env.js';
import { sortedRows } from '../runtime/radix-sort.js';
import type { PutPart, RunBuilder, RunEntry, RunValues } from './value-index.js';

/** `fences`: the first key of each page, and how many entries are before it. `keyed`: a bit for each id, whether it has a key. */
export const ORDER_PARTS = ['pages', 'fences', 'keyed'] as const;
export type OrderPart = (typeof ORDER_PARTS)[number];

/** Bytes at which a page ends. */
const PAGE_BYTES = 8 * 1024;
/** A family, and a double as 8 bytes that are in its order. */
const KEY_BYTES = 9;
const LEAST_ENTRY_BYTES = 2;

/** Entries in order. Those before `length` count. */
export interface OrderEntries {
  readonly families: Uint8Array;
  readonly keys: Float64Array;
  readonly ids: Uint32Array;
  readonly length: number;
}

class PageWriter {
  readonly #page = new ByteWriter(PAGE_BYTES * 2);
  readonly #fences = new ByteWriter(1024);
  readonly #last = new Uint8Array(KEY_BYTES);
  readonly #key = new Uint8Array(KEY_BYTES);
  readonly #view = new DataView(this.#key.buffer);
  readonly #keyed: Uint8Array;
  #pages = 0;
  #count = 0;

  constructor(
    private readonly put: PutPart<OrderPart>,
    private readonly from: number,
    to: number,
  ) {
    this.#keyed = new Uint8Array(Math.ceil((to - from) / 8));
  }

  add(family: number, high: number, low: number, id: number): void {
    const page = this.#page;
    const [key, last] = [this.#key, this.#last];
    this.#view.setUint8(0, family);
    this.#view.setUint32(1, high);
    this.#view.setUint32(5, low);
    if (page.length === 0) {
      this.#fences.bytes(key).varint(this.#count);
      last.fill(0xff);
    }
    let shared = 0;
    while (shared < KEY_BYTES && key[shared] === last[shared]) shared++;
    let end = KEY_BYTES;
    while (end > shared && key[end - 1] === 0) end--;
    page
      .u8((shared << 4) | (end - shared))
      .bytes(key.subarray(shared, end))
      .varint(id - this.from);
    last.set(key);
    const at = id - this.from;
    if (family !== Family.others) this.#keyed[at >>> 3]! |= 1 << (at & 7);
    this.#count++;
    if (page.length > PAGE_BYTES) this.#endPage();
  }

  #endPage(): void {
    this.put('pages', this.#pages++, this.#page.finish());
    this.#page.clear();
  }

  finish(): Pick<RunEntry, 'pages'> {
    if (this.#page.length > 0) this.#endPage();
    // How many entries there are.
    this.#putAll('fences', this.#fences.varint(this.#count).finish());
    this.#putAll('keyed', this.#keyed);
    return { pages: this.#pages };
  }

  #putAll(part: OrderPart, bytes: Uint8Array): void {
    for (let at = 0; at === 0 || at < bytes.length; at += PART_BYTES)
      this.put(part, at / PART_BYTES, bytes.subarray(at, at + PART_BYTES));
  }
}

const FIRST_ENTRIES = 256;

/** Collects the keys of literals, and writes them as a run. */
export class OrderRunBuilder implements RunBuilder<OrderPart> {
  #families = new Uint32Array(FIRST_ENTRIES);
  #highs = new Uint32Array(FIRST_ENTRIES);
  #lows = new Uint32Array(FIRST_ENTRIES);
  #ids = new Uint32Array(FIRST_ENTRIES);
  #length = 0;

  constructor(private readonly from: number) {}

  get bytes(): number {
    return this.#ids.length * 16;
  }

  add(id: number, term: Uint8Array): void {
    const family = familyOf(term);
    if (family === -1) return;
    const at = this.#length++;
    if (at === this.#ids.length) this.#grow();
    this.#families[at] = family;
    this.#highs[at] = highOf(orderKey);
    this.#lows[at] = lowOf(orderKey);
    this.#ids[at] = id;
  }

  #grow(): void {
    const grown = (words: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
      const more = new Uint32Array(words.length * 2);
      more.set(words);
      return more;
    };
    this.#families = grown(this.#families);
    this.#highs = grown(this.#highs);
    this.#lows = grown(this.#lows);
    this.#ids = grown(this.#ids);
  }

  async finish(
    to: number,
    put: PutPart<OrderPart>,
    pacer: Breaks,
    onStep?: () => Promise<void>,
  ): Promise<Omit<RunEntry, 'id'>> {
    const [families, highs, lows] = [this.#families, this.#highs, this.#lows];
    const rows = await sortedRows(this.#length, [families, highs, lows], pacer);
    const writer = new PageWriter(put, this.from, to);
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      writer.add(families[row]!, highs[row]!, lows[row]!, this.#ids[row]!);
      if (at % FIRST_ENTRIES !== 0 || !pacer.due()) continue;
      await onStep?.();
      await pacer.pause();
    }
    return { from: this.from, to, ...writer.finish() };
  }
}

interface Fences {
  readonly families: Uint8Array;
  readonly keys: Float64Array;
  /** Entries before each page, and behind them all. */
  readonly before: Uint32Array;
}

export class OrderRun {
  /** Who reads it. */
  readers = 0;
  readonly #cache: BlockCache;
  readonly #pages: ValueSource;
  #fences: Promise<Fences> | undefined;
  #keyed: Promise<Uint8Array> | undefined;

  constructor(
    readonly entry: RunEntry,
    private readonly values: RunValues<OrderPart>,
  ) {
    this.#cache = values.cache;
    this.#pages = values.source('pages');
  }

  /** The entries of a page. */
  async page(index: number): Promise<OrderEntries> {
    const bytes = await this.#bytesOf(index);
    const most = Math.ceil(bytes.length / LEAST_ENTRY_BYTES);
    const families = new Uint8Array(most);
    const keys = new Float64Array(most);
    const ids = new Uint32Array(most);
    const reader = new ByteReader(bytes);
    const key = new Uint8Array(KEY_BYTES);
    const view = new DataView(key.buffer);
    let length = 0;
    while (reader.remaining > 0) {
      const lengths = reader.u8();
      const shared = lengths >>> 4;
      const own = lengths & 15;
      for (let i = 0; i < own; i++) key[shared + i] = reader.u8();
      for (let i = shared + own; i < KEY_BYTES; i++) key[i] = 0;
      families[length] = key[0]!;
      keys[length] = keyOf(view.getUint32(1), view.getUint32(5));
      ids[length] = this.entry.from + reader.varint();
      length++;
    }
    return { families, keys, ids, length };
  }

  async #bytesOf(index: number): Promise<Uint8Array> {
    const cache = this.#cache;
    for (;;) {
      const offset = cache.find(this.#pages, index);
      if (offset !== MISS) return cache.bytes.slice(offset, offset + cache.lengthAt(offset));
      await cache.fetch(this.#pages, [index]);
    }
  }

  /** The last page that begins before a key, or at 0; entries with the key may begin there. */
  async pageBefore(family: FamilyNumber, key: number): Promise<number> {
    const { families, keys } = await this.#readFences();
    let low = 0;
    let high = this.entry.pages;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const isBefore = families[middle] === family ? keys[middle]! < key : families[middle]! < family;
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** The last page that begins with a key or before it. */
  async pageWith(family: FamilyNumber, key: number): Promise<number> {
    const { families, keys } = await this.#readFences();
    let page = await this.pageBefore(family, key);
    while (page + 1 < this.entry.pages && families[page + 1] === family && keys[page + 1]! <= key) page++;
    return page;
  }

  /** A bit for each id from the first one on: whether it has a key. */
  keyed(): Promise<Uint8Array> {
    return (this.#keyed ??= this.values.read('keyed').catch((error: unknown) => {
      this.#keyed = undefined;
      throw error;
    }));
  }

  /** Entries before a page. */
  async before(page: number): Promise<number> {
    return (await this.#readFences()).before[page]!;
  }

  #readFences(): Promise<Fences> {
    return (this.#fences ??= this.values.read('fences').then(
      (bytes) => decodeFences(bytes, this.entry.pages),
      (error: unknown) => {
        this.#fences = undefined;
        throw error;
      },
    ));
  }
}

function decodeFences(bytes: Uint8Array, pages: number): Fences {
  const reader = new ByteReader(bytes);
  const families = new Uint8Array(pages);
  const keys = new Float64Array(pages);
  const before = new Uint32Array(pages + 1);
  for (let page = 0; page < pages; page++) {
    const key = reader.bytes(KEY_BYTES);
    const view = new DataView(key.buffer, key.byteOffset);
    families[page] = key[0]!;
    keys[page] = keyOf(view.getUint32(1), view.getUint32(5));
    before[page] = reader.varint();
  }
  before[pages] = reader.varint();
  return { families, keys, before };
}

/** Whether a literal has a key, by its place in a run. */
export const isKeyed = (bits: Uint8Array, at: number): boolean => ((bits[at >>> 3]! >>> (at & 7)) & 1) === 1;

/** Goes through the entries of a run. */
class OrderCursor {
  #page = 0;
  #entries: OrderEntries | undefined;
  #at = 0;

  constructor(private readonly run: OrderRun) {}

  get family(): number {
    return this.#entries!.families[this.#at]!;
  }

  get key(): number {
    return this.#entries!.keys[this.#at]!;
  }

  get id(): number {
    return this.#entries!.ids[this.#at]!;
  }

  /** Goes to the next entry. Returns false at the end. */
  next(): boolean | Promise<boolean> {
    this.#at++;
    return (this.#entries !== undefined && this.#at < this.#entries.length) || this.#nextPage();
  }

  async #nextPage(): Promise<boolean> {
    if (this.#page === this.run.entry.pages) return false;
    this.#entries = await this.run.page(this.#page++);
    this.#at = 0;
    return true;
  }
}

const isBefore = (one: OrderCursor, other: OrderCursor): boolean =>
  one.family === other.family ? one.key < other.key : one.family < other.family;

/** Writes one run with all that the runs have. Entries with the same key stand in the order of their ids. */
export async function mergeOrderRuns(
  runs: readonly OrderRun[],
  put: PutPart<OrderPart>,
  pacer: Breaks,
  onStep: () => Promise<void>,
): Promise<Omit<RunEntry, 'id'>> {
  const { from } = runs[0]!.entry;
  const { to } = runs.at(-1)!.entry;
  const writer = new PageWriter(put, from, to);
  let open: OrderCursor[] = [];
  for (const run of runs) {
    const cursor = new OrderCursor(run);
    if (await cursor.next()) open.push(cursor);
  }
  for (let count = 1; open.length > 0; count++) {
    let first = open[0]!;
    for (const cursor of open) if (isBefore(cursor, first)) first = cursor;
    writer.add(first.family, highOf(first.key), lowOf(first.key), first.id);
    let isMore = first.next();
    if (isMore instanceof Promise) isMore = await isMore;
    if (!isMore) open = open.filter((other) => other !== first);
    if (count % FIRST_ENTRIES !== 0 || !pacer.due()) continue;
    await onStep();
    await pacer.pause();
  }
  return { from, to, ...writer.finish() };
}
