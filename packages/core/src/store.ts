/** A store: the catalogue of accounts and repositories in one storage, and the repositories that are open. */
import {
  ConflictError,
  CorruptionError,
  InvalidArgumentError,
  Mutex,
  NotFoundError,
  StateError,
} from '@quadrille/model';
import type { EngineState, StorageEngine } from '@quadrille/storage';
import { ByteReader, ByteWriter } from './bytes.js';
import { BlockCache } from './cache.js';
import type { Env } from './env.js';
import { afterPrefix, Area, areaKey, dataKey, FORMAT_VERSION, putU32, readU32, textKey } from './format.js';
import type { VerifyProblem, VerifyReport } from './invariants.js';
import { NamedValues } from './namespaces.js';
import { OpenRepositories } from './open-repositories.js';
import { Repository } from './repository.js';
import type { SpaceUse } from './compact.js';
import { rebuildFromLog } from './rebuild.js';
import { tidyUp, writeAlone } from './recovery.js';
import { RepositoryCore } from './repository-core.js';
import { loadDigest } from './revision/digest.js';
import { ServiceRecords } from './service-records.js';
import { Space } from './space.js';
import { DEFAULT_TUNING } from './tuning.js';
import type { Tuning } from './tuning.js';

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

/** What the catalogue says of a repository beside its data. Not versioned. */
export interface RepositoryRecord {
  /** Its number in keys. */
  readonly id: number;
  /** The name as it was given. */
  readonly name: string;
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly homepage?: string | undefined;
  /** ISO 8601. */
  readonly created: string;
}

const NAME = /^[a-z0-9_][a-z0-9_-]{0,99}$/;
const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;
const DEFAULT_REPOSITORY_BYTES = 128 * 1024 * 1024;
const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();
const toJson = (value: unknown): Uint8Array => utf8.encode(JSON.stringify(value));

export class Store {
  readonly #catalogue = new Mutex();
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
    private readonly namespaces: Readonly<Record<string, string>>,
    repositoryBytes: number,
    nextRepository: number,
  ) {
    this.#open = new OpenRepositories({ bytes: repositoryBytes, spared: tuning.sparedRepositories }, env);
    this.#nextRepository = nextRepository;
    this.records = new ServiceRecords(engine, durable);
  }

  /** Opens the store in a storage, or begins one where the storage is empty. The store owns the engine. */
  static async open(engine: StorageEngine, options: StoreOptions): Promise<Store> {
    await loadDigest();
    const { env, cacheBytes = DEFAULT_CACHE_BYTES, repositoryBytes = DEFAULT_REPOSITORY_BYTES } = options;
    const { durable = true, namespaces = {} } = options;
    const stored = await engine.get(areaKey(Area.store));
    let next = 1;
    if (stored !== undefined) {
      const reader = new ByteReader(stored);
      const version = reader.varint();
      if (version > FORMAT_VERSION) {
        throw new CorruptionError(
          'FORMAT_VERSION',
          `the store has format ${version}, this version reads up to ${FORMAT_VERSION}`,
        );
      }
      next = reader.varint();
    }
    const tuning = { ...DEFAULT_TUNING, ...options.tuning };
    const cache = new BlockCache(cacheBytes);
    const store = new Store(engine, env, cache, durable, tuning, namespaces, repositoryBytes, next);
    if (stored === undefined) await writeAlone(engine, [store.#metaOp()], durable);
    if (engine.capabilities.readOnly !== true) await tidyUp(() => store.#finishDrops());
    return store;
  }

  #metaOp(): { type: 'put'; key: Uint8Array; value: Uint8Array } {
    const value = new ByteWriter(8).varint(FORMAT_VERSION).varint(this.#nextRepository).finish().slice();
    return { type: 'put', key: areaKey(Area.store), value };
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

  async #openOrCreate(
    name: string,
    create: Omit<RepositoryRecord, 'id' | 'created'> | boolean | undefined,
  ): Promise<Repository> {
    let record = await this.record(name);
    if (record === undefined) {
      if (create === undefined || create === false) {
        throw new NotFoundError('REPOSITORY_NOT_FOUND', `there is no repository ${name}`, {
          details: { repository: name },
        });
      }
      const given = create === true ? { name: name.slice(name.indexOf('/') + 1) } : create;
      record = await this.#create(name, given);
    }
    const core = await RepositoryCore.open(this.#space(record.id, name), this.env);
    return new Repository(name, core);
  }

  #create(name: string, given: Omit<RepositoryRecord, 'id' | 'created'>): Promise<RepositoryRecord> {
    return this.#catalogue.run(async () => {
      const existing = await this.record(name);
      if (existing !== undefined) return existing;
      const record = { ...given, id: this.#nextRepository++, created: new Date(this.env.now()).toISOString() };
      await this.#ensureAccount(accountOf(name));
      // The data come first: a record without data would be a broken repository.
      await RepositoryCore.create(this.#space(record.id, name), this.env);
      await writeAlone(
        this.engine,
        [this.#metaOp(), { type: 'put', key: repositoryKey(name), value: toJson(record) }],
        this.durable,
      );
      return record;
    });
  }

  #space(id: number, name: string): Space {
    return new Space(this.engine, this.cache, id, name, this.durable, this.tuning);
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
    const core = await RepositoryCore.openOnLog(this.#space(record!.id, name), this.env);
    const repository = new Repository(name, core);
    const bytesBefore = await repository.bytes();
    await rebuildFromLog(core);
    return { bytesBefore, bytesAfter: await repository.bytes() };
  }

  /** What the catalogue says of a repository; `undefined` if there is none. */
  async record(name: string): Promise<RepositoryRecord | undefined> {
    this.#check();
    checkRepositoryName(name);
    const value = await this.engine.get(repositoryKey(name));
    return value && (JSON.parse(fromUtf8.decode(value)) as RepositoryRecord);
  }

  /** Changes what the catalogue says of a repository; `null` clears a field. */
  setRecord(
    name: string,
    change: Partial<Record<'name' | 'summary' | 'description' | 'homepage', string | null>>,
  ): Promise<RepositoryRecord> {
    return this.#catalogue.run(async () => {
      const record = await this.record(name);
      if (record === undefined) throw new NotFoundError('REPOSITORY_NOT_FOUND', `there is no repository ${name}`);
      const changed: Record<string, unknown> = { ...record };
      for (const [field, value] of Object.entries(change)) {
        if (value === null) delete changed[field];
        else changed[field] = value;
      }
      changed['name'] ??= name.slice(name.indexOf('/') + 1);
      await writeAlone(this.engine, [{ type: 'put', key: repositoryKey(name), value: toJson(changed) }], this.durable);
      return changed as unknown as RepositoryRecord;
    });
  }

  /** Names and records of all repositories, or of those of an account, sorted by name. */
  async repositories(account?: string): Promise<Map<string, RepositoryRecord>> {
    this.#check();
    const head = account === undefined ? areaKey(Area.repository) : textKey(areaKey(Area.repository), `${account}/`);
    const found = new Map<string, RepositoryRecord>();
    for await (const chunk of this.engine.range({ gte: head, lt: afterPrefix(head) }, { read: 'entries' })) {
      for (const { key, value } of chunk) {
        found.set(fromUtf8.decode(key.subarray(1)), JSON.parse(fromUtf8.decode(value)) as RepositoryRecord);
      }
    }
    return found;
  }

  /** Deletes a repository and gives its space back. False if there was none. */
  async deleteRepository(name: string): Promise<boolean> {
    this.engine.assertWritable();
    const id = await this.#catalogue.run(async () => {
      const record = await this.record(name);
      if (record === undefined) return undefined;
      const open = await Promise.resolve(this.#open.find(name)).catch(() => undefined);
      open?.close();
      this.#open.delete(name);
      await open?.core.settled();
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
    await this.#drop(id);
    return true;
  }

  async #finishDrops(): Promise<void> {
    const head = areaKey(Area.dropped);
    const dropped: number[] = [];
    for await (const chunk of this.engine.range({ gte: head, lt: afterPrefix(head) }, { read: 'keys' })) {
      for (const { key } of chunk) dropped.push(readU32(key, 1));
    }
    for (const id of dropped) await this.#drop(id);
  }

  async #drop(id: number): Promise<void> {
    const gte = dataKey(id, 0).subarray(0, 5);
    const lt = afterPrefix(gte);
    // In portions, so that no batch grows with the repository.
    for (;;) {
      let last: Uint8Array | undefined;
      for await (const chunk of this.engine.range({ gte, lt, limit: 2048 }, { read: 'keys' }))
        last = chunk.at(-1)?.key.slice() ?? last;
      if (last === undefined) break;
      const end = new Uint8Array(last.length + 1);
      end.set(last);
      await this.engine.write([{ type: 'deleteRange', gte, lt: end }], { durable: false });
    }
    await writeAlone(this.engine, [{ type: 'delete', key: droppedKey(id) }], this.durable);
    if (this.engine.capabilities.compact) await this.engine.compact({ gte, lt });
  }

  async accounts(): Promise<string[]> {
    this.#check();
    const head = areaKey(Area.account);
    const names: string[] = [];
    for await (const chunk of this.engine.range({ gte: head, lt: afterPrefix(head) }, { read: 'keys' })) {
      for (const { key } of chunk) names.push(fromUtf8.decode(key.subarray(1)));
    }
    return names;
  }

  /** When an account was made (ISO 8601); `undefined` if there is none. */
  async accountCreated(name: string): Promise<string | undefined> {
    this.#check();
    checkName(name, 'account');
    const value = await this.engine.get(accountKey(name));
    return value && (JSON.parse(fromUtf8.decode(value)) as { created: string }).created;
  }

  createAccount(name: string): Promise<void> {
    checkName(name, 'account');
    return this.#catalogue.run(async () => {
      if ((await this.engine.get(accountKey(name))) !== undefined) {
        throw new ConflictError('ALREADY_EXISTS', `there is an account ${name} already`, {
          details: { account: name },
        });
      }
      await this.#ensureAccount(name);
    });
  }

  async #ensureAccount(name: string): Promise<void> {
    if ((await this.engine.get(accountKey(name))) !== undefined) return;
    const value = toJson({ created: new Date(this.env.now()).toISOString() });
    const head = accountNamespaceHead(name);
    const prefixes = Object.entries(this.namespaces).map(([prefix, iri]) => ({
      type: 'put' as const,
      key: textKey(head, prefix),
      value: utf8.encode(iri),
    }));
    await writeAlone(this.engine, [{ type: 'put', key: accountKey(name), value }, ...prefixes], this.durable);
  }

  /** False if there was none. @throws ConflictError `PRECONDITION_FAILED` while it has repositories */
  deleteAccount(name: string): Promise<boolean> {
    return this.#catalogue.run(async () => {
      if ((await this.engine.get(accountKey(name))) === undefined) return false;
      const repositories = await this.repositories(name);
      if (repositories.size > 0) {
        throw new ConflictError(
          'PRECONDITION_FAILED',
          `account ${name} still has ${repositories.size} repositories: delete them first`,
        );
      }
      const namespaces = accountNamespaceHead(name);
      await writeAlone(
        this.engine,
        [
          { type: 'delete', key: accountKey(name) },
          { type: 'deleteRange', gte: namespaces, lt: afterPrefix(namespaces) },
        ],
        this.durable,
      );
      return true;
    });
  }

  /** Prefixes that hold for all repositories of an account. */
  accountNamespaces(account: string): NamedValues {
    checkName(account, 'account');
    return new NamedValues(this.engine, accountNamespaceHead(account), this.durable);
  }

  /** Checks the catalogue and every repository. */
  async verify(): Promise<VerifyReport> {
    this.#check();
    const problems: VerifyProblem[] = [];
    const checked: Record<string, number> = { repositories: 0 };
    for (const name of (await this.repositories()).keys()) {
      checked['repositories']!++;
      const report = await this.#verifyOne(name);
      problems.push(...report.problems);
      for (const [what, count] of Object.entries(report.checked)) checked[what] = (checked[what] ?? 0) + count;
    }
    return { ok: problems.length === 0, checked, problems };
  }

  async #verifyOne(name: string): Promise<VerifyReport> {
    try {
      return await (await this.repository(name)).verify();
    } catch (error) {
      if (!(error instanceof CorruptionError)) throw error;
      return { ok: false, checked: {}, problems: [{ code: error.code, message: error.message, where: name }] };
    }
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

const accountOf = (name: string): string => name.slice(0, name.indexOf('/'));
const repositoryKey = (name: string): Uint8Array => textKey(areaKey(Area.repository), name);
const accountKey = (name: string): Uint8Array => textKey(areaKey(Area.account), name);
const accountNamespaceHead = (name: string): Uint8Array => textKey(areaKey(Area.accountNamespace), `${name}\0`);

function droppedKey(id: number): Uint8Array {
  const key = new Uint8Array(5);
  key[0] = Area.dropped;
  putU32(key, 1, id);
  return key;
}

/** @throws InvalidArgumentError `INVALID_NAME` */
export function checkName(name: string, what: 'account' | 'repository'): void {
  if (NAME.test(name)) return;
  throw new InvalidArgumentError(
    'INVALID_NAME',
    `not ${what === 'account' ? 'an account' : 'a repository'} name: ${JSON.stringify(name).slice(0, 120)} (a-z, 0-9, _ and -, at most 100)`,
  );
}

function checkRepositoryName(name: string): void {
  const slash = name.indexOf('/');
  checkName(slash === -1 ? name : name.slice(0, slash), 'account');
  checkName(slash === -1 ? '' : name.slice(slash + 1), 'repository');
}
