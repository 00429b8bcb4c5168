/** The database of a process that shares the store of another one. */
import { ClientError, repositoryBy, Requests } from '@quadrille/client';
import { InvalidArgumentError, RecentMap } from '@quadrille/model';
import type {
  Database,
  DeleteRepositoryOptions,
  ForkOptions,
  Repository,
  RepositoryInfo,
  RepositoryOptions,
  Results,
} from 'quadrille';
import type { SharedPlace } from 'quadrille/host';
import { addOwnFunctions } from './errors.js';
import { guestRepository } from './guest-repository.js';
import { HolderCalls } from './guest-calls.js';
import { TOOLS_OF_HOLDER } from '../mcp/forward/forwarded-calls.js';
import { toolsOfHolder } from './guest-tools.js';
import { asLibrary, refused } from './library-calls.js';
import { CREATE } from './protocol.js';

const BASE = 'http://localhost';
const MISSES = ['clone', 'metrics'];
/** Repositories that are kept, so that equal names give the same object. */
const MOST_KNOWN = 100;

type Fetch = (address: string, request: RequestInit) => Promise<Response>;

interface RecordOfRepository {
  readonly repository_id: string;
  readonly name: string;
  readonly summary: string | null;
  readonly description: string | null;
  readonly homepage: string | null;
  readonly created: string;
}

/** The name with its account. */
const fullName = (name: string): string => (name.includes('/') ? name : `default/${name}`);

export class GuestDatabase {
  readonly #server: Requests;
  readonly #feeds = new Set<AsyncIterableIterator<unknown>>();
  readonly #known = new RecentMap<string, Repository>(MOST_KNOWN);
  /** The calls of the library. */
  readonly database: Database;

  /** @param check throws where the database is closed */
  constructor(
    place: SharedPlace,
    private readonly fetch: Fetch,
    private readonly check: () => void,
  ) {
    this.#server = this.#requests('');
    addOwnFunctions(place.functions);
    const calls = new HolderCalls(this.#server);
    const members = {
      state: 'open',
      location: place.location,
      repository: (name: string, options?: RepositoryOptions) => this.#repository(name, options),
      repositories: (account?: string) => results(() => this.#repositories(account)),
      fork: (source: string, target: string, options?: ForkOptions) => this.#fork(source, target, options),
      deleteRepository: (name: string, options?: DeleteRepositoryOptions) => this.#delete(name, options),
      account: (name: string) => ({ name, namespaces: repositoryBy(this.#requests(`/${name}`)).namespaces }),
      accounts: {
        list: () => results(() => this.#accounts()),
        created: calls.reading('accounts.created'),
        create: refused('accounts.create'),
        delete: refused('accounts.delete'),
      },
      queries: () => [],
      verify: calls.reading('verify'),
      rebuild: calls.writing('rebuild'),
      backup: calls.backup,
      [TOOLS_OF_HOLDER]: toolsOfHolder(this.#server),
    };
    this.database = asLibrary(members, {}, MISSES) as Database;
  }

  /** Ends what follows. */
  close(): void {
    for (const feed of this.#feeds) void feed.return?.().catch(() => undefined);
    this.#feeds.clear();
  }

  #requests(path: string, branch?: string): Requests {
    return new Requests({ url: BASE + path, token: undefined, branch, fetch: this.fetch });
  }

  async #repository(name: string, options: RepositoryOptions = {}): Promise<Repository> {
    this.check();
    const { create = false, branch = 'main', metadata = {} } = options;
    const full = fullName(checkedName(name));
    const requests = this.#requests(`/${full}`, 'main');
    const headers = create ? { [CREATE]: encodeURIComponent(JSON.stringify(metadata)) } : {};
    await requests.json({ path: '/revisions/HEAD', headers });
    let repository = this.#known.get(full);
    if (repository === undefined) {
      repository = guestRepository({ requests, name: full, feeds: this.#feeds, check: this.check });
      this.#known.set(full, repository);
    }
    return branch === 'main' ? repository : repository.branches.open(branch);
  }

  async *#repositories(account: string | undefined): AsyncGenerator<RepositoryInfo> {
    this.check();
    const path = account === undefined ? '/repositories' : `/${account}/repositories`;
    let records: readonly RecordOfRepository[];
    try {
      records = await this.#server.json<readonly RecordOfRepository[]>({ path });
    } catch (error) {
      if (error instanceof ClientError && error.code === 'ACCOUNT_NOT_FOUND') return;
      throw error;
    }
    for (const { repository_id: id, name, summary, description, homepage, created } of records)
      yield {
        name: id,
        metadata: {
          name,
          summary: summary || undefined,
          description: description ?? undefined,
          homepage: homepage ?? undefined,
          created: new Date(created),
        },
      };
  }

  async *#accounts(): AsyncGenerator<string> {
    this.check();
    for (const { name } of await this.#server.json<readonly { readonly name: string }[]>({ path: '/accounts' }))
      yield name;
  }

  async #fork(source: string, target: string, { at, signal }: ForkOptions = {}): Promise<Repository> {
    this.check();
    const json = { target: fullName(checkedName(target)), ...(at !== undefined && { at: refText(at) }) };
    await this.#requests(`/${fullName(source)}`).send({ method: 'POST', path: '/fork', json, signal });
    return this.#repository(target);
  }

  async #delete(name: string, { ifRevision }: DeleteRepositoryOptions = {}): Promise<boolean> {
    this.check();
    const requests = this.#requests(`/${fullName(checkedName(name))}`);
    const head = ifRevision === undefined ? undefined : await repositoryBy(requests).at(refText(ifRevision)).revision();
    try {
      const headers = head === undefined ? {} : { 'If-Match': `"${head.id}"` };
      await requests.send({ method: 'DELETE', path: '', headers });
      return true;
    } catch (error) {
      if (error instanceof ClientError && error.code === 'REPOSITORY_NOT_FOUND') return false;
      throw error;
    }
  }
}

const refText = (ref: unknown): string => (ref instanceof Date ? ref.toISOString() : String(ref));

/** A name that is no path: the holder would see another address. */
function checkedName(name: string): string {
  if (typeof name === 'string' && /^[a-z\d_-]{1,100}(?:\/[a-z\d_-]{1,100})?$/.test(name)) return name;
  throw new InvalidArgumentError('INVALID_NAME', `not a repository name: ${String(name).slice(0, 200)}`);
}

/** Results of a list. */
const results = <T>(items: () => AsyncGenerator<T>): Results<T> => ({
  [Symbol.asyncIterator]: items,
  async toArray() {
    const all: T[] = [];
    for await (const item of items()) all.push(item);
    return all;
  },
  async first() {
    for await (const item of items()) return item;
    return undefined;
  },
});
