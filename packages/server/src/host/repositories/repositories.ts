/** Lists, creates, describes, shares and deletes repositories. Every method checks the rights of its caller. */
import { AccessError, NotFoundError } from '@quadrille/model';
import type { KeyedMutex } from '@quadrille/model';
import type {
  CommitOptions,
  Database,
  DeleteRepositoryOptions,
  ForkOptions,
  MetadataChange,
  Repository,
  RepositoryInfo,
  Revision,
} from 'quadrille';
import type { Accounts } from '../accounts/accounts.js';
import type { Audit } from '../accounts/audit.js';
import { type Caller, isKnown } from '../accounts/caller.js';
import { Collaborators } from './collaborators.js';
import type { Job } from '../jobs/job.js';
import type { Jobs } from '../jobs/jobs.js';
import type { ServiceLimits } from '../options.js';
import { checkMayCreate, forkRepository, freeName } from './creation.js';
import { checkFields, type RepositoryFields } from './repository-fields.js';
import { repositoryRecord, type RepositoryRecord } from './repository-record.js';
import { type Access, accessOf, type Hosting, type Need, noRepository, ownerOf, type Rights } from './rights.js';
import { servedBranch } from './served-branch.js';
import { slugOf } from './slug.js';
import type { Views } from '../queries/views.js';
import type { OpenTransactions } from '../transactions/open-transactions.js';

export interface ListedRepository extends RepositoryInfo {
  /** The rights of the caller. */
  readonly access: Exclude<Access, 'none'>;
  /** Its privacy and its collaborators. */
  readonly hosting: Hosting;
}

/** The parts of the service that {@link Repositories} uses. */
export interface RepositoriesParts {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly rights: Rights;
  readonly views: Views;
  readonly jobs: Jobs;
  readonly audit: Audit;
  readonly transactions: OpenTransactions;
  readonly locks: KeyedMutex;
  readonly limits: ServiceLimits;
  /** Whether accounts are made with their first repository, since an open server has no other way to make them. */
  readonly open: boolean;
  readonly now: () => number;
}

/** The repositories of a service, as a caller may use them. */
export class Repositories {
  readonly #collaborators: Collaborators;

  constructor(private readonly parts: RepositoriesParts) {
    this.#collaborators = new Collaborators(parts);
  }

  /**
   * The repositories of an account that the caller may read, by name. A caller without credentials gets an empty list for an
   * unknown account, and so does not learn which accounts exist.
   * @throws NotFoundError `ACCOUNT_NOT_FOUND` for a known caller
   */
  async list(caller: Caller, account: string): Promise<ListedRepository[]> {
    if ((await this.parts.accounts.get(account)) === undefined) {
      if (!isKnown(caller)) return [];
      throw new NotFoundError('ACCOUNT_NOT_FOUND', `there is no account ${account.slice(0, 100)}`);
    }
    const repositories = await this.parts.database.repositories(account).toArray();
    const hostings = await this.parts.rights.hostings(account, repositories);
    return repositories.flatMap((repository) => {
      const hosting = hostings.get(repository.name)!;
      const access = accessOf(caller, account, hosting);
      return access === 'none' ? [] : [{ ...repository, access, hosting }];
    });
  }

  /** The records of the repositories of {@link list}. Each repository is opened, one after the other. */
  async *records(caller: Caller, account: string): AsyncGenerator<RepositoryRecord> {
    for (const { name } of await this.list(caller, account)) {
      const repository = await this.parts.rights.open(caller, name, 'read').catch(gone);
      if (repository !== undefined) yield await this.#record(repository);
    }
  }

  /** @throws AccessError, NotFoundError as {@link Rights.open} */
  open(caller: Caller, name: string, need: Need): Promise<Repository> {
    return this.parts.rights.open(caller, name, need);
  }

  /** On its default branch. @throws AccessError, NotFoundError as {@link Rights.openToRead} */
  openToRead(caller: Caller, name: string): Promise<Repository> {
    return this.parts.rights.openToRead(caller, name);
  }

  /** The record of a repository that the caller may read, with the figures of a branch; without a name those of the default branch. */
  async record(caller: Caller, name: string, branch?: string): Promise<RepositoryRecord> {
    return this.#record(await this.parts.rights.open(caller, name, 'read'), branch);
  }

  async #record(repository: Repository, branch?: string): Promise<RepositoryRecord> {
    const hosting = await this.parts.rights.hosting(repository);
    return repositoryRecord(await servedBranch(repository, branch), hosting);
  }

  /**
   * Creates a repository in an account of the caller.
   * @throws AccessError; NotFoundError `ACCOUNT_NOT_FOUND`; InvalidRecordError, also where the name is taken; LimitError
   */
  async create(
    caller: Caller,
    account: string,
    fields: RepositoryFields,
  ): Promise<{
    /** The record of the new repository. */
    record: RepositoryRecord;
    /** The job that has created it. */
    job: Job;
  }> {
    if (this.parts.open) await this.parts.accounts.ensure(account);
    // One at a time, because the name and the number of repositories are checked before the creation.
    return this.parts.locks.run(account, () => this.#create(caller, account, fields));
  }

  async #create(
    caller: Caller,
    account: string,
    fields: RepositoryFields,
  ): Promise<{ record: RepositoryRecord; job: Job }> {
    await checkMayCreate(this.parts, caller, account);
    checkFields({ ...fields, name: fields.name?.trim() ?? null }, this.parts.limits.fieldLength);
    const name = fields.name!.trim();
    const id = await freeName(this.parts, account, slugOf(name));
    const repository = await this.parts.database.repository(id, {
      create: true,
      metadata: metadataOf({ ...fields, name }),
    });
    await this.#setHosting(repository, fields, false);
    const job = await this.parts.jobs.record('create', caller, id, 'created', (await repository.revision()).id);
    return { record: await this.#record(repository), job };
  }

  /** Changes metadata and privacy. @throws AccessError, NotFoundError; InvalidRecordError */
  async update(caller: Caller, name: string, fields: RepositoryFields): Promise<void> {
    const repository = await this.parts.rights.open(caller, name, 'own');
    checkFields(fields, this.parts.limits.fieldLength);
    await repository.settings.metadata.set(metadataOf(fields));
    await this.#setHosting(repository, fields, true);
    const { privacy } = fields;
    if (privacy === undefined) return;
    const details = { privacy: privacy ?? 'private' };
    await this.parts.audit.add(caller, { action: 'repository.privacy', subject: name, details });
  }

  /**
   * Copies a repository of the caller with its history into an account of the caller. The copy is private.
   * @throws as {@link create}; NotFoundError `REPOSITORY_NOT_FOUND`, `REVISION_NOT_FOUND`
   */
  async fork(caller: Caller, source: string, target: string, options: ForkOptions = {}): Promise<RepositoryRecord> {
    await this.parts.rights.open(caller, source, 'own');
    return this.#record(await forkRepository(this.parts, caller, source, target, options));
  }

  async #setHosting(repository: Repository, fields: RepositoryFields, stamp: boolean): Promise<void> {
    const { privacy, license_url: licenseUrl } = fields;
    const change: Partial<Hosting> = {
      ...(privacy === undefined ? {} : { privacy: privacy ?? 'private' }),
      ...(licenseUrl === undefined ? {} : { licenseUrl: licenseUrl ?? undefined }),
      ...(stamp ? { updated: new Date(this.parts.now()).toISOString() } : {}),
    };
    if (Object.keys(change).length > 0) await this.parts.rights.set(repository, () => change);
  }

  /**
   * Ends the jobs and open transactions of a repository and deletes it.
   * @throws AccessError, NotFoundError; ConflictError `REVISION_CONFLICT` if `ifRevision` is not its head: then it stays as it is
   */
  async remove(caller: Caller, name: string, options: DeleteRepositoryOptions = {}): Promise<Job> {
    const { database, jobs, locks, rights, transactions, views } = this.parts;
    const repository = await rights.open(caller, name, 'own');
    await locks.run(ownerOf(name), async () => {
      if (options.ifRevision === undefined) {
        await jobs.stop('deleted', name);
        await transactions.end(repository);
      }
      // Rights and views are changed under the same lock, so that no record of them stays behind.
      await locks.run(name, async () => {
        if (!(await database.deleteRepository(name, options))) throw noRepository(name);
        await rights.forget(name);
        await views.forget(name);
      });
      // Also jobs and transactions that began after the first stop.
      await jobs.stop('deleted', name);
      await transactions.end(repository);
    });
    await this.parts.audit.add(caller, { action: 'repository.delete', subject: name });
    return jobs.record('delete', caller, name, 'deleted');
  }

  /** Removes all statements of the default branch, in one revision. @throws AccessError, NotFoundError */
  async clear(
    caller: Caller,
    name: string,
    options: CommitOptions = {},
  ): Promise<{
    /** The revision without quads. */
    revision: Revision;
    /** The job that has made it. */
    job: Job;
  }> {
    const repository = await this.parts.rights.openToCommit(caller, name);
    const author = options.author ?? caller.account;
    const revision = await repository.remove({}, { ...options, ...(author === undefined ? {} : { author }) });
    return { revision, job: await this.parts.jobs.record('clear', caller, name, 'cleared', revision.id) };
  }

  /** The newest job of a repository. If none is kept, a job for its creation is made. @throws AccessError, NotFoundError */
  async status(caller: Caller, name: string): Promise<Job> {
    const repository = await this.parts.rights.open(caller, name, 'read');
    const latest = this.parts.jobs.latest(name);
    if (latest !== undefined) return latest;
    const owner: Caller = { account: ownerOf(name), readOnly: false, admin: false };
    const { created } = await repository.settings.metadata.get();
    return this.parts.jobs.record('create', owner, name, `created at ${created.toISOString()}`);
  }

  /** @throws AccessError, NotFoundError */
  collaborators(caller: Caller, name: string): Promise<Hosting['collaborators']> {
    return this.#collaborators.list(caller, name);
  }

  /** `none` takes the rights away. @throws AccessError; NotFoundError also `ACCOUNT_NOT_FOUND` */
  setCollaborator(caller: Caller, name: string, account: string, access: Access): Promise<void> {
    return this.#collaborators.set(caller, name, account, access);
  }
}

function metadataOf({ name, summary, description, homepage }: RepositoryFields): MetadataChange {
  return {
    ...(name === undefined || name === null ? {} : { name }),
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    ...(homepage === undefined ? {} : { homepage }),
  };
}

// The repository was deleted after the list was read.
function gone(error: unknown): undefined {
  if (error instanceof NotFoundError || error instanceof AccessError) return undefined;
  throw error;
}
