/** A database: the store and what the library keeps beside it. */
import { platform } from '#platform';
import type { Repository as CoreRepository, Store } from '@quadrille/core';
import { checkName } from '@quadrille/core';
import { ConflictError, InvalidArgumentError, StateError } from '@quadrille/model';
import type {
  Account,
  BackupOptions,
  BackupReport,
  Database,
  DatabaseMetrics,
  JsonLdContexts,
  DeleteRepositoryOptions,
  ForkOptions,
  PullOptions,
  Repository,
  RepositoryInfo,
  RepositoryOptions,
  Results,
  RunningQuery,
  SpaceReport,
  VerifyReport,
} from './api/index.js';
import type { LazyEngine } from './sparql/lazy-engine.js';
import { loadGuard } from './guard/load-guard.js';
import { databaseMetrics } from './metrics.js';
import { HOST } from './host/host-of.js';
import type { HostedDatabase } from './host/host-types.js';
import { Following } from './follow/following.js';
import { mergedPrefixes, StoredNamespaces } from './names/namespaces.js';
import { checkMetadata, firstRecord, metadataOf } from './names/metadata.js';
import { DELETE_REPOSITORY_OPTIONS, FORK_OPTIONS, PULL_OPTIONS, REPOSITORY_OPTIONS } from './options/calls.js';
import { checkOptions } from './options/check-options.js';
import { OpenRepository } from './repository.js';
import { listed } from './read/results.js';
import type { AnswerThreads } from './threads/answer-threads.js';
import type { Settling } from './write/running-writes.js';

/** What follows the commits of a repository: it signs them, or makes vectors of their texts. */
export type AfterCommits = (core: CoreRepository) => Settling & {
  /** Ends where the repository is gone, or the database closes. */
  run(): Promise<void>;
};

/** Where a database has the engine's store behind it. */
export const STORE = Symbol('store');

const DEFAULT_ACCOUNT = 'default';

export class OpenDatabase implements Database {
  /** Of those in memory, and of those that somebody holds. */
  readonly #repositories = new WeakMap<CoreRepository, OpenRepository>();
  readonly #accountNamespaces = new Map<string, StoredNamespaces>();
  readonly #busy = new Set<Settling>();
  readonly #following: Following;
  readonly #store: Store;
  readonly #engine: LazyEngine;
  readonly #threads: AnswerThreads | undefined;
  readonly #afterCommits: readonly AfterCommits[];
  readonly #contexts: JsonLdContexts | undefined;
  #closing: Promise<void> | undefined;
  #hosted: HostedDatabase | undefined;

  constructor(
    readonly location: string,
    store: Store,
    engine: LazyEngine,
    threads: AnswerThreads | undefined,
    afterCommits: readonly AfterCommits[] = [],
    contexts?: JsonLdContexts,
  ) {
    this.#store = store;
    this.#engine = engine;
    this.#threads = threads;
    this.#afterCommits = afterCommits;
    this.#contexts = contexts;
    this.#following = new Following(store, (name) => this.repository(name));
    if (store.engine.follows) this.#following.start();
  }

  async repository(name: string, options: RepositoryOptions = {}): Promise<Repository> {
    checkOptions(options, REPOSITORY_OPTIONS, 'repository');
    if (options.metadata !== undefined) checkMetadata(options.metadata);
    const full = fullName(name);
    const create = options.create === true && firstRecord(full, options.metadata ?? {});
    const core = await this.#store.repository(full, create);
    // It may have made the account as well.
    if (create !== false) this.#forgetNamespaces(accountOf(full));
    const repository = this.#of(core);
    return options.branch === undefined ? repository : repository.branches.open(options.branch);
  }

  #of(core: CoreRepository): OpenRepository {
    let repository = this.#repositories.get(core);
    if (repository === undefined) {
      repository = this.#open(core);
      this.#repositories.set(core, repository);
    }
    return repository;
  }

  #open(core: CoreRepository): OpenRepository {
    const { name } = core;
    const account = this.#namespacesOf(accountOf(name));
    const own = new StoredNamespaces(core.namespaces);
    const prefixes = mergedPrefixes(account, own);
    const check = (): void => {
      if (this.#closing !== undefined) throw new StateError('STORE_NOT_OPEN', `the store ${this.location} is closed`);
      core.handle.check();
    };
    const [engine, threads, store, contexts] = [this.#engine, this.#threads, this.#store, this.#contexts];
    const onBranch = (other: CoreRepository): OpenRepository => this.#of(other);
    const context = { core, engine, threads, contexts, store, prefixes, check, busy: this.#busy, onBranch };
    this.#follow(core);
    core.guardWith(async (candidate, settings) => {
      const { checkCandidate } = await loadGuard();
      return checkCandidate(candidate, settings, { engine, repository: name });
    });
    return new OpenRepository(context, own);
  }

  #follow(core: CoreRepository): void {
    for (const make of this.#afterCommits) {
      const follower = make(core);
      this.#busy.add(follower);
      void follower.run().finally(() => this.#busy.delete(follower));
    }
  }

  #namespacesOf(account: string): StoredNamespaces {
    let namespaces = this.#accountNamespaces.get(account);
    if (namespaces === undefined) {
      namespaces = new StoredNamespaces(this.#store.accounts.namespaces(account));
      this.#accountNamespaces.set(account, namespaces);
    }
    return namespaces;
  }

  // Whoever holds them sees what is stored now.
  #forgetNamespaces(account: string): void {
    this.#accountNamespaces.get(account)?.forget();
  }

  repositories(account?: string): Results<RepositoryInfo> {
    return listed(async () =>
      Array.from(await this.#store.repositories(account), ([name, record]) => ({ name, metadata: metadataOf(record) })),
    );
  }

  async clone(name: string, source: string | Repository, options: PullOptions = {}): Promise<Repository> {
    checkOptions(options, PULL_OPTIONS, 'clone');
    const { clone } = await import('./replication/index.js');
    const open = async (full: string): Promise<{ core: CoreRepository; repository: Repository }> => {
      if ((await this.#store.repositories()).has(full))
        throw new ConflictError(
          'ALREADY_EXISTS',
          `there is a repository ${full}: pull into it, or choose another name`,
        );
      const repository = await this.repository(full, { create: true });
      return { core: await this.#store.repository(full, false), repository };
    };
    return clone(this, open, fullName(name), source, options);
  }

  async fork(source: string, target: string, options: ForkOptions = {}): Promise<Repository> {
    checkOptions(options, FORK_OPTIONS, 'fork');
    const full = fullName(target);
    const core = await this.#store.fork(fullName(source), full, options);
    this.#forgetNamespaces(accountOf(full));
    return this.#of(core);
  }

  async deleteRepository(name: string, options: DeleteRepositoryOptions = {}): Promise<boolean> {
    checkOptions(options, DELETE_REPOSITORY_OPTIONS, 'deleteRepository');
    const full = fullName(name);
    const { ifRevision } = options;
    const expected =
      ifRevision === undefined ? undefined : await (await this.#store.repository(full)).locate(ifRevision);
    return this.#store.deleteRepository(full, expected);
  }

  account(name: string): Account {
    checkName(name, 'account');
    return { name, namespaces: this.#namespacesOf(name) };
  }

  readonly accounts = {
    list: (): Results<string> => listed(() => this.#store.accounts.list()),
    created: async (name: string): Promise<Date | undefined> => {
      const created = await this.#store.accounts.created(name);
      return created === undefined ? undefined : new Date(created);
    },
    create: async (name: string): Promise<void> => {
      await this.#store.accounts.create(name);
      this.#forgetNamespaces(name);
    },
    delete: async (name: string): Promise<boolean> => {
      const deleted = await this.#store.accounts.delete(name);
      this.#forgetNamespaces(name);
      return deleted;
    },
  };

  get state(): Database['state'] {
    return this.#store.state;
  }

  get [STORE](): Store {
    return this.#store;
  }

  get [HOST](): HostedDatabase {
    const [store, engine] = [this.#store, this.#engine];
    return (this.#hosted ??= {
      records: store.records,
      begin: (options) => engine.begin(options),
      queryMemory: () => engine.memory(),
      refresh: (options) => this.#following.refresh(options),
      get refreshes() {
        return store.engine.shown.count;
      },
    });
  }

  queries(): readonly RunningQuery[] {
    return this.#engine.running;
  }

  metrics(): DatabaseMetrics {
    return databaseMetrics(this.#store, this.#engine.running.length, this.#threads?.figures);
  }

  verify(): Promise<VerifyReport> {
    return this.#store.verify();
  }

  rebuild(name: string): Promise<SpaceReport> {
    return this.#store.rebuild(fullName(name));
  }

  async backup(target: string | URL | WritableStream<Uint8Array>, options?: BackupOptions): Promise<BackupReport> {
    return (await platform.backups()).backup(this.#store, this.location, target, options);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#following.stop();
    await this.#threads?.close();
    await Promise.all(Array.from(this.#busy, (repository) => repository.settle()));
    return this.#store.close();
  }

  /** What `console.log` shows. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `Database ${this.location} (${this.state})`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** `account/repository`; a name alone is in the account `default`. */
export function fullName(name: string): string {
  if (typeof name !== 'string')
    throw new InvalidArgumentError('INVALID_NAME', `not a repository name: ${String(name)}`);
  return name.includes('/') ? name : `${DEFAULT_ACCOUNT}/${name}`;
}

const accountOf = (name: string): string => name.slice(0, name.indexOf('/'));
