/** The form of a published store: names, sizes and versions. */

/** Version of the form. A reader refuses a greater one. */
export const PUBLISHED_FORMAT = 1;
/** The file that names all others. It is written last. */
export const MANIFEST = 'quadrille.json';

/** A chunk of entries ends when its entries have this many bytes. */
export const CHUNK_BYTES = 12 * 1024;
/** From this size on, it may end earlier, where the checksum of a key says so: then equal entries make equal chunks again. */
export const LEAST_CHUNK_BYTES = 4 * 1024;
/** Chunks in one page of the directory. */
export const PAGE_CHUNKS = 4096;
/** Directories up to this size are read when the store is opened. */
export const WHOLE_DIRECTORY_BYTES = 48 * 1024;
/** Chunks that an opening reads are copied into the start file, up to this size. */
export const MOST_START_BYTES = 256 * 1024;
/** Longest pack, in bytes. A pack with a chunk that is not published any longer is written anew, without it. */
export const PACK_BYTES = 1024 * 1024;
/** The same for hosts that give whole files alone. */
export const SMALL_PACK_BYTES = 64 * 1024;

/** Where bytes of a published store are. */
export interface Place {
  /** The number of the file in the list of files. */
  readonly file: number;
  /** Its first byte. */
  readonly at: number;
  /** How many bytes it has. */
  readonly bytes: number;
}

/** A file of a published store. */
export interface PublishedFile {
  /** The digest of its bytes, and what it is: `.pack` or `.start`. */
  readonly name: string;
  /** Its size. */
  readonly bytes: number;
}

const NAME = /^[0-9a-f]{32}\.(?:pack|start)$/;

/** Whether a text can be the name of a data file: never the path of another folder, or another host. */
export const isDataFile = (name: unknown): name is string => typeof name === 'string' && NAME.test(name);
