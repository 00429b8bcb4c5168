/** Reads chunks and pages: several of them by one request where they are neighbours, and none twice. */
import { StorageError } from '@quadrille/model';
import type { Checksum } from '@quadrille/storage';
import type { KeptParts, PublishedFiles } from './files.js';
import type { Place, PublishedFile } from './layout.js';
import { unpack, type Inflate } from './packing.js';

/** Bytes between two places that are fetched in vain where they make one request of two. */
const MOST_GAP_BYTES = 64 * 1024;
const MOST_REQUEST_BYTES = 1024 * 1024;

interface Wanted {
  readonly place: Place;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

/** Says whether unpacked bytes are those that belong at a place. */
type Check<T> = (bytes: Uint8Array) => T;

export class ChunkReader {
  #waiting: Wanted[] = [];
  /** By place: what an opening reads, from the start file. */
  readonly #copies = new Map<string, Uint8Array>();

  constructor(
    private readonly files: PublishedFiles,
    private readonly list: readonly PublishedFile[],
    private readonly inflate: Inflate,
    private readonly checksum: Checksum,
    private readonly kept: KeptParts | undefined,
    /** Whether the host gives whole files alone, which are small then. */
    private readonly small: boolean,
  ) {}

  /** Bytes that need not be fetched. */
  hold(place: Place, stored: Uint8Array): void {
    this.#copies.set(nameOf(place), stored);
  }

  /**
   * What is stored at a place, as `check` makes it. Calls of one turn share requests.
   * @throws StorageError `HOST_UNSUITABLE` if the host gives other bytes, also when they are read once more
   */
  async read<T>(place: Place, check: Check<T>): Promise<T> {
    const file = this.list[place.file];
    if (file === undefined) throw this.#wrong(place, new RangeError('there is no such file'));
    const known = this.#copies.get(nameOf(place)) ?? (await this.kept?.get(this.#keptName(place)));
    const first = known ?? (await this.#fetch(place));
    try {
      const checked = check(await unpack(first, this.inflate, this.checksum));
      if (known === undefined) void this.kept?.put(this.#keptName(place), first).catch(() => undefined);
      return checked;
    } catch {
      // A cache on the way may have old bytes.
      const again = await this.#readAgain(place, file);
      try {
        const checked = check(await unpack(again, this.inflate, this.checksum));
        void this.kept?.put(this.#keptName(place), again).catch(() => undefined);
        return checked;
      } catch (cause) {
        throw this.#wrong(place, cause);
      }
    }
  }

  async #readAgain({ at, bytes }: Place, { name, bytes: size }: PublishedFile): Promise<Uint8Array> {
    if (!this.small) return this.files.read(name, at, bytes, size, { reload: true });
    return (await this.files.read(name, 0, size, size, { reload: true })).subarray(at, at + bytes);
  }

  #keptName({ file, at, bytes }: Place): string {
    return `${this.list[file]!.name}/${at}-${bytes}`;
  }

  #wrong({ file, at, bytes }: Place, cause: unknown): StorageError {
    const name = this.list[file]?.name ?? String(file);
    const why = cause instanceof Error ? cause.message : String(cause);
    return new StorageError(
      'HOST_UNSUITABLE',
      `${this.files.place} gives wrong bytes ${at} to ${at + bytes - 1} of ${name}: ${why}`,
      { cause, details: { file: name } },
    );
  }

  #fetch(place: Place): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ place, resolve, reject }) === 1) queueMicrotask(() => this.#send());
    });
  }

  #send(): void {
    const wanted = this.#waiting.sort((a, b) => a.place.file - b.place.file || a.place.at - b.place.at);
    this.#waiting = [];
    let group: Wanted[] = [];
    for (const one of wanted) {
      if (group.length > 0 && !this.#isNear(group, one.place)) {
        void this.#request(group);
        group = [];
      }
      group.push(one);
    }
    void this.#request(group);
  }

  #isNear(group: readonly Wanted[], { file, at, bytes }: Place): boolean {
    const first = group[0]!.place;
    if (this.small) return file === first.file;
    const end = endOf(group);
    return file === first.file && at - end <= MOST_GAP_BYTES && at + bytes - first.at <= MOST_REQUEST_BYTES;
  }

  async #request(group: readonly Wanted[]): Promise<void> {
    const { file, at: first } = group[0]!.place;
    const { name, bytes: size } = this.list[file]!;
    const [at, end] = this.small ? [0, size] : [first, endOf(group)];
    try {
      const bytes = await this.files.read(name, at, end - at, size);
      for (const { place, resolve } of group) resolve(bytes.subarray(place.at - at, place.at - at + place.bytes));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}

const nameOf = ({ file, at }: Place): string => `${file}/${at}`;

const endOf = (group: readonly Wanted[]): number =>
  group.reduce((end, { place }) => Math.max(end, place.at + place.bytes), 0);
