/** What a backend adds to a store in a directory: a driver over its own files. Everything else is {@link DirectoryStore}'s. */

import type { StorageCapabilities, StorageDriver } from '@quadrille/storage';

/** What keeps the data of a store, below the journal. Knows the directory of its files and nothing of the store around it. */
export interface DataDriver extends StorageDriver {
  /** Opens the files that are there. Does nothing where they are open. */
  open(): Promise<void>;
  /** Makes the files, where none are, and opens them. */
  create(): Promise<void>;
  reopen(): Promise<void>;
  /** Brings every batch that was answered to the disk, also those that were not durable. */
  settle(): Promise<void>;
  /** What was lost when the files were opened, for people. */
  readonly warnings: readonly string[];
  /** A batch found no room, and reopening gives back what was taken for it. */
  readonly holdsLeftovers: boolean;
  /** Bytes inside of its files to which it writes before they grow. Absent: none. */
  freeBytes?(): number;
}

/** A store that is read beside the process that holds it. */
export interface Reader {
  readonly driver: StorageDriver;
  /** Called when the driver has been closed. */
  release(): void;
}

export interface DirectoryBackend {
  /** As it stands in the marker. */
  readonly name: string;
  /** The name of the directory beside the marker where the data stand. */
  readonly dataDirectory: string;
  /** It has no lock of its own between processes. */
  readonly unlocked: boolean;
  readonly capabilities: StorageCapabilities;
  /** Large values of large batches go into blob files beside the data. */
  readonly blobs: boolean;
  /** Opening data that can only be read as ones that can be written takes so much room at most. */
  readonly openingBytes: number;
  /** A driver over the files in `dataPath`, not yet open. */
  dataDriver(dataPath: string): DataDriver;
  /** Opens one state of the store for reading, and takes no lock. Absent: who reads holds the store as who writes does. */
  openReader?(storePath: string, dataPath: string): Promise<Reader>;
}
