/**
 * Every constant of the form on disk. They are frozen: a change needs a new {@link FORMAT_VERSION}, a migration and
 * new golden bytes. docs/reference/file-format.md describes the layout in words. Numbers in keys are big-endian, so that they
 * sort. Numbers in values are little-endian.
 */
import { StorageError } from '@quadrille/model';
import type { Bytes } from '@quadrille/storage';

/**
 * Version of the store's form, as the entry of the store and the marker file show it. The entry of earlier stores has
 * version 1; their markers have 1, 2 (with a journal) or 3 (with blob files).
 */
export const FORMAT_VERSION = 5;

/** The first format whose entry of the store has a UUID. */
export const UUID_FORMAT = 4;

/** The format of a store that is not complete: a restore writes it, or was interrupted. */
export const UNFINISHED_FORMAT = 0x7f;

// ── Keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────────
/** First byte of a key: the kind of data. */
export const Area = {
  /** `[area]`: {@link FORMAT_VERSION}, next repository id, UUID of the store. */
  store: 0x01,
  /** `[area][account]`: account record (JSON). */
  account: 0x02,
  /** `[area][account/repository]`: repository record (JSON). */
  repository: 0x03,
  /** `[area][account] 0 [prefix]`: IRI. */
  accountNamespace: 0x04,
  /** `[area][repository id]`: the mark of a deleted repository whose data are not deleted yet. */
  dropped: 0x05,
  /** `[area][key]`: a record of the server (JSON). */
  service: 0x06,
  /** `[area][repository id u32][tag u8]…`: all data of one repository. */
  data: 0x10,
} as const;

/** Sixth byte of a key in {@link Area.data}. */
export const Tag = {
  /** The published head: number and digest of the newest revision. */
  head: 0x01,
  /** The manifest: the list of runs, and the revision up to which they are complete. `[part u32]`: the rest of a long one. */
  root: 0x02,
  /** `[ordinal u32]`: revision record. */
  log: 0x03,
  /** `[block u32][part u32]`: 128 terms. */
  termBlock: 0x04,
  /** `[first id u32]`: new terms that do not fill a block yet. */
  termTail: 0x05,
  /** `[id u32][part u32]`: the text of a long term. */
  longTerm: 0x06,
  /** `[run u32][page u32]`: hash → id. */
  hashPage: 0x07,
  /** `[run u32][chunk u32]`: the block table of a run: fences and bounds of its blocks. */
  runMeta: 0x08,
  /** `[run u32][block u32]`: quads. */
  block: 0x09,
  /** `[ordinal u32][chunk u32]`: checkpoint of the statistics at that revision. */
  statistics: 0x0a,
  /** `[first run u32]`: runs that a job is writing. Opening deletes runs that a crash left here. */
  session: 0x0b,
  /** `[run u32]`: a run that no reader uses any more. Opening deletes it. */
  garbage: 0x0c,
  /** `[prefix]`: IRI. */
  namespace: 0x0d,
  /** `[name]`: revision id. */
  tag: 0x0e,
  /** The dictionary root: the marks of the dictionary and its hash runs. */
  dictionary: 0x0f,
  /** `[name]`: a branch and the number of its line. */
  branch: 0x10,
  /** `[line u32]`: where a line of history begins. */
  line: 0x11,
  /** `[revision id]`: the lines and numbers of a revision that is on another line than `main`. */
  revisionId: 0x12,
  /** `[line u32][tag u8]…`: data of a line other than `main`: those of the tags in {@link LINE_TAGS}. */
  lineData: 0x1a,
  /** `[revision u32]`: the state of the content hash and of the chain at that revision. */
  hashCheckpoint: 0x13,
  /** Settings of the repository (JSON). */
  settings: 0x14,
  /** `[first revision u32][count u32]`: ids and times of revisions that trimming has removed. */
  trimmed: 0x15,
  /** `[0][part u32]`, …: the plan of an erasure under way and what belongs to it. `[3]`: the times of all erasures. */
  erasure: 0x16,
  /** `[name]`: another copy of the repository (JSON). */
  remote: 0x17,
  /** `[revision u32][key id]`: a signature of the revision. */
  signature: 0x18,
  /** `[first revision u32]`: revisions that a line has taken over from another one, by their numbers. */
  copied: 0x1b,
  /** `[id of a patch]`: the ids of the revisions that have applied it, 16 bytes each. */
  patch: 0x1c,
  /** The root of the text index: up to which id it is complete, and its runs. */
  textIndex: 0x1d,
  /** `[run u32][part u32][index u32]`: words, postings and lengths of a run of the text index. */
  textPart: 0x1e,
  /** The root of the index of order, as that of the text index. */
  orderIndex: 0x1f,
  /** `[run u32][part u32][index u32]`: pages and fences of a run of the index of order. */
  orderPart: 0x20,
  /** `[dimension u32]`: the root of an index of vectors. */
  vectorIndex: 0x21,
  /** `[run u32][chunk u32]`: some of its vectors. */
  vectorPart: 0x22,
  /** What there is of vectors that a function has made of texts (JSON). `[slot u32][id u32]`: the vector of a literal. */
  embedding: 0x23,
  /** Random bytes, replaced before anything is changed under a key whose data otherwise never change. */
  rewritten: 0x19,
} as const;

/** The tags of which each line of history has its own data. */
export const LINE_TAGS: ReadonlySet<number> = new Set([
  Tag.head,
  Tag.root,
  Tag.log,
  Tag.runMeta,
  Tag.block,
  Tag.statistics,
  Tag.session,
  Tag.garbage,
  Tag.hashCheckpoint,
  Tag.trimmed,
  Tag.signature,
  Tag.copied,
]);

// ── Ids ──────────────────────────────────────────────────────────────────────────────────────────────────────────────
export { DEFAULT_GRAPH, FIRST_INLINE_ID, FIRST_LOCAL_ID, FIRST_TERM_ID, UNBOUND } from '@quadrille/model';

// ── Sizes ────────────────────────────────────────────────────────────────────────────────────────────────────────────
/** Rows of a block, and of a group. A group is the smallest part of a block that is decoded alone. */
export const BLOCK_ROWS = 2048;
export const GROUP_ROWS = 128;
/** Number of ids in one term block. */
export const TERM_BLOCK_IDS = 128;
/**
 * Longest text in a term block, in bytes. Longer texts are stored under keys of their own, in parts of {@link
 * PART_BYTES}.
 */
export const LONG_TERM_BYTES = 4096;
/** Longest text of one term, in bytes. */
export const MAX_TERM_BYTES = 16 * 1024 * 1024;
/** Size of the state of the content hash: 1,024 numbers of 16 bits. */
export const CONTENT_STATE_BYTES = 2048;
/** Longest value that the engine writes, in bytes. */
export const PART_BYTES = 60_000;
/** Number of entries of a hash page. */
export const HASH_PAGE_ENTRIES = 1024;
/** Largest encoded delta that a revision record holds itself, in bytes. A larger delta is written as runs. */
export const INLINE_DELTA_BYTES = 40_000;

/** The value of `to` for a quad that no revision has removed. */
export const FOREVER = 0xffff_ffff;

/**
 * The value of `from` for rows that are written before their revision has its number. No quad begins in revision 1,
 * because it is empty.
 */
export const UNPUBLISHED = 1;

export function dataKey(repository: number, tag: number, ...numbers: number[]): Bytes {
  const key = new Uint8Array(6 + numbers.length * 4);
  key[0] = Area.data;
  putU32(key, 1, repository);
  key[5] = tag;
  for (let i = 0; i < numbers.length; i++) {
    // A key that wraps around would replace the data of another number.
    if (numbers[i]! > 0xffff_ffff)
      throw new StorageError('STORAGE_LIMIT', `the number ${numbers[i]!} does not fit into a key`);
    putU32(key, 6 + i * 4, numbers[i]!);
  }
  return key;
}

/** A key of a line other than `main`. */
export function lineKey(repository: number, line: number, tag: number, ...numbers: number[]): Bytes {
  const key = dataKey(repository, Tag.lineData, line, 0, ...numbers);
  // The tag takes one byte of the four.
  key.copyWithin(11, 14);
  key[10] = tag;
  return key.subarray(0, key.length - 3);
}

/** A key that ends with a text: namespaces, tags, the catalogue. */
export function textKey(head: Bytes, text: string): Bytes {
  const tail = new TextEncoder().encode(text);
  const key = new Uint8Array(head.length + tail.length);
  key.set(head);
  key.set(tail, head.length);
  return key;
}

export const areaKey = (area: number): Bytes => Uint8Array.of(area);

/** The first key after all keys that begin with `prefix`. */
export function afterPrefix(prefix: Bytes): Bytes {
  const next = prefix.slice();
  for (let i = next.length - 1; i >= 0; i--) {
    if (next[i] !== 0xff) {
      next[i] = next[i]! + 1;
      return next.subarray(0, i + 1);
    }
  }
  return Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
}

/** The range of all keys of one tag of a repository. */
export function tagRange(repository: number, tag: number): { gte: Bytes; lt: Bytes } {
  const gte = dataKey(repository, tag);
  return { gte, lt: afterPrefix(gte) };
}

export function putU32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

export function readU32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}
