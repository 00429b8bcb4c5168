/** Where a store is published to: a folder of files. */

/** The files of a folder, one level deep. */
export interface PublicationTarget {
  /** The folder, for messages. */
  readonly place: string;
  /** Names of its data files. */
  dataFiles(): Promise<readonly string[]>;
  /** The text of the manifest; `undefined` where there is none. */
  manifest(): Promise<string | undefined>;
  /** A part of a data file. */
  read(name: string, at: number, bytes: number): Promise<Uint8Array>;
  /** Writes a file as a whole: whoever reads it meanwhile finds the earlier one, or none. It is on the disk when this resolves. */
  write(name: string, content: Uint8Array | string): Promise<void>;
  remove(name: string): Promise<void>;
}
