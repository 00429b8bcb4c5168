/** Reads values by their pointers. Reads neighbouring values with one call. */

import { CorruptionError } from '@quadrille/model';
import type { Bytes } from '@quadrille/storage';
import { systemCode } from '../files.js';
import type { BlobCodec } from './blob-codec.js';
import type { BlobFiles } from './blob-files.js';
import type { BlobPointer } from './blob-pointer.js';

const KB = 1024;
/** Largest gap between two values that are read together, in bytes. */
const GAP_BYTES = 4 * KB;
/** Largest size of values that are read together, in bytes. */
const STRETCH_BYTES = 256 * KB;
/** Number of buffers kept for later calls, and of reads of one call at a time. */
const KEPT_BUFFERS = 4;
const LANES = 8;

/** A part of a file whose values are read together. */
interface Stretch {
  readonly file: number;
  readonly start: number;
  end: number;
  /** Indexes of the pointers into it. */
  readonly indexes: number[];
}

export class BlobReader {
  #scratch = new Uint8Array(64 * KB);
  readonly #free: Uint8Array[] = [];

  constructor(
    private readonly files: BlobFiles,
    private readonly codec: BlobCodec,
  ) {}

  readSync({ form, file, position, stored, length }: BlobPointer): Bytes {
    if (stored > this.#scratch.length) this.#scratch = new Uint8Array(stored);
    const bytes = this.#scratch.subarray(0, stored);
    try {
      if (!this.files.readSync(file, bytes, position)) throw cutOff(file, position);
    } catch (error) {
      throw toReadError(file, error);
    }
    return this.codec.decode(form, bytes, length);
  }

  /** The values, in the order of the pointers. */
  async read(pointers: readonly BlobPointer[]): Promise<Bytes[]> {
    const values = new Array<Bytes>(pointers.length);
    // Values of many files would take a buffer and a descriptor each.
    const left = stretches(pointers).values();
    const lane = async (): Promise<void> => {
      for (const stretch of left) await this.#readStretch(stretch, pointers, values);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return values;
  }

  async #readStretch(
    { file, start, end, indexes }: Stretch,
    pointers: readonly BlobPointer[],
    values: Bytes[],
  ): Promise<void> {
    const memory = this.#take(end - start);
    const bytes = memory.subarray(0, end - start);
    try {
      if (!(await this.files.read(file, bytes, start))) throw cutOff(file, start);
    } catch (error) {
      throw toReadError(file, error);
    }
    for (const index of indexes) {
      const { form, position, stored, length } = pointers[index]!;
      values[index] = this.codec.decode(form, bytes.subarray(position - start, position - start + stored), length);
    }
    if (memory.length === STRETCH_BYTES && this.#free.length < KEPT_BUFFERS) this.#free.push(memory);
  }

  #take(bytes: number): Uint8Array {
    return bytes > STRETCH_BYTES ? new Uint8Array(bytes) : (this.#free.pop() ?? new Uint8Array(STRETCH_BYTES));
  }
}

function stretches(pointers: readonly BlobPointer[]): Stretch[] {
  const order = pointers.map((_, index) => index);
  order.sort((a, b) => comparePlaces(pointers[a]!, pointers[b]!));
  const found: Stretch[] = [];
  for (const index of order) {
    const { file, position, stored } = pointers[index]!;
    const last = found.at(-1);
    const end = position + stored;
    if (last?.file === file && position - last.end <= GAP_BYTES && end - last.start <= STRETCH_BYTES) {
      last.end = Math.max(last.end, end);
      last.indexes.push(index);
    } else {
      found.push({ file, start: position, end, indexes: [index] });
    }
  }
  return found;
}

const comparePlaces = (a: BlobPointer, b: BlobPointer): number => a.file - b.file || a.position - b.position;

const toReadError = (file: number, error: unknown): unknown =>
  systemCode(error) === 'ENOENT'
    ? new CorruptionError('CHECKSUM', `Blob file ${file} is missing: the store is damaged.`, { cause: error })
    : error;

const cutOff = (file: number, position: number): CorruptionError =>
  new CorruptionError('CHECKSUM', `Blob file ${file} ends before the value at ${position}.`);
