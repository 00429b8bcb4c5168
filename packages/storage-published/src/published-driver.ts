/** A published store as a storage that is read only: entries are looked for in the directory, and read in chunks. */
import { QuadrilleError, StorageError } from '@quadrille/model';
import {
  compareBytes,
  loadChecksum,
  loadNameDigest,
  type NameDigest,
  type Bytes,
  type Entry,
  type KeyRange,
  type RangeOptions,
  type StorageCapabilities,
  type StorageDriver,
  type WriteOutcome,
} from '@quadrille/storage';
import { Chunk, firstNotBelow } from './chunk.js';
import { ChunkCache } from './chunk-cache.js';
import { ChunkReader } from './chunk-reader.js';
import { decodeLocated, type Located } from './directory.js';
import type { KeptParts, PublishedFiles } from './files.js';
import { MANIFEST, type Place } from './layout.js';
import { decodeManifest, type Manifest } from './manifest.js';
import { inflateByStream, type Inflate } from './packing.js';
import { decodeStart, type Start } from './start-file.js';

/** Options of {@link PublishedDriver}. */
export interface PublishedOptions {
  /** Unpacks deflate. Default: the stream of the platform. */
  readonly inflate?: Inflate | undefined;
  /** Keeps chunks beyond this process. Default: nothing does. */
  readonly kept?: KeptParts | undefined;
  /** Gets the place of each chunk and page that is used, with its bytes as they are stored. For the writer. */
  readonly onUse?: ((place: Place) => void) | undefined;
}

/** What an old manifest, or another document in its place, leads to. */
const MAY_BE_OLD: ReadonlySet<string> = new Set(['HOST_UNSUITABLE', 'NOT_A_STORE', 'CHECKSUM']);
/** Chunks that a scan asks for at once: it begins with one, and doubles. */
const MOST_AHEAD = 32;
const NOTHING: Bytes = new Uint8Array(0);

export class PublishedDriver implements StorageDriver {
  readonly name = 'published';
  readonly capabilities: StorageCapabilities = {
    getSync: false,
    durable: true,
    sizeOnDisk: true,
    compact: false,
    readOnly: true,
  };
  readonly #cache = new ChunkCache();
  #manifest: Manifest | undefined;
  #start: Start | undefined;
  #reader: ChunkReader | undefined;
  readonly #pages: (Promise<readonly Located[]> | undefined)[] = [];

  constructor(
    private readonly files: PublishedFiles,
    private readonly options: PublishedOptions = {},
  ) {}

  /** What is published. Only while open. */
  get manifest(): Manifest {
    return this.#manifest!;
  }

  /**
   * A cache on the way may have an old manifest, which names files that are gone. So what does not fit is asked for once more.
   * @throws NotFoundError `STORE_NOT_FOUND`; StateError `NOT_A_STORE`; CorruptionError `FORMAT_VERSION`, `CHECKSUM`; StorageError
   *   `HOST_UNSUITABLE`
   */
  async open(): Promise<void> {
    const digest = await loadNameDigest();
    try {
      await this.#open(digest, false);
    } catch (error) {
      if (!(error instanceof QuadrilleError) || !MAY_BE_OLD.has(error.code)) throw error;
      await this.#open(digest, true);
    }
  }

  async #open(digest: NameDigest, reload: boolean): Promise<void> {
    const { files, options } = this;
    const text = await manifestText(files, options.kept, reload);
    const manifest = decodeManifest(text, digest, files.place + MANIFEST);
    const { name, bytes } = manifest.start;
    const isWhole = (given: Uint8Array): boolean => digest(given) === name.slice(0, name.indexOf('.'));
    const known = await options.kept?.get(name);
    const given = known !== undefined && isWhole(known) ? known : await files.read(name, 0, bytes, bytes, { reload });
    if (!isWhole(given))
      throw new StorageError(
        'HOST_UNSUITABLE',
        `${files.place} gives a file ${name} with other bytes than were published`,
        { details: { file: name } },
      );
    if (given !== known) void options.kept?.put(name, given).catch(() => undefined);
    // After the file that it names: what is kept can be opened.
    void options.kept?.put(MANIFEST, new TextEncoder().encode(text)).catch(() => undefined);
    const start = decodeStart(given);
    const { inflate = inflateByStream, kept } = options;
    this.#reader = new ChunkReader(files, start.files, inflate, await loadChecksum(), kept, manifest.small);
    for (const { place, stored } of start.copies) this.#reader.hold(place, stored);
    this.#start = start;
    this.#manifest = manifest;
  }

  async close(): Promise<void> {
    this.files.close();
  }

  async get(key: Bytes): Promise<Bytes | undefined> {
    const located = await this.#chunkFor(key);
    return located === undefined ? undefined : (await this.#chunk(located)).get(key);
  }

  getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    return Promise.all(keys.map((key) => this.get(key)));
  }

  async *range(range: KeyRange, { read }: Required<RangeOptions>): AsyncGenerator<readonly Entry[], void, undefined> {
    let left = range.limit ?? Infinity;
    for await (const chunk of this.#chunksOf(range, Math.min(left, MOST_AHEAD))) {
      if (left === 0) return;
      const entries = entriesOf(chunk, range, read, left);
      left -= entries.length;
      if (entries.length > 0) yield entries;
      if (left === 0) return;
    }
  }

  write(): Promise<WriteOutcome> {
    return Promise.reject(new StorageError('STORAGE_IO', 'a published store is read only'));
  }

  async approximateSize(range: KeyRange): Promise<number> {
    let bytes = 0;
    for await (const { place } of this.#located({ ...range, reverse: false })) bytes += place.bytes;
    return bytes;
  }

  /** The place of the chunk that has a key, if the store has it. */
  async #chunkFor(key: Bytes): Promise<Located | undefined> {
    const page = lastNotAbove(this.#start!.pages, key);
    if (page < 0) return undefined;
    const chunks = await this.#page(page);
    return chunks[lastNotAbove(chunks, key)];
  }

  #page(index: number): Promise<readonly Located[]> {
    this.#pages[index] ??= this.#readPage(this.#start!.pages[index]!).catch((error: unknown) => {
      this.#pages[index] = undefined;
      throw error;
    });
    return this.#pages[index];
  }

  #readPage({ key, place }: Located): Promise<readonly Located[]> {
    this.options.onUse?.(place);
    return this.#reader!.read(place, (bytes) => {
      const chunks = decodeLocated(bytes);
      if (chunks.length === 0 || compareBytes(chunks[0]!.key, key) !== 0) throw new RangeError('it is another page');
      return chunks;
    });
  }

  #chunk({ key, place }: Located): Promise<Chunk> {
    this.options.onUse?.(place);
    return this.#cache.get(place, () =>
      this.#reader!.read(place, (bytes) => {
        const chunk = Chunk.decode(bytes);
        if (chunk.keys.length === 0 || compareBytes(chunk.keys[0]!, key) !== 0)
          throw new RangeError('it is another chunk');
        return chunk;
      }),
    );
  }

  /** The chunks that may have entries of a range, in its direction, read ahead. */
  async *#chunksOf(range: KeyRange, most: number): AsyncGenerator<Chunk, void, undefined> {
    const located = this.#located(range);
    for (let ahead = 1; ; ahead = Math.min(ahead * 2, most)) {
      const wanted: Located[] = [];
      while (wanted.length < ahead) {
        const next = await located.next();
        if (next.done === true) break;
        wanted.push(next.value);
      }
      if (wanted.length === 0) return;
      yield* await Promise.all(wanted.map((one) => this.#chunk(one)));
    }
  }

  async *#located({ gte = NOTHING, lt, reverse = false }: KeyRange): AsyncGenerator<Located, void, undefined> {
    const { pages } = this.#start!;
    const isBelowEnd = ({ key }: Located): boolean => lt === undefined || compareBytes(key, lt) < 0;
    const first = Math.max(0, lastNotAbove(pages, gte));
    const indexes = [...pages.keys()];
    const inRange = indexes.slice(first).filter((index) => isBelowEnd(pages[index]!));
    for (const index of reverse ? inRange.toReversed() : inRange) {
      const chunks = await this.#page(index);
      const begin = index === first ? Math.max(0, lastNotAbove(chunks, gte)) : 0;
      const found = chunks.slice(begin).filter(isBelowEnd);
      yield* reverse ? found.toReversed() : found;
    }
  }
}

/** The host is asked first, since the manifest changes. Where it cannot be reached, the last one that was read serves. */
async function manifestText(files: PublishedFiles, kept: KeptParts | undefined, reload: boolean): Promise<string> {
  try {
    return await files.manifest({ reload });
  } catch (error) {
    const last = isUnreached(error) ? await kept?.get(MANIFEST) : undefined;
    if (last === undefined) throw error;
    return new TextDecoder().decode(last);
  }
}

const UNREACHED: ReadonlySet<unknown> = new Set(['FETCH_FAILED', 'FETCH_TIMEOUT', 'STORE_UNAVAILABLE']);

const isUnreached = (error: unknown): boolean => UNREACHED.has((error as { readonly code?: unknown }).code);

/** The index of the last of sorted places whose key is not above a key; -1 if there is none. */
function lastNotAbove(list: readonly Located[], key: Bytes): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(list[middle]!.key, key) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function entriesOf(
  { keys, values }: Chunk,
  { gte, lt, reverse = false }: KeyRange,
  read: 'keys' | 'values' | 'entries',
  most: number,
): Entry[] {
  const begin = gte === undefined ? 0 : firstNotBelow(keys, gte);
  const end = lt === undefined ? keys.length : firstNotBelow(keys, lt);
  const entries: Entry[] = [];
  for (let i = 0; i < end - begin && entries.length < most; i++) {
    const at = reverse ? end - 1 - i : begin + i;
    entries.push({ key: read === 'values' ? NOTHING : keys[at]!, value: read === 'keys' ? NOTHING : values[at]! });
  }
  return entries;
}
