/** Keeps what was read of published stores in Cache Storage: the next visit reads it from there, also without a network. */
import type { KeptParts } from '@quadrille/storage-published';

/** Of one store. What was kept first goes first. */
const MOST_BYTES = 64 * 1024 * 1024;
/** When there is more, so much is left: deleting is rare then. */
const LEFT_BYTES = 48 * 1024 * 1024;
/** A start file has no size in its name, and is smaller. */
const START_BYTES = 512 * 1024;

/** Browsers have Cache Storage in secure pages alone, and some private windows refuse it: nothing is kept there. */
export async function openKeptParts(place: string, mostBytes = MOST_BYTES): Promise<KeptParts | undefined> {
  const { caches } = globalThis as { readonly caches?: CacheStorage };
  const cache = await caches?.open(`quadrille published ${place}`).catch(() => undefined);
  return cache === undefined ? undefined : new CachedParts(cache, place, mostBytes);
}

class CachedParts implements KeptParts {
  /** By address, in the order in which they were kept. Read when something is kept for the first time. */
  #sizes: Map<string, number> | undefined;
  #bytes = 0;
  /** What is kept is written one after the other, so that it takes little of the time of queries. */
  #last: Promise<void> = Promise.resolve();

  constructor(
    private readonly cache: Cache,
    private readonly place: string,
    private readonly mostBytes: number,
  ) {}

  async get(name: string): Promise<Uint8Array | undefined> {
    const response = await this.cache.match(this.place + name);
    return response === undefined ? undefined : new Uint8Array(await response.arrayBuffer());
  }

  put(name: string, bytes: Uint8Array): Promise<void> {
    const putting = this.#last.then(() => this.#put(this.place + name, bytes));
    this.#last = putting.catch(() => undefined);
    return putting;
  }

  async #put(url: string, bytes: Uint8Array): Promise<void> {
    const sizes = (this.#sizes ??= await this.#read());
    await this.cache.put(url, new Response(bytes as Uint8Array<ArrayBuffer>));
    this.#forget(sizes, url);
    sizes.set(url, bytes.length);
    this.#bytes += bytes.length;
    if (isStart(url)) await this.#delete([...sizes.keys()].filter((each) => isStart(each) && each !== url));
    if (this.#bytes > this.mostBytes) await this.#delete(this.#oldest(sizes));
  }

  async #read(): Promise<Map<string, number>> {
    const sizes = new Map<string, number>();
    for (const { url } of await this.cache.keys()) {
      const bytes = Number(/\d+-(\d+)$/.exec(url)?.[1] ?? START_BYTES);
      sizes.set(url, bytes);
      this.#bytes += bytes;
    }
    return sizes;
  }

  /** Parts that have to go. Without the manifest and its start file nothing could be opened. */
  #oldest(sizes: ReadonlyMap<string, number>): string[] {
    const left = (this.mostBytes * LEFT_BYTES) / MOST_BYTES;
    const found: string[] = [];
    let bytes = this.#bytes;
    for (const [url, size] of sizes) {
      if (bytes <= left) break;
      if (!isPart(url)) continue;
      found.push(url);
      bytes -= size;
    }
    return found;
  }

  async #delete(urls: readonly string[]): Promise<void> {
    for (const url of urls) {
      await this.cache.delete(url);
      this.#forget(this.#sizes!, url);
    }
  }

  #forget(sizes: Map<string, number>, url: string): void {
    this.#bytes -= sizes.get(url) ?? 0;
    sizes.delete(url);
  }
}

const isPart = (url: string): boolean => /\/\d+-\d+$/.test(url);
const isStart = (url: string): boolean => url.endsWith('.start');
