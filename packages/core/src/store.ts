/** A store: one storage with its catalogue of accounts and repositories, and the repositories that are open. */
import { CorruptionError, KeyedMutex, StateError, StorageError } from '@quadrille/model';
import type { EngineState, StorageEngine } from '@quadrille/storage';
import { Accounts } from './catalogue/accounts.js';
import { Catalogue } from './catalogue/catalogue.js';
import { DroppedData } from './catalogue/dropped-data.js';
import { MovedRepositories, repositoryMoving } from './catalogue/moved-repositories.js';
import { checkRepositoryName, repositoryNotFound, withoutAccount } from './catalogue/names.js';
import { RepositoryMetadata } from './catalogue/repository-metadata.js';
import { RepositoryRecords } from './catalogue/repository-records.js';
import type { NewRepository, RepositoryRecord } from './catalogue/repository-records.js';
import { ServiceRecords } from './catalogue/service-records.js';
import { StoreFormat } from './catalogue/store-format.js';
import { BlockCache, DEFAULT_CACHE_BYTES } from './keyspace/block-cache.js';
import { Keyspace } from './keyspace/keyspace.js';
import { recovered } from './keyspace/write-alone.js';
import type { SpaceUse } from './compact/compact.js';
import { measured } from './compact/disk-usage.js';
import type { VerifyReport } from './integrity/verify.js';
import { firstRevisionOps } from './timeline/first-revision.js';
import { RepositoryHandle } from './open/handle.js';
import { type FailedFlush, OpenRepositories } from './open/pool.js';
import { Repository } from './repository.js';
import type { Follower } from './follow/follower.js';
import type { ForkOptions } from './backup/fork-repository.js';
import type { CopyParts } from './move/copy-entries.js';
import { loadDigest } from './format/digest.js';
import { type RevisionRecord, toRevision } from './revision/record.js';
import type { Env } from './runtime/env.js';
import { DEFAULT_TUNING } from './runtime/tuning.js';
import type { Tuning } from './runtime/tuning.js';

/** Options of {@link Store.open}. */
export interface StoreOptions {
  /** Clock, random numbers and turns of the event loop. */
  readonly env: Env;
  /** Memory of the block cache, in bytes. At least 4 MiB. Default 64 MiB. */
  readonly cacheBytes?: number | undefined;
  /**
   * Memory for open repositories, in bytes. Beyond it the store unloads unused ones, least recently used first.
   * Default 128 MiB.
   */
  readonly repositoryBytes?: number | undefined;
  /** Whether the storage syncs a commit to the disk before it is acknowledged. Default true. */
  readonly durable?: boolean | undefined;
  /** Namespaces of every new account, prefix → IRI. Default none. */
  readonly namespaces?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether the first commit may upgrade a store of an earlier format. Otherwise commits to it fail with
   * `FORMAT_VERSION`. Default true.
   */
  readonly upgrade?: boolean | undefined;
  /** Called before the first commit upgrades a store, with its format. The upgrade cannot be undone. */
  readonly onUpgrade?: ((from: number) => void) | undefined;
  /** For tests: sizes that differ from `DEFAULT_TUNING`. */
  readonly tuning?: Partial<Tuning> | undefined;
}

const DEFAULT_REPOSITORY_BYTES = 128 * 1024 * 1024;

/** All repositories and accounts of one storage. */
export class Store {
  /** The block cache, which all repositories share. */
  readonly cache: BlockCache;
  /** The accounts and their namespaces. */
  readonly accounts: Accounts;
  /** The records of the server: tokens, jobs and similar. */
  readonly records: ServiceRecords;
  readonly #catalogue: Catalogue;
  readonly #format: StoreFormat;
  readonly #repositories: RepositoryRecords;
  readonly #dropped: DroppedData;
  /** Where repositories are that have moved to another store. */
  readonly moved: MovedRepositories;
  readonly #open: OpenRepositories<Repository>;
  /** Serialises opening, creating and deleting the repositories of one name. */
  readonly #names = new KeyedMutex();
  /** The repositories that waiting calls with `create` want, by name. */
  readonly #wanted = new Map<string, NewRepository>();
  readonly #tuning: Tuning;
  #follower: Promise<Follower<Repository>> | undefined;
  #closed = false;
  #closing: Promise<void> | undefined;

  private constructor(
    /** The storage, which the store owns. */
    readonly engine: StorageEngine,
    private readonly env: Env,
    options: StoreOptions,
  ) {
    const { cacheBytes = DEFAULT_CACHE_BYTES, repositoryBytes = DEFAULT_REPOSITORY_BYTES } = options;
    const { durable = true, namespaces = {}, tuning, upgrade = true, onUpgrade } = options;
    this.#tuning = { ...DEFAULT_TUNING, ...tuning };
    this.cache = new BlockCache(cacheBytes);
    this.records = new ServiceRecords(engine, durable);
    this.#catalogue = new Catalogue(engine, env, durable, () => this.#check());
    this.accounts = new Accounts(this.#catalogue, namespaces);
    this.#format = new StoreFormat(this.#catalogue, { allowed: upgrade, onUpgrade });
    this.#repositories = new RepositoryRecords(this.#catalogue, this.accounts, this.#format);
    this.#dropped = new DroppedData(this.#catalogue, () => this.#closed);
    this.moved = new MovedRepositories(this.#catalogue);
    this.#open = new OpenRepositories({ bytes: repositoryBytes, spared: this.#tuning.sparedRepositories }, env);
  }

  /** Opens the store in a storage; creates it if the storage is empty. The store owns the engine and closes it. */
  static async open(engine: StorageEngine, options: StoreOptions): Promise<Store> {
    await loadDigest();
    const store = new Store(engine, options.env, options);
    await store.#begin();
    return store;
  }

  // Opening must succeed on a full disk: a write that fails here is repeated at the next open.
  async #begin(): Promise<void> {
    await this.#format.begin();
    await this.#dropped.deleteMarked();
  }

  /**
   * The state of the storage. In state `failed` a write has failed, and writes are refused until the storage has
   * recovered.
   */
  get state(): EngineState {
    return this.#closed ? 'closed' : this.engine.state;
  }

  /** UUID of the store; `undefined` if it has neither a marker nor the newest format. */
  get id(): string | undefined {
    return this.#format.id;
  }

  /** Repositories that could not be flushed before they were unloaded last. */
  get failedFlushes(): readonly FailedFlush[] {
    return this.#open.failures;
  }

  /** The repositories in memory. Unloaded repositories and those that were never used are missing. */
  get repositoriesInMemory(): Iterable<Repository> {
    return this.#open.inMemory;
  }

  /** Number of revisions made since the store was opened. */
  get commits(): number {
    return this.#open.commits;
  }

  #check(): void {
    if (this.#closed) throw new StateError('STORE_NOT_OPEN', 'the store is closed');
  }

  /**
   * Opens a repository. Creates it first if `create` is given and there is none. `name` is `account/repository`.
   * @throws NotFoundError `REPOSITORY_NOT_FOUND`; `REPOSITORY_MOVED` if it is in another store now
   */
  async repository(name: string, create: NewRepository | boolean = false): Promise<Repository> {
    this.#check();
    checkRepositoryName(name);
    const open = this.#open.find(name);
    // A repository that is being deleted: the lock of its name waits for the deletion.
    if (open?.handle.lifecycle === 'open' && (await isReady(open))) return open;
    const given = create === true ? { name: withoutAccount(name) } : create;
    if (given === false) return this.#names.run(name, () => this.#openNext(name, given));
    this.#wanted.set(name, given);
    try {
      return await this.#names.run(name, () => this.#openNext(name, given));
    } finally {
      this.#wanted.delete(name);
    }
  }

  // The caller holds the lock of the name.
  async #openNext(name: string, create: NewRepository | false): Promise<Repository> {
    this.#check();
    const open = this.#open.find(name);
    if (open !== undefined) {
      await open.ready();
      return open;
    }
    const repository = await this.engine.shown.opening(async () =>
      this.#read(name, (await this.record(name)) ?? (await this.#create(name, create))),
    );
    // If the store was closed meanwhile, its close() waits for this call and then closes the new handle too.
    this.#check();
    return repository;
  }

  async #read(name: string, record: RepositoryRecord): Promise<Repository> {
    const keyspace = this.#keyspaceOf(record, name);
    const handle = await RepositoryHandle.open(keyspace, this.env);
    const metadata = new RepositoryMetadata(this.#repositories, keyspace);
    const repository = new Repository(name, handle, metadata, { pool: this.#open });
    this.#open.add(repository);
    return repository;
  }

  // An open and a create that began together both succeed: whichever runs first creates the repository.
  async #create(name: string, given: NewRepository | false): Promise<RepositoryRecord> {
    await this.moved.assertNone(name);
    const wanted = given === false ? this.#wanted.get(name) : given;
    if (wanted === undefined) throw repositoryNotFound(name);
    return this.#repositories.create(name, wanted, (id) => firstRevisionOps(this.#keyspace(id, name), this.env));
  }

  #keyspaceOf({ id, moving }: RepositoryRecord, name: string): Keyspace {
    const keyspace = this.#keyspace(id, name);
    if (moving !== undefined) keyspace.refuseWrites(repositoryMoving(name, moving));
    return keyspace;
  }

  #keyspace(id: number, name: string): Keyspace {
    const { durable } = this.#catalogue;
    return new Keyspace(this.engine, this.cache, id, name, durable, this.#tuning, this.#format);
  }

  /** The catalogue record of a repository; `undefined` if there is none. */
  record(name: string): Promise<RepositoryRecord | undefined> {
    return this.#repositories.get(name);
  }

  /** Records of all repositories, or of those of one account, by name and sorted by name. */
  repositories(account?: string): Promise<Map<string, RepositoryRecord>> {
    return this.#repositories.list(account);
  }

  /**
   * Deletes a repository and frees its space; or frees the name of one that has moved. Returns false if there was none.
   * @throws StateError `REPOSITORY_MOVING`; ConflictError `REVISION_CONFLICT` if its head is another one than `expected`
   */
  async deleteRepository(name: string, expected?: RevisionRecord): Promise<boolean> {
    this.#check();
    this.engine.assertWritable();
    const id = await this.#names.run(name, () => this.#drop(name, expected));
    if (id === undefined) return this.moved.forget(name);
    await this.#dropped.delete(id);
    return true;
  }

  /**
   * Copies a repository with its whole history under another name.
   * @throws ConflictError `ALREADY_EXISTS`; NotFoundError `REPOSITORY_NOT_FOUND`, `REVISION_NOT_FOUND`
   */
  async fork(source: string, target: string, options: ForkOptions = {}): Promise<Repository> {
    this.#check();
    checkRepositoryName(target);
    this.engine.assertWritable();
    const { at } = options;
    // Before the name of the target is held, because another fork may wait for it with the name of the source.
    const from = await this.repository(source);
    const ref = at === undefined ? undefined : toRevision(await from.resolve(at)).id;
    const { forkRepository } = await import('./backup/index.js');
    await this.#names.run(target, async () => {
      const record = await this.record(source);
      if (record === undefined) throw repositoryNotFound(source);
      await this.moved.assertNone(target);
      await forkRepository(this.parts, { name: source, record }, target, { ...options, at: ref });
    });
    return this.repository(target);
  }

  /** What copies of repositories need of the store. */
  get parts(): CopyParts {
    return {
      catalogue: this.#catalogue,
      accounts: this.accounts,
      format: this.#format,
      keyspace: (id, name) => this.#keyspace(id, name),
      discard: (id) => this.#dropped.delete(id),
    };
  }

  // The caller holds the lock of the name. Returns the number of the deleted repository.
  async #drop(name: string, expected: RevisionRecord | undefined): Promise<number | undefined> {
    const record = await this.record(name);
    if (record === undefined) return undefined;
    if (record.moving !== undefined) throw repositoryMoving(name, record.moving);
    const mark = (): Promise<void> => this.#markDropped(name, record.id);
    const open = this.#open.find(name) ?? (expected && (await this.#read(name, record)));
    if (open === undefined) await mark();
    else {
      await open.handle.drop(mark, expected);
      this.#open.delete(open);
    }
    return record.id;
  }

  async #markDropped(name: string, id: number): Promise<void> {
    try {
      await this.#repositories.drop(name, id);
    } catch (error) {
      // If it was made all the same, nobody may write to the repository any more.
      if (!(error instanceof StorageError) || (await this.#mayBeThere(name, id))) throw error;
    }
  }

  async #mayBeThere(name: string, id: number): Promise<boolean> {
    try {
      await recovered(this.engine);
      return (await this.record(name))?.id === id;
    } catch {
      return true;
    }
  }

  /**
   * Rebuilds the indexes of a repository from its log. Also works if damage keeps the repository from opening.
   * @throws CorruptionError if the log or the terms themselves are damaged
   */
  async rebuild(name: string): Promise<SpaceUse> {
    const opened = await this.repository(name).catch((error: unknown) => {
      if (error instanceof CorruptionError) return undefined;
      throw error;
    });
    if (opened !== undefined) return opened.maintenance.rebuild();
    return this.#names.run(name, () => this.#rebuildFromLog(name));
  }

  // The caller holds the lock of the name, so no other call opens the repository meanwhile.
  async #rebuildFromLog(name: string): Promise<SpaceUse> {
    this.#check();
    const open = this.#open.find(name);
    if (open !== undefined) return open.maintenance.rebuild();
    const record = await this.record(name);
    if (record === undefined) throw repositoryNotFound(name);
    const { rebuildFromLog } = await import('./on-request.js');
    if (record.moving !== undefined) throw repositoryMoving(name, record.moving);
    const handle = await RepositoryHandle.openOnLog(this.#keyspace(record.id, name), this.env);
    try {
      return await measured(handle, () => rebuildFromLog(handle));
    } finally {
      await handle.close();
    }
  }

  /** Verifies the catalogue and every repository. */
  async verify(): Promise<VerifyReport> {
    this.#check();
    const { verifyRecords, verifyRepositories } = await import('./on-request.js');
    const report = await verifyRepositories((await this.repositories()).keys(), (name) => this.repository(name));
    const problems = [...(await verifyRecords(this.engine)), ...report.problems];
    return { ...report, ok: problems.length === 0, problems };
  }

  /**
   * Shows everything that other processes have written before the call. Snapshots and readers keep their revisions.
   * Does nothing if no other process writes, or if this one does.
   * @throws StorageError `LEASE_LOST` if another process has taken over from this one; `STORE_UNAVAILABLE`
   */
  async refresh(): Promise<void> {
    this.#check();
    // One follower, also if several calls begin while it is loaded.
    this.#follower ??= this.#loadFollower();
    await (await this.#follower).refresh();
    this.#check();
  }

  async #loadFollower(): Promise<Follower<Repository>> {
    const { Follower: Loaded } = await import('./on-request.js');
    return new Loaded<Repository>(this.engine, {
      known: () => this.#open.known,
      numberOf: async (name, view) => (await this.#repositories.get(name, view))?.id,
      forget: (repository) => this.#open.delete(repository),
    });
  }

  /** Waits for the work under way, then closes the storage. Later calls return the same promise. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#closed = true;
    await this.#names.idle();
    await this.#dropped.settled();
    await this.#open.close();
    await this.engine.close();
  }
}

// Returns false if the repository was deleted before it was in memory.
async function isReady(repository: Repository): Promise<boolean> {
  try {
    await repository.ready();
    return true;
  } catch (error) {
    if (repository.handle.lifecycle !== 'closed') throw error;
    return false;
  }
}
