/**
 * The interface of a backend to a store in a directory: a driver over the backend's files. {@link DirectoryStore}
 * does the rest.
 */

import type { OnDamage, StorageCapabilities, StorageDriver } from '@quadrille/storage';

/**
 * The driver that stores the data, below the journal. It knows the directory of its files, but not the store around
 * it.
 */
export interface DataDriver extends StorageDriver {
  /** Opens existing files. Does nothing if they are open. */
  open(): Promise<void>;
  /** Creates the files if there are none, and opens them. */
  create(): Promise<void>;
  reopen(): Promise<void>;
  /** Brings every acknowledged batch to the disk, also those that were not durable. */
  settle(): Promise<void>;
  /** Descriptions of data that were lost when the files were opened. */
  readonly warnings: readonly string[];
  /** Whether a batch found no room and reopening frees the space that it took. */
  readonly holdsLeftovers: boolean;
  /** Free bytes inside the files, which the driver fills before the files grow. If it is missing: none. */
  freeBytes?(): number;
}

/** A store that is open for reading while another process may write to it. */
export interface Reader {
  /** Reads the store. */
  readonly driver: StorageDriver;
  /** Called after the driver was closed. */
  release(): void;
}

export interface DirectoryBackend {
  /** Name of the backend, as in the marker. */
  readonly name: string;
  /** Name of the directory that contains the data. It is next to the marker. */
  readonly dataDirectory: string;
  /** Whether the backend has no lock of its own between processes. */
  readonly unlocked: boolean;
  /** The optional abilities of its drivers. */
  readonly capabilities: StorageCapabilities;
  /** Whether large values of large batches go into blob files. */
  readonly blobs: boolean;
  /** Largest space that opening the data for writing can take, in bytes. */
  readonly openingBytes: number;
  /** Makes a driver over the files in `dataPath`, not open yet. */
  dataDriver(dataPath: string): DataDriver;
  /** Makes a driver that only reads the files in `dataPath`, not open yet, and tolerates damage. The caller holds the lock. */
  damagedDriver(dataPath: string, onDamage: OnDamage): StorageDriver;
  /**
   * Opens one state of the store for reading, without a lock. If it is missing, a reader needs the lock, like a
   * writer.
   */
  openReader?(storePath: string, dataPath: string): Promise<Reader>;
}
