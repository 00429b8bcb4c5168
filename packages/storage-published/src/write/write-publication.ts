/**
 * Publishes the entries of a store: chunks in packs, the directory, the start file, and the manifest last. Whoever reads an earlier
 * publication in the folder goes on: its files stay.
 */
import {
  loadChecksum,
  loadNameDigest,
  type Bytes,
  type Checksum,
  type Entry,
  type NameDigest,
  type StorageDriver,
} from '@quadrille/storage';
import { encodeChunk } from '../chunk.js';
import { decodeLocated, encodeLocated } from '../directory.js';
import type { PublishedFiles } from '../files.js';
import {
  CHUNK_BYTES,
  LEAST_CHUNK_BYTES,
  MANIFEST,
  MOST_START_BYTES,
  PAGE_CHUNKS,
  PUBLISHED_FORMAT,
  WHOLE_DIRECTORY_BYTES,
  type Place,
  type PublishedFile,
} from '../layout.js';
import { encodeManifest, type Manifest } from '../manifest.js';
import { store, unpack, type Deflate, type Inflate } from '../packing.js';
import { PublishedDriver } from '../published-driver.js';
import { decodeStart, encodeStart, type Start } from '../start-file.js';
import { PackWriter, type Standing } from './packs.js';
import type { PublicationTarget } from './target.js';

export interface PublicationOptions {
  readonly target: PublicationTarget;
  readonly deflate: Deflate;
  readonly inflate: Inflate;
  /** Whether the host gives whole files alone. */
  readonly small: boolean;
  readonly about: Pick<Manifest, 'store' | 'entries' | 'repositories'>;
  /** The manifest of the earlier publication, of which chunks are taken over. */
  readonly earlier?: Manifest | undefined;
  /** A pack of an earlier publication of which less than this share is used is not taken over. */
  readonly leastUsed: number;
  /** Uses the store as whoever opens it: what it reads then comes with the start file. */
  readonly use: (driver: StorageDriver) => Promise<void>;
  /** Called between two chunks; may throw. */
  readonly check: () => Promise<void> | void;
}

export interface Publication {
  readonly manifest: Manifest;
  /** Data files that were written now, and their bytes. */
  readonly written: { readonly files: number; readonly bytes: number };
  /** Data files of the folder that nobody needs who opens the store from now on. */
  readonly superfluous: readonly string[];
}

interface Standings {
  readonly key: Bytes;
  standing: Standing;
}

/** @param entries in the order of their keys, with values as drivers have them */
export async function writePublication(
  entries: AsyncIterable<readonly Entry[]>,
  options: PublicationOptions,
): Promise<Publication> {
  const [digest, checksum] = await Promise.all([loadNameDigest(), loadChecksum()]);
  return new PublicationWriter(options, digest, checksum).run(entries);
}

class PublicationWriter {
  readonly #packs: PackWriter;

  constructor(
    private readonly options: PublicationOptions,
    private readonly digest: NameDigest,
    private readonly checksum: Checksum,
  ) {
    this.#packs = new PackWriter(options.target, digest, options.small, options.leastUsed);
  }

  async run(entries: AsyncIterable<readonly Entry[]>): Promise<Publication> {
    const { target, small, about, earlier } = this.options;
    if (earlier !== undefined) await this.#takeOver(earlier);
    const chunks: Standings[] = [];
    for await (const chunk of chunksOf(entries, this.checksum)) {
      await this.options.check();
      chunks.push({ key: chunk[0]!.key, standing: await this.#packs.add(this.#stored(encodeChunk(chunk))) });
    }
    for (const chunk of chunks) chunk.standing = await this.#packs.settle(chunk.standing);
    await this.#packs.flush();
    const start = await this.#directory(chunks);
    const content = encodeStart(await this.#withCopies(start));
    const file = { name: `${this.digest(content)}.start`, bytes: content.length };
    const isNew = !(await target.dataFiles()).includes(file.name);
    if (isNew) await target.write(file.name, content);
    const bytes = start.files.reduce((sum, one) => sum + one.bytes, file.bytes);
    const manifest: Manifest = { format: PUBLISHED_FORMAT, ...about, start: file, bytes, small };
    await target.write(MANIFEST, encodeManifest(manifest, this.digest));
    const needed = new Set([...start.files.map(({ name }) => name), file.name]);
    return {
      manifest,
      written: {
        files: this.#packs.writtenFiles + Number(isNew),
        bytes: this.#packs.writtenBytes + (isNew ? file.bytes : 0),
      },
      superfluous: (await target.dataFiles()).filter((name) => !needed.has(name)),
    };
  }

  #stored(bytes: Uint8Array): Uint8Array {
    return store(bytes, this.options.deflate, this.checksum);
  }

  /** An earlier publication that is damaged has nothing to take over. */
  async #takeOver({ start: { name, bytes } }: Manifest): Promise<void> {
    const { target, inflate } = this.options;
    if (!(await target.dataFiles()).includes(name)) return;
    const content = await target.read(name, 0, bytes);
    if (`${this.digest(content)}.start` !== name) return;
    const { files, pages } = decodeStart(content);
    const places: Place[] = [];
    for (const { place } of pages) {
      const stored = await target.read(files[place.file]!.name, place.at, place.bytes);
      places.push(place, ...decodeLocated(await unpack(stored, inflate, this.checksum)).map((chunk) => chunk.place));
    }
    await this.#packs.know(files, places);
  }

  /** Writes the pages of the directory, which know the numbers of the packs of all chunks. */
  async #directory(chunks: readonly Standings[]): Promise<Omit<Start, 'copies'>> {
    const files: PublishedFile[] = [];
    const numbers = new Map<string, number>();
    const placeOf = ({ pack, at, bytes }: Standing): Place => {
      const name = pack.name!;
      if (!numbers.has(name)) numbers.set(name, files.push({ name, bytes: pack.bytes }) - 1);
      return { file: numbers.get(name)!, at, bytes };
    };
    const located = chunks.map(({ key, standing }) => ({ key, place: placeOf(standing) }));
    const pages: Standings[] = [];
    for (let from = 0; from < located.length; from += PAGE_CHUNKS) {
      const page = located.slice(from, from + PAGE_CHUNKS);
      pages.push({ key: page[0]!.key, standing: await this.#packs.add(this.#stored(encodeLocated(page))) });
    }
    await this.#packs.flush();
    return { files, pages: pages.map(({ key, standing }) => ({ key, place: placeOf(standing) })) };
  }

  /** What an opening reads, found by one. */
  async #withCopies(start: Omit<Start, 'copies'>): Promise<Start> {
    const used = new Map<string, Place>();
    const note = (place: Place): void => void used.set(`${place.file}/${place.at}`, place);
    const directoryBytes = start.pages.reduce((sum, { place }) => sum + place.bytes, 0);
    if (directoryBytes <= WHOLE_DIRECTORY_BYTES) for (const { place } of start.pages) note(place);
    const files = new FilesOfTarget(this.options, start, this.digest);
    await this.options.use(new PublishedDriver(files, { inflate: this.options.inflate, onUse: note }));
    const copies: { place: Place; stored: Uint8Array }[] = [];
    let bytes = 0;
    for (const place of used.values()) {
      bytes += place.bytes;
      if (bytes > MOST_START_BYTES) break;
      const { name } = start.files[place.file]!;
      copies.push({ place, stored: await this.options.target.read(name, place.at, place.bytes) });
    }
    return { ...start, copies };
  }
}

/** The publication as it is before it has a manifest. */
class FilesOfTarget implements PublishedFiles {
  readonly place: string;
  readonly #start: Uint8Array;
  readonly #manifest: string;

  constructor(
    private readonly options: PublicationOptions,
    start: Omit<Start, 'copies'>,
    digest: NameDigest,
  ) {
    const { about, small, target } = options;
    this.place = target.place;
    this.#start = encodeStart({ ...start, copies: [] });
    const file = { name: `${digest(this.#start)}.start`, bytes: this.#start.length };
    this.#manifest = encodeManifest({ format: PUBLISHED_FORMAT, ...about, start: file, bytes: 0, small }, digest);
  }

  manifest(): Promise<string> {
    return Promise.resolve(this.#manifest);
  }

  read(name: string, at: number, bytes: number): Promise<Uint8Array> {
    if (name.endsWith('.start')) return Promise.resolve(this.#start);
    return this.options.target.read(name, at, bytes);
  }

  close(): void {}
}

/** Where the numbers of a repository and its kinds of entries end in a key: entries of two kinds do not share a chunk. */
const FAMILY_BYTES = 6;

/** Entries in groups that become chunks. Where they end depends on their own keys and sizes, so that equal entries are grouped alike. */
async function* chunksOf(
  entries: AsyncIterable<readonly Entry[]>,
  checksum: Checksum,
): AsyncGenerator<readonly Entry[], void, undefined> {
  let chunk: Entry[] = [];
  let bytes = 0;
  for await (const part of entries)
    for (const entry of part) {
      if (chunk.length > 0 && (bytes >= CHUNK_BYTES || isOther(chunk[0]!.key, entry.key) || mayEnd(entry, bytes))) {
        yield chunk;
        chunk = [];
        bytes = 0;
      }
      chunk.push(entry);
      bytes += entry.key.length + entry.value.length;
    }
  if (chunk.length > 0) yield chunk;

  function mayEnd({ key }: Entry, before: number): boolean {
    return before >= LEAST_CHUNK_BYTES && checksum(key) % 8 === 0;
  }
}

function isOther(a: Bytes, b: Bytes): boolean {
  for (let i = 0; i < FAMILY_BYTES; i++) if (a[i] !== b[i]) return true;
  return false;
}
