/** Blob files in memory. They lose unsynced data at a simulated power failure, and fail on purpose. */

import type { Bytes } from '@quadrille/storage';
import { SimulatedFaults, type SimulatedFault } from './simulated-faults.js';
import { SimulatedFile } from './simulated-file.js';
import type { BlobFiles } from '../blobs/blob-files.js';

const OPERATIONS = ['list', 'create', 'write', 'sync', 'read', 'remove'] as const;
export type BlobOperation = (typeof OPERATIONS)[number];
export type BlobFault = SimulatedFault<BlobOperation>;

export class SimulatedBlobFiles implements BlobFiles {
  readonly name = 'the blob files';
  readonly #faults = new SimulatedFaults('the blob files', OPERATIONS);
  readonly #files = new Map<number, SimulatedFile>();
  /** Files that were removed and may still be read. */
  readonly #nameless = new Map<number, SimulatedFile>();

  /** Sets the next fault, or none. */
  setFault(fault?: BlobFault): void {
    this.#faults.set(fault);
  }

  /** The number of calls of each operation. */
  get calls(): Readonly<Record<BlobOperation, number>> {
    return this.#faults.calls;
  }

  /** Number of times that the present fault has hit. */
  get fired(): number {
    return this.#faults.fired;
  }

  /** The contents by file number. */
  get contents(): ReadonlyMap<number, Bytes> {
    return new Map([...this.#files].map(([number, { present }]) => [number, present]));
  }

  /** Numbers of files that were removed and may still be read. */
  get nameless(): readonly number[] {
    return [...this.#nameless.keys()];
  }

  /** Makes files with these contents. */
  static of(contents: Iterable<readonly [number, Bytes]>): SimulatedBlobFiles {
    const files = new SimulatedBlobFiles();
    for (const [number, content] of contents) files.#files.set(number, SimulatedFile.of(content));
    return files;
  }

  /**
   * The files after a power failure: see `SimulatedFile.crash`. Creating and removing names is durable at once.
   */
  crash(random: () => number, hostile: boolean): SimulatedBlobFiles {
    const files = new SimulatedBlobFiles();
    for (const [number, file] of this.#files) files.#files.set(number, file.crash(random, hostile));
    return files;
  }

  async list(): Promise<ReadonlyMap<number, number>> {
    this.#faults.call('list');
    return new Map([...this.#files].map(([number, { present }]) => [number, present.length]));
  }

  async create(file: number): Promise<void> {
    this.#faults.call('create');
    this.#files.set(file, new SimulatedFile());
  }

  async write(file: number, bytes: Bytes, position: number): Promise<void> {
    try {
      this.#faults.call('write');
    } catch (error) {
      this.#file(file).write(bytes.subarray(0, this.#faults.torn), position);
      throw error;
    }
    this.#file(file).write(bytes, position);
  }

  async truncate(file: number, bytes: number): Promise<void> {
    this.#file(file).truncate(bytes);
  }

  async sync(file: number): Promise<void> {
    this.#faults.call('sync');
    this.#file(file).sync();
  }

  async read(file: number, into: Uint8Array, position: number): Promise<boolean> {
    return this.readSync(file, into, position);
  }

  readSync(file: number, into: Uint8Array, position: number): boolean {
    this.#faults.call('read');
    const { present } = this.#file(file);
    into.set(present.subarray(position, position + into.length));
    return position + into.length <= present.length;
  }

  async remove(file: number): Promise<void> {
    this.#faults.call('remove');
    this.#nameless.set(file, this.#file(file));
    this.#files.delete(file);
  }

  forget(file: number): void {
    this.#nameless.delete(file);
  }

  async close(): Promise<void> {
    this.#nameless.clear();
  }

  #file(number: number): SimulatedFile {
    const file = this.#files.get(number) ?? this.#nameless.get(number);
    if (file === undefined) throw Object.assign(new Error(`There is no blob file ${number}`), { code: 'ENOENT' });
    return file;
  }
}
