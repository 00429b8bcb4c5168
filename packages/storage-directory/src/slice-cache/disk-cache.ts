/**
 * A cache of parts of packs on the local disk. A pack never changes and its name is never used again, so nothing has to
 * be invalidated. Records are appended to segment files; the oldest segment is deleted when there are too many bytes.
 * Where the records are is in memory, and in a file after an orderly end. After a crash the cache begins empty.
 */

import { createHash } from 'node:crypto';
import { mkdir, open, readdir, realpath, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bytes } from '@quadrille/storage';
import { acquireProcessLock, type ProcessLock } from '../process-lock.js';

/** A part of a pack. */
export interface CachedSlice {
  /** The id of the pack. */
  readonly pack: string;
  /** Its first byte. */
  readonly from: number;
  /** Its length in bytes. */
  readonly length: number;
}

interface Place {
  readonly segment: number;
  readonly at: number;
  readonly length: number;
}

interface IndexHead {
  readonly form: number;
  readonly segments: readonly (readonly [number, number])[];
  readonly records: number;
  readonly erasure?: string;
}

const HASH_BYTES = 16;
const INDEX_FILE = 'index';
const SEGMENT_FILE = /^segment-(\d+)$/;
/** Segments that the bytes are divided into. */
const SEGMENTS = 8;
/** Most records; each takes about 150 bytes of memory. */
const MOST_RECORDS = 200_000;
/** Lines of the index that are written at once. */
const LINES = 2000;
/** Bytes that wait to be written. What comes beyond them is not cached. */
const MOST_WAITING = 8 * 1024 * 1024;

/** See {@link openSliceCache}. */
export class DiskCache {
  readonly #folder: string;
  readonly #segmentBytes: number;
  readonly #lock: ProcessLock;
  readonly #places = new Map<string, Place>();
  /** Open segments by number, the oldest one first. */
  readonly #segments = new Map<number, { readonly file: FileHandle; bytes: number }>();
  #writing: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** The erasure after which all of it was read; empty: none. */
  #erasure = '';
  /** Why nothing is written any more, for example a full disk. */
  #failure: unknown;

  private constructor(folder: string, bytes: number, lock: ProcessLock) {
    this.#folder = folder;
    this.#segmentBytes = Math.floor(bytes / SEGMENTS);
    this.#lock = lock;
  }

  /** @throws StateError `STORE_LOCKED` if another process has the folder */
  static async open(directory: string, bytes: number): Promise<DiskCache> {
    await mkdir(directory, { recursive: true });
    const folder = await realpath(directory);
    const lock = await acquireProcessLock(folder, 0, true);
    const cache = new DiskCache(folder, bytes, lock);
    try {
      await cache.#readIndex();
    } catch {
      await cache.#clear();
    }
    return cache;
  }

  /** A slice, if it is there and undamaged. */
  async get(slice: CachedSlice): Promise<Bytes | undefined> {
    const key = keyOf(slice);
    const place = this.#places.get(key);
    if (place === undefined) return undefined;
    const record = new Uint8Array(HASH_BYTES + place.length);
    try {
      const { bytesRead } = await this.#segments.get(place.segment)!.file.read(record, 0, record.length, place.at);
      const value = record.subarray(HASH_BYTES);
      if (bytesRead === record.length && hashOf(key, value).equals(record.subarray(0, HASH_BYTES))) {
        // What is used stays when the oldest segment goes.
        if (place.segment === this.#oldest && this.#segments.size > 1) this.set(slice, value);
        return value;
      }
    } catch {
      // Its segment was deleted meanwhile, or the disk fails.
    }
    if (this.#places.get(key) === place) this.#places.delete(key);
    return undefined;
  }

  /** Keeps a slice. It is written later. */
  set(slice: CachedSlice, value: Bytes): void {
    const bytes = HASH_BYTES + value.length;
    if (this.#failure !== undefined || bytes > this.#segmentBytes || this.#waiting + bytes > MOST_WAITING) return;
    this.#waiting += bytes;
    this.#writing = this.#writing
      .then(() => this.#append(keyOf(slice), value))
      .catch((error: unknown) => (this.#failure = error))
      .then(() => void (this.#waiting -= bytes));
  }

  /**
   * Forgets all slices from before an erasure, and deletes their files.
   * @param erasure the id of the latest one; empty: there was none
   * @throws an error of the file system; then nothing is cached any more
   */
  async since(erasure: string): Promise<void> {
    if (erasure === this.#erasure) return;
    const cleared = this.#writing.then(() => this.#clear());
    this.#writing = cleared.catch((error: unknown) => void (this.#failure = error));
    await cleared;
    this.#erasure = erasure;
  }

  /** Waits until all is written. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  /** Writes what the next opening needs, and gives the folder free. */
  async close(): Promise<void> {
    await this.#writing;
    const segments = Array.from(this.#segments, ([number, { bytes }]) => [number, bytes]);
    for (const { file } of this.#segments.values()) await file.close();
    await this.#writeIndex(segments).catch(() => rm(join(this.#folder, INDEX_FILE), { force: true }));
    await this.#lock.release();
  }

  /** Bytes of all segments. */
  get bytes(): number {
    let bytes = 0;
    for (const segment of this.#segments.values()) bytes += segment.bytes;
    return bytes;
  }

  get #oldest(): number | undefined {
    return this.#segments.keys().next().value;
  }

  async #append(key: string, value: Bytes): Promise<void> {
    const known = this.#places.get(key);
    if (this.#failure !== undefined || (known !== undefined && known.segment !== this.#oldest)) return;
    const record = Buffer.concat([hashOf(key, value), value]);
    let [number, segment] = [...this.#segments].at(-1) ?? [0, undefined];
    if (segment === undefined || segment.bytes + record.length > this.#segmentBytes) {
      while (this.#segments.size >= SEGMENTS || this.#places.size >= MOST_RECORDS) await this.#deleteOldest();
      segment = { file: await open(this.#file(++number), 'w+', 0o600), bytes: 0 };
      this.#segments.set(number, segment);
    }
    const at = segment.bytes;
    segment.bytes += record.length;
    await segment.file.write(record, 0, record.length, at);
    this.#places.set(key, { segment: number, at, length: value.length });
  }

  async #deleteOldest(): Promise<void> {
    const number = this.#oldest;
    if (number === undefined) return;
    const { file } = this.#segments.get(number)!;
    this.#segments.delete(number);
    for (const [key, { segment }] of this.#places) if (segment === number) this.#places.delete(key);
    await file.close();
    await rm(this.#file(number), { force: true });
  }

  /** A line about the segments, and one for each record. */
  async #writeIndex(segments: readonly (readonly number[])[]): Promise<void> {
    const file = await open(join(this.#folder, INDEX_FILE), 'w', 0o600);
    try {
      let lines = [JSON.stringify({ form: 1, segments, records: this.#places.size, erasure: this.#erasure })];
      for (const [key, { segment, at, length }] of this.#places) {
        lines.push(JSON.stringify([key, segment, at, length]));
        if (lines.length < LINES) continue;
        await file.write(`${lines.join('\n')}\n`);
        lines = [];
      }
      await file.write(`${lines.join('\n')}\n`);
    } finally {
      await file.close();
    }
  }

  async #readIndex(): Promise<void> {
    const path = join(this.#folder, INDEX_FILE);
    const file = await open(path, 'r');
    let left: number | undefined;
    for await (const line of file.readLines()) {
      const read = JSON.parse(line) as unknown;
      if (left === undefined) left = await this.#openSegments(read as IndexHead);
      else {
        const [key, segment, at, length] = read as [string, number, number, number];
        if (this.#segments.has(segment)) this.#places.set(key, { segment, at, length });
        left--;
      }
    }
    // After a crash it would not know what was written since.
    await rm(path);
    if (left !== 0) throw new Error('the index was not written to its end');
  }

  /** Returns the number of records. */
  async #openSegments({ form, segments, records, erasure = '' }: IndexHead): Promise<number> {
    const fits = segments.length <= SEGMENTS && segments.every(([, bytes]) => bytes <= this.#segmentBytes);
    if (form !== 1 || !fits) throw new Error('another form, or a smaller cache');
    for (const [number, bytes] of segments) {
      this.#segments.set(number, { file: await open(this.#file(number), 'r+'), bytes });
    }
    this.#erasure = erasure;
    return records;
  }

  /** Begins with nothing. Only its own files are deleted. */
  async #clear(): Promise<void> {
    for (const { file } of this.#segments.values()) await file.close();
    this.#segments.clear();
    this.#places.clear();
    for (const name of await readdir(this.#folder)) {
      if (SEGMENT_FILE.test(name) || name === INDEX_FILE) await rm(join(this.#folder, name), { force: true });
    }
  }

  #file(number: number): string {
    return join(this.#folder, `segment-${number}`);
  }
}

const keyOf = ({ pack, from, length }: CachedSlice): string => `${pack}:${from}:${length}`;

/** The key is in it, so a record of another slice is noticed. */
const hashOf = (key: string, value: Bytes): Buffer =>
  createHash('sha256').update(key).update(value).digest().subarray(0, HASH_BYTES);
