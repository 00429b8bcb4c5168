/** One server process of a shared store: its presence among the others, and the storages of the two roles. */

import type { SharedDriver } from './contract.js';
import { MeteredDriver, StoreFigures } from './figures/metered-driver.js';
import { Presence, type KnownServer, type PresenceOptions } from './table/presence.js';
import { SharedStorage, type SharedStorageOptions } from './table/shared-storage.js';
import type { SliceCache } from './table/slice-reader.js';

/** Options of {@link SharedServer}. */
export interface SharedServerOptions extends PresenceOptions {
  /** Keeps what was read near, for all of its storages. The server closes it. Default: none. */
  readonly cache?: SliceCache | undefined;
}

/** A server of several over a shared store. */
export class SharedServer {
  /** UUID of the process. */
  readonly id = crypto.randomUUID();
  readonly #presence: Presence;
  readonly #driver: SharedDriver;
  readonly #connect: () => SharedDriver;
  readonly #figures = new StoreFigures();
  /** The cache, which no storage closes: one of the former role may still be read. */
  readonly #cache: SliceCache | undefined;
  #closesCache: SliceCache | undefined;
  #isOpen = false;

  /** @param connect makes a driver of the store; each storage has its own */
  constructor(connect: () => SharedDriver, options: SharedServerOptions = {}) {
    this.#connect = connect;
    this.#driver = new MeteredDriver(connect(), this.#figures);
    const { cache } = options;
    this.#closesCache = cache;
    this.#cache = cache && {
      get: (slice) => cache.get(slice),
      set: (slice, bytes) => cache.set(slice, bytes),
      since: (erasure) => cache.since(erasure),
      get bytes() {
        return cache.bytes;
      },
      close: async () => undefined,
    };
    this.#presence = new Presence(this.#driver, this.id, options);
  }

  /**
   * Connects, and begins to give signs of life.
   * @throws StateError `SERVER_DUPLICATE` if another living server has the same URL
   */
  async open(): Promise<void> {
    await this.#driver.open();
    try {
      await this.#presence.assertOnlyOne();
      await this.#presence.begin();
      this.#isOpen = true;
    } catch (error) {
      await this.#presence.end();
      await this.#driver.close();
      await this.#closeCache();
      throw error;
    }
  }

  /** A storage that follows the holder. Each call makes another one, which is not open yet. */
  follower(): SharedStorage {
    return this.#storage({ follow: true });
  }

  /**
   * A storage that writes.
   * @param takesOver at once, although another process may live. Otherwise opening fails with `STORE_LOCKED` then
   */
  holder(takesOver: boolean): SharedStorage {
    return this.#storage({ takesOver, yields: true });
  }

  #storage(role: SharedStorageOptions): SharedStorage {
    return new SharedStorage(this.#connect(), {
      ...role,
      cache: this.#cache,
      server: this.id,
      presence: this.#presence,
      figures: this.#figures,
    });
  }

  /** Time between two signs of life, in milliseconds. */
  get beatMs(): number {
    return this.#presence.beatMs;
  }

  /** How long another server must be silent before this one takes over from it, in milliseconds. */
  get silenceMs(): number {
    return this.#presence.silenceMs;
  }

  /** This server and the others, as of the last sign of life. */
  get servers(): readonly KnownServer[] {
    return this.#presence.servers;
  }

  /** Whether the store may have more than this process knows, as of the last sign of life. */
  get hasNews(): boolean {
    return this.#presence.news;
  }

  /** Gives a sign of life now, and hears those of others. */
  beat(): Promise<void> {
    return this.#presence.beat();
  }

  /** Tells the others that it is about to end. They wait until it has ended, or is silent. */
  leave(): Promise<void> {
    return this.#presence.leave();
  }

  /** Says goodbye. Its storages are closed before. */
  async close(): Promise<void> {
    if (this.#isOpen) {
      this.#isOpen = false;
      await this.#presence.end();
      await this.#driver.close();
    }
    await this.#closeCache();
  }

  async #closeCache(): Promise<void> {
    const cache = this.#closesCache;
    this.#closesCache = undefined;
    await cache?.close();
  }
}
