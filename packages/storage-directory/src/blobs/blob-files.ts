/** The files that large values are appended to, behind an interface so that tests can lose what was not synced, and fail on purpose. */

import type { Bytes } from '@quadrille/storage';

export interface BlobFiles {
  /** For messages. */
  readonly name: string;
  /** How many bytes each has that is there, by its number. */
  list(): Promise<ReadonlyMap<number, number>>;
  /** Makes an empty one whose name is durable; what stood under its number is gone. */
  create(file: number): Promise<void>;
  /** The bytes survive the process then, and with {@link sync} the machine. */
  write(file: number, bytes: Bytes, position: number): Promise<void>;
  sync(file: number): Promise<void>;
  /** Takes what stands from `bytes` on away, and its room on the disk with it. */
  truncate(file: number, bytes: number): Promise<void>;
  /** Fills `into`; false where the file ends before. */
  read(file: number, into: Uint8Array, position: number): Promise<boolean>;
  readSync(file: number, into: Uint8Array, position: number): boolean;
  /** Takes its name away. It can be read until {@link forget}. */
  remove(file: number): Promise<void>;
  /** Nobody reads it any more. */
  forget(file: number): void;
  close(): Promise<void>;
}
