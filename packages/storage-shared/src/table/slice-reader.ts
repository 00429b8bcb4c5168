/** Reads values from packs. Everything that is asked for in one turn of the event loop is one call of the driver. */

import { StorageError } from '@quadrille/model';
import type { Bytes } from '@quadrille/storage';
import type { PackSlice, SharedDriver } from '../contract.js';
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

/** Most bytes of one call. */
const CALL_BYTES = 4 * 1024 * 1024;

export class SliceReader {
  #asked: Asked[] = [];
  #erasure: string | undefined;

  constructor(
    readonly driver: SharedDriver,
    readonly log: number,
    readonly cache?: SliceCache | undefined,
    private readonly figures?: StoreFigures,
  ) {}

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
