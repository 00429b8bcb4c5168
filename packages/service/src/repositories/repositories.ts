/** The repositories of accounts: listed, made, described, shared and deleted, each for a caller that may. */
import { AccessError, ConflictError, InvalidRecordError, LimitError, NotFoundError } from '@quadrille/model';
import type { CommitOptions, Database, MetadataChange, Repository, RepositoryInfo, Revision } from 'quadrille';
import type { Accounts } from '../accounts/accounts.js';
import { type Caller, isKnown } from '../accounts/caller.js';
import type { Job } from '../jobs/job.js';
import type { Jobs } from '../jobs/jobs.js';
import type { ServiceLimits } from '../options.js';
import { checkFields, type RepositoryFields } from './repository-fields.js';
import { repositoryRecord, type RepositoryRecord } from './repository-record.js';
import { type Access, accessOf, type Hosting, type Need, ownerOf, type Rights, unauthenticated } from './rights.js';
import { isSlug, slugOf } from '../slug.js';
import type { Views } from '../queries/views.js';

export interface ListedRepository extends RepositoryInfo {
  readonly access: Exclude<Access, 'none'>;
  readonly hosting: Hosting;
}

export class Repositories {
  // Creating looks first and then makes: one after the other, so that two requests for one name cannot both succeed.
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly rights: Rights,
    private readonly views: Views,
    private readonly jobs: Jobs,
    private readonly limits: ServiceLimits,
    private readonly now: () => number,
  ) {}

  /**
   * Those of an account that the caller may read, by name. Of an account that is not there nobody unknown learns.
   * @throws NotFoundError `ACCOUNT_NOT_FOUND` for a known caller
   */
  async list(caller: Caller, account: string): Promise<ListedRepository[]> {
    if ((await this.accounts.get(account)) === undefined) {
      if (!isKnown(caller)) return [];
      throw new NotFoundError('ACCOUNT_NOT_FOUND', `there is no account ${account.slice(0, 100)}`);
    }
    const repositories = await this.database.repositories(account);
    const hostings = await this.rights.hostings(account, repositories);
    return repositories.flatMap((repository) => {
      const hosting = hostings.get(repository.name)!;
      const access = accessOf(caller, account, hosting);
      return access === 'none' ? [] : [{ ...repository, access, hosting }];
    });
  }

  /** The records of those of {@link list}, one after the other: each is opened for its figures. */
  async *records(caller: Caller, account: string): AsyncGenerator<RepositoryRecord> {
    for (const { name } of await this.list(caller, account)) {
      const repository = await this.rights.open(caller, name, 'read').catch(gone);
      if (repository !== undefined) yield await this.#record(repository);
    }
  }

  /** @throws AccessError, NotFoundError as {@link Rights.open} */
  open(caller: Caller, name: string, need: Need): Promise<Repository> {
    return this.rights.open(caller, name, need);
  }

  async record(caller: Caller, name: string): Promise<RepositoryRecord> {
    return this.#record(await this.rights.open(caller, name, 'read'));
  }

  async #record(repository: Repository): Promise<RepositoryRecord> {
    return repositoryRecord(repository, await this.rights.hosting(repository));
  }

  /**
   * Makes a repository in the caller's own account.
   * @throws AccessError; NotFoundError `ACCOUNT_NOT_FOUND`; InvalidRecordError, also where the name is taken; LimitError
   */
  async create(
    caller: Caller,
    account: string,
    fields: RepositoryFields,
  ): Promise<{ record: RepositoryRecord; job: Job }> {
    const created = this.#turn.then(() => this.#create(caller, account, fields));
    this.#turn = created.catch(() => undefined);
    return created;
  }

  async #create(
    caller: Caller,
    account: string,
    fields: RepositoryFields,
  ): Promise<{ record: RepositoryRecord; job: Job }> {
    await this.#checkMayCreate(caller, account);
    checkFields({ ...fields, name: fields.name?.trim() ?? null }, this.limits.fieldLength);
    const name = fields.name!.trim();
    const slug = slugOf(name);
    if (!isSlug(slug)) throw new InvalidRecordError({ name: [`is reserved: ${slug}`] });
    const id = `${account}/${slug}`;
    const others = await this.database.repositories(account);
    if (others.some((other) => other.name === id)) throw taken(id);
    const most = this.limits.repositoriesPerAccount;
    if (others.length >= most) {
      throw new LimitError('QUOTA_EXCEEDED', `account ${account} has ${String(most)} repositories, which is the limit`);
    }
    const repository = await this.database.repository(id, { create: true, metadata: metadataOf({ ...fields, name }) });
    await this.#setHosting(repository, fields, false);
    const job = await this.jobs.record('create', caller, id, 'created', (await repository.revision()).id);
    return { record: await this.#record(repository), job };
  }

  async #checkMayCreate(caller: Caller, account: string): Promise<void> {
    if (!isKnown(caller)) throw unauthenticated();
    if ((await this.accounts.get(account)) === undefined) {
      throw new NotFoundError('ACCOUNT_NOT_FOUND', `there is no account ${account.slice(0, 100)}`);
    }
    if (!caller.readOnly && (caller.admin || caller.account === account)) return;
    throw new AccessError('FORBIDDEN', caller.readOnly ? 'this token may only read' : `only ${account} may do this`);
  }

  /** Changes metadata and privacy. @throws AccessError, NotFoundError; InvalidRecordError */
  async update(caller: Caller, name: string, fields: RepositoryFields): Promise<void> {
    const repository = await this.rights.open(caller, name, 'own');
    checkFields(fields, this.limits.fieldLength);
    await repository.metadata.set(metadataOf(fields));
    await this.#setHosting(repository, fields, true);
  }

  async #setHosting(repository: Repository, fields: RepositoryFields, stamp: boolean): Promise<void> {
    const { privacy, license_url: licenseUrl } = fields;
    const change: Partial<Hosting> = {
      ...(privacy === undefined ? {} : { privacy: privacy ?? 'private' }),
      ...(licenseUrl === undefined ? {} : { licenseUrl: licenseUrl ?? undefined }),
      ...(stamp ? { updated: new Date(this.now()).toISOString() } : {}),
    };
    if (Object.keys(change).length > 0) await this.rights.set(repository, () => change);
  }

  /** Deletes a repository; imports into it are aborted first. @throws AccessError, NotFoundError */
  async remove(caller: Caller, name: string): Promise<Job> {
    await this.rights.open(caller, name, 'own');
    await this.jobs.stop('asked', name);
    await this.database.deleteRepository(name);
    await this.rights.forget(name);
    await this.views.forget(name);
    return this.jobs.record('delete', caller, name, 'deleted');
  }

  /** Removes all statements, in one revision. @throws AccessError, NotFoundError */
  async clear(caller: Caller, name: string, options: CommitOptions = {}): Promise<{ revision: Revision; job: Job }> {
    const repository = await this.rights.open(caller, name, 'write');
    const author = options.author ?? caller.account;
    const revision = await repository.remove({}, { ...options, ...(author === undefined ? {} : { author }) });
    return { revision, job: await this.jobs.record('clear', caller, name, 'cleared', revision.id) };
  }

  /** The newest job of a repository; where none is known any more, its creation. @throws AccessError, NotFoundError */
  async status(caller: Caller, name: string): Promise<Job> {
    const repository = await this.rights.open(caller, name, 'read');
    const latest = this.jobs.latest(name);
    if (latest !== undefined) return latest;
    const owner: Caller = { account: ownerOf(name), readOnly: false, admin: false };
    const { created } = await repository.metadata.get();
    return this.jobs.record('create', owner, name, `created at ${created.toISOString()}`);
  }

  /** @throws AccessError, NotFoundError */
  async collaborators(caller: Caller, name: string): Promise<Hosting['collaborators']> {
    return (await this.rights.hosting(await this.rights.open(caller, name, 'own'))).collaborators;
  }

  /** `none` takes the rights away. @throws AccessError; NotFoundError also `ACCOUNT_NOT_FOUND` */
  async setCollaborator(caller: Caller, name: string, account: string, access: Access): Promise<void> {
    const repository = await this.rights.open(caller, name, 'own');
    if (access !== 'none') await this.accounts.need(account);
    await this.rights.set(repository, ({ collaborators }) => {
      const { [account]: _, ...others } = collaborators;
      return {
        collaborators: access === 'none' ? others : { ...others, [account]: access },
        updated: new Date(this.now()).toISOString(),
      };
    });
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

// The name is what is wrong with the record; that the repository is there already is why.
function taken(id: string): InvalidRecordError {
  const cause = new ConflictError('ALREADY_EXISTS', `there is a repository ${id} already`);
  return new InvalidRecordError({ name: [`already exists: ${id}`] }, { cause });
}

// It was deleted while the list was read.
function gone(error: unknown): undefined {
  if (error instanceof NotFoundError || error instanceof AccessError) return undefined;
  throw error;
}
