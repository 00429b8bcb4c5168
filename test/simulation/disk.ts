/** What outlives a process of a simulation: a backend, a journal and blob files on a disk, or a service that several processes share. */
import {
  MemoryDriver,
  type Bytes,
  type DriverSnapshot,
  type Entry,
  type KeyRange,
  type RangeOptions,
  type StorageCapabilities,
  type StorageDriver,
  type WriteOp,
  type WriteOptions,
  type WriteOutcome,
} from '@quadrille/storage';
import {
  BlobDriver,
  JournalledDriver,
  type BlobFiles,
  type BlobOptions,
  type JournalFile,
  type JournalFiles,
  type JournalOptions,
} from '@quadrille/storage-directory';
import { SimulatedBlobFiles, SimulatedJournalFiles } from '@quadrille/storage-directory/testing';
import {
  SharedMemory,
  SharedMemoryDriver,
  SharedStorage,
  type PackSlice,
  type SharedDriver,
  type SharedStorageOptions,
} from '@quadrille/storage-shared';
import type { Fate, HeldCalls, Life } from './held-calls.js';

/** The forms of storage that a simulation tries. */
export const FORMS = ['backend', 'journal', 'blobs', 'shared'] as const;
export type Form = (typeof FORMS)[number];

export interface DiskOptions {
  readonly form: Form;
  /** Whether the backend answers reads without waiting. */
  readonly getSync: boolean;
  readonly journal: JournalOptions;
  readonly blobs: BlobOptions;
  readonly shared: SharedStorageOptions;
}

/** The role of a server of a shared store. Other stores have a writer only. */
export type Role = 'writer' | 'follower';

export class Disk {
  readonly backend = new MemoryDriver();
  readonly journal = new SimulatedJournalFiles();
  readonly blobs = new SimulatedBlobFiles();
  readonly service = new SharedMemory();
  /** Ids of the packs that were read. */
  readonly packsRead = new Set<string>();

  constructor(
    readonly options: DiskOptions,
    private readonly calls: HeldCalls,
    private readonly newId: () => string,
  ) {}

  /** The storage of a process, as far as {@link DiskOptions} wants it. */
  storage(life: Life, role: Role = 'writer'): StorageDriver {
    const { calls, options } = this;
    if (options.form === 'shared') {
      const driver = heldService(calls, life, new PackReader(this.service, this.packsRead));
      const follow = role === 'follower';
      return new SharedStorage(driver, { ...options.shared, newId: this.newId, follow, takesOver: !follow });
    }
    const backend = new HeldBackend(this.backend, calls, life, options.getSync);
    if (options.form === 'backend') return backend;
    const hasRoom = (): boolean => !calls.full;
    const files = heldJournal(calls, life, this.journal);
    const journal = new JournalledDriver(backend, files, { ...options.journal, boot: 'boot', hasRoom });
    if (options.form === 'journal') return journal;
    return new BlobDriver(journal, heldBlobs(calls, life, this.blobs), { ...options.blobs, hasRoom });
  }
}

const FAILS: readonly Fate[] = ['fails before'];

/** A backend whose calls are held. A range shows the state of the moment at which it is begun, as the contract wants it. */
class HeldBackend implements StorageDriver {
  readonly name = 'simulated';
  readonly capabilities: StorageCapabilities;
  readonly getSync?: (key: Bytes) => Bytes | undefined;

  constructor(
    private readonly inner: MemoryDriver,
    private readonly calls: HeldCalls,
    private readonly life: Life,
    getSync: boolean,
  ) {
    this.capabilities = { getSync, durable: true, sizeOnDisk: false, compact: false };
    if (getSync) this.getSync = (key) => inner.getSync(key);
  }

  open(): Promise<void> {
    return this.#make('open', () => this.inner.open());
  }

  close(): Promise<void> {
    return this.#make('close', () => this.inner.close(), ['fails before', 'fails after']);
  }

  get(key: Bytes): Promise<Bytes | undefined> {
    return this.#make('get', () => this.inner.get(key));
  }

  getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    return this.#make('getMany', () => this.inner.getMany(keys));
  }

  range(range: KeyRange, options: Required<RangeOptions>): AsyncIterable<readonly Entry[]> {
    return this.#range(this.inner, range, options);
  }

  snapshot(): DriverSnapshot {
    const state = this.inner.snapshot();
    return {
      get: (key) => this.#make('get', () => state.get(key)),
      getMany: (keys) => this.#make('getMany', () => state.getMany(keys)),
      range: (range, options) => this.#range(state, range, options),
      close: () => state.close(),
    };
  }

  async *#range(
    state: Pick<StorageDriver, 'range'>,
    range: KeyRange,
    options: Required<RangeOptions>,
  ): AsyncGenerator<readonly Entry[], void, undefined> {
    const cursor = state.range(range, options)[Symbol.asyncIterator]();
    // Begun now: the answer comes later.
    let next = cursor.next();
    for (;;) {
      const step = await this.#make('range', () => next);
      if (step.done === true) return;
      yield step.value;
      next = cursor.next();
    }
  }

  write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    const fates: readonly Fate[] = ['fails before', 'fails after', 'lost before', 'lost after'];
    return this.calls.make<WriteOutcome>({
      life: this.life,
      name: 'backend.write',
      effect: () => this.inner.write(ops, options),
      fates: options.frees === true ? fates : [...fates, 'full'],
      unknown: 'unknown',
      full: 'full',
    });
  }

  approximateSize(range: KeyRange): Promise<number> {
    return this.#make('size', () => this.inner.approximateSize(range));
  }

  #make<T>(name: string, effect: () => Promise<T>, fates = FAILS): Promise<T> {
    return this.calls.make({ life: this.life, name: `backend.${name}`, effect, fates });
  }
}

/** The same object, with some methods replaced. */
function replacing<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy<T>(target, {
    get: (_, name) => {
      const value: unknown = Reflect.get(name in methods ? methods : target, name);
      return typeof value === 'function' ? value.bind(name in methods ? methods : target) : value;
    },
  });
}

function heldJournal(calls: HeldCalls, life: Life, files: SimulatedJournalFiles): JournalFiles {
  const make = <T>(name: string, effect: () => Promise<T>, fates = FAILS): Promise<T> =>
    calls.make({ life, name: `journal.${name}`, effect, fates });
  return replacing<JournalFiles>(files, {
    read: () => make('read', async () => (await files.read()).map((content) => content.slice())),
    open: () => make('open', () => files.open()),
    write: (file: JournalFile, bytes: Bytes, position: number) => {
      calls.now(life, 'journal.write', () => files.write(file, bytes.subarray(0, bytes.length / 2), position));
      files.write(file, bytes, position);
    },
    sync: (file: JournalFile) => make('sync', () => files.sync(file), ['fails before', 'fails after']),
    truncate: (file: JournalFile, length: number) => {
      calls.now(life, 'journal.truncate', () => undefined);
      files.truncate(file, length);
    },
    overwrite: () => make('overwrite', () => files.overwrite()),
    close: () => make('close', () => files.close()),
    remove: () => make('remove', () => files.remove()),
  });
}

function heldBlobs(calls: HeldCalls, life: Life, files: SimulatedBlobFiles): BlobFiles {
  const make = <T>(
    name: string,
    effect: () => Promise<T>,
    fates: readonly Fate[] = ['fails before', 'fails after'],
  ): Promise<T> => calls.make({ life, name: `blobs.${name}`, effect, fates });
  return replacing<BlobFiles>(files, {
    list: () => make('list', () => files.list(), FAILS),
    create: (file: number) => make('create', () => files.create(file)),
    write: (file: number, bytes: Bytes, position: number) => make('write', () => files.write(file, bytes, position)),
    sync: (file: number) => make('sync', () => files.sync(file)),
    truncate: (file: number, bytes: number) => make('truncate', () => files.truncate(file, bytes)),
    read: (file: number, into: Uint8Array, position: number) =>
      make('read', () => files.read(file, into, position), FAILS),
    remove: (file: number) => make('remove', () => files.remove(file), FAILS),
    // The files of a process that has ended are closed.
    close: () => make('close', () => files.close(), FAILS),
  });
}

/** A service that notes which packs are read. */
class PackReader extends SharedMemoryDriver {
  constructor(
    service: SharedMemory,
    private readonly packsRead: Set<string>,
  ) {
    super(service);
  }

  override getPacks(log: number, slices: readonly PackSlice[]): Promise<readonly (Bytes | undefined)[]> {
    for (const { pack } of slices) this.packsRead.add(pack);
    return super.getPacks(log, slices);
  }
}

/** What may become of a call of a service beside that it fails before its effect. */
const FATES: Partial<Record<keyof SharedDriver, readonly Fate[]>> = {
  append: ['fails before', 'lost before', 'lost after'],
  casRoot: ['fails before', 'lost before', 'lost after'],
  putPacks: ['fails before', 'fails after', 'full'],
  deletePacks: ['fails before', 'fails after'],
  trim: ['fails before', 'fails after'],
};

function heldService(calls: HeldCalls, life: Life, driver: SharedDriver): SharedDriver {
  return new Proxy<SharedDriver>(driver, {
    get(target, name: keyof SharedDriver) {
      const value = target[name];
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...args: unknown[]) => Promise<unknown>;
      const fates = FATES[name] ?? FAILS;
      return (...args: unknown[]) =>
        calls.make<unknown>({
          life,
          name: `shared.${name}`,
          effect: () => method(...args),
          fates,
          unknown: 'unknown',
          survives: name in FATES,
        });
    },
  });
}
