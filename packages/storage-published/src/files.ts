/** Where the files of a published store come from: a web host, or a directory. */

/** How a file is read. */
export interface ReadOptions {
  /** Whether caches on the way are passed by: what they gave was wrong. Default false. */
  readonly reload?: boolean;
}

/** The files of one published store. */
export interface PublishedFiles {
  /** The address, for messages. */
  readonly place: string;
  /** The text of the manifest. */
  manifest(options?: ReadOptions): Promise<string>;
  /**
   * Bytes of a file. The result has exactly `bytes` bytes.
   * @param size of the whole file
   */
  read(name: string, at: number, bytes: number, size: number, options?: ReadOptions): Promise<Uint8Array>;
  /** Ends what is under way. */
  close(): void;
}

/** Keeps what was read beyond the process, or the page. It may lose anything at any time. */
export interface KeptParts {
  /** What was kept under a name; `undefined` where nothing is. */
  get(name: string): Promise<Uint8Array | undefined>;
  /** @param name of the manifest, of a start file, or `FILE/AT-BYTES` of a part. All but the manifest never change */
  /** Keeps bytes under a name. */
  put(name: string, bytes: Uint8Array): Promise<void>;
}
