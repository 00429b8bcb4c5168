/** Reads values from packs. Everything that is asked for in one turn of the event loop is one call of the driver. */

import { StorageError } from '@quadrille/model';
import type { Bytes } from '@quadrille/storage';
import type { PackSlice, SharedDriver } from '../contract.js';
import { SMALL_BYTES, type HeldPlace } from './slot.js';
import type { StoreFigures } from '../figures/metered-driver.js';

/** Keeps slices near. Packs never change, so what it has is never wrong. */
export interface SliceCache {
  /** A slice; `undefined` if it is not here. It never rejects. */
  get(slice: PackSlice): Promise<Bytes | undefined>;
  /** Keeps a slice, if there is room. */
  set(slice: PackSlice, bytes: Bytes): void;
  /** Forgets and deletes all slices from before an erasure. @param erasure the id of the latest one; empty: there was none */
  since(erasure: string): Promise<void>;
  /** Bytes that it has. */
  readonly bytes: number;
  /** Called when the storage is closed. */
  close(): Promise<void>;
}

interface Asked {
  readonly slice: PackSlice;
  readonly resolve: (bytes: Bytes) => void;
  readonly reject: (error: unknown) => void;
}

/** Small values are read with their neighbours, in windows of this length, in bytes. */
const WINDOW_BYTES = 32 * 1024;
/** Windows in memory. */
const MOST_WINDOWS = 32;
/** Most bytes of one call. */
const CALL_BYTES = 4 * 1024 * 1024;

export class SliceReader {
  #asked: Asked[] = [];
  /** Those used last are at the end. */
  readonly #windows = new Map<string, Promise<Bytes>>();
  #erasure: string | undefined;

  constructor(
    readonly driver: SharedDriver,
    readonly log: number,
    readonly cache?: SliceCache | undefined,
    private readonly figures?: StoreFigures,
  ) {}

  /** The value at a place. @throws as {@link read} */
  async readPlace({ pack: { id, length: all }, from, length }: HeldPlace): Promise<Bytes> {
    if (length > SMALL_BYTES || length === all) return this.read({ pack: id, from, length });
    const start = from - (from % WINDOW_BYTES);
    const name = `${id} ${start}`;
    const slice = { pack: id, from: start, length: Math.min(all - start, WINDOW_BYTES + SMALL_BYTES) };
    const window = this.#windows.get(name) ?? this.read(slice);
    this.#windows.delete(name);
    this.#windows.set(name, window);
    if (this.#windows.size > MOST_WINDOWS) this.#windows.delete(this.#windows.keys().next().value!);
    try {
      return (await window).slice(from - start, from - start + length);
    } catch (error) {
      if (this.#windows.get(name) === window) this.#windows.delete(name);
      throw error;
    }
  }

  /** @throws StorageError `SNAPSHOT_EXPIRED` if the pack was deleted, because newer states need it no longer */
  read(slice: PackSlice): Promise<Bytes> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ slice, resolve, reject });
      if (this.#asked.length === 1) queueMicrotask(() => void this.#send());
    });
  }

  /** Keeps nothing that was read before an erasure. @param erasure the id of the latest one; `undefined`: there was none */
  async since(erasure: string | undefined): Promise<void> {
    if (erasure === this.#erasure) return;
    this.#erasure = erasure;
    this.#windows.clear();
    await this.cache?.since(erasure ?? '');
  }

  async #send(): Promise<void> {
    let asked = this.#asked;
    this.#asked = [];
    if (this.cache !== undefined) asked = await this.#missing(this.cache, asked);
    if (asked.length === 0) return;
    let call: Asked[] = [];
    let bytes = 0;
    for (const one of asked) {
      if (bytes > 0 && bytes + one.slice.length > CALL_BYTES) {
        void this.#call(call);
        call = [];
        bytes = 0;
      }
      call.push(one);
      bytes += one.slice.length;
    }
    void this.#call(call);
  }

  /** Answers what the cache has, and returns the rest. */
  async #missing(cache: SliceCache, asked: readonly Asked[]): Promise<Asked[]> {
    const cached = await Promise.all(asked.map(({ slice }) => cache.get(slice)));
    const missing = asked.filter(({ resolve }, i) => {
      const bytes = cached[i];
      if (bytes !== undefined) resolve(bytes);
      return bytes === undefined;
    });
    if (this.figures !== undefined) {
      this.figures.cache.misses += missing.length;
      this.figures.cache.hits += asked.length - missing.length;
    }
    return missing;
  }

  async #call(asked: readonly Asked[]): Promise<void> {
    const erasure = this.#erasure;
    try {
      const answers = await this.driver.getPacks(
        this.log,
        asked.map(({ slice }) => slice),
      );
      for (const [i, { slice, resolve, reject }] of asked.entries()) {
        const answer = answers[i];
        if (answer === undefined) reject(expired(slice));
        else {
          if (erasure === this.#erasure) this.cache?.set(slice, answer);
          resolve(answer);
        }
      }
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}

function expired({ pack }: PackSlice): StorageError {
  return new StorageError(
    'SNAPSHOT_EXPIRED',
    `Pack ${pack} was deleted, because newer states need it no longer. Read the present state.`,
  );
}
