/** Writes chunks into packs, and finds those that an earlier publication has: they stay where they are. */
import type { NameDigest } from '@quadrille/storage';
import { PACK_BYTES, SMALL_PACK_BYTES, type Place, type PublishedFile } from '../layout.js';
import type { PublicationTarget } from './target.js';

/** A pack. It gets its name when it is full. */
export interface Pack {
  name: string | undefined;
  bytes: number;
  /** Bytes of the chunks in it that are published now. */
  used: number;
}

/** Where a chunk stands, before packs have numbers. */
export interface Standing {
  readonly pack: Pack;
  readonly at: number;
  readonly bytes: number;
}

export class PackWriter {
  readonly #all: Pack[] = [];
  /** By digest: the chunks that are there already. */
  readonly #known = new Map<string, Standing>();
  #open: Pack = newPack();
  #parts: Uint8Array[] = [];
  /** Of the files that were written. */
  writtenBytes = 0;
  writtenFiles = 0;

  constructor(
    private readonly target: PublicationTarget,
    private readonly digest: NameDigest,
    private readonly small: boolean,
    private readonly leastUsed: number,
  ) {}

  /** Takes in the packs of an earlier publication, with the places of all chunks in them. */
  async know(files: readonly PublishedFile[], places: readonly Place[]): Promise<void> {
    const byFile = files.map((): Place[] => []);
    for (const place of places) byFile[place.file]?.push(place);
    const there = new Set(await this.target.dataFiles());
    for (const [number, { name, bytes }] of files.entries()) {
      if (!there.has(name)) continue;
      const content = await this.target.read(name, 0, bytes);
      if (content.length !== bytes || `${this.digest(content)}.pack` !== name) continue;
      const pack = { name, bytes, used: 0 };
      this.#all.push(pack);
      for (const place of byFile[number]!)
        this.#known.set(this.digest(content.subarray(place.at, place.at + place.bytes)), { pack, ...place });
    }
  }

  /** Adds a chunk as it is stored, unless it is there. */
  async add(stored: Uint8Array): Promise<Standing> {
    const digest = this.digest(stored);
    const known = this.#known.get(digest);
    if (known !== undefined) {
      known.pack.used += known.bytes;
      return known;
    }
    const most = this.small ? SMALL_PACK_BYTES : PACK_BYTES;
    if (this.#open.bytes > 0 && this.#open.bytes + stored.length > most) await this.flush();
    const standing = { pack: this.#open, at: this.#open.bytes, bytes: stored.length };
    this.#parts.push(stored);
    this.#open.bytes += stored.length;
    this.#open.used += stored.length;
    return standing;
  }

  /** Where a chunk stands in the end: packs of which too little is used are left, and their chunks are written anew. */
  async settle(standing: Standing): Promise<Standing> {
    const { pack, at, bytes } = standing;
    const { name } = pack;
    if (name === undefined || pack === this.#open || pack.used >= pack.bytes * this.leastUsed) return standing;
    const stored = await this.target.read(name, at, bytes);
    this.#known.delete(this.digest(stored));
    return this.add(stored);
  }

  /** Writes the open pack. */
  async flush(): Promise<void> {
    if (this.#parts.length === 0) return;
    const content = new Uint8Array(this.#open.bytes);
    let at = 0;
    for (const part of this.#parts) {
      content.set(part, at);
      at += part.length;
    }
    const name = `${this.digest(content)}.pack`;
    await this.target.write(name, content);
    this.#open.name = name;
    this.#all.push(this.#open);
    this.writtenBytes += content.length;
    this.writtenFiles++;
    this.#open = newPack();
    this.#parts = [];
  }
}

const newPack = (): Pack => ({ name: undefined, bytes: 0, used: 0 });
