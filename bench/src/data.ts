/** Prepares the input of workloads: unpacked files, and stores that several workloads share. */
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { runPart } from './run-part.js';
import type { Settings } from './settings.js';
import type { Need, Storage } from './workload.js';

const FILES: Partial<Record<Need, string>> = {
  'bsbm-1m': 'bsbm/bsbm-1m.nt.gz',
  'bsbm-100k': 'bsbm/bsbm-100k.nt.gz',
  'fibo-2026q2': 'fibo/fibo-2026Q2.nt.gz',
  'watdiv-10': 'watdiv/watdiv-10.nt.gz',
};
const STORES: Partial<Record<Need, Need>> = {
  'bsbm-queries': 'store-1m',
  'store-1m': 'bsbm-1m',
  'store-1m-history': 'bsbm-1m',
  'store-100k': 'bsbm-100k',
  'quadstore-1m': 'bsbm-1m',
  'quadstore-100k': 'bsbm-100k',
  'virtuoso-1m': 'bsbm-1m',
};
/** Documents that are converted from N-Triples. They are kept between runs of the benchmark. */
const DOCUMENTS: Partial<Record<Need, Need>> = {
  'bsbm-1m.ttl': 'bsbm-1m',
  'bsbm-1m.rdf': 'bsbm-1m',
  'bsbm-100k.jsonld': 'bsbm-100k',
};
/** Stores that are generated, without an input file. */
const GENERATED: ReadonlySet<Need> = new Set<Need>(['store-repositories']);
/** Stores of other programs. Making them takes long and does not depend on this code, so they are kept between runs. */
const KEPT: ReadonlySet<Need> = new Set<Need>(['quadstore-1m']);

export class Data {
  readonly #ready = new Map<string, Promise<string | undefined>>();

  constructor(
    private readonly settings: Settings,
    /** Directory in which stores are made. The caller removes it. */
    private readonly directory: string,
  ) {}

  /** Directory of the data that the benchmark cannot make. */
  get source(): string {
    return this.settings.data;
  }

  /**
   * The path of a need; `undefined` if its source is missing. For storage in memory, it is the path of the document.
   */
  path(need: Need, storage: Storage = 'leveldb'): Promise<string | undefined> {
    const key = `${need} ${storage}`;
    let ready = this.#ready.get(key);
    if (ready === undefined) this.#ready.set(key, (ready = this.#make(need, storage)));
    return ready;
  }

  async #make(need: Need, storage: Storage): Promise<string | undefined> {
    const file = FILES[need];
    if (file !== undefined) return this.#unpacked(join(this.settings.data, file), `${need}.nt`);
    const original = DOCUMENTS[need];
    if (original !== undefined) return this.#document(need, original);
    const from = STORES[need];
    if (from !== undefined) return this.#store(need, from, storage);
    if (GENERATED.has(need)) return this.#generated(need);
    const folder = join(this.settings.data, need);
    return existsSync(folder) ? folder : undefined;
  }

  // Kept between runs of the benchmark, because unpacking 260 MB takes long.
  async #unpacked(packed: string, name: string): Promise<string | undefined> {
    if (!existsSync(packed)) return undefined;
    const unpacked = join(await this.#keptFolder(), name);
    if (await isNewer(unpacked, packed)) return unpacked;
    const partial = `${unpacked}.${process.pid}`;
    await pipeline(createReadStream(packed), createGunzip(), createWriteStream(partial));
    await rename(partial, unpacked);
    return unpacked;
  }

  async #document(need: Need, from: Need): Promise<string | undefined> {
    const source = await this.path(from);
    return source === undefined ? undefined : this.#kept(need, from, source);
  }

  async #store(need: Need, from: Need, storage: Storage): Promise<string | undefined> {
    const source = await this.path(from);
    if (source === undefined) return undefined;
    if (KEPT.has(need)) return this.#kept(need, from, source);
    if (storage === 'memory') return source;
    const path = join(this.directory, `${need}-${storage}`);
    await runPart('prepare', need, { [from]: source, [need]: path }, storage, this.directory, this.settings);
    return path;
  }

  async #generated(need: Need): Promise<string> {
    const path = join(this.directory, need);
    await runPart('prepare', need, { [need]: path }, 'leveldb', this.directory, this.settings);
    return path;
  }

  async #kept(need: Need, from: Need, source: string): Promise<string> {
    const path = join(await this.#keptFolder(), need);
    if (await isNewer(path, source)) return path;
    // The extension determines the format.
    const partial = join(await this.#keptFolder(), `${process.pid}.${need}`);
    await runPart('prepare', need, { [from]: source, [need]: partial }, 'leveldb', this.directory, this.settings);
    await rm(path, { recursive: true, force: true });
    await rename(partial, path);
    return path;
  }

  async #keptFolder(): Promise<string> {
    const folder = join(this.settings.scratch, `quadrille-bench-data-${process.getuid?.() ?? 0}`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }
}

async function isNewer(made: string, source: string): Promise<boolean> {
  return existsSync(made) && (await stat(made)).mtimeMs >= (await stat(source)).mtimeMs;
}
