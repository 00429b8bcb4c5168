/** Rights on repositories: owner, privacy and collaborators. */
import { AccessError, NotFoundError, StateError } from '@quadrille/model';
import type { KeyedMutex } from '@quadrille/model';
import type { Database, Repository, RepositoryInfo, RepositoryMetadata } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { type Caller, isKnown } from '../accounts/caller.js';
import { lacks, mayDo } from '../accounts/token-rights.js';
import { Records } from '../records.js';
import { isProtected, protectedBranch, servedBranch } from './served-branch.js';
import { isSlug } from './slug.js';

/** The readers of a repository. `public`: everybody; `authenticated`: every account; `private`: the owner and the collaborators. */
export type Privacy = 'private' | 'public' | 'authenticated';
/** The rights of an account to a repository. `write` includes `read`. */
export type Access = 'none' | 'read' | 'write';
/** The right that a call needs. Metadata, rights and deletion need `own`. */
export type Need = 'read' | 'write' | 'own';

/** The data that the service keeps for a repository. */
export interface Hosting {
  /** The accounts that may read it without being collaborators. */
  readonly privacy: Privacy;
  /** The rights of other accounts, by their names. */
  readonly collaborators: Readonly<Record<string, Exclude<Access, 'none'>>>;
  /** The address of the licence of its data. */
  readonly licenseUrl?: string | undefined;
  /** The last change of metadata or rights, ISO 8601. */
  readonly updated?: string | undefined;
}

export interface HostingRecord extends Hosting {
  /** When the repository was created, ISO 8601. A record with another time belongs to an earlier repository of this name. */
  readonly of: string;
}

const PRIVATE: Hosting = { privacy: 'private', collaborators: {} };

export const ownerOf = (name: string): string => name.slice(0, name.indexOf('/'));

/** The access of a caller to a repository with this owner and these rights. */
export function accessOf(caller: Caller, owner: string, { privacy, collaborators }: Hosting): Access {
  const { account, admin } = caller;
  const shared = account !== undefined && Object.hasOwn(collaborators, account) ? collaborators[account]! : 'none';
  const access = admin || account === owner ? 'write' : shared;
  if (access === 'write' && mayDo(caller, 'write')) return 'write';
  if (privacy === 'public') return 'read';
  if (!mayDo(caller, 'read')) return 'none';
  return access !== 'none' || (privacy === 'authenticated' && isKnown(caller)) ? 'read' : 'none';
}

/** Decides the rights of callers to the repositories of a service. */
export class Rights {
  readonly #records: Records<HostingRecord>;
  // By the repository object: a later repository of the same name does not get the rights of this one.
  #cache = new WeakMap<Repository, Hosting>();
  #refreshes = 0;

  constructor(
    private readonly database: Database,
    private readonly locks: KeyedMutex,
  ) {
    this.#records = new Records(hostOf(database).records, 'repository');
  }

  /** The data of an open repository. They are cached. */
  hosting(repository: Repository): Hosting | Promise<Hosting> {
    const { refreshes } = hostOf(this.database);
    // Another process may have changed any of them.
    if (refreshes !== this.#refreshes) this.#cache = new WeakMap();
    this.#refreshes = refreshes;
    return this.#cache.get(repository) ?? this.#read(repository, refreshes);
  }

  async #read(repository: Repository, refreshes: number): Promise<Hosting> {
    const { created } = await repository.settings.metadata.get();
    const stored = current(await this.#records.get(repository.name), created);
    // A change that was made meanwhile is newer.
    const hosting = this.#cache.get(repository) ?? stored;
    if (hostOf(this.database).refreshes === refreshes) this.#cache.set(repository, hosting);
    return hosting;
  }

  /** The data of the listed repositories of an account, without opening them. */
  async hostings(account: string, repositories: readonly RepositoryInfo[]): Promise<Map<string, Hosting>> {
    const records = await this.#records.list(`${account}/`);
    return new Map(repositories.map(({ name, metadata }) => [name, current(records.get(name), metadata.created)]));
  }

  /** Changes the data of a repository. Concurrent changes run one after the other. */
  set(repository: Repository, change: (hosting: Hosting) => Partial<Hosting>): Promise<Hosting> {
    return this.locks.run(repository.name, async () => {
      const before = await this.hosting(repository);
      const hosting = { ...before, ...change(before) };
      const { created } = await writableMetadata(repository);
      await this.#records.put(repository.name, { ...hosting, of: created.toISOString() });
      this.#cache.set(repository, hosting);
      return hosting;
    });
  }

  /** Deletes the data of a repository that was deleted. */
  forget(name: string): Promise<void> {
    return this.#records.delete([name]);
  }

  /** The rights of the caller to a repository. */
  async access(caller: Caller, repository: Repository): Promise<Access> {
    return accessOf(caller, ownerOf(repository.name), await this.hosting(repository));
  }

  /**
   * Opens a repository for a caller that has the needed right. A repository that a caller with credentials may not read is
   * reported as not found. A caller without credentials always gets `UNAUTHENTICATED`, so that it does not learn what exists.
   * @throws AccessError `UNAUTHENTICATED`, `FORBIDDEN`; NotFoundError `REPOSITORY_NOT_FOUND`, and `REPOSITORY_MOVED` for callers that
   * could read it
   */
  async open(caller: Caller, name: string, need: Need): Promise<Repository> {
    const found = await this.#find(caller, name);
    if (found === undefined || found.access === 'none') throw refusal(caller, name);
    const { repository, access } = found;
    if (need === 'read') return repository;
    if (!isKnown(caller)) throw unauthenticated();
    if (access === 'write' && (need === 'write' || owns(caller, name))) return repository;
    throw new AccessError('FORBIDDEN', forbidden(caller, name, need));
  }

  /**
   * Opens a branch for a caller that may read; without a name the default branch.
   * @throws as {@link open}; NotFoundError `BRANCH_NOT_FOUND`
   */
  async openToRead(caller: Caller, name: string, branch?: string): Promise<Repository> {
    return servedBranch(await this.open(caller, name, 'read'), branch);
  }

  /**
   * Opens a branch for a caller that may commit to it: a protected one for owners alone. Without a name it is the default branch.
   * @throws as {@link open}; NotFoundError `BRANCH_NOT_FOUND`
   */
  async openToCommit(caller: Caller, name: string, branch?: string): Promise<Repository> {
    const repository = await servedBranch(await this.open(caller, name, 'write'), branch);
    if (await isProtected(repository)) this.requireOwner(caller, repository);
    return repository;
  }

  /** For a caller that may write. @throws AccessError `FORBIDDEN`: the branch is protected, and the repository is another's */
  requireOwner(caller: Caller, repository: Repository, branch?: string): void {
    if (!owns(caller, repository.name)) throw protectedBranch(repository, branch);
  }

  async #find(caller: Caller, name: string): Promise<{ repository: Repository; access: Access } | undefined> {
    const slash = name.indexOf('/');
    if (slash === -1 || !isSlug(name.slice(0, slash)) || !isSlug(name.slice(slash + 1))) return undefined;
    try {
      const repository = await this.database.repository(name);
      const hosting = this.hosting(repository);
      const known = hosting instanceof Promise ? await hosting : hosting;
      return { repository, access: accessOf(caller, ownerOf(name), known) };
    } catch (error) {
      if (isGone(error)) return undefined;
      if (error instanceof NotFoundError && error.code === 'REPOSITORY_MOVED') return this.#moved(caller, name, error);
      throw error;
    }
  }

  /** Whoever could read a repository that has moved is told where it is. To others it does not exist. */
  async #moved(caller: Caller, name: string, error: NotFoundError): Promise<undefined> {
    const hosting = current(await this.#records.get(name), new Date(String(error.details['created'])));
    if (accessOf(caller, ownerOf(name), hosting) !== 'none') throw error;
  }
}

/** The metadata of a repository whose records may change. @throws StateError `REPOSITORY_MOVING` */
export async function writableMetadata(repository: Repository): Promise<RepositoryMetadata> {
  const metadata = await repository.settings.metadata.get();
  if (metadata.moving === undefined) return metadata;
  throw new StateError('REPOSITORY_MOVING', `repository ${repository.name} is being moved, and takes no changes`, {
    details: { repository: repository.name },
  });
}

/** Whether a caller that may write has the right of an owner, too. */
const owns = (caller: Caller, name: string): boolean =>
  (caller.admin || caller.account === ownerOf(name)) && mayDo(caller, 'own');

/** Whether an error says that a repository does not exist, or was deleted. */
export const isGone = (error: unknown): boolean =>
  error instanceof NotFoundError && (error.code === 'REPOSITORY_NOT_FOUND' || error.code === 'REPOSITORY_DELETED');

export const unauthenticated = (): AccessError => new AccessError('UNAUTHENTICATED', 'credentials are required');

function refusal(caller: Caller, name: string): Error {
  if (!isKnown(caller)) return unauthenticated();
  return noRepository(name);
}

/** The error for a repository that does not exist, or that the caller may not know of. */
export const noRepository = (name: string): NotFoundError =>
  new NotFoundError('REPOSITORY_NOT_FOUND', `there is no repository ${name.slice(0, 201)}`);

function forbidden(caller: Caller, name: string, need: Need): string {
  if (!mayDo(caller, need)) return lacks(caller, need);
  return need === 'own' ? `only the owner of ${name} may do this` : `account ${caller.account!} may only read ${name}`;
}

function current(record: HostingRecord | undefined, created: Date): Hosting {
  if (record?.of !== created.toISOString()) return PRIVATE;
  const { of: _, ...hosting } = record;
  return hosting;
}
