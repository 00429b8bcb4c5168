/** A store: the catalogue of accounts and repositories in one storage, and the repositories that are open. */
import { CorruptionError, Mutex, NotFoundError, StateError } from '@quadrille/model';
import type { EngineState, StorageEngine } from '@quadrille/storage';
import { Accounts } from './catalogue/accounts.js';
import { BlockCache } from './keyspace/block-cache.js';
import { droppedKey, nextRepositoryOp, readNextRepository, repositoryKey, toJson } from './catalogue/catalogue.js';
import type { SpaceUse } from './maintenance/compact.js';
import { dropData, finishDrops } from './catalogue/drop-repository.js';
import type { Env } from './runtime/env.js';
import type { VerifyReport } from './maintenance/verify.js';
import { accountOf, checkRepositoryName, withoutAccount } from './catalogue/names.js';
import type { NamedValues } from './catalogue/named-values.js';
import { OpenRepositories } from './open/pool.js';
import { rebuildFromLog } from './maintenance/rebuild.js';
import { tidyUp, writeAlone } from './keyspace/write-alone.js';
import { RepositoryHandle } from './open/handle.js';
import { firstRevisionOps } from './open/first-revision.js';
import { RepositoryRecords } from './catalogue/repository-records.js';
import type { NewRepository, RecordFields, RepositoryRecord } from './catalogue/repository-records.js';
import { Repository } from './repository.js';
import { loadDigest } from './revision/digest.js';
import { ServiceRecords } from './catalogue/service-records.js';
import { Keyspace } from './keyspace/keyspace.js';
import { DEFAULT_TUNING } from './runtime/tuning.js';
import type { Tuning } from './runtime/tuning.js';
import { verifyRepositories } from './maintenance/verify-store.js';

export interface StoreOptions {
  readonly env: Env;
  /** Memory for cached blocks. Default 64 MiB. */
  readonly cacheBytes?: number | undefined;
  /** Memory for open repositories; beyond it those that nothing uses are let go. Default 128 MiB. */
  readonly repositoryBytes?: number | undefined;
  /** Whether commits are acknowledged after fsync. Default true. */
  readonly durable?: boolean | undefined;
  /** Prefixes that a new account begins with. Default none. */
  readonly namespaces?: Readonly<Record<string, string>> | undefined;
  /** For tests: sizes other than the {@link DEFAULT_TUNING}. */
  readonly tuning?: Partial<Tuning> | undefined;
}

const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;
const DEFAULT_REPOSITORY_BYTES = 128 * 1024 * 1024;

export class Store {
  readonly #writeLock = new Mutex();
  readonly #repositories: RepositoryRecords;
  readonly #accounts: Accounts;
  readonly #open: OpenRepositories;
  #nextRepository: number;
  #closed = false;
  #closing: Promise<void> | undefined;
  /** What a server keeps beside the repositories. */
  readonly records: ServiceRecords;

  private constructor(
    readonly engine: StorageEngine,
    readonly env: Env,
    readonly cache: BlockCache,
    readonly durable: boolean,
    readonly tuning: Tuning,
    namespaces: Readonly<Record<string, string>>,
    repositoryBytes: number,
    nextRepository: number,
  ) {
    const access = { engine, env, durable, writeLock: this.#writeLock, check: () => this.#check() };
    this.#repositories = new RepositoryRecords(access);
    this.#accounts = new Accounts(access, this.#repositories, namespaces);
    this.#open = new OpenRepositories({ bytes: repositoryBytes, spared: tuning.sparedRepositories }, env);
    this.#nextRepository = nextRepository;
    this.records = new ServiceRecords(engine, durable);
  }

  /** Opens the store in a storage, or begins one where the storage is empty. The store owns the engine. */
  static async open(engine: StorageEngine, options: StoreOptions): Promise<Store> {
    await loadDigest();
    const { env, cacheBytes = DEFAULT_CACHE_BYTES, repositoryBytes = DEFAULT_REPOSITORY_BYTES } = options;
    const { durable = true, namespaces = {} } = options;
    const stored = await readNextRepository(engine);
    const next = stored ?? 1;
    const tuning = { ...DEFAULT_TUNING, ...options.tuning };
    const cache = new BlockCache(cacheBytes);
    const store = new Store(engine, env, cache, durable, tuning, namespaces, repositoryBytes, next);
    if (stored === undefined) await writeAlone(engine, [nextRepositoryOp(next)], durable);
    if (engine.capabilities.readOnly !== true) await tidyUp(() => finishDrops(engine, durable));
    return store;
  }

  /** `failed`: a write failed, and all are refused until one finds that the storage has recovered. */
  get state(): EngineState {
    return this.#closed ? 'closed' : this.engine.state;
  }

  #check(): void {
    if (this.#closed) throw new StateError('STORE_NOT_OPEN', 'the store is closed');
  }

  /** Opens a repository, or makes it where `create` says so. `name` is `account/repository`. */
  async repository(name: string, create?: Omit<RepositoryRecord, 'id' | 'created'> | boolean): Promise<Repository> {
    this.#check();
    checkRepositoryName(name);
    const open = this.#open.find(name);
    if (open === undefined) return this.#open.add(name, this.#openOrCreate(name, create));
    const repository = await open;
    await repository.ready();
    return repository;
  }

  /** The repositories in memory: others were let go, or not used yet. */
  get repositoriesInMemory(): Iterable<Repository> {
    return this.#open.inMemory;
  }

  /** Revisions made since the store was opened. */
  get commits(): number {
    return this.#open.commits;
  }

  async #openOrCreate(name: string, create: NewRepository | boolean | undefined): Promise<Repository> {
    let record = await this.record(name);
    if (record === undefined) {
      if (create === undefined || create === false) {
        throw new NotFoundError('REPOSITORY_NOT_FOUND', `there is no repository ${name}`, {
          details: { repository: name },
        });
      }
      record = await this.#create(name, create === true ? { name: withoutAccount(name) } : create);
    }
    const handle = await RepositoryHandle.open(this.#keyspace(record.id, name), this.env);
    return new Repository(name, handle);
  }

  #create(name: string, given: NewRepository): Promise<RepositoryRecord> {
    return this.#writeLock.run(async () => {
      const existing = await this.record(name);
      if (existing !== undefined) return existing;
      const record = { ...given, id: this.#nextRepository++, created: new Date(this.env.now()).toISOString() };
      await this.#accounts.ensure(accountOf(name));
      // The data come first: a record without data would be a broken repository.
      await writeAlone(this.engine, firstRevisionOps(this.#keyspace(record.id, name), this.env), this.durable);
      await writeAlone(
        this.engine,
        [nextRepositoryOp(this.#nextRepository), { type: 'put', key: repositoryKey(name), value: toJson(record) }],
        this.durable,
      );
      return record;
    });
  }

  #keyspace(id: number, name: string): Keyspace {
    return new Keyspace(this.engine, this.cache, id, name, this.durable, this.tuning);
  }

  /**
   * Makes the indexes of a repository anew from its log, also where they are so damaged that it cannot be opened.
   * @throws CorruptionError where the log or the terms themselves are damaged
   */
  async rebuild(name: string): Promise<SpaceUse> {
    const opened = await this.repository(name).catch((error: unknown) => {
      if (error instanceof CorruptionError) return undefined;
      throw error;
    });
    if (opened !== undefined) return opened.rebuild();
    const record = await this.record(name);
    const handle = await RepositoryHandle.openOnLog(this.#keyspace(record!.id, name), this.env);
    const repository = new Repository(name, handle);
    const bytesBefore = await repository.bytes();
    await rebuildFromLog(handle);
    return { bytesBefore, bytesAfter: await repository.bytes() };
  }

  /** What the catalogue says of a repository; `undefined` if there is none. */
  record(name: string): Promise<RepositoryRecord | undefined> {
    return this.#repositories.get(name);
  }

  /** Changes what the catalogue says of a repository; `null` clears a field. */
  setRecord(name: string, change: RecordFields): Promise<RepositoryRecord> {
    return this.#repositories.change(name, change);
  }

  /** Names and records of all repositories, or of those of an account, sorted by name. */
  repositories(account?: string): Promise<Map<string, RepositoryRecord>> {
    return this.#repositories.list(account);
  }

  /** Deletes a repository and gives its space back. False if there was none. */
  async deleteRepository(name: string): Promise<boolean> {
    this.engine.assertWritable();
    const id = await this.#writeLock.run(async () => {
      const record = await this.record(name);
      if (record === undefined) return undefined;
      const open = await Promise.resolve(this.#open.find(name)).catch(() => undefined);
      open?.handle.end(new StateError('STORE_NOT_OPEN', `repository ${name} was deleted`));
      this.#open.delete(name);
      await open?.handle.settled();
      // From here on it is gone; the mark lets an interrupted deletion go on at the next open.
      await writeAlone(
        this.engine,
        [
          { type: 'delete', key: repositoryKey(name) },
          { type: 'put', key: droppedKey(record.id), value: new Uint8Array(0) },
        ],
        this.durable,
      );
      return record.id;
    });
    if (id === undefined) return false;
    await dropData(this.engine, id, this.durable);
    return true;
  }

  accounts(): Promise<string[]> {
    return this.#accounts.list();
  }

  /** When an account was made (ISO 8601); `undefined` if there is none. */
  accountCreated(name: string): Promise<string | undefined> {
    return this.#accounts.created(name);
  }

  createAccount(name: string): Promise<void> {
    return this.#accounts.create(name);
  }

  /** False if there was none. @throws ConflictError `PRECONDITION_FAILED` while it has repositories */
  deleteAccount(name: string): Promise<boolean> {
    return this.#accounts.delete(name);
  }

  /** Prefixes that hold for all repositories of an account. */
  accountNamespaces(account: string): NamedValues {
    return this.#accounts.namespaces(account);
  }

  /** Checks the catalogue and every repository. */
  async verify(): Promise<VerifyReport> {
    this.#check();
    return verifyRepositories((await this.repositories()).keys(), (name) => this.repository(name));
  }

  /** Waits for what is under way and closes the storage. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#closed = true;
    await this.#open.close();
    await this.engine.close();
  }
}
