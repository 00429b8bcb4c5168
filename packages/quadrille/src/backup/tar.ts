/** The streamed form of a backup: a tar archive (POSIX ustar) of the files of its directory, the manifest last. */
import { damagedBackup } from '@quadrille/core/backup';
import { notABackup } from './manifest-file.js';

export const BLOCK = 512;
const NAME_BYTES = 100;
const SIZE_AT = 124;
const SIZE_DIGITS = 11;
const SUM_AT = 148;
const TYPE_AT = 156;
const MAGIC_AT = 257;
const utf8 = new TextEncoder();

/** Two empty blocks end an archive. */
export const TAR_END = new Uint8Array(2 * BLOCK);

/** The header of a file. */
export function tarHeader(name: string, bytes: number, time: number): Uint8Array {
  const header = new Uint8Array(BLOCK);
  const put = (at: number, text: string): void => header.set(utf8.encode(text), at);
  const octal = (at: number, digits: number, value: number): void => put(at, value.toString(8).padStart(digits, '0'));
  put(0, name);
  octal(100, 7, 0o644);
  octal(108, 7, 0);
  octal(116, 7, 0);
  octal(SIZE_AT, SIZE_DIGITS, bytes);
  octal(136, SIZE_DIGITS, Math.floor(time / 1000));
  put(TYPE_AT, '0');
  put(MAGIC_AT, 'ustar\x0000');
  octal(SUM_AT, 6, sumOf(header));
  header[SUM_AT + 6] = 0;
  header[SUM_AT + 7] = 0x20;
  return header;
}

/** Zeros up to the next block. */
export const tarPadding = (bytes: number): Uint8Array => new Uint8Array((BLOCK - (bytes % BLOCK)) % BLOCK);

// The field of the sum counts as spaces.
function sumOf(header: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) sum += i >= SUM_AT && i < SUM_AT + 8 ? 0x20 : header[i]!;
  return sum;
}

interface TarFile {
  readonly name: string;
  readonly bytes: number;
  /** Its bytes. They must be read before the next file is asked for. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * The files of an archive in their sequence. Directories are left out.
 * @throws StateError `NOT_A_BACKUP` if it does not begin as an archive; CorruptionError `BACKUP_DAMAGED`
 */
export async function* tarFiles(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const input = new TarInput(bytes);
  for (let first = true; ; first = false) {
    const header = await input.block();
    if (header === undefined && first) throw notABackup('An empty stream');
    if (header === undefined) throw damagedBackup('the archive is cut off');
    if (header.every((byte) => byte === 0)) return;
    const { name, size, type } = readHeader(header, first);
    if (type === 'directory') continue;
    const chunks = input.take(size);
    yield { name, bytes: size, chunks };
    for await (const chunk of chunks) void chunk;
    await input.skip(tarPadding(size).length);
  }
}

function readHeader(header: Uint8Array, first: boolean): { name: string; size: number; type: 'file' | 'directory' } {
  const text = (at: number, length: number): string => {
    const field = header.subarray(at, at + length);
    const end = field.indexOf(0);
    return new TextDecoder().decode(end === -1 ? field : field.subarray(0, end));
  };
  const isTar = text(MAGIC_AT, 5) === 'ustar' && parseInt(text(SUM_AT, 8).trim(), 8) === sumOf(header);
  if (!isTar)
    throw first ? notABackup('A stream that is no tar archive') : damagedBackup('a header of the archive is not valid');
  const size = Number.parseInt(text(SIZE_AT, SIZE_DIGITS + 1).trim() || '0', 8);
  const type = text(TYPE_AT, 1) || '0';
  if (!Number.isSafeInteger(size) || size < 0 || (type !== '0' && type !== '5'))
    throw damagedBackup('the archive has an entry that does not belong to a backup');
  return { name: text(0, NAME_BYTES).replace(/^\.\//, ''), size, type: type === '5' ? 'directory' : 'file' };
}

/** Cuts a stream of chunks of any size. */
class TarInput {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** Undefined at the end. */
  async block(): Promise<Uint8Array | undefined> {
    const block = new Uint8Array(BLOCK);
    let filled = 0;
    for await (const chunk of this.#next(BLOCK)) {
      block.set(chunk, filled);
      filled += chunk.length;
    }
    if (filled === 0) return undefined;
    if (filled < BLOCK) throw damagedBackup('the archive is cut off');
    return block;
  }

  /** An iterable that goes on where it was left. */
  take(bytes: number): AsyncIterable<Uint8Array> {
    let left = bytes;
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      if (left === 0) return { done: true, value: undefined };
      const chunk = await this.#some(left);
      if (chunk === undefined) throw damagedBackup('the archive is cut off');
      left -= chunk.length;
      return { done: false, value: chunk };
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  async skip(bytes: number): Promise<void> {
    for await (const chunk of this.#next(bytes)) void chunk;
  }

  async *#next(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0;) {
      const chunk = await this.#some(left);
      if (chunk === undefined) return;
      left -= chunk.length;
      yield chunk;
    }
  }

  async #some(most: number): Promise<Uint8Array | undefined> {
    while (this.#rest.length === 0) {
      const step = await this.#chunks.next();
      if (step.done === true) return undefined;
      this.#rest = step.value;
    }
    const some = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(some.length);
    return some;
  }
}
