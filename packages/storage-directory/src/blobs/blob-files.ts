/** The append-only files for large values. An interface, so that tests can lose unsynced data and fail on purpose. */

import type { Bytes } from '@quadrille/storage';

/** The files of blobs, by their numbers. */
export interface BlobFiles {
  /** Name for error messages. */
  readonly name: string;
  /** The size of each existing file in bytes, by its number. */
  list(): Promise<ReadonlyMap<number, number>>;
  /** Creates an empty file and makes its name durable. Replaces an existing file with the number. */
  create(file: number): Promise<void>;
  /**
   * Writes bytes at a position. Afterwards they survive the end of the process, and after {@link sync} a power
   * failure.
   */
  write(file: number, bytes: Bytes, position: number): Promise<void>;
  /** Resolves when the content of a file is on the disk. */
  sync(file: number): Promise<void>;
  /** Cuts a file to `bytes` bytes and frees the space on the disk. */
  truncate(file: number, bytes: number): Promise<void>;
  /** Reads bytes at a position until `into` is full. Returns false if the file ends before. */
  read(file: number, into: Uint8Array, position: number): Promise<boolean>;
  /** As `read`, without waiting. */
  readSync(file: number, into: Uint8Array, position: number): boolean;
  /** Removes the name of a file. The file can be read until {@link forget}. */
  remove(file: number): Promise<void>;
  /** Closes a removed file, which nobody reads any more. */
  forget(file: number): void;
  /** Closes all files. */
  close(): Promise<void>;
}
