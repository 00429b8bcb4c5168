/** One of several servers over one store. */
import type { StorageDriver } from '@quadrille/storage';
import type { DiskCacheOptions } from '../api/open-options.js';

/**
 * A server of a shared store, as the others see it.
 * @since 0.1.0
 */
export interface StoreServer {
  /** UUID of the process. */
  readonly server: string;
  /** Process and machine, for people. */
  readonly label: string;
  /** The URL at which the other servers reach it; `undefined`: it takes no requests of others. */
  readonly url: string | undefined;
  /** Whether it is about to end. */
  readonly leaving: boolean;
  /** The last position of the log of the store that it has shown, as of its last sign of life; `undefined`: it did not tell. */
  readonly position: number | undefined;
  /**
   * For how long it has given no sign of life, in milliseconds of this process's own clock. It counts only while this
   * process hears others.
   */
  readonly silentMs: number;
}

/**
 * A driver that follows the server that writes.
 * @since 0.1.0
 */
export interface FollowingDriver extends StorageDriver {
  /** UUID of the server that writes, as of the last refresh; `undefined`: there was none yet. */
  readonly holder: string | undefined;
}

/**
 * This process as one of several servers over one store. It gives signs of life from `open` to `close`.
 * @since 0.1.0
 */
export interface StoreMember {
  /** UUID of the process. */
  readonly id: string;
  /** This server and the others, as of the last sign of life. */
  readonly servers: readonly StoreServer[];
  /** Time between two signs of life, in milliseconds: 1,000 in a database, 5,000 in a bucket, where each one costs money. */
  readonly beatMs: number;
  /** How long another server must be silent before this one takes over, in milliseconds: 3,000 and 15,000. */
  readonly silenceMs: number;
  /**
   * Connects, and begins to give signs of life.
   * @throws StateError `SERVER_DUPLICATE` if another living server has the same URL
   * @throws StorageError `STORE_UNAVAILABLE`, `STORE_ACCESS`, `STORE_UNSAFE`
   */
  open(): Promise<void>;
  /** A driver that reads and follows the server that writes. It is for `open({ storage })`. */
  follower(): FollowingDriver;
  /**
   * A driver that writes. It is for `open({ storage })`.
   * @param takesOver at once; otherwise opening fails with `STORE_LOCKED` while another server lives that writes
   */
  holder(takesOver: boolean): StorageDriver;
  /** Whether the store may have more than this process knows, as of the last sign of life. */
  readonly hasNews: boolean;
  /** Gives a sign of life now, and hears those of others. */
  beat(): Promise<void>;
  /** Tells that this server is about to end. Until it has ended, or is silent, no other one takes over. */
  leave(): Promise<void>;
  /** Says goodbye. Close the databases over its drivers before. */
  close(): Promise<void>;
}

/**
 * Options of `joinStore`.
 * @since 0.1.0
 */
export interface JoinOptions {
  /**
   * The URL at which the other servers reach this one. No two servers may have the same.
   * @defaultValue none
   */
  readonly advertise?: string | undefined;
  /**
   * Keeps what was read in a folder of the local disk, for both roles. Another process with the folder is refused.
   * @defaultValue none
   */
  readonly diskCache?: DiskCacheOptions | undefined;
}

/**
 * Options of `collectGarbage`.
 * @since 0.1.0
 */
export interface CollectGarbageOptions {
  /**
   * Only packs that are at least so old by the clock of the store, in milliseconds. Younger ones may be of readers of older states.
   * @defaultValue `86_400_000`: a day
   */
  readonly olderThanMs?: number | undefined;
}

/**
 * What `collectGarbage` has deleted.
 * @since 0.1.0
 */
export interface GarbageReport {
  /** Number of packs. */
  readonly packs: number;
  /** Their bytes. */
  readonly bytes: number;
}
