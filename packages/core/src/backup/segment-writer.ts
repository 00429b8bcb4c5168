/**
 * Writes a segment of a backup: a file of records, which are keys with their values, and an index of the keys at its
 * end. docs/reference/file-format.md describes the bytes.
 */
import type { Bytes } from '@quadrille/storage';
import { ByteWriter } from '../format/byte-codec.js';

export const SEGMENT_MAGIC: Bytes = new TextEncoder().encode('QBKSEG\0\x01');
export const SEGMENT_END: Bytes = new TextEncoder().encode('QBKEND\0\x01');
/** The end of a segment: number of records, position of the index, {@link SEGMENT_END}. */
export const TRAILER_BYTES = 16;
/** Length of a key and length of a value, in front of both. */
export const RECORD_HEAD_BYTES = 6;
/** Size of the pieces that are handed over, in bytes. */
const CHUNK_BYTES = 1024 * 1024;

/** Where the bytes of a segment go. */
export interface SegmentSink {
  /** Takes bytes over: the caller does not change them any more. Resolves when more may come. */
  write(chunk: Bytes): Promise<void>;
  /** Completes the segment. Returns its SHA-256 as lower-case hexadecimal digits. */
  finish(): Promise<string>;
  /** Gives the segment up. Never fails. */
  abandon(): Promise<void>;
}

/** The figures of a finished segment. */
export interface WrittenSegment {
  readonly bytes: number;
  readonly records: number;
  readonly sha256: string;
  /** The bytes of the index and the trailer. */
  readonly index: Bytes;
}

export class SegmentWriter {
  #chunk = new Uint8Array(CHUNK_BYTES);
  #used = 0;
  #bytes = 0;
  #records = 0;
  #lastKey: Bytes = new Uint8Array(0);
  readonly #index = new ByteWriter(64 * 1024);

  constructor(
    private readonly sink: SegmentSink,
    /** Largest size of the segment, in bytes. */
    private readonly most: number,
  ) {
    this.#copy(SEGMENT_MAGIC);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a record of this size fits into the segment. A first record always does. */
  fits(key: Bytes, value: Bytes): boolean {
    const record = RECORD_HEAD_BYTES + 2 * key.length + value.length + 16;
    return this.#records === 0 || this.#bytes + this.#index.length + record + TRAILER_BYTES + 2 <= this.most;
  }

  /** Adds a record. Keys come in ascending order. */
  async add(key: Bytes, value: Bytes): Promise<void> {
    const size = RECORD_HEAD_BYTES + key.length + value.length;
    if (this.#used + size > CHUNK_BYTES) await this.#handOver();
    const head = this.#chunk;
    const at = this.#used;
    head[at] = key.length;
    head[at + 1] = key.length >>> 8;
    new DataView(head.buffer).setUint32(at + 2, value.length, true);
    head.set(key, at + RECORD_HEAD_BYTES);
    head.set(value, at + RECORD_HEAD_BYTES + key.length);
    this.#used += size;
    this.#bytes += size;
    this.#records++;
    this.#addToIndex(key, value.length);
  }

  #addToIndex(key: Bytes, valueBytes: number): void {
    const last = this.#lastKey;
    let shared = 0;
    while (shared < key.length && shared < last.length && key[shared] === last[shared]) shared++;
    const rest = key.subarray(shared);
    this.#index.varint(shared).varint(rest.length).bytes(rest).varint(valueBytes);
    this.#lastKey = key.slice();
  }

  async finish(): Promise<WrittenSegment> {
    // A key of length 0 ends the records.
    this.#copy(Uint8Array.of(0, 0));
    const position = this.#bytes;
    const index = this.#index.u32(this.#records).u32(position).bytes(SEGMENT_END).finish().slice();
    await this.#handOver();
    await this.sink.write(index);
    this.#bytes += index.length;
    const sha256 = await this.sink.finish();
    return { bytes: this.#bytes, records: this.#records, sha256, index };
  }

  abandon(): Promise<void> {
    return this.sink.abandon();
  }

  // Only for a few bytes: they fit into the chunk.
  #copy(bytes: Bytes): void {
    if (this.#used + bytes.length > this.#chunk.length) {
      const grown = new Uint8Array(this.#used + bytes.length);
      grown.set(this.#chunk);
      this.#chunk = grown;
    }
    this.#chunk.set(bytes, this.#used);
    this.#used += bytes.length;
    this.#bytes += bytes.length;
  }

  async #handOver(): Promise<void> {
    const chunk = this.#chunk.subarray(0, this.#used);
    this.#chunk = new Uint8Array(CHUNK_BYTES);
    this.#used = 0;
    if (chunk.length > 0) await this.sink.write(chunk);
  }
}
